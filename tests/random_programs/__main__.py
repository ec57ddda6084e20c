"""Many random programs in one process, in slices of time.

    python -m tests.random_programs --seeds 0..50000 --budget 500 --log LOG      # goes on where LOG ends
    python -m tests.random_programs --show SEED                                  # the program
    python -m tests.random_programs --shrink SEED                                # the least program that fails like it

The log has a line of JSON for each failure, and one for each slice: seeds, seconds of the clock and of the processor,
what came out. A process that dies is noted with its seed, and another one goes on after it.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ladder.engine.local.warm import compile_first
from ladder.support.private import STATE_VARIABLE

from ..kernels import start_compiling
from .checking import case_of, check, kind_of, smallest
from .sessions import setting_of

MOST_SECONDS = 120  # for one program
PROGRAMS = 4_000  # of one process


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.random_programs", description=__doc__.partition("\n")[0] if __doc__ else None
    )
    parser.add_argument("--seeds", default="0..1000")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds")
    parser.add_argument("--log", type=Path, default=Path(tempfile.gettempdir()) / "random_programs.jsonl")
    parser.add_argument("--child", nargs=2, metavar=("FIRST", "UNTIL"))
    parser.add_argument("--show", type=int)
    parser.add_argument("--shrink", type=int)
    given = parser.parse_args()
    if given.show is not None:
        print(case_of(given.show), setting_of(given.show), sep="\n")
        print(case_of(given.show).text)
        return 0
    with tempfile.TemporaryDirectory(dir=_memory_folder()) as name:
        folder = Path(name) / "state"
        os.environ.setdefault(STATE_VARIABLE, name)  # no key or state of the user's is touched
        if given.shrink is not None:
            case, setting = smallest(case_of(given.shrink), setting_of(given.shrink), folder)
            print(case.text, case.facts, case.changes, setting, sep="\n")
            return 0
        if given.child:
            return in_a_thread(lambda: child(int(given.child[0]), int(given.child[1]), given.budget, given.log, folder))
    return parent(given.seeds, given.budget, given.log)


def parent(seeds: str, budget: float, log: Path) -> int:
    """Children, one after the other, until all seeds are done or the time is over."""
    first, last = map(int, seeds.split(".."))
    compile_first()  # here, not in the time that a child gives its first program
    start_compiling().wait()
    until = time.monotonic() + budget
    while (left := until - time.monotonic()) > 1 and (begin := next_seed(log, first)) < last:
        command = [
            sys.executable,
            "-m",
            "tests.random_programs",
            "--child",
            str(begin),
            str(last),
            "--budget",
            str(left),
            "--log",
            str(log),
        ]
        done = subprocess.run(command, check=False)
        if done.returncode:
            at = int(seed_file(log).read_text())
            note(log, {"seed": at, "kind": f"died: {done.returncode}", "slice": [begin, at + 1], "outcomes": {}})
    print(json.dumps(summary(log)))
    return 0


def next_seed(log: Path, first: int) -> int:
    """After the last seed that the log has."""
    return max([first, *(entry["slice"][1] for entry in entries(log) if "slice" in entry)])


def in_a_thread(work: Callable[[], int]) -> int:
    """Run it in a thread, where no passage has to hold signals back: that alone is a tenth of the time of small
    programs."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def child(first: int, until: int, budget: float, log: Path, folder: Path) -> int:
    """Programs one after the other; what goes wrong is noted, and the next one follows."""
    with log.with_suffix(".crash").open("a") as crash, seed_file(log).open("w") as place:
        faulthandler.enable(crash)
        began, cpu, seed = time.monotonic(), time.process_time(), first
        outcomes: Counter[str] = Counter()
        gc.freeze()
        for seed in range(first, min(until, first + PROGRAMS)):
            if time.monotonic() - began > budget:
                break
            place.seek(0)
            place.write(f"{seed:012}")
            place.flush()
            faulthandler.dump_traceback_later(MOST_SECONDS, exit=True, file=crash)
            try:
                outcomes[check(seed, folder)] += 1
            except Exception as error:  # noqa: BLE001 - noted
                outcomes["failed"] += 1
                note(log, {"seed": seed, "kind": kind_of(error), "error": traceback.format_exc()[-6000:]})
            finally:
                faulthandler.cancel_dump_traceback_later()
        else:
            seed = min(until, first + PROGRAMS)
        note(
            log,
            {
                "slice": [first, seed],
                "seconds": round(time.monotonic() - began, 1),
                "cpu": round(time.process_time() - cpu, 1),
                "outcomes": outcomes,
            },
        )
    return 0


def seed_file(log: Path) -> Path:
    return log.with_suffix(".seed")


def note(log: Path, entry: dict[str, Any]) -> None:
    with log.open("a") as file:
        file.write(json.dumps(entry) + "\n")


def entries(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def summary(log: Path) -> dict[str, Any]:
    """How many programs in how many seconds, and what failed."""
    total: Counter[str] = Counter()
    seconds = cpu = 0.0
    kinds: dict[str, list[int]] = {}
    for entry in entries(log):
        total.update(entry.get("outcomes", {}))
        seconds, cpu = seconds + entry.get("seconds", 0), cpu + entry.get("cpu", 0)
        if "seed" in entry:
            kinds.setdefault(entry["kind"], []).append(entry["seed"])
    count = sum(total.values())
    return {
        "programs": count,
        "outcomes": total,
        "seconds": round(seconds),
        "cpu": round(cpu),
        "per second": round(count / max(seconds, 1), 1),
        "per second of the processor": round(count / max(cpu, 1), 1),
        "failures": {kind: [len(seeds), seeds[:5]] for kind, seeds in kinds.items()},
    }


def _memory_folder() -> str | None:
    """Where files cost no disk."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


if __name__ == "__main__":
    sys.exit(main())
