"""Results are written below the directory of -D, whatever files a program names, unless `--output-anywhere`
is given."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from ladder import cli

PROGRAM = ".decl r(x: number, y: number)\nr(1, 2).\n.output r({})\n"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    (tmp_path / "work/out").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work")

    def call(parameters: str, *options: str) -> tuple[int, str]:
        Path("p.dl").write_text(PROGRAM.format(parameters))
        with pytest.raises(SystemExit) as leaving:
            cli.main(["run", "p.dl", "-D", "out", *options])
        return int(leaving.value.code or 0), capfd.readouterr().err

    return call


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "parameters",
    [
        'filename="../../r.csv"',
        'filename="../r.csv"',
        'filename="a/../../r.csv"',
        'filename="{}/r.csv"',
        'filename="link/r.csv"',
        'name="../r"',
        'IO=jsonfile, filename="../r.json"',
        'IO=sqlite, dbname="../r.sqlite"',
        'IO=sqlite, filename="linked.sqlite"',
        'IO=sqlite, filename="file:../r.sqlite"',
        'filename="loop"',
        'filename="pipe"',
        'filename="/dev/null"',
        'filename="a\\0b"',
    ],
)
def test_a_program_writes_nothing_elsewhere(parameters: str, run: Run, tmp_path: Path) -> None:
    out = tmp_path / "work/out"
    (tmp_path / "there").mkdir()
    (out / "link").symlink_to(tmp_path / "there")
    (out / "linked.sqlite").symlink_to(tmp_path / "there/r.sqlite")
    (out / "loop").symlink_to("loop")
    os.mkfifo(out / "pipe")
    before = files(tmp_path) | {"work/p.dl"}
    code, err = run(parameters.replace("{}", str(tmp_path)).replace("\\0", "\0"))
    assert (
        code == 2 and err.startswith(("ladder: ", "p.dl:")) and len(err.splitlines()) == 1 and files(tmp_path) == before
    ), err
    assert "--output-anywhere" in err or "\\0" in parameters


@pytest.mark.parametrize(
    "parameters, file",
    [
        ('filename="../r.csv"', "work/r.csv"),
        ('filename="{}/abs/r.csv"', "abs/r.csv"),
        ('IO=jsonfile, filename="../r.json"', "work/r.json"),
        ('IO=sqlite, filename="file:../r.sqlite"', "r.sqlite"),
        ('filename="a/../r.csv"', "work/out/r.csv"),
        ('filename="link/r.csv"', "there/r.csv"),
    ],
)
def test_where_the_user_allows_it(parameters: str, file: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "work/out/link").symlink_to(tmp_path / "there")
    (tmp_path / "work/out/a").mkdir()
    assert run(parameters.replace("{}", str(tmp_path)), "--output-anywhere") == (0, "") and (tmp_path / file).is_file()


def test_names_below_the_directory_are_fine(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "work/out"
    out.rename(tmp_path / "real")
    out.symlink_to(tmp_path / "real")
    assert run('filename="sub/r.csv"') == (0, "") and run("IO=sqlite") == (0, "")
    assert run(f'filename="{tmp_path}/real/absolute.csv"') == (0, "")
    assert files(tmp_path / "real") == {"sub/r.csv", "r.sqlite", "absolute.csv"}


def test_a_link_in_the_place_of_a_result_is_replaced(run: Run, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    out = tmp_path / "work/out"
    (out / "r.parquet").symlink_to(tmp_path / "precious")
    code, err = run("", "--parquet")
    assert code == 2 and "that is, to" in err
    (out / "r.csv").symlink_to(tmp_path / "precious")
    assert run("")[0] == 2 and (tmp_path / "precious").read_text() == "kept"
    assert (
        run("", "--output-anywhere")[0] == 0
        and (tmp_path / "precious").read_text() == "kept"
        and not (out / "r.csv").is_symlink()
    )


def test_devices_stay_devices(run: Run) -> None:
    assert run('filename="/dev/null"', "--output-anywhere") == (0, "")
    assert Path("/dev/null").is_char_device()


def test_what_stands_in_the_place_of_results(run: Run, tmp_path: Path) -> None:
    (tmp_path / "work/out/r.csv").mkdir()
    code, err = run("")
    assert code == 2 and "which is a directory. Name a file." in err
    (tmp_path / "work/file").write_text("")
    code, err = run("", "-D", "file")
    assert code == 2 and err == "ladder: file is not a directory. Name the directory of the results with -D.\n"


def test_a_view_of_sqlite_follows_the_program(run: Run, tmp_path: Path) -> None:
    assert run("IO=sqlite")[0] == 0
    with sqlite3.connect(tmp_path / "work/out/r.sqlite") as database:
        database.execute("DROP VIEW r")
        database.execute('CREATE VIEW r AS SELECT "0" AS y, "1" AS x FROM _r')
    assert run("IO=sqlite")[0] == 0
    with sqlite3.connect(tmp_path / "work/out/r.sqlite") as database:
        assert database.execute("SELECT x, y FROM r").fetchall() == [(1, 2)]
