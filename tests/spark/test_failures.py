"""Whatever goes wrong on Spark ends with one sentence that says what, and another that says what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.errors import PySparkException

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.reference.evaluate import evaluate as evaluate_naively
from ladder.engine.spark.checkpoints.checkpointing import EVERY, Checkpointing
from ladder.engine.spark.failures import explained, explanation, lost_rows, tasks_lack_memory
from ladder.engine.spark.worker_calls import Call, InterruptedCall, interrupted_call
from ladder.errors import LadderError, LadderWarning, OutOfMemory, SparkError
from ladder.language.compile import compile_program
from ladder.report.spark_report import as_text
from ladder.spark import internals
from ladder.spark.settings import PARTITIONS

from ..engine.comparison import difference
from .comparison import bootstrapped, state_of

FUNCTIONS = """
import ctypes
import os
import signal

from ladder.lattices import Lattice

def ends(n):
    os._exit(7) if n == 3 else None
    return n

def killed(n):
    os.kill(os.getpid(), signal.SIGKILL)

def crashes(n):
    ctypes.string_at(0)

def fails(n):
    raise ValueError(f"no {n}")

def grows(n):
    return len(bytes(1 << 46))

def same(n):
    return n

def only(n):
    return frozenset((n,))

class Sets(Lattice):
    bottom = frozenset()

    def __init__(self, last):
        self.last = last

    def join(self, a, b):
        return a | b if len(a | b) < 3 else self.last(0)

Ending, Failing, Growing = Sets(killed), Sets(fails), Sets(grows)
"""
PROGRAM = """
.functor f(n: number): number = "functions.py:{}"
.decl a(n: number)
.input a
.decl b(n: number)
b(n) :- a(n), n > 9, @f(n) > 0.
b(n) :-
    a(n), @f(n) > 2.
"""
JOINS = """
.lattice Names = "functions.py:{}"
.functor only(n: number): Names = "functions.py:only"
.decl a(n: number)
.input a
.decl b(all: Names<>)
b(@only(n)) :- a(n).
"""


def write(folder: Path, text: str, function: str) -> Path:
    (folder / "functions.py").write_text(FUNCTIONS)
    (folder / "p.dl").write_text(text.format(function))
    return folder / "p.dl"


def evaluate(
    spark: Any, folder: Path, function: str, checkpoints: Checkpointing | None = None, text: str = PROGRAM
) -> None:
    program = Program.load(write(folder, text, function))
    db = Database(
        program,
        engine="spark",
        spark=spark,
        checkpoints=None if checkpoints is None else checkpoints.folder,
        spark_conf={} if checkpoints is None else {EVERY: "1"},
    )
    db.load_rows("a", [(n,) for n in range(5)])
    db["b"]


ENDED = r"A Python worker ended in f\(3\), each time it was tried\n    b\(n\) :-\n    \^\n    Look at f: "


@pytest.mark.parametrize(
    ("function", "kind", "said"),
    [
        ("ends", SparkError, ENDED),
        (
            "fails",
            LadderError,
            r"f\(\d\) raised ValueError: no \d, in \S+ \(\w+\)\n    b\(n\) :-\n    \^\n    A functor",
        ),
        ("grows", OutOfMemory, r"f\(\d\) has used up the memory of a Python worker of Spark\n    b\(n\) :-\n"),
        pytest.param("killed", SparkError, r"ended in f\(\d\), each time it was tried\n", marks=pytest.mark.nightly),
        pytest.param(
            "crashes",
            SparkError,
            r"ended in f\(\d\), each time it was tried \(Segmentation fault\)\n",
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_functors(spark: Any, tmp_path: Path, function: str, kind: type[LadderError], said: str) -> None:
    """The functor, its argument and the second of the rules that call it are told; the first one calls it
    for no row."""
    with pytest.raises(kind, match=r"^p.dl:7:1: error: .*" + said) as caught:
        evaluate(spark, tmp_path, function)
    assert caught.value.hint and "Traceback" not in str(caught.value)
    assert spark.range(3).count() == 3  # the session is as it was


@pytest.mark.parametrize(
    ("lattice", "kind", "said"),
    [
        ("Ending", SparkError, "A Python worker ended in the join of Names, each time it was tried"),
        pytest.param(
            "Failing",
            LadderError,
            r"the join of Names\(.*\) raised ValueError: no 0, in \S+ \(\w+\)",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            "Growing",
            OutOfMemory,
            "the join of Names has used up the memory of a Python worker of Spark",
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_joins(spark: Any, tmp_path: Path, lattice: str, kind: type[LadderError], said: str) -> None:
    with pytest.raises(kind, match=rf"^p.dl:6:7: error: {said}\n    .decl b\(all: Names<>\)\n          \^\n"):
        evaluate(spark, tmp_path, lattice, text=JOINS)


def test_workers_note_the_call_they_are_in(tmp_path: Path) -> None:
    """A process leaves its last call in the file that Spark has for it, however it ends; arguments cost what is shown
    of them."""
    code = """
import os, sys, pathlib
os.environ["PYTHON_FAULTHANDLER_DIR"] = sys.argv[1]
pathlib.Path(sys.argv[1], str(os.getpid())).touch()
from ladder.engine.spark.worker_calls import Call, clear_call, note_call
note_call(Call("g", "p.dl:1:1"), (1,))
if sys.argv[2] == "between":
    clear_call()
else:
    note_call(Call("f", "q.dl:2:3"), ("ä" * 500, (1, frozenset(range(10 ** 6))), None))
os.kill(os.getpid(), 6 if sys.argv[2] == "crash" else 9)
"""
    for how in ("kill", "crash", "between"):
        folder = tmp_path / how
        folder.mkdir()
        subprocess.run([sys.executable, "-c", code, str(folder), how], check=False, stderr=subprocess.DEVNULL)
        (text,) = (file.read_text("ascii") for file in folder.iterdir())
        shown = "(" + repr("\\xe4" * 80).replace("\\\\", "\\") + "\\u2026, (1, <frozenset>), None)"
        expected = InterruptedCall(Call("f", "q.dl:2:3"), shown, "Aborted" if how == "crash" else "")
        assert interrupted_call(f"Python worker exited unexpectedly (crashed): {text}") == (
            None if how == "between" else expected
        )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk(spark: Any, tmp_path: Path) -> None:
    """What is written goes to a device without any room."""
    checkpoints = tmp_path / "checkpoints"
    checkpoints.mkdir()
    (checkpoints / "_checkpoint-000001.json.unfinished").symlink_to("/dev/full")
    with pytest.raises(SparkError, match="The disk is full") as caught:
        evaluate(spark, tmp_path, "same", Checkpointing(str(checkpoints)))
    assert caught.value.exit_code == 2 and "saved before is as it was" in caught.value.hint


@pytest.mark.parametrize(
    "what",
    [
        "state",
        pytest.param("checkpoints", marks=pytest.mark.nightly),
        pytest.param("b.parquet", marks=pytest.mark.nightly),
    ],
)
def test_a_disk_that_fills_up(spark: Any, tmp_path: Path, small_disk: Path, what: str) -> None:
    """The folder is told, and what was saved there before is as it was."""
    (tmp_path / "p.dl").write_text('.decl a(s: symbol)\n.input a\n.decl b(s: symbol)\nb(cat(s, "!")) :- a(s).\n')
    program = Program.load(tmp_path / "p.dl")
    local = Database(program)
    local.load_rows("a", [("x",)])
    local.save(small_disk / "state")
    settings = {"checkpoints": small_disk / what, "spark_conf": {EVERY: "1"}} if what == "checkpoints" else {}
    db = Database(program, engine="spark", spark=spark, **settings)  # type: ignore[arg-type]
    db.load_rows("a", [(os.urandom(400).hex(),) for _ in range(2000)])
    with pytest.raises(SparkError, match=f"^The disk is full \\({small_disk / what}") as caught:
        if what == "state":
            db.save(small_disk / what)
        elif what == "b.parquet":
            db["b"].write_parquet(small_disk / what)
        else:
            db["b"]
    assert caught.value.exit_code == 2 and "name another folder" in caught.value.hint
    assert {path.name for path in (small_disk / "state").iterdir()} == {"CURRENT", "base-1", "lock"}
    assert list(Database.open(small_disk / "state", program)["b"]) == [("x!",)]


def test_what_is_no_fault_of_sparks_stays_as_it_is(spark: Any) -> None:
    with pytest.raises(ZeroDivisionError), explained():
        raise ZeroDivisionError
    with pytest.raises(Exception, match="no_such_table") as caught, explained():
        spark.sql("SELECT * FROM no_such_table")
    assert not isinstance(caught.value, LadderError)  # a defect, shown with its calls


class Py4JJavaError(Exception):
    """In the place of py4j's."""


Py4JJavaError.__module__ = "py4j.protocol"
STAGE = (
    "org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 in stage 4.0 failed 4 times, most "
    "recent failure: "
)


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (
            STAGE + "Lost task 1.3 (TID 9) (10.0.0.3 executor 5): [CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND] Checkpoint block "
            "rdd_8_1 not found!",
            SparkError,
            "only copies of rows",
        ),
        (
            STAGE + "Lost task 0.0: java.io.IOException: No space left on device\n\tat java.io.FileOutputStream",
            SparkError,
            "The disk is full",
        ),
        (
            STAGE
            + "ExecutorLostFailure (executor 3 exited caused by one of the running tasks) Reason: Command exited with "
            "code 137",
            SparkError,
            r"lost more often than a task is tried \(Command exited with code 137\)",
        ),
        (
            STAGE
            + "ExecutorLostFailure (executor 3 exited caused by one of the running tasks) Reason: Unable to create "
            "executor, exit code 52\n",
            OutOfMemory,
            "An executor of Spark has used up its memory",
        ),
        (STAGE + "Lost task 0.0: java.lang.OutOfMemoryError: Java heap space", OutOfMemory, "An executor of Spark"),
        (
            STAGE + "SparkException: Can't acquire 1048576 bytes memory to build hash relation, got 0 bytes",
            OutOfMemory,
            "An executor of Spark",
        ),
        (
            STAGE
            + "org.apache.spark.memory.SparkOutOfMemoryError: [UNABLE_TO_ACQUIRE_MEMORY] Unable to acquire 262144 "
            "bytes",
            OutOfMemory,
            "An executor",
        ),
        (
            "java.lang.OutOfMemoryError: GC overhead limit exceeded\n\tat org.apache.spark.sql.catalyst",
            OutOfMemory,
            "The driver of Spark",
        ),
        (
            "Total size of serialized results of 9 tasks is bigger than spark.driver.maxResultSize (1024.0 MiB)",
            OutOfMemory,
            "The driver",
        ),
        (
            "java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.",
            SparkError,
            "has ended in the middle",
        ),
        (
            "org.apache.spark.SparkException: Job 3 cancelled because SparkContext was shut down",
            SparkError,
            "has ended in the middle",
        ),
        ("Job 3 cancelled ladder: no executors", SparkError, "had no executor for too long"),
        (
            "org.apache.spark.SparkException: something\nCaused by: java.lang.IllegalArgumentException: odd thing",
            SparkError,
            "Spark failed: IllegalArgumentException: odd thing",
        ),
    ],
)
def test_explanations(text: str, kind: type[LadderError], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(internals, "exit_code", lambda within: None)  # the JVM of other tests does not end
    found = explanation(Py4JJavaError(text))
    assert type(found) is kind
    with pytest.raises(kind, match=said):
        raise found
    assert found.hint and "\n" not in str(found)
    assert lost_rows(Py4JJavaError(text)) == ("CHECKPOINT" in text)
    assert tasks_lack_memory(Py4JJavaError(text)) == (found.message.startswith("An executor of") or "137" in text), (
        "smaller tasks help"
    )


@pytest.mark.parametrize(
    ("ends", "kind", "said"),
    [
        ("os._exit(52)", OutOfMemory, "Spark's JVM has used up its memory. Allow more with --memory-limit"),
        ("os.kill(os.getpid(), 9)", SparkError, "Spark's JVM was killed in the middle of the work"),
        ("os._exit(1)", SparkError, "The Spark session has ended in the middle of the work"),
    ],
)
@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(111, "Connection refused"),
        Py4JJavaError("org.apache.spark.SparkException: Job 3 cancelled because SparkContext was shut down"),
    ],
    ids=["gone", "going"],
)
def test_a_jvm_that_is_gone(
    monkeypatch: pytest.MonkeyPatch, error: Exception, ends: str, kind: type[LadderError], said: str
) -> None:
    """Its exit code tells why, whether it answers no more or cancels its jobs as it ends."""
    pyspark = pytest.importorskip("pyspark")
    with subprocess.Popen([sys.executable, "-c", f"import os; {ends}"]) as process:
        monkeypatch.setattr(pyspark.SparkContext, "_gateway", SimpleNamespace(proc=process))
        found = explanation(error)
    assert type(found) is kind and said in str(found)


@pytest.mark.parametrize(
    ("fails_at", "places"),
    [((4,), ["b, iteration 3"]), ((4, 6), ["b, iteration 3", "the start"]), ((1,), ["the start"])],
)
def test_tasks_that_lack_memory_get_fewer_rows(
    spark: Any, monkeypatch: pytest.MonkeyPatch, fails_at: tuple[int, ...], places: list[str]
) -> None:
    """What was evaluated stands, unless its very rows cannot be cut again."""
    program = compile_program(
        ".decl a(x: number, y: number)  .decl b(x: number, y: number)  b(x, y) :- a(x, y). "
        " b(x, z) :- b(x, y), a(y, z)."
    ).core
    facts, usual, calls = {"a": [(i, i + 1) for i in range(5)]}, internals.materialise, 0
    before = spark.conf.get(PARTITIONS)

    def materialise(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls in fails_at:
            raise PySparkException(
                "Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times: SparkException: "
                "Can't acquire 1048576 bytes memory to build hash relation, got 0 bytes"
            )
        return usual(*arguments)

    monkeypatch.setattr(internals, "materialise", materialise)
    with pytest.warns(LadderWarning, match="too little memory") as issued:
        state = bootstrapped(spark, program, facts, partitions=2)
    try:
        assert difference(state_of(program, state), evaluate_naively(program, facts)) == ""
        assert state.report.finer == tuple((place, 2 * 4 ** (number + 1)) for number, place in enumerate(places))
        assert len(issued) == len(places) and all(
            f"Tasks had too little memory ({place})" in as_text(state.report) for place in places
        )
    finally:
        state.release()
        spark.conf.set(PARTITIONS, before)


def test_what_smaller_tasks_do_not_cure_is_told_after_some_tries(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    program = compile_program(".decl a(x: number)  .decl b(x: number)  b(x) :- a(x).").core
    before, tried = spark.conf.get(PARTITIONS), list[int]()

    def materialise(_frame: Any, partitions: int, _level: Any) -> Any:
        tried.append(partitions)
        raise PySparkException("[UNABLE_TO_ACQUIRE_MEMORY] Unable to acquire 65536 bytes of memory, got 0.")

    monkeypatch.setattr(internals, "materialise", materialise)
    with pytest.warns(LadderWarning), pytest.raises(OutOfMemory, match=r"An executor of Spark has used up its memory"):
        bootstrapped(spark, program, {"a": [(1,)]}, partitions=2)
    assert tried == [2, 8, 32, 128]
    spark.conf.set(PARTITIONS, before)


STARVED = """
from ladder.engine.spark.failures import explained
from ladder.errors import OutOfMemory
from ladder.spark import internals
from ladder.spark.session import open_session

try:
    with open_session(master="local[1]") as spark, explained():
        rows = internals.rows_of(spark.range(5))
        next(rows)
        threads = internals.jvm_of(spark).java.lang.Thread
        error = internals.jvm_of(spark).java.lang.OutOfMemoryError("Java heap space")
        try:
            threads.getDefaultUncaughtExceptionHandler().uncaughtException(threads.currentThread(), error)
        except Exception:
            pass  # the JVM gives no answer
        list(rows)
except OutOfMemory as error:
    print(error)
"""


def test_a_thread_of_the_driver_without_memory_is_told(spark: Any) -> None:
    """Else what waits for the thread, such as rows for the one that takes results of tasks, waits for ever."""
    done = subprocess.run(
        [sys.executable, "-c", STARVED],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.startswith("Spark's JVM has used up its memory.") and done.stderr == "", done
