"""The sample compiles without a warning, runs, and gives what it always gave."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

EXPECTED = Path(__file__).parent / "bookshop-day.txt"


@pytest.fixture(scope="module")
def classes(jdk: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("classes")
    sample = Path(__file__).resolve().parents[2] / "corpora" / "bookshop"
    files = sorted(str(path) for path in sample.rglob("*.java"))
    compiled = subprocess.run(
        ["javac", "--release", "17", "-Xlint:all", "-Werror", "-d", str(target), *files],
        text=True,
        capture_output=True,
        check=False,
    )
    assert compiled.returncode == 0, compiled.stderr
    return target


def run(classes: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["java", "-ea", "-cp", str(classes), "bookshop.app.Main", *arguments],
        text=True,
        capture_output=True,
        check=False,
    )


@pytest.mark.slow
def test_its_self_check_holds(classes: Path) -> None:
    result = run(classes, "--check")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("all 160 checks hold")


@pytest.mark.slow
def test_its_day_is_always_the_same(classes: Path) -> None:
    assert run(classes).stdout == EXPECTED.read_text()


def test_it_is_a_project_of_some_size(sample: Path) -> None:
    files = list(sample.rglob("*.java"))
    packages = {path.parent for path in files}
    lines = sum(bool(line.strip()) for path in files for line in path.read_text().splitlines())
    assert len(files) >= 70 and len(packages) >= 9 and lines >= 3_500
