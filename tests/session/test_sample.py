"""The sample's history and a chain of real releases, step after step: every incremental result equals one
from scratch."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.session.projects import analyse, changes

CORPORA = Path(__file__).parents[2] / "corpora"
RELEASES = CORPORA / "fetched" / "cordova-android"
sys.path.insert(0, str(CORPORA))

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="the history is replayed with git")


def replayed(root: Path, analysis: str) -> None:
    import replay

    modes = []
    for commit in replay.replay(root):
        report = analyse(root, analyses=[analysis])
        assert report.analyses[0].verified, commit.step.message
        modes.append(report.analyses[0].mode)
        if commit.step.kind in ("comment", "whitespace", "layout"):
            assert not changes(report), commit.step.message
    assert modes[0] == "bootstrap" and set(modes[1:]) <= {"update", "unchanged"} and "update" in modes


@needs_git
@pytest.mark.nightly
@pytest.mark.parametrize("analysis", ["pointsto", "kupdate1", "kupdate5", "constprop", "interval"])
def test_all_steps_of_the_sample(tmp_path: Path, analysis: str) -> None:
    replayed(tmp_path / "project", analysis)


@pytest.mark.nightly
@pytest.mark.skipif(not RELEASES.is_dir(), reason="`python corpora/fetch.py` fetches cordova-android")
def test_the_releases_of_cordova_android(tmp_path: Path) -> None:
    from packaging.version import Version

    root = tmp_path / "project"
    folders = sorted(
        (folder for folder in RELEASES.iterdir() if folder.is_dir()), key=lambda folder: Version(folder.name)
    )
    for number, folder in enumerate(folders):
        for old in root.glob("*"):
            shutil.rmtree(old) if old.is_dir() and old.name != ".ladder" else old.name == ".ladder" or old.unlink()
        shutil.copytree(folder, root, dirs_exist_ok=True)
        report = analyse(root, analyses=["pointsto"], entry="all")
        assert report.analyses[0].verified, folder.name
        assert (
            report.analyses[0].mode == "bootstrap"
            if number == 0
            else report.analyses[0].mode in ("update", "unchanged")
        )
