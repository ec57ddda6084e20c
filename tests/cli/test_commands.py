"""`ladder run`, `check`, `show`, `explain`."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from ladder import cli
from tests.session.projects import CALLS, FILES, write

PATHS = """.decl edge(a: symbol, b: symbol)
.input edge
.decl weight(a: symbol, n: number)
.input weight(filename="w.txt", delimiter=",")
.decl path(a: symbol, b: symbol)
.output path
path(a, b) :- edge(a, b).
path(a, c) :- path(a, b), edge(b, c).
.decl heavy(a: symbol, n: number)
.output heavy(filename="sub/heavy.txt", delimiter=";")
.printsize heavy
heavy(a, n + 1) :- weight(a, n), n > 1.
"""


@pytest.fixture
def ladder(capfd: pytest.CaptureFixture[str]) -> object:
    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leaving:
            cli.main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return int(leaving.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "paths.dl").write_text(PATHS)
    (tmp_path / "edge.facts").write_text("a\tb\nb\tc d\n")
    (tmp_path / "w.txt").write_text("x,1\ny,-2\nz,41\n")
    return tmp_path / "paths.dl"


def test_run_reads_facts_and_writes_results(program: Path, tmp_path: Path, ladder) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = ladder("run", program, "-F", tmp_path, "-D", tmp_path / "out", "-j", "2")
    assert code == 0 and out == "heavy\t1\n"
    assert sorted((tmp_path / "out/path.csv").read_text().splitlines()) == ["a\tb", "a\tc d", "b\tc d"]
    assert (tmp_path / "out/sub/heavy.txt").read_text() == "z;42\n"


@pytest.mark.parametrize("strategy", ["elastic", "counting", "dred", "bfc"])
def test_every_strategy_writes_the_same(strategy: str, program: Path, tmp_path: Path, ladder) -> None:  # type: ignore[no-untyped-def]
    code, _, _ = ladder("run", program, "-F", tmp_path, "-D", tmp_path / "out", "--strategy", strategy)
    assert code == 0 and sorted((tmp_path / "out/path.csv").read_text().splitlines()) == ["a\tb", "a\tc d", "b\tc d"]


def test_run_prints_to_standard_output(program: Path, tmp_path: Path, ladder) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = ladder("run", program, "-F", tmp_path, "-D", "-")
    assert code == 0 and "---------------\nheavy\na;n\n===============\nz;42\n===============\n" in out


def test_records_and_empty_files(tmp_path: Path, ladder) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "r.dl").write_text(
        ".type P = [x: number, s: symbol]\n.decl in(p: P, n: float)\n.input in\n.decl "
        "none(a: symbol, n: unsigned)\n.input none\n"
        ".decl out(p: P, n: float)\n.output out\nout(p, n) :- in(p, n).\n.decl all(a: symbol, n: unsigned)\n.output "
        "all\nall(a, n) :- none(a, n).\n"
    )
    (tmp_path / "in.facts").write_text("[1, a]\t1.5\nnil\t2\n")
    (tmp_path / "none.facts").write_text("")
    code, _, err = ladder("run", tmp_path / "r.dl", "-F", tmp_path, "-D", tmp_path)
    assert code == 0, err
    assert sorted((tmp_path / "out.csv").read_text().splitlines()) == ["[1, a]\t1.5", "nil\t2"]
    assert (tmp_path / "all.csv").read_text() == ""


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [("edge.facts", None, "no file"), ("edge.facts", "a\n", "edge.facts"), ("w.txt", "x,y\n", "w.txt")],
)
def test_run_says_which_facts_are_wrong(
    program: Path, tmp_path: Path, ladder, file: str, text: str | None, message: str
) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / file).unlink() if text is None else (tmp_path / file).write_text(text)
    code, _, err = ladder("run", program, "-F", tmp_path, "-D", tmp_path)
    assert code == 2 and message in err and "Traceback" not in err


def test_check_finds_errors_and_broken_lattices(tmp_path: Path, program: Path, ladder) -> None:  # type: ignore[no-untyped-def]
    assert ladder("check", program)[0] == 0
    (tmp_path / "bad.dl").write_text(".decl A(x: number)\nA(x) :- A(y).\n")
    code, _, err = ladder("check", tmp_path / "bad.dl")
    assert code == 2 and "bad.dl:2" in err
    (tmp_path / "wrong.py").write_text(
        "from ladder.lattices import Lattice\n\n\nclass Wrong(Lattice):\n    def join(self, a, b):\n        return "
        "a\n\n"
        "    def examples(self):\n        return [1, 2, 3]\n"
    )
    (tmp_path / "lattice.dl").write_text(
        '.lattice W = "wrong.py:Wrong"\n.decl A(x: W<>)\n.decl B(x: W)\n.input B\nA(x) :- B(x).\n'
    )
    code, _, err = ladder("check", "--trust", tmp_path / "lattice.dl")
    assert code == 1 and "lattice.dl:1:10: error: W is no lattice: join is not commutative: join(1, 2) = 1" in err, err
    assert ladder("check", tmp_path / "none.dl")[0] == 2


def test_show_and_explain_read_the_saved_result(tmp_path: Path, ladder) -> None:  # type: ignore[no-untyped-def]
    root = tmp_path / "project"
    write(root, FILES)
    assert "Run `analyze` first" in ladder("show", root, "Call", "--analysis", CALLS)[2]
    assert "There is no result for" in ladder("show", root, "Call")[2]
    assert ladder("analyze", root, "--analysis", CALLS, "--quiet")[0] == 0
    code, out, _ = ladder("show", root, "Call", "--analysis", CALLS, "--match", "p.C: done")
    assert code == 0 and out.splitlines()[1].split("  ") == ["src/p/B.java:3:19/done", "<p.C: done>"]
    code, out, _ = ladder("show", root, "Reaches", "--analysis", CALLS, "--ids", "--match", "p.C.done")
    row = out.splitlines()[1].split()
    code, out, _ = ladder("explain", root, "Reaches", *row, "--analysis", CALLS, "--full")
    assert code == 0 and "Invocation(" in out and "given" in out and "--depth" not in out
    code, out, _ = ladder("explain", root, "Reaches", *row, "--analysis", CALLS, "--full", "--depth", "1")
    assert code == 0 and "by Reaches(" in out and "--depth shows more levels" in out
    assert ladder("explain", root, "Reaches", *row, "--full", "--depth", "1")[1] == out
    assert ladder("show", root, "Call")[1] == ladder("show", root, "Call", "--analysis", CALLS)[1]
    code, _, err = ladder("explain", root, "Reach", *row)
    assert code == 2 and "has a rule or a relation Reach." in err and "--analysis" in err
    code, _, err = ladder("explain", root, "Reach", *row, "--analysis", CALLS)
    assert code == 2 and "no relation Reach" in err and "Reaches" in err
    assert "2 columns, but is given 1 value." in ladder("explain", root, "Reaches", row[0], "--analysis", CALLS)[2]
    code, _, err = ladder("explain", root, "Reaches", "-1", row[1], "--analysis", CALLS)
    assert code == 2 and "No such option" in err and "Write -- before RELATION" in err
    code, _, err = ladder("explain", "--analysis", CALLS, "--", root, "Reaches", "-1", row[1])
    assert code == 2 and "Reaches(-1, " in err and "is not a row" in err
    code, _, err = ladder("explain", root, "Method", "m", "t", "n", "seven", "u", "--analysis", CALLS)
    assert code == 2 and "'seven' is no number" in err and "column arity of Method" in err


def test_unsupported_options_are_refused_by_name(program: Path, ladder) -> None:  # type: ignore[no-untyped-def]
    code, _, err = ladder("run", program, "--engine", "spark", "--strategy", "dred")
    assert code == 2 and "The spark engine has no strategy dred" in err
    code, _, err = ladder("run", program, "--engine", "local", "--master", "local[2]", "--resume")
    assert code == 2 and "--master, --resume" in err and "--engine local" in err
    code, _, err = ladder("run", program, "--parquet", "-D", "-")
    assert code == 2 and "--parquet writes files" in err
    code, _, err = ladder("run", program, "--engine", "spark", "--resume")
    assert code == 2 and "--resume needs" in err
    code, _, err = ladder("run", program, "--engine", "spark", "--spark-conf", "memory=4g")
    assert code == 2 and "'memory=4g' is not a setting of Spark" in err


def test_help_lists_the_commands(ladder) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = ladder("--help")
    assert code == 0 and all(command in out for command in ("analyze", "run", "check", "show", "explain"))


def test_the_version_is_told(ladder, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    assert ladder("--version")[:2] == (0, f"ladder, version {version('ladder-analysis')}\n")

    def not_installed(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", not_installed)
    assert ladder("--version") == (0, "ladder, version 0\n", "")


def test_names_that_are_not_utf8(tmp_path: Path, ladder) -> None:  # type: ignore[no-untyped-def]
    """Of a program, of the folder that it is in, with its functors, and of what is written."""
    folder = tmp_path / os.fsdecode(b"odd\xff")
    folder.mkdir()
    (folder / "functions.py").write_text("def next_of(x): return x + 1\n")
    program, page = folder / os.fsdecode(b"p\xfe\x1b[31m.dl"), folder / "page.html"
    program.write_text(
        '.functor f(x: number): number = "functions:next_of"\n.decl r(x: number)\n.output r\nr(@f(1)).\n'
    )
    for _ in range(2):  # compiled, and from the cache
        code, _, err = ladder("run", program, "-D", folder, "--state", folder / "state", "--profile-output", page)
        assert code == 0 and "defect" not in err, err
    assert (folder / "r.csv").read_text() == "2\n"
    assert "p\\xfe\\x1b[31m.dl" in page.read_text() and "\x1b" not in page.read_text()


def test_similar_commands_are_named(ladder) -> None:  # type: ignore[no-untyped-def]
    code, _, err = ladder("analyse", ".")
    assert code == 2 and "No such command 'analyse'. Did you mean analyses or analyze?" in err
    assert "Did you" not in ladder("xyzzy")[2]


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze", ""],
        ["analyze", ".", "--output", ""],
        ["analyze", ".", "--state", ""],
        ["analyze", ".", "--models", ""],
        ["analyze", ".", "--baseline-commit", ""],
        ["run", ""],
        ["run", "p.dl", "-F", ""],
        ["run", "p.dl", "-D", ""],
        ["check", ""],
        ["show", "", "r"],
    ],
)
def test_empty_names_are_refused(arguments: list[str], ladder) -> None:  # type: ignore[no-untyped-def]
    """They come of variables of a shell that are not set, and would stand for the current directory."""
    code, _, complaint = ladder(*arguments)
    assert code == 2 and "empty" in complaint


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["run", "p.dl", "--time-limit", "nan"], "'nan' is not a number"),
        (["run", "p.dl", "--switch", "nan"], "'nan' is not a number"),
        (["test", "p", "--memory-limit", "nan"], "'nan' is not a number"),
        (["show", "p", "r", "--match", "\udcff"], "it is not UTF-8"),
        (["run", "p.dl", "-j", "9" * 5000], "At most 1,024 threads"),
        (["analyze", "p", "-j", "9" * 80], "0<=x<=1024"),
    ],
)
def test_values_beyond_all_ranges_are_refused(arguments: list[str], said: str, ladder) -> None:  # type: ignore[no-untyped-def]
    code, _, complaint = ladder(*arguments)
    assert code == 2 and said in complaint


def test_a_defect_is_told_in_a_sentence(program: Path, ladder, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("ladder.api.program.Program.load", broken)
    code, _, err = ladder("run", program)
    assert (
        code == 70
        and "defect of Ladder: ZeroDivisionError: by zero (test_commands.py:" in err
        and "Traceback" not in err
    )
    monkeypatch.setenv("LADDER_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["run", str(program)])
