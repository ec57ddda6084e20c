"""States that `ladder run --state` keeps: links, pipes and what others wrote or own are refused, and nothing else is
touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ladder.support import private
from tests.security.hostile.world import Commands, World

PROGRAM = """.decl edge(x: number, y: number)
.input edge
.decl path(x: number, y: number)
.output path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
"""


@pytest.fixture
def folder(world: World, run: Commands) -> Path:
    """A program with facts, beside a state."""
    place = world.state / "work"
    place.mkdir(parents=True)
    (place / "paths.dl").write_text(PROGRAM)
    (place / "edge.facts").write_text("1\t2\n2\t3\n")
    return place


def again(run: Commands, folder: Path, *options: object) -> object:
    return run.ladder("run", folder / "paths.dl", "-F", folder, "-D", folder, "--state", folder / "kept", *options)


@pytest.mark.parametrize(
    "name", ["CURRENT", "base-1", "log-1-1", "tables-1", "checkpoints", "lock", ".part-x", "checkpoints/x"]
)
@pytest.mark.parametrize("is_there", [False, True])
def test_no_link_in_the_state_of_a_program_is_followed(
    world: World, run: Commands, folder: Path, name: str, is_there: bool
) -> None:
    if is_there:
        assert again(run, folder).code == 0
    path = folder / "kept" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(world.home / ".bashrc" if name[0] in "CBlb." else world.beside)
    ended = again(run, folder)
    assert ended.code == 2 and f"{path} is not used: it is a symbolic link" in ended.err


@pytest.mark.parametrize("name", ["CURRENT", "base-1", "lock"])
def test_pipes_in_the_state_of_a_program_are_not_waited_for(
    world: World, run: Commands, folder: Path, name: str
) -> None:
    assert again(run, folder).code == 0
    (folder / "kept" / name).unlink()
    os.mkfifo(folder / "kept" / name)
    ended = again(run, folder)
    assert ended.code == 2 and "is not used: it is no regular file" in ended.err


def test_the_folder_of_a_state_is_the_users_own(
    world: World, run: Commands, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert again(run, folder).code == 0
    (folder / "kept").chmod(0o777)
    ended = again(run, folder)
    assert ended.code == 2 and "other users may write to it" in ended.err and "chmod go-w" in ended.err
    (folder / "kept").rename(folder / "elsewhere")
    (folder / "kept").symlink_to(folder / "elsewhere")
    ended = again(run, folder)
    assert ended.code == 2 and "it is a symbolic link" in ended.err


def test_states_are_opened_with_the_key_that_wrote_them(
    world: World, run: Commands, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(private.KEY_VARIABLE, "a long random text of the team")
    assert again(run, folder).code == 0
    monkeypatch.setenv(private.KEY_VARIABLE, "a long random text of somebody else")
    ended = again(run, folder)
    assert ended.code == 2 and "--trust-state" in ended.err
    ended = again(run, folder, "--trust-state")
    assert ended.code == 0 and "bootstrap" not in ended.err
    assert again(run, folder).code == 0
