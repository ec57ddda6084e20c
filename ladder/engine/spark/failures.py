"""From whatever comes out of Spark to one sentence that says what happened, and one that says what to do.

explained           a block in which Spark works: what it raises leaves as a `LadderError`, bugs of queries as they are
lost_rows           whether both replicas of a materialised run are lost, so that a run can go on from its checkpoint
tasks_lack_memory   whether tasks have used up their memory, so that a run can go on with more and smaller ones
watched             a block of jobs on a cluster, which is ended when no executor is there for long
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ladder.engine.spark.values.shipping import error_in
from ladder.engine.spark.worker_calls import InterruptedCall, interrupted_call
from ladder.errors import LadderError, OutOfMemory, SparkError
from ladder.language.faults import with_excerpt
from ladder.spark import internals
from ladder.support.tuning import DEFAULT, Distributing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STANDS = "What was saved before is as it was."
OUT_OF_MEMORY, KILLED = 52, (-9, 137)  # exit codes of JVMs, see org.apache.spark.util.SparkExitCode
NO_EXECUTORS = "ladder: no executors"
BLOCK = re.compile(r"CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND|Checkpoint block \S+ not found")
DEFECTS = ("AnalysisException", "ParseException", "QueryContextException", "UnsupportedOperationException")
TOO_LARGE = (
    r"UNABLE_TO_ACQUIRE_MEMORY|SparkOutOfMemoryError|Can't acquire \d+ bytes memory|(?:Not|not) enough "
    r"memory|Could not allocate memory"
)
ENDED = re.compile(r"Python worker exited unexpectedly|Python worker failed to connect back|PYTHON_WORKER_EXITED")
CALLED = re.compile(
    r"Py4JNetworkError|Answer from Java side is empty|Error while sending or receiving|Connection refused|Java "
    r"gateway process exited"
)


@contextmanager
def explained(sources: Mapping[str, str] | None = None) -> Iterator[None]:
    """Errors of Spark in the block leave it as `LadderError`; all others, and defects of queries, as they are.

    `sources`: file → text of the program, of which errors of a rule show the line.
    """
    try:
        yield
    except LadderError as error:
        raise with_excerpt(error, sources)
    except Exception as error:
        known = explanation(error)
        if known is None:
            raise
        raise with_excerpt(known, sources) from error


def explanation(error: BaseException) -> LadderError | None:
    """What an exception out of Spark means; None where it is not Spark's, or a defect of the query that it
    was given."""
    if not _is_sparks(error):
        return None
    text = text_of(error)
    reported = error_in(text)
    if reported is not None:
        return reported
    if ENDED.search(text) and (call := interrupted_call(text)) is not None:
        return _ended_in(call)
    for pattern, explain in KNOWN:
        if found := re.search(pattern, text):
            return explain(found, text)
    if type(error).__name__ in DEFECTS:
        return None
    return SparkError(f"Spark failed: {_reason(text)}.", STANDS)


def lost_rows(error: BaseException) -> bool:
    """Whether materialised rows are gone from all executors that had them: evaluating the same query again
    cannot succeed."""
    return _is_sparks(error) and BLOCK.search(text_of(error)) is not None


def tasks_lack_memory(error: BaseException) -> bool:
    """Whether tasks have used up the memory that each of them had: with fewer rows in each, the same query
    may succeed."""
    text = text_of(error) if _is_sparks(error) else ""
    explain = next((explain for pattern, explain in KNOWN if re.search(pattern, text)), None)
    if explain is _executor:
        # 137: the system has killed it
        return re.search(r"exit(?:ed with)? code (?:52|137)\b|OutOfMemoryError", text) is not None
    return explain in (_python_memory, _executor_memory) and error_in(text) is None


def text_of(error: BaseException) -> str:
    """All that an exception of Spark says, causes on the side of Java included."""
    parts = [f"{type(error).__name__}: {error}"]
    more, cause = internals.java_details(error)
    parts += more
    cause = cause or error.__cause__
    if isinstance(cause, BaseException):
        parts.append(text_of(cause))
    return "\n".join(parts)


@contextmanager
def watched(spark: SparkSession, tuning: Distributing) -> Iterator[None]:
    """End the jobs of the block once no executor is there for `without_executors` seconds: Spark itself would wait for
    ever."""
    context = internals.context_of(spark)
    if context.isLocal():
        yield
        return
    over = threading.Event()

    def watch() -> None:
        since = time.monotonic()
        while not over.wait(tuning.look):
            with suppress(Exception):  # a session that is ending answers no more
                if context.getExecutorMemoryStatus().size() > 1:
                    since = time.monotonic()
                elif time.monotonic() - since > tuning.without_executors:
                    for job in context.statusTracker().getActiveJobIds():
                        context.cancelJob(job, NO_EXECUTORS)

    watcher = threading.Thread(target=watch, name="ladder executors", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _is_sparks(error: BaseException) -> bool:
    modules = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
    return bool(modules & {"pyspark", "py4j"}) or isinstance(error, ConnectionError)


def _no_executors(found: re.Match[str], text: str) -> LadderError:
    return SparkError(
        "The Spark cluster has had no executor for too long.",
        f"Look at its workers; {STANDS[0].lower()}{STANDS[1:]} With --checkpoint (checkpoints=…) the run can go "
        "on with --resume (resume=True).",
    )


def _lost_rows(found: re.Match[str], text: str) -> LadderError:
    return SparkError(
        "Executors were lost with the only copies of rows that had been computed, more often than is worth trying "
        "again.",
        "Look at the logs of the workers: executors mostly end for want of memory (spark.executor.memory, "
        "spark.executor.memoryOverhead). With --checkpoint (checkpoints=…) the run can go "
        "on with --resume (resume=True).",
    )


def _disk_full(found: re.Match[str], text: str) -> LadderError:
    folder = re.search(
        r"writing rows to (?:file:)?(/\S+?)\.?(?:\s|$)|(/[^\s:()]+)[^\n]{0,80}(?:No space left on device|Disk quota "
        r"exceeded)",
        text,
    )
    if folder is not None:
        return SparkError(
            f"The disk is full ({folder[1] or folder[2]}).",
            "Free some space there, or name another folder (of --checkpoint, --state or the output), and "
            "run again. "
            f"{STANDS}",
        )
    if re.search(r"shuffle|[Ss]pill|DiskStore|BlockManager|DiskBlock", text):
        return SparkError(
            f"The disk that Spark spills to is full (spark.local.dir{_local_folder(text)}).",
            "Free some space there, or name another folder with --spark-conf spark.local.dir=DIR, and run again. "
            f"{STANDS}",
        )
    return SparkError(
        "The disk is full.",
        "Free some space, or name other folders (spark.local.dir for what Spark spills, --checkpoint, "
        f"the output), and run again. {STANDS}",
    )


def _local_folder(text: str) -> str:
    """Where that is: on this machine, or on that of an executor, which chooses it by itself."""
    context = internals.running_context()
    host = re.search(r"Lost task \S+ in stage \S+ \(TID \d+\) \(([^\s)]+) executor (?!driver)", text)
    with suppress(Exception):  # a session that has ended
        named = context.getConf().get("spark.local.dir", "") if context is not None and host is None else ""
        return f" {named}" if named else f", or SPARK_LOCAL_DIRS, of {host[1]}" if host else ""
    return ""


def _ended_in(ended: InterruptedCall) -> LadderError:
    what, fault = f"{ended.call.what}{ended.arguments}", f" ({ended.fault})" if ended.fault else ""
    return SparkError(
        f"A Python worker ended in {what}, each time it was tried{fault}.",
        f"Look at {ended.call.what}: it, or a library that it uses, ends or crashes the process, or the system has "
        "ended it for "
        f"want of memory. {STANDS}",
    ).at(ended.call.place)


def _python_worker(found: re.Match[str], text: str) -> LadderError:
    return SparkError(
        "A Python worker ended in the middle of its work, each time it was tried, outside of all functors and joins "
        "of lattices.",
        "A library that they import may crash the process, or the system has ended it for want of memory: look at the "
        "logs of "
        f"Spark's executors, or run the program with the local engine. {STANDS}",
    )


def _python_memory(found: re.Match[str], text: str) -> LadderError:
    return OutOfMemory(
        "A Python worker of Spark has used up its memory.",
        "Allow more with spark.executor.pyspark.memory, or cut the work finer with spark.sql.shuffle.partitions. "
        f"{STANDS}",
    )


def _driver_memory(found: re.Match[str], text: str) -> LadderError:
    return OutOfMemory(
        "The driver of Spark has used up its memory.",
        f"Allow more with --memory-limit (Limits(memory=…)) or spark.driver.memory. {STANDS}",
    )


def _executor_memory(found: re.Match[str], text: str) -> LadderError:
    return OutOfMemory(
        "An executor of Spark has used up its memory.",
        "Allow more with --memory-limit (Limits(memory=…)) or spark.executor.memory (in local mode "
        "spark.driver.memory), or cut the work "
        "finer "
        f"with spark.sql.shuffle.partitions. {STANDS}",
    )


def _executor(found: re.Match[str], text: str) -> LadderError:
    if re.search(r"exit code 52\b|OutOfMemoryError", text):
        return _executor_memory(found, text)
    reason = re.search(r"Reason: ([^\n]+)", text)
    reason_text = f" ({reason[1].strip().rstrip('.')})" if reason else ""
    return SparkError(
        f"Executors of Spark were lost more often than a task is tried{reason_text}.",
        f"Look at the logs of the workers; the system may have ended them for want of memory. {STANDS}",
    )


def _ended(found: re.Match[str], text: str) -> LadderError:
    code = internals.exit_code(DEFAULT.connecting.exit_seconds)
    if code == OUT_OF_MEMORY:
        return OutOfMemory(
            "Spark's JVM has used up its memory.",
            "Allow more with --memory-limit (Limits(memory=…)) or spark.driver.memory, or cut the work finer with "
            f"spark.sql.shuffle.partitions. {STANDS}",
        )
    if code in KILLED:
        return SparkError(
            "Spark's JVM was killed in the middle of the work.",
            "The system may have done that for want of memory: allow less with --memory-limit (Limits(memory=…)). "
            "With --checkpoint (checkpoints=…) the run can go "
            f"on with --resume (resume=True). {STANDS}",
        )
    return SparkError(
        "The Spark session has ended in the middle of the work: its master or its driver process is gone.",
        f"Look at the log of the master and run again, with --resume (resume=True) if there is a checkpoint. {STANDS}",
    )


def _missing_file(found: re.Match[str], text: str) -> LadderError:
    return SparkError(
        f"{found[1]} does not exist where Spark looks for it.",
        "Name files and folders that all machines of the cluster see.",
    )


# What is looked for, in this order, in all that an exception says.
KNOWN: tuple[tuple[str, Callable[[re.Match[str], str], LadderError]], ...] = (
    (NO_EXECUTORS, _no_executors),
    (BLOCK.pattern, _lost_rows),
    (r"No space left on device|Disk quota exceeded|ENOSPC", _disk_full),
    (r"\bMemoryError\b", _python_memory),
    (ENDED.pattern, _python_worker),
    (r"ExecutorLostFailure|exited caused by one of the running tasks|Executor heartbeat timed out", _executor),
    (
        (
            r"Job \d+ cancelled because SparkContext was shut down|stopped SparkContext|All masters are "
            r"unresponsive|SparkContext was shut down"
        ),
        _ended,
    ),
    (rf"Task \d+ in stage [\s\S]*OutOfMemoryError|{TOO_LARGE}", _executor_memory),
    (r"OutOfMemoryError|bigger than spark\.driver\.maxResultSize", _driver_memory),
    (CALLED.pattern, _ended),
    (r"Path does not exist: (\S+?)\.?(?:\s|$)", _missing_file),
)


def _reason(text: str) -> str:
    """The innermost cause that Java names, else the first line."""
    causes = re.findall(r"^Caused by: (?:[\w.$]+\.)?([^\n]+)", text, re.MULTILINE)
    first = next((line.strip() for line in text.splitlines() if line.strip()), "no reason was given")
    return (causes[-1] if causes else first)[:300].rstrip(". ")
