"""The sample's history replays to the checked-in sample, the same everywhere, and every commit of it compiles."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import replay


@pytest.fixture(scope="module")
def history(git: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[replay.Commit]]:
    repository = tmp_path_factory.mktemp("history")
    return repository, list(replay.replay(repository))


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not {".git", ".ladder"} & set(path.relative_to(folder).parts)
    }


def test_it_ends_with_the_checked_in_sample(history: tuple[Path, list[replay.Commit]], sample: Path) -> None:
    repository, _ = history
    assert files_of(repository) == files_of(sample)
    assert replay.git(repository, "status", "--porcelain") == ""


def test_every_sort_of_change_occurs(history: tuple[Path, list[replay.Commit]]) -> None:
    kinds = {commit.step.kind for commit in history[1]}
    assert kinds >= {
        "add-class",
        "add-method",
        "change-body",
        "rename-class",
        "delete-class",
        "change-signature",
        "add-override",
        "whitespace",
        "comment",
        "revert",
        "merge",
        "move-class",
        "change-superclass",
    }


def test_steps_are_what_they_are_called(history: tuple[Path, list[replay.Commit]]) -> None:
    repository, commits = history
    by_kind = {commit.step.kind: commit.id for commit in commits}
    tree_of = {commit.step.kind: replay.git(repository, "rev-parse", f"{commit.id}^{{tree}}") for commit in commits}
    before = replay.git(repository, "rev-parse", f"{by_kind['experiment']}^^{{tree}}")
    assert tree_of["revert"] == before != tree_of["experiment"]
    assert (
        replay.git(repository, "diff", "--ignore-all-space", f"{by_kind['whitespace']}^", by_kind["whitespace"]) == ""
    )
    assert len(replay.git(repository, "rev-list", "--parents", "-n1", by_kind["merge"]).split()) == 3
    touched = [
        line[1:].strip()
        for line in replay.git(repository, "show", "--format=", by_kind["comment"]).splitlines()
        if line[0] in "+-" and not line.startswith(("+++", "---"))
    ]
    assert touched and all(line.startswith(("/**", "*")) for line in touched)


def test_ids_depend_on_nothing_of_this_machine(tmp_path: Path, git: None, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = []
    for name, offset in (("one", "UTC"), ("two", "Pacific/Auckland")):
        monkeypatch.setenv("TZ", offset)
        monkeypatch.setenv("GIT_AUTHOR_NAME", name)
        ids.append([commit.id for commit in replay.replay(tmp_path / name, number=2)])
    assert ids[0] == ids[1]


def test_what_was_edited_is_recorded(
    history: tuple[Path, list[replay.Commit]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copied = tmp_path / "history"
    shutil.copytree(replay.HISTORY, copied)
    monkeypatch.setattr(replay, "HISTORY", copied)
    spoilt = replay.steps()[1].patch
    assert spoilt is not None
    (copied / spoilt).write_text("nothing of the kind\n")
    assert replay.record(history[0]) == [spoilt]
    assert files_of(copied) == files_of(Path(replay.__file__).parent / "history")


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path, git: None) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(replay.ReplayError, match="not empty"):
        next(replay.replay(tmp_path))


def compile_commits(repository: Path, commits: list[replay.Commit], work: Path) -> None:
    for commit in commits:
        tree = work / commit.id
        replay.git(repository, "worktree", "add", "--detach", "--quiet", str(tree), commit.id)
        files = [str(path) for path in tree.rglob("*.java")]
        compiled = subprocess.run(
            ["javac", "-proc:none", "-XDshould-stop.ifNoError=FLOW", "-Xlint:all", *files],
            text=True,
            capture_output=True,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
        replay.git(repository, "worktree", "remove", "--force", str(tree))
        assert compiled.returncode == 0, f"{commit.step.message}: {compiled.stderr}"


@pytest.mark.slow
def test_some_commits_compile(history: tuple[Path, list[replay.Commit]], jdk: None, tmp_path: Path) -> None:
    repository, commits = history
    compile_commits(
        repository, [commit for commit in commits if commit.step.kind in ("initial", "rename-class", "merge")], tmp_path
    )


@pytest.mark.nightly
def test_every_commit_compiles(history: tuple[Path, list[replay.Commit]], jdk: None, tmp_path: Path) -> None:
    compile_commits(*history, tmp_path)
