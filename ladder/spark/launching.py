"""How the JVM of a session is started: in a folder of the session, independent of the current directory.

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
# Settings of the user's that name files; relative paths in them are relative to the current directory.
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
def launching(master: str, folder: Path, output: Path) -> Iterator[None]:
    """A block in which the JVM that pyspark starts runs in `folder` and writes its output, such as warnings, to the
    file `output`.

    A JVM that is still starting when the block is left by an exception (Ctrl-C, a limit) is killed, because pyspark
    would not do so.
    """
    with output.open("ab") as log:

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
    """The function that a new process calls before it becomes the JVM: it asks the system for SIGTERM when this process
    ends, even if this is killed.

    A running JVM notices by itself that its input has ended, a starting one only after many seconds. On SIGTERM it
    removes its files. The parent, to the system, is the thread that starts the process, so this is used in the main
    thread only: others may end earlier.
    """
    lasts, ends_with_parent = threading.current_thread() is threading.main_thread(), at_parents_end(signal.SIGTERM)

    def begin() -> None:
        if first is not None:
            first()
        if lasts and ends_with_parent() and os.getppid() != parent:
            os._exit(1)

    return begin


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a JVM that `launching` started, and the scripts that were about to start it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def surroundings(master: str) -> dict[str, str]:
    """Variables of the environment for a session's JVM, from which its Python workers inherit them."""
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
    """The folder of the installation of Spark: the one that SPARK_HOME names, else that of the package pyspark. It is
    looked for nowhere else; `SparkError` where there is none."""
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
    """The user's settings with absolute paths of files, because the JVM does not run in the current directory."""
    return {
        key: ",".join(map(_seen_from_here, value.split(","))) if key in FILES else value for key, value in conf.items()
    }


def _seen_from_here(file: str) -> str:
    return file if not file or ":" in file else os.path.abspath(file)


def _absolute(folders: str) -> str:
    """The folders of a variable as absolute paths; SPARK_LOCAL_DIRS separates several by commas, HADOOP_CONF_DIR like a
    class path."""
    return ",".join(
        os.pathsep.join(folder and os.path.abspath(folder) for folder in part.split(os.pathsep))
        for part in folders.split(",")
    )


@contextmanager
def _surrounded(variables: Mapping[str, str]) -> Iterator[None]:
    """Set variables of the environment while the block runs."""
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
