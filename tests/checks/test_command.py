"""The command `ladder check`: exit codes, text and JSON."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from ladder.cli.commands import ladder
from ladder.cli.failures import exit_code_of

PROGRAM = """\
.lattice Mine = "mine.py:Mine"
.decl given(n: number)
.input given
.decl all(x: Mine<>)
.output all
all(lub(n)) :- given(n).
"""
MINE = """\
from ladder.lattices import Lattice


class Mine(Lattice[int]):
    carrier = "number"

    def join(self, a: int, b: int) -> int:
        return {join}

    def inject(self, value: int) -> int:
        return value
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = exit_code_of(lambda: ladder.main([str(a) for a in arguments], prog_name="ladder", standalone_mode=False))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "p.dl").write_text(PROGRAM)
    (tmp_path / "mine.py").write_text(MINE.format(join="max(a, b)"))
    return tmp_path / "p.dl"


def test_a_sound_program(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check", program) == (0, f"{program}: 2 relations, 1 rule, 1 lattice: fine\n", "")
    assert run(capsys, "check", "--json", program) == (0, "[]\n", "")


def test_a_broken_law(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program.parent / "mine.py").write_text(MINE.format(join="a if a > 3 else b"))
    code, out, err = run(capsys, "check", program, "--examples", 500)
    assert code == 1 and out.endswith("1 lattice: 3 errors\n")
    assert "p.dl:1:10: error: Mine is no lattice: join is not commutative: join(0, 1) = 1, join(1, 0) = 0\n" in err
    assert '    .lattice Mine = "mine.py:Mine"\n             ^~~~' in err
    code, out, err = run(capsys, "check", program, "--json")
    first = json.loads(out)[0]
    assert (code, err) == (1, "") and first["message"].startswith("Mine is no lattice: join is not commutative")
    assert {key: first[key] for key in ("severity", "file", "line", "column")} == {
        "severity": "error", "file": "p.dl", "line": 1, "column": 10}


def test_a_refused_program(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(PROGRAM + "all(n) :- gven(n).\n")
    code, out, err = run(capsys, "check", program)
    assert code == 2 and "p.dl:7:11: error: the relation gven is not declared" in err and "did you mean given?" in err
    code, out, err = run(capsys, "check", program, "--json")
    assert code == 2 and err == "" and [e["line"] for e in json.loads(out)] == [7]
    assert run(capsys, "check", program.parent / "none.dl")[0] == 2


def test_warnings_are_chosen(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(PROGRAM + ".decl other(n: number)\nother(n + 1) :- given(n), given(m).\n")
    code, out, err = run(capsys, "check", program)
    assert code == 0 and "warnings\n" in out and "unused" not in out and err.count("warning:") == 2
    assert run(capsys, "check", "-w", program)[2] == ""
    assert run(capsys, "check", "--wno", "unused-relation", program)[2].count("warning:") == 1
    assert [w["kind"] for w in json.loads(run(capsys, "check", "--json", "-W", "var-appears-once", program)[1])] == ["var-appears-once"]
