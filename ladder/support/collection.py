"""When garbage is collected: work that makes many objects and few cycles need not be looked through often."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

# objects that are made before the youngest are looked through: importing what a command needs makes half as many
YOUNG = 100_000
# passes of a generation before the next older one is looked through
PASSES = 20
_one_command = False  # whether this process runs one command and ends


def collect_rarely() -> None:
    """Let this process look for garbage cycles rarely, and not when it ends.

    For a process that runs one command: of the CPU time of evaluating ten facts, the interpreter's defaults take a
    quarter.
    """
    global _one_command
    _one_command = True
    gc.set_threshold(YOUNG, PASSES, PASSES)
    atexit.register(gc.freeze)


@contextmanager
def without_collection(lasting: bool = False) -> Iterator[None]:
    """A block without garbage collection: looking for cycles takes a third of a compilation's time, and more of what
    reading one takes.

    `lasting`: what is made in the block lives as long as a process that runs one command, so that it is not looked
    through after the block, either.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if lasting and _one_command:
            gc.freeze()
        if collecting:
            gc.enable()
