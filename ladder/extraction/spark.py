"""Extraction on Spark: one `mapInArrow` over as many partitions as there are batches, each task writing its own pack.

Tasks get paths, not contents, and give back the names of their packs, so nothing large passes through the JVM. They write
below the state directory, which on a cluster all machines must see.
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ladder.extraction.batch import Job, balanced, sizes_of
from ladder.tables.pack import Entry, read_index

TASKS_PER_CORE = 4
OLDEST_JAVA = 17
MEND = "Install a Java 17 or later runtime (Debian, Ubuntu: apt install openjdk-17-jre-headless) or set JAVA_HOME."
QUIET = """\
rootLogger.level = error
rootLogger.appenderRef.stderr.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %p %c{1}: %m%n
logger.shutdown.name = org.apache.spark.util.ShutdownHookManager
logger.shutdown.level = off
"""


def lacking() -> str:
    """Why Spark cannot run here, as a sentence; "" where it can."""
    java = _java()
    if java is None:
        return "no Java runtime was found."
    try:
        settings = subprocess.run([java, "-XshowSettings:properties", "-version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{java} does not run ({error})."
    version = re.search(r"java\.specification\.version = (?:1\.)?(\d+)", settings.stderr)
    if settings.returncode or version is None:
        return f"{java} does not run."
    if int(version[1]) < OLDEST_JAVA:
        return f"{java} is Java {version[1]} and Spark needs {OLDEST_JAVA} or later."
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "the Python package pyspark is not installed."
    return ""


def extract(job: Job, files: Sequence[tuple[str, str]], cores: int, progress: Callable[[int], None]) -> tuple[list[Entry], str]:
    """Extract `(path, hash)` into packs, one per task → entries, and why the job failed ("" if it did not).

    The entries of a failed job are those of the tasks that ended well.
    """
    batches = balanced(files, sizes_of(job.source, files), cores * TASKS_PER_CORE)
    before = set(Path(job.folder).glob("*.index"))

    def run(parts: Iterator[Any]) -> Iterator[Any]:
        import pyarrow
        for part in parts:
            for number in part["id"].to_pylist():
                packs = sorted({entry.pack for entry in job.run(batches[number])})
                yield pyarrow.RecordBatch.from_arrays([pyarrow.array(packs, pyarrow.string())], names=["pack"])

    failure, packs = "", []
    try:
        with warnings.catch_warnings(), _session(cores) as spark:
            warnings.simplefilter("ignore")  # pyspark's about an installed pandas, which is not used here
            try:
                with _watched(spark, len(files), len(batches), progress):
                    rows = spark.range(0, len(batches), 1, len(batches)).mapInArrow(run, "pack string").collect()
                packs = [row.pack for row in rows]
            except Exception as error:  # noqa: BLE001 - the error's text is asked of the JVM, so while it lives
                failure = _cause(error)
    except Exception as error:  # noqa: BLE001 - a JVM that does not start, or left
        failure = failure or _cause(error)
    if failure:
        packs = [index.stem for index in set(Path(job.folder).glob("*.index")) - before]
    return [entry for pack in packs for entry in read_index(Path(job.folder, f"{pack}.index"), job.layout)], failure


@contextmanager
def _session(cores: int) -> Iterator[Any]:
    """A Spark session, the active one or one of our own that leaves no process behind."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession
    active = SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    folder = Path(tempfile.mkdtemp(prefix="ladder-spark-"))
    spark = None
    try:
        with _errors_into(folder / "stderr"):
            spark = _builder(SparkSession, cores, folder).getOrCreate()
        yield spark
    finally:
        gateway = SparkContext._gateway
        if spark is not None:
            spark.stop()
        if gateway is not None:
            gateway.shutdown()
            process = getattr(gateway, "proc", None)
            if process is not None:
                process.stdin.close()
                process.wait(30)
            SparkContext._gateway = SparkContext._jvm = None
        shutil.rmtree(folder, ignore_errors=True)


def _builder(session: Any, cores: int, folder: Path) -> Any:
    logging = folder / "log4j2.properties"
    logging.write_text(QUIET)
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    packages = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", ""))))
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dlog4j2.configurationFile={logging.as_uri()}",
        "spark.executorEnv.PYTHONPATH": packages,
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.shuffle.partitions": str(cores),
    }
    builder = session.builder.master(os.environ.get("SPARK_MASTER", f"local[{cores}]")).appName("ladder")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder


@contextmanager
def _errors_into(file: Path) -> Iterator[None]:
    """What processes started in the block write to stderr goes into a file; without that a JVM greets the user with warnings."""
    sys.stderr.flush()
    kept = os.dup(2)
    with file.open("wb") as target:
        os.dup2(target.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


@contextmanager
def _watched(spark: Any, files: int, tasks: int, progress: Callable[[int], None]) -> Iterator[None]:
    """Report progress as tasks end."""
    over = threading.Event()
    tracker = spark.sparkContext.statusTracker()
    told = 0

    def watch() -> None:
        nonlocal told
        while not over.wait(0.3):
            done = sum(stage.numCompletedTasks for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()) if stage)
            if done * files // tasks > told:
                progress(done * files // tasks - told)
                told = done * files // tasks

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
        over.set()
        watcher.join()
        progress(files - told)
    finally:
        over.set()


def _java() -> str | None:
    home = os.environ.get("JAVA_HOME")
    if home:
        return str(Path(home, "bin", "java"))
    return shutil.which("java")


def _cause(error: Exception) -> str:
    """The last line of a Spark error that names an exception."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    named = [line for line in lines if re.match(r"[\w.]+(Error|Exception)\b", line)]
    return (named or lines or [type(error).__name__])[-1][:300]
