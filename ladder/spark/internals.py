"""All that needs classes and names of Spark's own, which its public interface does not offer; tested against the
version that is pinned.

    materialise evaluate a query once and keep its rows as a leaf of later queries' plans, of known partitioning
    partitioned the same of rows that lie somewhere already
    united      several leaves as one
    gathered    branches of a union evaluated in few tasks
    release     give the rows of a leaf back
    figures     jobs, stages and shuffle bytes of what ran under a tag
    rows_of     rows read part by part, an end of the JVM told as such
    starting    the JVM of a session is started as we want it
    ending      … and ends when memory does not suffice for one of its threads
    stop        … and its end leaves nothing behind, neither processes nor what pyspark knows of them

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
    """What ran: `shuffle_written`, `shuffle_read`, `spilled` (to disk) in bytes; `tasks_failed`: that were tried again;
    `repeated`: stages that were, because rows of theirs were gone; `seconds`: from the submission of each job to its
    end.
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
PART = "part"  # the column of a leaf by whose hash its rows are spread


def materialise(frame: DataFrame, partitions: int, level: StorageLevel) -> DataFrame:
    """One job: evaluates a frame, whose rows are spread by the hash of its column `part`, and cuts its lineage."""
    return partitioned(frame.localCheckpoint(True, level), partitions)


def partitioned(frame: DataFrame, partitions: int) -> DataFrame:
    """A checkpointed frame with its partitioning declared: hash of its column `part`. None of its columns but BINARY
    ones has NULLs.

    Checkpointed frames lose their partitioning in unions, or fail there; this one keeps joins and unions free of
    shuffles, where the column is selected by another name: unions compare partitionings with the qualifiers of their
    columns.
    """
    return _declared(frame, frame._jdf.logicalPlan().rdd(), partitions)


def united(leaves: Sequence[DataFrame], partitions: int) -> DataFrame:
    """Leaves with the same columns as one: partition by partition, without a job, and for the planner a single scan."""
    return _declared(
        leaves[0], _zipped(leaves[0], [frame._jdf.logicalPlan().rdd() for frame in leaves], partitions), partitions
    )


def gathered(frame: DataFrame, partitions: int, groups: Callable[[int], Sequence[Sequence[int]]]) -> DataFrame:
    """The rows of a UNION ALL, of which each group of branches is evaluated in `partitions` tasks, one branch after the
    other.

    `groups`: number of branches → their numbers, grouped. Every task of a union is sent all of it, so that tasks of one
    branch each cost the square of their number. To the planner the result is a scan: it sees no constant in it, by
    which it would spread rows otherwise.
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
    """Rows that are spread by `part`, for several readers in one query: whatever is below the shuffle that spreads them
    runs once.

    Readers cannot push filters or choices of columns below it, either, which would make shuffles of it that differ.
    """
    return _declared(frame, frame._jdf.queryExecution().toRdd(), partitions)


def together(frames: Sequence[DataFrame], column: str, partitions: int) -> DataFrame:
    """The rows of frames with the same columns, all spread by the hash of one of them; shuffled only where they are not
    so already.

    A UNION ALL keeps rows together only where the planner sees that both sides are spread alike, and says nothing where
    it does not.
    """
    spread = re.compile(rf"hashpartitioning\({column}#\d+L?, {partitions}\)")

    def rows_of(frame: DataFrame) -> Any:
        plan = frame._jdf.queryExecution().executedPlan()
        kept = spread.search(plan.outputPartitioning().toString()) is not None
        return (frame if kept else frame.repartition(partitions, column))._jdf.queryExecution().toRdd()

    rows = [rows_of(frame) for frame in frames]
    return _declared(frames[0], _zipped(frames[0], rows, partitions) if len(rows) > 1 else rows[0], partitions, column)


def _zipped(frame: DataFrame, rows: Sequence[Any], partitions: int) -> Any:
    """Partition i of the result is the partitions i of all of these, one after the other."""
    jvm, context = _jvm(frame), context_of(frame.sparkSession)
    return jvm.org.apache.spark.rdd.SQLPartitioningAwareUnionRDD(
        context, jvm.PythonUtils.toSeq(rows), partitions, rows[0].elementClassTag()
    )


def _declared(frame: DataFrame, rows: Any, partitions: int, column: str = PART) -> DataFrame:
    """Rows (RDD of rows as Spark keeps them) with the columns of a frame, spread by the hash of one of them."""
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
    """New columns like those of a frame; none but BINARY ones has NULLs."""
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
    """Give back what a leaf holds; nothing waits for it."""
    frame._jdf.queryExecution().analyzed().rdd().unpersist(False)


def executed_plan(frame: DataFrame) -> str:
    """The physical plan as text."""
    return str(frame._jdf.queryExecution().executedPlan().toString())


@contextmanager
def tagged(spark: SparkSession, tag: str) -> Iterator[None]:
    """Jobs of the block are found again under a tag; what is made there is told to come from it, for which Spark would
    look at its stack otherwise."""
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
    """What the jobs under a tag took, all of which are over."""
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
    """The context on the side of the JVM (Scala's SparkContext): tags, executors and the status of jobs, which Python's
    has in part only."""
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

    Looking for it must start none, as `builder.getOrCreate` would.
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
    """The rows of a frame, one partition of which is in the driver's JVM at a time."""
    try:
        yield from frame.toLocalIterator()
    except (EOFError, ConnectionError) as error:  # what pyspark finds at the other end of its socket
        _forget_frames(error)
        raise ConnectionError("Answer from Java side is empty") from None


def _forget_frames(error: BaseException) -> None:
    """Have what pyspark holds of a JVM that is gone deleted now: it writes to it once more, and what that raises is
    printed."""
    usual, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        clear_frames(error.__traceback__)
    finally:
        sys.unraisablehook = usual


def ending(spark: Any) -> None:
    """Have a JVM of our own end with `SparkExitCode.OOM` when memory does not suffice for any of its threads, as it
    does for those of tasks: who waits for what a thread of the driver had to do would wait for ever."""
    handler = jvm_of(spark).org.apache.spark.util.SparkUncaughtExceptionHandler(False)
    jvm_of(spark).java.lang.Thread.setDefaultUncaughtExceptionHandler(handler)


def exit_code(within: float) -> int | None:
    """Return the exit code of the JVM that this process has started, if it ends within so many seconds; None where it
    runs, or is somebody else's."""
    from pyspark import SparkContext

    process: Any = getattr(SparkContext._gateway, "proc", None)
    with suppress(subprocess.TimeoutExpired):
        return process and int(process.wait(within))
    return None


def told_by_java(error: BaseException) -> tuple[list[str], BaseException | None]:
    """What an exception that pyspark made of Java's says beside its message: description and stack, and the one that
    caused it."""
    texts = []
    for name in ("_desc", "_stackTrace"):
        with suppress(Exception):
            texts.append(str(getattr(error, name) or ""))
    return texts, getattr(error, "_cause", None)


# ---- starting and stopping


@contextmanager
def starting(adapted: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Iterator[list[subprocess.Popen[bytes]]]:
    """What pyspark starts in the block gets `adapted` options of `Popen` instead of pyspark's; the block is given the
    processes, as they come.

    `launch_gateway` takes options, but `getOrCreate` hands none on, and it overwrites `preexec_fn`, without which a JVM
    that is starting would outlive this process; nor does it tell the process before that has answered, while a Ctrl-C
    must be able to kill it. So the name by which pyspark calls `Popen` stands for ours while the block runs, in this
    one module of pyspark.
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


def stop(kill: Callable[[subprocess.Popen[bytes]], None], within: float) -> None:
    """Stop the session of this process and its JVM, whatever state they are in; `kill` ends a JVM that does not end by
    itself within so many seconds.

    pyspark keeps a JVM for as long as the process lives, and takes the one of a stopped session for the next one,
    settings of its start included. After this it has none, as if it had just been imported.
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
    """Let the next call of this thread go over a new connection to the JVM: an answer on the old one may have been cut
    short by a signal."""
    client = context._gateway._gateway_client
    connection = client.get_thread_connection() if hasattr(client, "get_thread_connection") else None
    if connection is not None:
        connection.close()
