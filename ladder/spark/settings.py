"""How Spark is configured: what a session of our own is started with, and what is set on any session while it is used.

Measured on points-to with 1e5 and 1e6 facts: adaptive execution costs 1.2 times as much, sort-merge joins 1.4 times, 8
partitions on 2 cores 1.9 times; inferring constraints of wide unions a fifth of the driver's time; stable names of
generated classes and a cache for them save a quarter of the time, compilers that are held back and the simple collector
of the JVM another third in local mode. The user's settings take precedence over all of them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ladder.errors import LadderError, OutOfMemory
from ladder.support.exceeded import size_text
from ladder.support.machine import cores
from ladder.support.tuning import DEFAULT, Connecting

OURS = "spark.ladder."  # settings of the engine among those of Spark, which knows nothing of them
SEED = f"{OURS}seed"  # the seed of the hashes that stand for values
PARTITIONS = "spark.sql.shuffle.partitions"
RESERVED = 300 << 20  # bytes of a heap that Spark keeps for itself; of the rest …
FRACTION = 0.6  # … this share is for tables and cut rows (spark.memory.fraction)
JAVA_OPTIONS = "spark.driver.extraJavaOptions"
SMALLEST_HEAP = 512 << 20  # bytes; with a smaller heap Spark does not start
# Bytes that are no heap. Measured with a heap of 512 MB: the JVM holds 961 MB (classes, compiled code, threads), the
# driver's Python and a worker 250 MB.
BESIDES_HEAP = 700 << 20
AT_LEAST = SMALLEST_HEAP + BESIDES_HEAP
# Bytes that a Python worker takes beside those while it reads facts, if it may; there is one for each core. Measured:
# 180 to 290 MB in all.
PER_WORKER = 200 << 20
# The JVM of local mode: the optimizing compiler is left what runs a million times, loops over rows. Spark generates so
# much code that compiling all of it well takes twice the time of points-to with 1e5 facts; with the simple compiler
# alone 1e6 facts take a third longer.
COMPILERS = (
    "-XX:Tier4InvocationThreshold=100000 -XX:Tier4MinInvocationThreshold=20000 -XX:Tier4CompileThreshold=300000 "
    "-XX:Tier4BackEdgeThreshold=1000000 -XX:ReservedCodeCacheSize=512m"
)
LOGGING = """\
rootLogger.level = error
rootLogger.appenderRef.stderr.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %p %c{1}: %m%n
logger.shutdown.name = org.apache.spark.util.ShutdownHookManager
logger.shutdown.level = off
logger.uncaught.name = org.apache.spark.util.SparkUncaughtExceptionHandler
logger.uncaught.level = off
"""

# What evaluation needs, or is measured to be faster with; all of it can be set on a running session.
WHILE_USED: Mapping[str, str] = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.join.preferSortMergeJoin": "false",
    "spark.sql.requireAllClusterKeysForCoPartition": "false",
    "spark.sql.codegen.useIdInClassName": "false",
    # branches are taken apart again (see `ladder.spark.internals`)
    "spark.sql.codegen.wholeStage.union.enabled": "false",
    "spark.sql.ansi.enabled": "false",
    "spark.sql.constraintPropagation.enabled": "false",
    "spark.sql.ui.explainMode": "simple",  # the text of each plan goes into events that nobody reads
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # spares the cleaning of closures, which serializes each of them
    "spark.sql.execution.usePartitionEvaluator": "true",
    "spark.sql.execution.pyspark.udf.faulthandler.enabled": "true",  # tells which functor a worker ended in
}
# Memory that the compilers of the JVM free would stay with the C library, in a pool for each thread: 200 iterations
# grow by 13 % instead of 10.
GIVEN_BACK: Mapping[str, str] = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TRIM_THRESHOLD_": "65536",
    "MALLOC_MMAP_THRESHOLD_": "65536",
}
# What only a start can set; missing in a session of somebody else's, it costs time, or memory.
AT_START: Mapping[str, str] = {
    "spark.sql.codegen.cache.maxEntries": "5000",
    "spark.buffer.pageSize": "1m",  # a task of many joins has a page of memory, at least, for each
}


def is_local(master: str) -> bool:
    """Whether all of Spark runs in the JVM of this process."""
    return master == "local" or master.startswith("local[")


def default_master(cores: int, tuning: Connecting = DEFAULT.connecting) -> str:
    """The master that is used where none is named: SPARK_MASTER of the environment, else local mode on `cores`
    cores."""
    return os.environ.get("SPARK_MASTER") or f"local[{cores},{tuning.attempts}]"


def at_start(master: str, folder: Path, memory: int | None, tuning: Connecting = DEFAULT.connecting) -> dict[str, str]:
    """The settings that a session of our own is started with; `folder`: for its files; `memory`: bytes of the heap of
    its JVM, or of each JVM on a cluster."""
    logging = folder / "log4j2.properties"
    logging.write_text(LOGGING, "utf-8")
    java = f"-Xss4m -Djava.io.tmpdir={folder} -Dlog4j2.configurationFile={logging.as_uri()}"
    settings = {
        **WHILE_USED,
        **AT_START,
        "spark.app.name": "ladder",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executorEnv.PYTHONPATH": packages(),
        "spark.executorEnv.PYTHONSAFEPATH": "1",  # whose current directory is that of the executor
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    if is_local(master):
        settings[JAVA_OPTIONS] = f"{COMPILERS} -XX:+UseSerialGC {java}"
        settings["spark.driver.memory"] = _megabytes(memory or max(tuning.least_heap, machine_memory() // 2))
    else:
        settings[JAVA_OPTIONS] = java
        if memory is not None:
            settings["spark.driver.memory"] = settings["spark.executor.memory"] = _megabytes(memory)
    if is_local(master) or on_loopback(master):
        settings["spark.driver.host"] = settings["spark.driver.bindAddress"] = "127.0.0.1"
    return settings


def joined(own: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Our settings and the user's, which take precedence; options of the JVM are concatenated."""
    options = " ".join(filter(None, (own.get(JAVA_OPTIONS), given.get(JAVA_OPTIONS))))
    return {**own, **given, JAVA_OPTIONS: options}


def addresses(master: str) -> list[tuple[str, int]]:
    """(host, port) of each master of a `spark://` URL; `LadderError` where it is malformed; [] for other masters."""
    if not master.startswith("spark://"):
        return []
    found = []
    for part in master.removeprefix("spark://").split(","):
        host, colon, port = part.rpartition(":")
        if not (colon and host and port.isdecimal()):
            raise LadderError(
                f"{master!r} does not name a Spark master.", "Write it like spark://HOST:7077, local[4] or yarn."
            )
        found.append((host.strip("[]"), int(port)))
    return found


def on_loopback(master: str) -> bool:
    """Whether a `spark://` master, and so whatever talks to it, is on this machine; local clusters for
    tests are, too."""
    return master.startswith("local-cluster[") or any(
        host == "localhost" or host.startswith("127.") for host, _ in addresses(master)
    )


def parsed(pairs: tuple[str, ...]) -> dict[str, str]:
    """`("spark.x=1", …)` → {"spark.x": "1"}; `LadderError` for a text that is not a setting."""
    settings = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.startswith("spark."):
            raise LadderError(f"{pair!r} is not a setting of Spark.", "Write it like spark.executor.memory=4g.")
        settings[key] = value
    return settings


def machine_memory() -> int:
    """The bytes of memory that this process may use: those of the machine, or less where its control group is
    limited."""
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for file in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            found.append(int(Path(file).read_text("ascii")))
        except (OSError, ValueError):  # no control groups, or "max"
            continue
    return min(found)


def packages() -> str:
    """The PYTHONPATH of Python workers: the folder of this package, and the absolute folders in the user's own."""
    given = filter(os.path.isabs, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    return os.pathsep.join(dict.fromkeys((str(Path(__file__).parents[2]), *given)))


def heap_within(limit: int | None, used: int) -> int | None:
    """The bytes of a JVM's heap with which Spark's processes on this machine stay within a limit together, as a rule;
    None without a limit; `OutOfMemory` where it is too low. What they hold in spite of it is found to exceed the limit.

    Python workers, one for each of so many cores of this machine (0: all), get at most as much as the heap has beyond
    the smallest one.
    """
    if limit is None:
        return None
    if limit < AT_LEAST:
        raise OutOfMemory(
            f"Spark takes {size_text(AT_LEAST)} of memory at least, and the memory limit is {size_text(limit)}.",
            "Allow more with --memory-limit (Limits(memory=…)), or evaluate with the local engine.",
        )
    left = limit - BESIDES_HEAP
    return left - min((used or cores()) * PER_WORKER, (left - SMALLEST_HEAP) // 2)


def _megabytes(size: int) -> str:
    return f"{max(size, SMALLEST_HEAP) >> 20}m"
