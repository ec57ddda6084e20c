"""Real histories: after every step the incremental result equals one from scratch, row for row.

The tables of both are compared as they are written, so that names and positions count too.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import fetch
import mutate
import pytest
import replay
from click.testing import CliRunner

pytest.importorskip("ladder.cli.analyze", reason="needs the command line")


TABLES = {"VarPointsTo.csv", "CallGraphEdge.csv", "MethodInvocation_Method.csv"}


def analyze(project: Path, output: Path, *options: str) -> tuple[str, dict[str, list[str]]]:
    """The mode of one run and its result tables: name → sorted lines."""
    from ladder.cli.analyze import analyze as command

    arguments = [str(project), "--analysis", "pointsto", "--quiet", "--extract", "local", "--output", str(output)]
    result = CliRunner().invoke(command, [*arguments, *options], catch_exceptions=False, standalone_mode=False)
    assert result.exit_code == 0, result.output
    mode = re.search(r"^pointsto: (\w+)", result.output, re.MULTILINE)
    assert mode is not None, result.output
    return mode[1], {path.name: sorted(path.read_text(encoding="utf-8").splitlines()) for path in output.glob("*.csv")}


def check_steps(project: Path, steps: Iterable[str], work: Path, entry: str) -> int:
    """Compares both results after each step; how many results differed from the one before.

    A step has changed the project when it is yielded. No step but the first may start anew.
    """
    changes, before = 0, None
    for number, step in enumerate(steps):
        options = ("--entry", entry)
        # however long an update takes: what is compared is its result
        state = ("--state", str(work / "state"), "--switch", "1000")
        mode, incremental = analyze(project, work / "incremental", *state, *options)
        assert mode in (("update", "unchanged") if number else ("bootstrap",)), step
        _, scratch = analyze(project, work / "scratch", "--no-state", *options)
        assert set(incremental) == set(scratch) >= TABLES
        for name, rows in scratch.items():
            found = incremental[name]
            came, went = sorted(set(found) - set(rows))[:5], sorted(set(rows) - set(found))[:5]
            assert found == rows, f"{step}: {name} has {came}, lacks {went}"
        changes += before != scratch
        before = scratch
        shutil.rmtree(work / "incremental")
        shutil.rmtree(work / "scratch")
    return changes


def history(repository: Path, kinds: Iterable[str] | None = None) -> Iterator[str]:
    for commit in replay.replay(repository):
        if kinds is None or commit.step.kind in kinds:
            yield commit.step.message


def versions(project: Path, newest: int) -> Iterator[str]:
    folders = fetch.version_folders(fetch.FETCHED / "cordova-android")
    for folder in folders[-newest:]:
        shutil.rmtree(project, ignore_errors=True)
        shutil.copytree(folder, project, symlinks=True)
        yield folder.name


def edits(project: Path, seeds: Iterable[int], at_once: int) -> Iterator[str]:
    yield "as it is"
    for seed in seeds:
        yield "; ".join(map(str, mutate.mutate(project, seed=seed, edits=at_once)))


@pytest.mark.slow
def test_some_steps_of_the_sample(git: None, tmp_path: Path) -> None:
    kinds = ("initial", "rename-class")
    assert check_steps(tmp_path / "p", history(tmp_path / "p", kinds), tmp_path / "work", "main") == len(kinds)


@pytest.mark.nightly
def test_all_steps_of_the_sample(git: None, tmp_path: Path) -> None:
    assert check_steps(tmp_path / "p", history(tmp_path / "p"), tmp_path / "work", "public") >= 15


@pytest.mark.nightly
def test_random_edits_of_the_sample(sample: Path, tmp_path: Path) -> None:
    shutil.copytree(sample, tmp_path / "p")
    assert check_steps(tmp_path / "p", edits(tmp_path / "p", range(100, 130), 3), tmp_path / "work", "public") > 1


@pytest.mark.nightly
def test_versions_of_cordova_android(tmp_path: Path) -> None:
    if not (fetch.FETCHED / "cordova-android").is_dir():
        pytest.skip("needs python corpora/fetch.py cordova-android")
    check_steps(tmp_path / "p", versions(tmp_path / "p", newest=45), tmp_path / "work", "public")


@pytest.mark.nightly
def test_random_edits_of_ant(tmp_path: Path) -> None:
    if not (fetch.FETCHED / "ant").is_dir():
        pytest.skip("needs python corpora/fetch.py ant")
    shutil.copytree(fetch.FETCHED / "ant", tmp_path / "p", symlinks=True)
    check_steps(tmp_path / "p", edits(tmp_path / "p", range(6), 3), tmp_path / "work", "main")
