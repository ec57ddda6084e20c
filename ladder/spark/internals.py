"""Everything that needs private classes and names of Spark; tested against the pinned version.

    materialise evaluate a query once and keep its rows as a leaf, of known partitioning, in the plans of later queries
    partitioned the same for rows that are checkpointed already
    united      several leaves as one
    gathered    branches of a union evaluated in few tasks
    release     free the rows of a leaf
    figures     jobs, stages and shuffle bytes of what ran under a tag
    rows_of     read rows partition by partition; the end of the JVM raises an error of its own
    starting    start the JVM of a session with options of our own
    ending      have the JVM end when memory does not suffice for one of its threads
    process_of_jvm  the process whose memory counts like this one's
    stop        end the session and its JVM, and delete what pyspark knows of them

`tests/spark/test_internals.py` lists the names of pyspark that are relied on, and says that no other module uses any.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from traceback import clear_frames
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark import StorageLevel
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class Figures:
    """Figures of jobs. `shuffle_written`, `shuffle_read`, `spilled` (to disk): bytes; `tasks_failed`: failed tasks,
    which were tried again; `repeated`: stages that were repeated because rows of theirs were lost; `seconds`: the sum
    of the times from the submission of each job to its end.
    """

    jobs: int = 0
    stages: int = 0
    shuffle_written: int = 0
    shuffle_read: int = 0
    spilled: int = 0
    tasks_failed: int = 0
    seconds: float = 0.0
    repeated: int = 0


CALL_SITE = ("callSite.short", "callSite.long")
PART = "part"  # the column of a leaf by whose hash its rows are partitioned


def materialise(frame: DataFrame, partitions: int, level: StorageLevel) -> DataFrame:
    """Evaluate a frame in one job and cut its lineage; its rows must be partitioned by the hash of its column
    `part`."""
    return partitioned(frame.localCheckpoint(True, level), partitions)


def partitioned(frame: DataFrame, partitions: int) -> DataFrame:
    """A checkpointed frame, declared to be partitioned by the hash of its column `part`. Only BINARY columns may have
    NULLs.

    Checkpointed frames lose their partitioning in unions, or fail there; this one is joined and united without shuffles
    if the column is selected under another name, because unions compare partitionings with the qualifiers of their
    columns.
    """
    return _declared(frame, frame._jdf.logicalPlan().rdd(), partitions)


def united(leaves: Sequence[DataFrame], partitions: int) -> DataFrame:
    """One leaf of several with the same columns: it concatenates their partitions, takes no job, and is a single scan
    to the planner."""
    return _declared(
        leaves[0], _zipped(leaves[0], [frame._jdf.logicalPlan().rdd() for frame in leaves], partitions), partitions
    )


def gathered(frame: DataFrame, partitions: int, groups: Callable[[int], Sequence[Sequence[int]]]) -> DataFrame:
    """The rows of a UNION ALL, of which each group of branches is evaluated in `partitions` tasks, one branch after the
    other.

    `groups`: number of branches → their numbers, grouped. Spark sends the whole union to each of its tasks, so that a
    task for each branch costs the square of their number. To the planner the result is a scan, in which it sees no
    constants, by which it would otherwise partition rows.
    """
    plan = frame._jdf.queryExecution().executedPlan()
    union = plan.getClass().getSimpleName() == "UnionExec"
    branches = [branch.execute() for branch in (_elements(plan.children()) if union else [plan])]
    parts = []
    for group in groups(len(branches)):
        alike = [branches[i] for i in group if branches[i].getNumPartitions() == partitions]
        parts += [_zipped(frame, alike, partitions)] if len(alike) > 1 else alike
        parts += [branches[i] for i in group if branches[i].getNumPartitions() != partitions]
    jvm, context = _jvm(frame), context_of(frame.sparkSession)
    rows = parts[0] if len(parts) == 1 else context.union(jvm.PythonUtils.toSeq(parts), parts[0].elementClassTag())
    unknown = jvm.org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning(rows.getNumPartitions())
    return _frame_of(frame, rows, _attributes(frame), unknown)


def shared(frame: DataFrame, partitions: int) -> DataFrame:
    """A frame that is partitioned by `part`, for several readers in one query: everything up to its shuffle runs once.

    Readers cannot push filters or projections below it, which would result in several different shuffles.
    """
    return _declared(frame, frame._jdf.queryExecution().toRdd(), partitions)


def together(frames: Sequence[DataFrame], column: str, partitions: int) -> DataFrame:
    """The rows of frames with the same columns, partitioned by the hash of one column; shuffled only where they are not
    so already.

    A UNION ALL keeps the partitioning only where the planner sees that both sides have the same one; otherwise it loses
    it silently.
    """
    spread = re.compile(rf"hashpartitioning\({column}#\d+L?, {partitions}\)")

    def rows_of(frame: DataFrame) -> Any:
        plan = frame._jdf.queryExecution().executedPlan()
        kept = spread.search(plan.outputPartitioning().toString()) is not None
        return (frame if kept else frame.repartition(partitions, column))._jdf.queryExecution().toRdd()

    rows = [rows_of(frame) for frame in frames]
    return _declared(frames[0], _zipped(frames[0], rows, partitions) if len(rows) > 1 else rows[0], partitions, column)


def _zipped(frame: DataFrame, rows: Sequence[Any], partitions: int) -> Any:
    """An RDD whose partition i is the concatenation of the partitions i of all of these."""
    jvm, context = _jvm(frame), context_of(frame.sparkSession)
    return jvm.org.apache.spark.rdd.SQLPartitioningAwareUnionRDD(
        context, jvm.PythonUtils.toSeq(rows), partitions, rows[0].elementClassTag()
    )


def _declared(frame: DataFrame, rows: Any, partitions: int, column: str = PART) -> DataFrame:
    """A frame of rows (an RDD of Spark's internal rows) with the columns of another one, declared to be partitioned by
    the hash of one of them."""
    if rows.getNumPartitions() == 0:  # what the planner knows to be empty
        context = context_of(frame.sparkSession)
        rows = context.parallelize(_jvm(frame).PythonUtils.toSeq([]), partitions, rows.elementClassTag())
    if rows.getNumPartitions() != partitions:
        raise AssertionError(
            f"{rows.getNumPartitions()} partitions instead of {partitions}: a union has lost its partitioning"
        )
    jvm, attributes = _jvm(frame), _attributes(frame)
    key = jvm.PythonUtils.toSeq([attributes.apply(frame.columns.index(column))])
    return _frame_of(
        frame, rows, attributes, jvm.org.apache.spark.sql.catalyst.plans.physical.HashPartitioning(key, partitions)
    )


def _attributes(frame: DataFrame) -> Any:
    """New columns like those of a frame; only BINARY ones may have NULLs."""
    jvm, fields = _jvm(frame), frame.schema.fields
    attributes = jvm.org.apache.spark.sql.catalyst.types.DataTypeUtils.toAttributes(frame._jdf.schema())
    return jvm.PythonUtils.toSeq(
        [attributes.apply(i).withNullability(field.dataType.typeName() == "binary") for i, field in enumerate(fields)]
    )


def _frame_of(frame: DataFrame, rows: Any, attributes: Any, partitioning: Any) -> DataFrame:
    from pyspark.sql.classic.dataframe import DataFrame as Classic

    jvm, session = _jvm(frame), frame.sparkSession._jsparkSession
    none, nothing = jvm.scala.Option.empty(), jvm.PythonUtils.toSeq([])
    relation = jvm.org.apache.spark.sql.execution.LogicalRDD(
        attributes, rows, partitioning, nothing, False, none, session, none, none, False
    )
    return Classic(jvm.org.apache.spark.sql.classic.Dataset.ofRows(session, relation), frame.sparkSession)


def _jvm(frame: DataFrame) -> Any:
    return jvm_of(frame.sparkSession)


def release(frame: DataFrame) -> None:
    """Free the rows of a leaf, without waiting for that."""
    frame._jdf.queryExecution().analyzed().rdd().unpersist(False)


def executed_plan(frame: DataFrame) -> str:
    """The physical plan as text."""
    return str(frame._jdf.queryExecution().executedPlan().toString())


@contextmanager
def tagged(spark: SparkSession, tag: str) -> Iterator[None]:
    """A block whose jobs get a tag, by which `figures` finds them. The tag also serves as their call site, for which
    Spark would otherwise inspect the stack."""
    context = context_of(spark)
    before = {name: context.getLocalProperty(name) for name in CALL_SITE}
    context.addJobTag(tag)
    for name in CALL_SITE:
        context.setLocalProperty(name, tag)
    try:
        yield
    finally:
        for name, value in before.items():
            context.setLocalProperty(name, value)
        context.removeJobTag(tag)


def figures(spark: SparkSession, tag: str) -> Figures:
    """The figures of the jobs with a tag, all of which must have ended."""
    context = context_of(spark)
    context.listenerBus().waitUntilEmpty()
    store = context.statusStore()
    jobs = [store.job(number) for number in context.statusTracker().getJobIdsForTag(tag)]
    stages = [store.lastStageAttempt(number) for job in jobs for number in _elements(job.stageIds())]
    ran = [stage for stage in stages if stage.status().toString() != "SKIPPED"]

    def total(name: str) -> int:
        return sum(int(getattr(stage, name)()) for stage in ran)

    ended = [(job.submissionTime(), job.completionTime()) for job in jobs]
    seconds = (
        sum(
            end.get().getTime() - begin.get().getTime() for begin, end in ended if begin.isDefined() and end.isDefined()
        )
        / 1000
    )
    return Figures(
        len(jobs),
        len(ran),
        total("shuffleWriteBytes"),
        total("shuffleReadBytes"),
        total("diskBytesSpilled"),
        total("numFailedTasks"),
        seconds,
        total("attemptId"),
    )


def _elements(sequence: Any) -> list[Any]:
    return [sequence.apply(i) for i in range(sequence.size())]


# ---- what a session is made of


def context_of(spark: Any) -> Any:
    """Scala's SparkContext, with tags, executors and the status of jobs, of which Python's offers only a part."""
    return spark.sparkContext._jsc.sc()


def jvm_of(spark: Any) -> Any:
    """Classes of the JVM by their names."""
    return spark._jvm


def hadoop_settings(spark: Any) -> Any:
    """The settings by which Hadoop finds the storage of a URI."""
    return spark.sparkContext._jsc.hadoopConfiguration()


def has_plans(spark: Any) -> bool:
    """Whether a session gives access to the plans of its queries; one of Spark Connect does not."""
    return hasattr(spark, "_jsparkSession")


def running_session() -> Any:
    """The session of this process; None where there is none.

    This starts no session, unlike `builder.getOrCreate`.
    """
    if "pyspark" not in sys.modules:
        return None
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    if SparkContext._active_spark_context is None:
        return None
    return SparkSession.getActiveSession() or SparkSession._instantiatedSession


def running_context() -> Any:
    """The context of this process; None where there is none."""
    from pyspark import SparkContext

    return SparkContext._active_spark_context


def rows_of(frame: DataFrame) -> Iterator[Any]:
    """The rows of a frame, with one partition at a time in the driver's JVM; `ConnectionError` where the JVM has
    ended."""
    try:
        yield from frame.toLocalIterator()
    except (EOFError, ConnectionError) as error:  # what pyspark finds at the other end of its socket
        _forget_frames(error)
        raise ConnectionError("Answer from Java side is empty") from None


def _forget_frames(error: BaseException) -> None:
    """Delete now what pyspark holds of a JVM that has ended: on deletion it writes to the JVM once more, and Python
    would print the exception that this raises."""
    usual, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        clear_frames(error.__traceback__)
    finally:
        sys.unraisablehook = usual


def ending(spark: Any) -> None:
    """Have a JVM of our own end with `SparkExitCode.OOM` when memory does not suffice for any of its threads, as it
    does for those of tasks: otherwise a caller would wait for ever for a thread of the driver that has died."""
    handler = jvm_of(spark).org.apache.spark.util.SparkUncaughtExceptionHandler(False)
    jvm_of(spark).java.lang.Thread.setDefaultUncaughtExceptionHandler(handler)


def exit_code(within: float) -> int | None:
    """Return the exit code of the JVM that this process has started, if it ends within so many seconds; None where it
    still runs, or was not started by this process."""
    from pyspark import SparkContext

    process: Any = getattr(SparkContext._gateway, "proc", None)
    with suppress(subprocess.TimeoutExpired):
        return process and int(process.wait(within))
    return None


def java_details(error: BaseException) -> tuple[list[str], BaseException | None]:
    """(texts, cause) of an exception that pyspark made from one of Java: its description and stack trace, which are not
    in its message, and the exception that caused it."""
    texts = []
    for name in ("_desc", "_stackTrace"):
        with suppress(Exception):
            texts.append(str(getattr(error, name) or ""))
    return texts, getattr(error, "_cause", None)


# ---- starting and stopping


@contextmanager
def starting(adapted: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """A block in which pyspark starts processes with the options that `adapted` makes from its options of `Popen`; the
    block gets the list of these processes, which grows as they are started.

    `launch_gateway` takes options, but `getOrCreate` passes none on. It also overwrites `preexec_fn`, without which a
    JVM that is starting would outlive this process, and makes the process known only once it has answered, while a
    Ctrl-C must be able to kill it before. So `Popen` is replaced in this one module of pyspark while the block runs.
    """
    java_gateway: Any = import_module("pyspark.java_gateway")
    usual, started = java_gateway.Popen, list[Any]()

    def popen(*arguments: Any, **options: Any) -> Any:
        started.append(usual(*arguments, **adapted(options)))
        return started[-1]

    java_gateway.Popen = popen
    try:
        yield started
    finally:
        java_gateway.Popen = usual


def process_of_jvm() -> list[int]:
    """The number of the process of the JVM that pyspark has started; none where there is no such process."""
    from pyspark import SparkContext

    process = getattr(SparkContext._gateway, "proc", None)
    return [] if process is None else [process.pid]


def stop(kill: Callable[[subprocess.Popen[bytes]], None], within: float) -> None:
    """Stop the session of this process and its JVM, whatever state they are in; `kill` ends a JVM that does not end by
    itself within so many seconds.

    pyspark keeps a JVM for as long as the process lives, and uses the one of a stopped session for the next session,
    with the settings of its start. After this call it has none, as if it had just been imported.
    """
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    session, gateway = SparkSession._instantiatedSession, SparkContext._gateway
    for step in (session and session.stop, gateway and gateway.shutdown):
        with suppress(Exception):
            if step:
                step()
    process = getattr(gateway, "proc", None)
    if process is not None:
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(within)
        except subprocess.TimeoutExpired:
            kill(process)
    SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
    SparkSession._instantiatedSession = None


def reconnect(context: Any) -> None:
    """Have the next call of this thread use a new connection to the JVM, because a signal may have cut short an answer
    on the old one."""
    client = context._gateway._gateway_client
    connection = client.get_thread_connection() if hasattr(client, "get_thread_connection") else None
    if connection is not None:
        connection.close()
