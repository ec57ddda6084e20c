"""Sessions: somebody else's is used and left as it was, our own leaves nothing, and what is lacking is said in one
sentence."""

from __future__ import annotations

import json
import logging
import os
import socket
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import py4j
import pytest
from py4j.protocol import Py4JNetworkError

import ladder
from ladder.errors import LadderError, LadderWarning, SparkError
from ladder.spark import java, session, settings
from ladder.spark.session import open_session
from ladder.support.tuning import Connecting

VERSION = "[ \"$1\" = -XshowSettings:properties ] && echo '    java.specification.version = {}' >&2"
RUNTIMES = {
    "missing": (None, "no Java runtime was found"),
    "broken": ("exit 1", "does not run"),
    "no program": ("\0", "does not run"),
    "old": (VERSION.format("1.8"), "is Java 8 and Spark needs 17"),
    "too old": (VERSION.format("11"), "is Java 11 and Spark needs 17"),
    "small": (VERSION.format("21") + " || exit 1", "lacks the module jdk.incubator.vector"),
    "stuck": ("exec sleep 60", "does not answer within 0.5 s"),
}


@pytest.mark.parametrize(("text", "sentence"), RUNTIMES.values(), ids=RUNTIMES)
def test_a_java_that_does_not_fit_is_told_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, sentence: str
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(session, "active", lambda: None)
    if text is not None:
        (tmp_path / "java").write_text(f"#!/bin/sh\n{text}\n" if text != "\0" else "\0")
        (tmp_path / "java").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin" if text is not None else str(tmp_path))
    with pytest.raises(SparkError) as caught, open_session(1, tuning=Connecting(java_seconds=0.5)):
        pass
    assert sentence in caught.value.message and "apt install" in caught.value.hint and caught.value.exit_code == 2


def test_what_py4j_logs_of_an_interrupt_is_not_shown_from_the_start_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    file = str(Path(next(iter(py4j.__path__))) / "java_gateway.py")

    def interrupted(*_: Any) -> Any:
        logging.getLogger().handle(logging.LogRecord("root", logging.ERROR, file, 1, "while sending", (), None))
        logging.getLogger().error("of somebody else")
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "active", lambda: None)
    monkeypatch.setattr(java, "lacking", lambda seconds: "")
    monkeypatch.setattr(session, "_start", interrupted)
    # the session that other tests share goes on
    monkeypatch.setattr(session.internals, "process_of_jvm", set)
    monkeypatch.setattr(session.internals, "stop", lambda end, seconds: None)
    with pytest.raises(KeyboardInterrupt), open_session(1):
        pass
    assert caplog.messages == ["of somebody else"]
    caplog.clear()
    monkeypatch.setattr(session, "_refuse_remote", interrupted)
    with pytest.raises(KeyboardInterrupt), open_session(1, session=SimpleNamespace()):
        pass
    assert caplog.messages == ["of somebody else"]


def test_a_fitting_java_lacks_nothing_but_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/java").write_text(f"#!/bin/sh\n{VERSION.format(21)}\nexit 0\n")
    (tmp_path / "bin/java").chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java.lacking() == ""
    monkeypatch.setattr(java, "find_spec", lambda name: None)
    assert java.lacking() == "the Python package pyspark is not installed." and "pip install" in java.hint()


def test_a_master_that_does_not_answer_is_told_at_once(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "active", lambda: None)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        pytest.raises(SparkError, match=f"spark://127.0.0.1:{port} does not answer") as caught,
        open_session(master=f"spark://127.0.0.1:{port}"),
    ):
        pass
    assert "--master" in caught.value.hint


@pytest.mark.parametrize("master", ["spark://nowhere", "spark://:7077", "spark://host:port"])
def test_a_master_that_is_none_is_refused(master: str) -> None:
    with pytest.raises(LadderError, match="does not name a Spark master"):
        settings.addresses(master)


def test_masters_are_told_apart() -> None:
    assert settings.addresses("spark://a:1,[::1]:2") == [("a", 1), ("::1", 2)] and settings.addresses("yarn") == []
    assert settings.on_loopback("spark://127.0.0.1:7077") and not settings.on_loopback("spark://10.0.0.7:7077")
    assert settings.is_local("local[2,2]") and not settings.is_local("local-cluster[2,1,1024]")


@pytest.mark.parametrize("pair", ["spark.x", "x=1", "=1"])
def test_a_setting_that_is_none_is_refused(pair: str) -> None:
    with pytest.raises(LadderError, match="not a setting of Spark"):
        settings.parsed((pair,))


def test_an_active_session_is_used_set_up_and_left_as_it_was(spark: Any) -> None:
    before = {key: spark.conf.get(key, None) for key in (*settings.WHILE_USED, settings.PARTITIONS)}
    changed = {
        **dict.fromkeys(settings.WHILE_USED, "true"),
        "spark.sql.autoBroadcastJoinThreshold": "7",
        "spark.sql.ui.explainMode": "extended",
        settings.PARTITIONS: "5",
    }
    try:
        for key, value in changed.items():
            spark.conf.set(key, value)
        with open_session(conf={"spark.sql.ansi.enabled": "true"}) as found:
            assert found is spark
            assert {key: spark.conf.get(key) for key in settings.WHILE_USED} == {
                **settings.WHILE_USED,
                "spark.sql.ansi.enabled": "true",
            }
            assert spark.conf.get(settings.PARTITIONS) == "2"
        assert {key: spark.conf.get(key) for key in changed} == changed
        with pytest.raises(ZeroDivisionError), open_session(session=spark):
            raise ZeroDivisionError
        assert {key: spark.conf.get(key) for key in changed} == changed
    finally:
        for key, old in before.items():
            spark.conf.unset(key) if old is None else spark.conf.set(key, old)
    assert spark.range(3).count() == 3


def test_an_interrupt_is_one_whatever_fails_after_it(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """py4j closes connections when it is interrupted, for a while new ones, too: jobs are cancelled by
    another attempt."""
    attempts, cancelled = [], spark.sparkContext.cancelJobsWithTag

    def cancel(tag: str) -> None:
        attempts.append(tag)
        if len(attempts) < 3:
            raise Py4JNetworkError("Answer from Java side is empty")
        cancelled(tag)

    def interrupted(error: BaseException) -> None:
        try:
            raise error
        finally:
            try:
                raise Py4JNetworkError("Answer from Java side is empty")
            except Py4JNetworkError as failure:
                raise SparkError("The Spark session has ended.") from failure

    monkeypatch.setattr(spark.sparkContext, "cancelJobsWithTag", cancel)
    with pytest.raises(KeyboardInterrupt), open_session(session=spark):
        interrupted(KeyboardInterrupt())
    assert len(attempts) == 3 and len(set(attempts)) == 1
    with pytest.raises(SparkError), open_session(session=spark):
        interrupted(ValueError())
    assert len(attempts) == 4 and spark.range(3).count() == 3


def test_what_a_running_session_cannot_take_is_refused(spark: Any) -> None:
    with (
        pytest.raises(SparkError, match=r"started without spark\.executor\.memory=9g"),
        open_session(conf={"spark.executor.memory": "9g"}),
    ):
        pass
    with (
        pytest.raises(SparkError, match=r"has a Spark session on local\[.*\] already"),
        open_session(master="spark://127.0.0.1:1"),
    ):
        pass
    with pytest.raises(SparkError, match="Spark Connect"), open_session(session=SimpleNamespace()):
        pass


def test_a_slow_setting_of_a_session_of_others_is_told_once(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session._process, "own", None)
    monkeypatch.setattr(session._process, "warned", set())
    monkeypatch.setattr(settings, "AT_START", {"spark.sql.codegen.cache.maxEntries": "1000000"})
    with pytest.warns(LadderWarning, match="maxEntries=1000000"), open_session():
        pass
    with warnings.catch_warnings():
        warnings.simplefilter("error", LadderWarning)
        with open_session():
            pass


@pytest.mark.parametrize(
    ("heap", "executors", "cores", "partitions"),
    [
        ("512m", 2, 2, 10),
        ("768m", 2, 2, 6),
        ("1g", 2, 2, 4),
        ("2g", 2, 2, 2),
        ("16g", 3, 24, 24),
        ("320m", 1, 1, 32),
    ],
)
def test_the_less_memory_a_task_has_the_more_partitions(heap: str, executors: int, cores: int, partitions: int) -> None:
    """As few as suffice: each of them costs a task in every stage."""
    addresses = SimpleNamespace(size=lambda: executors + 1)  # one is the driver's
    scala = SimpleNamespace(getExecutorMemoryStatus=lambda: addresses)
    context = SimpleNamespace(
        master="spark://127.0.0.1:7077", defaultParallelism=cores, _jsc=SimpleNamespace(sc=lambda: scala)
    )
    spark = SimpleNamespace(conf={"spark.executor.memory": heap}, sparkContext=context)
    assert session._partitions(spark, Connecting()) == partitions


ALONE = """
    import json, os, signal, subprocess, sys, time
    from ladder.spark.session import Wanted, active, one_session, open_session
    handler, surroundings = signal.getsignal(signal.SIGINT), dict(os.environ)
    seen = {}
    conf = {"spark.sql.shuffle.partitions": "3", "spark.app.name": "mine"}
    with one_session(Wanted(cores=1, conf=conf, memory=600 << 20)):
        assert active() is None and "pyspark" not in sys.modules
        with open_session(4) as spark:
            first = spark
        with open_session() as spark:
            assert spark is first is active()
            seen["settings"] = [spark.conf.get(key) for key in (*conf, "spark.driver.memory")]
            seen["workers"] = spark.range(1).mapInArrow(modules, "python string, ladder string").collect()[0]
            seen["pid"] = spark.sparkContext._gateway.proc.pid
            seen["folder"] = spark.conf.get("spark.local.dir")
    seen["left"] = [os.path.exists(seen["folder"]), os.path.exists(f"/proc/{seen['pid']}"), active() is not None]
    assert signal.getsignal(signal.SIGINT) is handler and dict(os.environ) == surroundings
    print(json.dumps(seen))
"""
MODULES = """
def modules(batches):
    import sys, pyarrow, ladder.language.values.builtins
    for batch in batches:
        yield pyarrow.RecordBatch.from_pydict({"python": [sys.executable], "ladder": [ladder.__file__]})
"""


def alone(program: str, **surroundings: str) -> subprocess.CompletedProcess[str]:
    root = str(Path(__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": root, **surroundings},
    )


def test_our_own_session_is_one_and_leaves_nothing_behind(spark: Any, tmp_path: Path) -> None:
    done = alone(MODULES + textwrap.dedent(ALONE), TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["settings"] == ["3", "mine", "600m"] and seen["left"] == [False, False, False]
    assert seen["workers"] == [sys.executable, str(Path(ladder.__file__))]
    assert not done.stderr and not list(tmp_path.glob("ladder-spark-*"))


LIMITED = """
from ladder import Database, Program
from ladder.support.limits import Limits, families
text = ".decl e(x: number)\\n.input e\\n.decl p(x: number)\\n.output p\\np(x) :- e(x), x < 5."
for hold in (True, False):
    db = Database(Program.parse(text), engine="spark", limits=Limits(memory=3 << 30))
    db.bootstrap({"e": [(n,) for n in range(2, 400)]})
    held, counted = db["p"] if hold else [], len(families)
    db.update(insert={"e": [(1,)]})
    print(counted, len(families), sorted(held), sorted(db["p"]))
    held = None
    db.close()
"""


@pytest.mark.nightly
def test_a_jvm_that_is_not_needed_takes_no_memory_from_a_limit(spark: Any, tmp_path: Path) -> None:
    done = alone(LIMITED, TMPDIR=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "1 1 [(2,), (3,), (4,)] [(1,), (2,), (3,), (4,)]",
        "1 0 [] [(1,), (2,), (3,), (4,)]",
    ]


def test_a_jvm_that_does_not_start_is_one_sentence(spark: Any, tmp_path: Path) -> None:
    program = (
        "from ladder.spark.session import open_session\nfrom ladder.errors import SparkError\ntry:\n"
        "    with open_session(1, conf={'spark.driver.extraJavaOptions': '-agentlib:nosuchagent'}): pass\n"
        "except SparkError as error: print(error)"
    )
    done = alone(program, TMPDIR=str(tmp_path))
    assert done.returncode == 0 and done.stdout.count("\n") == 1, done.stderr
    assert "does not start on local[1,2]" in done.stdout and "nosuchagent" in done.stdout
    assert not done.stderr and not list(tmp_path.glob("ladder-spark-*"))
