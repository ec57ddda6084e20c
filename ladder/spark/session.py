"""Spark sessions: one per process, either the user's or one of our own, which leaves no processes and settings behind.

with open_session(cores=4) as spark: …          # the active session if there is one, else our own
with one_session(master="spark://host:7077"):   # all sessions of our own opened in the block are the same

A session of our own is stopped at the end of the block; in `one_session` it is started at its first use.
"""

from __future__ import annotations

import logging
import math
import re
import signal
import socket
import threading
import time
import warnings
import weakref
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from ladder.errors import LadderError, LadderWarning, SparkError
from ladder.spark import internals, java, settings
from ladder.spark.launching import kill, launching, with_absolute_paths
from ladder.support.limits import families, size_of
from ladder.support.machine import cores
from ladder.support.supervision import in_temporary_folder
from ladder.support.tuning import DEFAULT, Connecting

LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")  # pyspark's, of errors in queries


@dataclass(frozen=True)
class Wanted:
    """The session that is asked for: `master` (None: this machine), `cores` of this machine (0: all), settings, bytes
    of memory, thresholds."""

    master: str | None = None
    cores: int = 0
    conf: Mapping[str, str] = field(default_factory=dict)
    memory: int | None = None
    tuning: Connecting = DEFAULT.connecting


@dataclass
class _Kept:
    """The session that `one_session` keeps, once it was started."""

    wanted: Wanted
    closing: ExitStack


@dataclass
class _OfThisProcess:
    """The state of this module, which is global because pyspark has one session and one JVM per process."""

    own: Wanted | None = None  # the request for the running session of our own
    kept: _Kept | None = None  # the session that `one_session` keeps
    warned: set[str] = field(default_factory=set)  # sessions of others about which the user was warned


_process = _OfThisProcess()


@contextmanager
def open_session(
    cores: int = 0,
    *,
    master: str | None = None,
    conf: Mapping[str, str] | None = None,
    memory: int | None = None,
    session: Any = None,
    tuning: Connecting = DEFAULT.connecting,
) -> Iterator[Any]:
    """A Spark session, set up for evaluation while the block runs; an exception that leaves the block cancels the jobs
    that it has started.

    It is `session`, or else the active one of this process (neither is stopped, and its settings are put back), or else
    one of our own with `cores` of this machine (0: all) or on `master`, and at most `memory` bytes per JVM. `conf`
    takes precedence over all other settings. `SparkError` where Spark cannot be used.
    """
    wanted = Wanted(master, cores, dict(conf or {}), memory, tuning)
    with ExitStack() as closing:
        spark = session if session is not None else active()
        if spark is not None:
            closing.enter_context(_unlogged())
            _refuse_remote(spark)
            _refuse_other_master(spark, master)
            _tell_unset(spark)
        elif _process.kept is not None:
            spark = _process.kept.closing.enter_context(_started(_process.kept.wanted))
        else:
            spark = closing.enter_context(_started(wanted))
        closing.enter_context(_configured(spark, wanted))
        closing.enter_context(_cancelling(spark))
        yield spark


@contextmanager
def one_session(wanted: Wanted) -> Iterator[None]:
    """All sessions of our own that are opened in the block are the same one, which is started at the first use, as
    `wanted`, and stopped at the end of the block."""
    if _process.kept is not None:
        yield
        return
    with ExitStack() as closing:
        _process.kept = _Kept(wanted, closing)
        try:
            yield
        finally:
            _process.kept = None


class Holder:
    """Holds a session for its owner: the one passed, the active one, or our own, which `close` stops."""

    def __init__(self, wanted: Wanted, session: Any = None) -> None:
        self.wanted, self._session, self._closing = wanted, session, ExitStack()
        weakref.finalize(self, self._closing.close)

    @contextmanager
    def session(self) -> Iterator[Any]:
        """A block with the session, which is configured for evaluation, and started if needed."""
        if self._session is None and active() is None and _process.kept is None:
            self._closing.enter_context(_started(self.wanted))
        with open_session(
            self.wanted.cores,
            master=self.wanted.master,
            conf=self.wanted.conf,
            memory=self.wanted.memory,
            session=self._session,
            tuning=self.wanted.tuning,
        ) as spark:
            yield spark

    def close(self) -> None:
        """Stop a session of our own."""
        self._closing.close()


def active() -> Any:
    """The Spark session of this process; None where there is none."""
    return internals.running_session()


def master(wanted: str | None = None) -> str:
    """The master of a session that would be opened now: that of the process's session, of the kept one, or `wanted`."""
    running = active()
    if running is not None:
        return str(running.sparkContext.master)
    named = _process.kept.wanted.master if _process.kept is not None else wanted
    return named or settings.default_master(cores())


def cause(error: BaseException) -> str:
    """The last line of a Spark error that names an exception."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    named = [line for line in lines if re.match(r"[\w.]+(Error|Exception)\b", line)]
    return (named or lines or [type(error).__name__])[-1][:300]


# ---- sessions of others


def _refuse_remote(spark: Any) -> None:
    if not internals.has_plans(spark):
        raise SparkError(
            "The Spark session is a remote one (Spark Connect), which gives no access to the plans of queries.",
            "Run where the driver is, with a session of pyspark.sql.SparkSession.",
        )


def _refuse_other_master(spark: Any, master: str | None) -> None:
    running = spark.sparkContext.master
    if master is not None and master != running:
        raise SparkError(
            f"This process has a Spark session on {running} already and cannot have another one on {master}.",
            "Stop that session, or leave the master out to use it.",
        )


def _tell_unset(spark: Any) -> None:
    """Warn once of settings that can no longer be made in a session of the user."""
    if _process.own is not None or spark.sparkContext.applicationId in _process.warned:
        return
    _process.warned.add(spark.sparkContext.applicationId)
    unset = [f"{key}={value}" for key, value in settings.AT_START.items() if spark.conf.get(key, None) != value]
    if unset:
        warnings.warn(
            f"the Spark session was started without {', '.join(unset)}: evaluation takes longer, or more memory",
            LadderWarning,
            stacklevel=5,
        )


@contextmanager
def _configured(spark: Any, asked: Wanted) -> Iterator[None]:
    """A block in which a running session has the settings for evaluation; afterwards they are restored."""
    at_start = _process.own.conf if _process.own is not None else {}
    partitions = str(_partitions(spark, asked.tuning))
    wanted = {settings.PARTITIONS: partitions, **settings.WHILE_USED, **at_start, **asked.conf}
    # which an evaluation may change, too
    before: dict[str, str | None] = {settings.PARTITIONS: spark.conf.get(settings.PARTITIONS, None)}
    fixed = []
    try:
        for key, value in wanted.items():
            was = spark.conf.get(key, None)
            if was == value:
                continue
            if spark.conf.isModifiable(key) or key.startswith(settings.OURS):
                before[key] = was
                spark.conf.set(key, value)
            elif at_start.get(key) != value:
                fixed.append(f"{key}={value}")
        if fixed:
            raise SparkError(
                f"The Spark session was started without {', '.join(fixed)}, which can be set only at a start.",
                "Start the session with these settings, or leave them out.",
            )
        with warnings.catch_warnings():
            # about a pandas that nothing here uses
            warnings.filterwarnings("ignore", message="PySpark does not yet", category=FutureWarning)
            yield
    finally:
        with suppress(Exception):  # a session that has ended in the block has no settings any more
            for key, old in before.items():
                spark.conf.unset(key) if old is None else spark.conf.set(key, old)


@contextmanager
def _cancelling(spark: Any) -> Iterator[None]:
    """A block whose jobs are cancelled when it is left by an exception, including Ctrl-C and limits."""
    context, tag = spark.sparkContext, f"ladder-{uuid4()}"
    context.addJobTag(tag)
    try:
        yield
    except BaseException as error:
        interrupt = _interrupt_behind(error)
        if interrupt is None:
            with suppress(Exception):
                context.cancelJobsWithTag(tag)
            raise
        _cancel_interrupted(context, tag)
        if interrupt is error:
            raise
        raise interrupt from None
    finally:
        with suppress(Exception):
            context.removeJobTag(tag)


def _interrupt_behind(error: BaseException | None) -> BaseException | None:
    """The interrupt (Ctrl-C, a limit) that an exception is or that it followed; None if there is none. What fails on a
    connection that was interrupted is no failure of its own."""
    while error is not None and isinstance(error, Exception):
        error = error.__context__
    return error


def _cancel_interrupted(context: Any, tag: str) -> None:
    """Cancel jobs on a new connection, repeatedly until that succeeds: a signal may have interrupted the reading of an
    answer, which the next call on the connection would take for its own.

    When it is interrupted, py4j lets the JVM close all connections with its port some time later, including those made
    until then.
    """
    for seconds in DEFAULT.connecting.cancelling:
        time.sleep(seconds)
        with suppress(Exception):
            internals.reconnect(context)
            context.cancelJobsWithTag(tag)
            break


@contextmanager
def _unlogged() -> Iterator[None]:
    """A block in which exceptions that py4j and pyspark log are not shown, because they are raised as well."""

    def others(record: logging.LogRecord) -> bool:
        return "py4j" not in Path(record.pathname).parts

    from pyspark.logger import PySparkLogger

    root = logging.getLogger()  # by which py4j logs, too
    own = [logging.getLogger("py4j"), *(PySparkLogger.getLogger(name) for name in LOGGERS)]
    before = [logger.level for logger in own]
    root.addFilter(others)
    for logger in own:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(own, before, strict=True):
            logger.setLevel(level)
        root.removeFilter(others)


# ---- sessions of our own


@contextmanager
def _started(wanted: Wanted) -> Iterator[Any]:
    """A block with a new session; `SparkError` if it cannot be started. At the end nothing of it is left."""
    tuning = wanted.tuning
    lacking = java.lacking(tuning.java_seconds)
    if lacking:
        raise SparkError(f"Spark cannot run: {lacking}", java.hint(tuning.java_seconds))
    master = wanted.master or settings.default_master(wanted.cores or cores(), tuning)
    _require_answer(master, tuning.answer_seconds)
    with _unlogged(), in_temporary_folder("ladder-spark-") as folder:
        handler = signal.getsignal(signal.SIGINT)
        try:
            spark = _start(master, wanted, folder)
            if handler is not None and threading.current_thread() is threading.main_thread():
                # pyspark's asks the JVM to cancel jobs while an answer of it is awaited
                signal.signal(signal.SIGINT, handler)
            _process.own = wanted
            families.update(internals.process_of_jvm())
            yield spark
        finally:
            _process.own = None
            started = internals.process_of_jvm()
            internals.stop(kill, tuning.ending_seconds)
            families.difference_update(started)


def _start(master: str, wanted: Wanted, folder: Path) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master)
    for name, value in settings.joined(
        settings.at_start(master, folder, wanted.memory, wanted.tuning), with_absolute_paths(wanted.conf)
    ).items():
        builder = builder.config(name, value)
    output = folder / "told"
    try:
        with warnings.catch_warnings(), launching(master, folder, output):
            warnings.simplefilter("ignore")  # pyspark's about an installed pandas
            spark = builder.getOrCreate()
        internals.ending(spark)
        if not settings.is_local(master):
            _await_executors(spark, master, wanted.tuning)
            _ship(spark, folder)
    except LadderError:
        raise
    except Exception as error:
        text = output.read_text("utf-8", "replace") if output.exists() else ""
        raise SparkError(
            f"Spark does not start on {master}: {_reason(text) or cause(error).rstrip('.')}.",
            "Look at the settings (--spark-conf) and at the Java runtime.",
        ) from error
    return spark


def _require_answer(master: str, seconds: float) -> None:
    """Raise `SparkError` if no master of a `spark://` URL accepts connections; Spark itself would try for a minute."""
    failures = []
    for host, port in settings.addresses(master):
        try:
            socket.create_connection((host, port), seconds).close()
            return
        except OSError as error:
            failures.append(f"{host}:{port}: {error.strerror or error}")
    if failures:
        raise SparkError(
            f"The Spark master {master} does not answer ({'; '.join(failures)}).",
            "Start it, or name another one with --master (master=…).",
        )


def _partitions(spark: Any, tuning: Connecting) -> int:
    """The number of partitions: one per core, or more if a core of a cluster has little memory, because hash tables of
    joins cannot spill and must be small."""
    cores = max(1, int(spark.sparkContext.defaultParallelism))
    if settings.is_local(spark.sparkContext.master):
        return cores
    return cores * min(tuning.finest, math.ceil(tuning.memory_per_task / memory_per_task(spark)))


def memory_per_task(spark: Any) -> int:
    """Bytes of memory that the tables of a task may take while all cores of its executor run tasks."""
    context = spark.sparkContext
    cores = max(1, int(context.defaultParallelism))
    if settings.is_local(context.master):
        heap, executors = size_of(spark.conf.get("spark.driver.memory", "1g")), 1
    else:
        heap = size_of(spark.conf.get("spark.executor.memory", "1g"))
        executors = max(1, int(internals.context_of(spark).getExecutorMemoryStatus().size()) - 1)  # one is the driver
    share = float(spark.conf.get("spark.memory.fraction", str(settings.FRACTION)))
    return max(1 << 20, int((heap - settings.RESERVED) * share * executors / cores))


def _await_executors(spark: Any, master: str, tuning: Connecting) -> None:
    """Wait for the executors, so that the number of partitions matches their cores; `SparkError` if there are none."""
    if spark.conf.get("spark.dynamicAllocation.enabled", "false") == "true":
        return
    context, began = internals.context_of(spark), time.monotonic()
    count, since = 0, began
    while not count or time.monotonic() - since < tuning.quiet_seconds:
        found = context.getExecutorMemoryStatus().size() - 1  # one is the driver
        if found != count:
            count, since = found, time.monotonic()
        if not count and time.monotonic() - began > tuning.executor_seconds:
            raise SparkError(
                f"{master} gave no executor within {tuning.executor_seconds:g} s.",
                "Are there workers with enough free cores and memory (--spark-conf spark.executor.memory=…)?",
            )
        time.sleep(0.1)


def _ship(spark: Any, folder: Path) -> None:
    """Send this package to the workers of a cluster, so that they run the version that plans for them."""
    package = Path(__file__).parents[1]
    archive = folder / "ladder.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for file in sorted(package.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                target.write(file, Path("ladder") / file.relative_to(package))
    spark.sparkContext.addPyFile(str(archive))


def _reason(output: str) -> str:
    """The first lines with errors in the output of a JVM that did not start."""
    lines = [line.strip().rstrip(".") for line in output.splitlines()]
    return "; ".join([line for line in lines if re.search("[Ee]rror|[Ee]xception|[Ii]nvalid|not allowed", line)][:2])[
        :400
    ]
