"""Whatever goes wrong on Spark ends with one sentence that says what, and another that says what to do."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ladder.engine.spark.checkpoints import Checkpointing
from ladder.engine.spark.engine import Options, SparkEngine
from ladder.engine.spark.facts import Facts
from ladder.engine.spark.failures import explained, explanation, lost_rows
from ladder.errors import LadderError, OutOfMemory, SparkError
from ladder.language.compile import compile_program

FUNCTORS = '''
import os

def ends(n: int) -> int:
    os._exit(7)

def fails(n: int) -> int:
    raise ValueError(f"no {n}")

def same(n: int) -> int:
    return n
'''
PROGRAM = """
.functor f(n: number): number = "functors.py:{}"
.decl a(n: number)
.decl b(n: number)
b(@f(n)) :- a(n).
"""


def evaluate(spark: Any, folder: Path, function: str, checkpoints: Checkpointing | None = None) -> None:
    (folder / "functors.py").write_text(FUNCTORS)
    program = compile_program(PROGRAM.format(function), str(folder / "program.dl"), folder).core
    facts = Facts(program, spark)
    facts.add("a", [(n,) for n in range(5)])
    SparkEngine(program, spark, Options(checkpoints=checkpoints)).bootstrap(facts.cells())


@pytest.mark.parametrize(("function", "kind", "said"), [
    ("ends", SparkError, "A Python worker ended in the middle of its work"),
    ("fails", LadderError, r"f\(\d\) raised ValueError: no \d"),
])
def test_functors(spark: Any, tmp_path: Path, function: str, kind: type[LadderError], said: str) -> None:
    with pytest.raises(kind, match=said) as caught:
        evaluate(spark, tmp_path, function)
    assert caught.value.mend and "Traceback" not in str(caught.value)
    assert spark.range(3).count() == 3      # the session is as it was


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk(spark: Any, tmp_path: Path) -> None:
    """What is written goes to a device without any room."""
    checkpoints = tmp_path / "checkpoints"
    checkpoints.mkdir()
    (checkpoints / "_checkpoint-000001.json.unfinished").symlink_to("/dev/full")
    with pytest.raises(SparkError, match="The disk is full") as caught:
        evaluate(spark, tmp_path, "same", Checkpointing(str(checkpoints), every=1))
    assert caught.value.exit_code == 2 and "saved before is as it was" in caught.value.mend


def test_what_is_no_fault_of_sparks_stays_as_it_is(spark: Any) -> None:
    with pytest.raises(ZeroDivisionError), explained():
        raise ZeroDivisionError
    with pytest.raises(Exception, match="no_such_table") as caught, explained():
        spark.sql("SELECT * FROM no_such_table")
    assert not isinstance(caught.value, LadderError)        # a defect, shown with its calls


class Py4JJavaError(Exception):
    """In the place of py4j's."""


Py4JJavaError.__module__ = "py4j.protocol"
STAGE = "org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 in stage 4.0 failed 4 times, most recent failure: "


@pytest.mark.parametrize(("text", "kind", "said"), [
    (STAGE + "Lost task 1.3 (TID 9) (10.0.0.3 executor 5): [CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND] Checkpoint block rdd_8_1 not found!",
     SparkError, "only copies of rows"),
    (STAGE + "Lost task 0.0: java.io.IOException: No space left on device\n\tat java.io.FileOutputStream", SparkError, "The disk is full"),
    (STAGE + "ExecutorLostFailure (executor 3 exited caused by one of the running tasks) Reason: Command exited with code 137",
     SparkError, r"lost more often than a task is tried \(Command exited with code 137\)"),
    (STAGE + "ExecutorLostFailure (executor 3 exited caused by one of the running tasks) Reason: Unable to create executor, exit code 52\n",
     OutOfMemory, "An executor of Spark has used up its memory"),
    (STAGE + "Lost task 0.0: java.lang.OutOfMemoryError: Java heap space", OutOfMemory, "An executor of Spark"),
    (STAGE + "org.apache.spark.memory.SparkOutOfMemoryError: [UNABLE_TO_ACQUIRE_MEMORY] Unable to acquire 262144 bytes", OutOfMemory, "An executor"),
    ("java.lang.OutOfMemoryError: GC overhead limit exceeded\n\tat org.apache.spark.sql.catalyst", OutOfMemory, "The driver of Spark"),
    ("Total size of serialized results of 9 tasks is bigger than spark.driver.maxResultSize (1024.0 MiB)", OutOfMemory, "The driver"),
    ("java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.", SparkError, "has ended in the middle"),
    ("org.apache.spark.SparkException: Job 3 cancelled because SparkContext was shut down", SparkError, "has ended in the middle"),
    ("Job 3 cancelled ladder: no executors", SparkError, "had no executor for too long"),
    ("org.apache.spark.SparkException: something\nCaused by: java.lang.IllegalArgumentException: odd thing", SparkError, "Spark failed: IllegalArgumentException: odd thing"),
])
def test_explanations(text: str, kind: type[LadderError], said: str) -> None:
    found = explanation(Py4JJavaError(text))
    assert type(found) is kind
    with pytest.raises(kind, match=said):
        raise found
    assert found.mend and "\n" not in str(found)
    assert lost_rows(Py4JJavaError(text)) == ("CHECKPOINT" in text)
