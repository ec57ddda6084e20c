"""How the JVM of a session is started: in a folder of the session, with nothing of the current directory.

The current directory is often a project that is analysed, and such a project may hold anything: modules that Spark's
Python would import in the place of its own, or `bin/spark-submit` beside the folder that Ladder was called in, where
pyspark looks first. What the JVM writes where it runs (reports of crashes, say) goes with the session's folder, too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ladder.errors import SparkError
from ladder.spark import internals, settings
from ladder.support.children import at_parents_end

# folders that the environment names
PLACES = ("SPARK_CONF_DIR", "HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_LOCAL_DIRS", "JAVA_HOME")
LAUNCHER = Path("bin", "spark-submit")
# Settings of the user's that name files; in them, what is relative is so to the current directory.
FILES = (
    "spark.jars",
    "spark.files",
    "spark.archives",
    "spark.submit.pyFiles",
    "spark.local.dir",
    "spark.eventLog.dir",
    "spark.sql.warehouse.dir",
)


@contextmanager
def launching(master: str, folder: Path, told: Path) -> Iterator[None]:
    """What pyspark starts in the block is a JVM that runs in `folder`, and writes to the file `told` what would greet
    the user with warnings.

    One that is starting when the block is left by an exception (Ctrl-C, a limit) is killed: pyspark would lose sight of
    it.
    """
    with told.open("ab") as log:

        def adapted(options: Mapping[str, Any]) -> Mapping[str, Any]:
            return {
                **options,
                "preexec_fn": _ending_with(os.getpid(), options.get("preexec_fn")),
                "cwd": folder,
                "stdout": log,
                "stderr": log,
                "start_new_session": True,
            }

        with internals.starting(adapted) as started, _surrounded(surroundings(master)):
            try:
                yield
            except BaseException:
                for process in started:
                    kill(process)
                raise


def _ending_with(parent: int, first: Callable[[], object] | None) -> Callable[[], None]:
    """What a new process does before it becomes the JVM: it will be told to end when this one does, even if that is
    killed.

    A JVM that is there sees by itself that its input has ended; one that is starting takes many seconds until it looks.
    Told, it removes its files. The system means by parent the thread that starts it, which must last: another one than
    the main thread may not.
    """
    lasts, told = threading.current_thread() is threading.main_thread(), at_parents_end(signal.SIGTERM)

    def begin() -> None:
        if first is not None:
            first()
        if lasts and told() and os.getppid() != parent:
            os._exit(1)

    return begin


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a JVM that `launching` started, and the scripts that were about to start it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def surroundings(master: str) -> dict[str, str]:
    """Variables of the environment for a session's JVM, which its Python workers get from it."""
    variables = {name: _absolute(os.environ[name]) for name in PLACES if os.environ.get(name)}
    variables |= {
        "SPARK_HOME": home(),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": settings.packages(),
        "PYTHONSAFEPATH": "1",
    }
    if settings.is_local(master):
        variables |= {name: os.environ.get(name, value) for name, value in settings.GIVEN_BACK.items()}
    if settings.is_local(master) or settings.on_loopback(master):
        variables["SPARK_LOCAL_IP"] = os.environ.get("SPARK_LOCAL_IP", "127.0.0.1")
    return variables


def home() -> str:
    """The installation of Spark: the one that SPARK_HOME names, else that of the package pyspark; it is looked for
    nowhere else."""
    if named := os.environ.get("SPARK_HOME"):
        return os.path.abspath(named)
    spec = find_spec("pyspark")
    package = Path(spec.origin).resolve().parent if spec is not None and spec.origin is not None else None
    for place in (package / "spark-distribution", package, package.parents[1]) if package is not None else ():
        if (place / LAUNCHER).is_file():
            return str(place)
    raise SparkError(
        f"Spark cannot run: there is no {LAUNCHER} in the package pyspark.",
        "Install pyspark again, or name Spark's folder in SPARK_HOME.",
    )


def with_absolute_paths(conf: Mapping[str, str]) -> dict[str, str]:
    """The user's settings, with files as seen from the current directory, where the JVM does not run."""
    return {
        key: ",".join(map(_seen_from_here, value.split(","))) if key in FILES else value for key, value in conf.items()
    }


def _seen_from_here(file: str) -> str:
    return file if not file or ":" in file else os.path.abspath(file)


def _absolute(folders: str) -> str:
    """Folders of a variable, of which some have several: SPARK_LOCAL_DIRS with commas, HADOOP_CONF_DIR as paths of
    classes."""
    return ",".join(
        os.pathsep.join(folder and os.path.abspath(folder) for folder in part.split(os.pathsep))
        for part in folders.split(",")
    )


@contextmanager
def _surrounded(variables: Mapping[str, str]) -> Iterator[None]:
    """Variables of the environment while the block runs."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
