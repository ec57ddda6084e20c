"""What is analysed runs no code: a project in the current directory that holds a file named like each
module there is."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from ladder.support import children
from ladder_bench.bench import Bench
from ladder_bench.cases import start
from ladder_bench.workloads import write_generated
from tests.marks import needs_spark

ANALYZE = [str(Path(sys.executable).with_name("analyze"))]
LADDER = [str(Path(sys.executable).with_name("ladder"))]
MODULE = [sys.executable, "-m", "ladder"]
CANARY = (
    "import os\nwith open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'CANARY'), 'a') as file:\n    "
    "file.write(__name__ + '\\n')\n"
)
PROGRAM = (
    ".decl e(x: number, y: number)\n.input e\n.decl p(x: number, y: symbol)\np(x, to_string(y)) :- e(x, y).\n.output "
    "p\n"
    '.functor f(x: number): number = "mine:f"\n.decl q(x: number)\nq(@f(x)) :- e(x, _).\n.output q\n'
)


@pytest.fixture(scope="module")
def names() -> list[str]:
    """Of every module that could be imported here, but our own."""
    known = {*sys.stdlib_module_names, *packages_distributions(), "sitecustomize", "usercustomize", "yaml"}
    return sorted(name for name in known if name.isidentifier() and name != "ladder")


@pytest.fixture
def hostile(tmp_path: Path, names: list[str]) -> Path:
    """A project of a dozen Java files, with a program and a case, and a canary for every module."""
    folder = tmp_path / "evil"
    folder.mkdir()
    for name in names:
        (folder / f"{name}.py").write_text(CANARY)
    for i in range(12):
        (folder / f"C{i}.java").write_text(f"class C{i} {{ public static void main(String[] a) {{ new C{i}(); }} }}")
    case = folder / "cases" / "one"
    (case / "facts").mkdir(parents=True)
    for place in (folder, case):
        (place / "program.dl").write_text(PROGRAM)
        (place / "mine.py").write_text("def f(x):\n    return x + 1\n")
    (folder / "e.facts").write_text("1\t2\n")
    (case / "facts" / "e.facts").write_text("1\t2\n")
    (case / "p.csv").write_text("1\t2\n")
    (case / "q.csv").write_text("2\n")
    return folder


def run(folder: Path, *command: str, **environment: str) -> str:
    """Run a command there → what it printed; it must end well, and no canary may have been imported."""
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    canary = folder / "CANARY"
    assert not canary.exists(), canary.read_text()
    return done.stdout


def before_anything_of_ours(folder: Path) -> list[str]:
    """What Python's own `-m` imports, from the current directory first, before it runs the module."""
    (folder / "probe.py").write_text("import sys\nprint(*sys.modules)\n")
    return subprocess.run(
        [sys.executable, "-m", "probe"], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.split()


def test_the_canaries_sing(hostile: Path) -> None:
    # Which of them sings first, and whether what it wanted to import is missed, depends on the version of Python.
    subprocess.run([sys.executable, "-c", "import multiprocessing"], cwd=hostile, check=False, capture_output=True)
    assert (hostile / "CANARY").read_text()


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            [*ANALYZE, ".", "--analysis", "constprop", "--extract", "local", "-j", "2"], marks=pytest.mark.slow
        ),
        [*MODULE, "run", "program.dl"],
        [*LADDER, "test", "cases"],
        [*LADDER, "check", "program.dl"],
    ],
    ids=lambda command: " ".join(Path(word).name for word in command[:3]),
)
def test_no_file_of_the_current_directory_is_imported(hostile: Path, command: list[str]) -> None:
    if command[0] == sys.executable:
        for name in before_anything_of_ours(hostile.parent):
            (hostile / f"{name}.py").unlink(missing_ok=True)
    run(hostile, *command)


def test_functors_beside_a_program_are_found(hostile: Path) -> None:
    run(hostile, *LADDER, "run", "program.dl")
    assert (hostile / "q.csv").read_text() == "2\n"


@pytest.mark.nightly
def test_nor_when_kernels_are_compiled(hostile: Path, tmp_path: Path) -> None:
    run(hostile, *LADDER, "run", "program.dl", LADDER_CACHE_DIR=str(tmp_path / "cache"))


@pytest.mark.nightly
@needs_spark
@pytest.mark.parametrize(
    "command",
    [
        [*ANALYZE, ".", "--analysis", "pointsto", "--extract", "spark"],
        [*LADDER, "run", "program.dl", "--engine", "spark", "--master", "local[2]"],
    ],
    ids=["extract", "run"],
)
def test_nor_on_spark(hostile: Path, command: list[str]) -> None:
    run(hostile, *command)


def test_settings_of_numba_in_the_current_directory_are_not_read(hostile: Path) -> None:
    (hostile / children.SETTINGS_OF_NUMBA).write_text("disable_jit: 1\n")
    printed = run(
        hostile,
        sys.executable,
        "-P",
        "-W",
        "always",
        "-c",
        "from ladder.support.children import leave_current_directory\nleave_current_directory()\n"
        "import numba, os\nassert os.getcwd().endswith('evil')\nprint(numba.config.DISABLE_JIT)",
    )
    assert printed == "0\n"


def test_nor_by_what_is_measured(hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(hostile)
    monkeypatch.setenv("PYTHONPATH", "")
    bench = Bench(tmp_path, False, 1, None, None)
    measured = bench.measure(write_generated, 60, name="dense_graph", arguments=[4], folder=str(tmp_path / "facts"))
    assert not measured.failure and measured.last == {"edge": 12}
    (tmp_path / "ten.dl").write_text(start.PROGRAM)
    assert start._rows(start._run(tmp_path / "ten.dl", None)) == start.ROWS
    assert not (hostile / "CANARY").exists()


def test_relative_parts_of_the_module_path_reach_no_child(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(("", "lib", str(tmp_path))))
    monkeypatch.setenv("LADDER_CACHE_DIR", "cache")
    found = children.safe_environment()
    assert found["PYTHONPATH"].split(os.pathsep) == [children.HOME, str(tmp_path)]
    assert found["LADDER_CACHE_DIR"] == os.path.abspath("cache") and found["PYTHONSAFEPATH"] == "1"
