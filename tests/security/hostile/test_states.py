"""State directories that came with a project, hold links, or belong to somebody else: refused with a sentence, and
nothing else is touched."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ladder.session import workspace
from ladder.support import private
from ladder.support.seals import Seal
from tests.security.hostile.world import Commands, World
from tests.session.projects import CALLS

THEIRS = Seal(b"the key of somebody else, 32 byte")
COMMAND = "$(touch canary)\\ntouch canary #.java"


def kept(world: World, run: Commands) -> Path:
    """A state of this user's own in the project, as `--state` made it before something was exchanged in it."""
    folder = world.root / "made"
    for name in ("state", "made"):
        shutil.rmtree(world.root / name, ignore_errors=True)
    with workspace.opened_at(folder, print):
        pass
    shutil.copytree(folder, world.evil / ".ladder")
    shutil.rmtree(folder)
    world.locks |= {str(world.evil / ".ladder"), str(world.evil / ".ladder/lock")}
    return world.evil / ".ladder"


@pytest.fixture
def hostile_state(world: World) -> Path:
    """What a clone can bring: `facts` and `snapshots` that lead out of it, a lock that is a key, a version that is to
    be emptied."""
    folder = world.evil / ".ladder"
    world.write(".ladder/FORMAT", "ladder state 0\n")
    world.link(".ladder/facts", "../..")
    world.link(".ladder/snapshots", world.home / ".bashrc")
    world.link(".ladder/stat", world.home / ".bashrc")
    world.link(".ladder/lock", world.home / ".ssh/id")
    world.write(f"src/{COMMAND.replace('/', '')}", "class X { }")
    return folder


def test_a_state_in_the_project_is_not_used_and_told_once(world: World, run: Commands, hostile_state: Path) -> None:
    ended = run.analyze()
    assert ended.code == 0 and f"{hostile_state} is not used any more" in ended.err and "files 3" in ended.out
    ended = run.analyze()
    assert ended.code == 0 and "not used" not in ended.err and "unchanged" in ended.out


@pytest.mark.parametrize("named", [".ladder", ".ladder/facts", ".ladder/nothing"])
def test_a_state_of_an_old_version_in_the_project_is_refused(
    world: World, run: Commands, hostile_state: Path, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world.evil)
    if named.endswith("nothing"):
        world.link(".ladder/nothing", world.beside)
    ended = run.analyze("--state", named)
    assert ended.code == 2 and "is not used" in ended.err
    ended = run.ladder("state", "--state", world.evil / named, "--remove")
    assert ended.code == 2 and "is not" in ended.err


@pytest.mark.parametrize(
    "name",
    [
        "facts",
        "states",
        "results",
        "snapshots",
        "stat",
        "lock",
        "FORMAT",
        "facts/abc",
        "states/x-1/1",
        "results/x/base",
        ".gitignore",
        ".part-left",
    ],
)
def test_no_link_in_a_state_is_followed(world: World, run: Commands, name: str) -> None:
    folder = kept(world, run)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        path.rmdir()
    is_folder = name.partition("/")[0] in ("facts", "states", "results")
    world.link(f".ladder/{name}", world.beside if is_folder else world.home / ".bashrc")
    ended = run.analyze("--state", folder)
    assert ended.code == 2 and f"{path} is not used: it is a symbolic link" in ended.err
    assert run.ladder("state", "--state", folder, "--remove").code == 2


@pytest.mark.parametrize("name", ["lock", "FORMAT", "stat", "facts/pipe"])
def test_pipes_in_a_state_keep_nobody_waiting(world: World, run: Commands, name: str) -> None:
    folder = kept(world, run)
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    ended = run.apart("--state", folder)
    assert ended.code == 2 and f"{folder / name} is not used: it is no regular file" in ended.err


def test_a_state_with_another_key_is_refused_and_emptied_by_nobody(world: World, run: Commands) -> None:
    folder = kept(world, run)
    for form in (workspace.FORMAT, b"ladder state 1\n"):
        (folder / "FORMAT").write_bytes(THEIRS.sealed("format", form))
        ended = run.analyze("--state", folder)
        assert ended.code == 2 and "carries no code of this user's Ladder" in ended.err and "--trust-state" in ended.err
        assert run.ladder("state", "--state", folder, "--remove").code == 2


def test_a_state_that_git_tracks_is_refused(world: World, run: Commands) -> None:
    folder = kept(world, run)
    (folder / ".gitignore").unlink()
    world.commit()
    ended = run.analyze("--state", folder)
    assert ended.code == 2 and "git tracks it" in ended.err
    assert run.analyze().code == 0


def test_a_state_that_others_own_or_may_write_to_is_refused(
    world: World, run: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = kept(world, run)
    folder.chmod(0o777)
    ended = run.analyze("--state", folder)
    assert ended.code == 2 and "other users may write to it" in ended.err and "chmod go-w" in ended.err
    folder.chmod(0o755)
    (folder / "stat").write_text("")
    (folder / "stat").chmod(0o666)
    ended = run.analyze("--state", folder)
    assert ended.code == 2 and "stat is not used: other users may write to it" in ended.err
    (folder / "stat").unlink()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
        ended = run.analyze("--state", folder)
        assert ended.code == 2 and "belongs to another user" in ended.err


def test_an_emptied_state_keeps_what_ladder_did_not_write(world: World, run: Commands) -> None:
    assert run.analyze().code == 0
    folder = workspace.kept_for(world.evil)
    mine = [
        folder / "facts/thesis.txt",
        folder / "thesis.txt",
        *(path / "thesis.txt" for path in folder.glob("states/*/1")),
    ]
    for file in mine:
        file.write_text("mine")
    (folder / "FORMAT").write_bytes(Seal().sealed("format", b"ladder state 1\n"))
    ended = run.analyze()
    assert ended.code == 0 and "another version" in ended.err and "bootstrap" in ended.out
    assert len(mine) == 3 and all(file.read_text() == "mine" for file in mine)
    ended = run.ladder("state", world.evil, "--remove")
    assert (
        ended.code == 2
        and "thesis.txt, which Ladder did not write" in ended.err
        and all(file.exists() for file in mine)
    )
    for file in mine:
        file.unlink()
    assert run.ladder("state", world.evil, "--remove").code == 0 and not folder.exists()


@pytest.mark.parametrize("option", ["--output", "--profile-output"])
def test_results_are_not_written_through_links_of_the_project(world: World, run: Commands, option: str) -> None:
    world.link("out", world.home)
    ended = run.analyze(option, world.evil / "out/results")
    assert ended.code == 2 and "is a symbolic link, and lies in the project" in ended.err


def test_another_project_at_the_same_path_starts_anew(world: World, run: Commands) -> None:
    assert run.analyze().code == 0
    shutil.rmtree(world.evil)
    world.write("other/C.java", "class C { void c() { c(); } }")
    ended = run.analyze()
    assert ended.code == 0 and "Another project was at" in ended.err and "calls: bootstrap" in ended.out


def test_states_are_named_after_their_project_and_listed(world: World, run: Commands) -> None:
    assert run.analyze().code == 0
    (folder,) = (world.state / "projects").iterdir()
    assert folder.name.startswith("evil-") and workspace.project_of(folder) == str(world.evil)
    assert folder.stat().st_mode & 0o077 == 0 and private.why_foreign(folder, folder.lstat()) == ""
    ended = run.ladder("state")
    assert str(folder) in ended.out and str(world.evil) in ended.out and "1 project below" in ended.out
    assert "without anything" not in ended.out
    assert run.ladder("show", world.evil, "Call", "--analysis", CALLS).code == 0


def test_of_what_is_kept_links_and_folders_without_anything_are_not_listed(world: World, run: Commands) -> None:
    world.write("none/readme.txt", "no Java")
    assert run.ladder("analyze", world.evil / "none", "--analysis", CALLS).code == 2
    (world.state / "projects" / "link").symlink_to(world.root)
    (world.state / "projects" / "of\n0 projects").mkdir()
    (world.state / "projects" / "of\n0 projects" / "stat").touch()
    lines = run.ladder("state").out.splitlines()
    assert len(lines) == 2 and "of\\n0 projects  0  unknown" in lines[0]
    assert lines[1].endswith("; 1 more folder without anything yet, since no run came to an end")


def test_machines_that_share_a_key_share_states(
    world: World, run: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shared = tmp_path / "cache"
    monkeypatch.setenv(private.KEY_VARIABLE, "a long random text of the team")
    assert "bootstrap" in run.analyze("--state", shared).out
    monkeypatch.setenv(private.STATE_VARIABLE, str(world.state / "of another machine"))
    assert "unchanged" in run.analyze("--state", shared).out
    monkeypatch.setenv(private.KEY_VARIABLE, "a long random text of somebody else")
    ended = run.analyze("--state", shared)
    assert ended.code == 2 and "carries no code of this user's Ladder" in ended.err


def test_tables_are_not_exported_through_links_of_the_project(world: World, run: Commands) -> None:
    assert run.analyze().code == 0
    world.link("out", world.home)
    ended = run.ladder("tables", world.evil, "--analysis", CALLS, "--export", world.evil / "out/tables")
    assert ended.code == 2 and "is a symbolic link, and lies in the project" in ended.err


def test_a_state_of_the_team_is_gone_on_from(
    world: World, run: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shared = tmp_path / "cache"
    monkeypatch.setenv(private.KEY_VARIABLE, "a long random text of somebody else")
    assert run.analyze("--state", shared).code == 0
    monkeypatch.delenv(private.KEY_VARIABLE)
    assert run.analyze("--state", shared).code == 2
    assert run.ladder("show", world.evil, "Call", "--analysis", CALLS, "--state", shared).code == 2
    assert run.ladder("show", world.evil, "Call", "--analysis", CALLS, "--state", shared, "--trust-state").code == 0
    world.write("src/p/B.java", "package p;\nclass B {\n  static void done() { done(); }\n}\n")
    ended = run.analyze("--state", shared, "--trust-state", "--verify")
    assert ended.code == 0 and "calls: update, equal to a run from scratch" in ended.out
    assert (shared / "FORMAT").exists()
