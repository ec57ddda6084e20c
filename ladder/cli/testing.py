"""`ladder test`: every case in a process of its own, forked from this one once the kernels are loaded."""

from __future__ import annotations

import json
import mmap
import multiprocessing
import os
import shlex
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess
from pathlib import Path

import click

from ladder.cli.cases import Case, cases_below
from ladder.cli.outcomes import Outcome, Status, judge
from ladder.cli.paths import NamedPath
from ladder.cli.reals import Real
from ladder.errors import LadderError
from ladder.support.children import limit_memory
from ladder.support.columns import aligned
from ladder.support.files import without_links
from ladder.support.supervision import in_temporary_folder

PATH = NamedPath()


@click.command("test")
@click.argument("folders", type=PATH, nargs=-1, required=True)
@click.option("--only", metavar="TEXT", help="Only cases with this text in their name.")
@click.option("--rejected", type=PATH, metavar="FILE", help="Names of cases that must be refused, one per line.")
@click.option(
    "--time-limit",
    type=Real(0.1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="For each case; compiling kernels does not count.",
)
@click.option("--memory-limit", type=Real(0.5), default=4.0, show_default=True, metavar="GB", help="For each case.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Cases at a time."
)
@click.option("--options", default="", metavar="TEXT", help="Further options of `ladder run` for all cases.")
@click.option("--json", "as_json", is_flag=True, help="Print the outcomes as JSON.")
@click.option("--keep", type=PATH, metavar="DIR", help="Keep what the cases write and print below this directory.")
def test(
    folders: tuple[Path, ...],
    only: str | None,
    rejected: Path | None,
    time_limit: float,
    memory_limit: float,
    jobs: int,
    options: str,
    as_json: bool,
    keep: Path | None,
) -> int:
    """Run the cases in FOLDERS: programs with facts and what they must give. Exit code 1 if one does not pass.

    A case is a folder NAME with NAME.dl or program.dl, facts/, and expected *.csv files, NAME.out (standard output) and
    NAME.err (errors: the program must be refused). The folders of Soufflé's tests have this form.
    """
    names = frozenset(rejected.read_text("utf-8").split()) if rejected else frozenset()
    found: dict[Path, list[Case]] = {}
    for folder in folders:
        if not folder.is_dir():
            raise LadderError(f"There is no folder {folder}.", "Name a folder of cases.")
        cases = [case for case in cases_below(without_links(folder), names) if only is None or only in case.name]
        found[folder] = [replace(case, options=(*case.options, *shlex.split(options))) for case in cases]
        if not found[folder] and only is None:
            raise LadderError(f"There are no cases in {folder}.", "A case is a folder NAME with NAME.dl or program.dl.")
    _load_engine()
    outcomes: dict[Path, list[Outcome]] = {}
    for folder, cases in found.items():
        for outcome in _run_all(cases, Limits(time_limit, memory_limit), jobs, keep):
            outcomes.setdefault(folder, []).append(outcome)
            if not as_json and outcome.status is not Status.PASSED:
                print(f"{folder.name}/{outcome.case}: {outcome.status.value}: {outcome.reason}", flush=True)
    print(_as_json(outcomes) if as_json else _as_table(outcomes))
    return int(any(outcome.status is not Status.PASSED for several in outcomes.values() for outcome in several))


def _load_engine() -> None:
    """Import and load everything that a case needs once; the processes of the cases inherit it."""
    import ladder.api.database
    import ladder.facts.files.databases
    import ladder.facts.files.delimited
    import ladder.facts.files.json_rows
    import ladder.language.compile  # noqa: F401
    from ladder.engine.local.warm import compile_kernels

    compile_kernels()


@dataclass(frozen=True)
class Limits:
    """The limits of a test case."""

    seconds: float
    gigabytes: float


@dataclass
class _Running:
    case: Case
    process: BaseProcess
    folder: Path
    began: float
    compiling: Compiling

    def seconds(self) -> float:
        """Seconds since the case began, without compiling, which only the first case does."""
        return time.monotonic() - self.began - self.compiling.seconds()


class Compiling:
    """How long the process of a case has been compiling, in memory shared with it."""

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, mmap.PAGESIZE)  # seconds of what has ended, when the current one began

    def seconds(self) -> float:
        """Seconds of compiling up to now."""
        done, since = struct.unpack_from("=dd", self._page)
        return float(done + (time.monotonic() - since if since else 0))

    def note(self) -> None:
        """Let numba record when it compiles in this process."""
        from numba.core import event

        page = self._page

        class Noting(event.Listener):
            depth = 0

            def on_start(self, _: object) -> None:
                if not self.depth:
                    struct.pack_into("=d", page, 8, time.monotonic())
                self.depth += 1

            def on_end(self, _: object) -> None:
                self.depth -= 1
                if not self.depth:
                    done, since = struct.unpack_from("=dd", page)
                    struct.pack_into("=dd", page, 0, done + time.monotonic() - since, 0.0)

        event.register("numba:compile", Noting())  # type: ignore[no-untyped-call]


def _run_all(cases: Sequence[Case], limits: Limits, jobs: int, keep: Path | None) -> Iterator[Outcome]:
    """Run the cases; iterate over their outcomes as they end."""
    running: list[_Running] = []
    waiting = list(reversed(cases))
    with in_temporary_folder("ladder-test-") as temporary:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    case = waiting.pop()
                    folder = without_links(keep or temporary / "cases") / case.name
                    _make_empty(folder / "written")
                    compiling = Compiling()
                    process = _process(target=_work, args=(case, folder, limits.gigabytes, os.getpid(), compiling))
                    process.start()
                    running.append(_Running(case, process, folder, time.monotonic(), compiling))
                for one in [one for one in running if _ended(one, limits.seconds)]:
                    running.remove(one)
                    yield _outcome(one, limits.seconds)
        finally:
            for one in running:
                one.process.kill()
                one.process.join()


def _process(target: Callable[..., None], args: tuple[object, ...]) -> BaseProcess:
    if "fork" in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("fork").Process(target=target, args=args)
    return multiprocessing.get_context("spawn").Process(target=target, args=args)


def _make_empty(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def _ended(one: _Running, limit: float) -> bool:
    one.process.join(0.005)
    if one.process.is_alive() and one.seconds() > limit:
        one.process.kill()
        one.process.join()
    return not one.process.is_alive()


def _outcome(one: _Running, limit: float) -> Outcome:
    seconds = one.seconds()
    if seconds > limit:
        return Outcome(one.case.name, one.case.rejected, Status.TIMED_OUT, f"more than {limit:g} s", seconds)
    out, err = ((one.folder / name).read_text("utf-8", "replace") for name in ("out", "err"))
    return judge(one.case, one.process.exitcode or 0, out, err, one.folder / "written", seconds)


def _work(case: Case, folder: Path, gigabytes: float, parent: int, compiling: Compiling) -> None:
    """Run one case in this process: it writes into the folder `written`, prints into `out` and `err` beside it."""
    from ladder import cli

    compiling.note()
    # which never comes back where it finds no memory
    threading.Thread(target=_leave_without, args=(parent,), daemon=True).start()
    limit_memory(int(gigabytes * 1e9))
    given = case.file("in")
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), number)
    os.dup2(os.open(given or os.devnull, os.O_RDONLY), 0)
    sys.stdout, sys.stderr, sys.stdin = (
        os.fdopen(number, mode, encoding="utf-8", closefd=False) for number, mode in ((1, "w"), (2, "w"), (0, "r"))
    )
    os.chdir(folder / "written")
    functors = ["--functors", str(case.functors)] if case.functors else []
    output = [] if any(option.startswith("-D") for option in case.options) else ["-D", "."]
    cli.main(["run", str(case.program), "-F", str(case.facts), *output, *functors, *case.options])


def _leave_without(parent: int) -> None:
    """End this process when the one that started it has ended."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _as_table(outcomes: dict[Path, list[Outcome]]) -> str:
    """A table with a line for each folder: how many cases ended in which way, and how many programs were refused at the
    right line."""
    rows: list[tuple[str, ...]] = [
        ("folder", "cases", *(status.value for status in Status), "to refuse", "refused", "at the line")
    ]
    for folder, several in outcomes.items():
        counts = Counter(outcome.status for outcome in several)
        negative = [outcome for outcome in several if outcome.rejected]
        right = sum(outcome.status is Status.PASSED for outcome in negative)
        refused = right + sum(outcome.status is Status.MISPLACED for outcome in negative)
        numbers = (len(several), *(counts[status] for status in Status), len(negative), refused, right)
        rows.append((folder.name, *map(str, numbers)))
    return "\n".join(["", *aligned(rows, range(1, len(rows[0])))])


def _as_json(outcomes: dict[Path, list[Outcome]]) -> str:
    return json.dumps(
        [
            {
                "folder": str(folder),
                "case": outcome.case,
                "rejected": outcome.rejected,
                "status": outcome.status.value,
                "reason": outcome.reason,
                "seconds": round(outcome.seconds, 3),
            }
            for folder, several in outcomes.items()
            for outcome in sorted(several, key=lambda o: o.case)
        ],
        ensure_ascii=False,
        indent=1,
    )
