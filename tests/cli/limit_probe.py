"""Runs `ladder` or `analyze` as usual, and notes when the clock of its limits began and in which calls the limit found
it.

    python limit_probe.py NOTES ladder run …

    NOTES/began   the time at which the limits began to count, by a clock that all processes share, and the process
    NOTES/calls   the calls of its main thread at each signal ASKED, and those of all threads when too much memory was
                  noticed
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ASKED = signal.SIGRTMIN + 3
SLOW_DISK = "LADDER_TEST_SLOW_DISK"  # a variable of the environment: seconds that the disk takes to answer


def noting(notes: Path) -> None:
    """From now on limits are noted; those within others are not."""
    from ladder.support import limits, supervision

    usual, refused = supervision.limited, limits.out_of_memory

    @contextmanager
    def limited(seconds: float | None, memory: int | None, began: float) -> Iterator[None]:
        supervision.limited = usual
        calls = (notes / "calls").open("w")  # as long as the process lives
        faulthandler.register(ASKED, calls, all_threads=False)

        def out_of_memory(*what: int) -> Any:
            faulthandler.dump_traceback(calls)
            return refused(*what)

        limits.out_of_memory = out_of_memory
        (notes / "starting").write_text(f"{began!r} {os.getpid()}")
        (notes / "starting").rename(notes / "began")
        with usual(seconds, memory, began):
            yield

    supervision.limited = limited


if __name__ == "__main__":
    from ladder.cli import analyze_main, main

    noting(Path(sys.argv[1]))
    if SLOW_DISK in os.environ:
        os.fsync = lambda _: time.sleep(float(os.environ[SLOW_DISK]))
    sys.argv[:] = sys.argv[2:]
    {"ladder": main, "analyze": analyze_main}[sys.argv[0]]()
