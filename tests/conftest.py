"""Tests keep what Ladder keeps between runs in a folder of their own, never in the user's home.

Tests on Spark: one session for all tests of a process, the marker `spark` for all that use a session, and
`--spark-too`, which evaluates what other tests evaluate there as well.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from ladder.engine.local.warm import compile_first
from ladder.spark.session import open_session
from ladder.spark.settings import JAVA_OPTIONS
from ladder.support.collection import PASSES, YOUNG
from ladder.support.machine import cores
from ladder.support.private import CACHE_VARIABLE, KEY_VARIABLE, STATE_VARIABLE, cache_root
from tests.kernels import start_compiling
from tests.marks import NO_SPARK

if TYPE_CHECKING:
    from tests.spark.recorder import Recorder

RECORDER = pytest.StashKey["Recorder"]()
STATES = pytest.StashKey[str]()
COMPILING = pytest.StashKey[subprocess.Popen[bytes]]()
CORES = min(cores(), 4)  # each process of tests takes up to three gigabytes
settings.register_profile("busy", deadline=None)  # a machine that does something else, too, makes no example a slow one
settings.load_profile("busy")
os.environ["LADDER_VERIFY"] = "1"  # plans are looked at before kernels run them
gc.set_threshold(YOUNG, PASSES, PASSES)  # as a command does


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--spark-too",
        action="store_true",
        help="Evaluate on Spark, too, whatever the tests evaluate from scratch, and compare the states.",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Deal a run of all tests to a process per core, file by file, where pytest-xdist is installed.

    Nightly tests measure, and a part of the tests is done sooner than processes start: those run in this one.
    """
    option = config.option
    if getattr(option, "numprocesses", 0) is not None or hasattr(config, "workerinput"):
        return  # no plug-in, a number that was asked for, or one of the processes
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and "not nightly" in option.markexpr
    if whole and CORES > 1 and not (option.collectonly or option.usepdb or option.spark_too):
        option.numprocesses, option.dist = CORES, "loadfile"
        option.loadscopereorder = False  # but as `_longest_files_first` says


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker("spark")
    yield  # those that are not to run are left out
    if hasattr(config, "workerinput"):
        _longest_files_first(items)


def _longest_files_first(items: list[pytest.Item]) -> None:
    """Move the files with most tests that take seconds to the front, so that all processes end at about one time; those
    of random programs to the end of those with many tests: their kernels are being compiled meanwhile."""
    long = Counter(item.path for item in items if any(map(item.get_closest_marker, ("slow", "spark"))))
    files = Counter(item.path for item in items if item.path.parent.name != "random_programs")
    items.sort(key=lambda item: (long[item.path], files[item.path], item.path), reverse=True)


@pytest.fixture(scope="session")
def spark(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A session with two cores and a gigabyte, or six where a test is to run that is marked `large`."""
    if NO_SPARK:
        pytest.skip(f"Spark cannot run here: {NO_SPARK}")
    large = any(item.get_closest_marker("large") for item in request.session.items)
    # each query is small, and runs once
    with open_session(2, memory=(6 if large else 1) << 30, conf={JAVA_OPTIONS: "-XX:TieredStopAtLevel=1"}) as session:
        yield session


def pytest_configure(config: pytest.Config) -> None:
    os.environ.pop(KEY_VARIABLE, None)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells start what runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config, "workerinput"):
        return  # the folders are those of the process that deals the tests: with one key, one compiles for all
    # machine code and checked programs stay where they are kept
    os.environ[CACHE_VARIABLE] = str(cache_root())
    os.environ[STATE_VARIABLE] = config.stash[STATES] = tempfile.mkdtemp(prefix="ladder-tests-")
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):  # else each command would compile all sources again
        os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(config.stash[STATES], "bytecode")
    if config.getoption("--spark-too"):
        from tests.spark.recorder import Recorder

        config.stash[RECORDER] = Recorder()
        config.stash[RECORDER].install()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels before the first test, on all cores, and say so: else the first tests did, and looked as if
    they hung."""
    config = session.config
    if config.option.collectonly or os.environ.get("NUMBA_DISABLE_JIT") == "1":
        return
    with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        compile_first()
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        config.stash[COMPILING] = start_compiling()


def pytest_unconfigure(config: pytest.Config) -> None:
    if (process := config.stash.get(COMPILING, None)) is not None:
        process.terminate()
        process.wait()
    if (folder := config.stash.get(STATES, None)) is not None:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def _recorder(request: pytest.FixtureRequest) -> Iterator[Recorder | None]:
    recorder = request.config.stash.get(RECORDER, None)
    if recorder is not None:
        from tests.spark.comparison import spark_evaluator

        recorder.evaluate = spark_evaluator(request.getfixturevalue("spark"))
    yield recorder
    if recorder is not None:
        recorder.check(at_least=1)


@pytest.fixture(autouse=True)
def _compared_on_spark(request: pytest.FixtureRequest, _recorder: Recorder | None) -> Iterator[None]:
    if _recorder is not None:
        _recorder.test = request.node.nodeid
    yield
    if _recorder is not None:
        _recorder.check()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    recorder = config.stash.get(RECORDER, None)
    if recorder is not None:
        terminalreporter.section("evaluated on Spark, too")
        terminalreporter.line(f"{recorder.compared} programs with facts compared")
        for reason, count in recorder.left_out.most_common():
            terminalreporter.line(f"{count} left out: {reason}")
