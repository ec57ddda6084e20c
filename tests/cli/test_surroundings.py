"""Commands in surroundings that mean them no good: streams that are closed, limits of the shell, names that are no
files, `.git` that is none."""

from __future__ import annotations

import errno
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ladder.cli import FEWEST_FILES
from ladder.cli.failures import exit_code_of
from tests.marks import slow_after

PROGRAM = ".decl e(x: number, y: symbol)\n.input e\n.decl r(x: number, y: symbol)\n.output r\nr(x, y) :- e(x, y).\n"
COMMAND = [sys.executable, "-P", "-c", "from ladder.cli import main; main()"]
ANALYZE = [sys.executable, "-P", "-c", "from ladder.cli import analyze_main; analyze_main()"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.dl").write_text(PROGRAM)
    (tmp_path / "e.facts").write_text("1\ta\n")
    return tmp_path


def ended(
    folder: Path, command: list[str], before: Callable[[], None] | None = None, **environment: str
) -> tuple[int, str]:
    """Exit code and complaints."""
    done = subprocess.run(
        command,
        cwd=folder,
        preexec_fn=before,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=300,
        # Python would keep compiled code that a limit has cut off
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        check=False,
    )
    assert "Traceback" not in done.stderr and "defect" not in done.stderr, done.stderr
    return done.returncode, done.stderr


@pytest.mark.parametrize("closed", slow_after(1, [(0, 1, 2), (1,), (0,), (2,)]))
def test_closed_streams_get_no_file(folder: Path, closed: tuple[int, ...]) -> None:
    """The command failed, or the first file that it opened got what was printed."""
    code, _ = ended(
        folder,
        [*COMMAND, "run", "p.dl", "-D", "out", "--state", "st"],
        lambda: [os.close(number) for number in closed] and None,
    )  # type: ignore[func-returns-value]
    assert code == 0 and (folder / "out" / "r.csv").read_text() == "1\ta\n"
    assert ended(folder, [*COMMAND, "tables", "st", "--program", "p.dl"]) == (0, "")


def test_output_to_a_closed_stream(folder: Path) -> None:
    assert ended(folder, [*COMMAND, "run", "p.dl", "-D", "-"], lambda: os.close(1)) == (0, "")


def limited(folder: Path, limit: int, most: int) -> tuple[int, str]:
    return ended(folder, [*COMMAND, "run", "p.dl", "-D", "out"], lambda: resource.setrlimit(limit, (most, most)))


def test_files_that_must_not_grow(folder: Path) -> None:
    code, said = limited(folder, resource.RLIMIT_FSIZE, 0)
    assert code == 2 and "`ulimit -f`" in said and len(said.splitlines()) == 1


@pytest.mark.parametrize("most", [5, 6, 8, FEWEST_FILES + 2])
@pytest.mark.parametrize(
    "command",
    [[*COMMAND, "run", "p.dl"], [*ANALYZE, ".", "--analysis", "linking", "--no-state"]],
    ids=["run", "analyze"],
)
def test_too_few_descriptors_are_refused_at_once(folder: Path, command: list[str], most: int) -> None:
    code, said = ended(folder, command, lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
    assert code == 2 and "`ulimit -n`" in said and len(said.splitlines()) == 1


@pytest.mark.slow
def test_as_many_descriptors_as_are_asked_for_suffice(folder: Path) -> None:
    for number in range(20):  # so many that processes read them
        (folder / f"C{number}.java").write_text(f"class C{number} {{ int m(int a) {{ return a; }} }}")
    few = FEWEST_FILES + 3
    for command in (
        [*COMMAND, "run", "p.dl", "-D", "out", "--state", "st"],
        [*ANALYZE, ".", "--analysis", "linking", "--state", "state", "--quiet", "--extract", "local", "-j", "2"],
    ):
        for _ in range(2):
            code, said = ended(folder, command, lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (few, few)))
            assert code == 0 and "files" not in said


@pytest.mark.parametrize("which", ["program", "facts", "state"])
def test_pipes_and_folders_in_the_place_of_files(folder: Path, which: str) -> None:
    command = [*COMMAND, "run", "p.dl", "-D", "-", "--state", "st"]
    if which == "state":
        (folder / "st").touch()
    elif which == "facts":
        (folder / "e.facts").unlink()
        (folder / "e.facts").mkdir()
    else:
        (folder / "p.dl").unlink()
        os.mkfifo(folder / "p.dl")
    code, said = ended(folder, command)
    assert code == 2 and said.count("\n") == 1 and {"program": "p.dl", "facts": "e.facts", "state": "st"}[which] in said


@pytest.mark.parametrize("kind", ["empty", "noise", "pipe", "itself", "elsewhere"])
def test_git_folders_that_are_none(folder: Path, kind: str) -> None:
    (folder / "A.java").write_text("class A {}")
    git = folder / ".git"
    {
        "empty": git.mkdir,
        "noise": lambda: git.write_bytes(b"\xff\0" * 99),
        "pipe": lambda: os.mkfifo(git),
        "itself": lambda: git.symlink_to(".git"),
        "elsewhere": lambda: git.write_text("gitdir: ../../../../etc"),
    }[kind]()
    code, said = ended(folder, [*ANALYZE, ".", "--analysis", "linking", "--no-state", "--quiet"])
    assert code == 2 and said.count("\n") == 1 and "The git repository of" in said


@pytest.mark.slow
def test_a_project_of_odd_files(folder: Path) -> None:
    """Pipes, sockets, links in a circle and names without sense: what is no regular file is none of the project's."""
    (folder / "A.java").write_text("class A {}")
    os.mkfifo(folder / "P.java")
    (folder / "L.java").symlink_to("L.java")
    (folder / "loop").symlink_to(".")
    (folder / "N\n\x1b[2J.java").write_text("class N {}")
    Path(os.fsdecode(bytes(folder) + b"/\xff.java")).write_text("class X {}")
    with socket.socket(socket.AF_UNIX) as one:
        before = Path.cwd()
        os.chdir(folder)  # names of sockets are short
        try:
            one.bind("S.java")
        finally:
            os.chdir(before)
        code, said = ended(folder, [*ANALYZE, ".", "--analysis", "linking", "--no-state", "--quiet"])
    assert code == 0 and "\x1b" not in said


@pytest.mark.parametrize("options", [[], ["--parquet"]])
def test_folders_whose_names_are_not_utf8(folder: Path, options: list[str]) -> None:
    odd = os.fsdecode(bytes(folder) + b"/\xff")
    os.mkdir(odd)
    run = [*COMMAND, "run", "p.dl", "-F", odd, "-D", odd, *options]
    (Path(odd) / "e.facts").write_text("1\ta\n2\n")
    code, said = ended(folder, run)
    assert code == 2 and "e.facts:2:2: the row has 1 column" in said
    (Path(odd) / "e.facts").write_text("1\ta\n")
    assert ended(folder, run) == (0, "")
    assert (Path(odd) / ("r.parquet" if options else "r.csv")).stat().st_size


@pytest.mark.slow
def test_a_state_and_tables_in_folders_whose_names_are_not_utf8(folder: Path) -> None:
    (folder / "A.java").write_text("class A {}")
    odd = os.fsdecode(bytes(folder) + b"/\xff")
    for format_ in ("csv", "parquet"):
        options = ["--analysis", "linking", "--quiet", "--state", f"{odd}/state", "--format", format_]
        code, said = ended(folder, [*ANALYZE, ".", *options, "--output", f"{odd}/{format_}"])
        assert code == 0 and said == ""


@pytest.mark.parametrize("error", [MemoryError(), OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))])
def test_what_the_system_has_no_memory_for(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise error

    assert exit_code_of(fail) == 4
    assert capsys.readouterr().err.startswith("ladder: the memory is used up. Give the process more, or analyse less")
