"""The options of `ladder run`, and every form in which it reads and writes rows."""

from __future__ import annotations

import gzip
import io
import sqlite3
from pathlib import Path

import pytest

from ladder import cli

HEAD = ".type P = [x: number, s: symbol]\n"


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.chdir(tmp_path)

    def call(text: str, *options: str, **files: str | bytes) -> tuple[int, str, str]:
        Path("p.dl").write_text(text)
        for name, content in files.items():
            Path(name.replace("__", ".")).write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(SystemExit) as leaving:
            cli.main(["run", "p.dl", *options])
        captured = capfd.readouterr()
        return int(leaving.value.code or 0), captured.out, captured.err

    return call


def written(name: str) -> list[str]:
    return sorted(Path(name).read_text().splitlines())


def test_the_current_directory_is_the_default(run) -> None:  # type: ignore[no-untyped-def]
    code, out, err = run(
        '.decl a(x: number)\n.input a\n.output a\n.printsize a\n.output a(IO=stdoutprintsize, name="b")\n',
        a__facts="2\n1\n",
    )
    assert (code, out, err) == (0, "a\t2\nb\t2\n", "") and written("a.csv") == ["1", "2"]


def test_relations_without_columns(run) -> None:  # type: ignore[no-untyped-def]
    text = "".join(f".decl {r}()\n.input {r}\n.output {r}\n.output {r}(IO=jsonfile)\n" for r in "ab")
    assert run(text, a__facts="()\n", b__facts="")[0] == 0
    assert Path("a.csv").read_text() == "()\n" and Path("b.csv").read_text() == ""
    assert Path("a.json").read_text() == "[null\n]\n" and Path("b.json").read_text() == "[]\n"


@pytest.mark.parametrize(
    ("parameters", "facts", "rows"),
    [
        ("", "1\ta\n", ["1\ta"]),
        ("", "1\ta\r\n2\tb\r\n", ["1\ta", "2\tb"]),
        ("", " +7\ta\n0x1f\tb\n0b11\tc\n", ["3\tc", "31\tb", "7\ta"]),
        ('delimiter=";;"', "1;;a\n", ["1\ta"]),
        ("headers=true", "x\ts\n1\ta\n", ["1\ta"]),
        ("headers=true", "x\ts\n", []),
        ('delimiter=","', "1,[a,b]\n2,c\n", ["1\t[a,b]", "2\tc"]),
        ("rfc4180=true", '1,"a,""b"\n', ['1\ta,"b']),
        ("rfc4180=true", '1,"two\nlines"\n2,plain\n', ["1\ttwo", "2\tplain", "lines"]),
        ("rfc4180=true", "1,a\n", ["1\ta"]),
        ('columns="2:0"', "a\tskipped\t1\tskipped\n", ["1\ta"]),
        ('columns="1:0", delimiter="|"', "a|1\n", ["1\ta"]),
        ("", b"\x1f\x8b", []),
        ('filename="other.txt"', None, ["5\tz"]),
        ('name="other"', None, ["6\ty"]),
        ("", "1\t\n\n2\tb", ["1\t", "2\tb"]),
    ],
)
def test_forms_of_lines(run, parameters: str, facts: str | bytes | None, rows: list[str]) -> None:  # type: ignore[no-untyped-def]
    if facts == b"\x1f\x8b":
        facts, rows = gzip.compress(b"9\tzipped\n"), ["9\tzipped"]
    files = {} if facts is None else {"r__facts": facts}
    code, _, err = run(
        f".decl r(x: number, s: symbol)\n.input r({parameters})\n.output r\n",
        **files,
        other__txt="5\tz\n",
        other__facts="6\ty\n",
    )
    assert code == 0, err
    assert written("r.csv") == rows


def test_records_and_branches_in_files(run) -> None:  # type: ignore[no-untyped-def]
    code, _, err = run(
        HEAD + ".decl r(p: P, f: float)\n.input r\n.output r\n.output r(IO=jsonfile, format=object)\n.output "
        'r(rfc4180=true, filename="q.csv")\n',
        r__facts='[1, a b]\t1.5\nnil\t1e10\n[ -2 , "q\\"x"]\t0.1\n',
    )
    assert code == 0, err
    assert written("r.csv") == ['[-2, q"x]\t0.100000001', "[1, a b]\t1.5", "nil\t1e+10"]
    assert written("q.csv") == ['"[-2, ""q\\""x""]",0.100000001', '"[1, ""a b""]",1.5', '"nil",1e+10']
    assert sorted(line.strip("[],") for line in written("r.json")) == [
        '{"p": null, "f": 1e+10}',
        '{"p": {"x": -2, "s": "q\\"x"}, "f": 0.1}',
        '{"p": {"x": 1, "s": "a b"}, "f": 1.5}',
    ]


def test_json_goes_round(run) -> None:  # type: ignore[no-untyped-def]
    text = (
        HEAD + ".decl r(p: P, n: number, u: unsigned, f: float, s: symbol)\n.input r(IO=jsonfile{})\n.output "
        'r(IO=jsonfile, filename="out.json"{})\n'
    )
    lists = '[[[1, "é\\n"], -3, 4294967295, 2.5, "x"],\n[null, 0, 0, 0, ""]]\n'
    assert run(text.format("", ""), r__json=lists)[0] == 0
    assert sorted(line.strip("[],") for line in written("out.json")) == sorted(
        line.strip("[],") for line in lists.splitlines()
    )
    assert run(text.format("", ", format=object"), r__json=lists)[0] == 0
    again = Path("out.json").read_text()
    assert run(text.format(', filename="again.json"', ""), again__json=again)[0] == 0
    assert sorted(line.strip("[],") for line in written("out.json")) == sorted(
        line.strip("[],") for line in lists.splitlines()
    )


def test_databases_go_round(run) -> None:  # type: ignore[no-untyped-def]
    text = HEAD + '.decl r(p: P, n: number, f: float, s: symbol)\n.input r\n.output r(IO=sqlite, filename="d.sqlite")\n'
    assert run(text, r__facts="[1, a]\t-3\t0.5\tx\nnil\t4\t1\ty\n")[0] == 0
    with sqlite3.connect("d.sqlite") as database:
        assert sorted(database.execute("SELECT s, n, f FROM r")) == [("x", -3, 0.5), ("y", 4, 1.0)]
        assert database.execute("SELECT count(*) FROM __SymbolTable").fetchone() == (2,)
    code, _, err = run(
        text.replace(".input r", '.input r(IO=sqlite, filename="d.sqlite")').replace(',filename="d.sqlite"', "")
        + ".output r\n"
    )
    assert code == 0, err
    assert written("r.csv") == ["[1, a]\t-3\t0.5\tx", "nil\t4\t1\ty"]


def test_standard_input_and_output(run, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("1\tä\n".encode())))
    text = (
        ".decl r(x: number, s: symbol)\n.input r(IO=stdin)\n.output r(IO=stdout)\n.output "
        'r(IO=stdout, headers=true, delimiter=",")\n.output r(IO=json)\n'
    )
    bar, line = "===============\n", "---------------\n"
    assert run(text) == (0, f'{line}r\n{bar}1\tä\n{bar}{line}r\nx,s\n{bar}1,ä\n{bar}[[1, "ä"]]\n', "")


def test_compressed_results(run) -> None:  # type: ignore[no-untyped-def]
    assert (
        run(
            '.decl r(x: number)\nr(1).\n.output r(compress=true)\n.output r(filename="sub/r.txt", headers=true)\n',
            "-D",
            "out",
        )[0]
        == 0
    )
    assert (
        gzip.decompress(Path("out/r.csv.gz").read_bytes()) == b"1\n" and Path("out/sub/r.txt").read_text() == "x\n1\n"
    )


@pytest.mark.parametrize(
    ("text", "files", "said"),
    [
        (
            ".decl r(x: number, y: number)\n.input r\n",
            {"r__facts": "1\t2\n1\t2x\n"},
            "r.facts:2:3: '2x' is not a value of type number",
        ),
        (
            ".decl r(x: number)\n.input r\n",
            {"r__facts": "3000000000\n"},
            "r.facts:1:1: 3000000000 is outside the range of type number",
        ),
        (
            ".decl r(x: unsigned)\n.input r\n",
            {"r__facts": "-1\n"},
            "r.facts:1:1: -1 is outside the range of type unsigned",
        ),
        (HEAD + ".decl r(p: P)\n.input r\n", {"r__facts": "[1; a]\n"}, "r.facts:1:3: , is missing"),
        (
            ".decl r(x: symbol, y: symbol)\n.input r(rfc4180=true)\n",
            {"r__facts": 'a,b\n"a,b\n'},
            "r.facts:2:1: a quotation mark is not closed",
        ),
        (
            ".decl r(x: symbol, y: symbol)\n.input r(rfc4180=true)\n",
            {"r__facts": '"a"b,c\n'},
            "r.facts:1:4: a quoted cell goes on",
        ),
        (".decl r(x: symbol)\n.input r\n", {"r__facts": b"a\n\xff\n"}, "r.facts:2: the text is not UTF-8"),
        (".decl r(x: number)\n.input r(IO=jsonfile)\n", {"r__json": "[[1],\n[2]"}, "r.json:2:4: this is not JSON"),
        (
            ".decl r(x: number)\n.input r(IO=jsonfile)\n",
            {"r__json": '[[1], ["a"]]'},
            'row 2, x: "a" is not a value of type number',
        ),
        (".decl r(x: number)\n.input r(IO=jsonfile)\n", {"r__json": '[{"y": 1}]'}, "row 1 has no x"),
        (
            ".decl r(x: number)\n.input r(IO=sqlite)\n",
            {"r__sqlite": "no database, this is text that goes on"},
            "cannot be read as an SQLite database",
        ),
        (".decl r(x: number)\n.input r(IO=sqlite)\n", {"r__sqlite": b""}, "has no table or view r"),
        (".decl r(x: number)\n.input r(IO=carrier_pigeon)\n", {}, "p.dl:2:8: IO=carrier_pigeon of r is not supported"),
        ('.decl r(x: number)\n.input r(columns="a")\n', {"r__facts": "1\n"}, 'columns="a" does not name 1 columns'),
        (".decl r(x: number)\n.input r\n", {}, "there is no file r.facts"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place(run, text: str, files: dict[str, str | bytes], said: str) -> None:  # type: ignore[no-untyped-def]
    code, _, err = run(text + ".output r\n", **files)
    assert code == 2 and said in err and "Traceback" not in err


def test_rows_that_are_too_long_are_warned_about(run) -> None:  # type: ignore[no-untyped-def]
    text = ".decl r(x: number)\n.input r\n.output r\n"
    code, _, err = run(text, r__facts="1\ta\n2\n")
    assert (
        code == 0
        and "ladder: warning: r.facts: 1 row has more than the 1 column of r; what is more is left out" in err
        and written("r.csv") == ["1", "2"]
    )
    assert run(text, "-w")[2] == ""


def test_missing_facts_are_none_without_warnings(run) -> None:  # type: ignore[no-untyped-def]
    assert run(".decl r(x: number)\n.input r\n.output r\n", "-w")[0] == 0 and written("r.csv") == []


def test_a_program_that_shows_nothing_is_told_of(run) -> None:  # type: ignore[no-untyped-def]
    said = "ladder: no relation has .output or .printsize, so nothing is shown\n"
    assert run(".decl r(x: number)\nr(1).\n") == (0, "", said)
    assert run(".decl r(x: number)\nr(1).\n", "-w") == (0, "", "")
    assert run(".decl r(x: number)\nr(1).\n.printsize r\n") == (0, "r\t1\n", "")


def test_what_no_result_needs_is_neither_read_nor_computed(run) -> None:  # type: ignore[no-untyped-def]
    text = """.decl missing(x: number)
.input missing
.decl endless(x: number)
endless(0).
endless(x + 1) :- endless(x).
endless(x) :- missing(x).
.decl a(x: number)
.input a
.decl b(x: number)
b(x) :- a(x), !c(x).
.decl c(x: number)
c(2).
"""
    assert run(text, a__facts="not read")[0] == 0
    assert run(text + ".printsize b\n", a__facts="1\n2\n")[:2] == (0, "b\t1\n")
    assert run(text + ".printsize b\n.output missing\n", a__facts="1\n")[0] == 2


def test_directories_of_pragmas_hold_unless_options_say_otherwise(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text = '.pragma "fact-dir" "here"\n.pragma "output-dir" "there"\n.decl r(x: number)\n.input r\n.output r\n'
    for folder, row in (("here", "1"), ("elsewhere", "2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "r.facts").write_text(f"{row}\n")
    assert run(text)[0] == 0 and written("there/r.csv") == ["1"]
    assert run(text, "-F", "elsewhere", "-D", ".")[0] == 0 and written("r.csv") == ["2"]
    assert run(text, "-P", "output-dir:yonder")[0] == 0 and written("yonder/r.csv") == ["1"]


def test_advice_is_accepted(run) -> None:  # type: ignore[no-untyped-def]
    text = '.pragma "magic-transform" "*"\n.pragma "inline-exclude" "r"\n.decl r(x: number) btree\nr(1).\n.output r\n'
    assert run(text, "-j", "auto", "-m", "*", "-c", "--legacy") == (0, "", "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--functors", "libfunctors.so"], "shared library libfunctors.so"),
        (["-l", "functors"], "shared library functors"),
        (["-P", "libraries:f"], "shared library f"),
        (["-o", "program"], "not translated to C++"),
        (["-t", "explain"], "--provenance is not supported"),
        (["-j", "many"], "-j"),
        (["-P", "RamDomain:48"], "32 or 64 bits"),
        (["--functors", "none.py"], "no functors at none.py"),
        (["--functors", "noname"], "no functors at noname"),
        (["--functors", "broken.py"], "broken.py cannot be used"),
    ],
)
def test_what_cannot_be_honoured_is_refused_by_name(run, options: list[str], said: str) -> None:  # type: ignore[no-untyped-def]
    code, _, err = run(".decl r(x: number)\nr(1).\n", *options, broken__py="import nothing_of_the_kind\n", noname="")
    assert code == 2 and said in err and "Traceback" not in err


def test_functors_in_python_take_the_place_of_libraries(run) -> None:  # type: ignore[no-untyped-def]
    text = ".functor twice(x: number): number\n.decl r(x: number)\nr(@twice(21)).\n.output r\n"
    files = {"f__py": "def twice(x):\n    return 2 * x\n"}
    for program, options in ((text, []), (text, ["-l", "twice"]), ('.pragma "libraries" "twice"\n' + text, [])):
        assert run(program, "--functors", "f.py", *options, **files)[0] == 0 and written("r.csv") == ["42"]
    code, _, err = run('.pragma "libraries" "twice"\n' + text)
    assert code == 2 and "twice" in err


def test_records_may_be_nested_deeper_than_python_calls(run) -> None:  # type: ignore[no-untyped-def]
    deep = 3000
    text = ".type L = [head: number, tail: L]\n.decl r(l: L)\n.input r\n.output r\n.output r(IO=jsonfile)\n"
    line = "".join(f"[{i}, " for i in range(deep)) + "nil" + "]" * deep
    code, _, err = run(text, r__facts=line + "\n")
    assert code == 0, err
    assert written("r.csv") == [line] and Path("r.json").read_text() == f"[[{line.replace('nil', 'null')}]]\n"
