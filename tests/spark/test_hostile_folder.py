"""Spark in a project that is not trusted: nothing of the current directory is run or imported, and nothing is written
there."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pyspark
import pytest

from ladder.engine.spark.values.shipping import Shipped
from ladder.errors import SparkError
from ladder.spark import launching, settings
from tests.marks import needs_spark

MODULES = (
    "select",
    "socket",
    "signal",
    "struct",
    "json",
    "random",
    "typing",
    "queue",
    "numpy",
    "pyarrow",
    "pandas",
    "pyspark",
    "py4j",
    "ladder",
    "sitecustomize",
    "usercustomize",
    "multiprocessing",
)
COMMANDS = (
    "bin/spark-submit",
    "bin/spark-class",
    "bin/load-spark-env.sh",
    "bin/find-spark-home",
    "bin/java",
    "conf/spark-env.sh",
    "spark-env.sh",
    "java",
    "python",
    "python3",
)
LOGGING = """\
rootLogger.level = all
rootLogger.appenderRef.f.ref = f
appender.f.type = File
appender.f.name = f
appender.f.fileName = {canary}
appender.f.layout.type = PatternLayout
"""
PROGRAM = """
.functor up(x: symbol): symbol
.decl e(x: symbol, y: symbol)
.input e
.decl p(x: symbol, y: symbol)
.output p
p(@up(x), y) :- e(x, y).
"""


def fill(folder: Path, canary: Path) -> None:
    """All that Spark, its scripts, its Python and Java's libraries might look for in the folder that they run in."""
    files = {
        f"{name}.py": f"open({str(canary)!r}, 'a').write('imported {name}\\n')\nraise ImportError('hostile')\n"
        for name in MODULES
    }
    files |= {name: f"#!/bin/sh\necho ran {name} >> {canary}\nexit 1\n" for name in COMMANDS}
    for place in ("", "conf/"):
        files |= {
            f"{place}spark-defaults.conf": f"spark.pyspark.python {folder}/python\n"
            "spark.python.daemon.module hostile\n",
            f"{place}log4j2.properties": LOGGING.format(canary=canary),
            f"{place}log4j.properties": LOGGING.format(canary=canary),
            f"{place}metrics.properties": "*.sink.csv.class=org.apache.spark.metrics.sink.CsvSink\n"
            f"*.sink.csv.directory={folder}\n",
        }
    files |= {
        name: "<configuration><property><name>hadoop.tmp.dir</name>"
        f"<value>{folder}/tmp</value></property></configuration>"
        for name in ("core-site.xml", "hive-site.xml", "hdfs-site.xml")
    }
    files |= {
        "derby.properties": f"derby.stream.error.file={canary}\n",
        ".hotspotrc": "+PrintFlagsFinal\n",
        ".hotspot_compiler": "quiet\n",
    }
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    (folder / "jars").mkdir()


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[Path, Path]:
    """A folder below a hostile one, hostile itself, and the file that tells of what was run."""
    canary, folder = tmp_path / "canary", tmp_path / "project" / "src"
    folder.mkdir(parents=True)
    fill(folder.parent, canary)
    fill(folder, canary)
    return folder, canary


def test_spark_is_looked_for_in_its_package_alone(hostile: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(hostile[0])
    monkeypatch.delenv("SPARK_HOME", raising=False)
    assert launching.home() == str(Path(pyspark.__file__).resolve().parent)
    monkeypatch.setenv("SPARK_HOME", "../spark")
    assert launching.home() == str(hostile[0].parent / "spark")
    monkeypatch.delenv("SPARK_HOME")
    monkeypatch.setattr(launching, "LAUNCHER", Path("nothing"))
    with pytest.raises(SparkError, match="no nothing in the package pyspark"):
        launching.home()


def test_a_jvm_runs_in_the_folder_of_its_session_and_its_python_has_a_safe_path(
    hostile: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import pyspark.java_gateway as gateway

    monkeypatch.chdir(hostile[0])
    monkeypatch.setenv("PYTHONPATH", f"{os.pathsep}relative{os.pathsep}/absolute")
    monkeypatch.setenv("SPARK_CONF_DIR", "conf")
    home, output = tmp_path / "session", tmp_path / "told"
    home.mkdir()
    with launching.launching("local[1]", home, output):
        process = gateway.Popen(
            ["/bin/sh", "-c", "pwd; echo $PYTHONSAFEPATH; echo $PYTHONPATH; echo $SPARK_CONF_DIR; echo $SPARK_HOME"]
        )
        process.wait()
    own = str(Path(settings.__file__).parents[2])
    assert output.read_text().splitlines() == [
        str(home),
        "1",
        f"{own}{os.pathsep}/absolute",
        str(hostile[0] / "conf"),
        launching.home(),
    ]
    with pytest.raises(KeyboardInterrupt), launching.launching("local[1]", home, output):
        process = gateway.Popen(["/bin/sh", "-c", "sleep 100"])
        raise KeyboardInterrupt
    assert process.returncode == -9 and gateway.Popen is subprocess.Popen
    assert launching.with_absolute_paths({"spark.jars": "a.jar,/b.jar,s3://c.jar", "spark.x": "a"}) == {
        "spark.jars": f"{hostile[0]}/a.jar,/b.jar,s3://c.jar",
        "spark.x": "a",
    }


def test_modules_with_two_names_go_to_workers_by_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "functors_of_a_test.py").write_text("def up(x): return x.upper()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    made = import_module("functors_of_a_test")
    for name in ("functors_of_a_test", "functors_of_a_test_again", "another_name"):
        monkeypatch.setitem(sys.modules, name, made)
    data = Shipped(made.up).data
    monkeypatch.delitem(sys.modules, "functors_of_a_test")
    (tmp_path / "functors_of_a_test.py").unlink()
    from pyspark import cloudpickle

    assert cloudpickle.loads(data)("a") == "A"


@pytest.mark.spark
@pytest.mark.nightly
@needs_spark
def test_commands_in_a_hostile_folder_run_nothing_of_it_and_leave_it_as_it_was(
    hostile: tuple[Path, Path], tmp_path: Path
) -> None:
    folder, canary = hostile
    (tmp_path / "p.dl").write_text(PROGRAM)
    (tmp_path / "f.py").write_text("def up(x): return x.upper()\n")
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "e.facts").write_text("a\tb\n")
    (folder / "A.java").write_text("class A { public static void main(String[] s) { new A(); } }")
    before = {file: file.read_bytes() for file in folder.parent.rglob("*") if file.is_file()}
    ladder = Path(sys.executable).with_name("ladder")
    state, program = (
        ["--state", str(tmp_path / "state")],
        [str(tmp_path / "p.dl"), "--functors", str(tmp_path / "f.py")],
    )
    small = ["--spark-conf", "spark.driver.memory=1g"]
    said = []
    for command in (
        [
            "run",
            *program,
            "-F",
            str(tmp_path / "facts"),
            "-D",
            str(tmp_path / "out"),
            "--engine",
            "spark",
            *state,
            *small,
        ],
        ["tables", str(tmp_path / "state"), "--program", program[0], *program[1:], "--sql", "SELECT * FROM p", *small],
        [
            "analyze",
            ".",
            "--analysis",
            "linking",
            "--extract",
            "spark",
            "--engine",
            "local",
            "--state",
            str(tmp_path / "analysed"),
        ],
    ):
        done = subprocess.run(
            [str(ladder), *command], cwd=folder, capture_output=True, text=True, check=False, timeout=300
        )
        said.append(done.stdout + done.stderr)
        assert done.returncode == 0, said
        assert not canary.exists(), (command, canary.read_text())
    assert (tmp_path / "out" / "p.csv").read_text() == "A\tb\n" and "without it" not in said[2]
    assert {file: file.read_bytes() for file in folder.parent.rglob("*") if file.is_file()} == before
