"""Files of a project that lead out of it, are none, or are too large: left out or told, and nothing outside is read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ladder.errors import ProjectError
from ladder.project import files as projects
from ladder.project.files import Project, blob_id, read_below
from tests.security.hostile.world import SECRET, Commands, World

SHADOWS = (
    "multiprocessing",
    "select",
    "numpy",
    "json",
    "sitecustomize",
    "usercustomize",
    "ladder",
    "pyarrow",
    "socket",
)


def test_links_out_of_the_project_are_not_read(world: World, run: Commands) -> None:
    world.link("src/p/Secret.java", world.private / "Secret.java")
    world.link("src/p/Zero.java", "/dev/zero")
    world.link("src/p/Passwd.java", "/etc/passwd")
    world.link("private", world.private)
    world.link("up", "../..")
    ended = run.analyze()
    assert ended.code == 0 and "files 2" in ended.out


def test_pipes_and_folders_are_no_files(world: World) -> None:
    os.mkfifo(world.evil / "src/p/Pipe.java")
    (world.evil / "src/p/Folder.java").mkdir()
    assert [path for path, _ in Project(world.evil).snapshot().files] == ["src/p/A.java", "src/p/B.java"]


def test_what_is_exchanged_between_look_and_read_is_not_followed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, or a folder on the way to it, becomes a link after it was listed."""
    secret = (world.private / "Secret.java").read_bytes()
    original = projects.read_below
    for exchanged in ("src/p/B.java", "src/p"):

        def read(root: str, path: str, exchanged: str = exchanged) -> bytes:
            place = world.evil / exchanged
            if not place.is_symlink():
                place.rename(world.root / f"away-{place.name}")
                place.symlink_to(world.private / ("Secret.java" if place.suffix else ""))
                (world.private / "B.java").write_bytes(secret)
            data = original(root, path)
            assert SECRET.encode() not in data
            return data

        with monkeypatch.context() as patch:
            patch.setattr(projects, "read_below", read)
            now = Project(world.evil).snapshot()
        assert blob_id(secret) not in dict(now.files).values() and now.unreadable
        (world.evil / exchanged).unlink()
        (world.root / f"away-{Path(exchanged).name}").rename(world.evil / exchanged)


@pytest.mark.parametrize(
    "path",
    [
        "../private/Secret.java",
        "/etc/passwd",
        "src/../../../private/Secret.java",
        "src//p/A.java",
        "./src/p/A.java",
        "",
        "link/Secret.java",
        "src/p/Link.java",
        "src/p",
        "src/p/Pipe.java",
    ],
)
def test_no_path_leads_out_of_a_project(world: World, path: str) -> None:
    world.link("link", world.private)
    world.link("src/p/Link.java", world.private / "Secret.java")
    os.mkfifo(world.evil / "src/p/Pipe.java")
    with pytest.raises(OSError):
        read_below(str(world.evil), path)
    with pytest.raises(ProjectError, match="cannot be read"):
        Project(world.evil).source.read(path, blob_id((world.private / "Secret.java").read_bytes()))
    assert read_below(str(world.evil), "src/p/A.java")


def test_huge_files_are_told_and_not_read(world: World, run: Commands) -> None:
    with world.write("src/p/Huge.java", "").open("wb") as huge:
        huge.truncate(1 << 40)
    with world.write("src/p/Large.java", "").open("wb") as large:
        large.truncate(projects.MOST_BYTES + 1)
    ended = run.analyze("--format", "json")
    assert (
        ended.code == 0
        and f"it has {1 << 40} bytes; files of more than {projects.MOST_BYTES} are not read" in ended.out
    )
    assert f"it has {projects.MOST_BYTES + 1} bytes" in ended.out


def test_names_are_only_names(world: World, run: Commands) -> None:
    for name in (
        "$(touch canary).java",
        "`touch canary`.java",
        "; touch canary #.java",
        "a\nb.java",
        "#.java",
        "-rf.java",
        "%s%n.java",
        "{0}.java",
        "../x.java".replace("/", "\u2215"),
        "\x1b[31mred.java",
        "x" * 250 + ".java",
    ):
        world.write(f"src/p/{name}", "class X { }")
    assert run.analyze().code == 0
    assert run.analyze("--verify").code == 0


def test_folders_within_folders_have_an_end(world: World) -> None:
    folder = os.open(world.evil, os.O_RDONLY)
    for _ in range(30):  # deeper than a path can be long
        os.mkdir("deep" * 60, dir_fd=folder)
        inner = os.open("deep" * 60, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    now = Project(world.evil).snapshot()
    assert len(now.files) == 2 and [reason for _, reason in now.unreadable] == [
        "the folder cannot be read: File name too long"
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("analysis_in", ["project", "elsewhere"])
def test_python_files_of_a_project_are_not_run(world: World, run: Commands, analysis_in: str) -> None:
    code = f"import pathlib; pathlib.Path({str(world.canary)!r}).write_text('ran')\n"
    for name in SHADOWS:
        world.write(f"{name}.py", code)
    for number in range(12):  # enough for processes
        world.write(f"src/q/C{number}.java", f"package q; class C{number} {{ }}")
    ended = run.apart("-j", "2", cwd=world.evil if analysis_in == "project" else world.root, seconds=300)
    assert ended.code == 0 and "extracted: 14 files in 2 processes" in ended.out or "files 14" in ended.out, ended.err


def test_a_project_that_is_only_read_may_be_unwritable(world: World, run: Commands) -> None:
    folders = [world.evil, world.evil / "src", world.evil / "src/p"]
    for folder in folders:
        folder.chmod(0o555)
    assert run.analyze().code == 0 and "unchanged" in run.analyze().out
    for folder in folders:
        folder.chmod(0o755)
    assert sys.platform == "win32" or not (world.evil / ".ladder").exists()
