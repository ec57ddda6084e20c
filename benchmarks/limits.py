"""Measures by how much limits are missed: each case of tests/cli/limit_cases.py with several limits of time and of
memory.

python benchmarks/limits.py                                 # all cases; about an hour
python benchmarks/limits.py output sqlite --time 1 --memory 256M

Time counts from the moment at which the limit's clock starts, memory is that of all processes of the command together,
mapped files left out, looked at every few milliseconds. Whether the limit found the command in the phase that the case
is about is told, too: an early one may not. Ends with 1 if a limit was missed by more than a second or a tenth, or a
run ended otherwise than by its limit.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from measure import ROOT, save, table

sys.path.insert(0, str(ROOT))

from ladder.support.limits import size_of
from tests.cli.limit_cases import CASES, Case, Measured, measured

SECONDS = (1.0, 2.0, 5.0, 15.0)
SIZES = ("300M", "512M", "1G", "1300M")
LATE, MORE = 1.0, 0.1  # by how much a limit may be missed: seconds, share


@dataclass(frozen=True)
class Miss:
    """One run of a case: by how much it missed its limit, in seconds or as a share."""

    case: str
    limit: str
    before: float
    missed: float
    reached: bool
    code: int
    said: str

    @property
    def wrong(self) -> str:
        """What is not as promised."""
        memory = self.limit[-1] in "MG"
        if self.code != (4 if memory else 3):
            return f"ended with {self.code}: {self.said[-200:]!r}"
        return "beyond" if self.missed > (MORE if memory else LATE) else ""


@click.command(help=(__doc__ or "").replace("\n\n", "\n\n\b\n"))
@click.argument("cases", nargs=-1)
@click.option("--time", "seconds", multiple=True, type=float, default=SECONDS, show_default=True)
@click.option("--memory", "sizes", multiple=True, default=SIZES, show_default=True)
@click.option("--only", type=click.Choice(["time", "memory"]), help="Limits of this kind alone.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the figures.")
def main(
    cases: tuple[str, ...], seconds: Sequence[float], sizes: Sequence[str], only: str | None, output: Path | None
) -> None:
    misses = list[Miss]()
    for case in CASES:
        if not cases or any(name in case.name for name in cases):
            misses += runs(case, seconds if only != "memory" else (), sizes if only != "time" else ())
            save(output, [asdict(miss) for miss in misses])
    print(table(("case", "limit", "missed by", "in its phase", "start s", "wrong"), map(_cells, misses)))
    sys.exit(any(miss.wrong for miss in misses))


def runs(case: Case, seconds: Sequence[float], sizes: Sequence[str]) -> Iterator[Miss]:
    """The case with each limit, told on standard error as they end."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        command = [*case.make(folder), *case.options]
        for limit in seconds if case.time else ():
            run = measured(folder, command, seconds=limit)
            yield _told(case, f"{limit:g} s", run, run.over(limit))
        for size in (size for size in sizes if case.memory and size_of(size) >= case.megabytes << 20):
            run = measured(folder, command, memory=size_of(size))
            yield _told(case, size, run, run.peak / size_of(size) - 1)


def _told(case: Case, limit: str, run: Measured, missed: float) -> Miss:
    miss = Miss(case.name, limit, run.before, missed, case.phase in run.calls, run.code, run.said)
    print(*_cells(miss), sep=" | ", file=sys.stderr, flush=True)
    return miss


def _cells(miss: Miss) -> Sequence[object]:
    missed = f"{miss.missed:+.0%}" if miss.limit[-1] in "MG" else f"{miss.missed:+.2f} s"
    return miss.case, miss.limit, missed, "yes" if miss.reached else "no", round(miss.before, 2), miss.wrong


if __name__ == "__main__":
    main()
