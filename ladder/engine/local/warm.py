"""Compilation of the kernels before their first use, in processes of their own: in each, numba compiles one function at
a time, and never gives back the memory that this takes.

bootstrap    what a first evaluation needs; then, when the other process has ended, what is still missing
update       the kernel of updates, which is half of the work, and what is most like it
evaluation   the kernel of bootstraps alone

Two processes run at once; where a memory limit does not allow that, one after another, each with less to do.
"""

from __future__ import annotations

import fcntl
import gc
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from io import BytesIO
from pkgutil import iter_modules

import numpy as np
import numpy.typing as npt

from ladder.engine.local import kernels
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.compiling import ENTRY_POINTS, compiled
from ladder.engine.local.kernels.object_cache import CACHE, NOT_KEPT, note_complete, prune
from ladder.engine.local.saved.cells import CellChecker
from ladder.engine.local.saved.checks import check_base
from ladder.engine.local.saved.program import Origin
from ladder.engine.local.saved.state import SavedState, open_state
from ladder.engine.local.values.texts import cells_of_lines, lines_of_cells
from ladder.errors import OutOfMemory
from ladder.language.core import Atom, Column, Compare, Compute, Kind, Not, Program, Relation, Rule, Type, Var, verify
from ladder.support.caches import unwritten
from ladder.support.children import end_with_parent, start_python
from ladder.support.exceeded import size_text
from ladder.support.limits import counted_too, memory_in_use
from ladder.support.private import CACHE_VARIABLE
from ladder.support.supervision import in_temporary_folder
from ladder.support.terminal import steered
from ladder.support.tuning import Evaluating, Tuning

NUMBER = Type("number", Kind.NUMBER)
AT_ONCE = (("bootstrap", "update"),)
BOOTSTRAP, TRANSACTION = "evaluation.run_bootstrap", "evaluation.run_transaction"
BESIDE_UPDATES = ("aggregation.", "building.", "row_flags.", "update.")
OF_STRATEGIES = {"counting", "maintenance", "tallies", "timelines"}  # modules that the default strategy does without
ONE_BY_ONE = (("update",), ("evaluation",), ("bootstrap",))
# bytes that the processes take at most, both together and the largest alone: as measured, and a tenth more
NEEDED_AT_ONCE, NEEDED_BY_ONE = 1060 << 20, 340 << 20
COLLECTING = "collecting"  # says that a process is to use little memory
# so that what is tiny asks for capacity, and is shared among threads entry by entry
SMALL = Tuning(
    evaluating=Evaluating(
        capacity=2,
        shared_rows=1,
        shared_once=1,
        shared_gain=math.inf,
        thread_seconds=0,
        partitioned_cells=0,
        least_range=1,
    )
)
DOING = "compiling kernels, once per installation"


class Compilation:
    """The processes that compile. Whatever becomes of them, a kernel that is missing is compiled when it is called.

    `memory`: bytes that this process and they may use together; `OutOfMemory` if no kernel can be compiled within them.
    """

    def __init__(self, memory: int | None = None) -> None:
        self.began = time.monotonic()
        self.at_once = _enough_for_all(memory)
        self._steps = iter(AT_ONCE if self.at_once else ONE_BY_ONE)
        self._processes = list[subprocess.Popen[bytes]]()
        self._start()

    def _start(self) -> bool:
        """Start the processes of the next step, if there is one."""
        parts = next(self._steps, ()) if sys.executable else ()
        for part in parts:
            process = start_python(
                __name__,
                part,
                str(os.getpid()),
                *([COLLECTING] if not self.at_once else []),
                environment={CACHE_VARIABLE: str(CACHE.parent)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            self._processes.append(process)
            counted_too.add(process.pid)
        return bool(parts)

    def wait(self, tell: Callable[[float], None], every: float = 1.0) -> None:
        """Wait for the processes; `tell` is called about every `every` seconds with the seconds since the start.

        However the wait ends, no process is left running.
        """
        try:
            while True:
                for process in self._processes:
                    while process.poll() is None:
                        with suppress(subprocess.TimeoutExpired):
                            process.wait(every)
                            break
                        tell(time.monotonic() - self.began)
                    counted_too.discard(process.pid)
                if not self._start():
                    break
        finally:
            self.stop()

    def show(self) -> None:
        """Wait for the processes, with a line on standard error that says so."""
        terminal = sys.stderr.isatty()

        def tell(seconds: float) -> None:
            if terminal:
                print(f"\r{DOING} … {seconds:.0f} s", end="", file=steered(sys.stderr), flush=True)

        if NOT_KEPT:
            print(
                f"ladder: warning: compiled kernels are not kept for the next run: {NOT_KEPT.removesuffix('.')}. "
                f"Name a folder of your own with {CACHE_VARIABLE}.",
                file=sys.stderr,
                flush=True,
            )
        if not terminal:
            print(f"{DOING} …", file=sys.stderr, flush=True)
        try:
            self.wait(tell)
        finally:
            seconds = time.monotonic() - self.began
            print(
                f"\r{DOING}: {seconds:.0f} s" if terminal else f"… {seconds:.0f} s",
                file=steered(sys.stderr),
                flush=True,
            )
        if codes := [process.returncode for process in self._processes if process.returncode]:
            print(
                f"ladder: warning: compiling ended early (exit codes {codes}); "
                "what is missing is compiled when it is used.",
                file=sys.stderr,
                flush=True,
            )
        elif not compiled() and not NOT_KEPT:
            print(
                f"ladder: warning: compiled kernels could not be kept in {CACHE}, so every run compiles them again. "
                "Free some space there.",
                file=sys.stderr,
                flush=True,
            )

    def stop(self) -> None:
        """End the processes that still run."""
        for process in self._processes:
            if process.poll() is None:
                process.terminate()
                process.wait()
            counted_too.discard(process.pid)


def _enough_for_all(memory: int | None) -> bool:
    """Whether the processes may run at once; `OutOfMemory` where not even one may."""
    if memory is None:
        return True
    used = memory_in_use()
    if used + NEEDED_BY_ONE > memory:
        raise OutOfMemory(
            f"The memory limit of {size_text(memory)} does not suffice for {DOING}: "
            f"{size_text(used)} are in use and {size_text(NEEDED_BY_ONE)} more are needed.",
            "Allow that much once with --memory-limit (Limits(memory=…)); what is compiled is kept for later runs.",
        )
    return used + NEEDED_AT_ONCE <= memory


def compile_first(memory: int | None = None) -> None:
    """Compile the kernels that are not compiled yet, within this many bytes of memory."""
    if not compiled():
        Compilation(memory).show()


def compile_kernels() -> None:
    """Compile every kernel and load it into this process."""
    compile_first()
    use_all_kernels()


def compile_part(part: str) -> None:
    """Do the work of one of the processes. If another process does the same work, this one waits and then finds it in
    the cache."""
    if part == "update":
        with _locked("update"):
            _compile(lambda name: name == TRANSACTION or name.startswith(BESIDE_UPDATES))
        return
    if part == "evaluation":
        with _locked("bootstrap"):
            _compile(lambda name: name == BOOTSTRAP)
        return
    with _locked("bootstrap"):
        _compile(lambda name: name != TRANSACTION and not name.startswith(BESIDE_UPDATES))
        with _locked("update"):  # the other process has ended
            _compile(lambda _: True)
    if not unwritten:
        note_complete()
    prune()


def _compile(wanted: Callable[[str], bool]) -> None:
    """Compile the entry points with these names that are not compiled yet, but not those of the comparison strategies,
    the largest first, with which others share much."""
    for module in iter_modules(kernels.__path__):
        if module.name not in OF_STRATEGIES:
            import_module(f"{kernels.__name__}.{module.name}")
    found = {entry.name: entry for entry in ENTRY_POINTS.values() if entry.name.split(".")[0] not in OF_STRATEGIES}
    for name in sorted(filter(wanted, found), key=lambda name: (name not in (BOOTSTRAP, TRANSACTION), name)):
        found[name].code()


@contextmanager
def _locked(part: str) -> Iterator[None]:
    """A block that one process at a time runs for a part; the lock is released when the process ends."""
    try:
        file = (CACHE / f"{part}.lock").open("w")
    except OSError:  # then nothing can be kept there either
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def use_all_kernels() -> None:
    """Evaluate, change, save and open a tiny program, write its facts and read them."""
    program, facts = _program(), _facts()
    engine = LocalEngine(program, tuning=SMALL)
    engine.bootstrap({"edge": facts})
    _share(program, facts)
    operation = engine.store.new_operation(L.ASK, 1)
    engine.store.set_capacity_of_answers(operation, 128)
    engine.store.set_table(operation, np.arange(2, dtype=np.int32), np.zeros((2, 2), np.int32))
    symbols = engine.values.symbols
    symbols.numbers([str(i) for i in range(1000)])
    text = b"".join(lines_of_cells(symbols, facts, [Kind.NUMBER] * 2, b"\t"))
    cells_of_lines(symbols, BytesIO(text), len(text), b"\t", [(Kind.NUMBER, 0), (Kind.NUMBER, 1)], False, False, b"")
    for keep in (False, True):
        engine.update({"edge": facts[40:60]}, {"edge": facts[:2] + 200})
        engine.finish() if keep else engine.abandon()
    engine.rehearse()
    engine.compact(engine.numbers["path"])
    with in_temporary_folder("ladder-warm-") as temporary:
        folder = temporary / "state"
        saved = SavedState(folder)
        saved.save(engine, Origin("", {}), "")
        engine.update({}, {"edge": facts[40:60]})
        engine.finish()
        saved.save(engine, Origin("", {}), "")
        opened, _, _ = open_state(folder, lambda _: program)
        check_base(opened, folder)  # as of a state that somebody else has written
        CellChecker(opened, folder).load()


def _share(program: Program, facts: npt.NDArray[np.int32]) -> None:
    """Run a bootstrap with two threads, which reserve entries one by one."""
    engine = LocalEngine(program, tuning=SMALL, jobs=2)
    engine.bootstrap({"edge": facts})


def _facts() -> npt.NDArray[np.int32]:
    return np.array([(i, i + 1) for i in range(100)], np.int32)


def _program() -> Program:
    """A program with recursion, negation, arithmetic and an aggregate: it has steps of every kind that kernels are
    compiled for."""
    x, y, z, d, e = (Var(name) for name in "xyzde")
    pair = (Column("x", NUMBER), Column("y", NUMBER))
    relations = {
        r.name: r
        for r in (
            Relation("edge", pair),
            Relation("path", pair),
            Relation("far", pair),
            Relation("distance", pair, aggregate="min"),
        )
    }
    rules = (
        Rule(Atom("path", (x, y)), (Atom("edge", (x, y)),)),
        Rule(Atom("path", (x, z)), (Atom("path", (x, y)), Atom("edge", (y, z)), Compare("<", x, z, Kind.NUMBER))),
        Rule(Atom("far", (x, y)), (Atom("path", (x, y)), Not(Atom("edge", (x, y))))),
        Rule(Atom("distance", (y, x)), (Atom("edge", (x, y)),)),
        Rule(Atom("distance", (y, e)), (Atom("distance", (x, d)), Atom("edge", (x, y)), Compute(e, "+", (d, x)))),
    )
    return verify(Program(relations, rules))


if __name__ == "__main__":
    end_with_parent(int(sys.argv[2]))
    if COLLECTING not in sys.argv:
        gc.disable()  # looking for objects that are of no use any more takes a sixth of the time, and halves the memory
    compile_part(sys.argv[1])
