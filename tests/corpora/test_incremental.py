"""Real histories: after every step the incremental result equals one from scratch, row for row.

The tables of both are compared as they are written, so that names and positions count too.
"""
from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import fetch
import mutate
import pytest
import replay
from click.testing import CliRunner

pytest.importorskip("ladder.cli.analyze", reason="needs the command line")


def analyze(project: Path, output: Path, *options: str) -> dict[str, list[str]]:
    """The result tables of one run: name → sorted lines."""
    from ladder.cli.analyze import analyze as command

    arguments = [str(project), "--analysis", "pointsto", "--quiet", "--extract", "local", "--output", str(output)]
    result = CliRunner().invoke(command, [*arguments, *options], catch_exceptions=False, standalone_mode=False)
    assert result.exit_code == 0, result.output
    return {path.name: sorted(path.read_text(encoding="utf-8").splitlines()) for path in output.glob("*.csv")}


def check_steps(project: Path, steps: Iterable[str], work: Path, entry: str) -> int:
    """Compares both results after each step, which has changed the project when it is yielded; how many results differed
    from the one before."""
    changes, before = 0, None
    for number, step in enumerate(steps):
        options = ("--entry", entry)
        incremental = analyze(project, work / f"{number}-incremental", "--state", str(work / "state"), *options)
        scratch = analyze(project, work / f"{number}-scratch", "--no-state", *options)
        assert set(incremental) == set(scratch) >= {"VarPointsTo.csv", "CallGraphEdge.csv", "MethodInvocation_Method.csv"}
        for name in scratch:
            came, went = set(incremental[name]) - set(scratch[name]), set(scratch[name]) - set(incremental[name])
            assert incremental[name] == scratch[name], f"{step}: {name} has {sorted(came)[:5]}, lacks {sorted(went)[:5]}"
        changes += before != scratch
        before = scratch
        shutil.rmtree(work / f"{number}-incremental")
        shutil.rmtree(work / f"{number}-scratch")
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


def test_some_steps_of_the_sample(git: None, tmp_path: Path) -> None:
    kinds = ("initial", "rename-class", "add-override", "merge")
    assert check_steps(tmp_path / "p", history(tmp_path / "p", kinds), tmp_path / "work", "main") == len(kinds)


@pytest.mark.nightly
def test_all_steps_of_the_sample(git: None, tmp_path: Path) -> None:
    assert check_steps(tmp_path / "p", history(tmp_path / "p"), tmp_path / "work", "public") >= 15


def test_random_edits_of_the_sample(sample: Path, tmp_path: Path) -> None:
    shutil.copytree(sample, tmp_path / "p")
    assert check_steps(tmp_path / "p", edits(tmp_path / "p", range(3), 4), tmp_path / "work", "public") > 2


@pytest.mark.nightly
def test_many_random_edits_of_the_sample(sample: Path, tmp_path: Path) -> None:
    shutil.copytree(sample, tmp_path / "p")
    check_steps(tmp_path / "p", edits(tmp_path / "p", range(100, 130), 3), tmp_path / "work", "public")


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
