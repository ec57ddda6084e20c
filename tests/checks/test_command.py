"""The command `ladder check`: exit codes, text and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ladder.cli.commands import ladder
from ladder.cli.failures import exit_code_of
from ladder.language.compile import compile_program
from ladder.language.options import LIBRARY, Options

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
from ladder.language.compile import compile_program
from ladder.language.options import Options


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
    assert run(capsys, "check", "--trust", program) == (0, f"{program}: 2 relations, 1 rule, 1 lattice: fine\n", "")
    assert run(capsys, "check", "--trust", "--json", program) == (0, "[]\n", "")


def test_a_broken_law(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program.parent / "mine.py").write_text(MINE.format(join="a if a > 3 else b"))
    code, out, err = run(capsys, "check", "--trust", program, "--examples", 500)
    assert code == 1 and out.endswith("1 lattice: 3 errors\n")
    assert "p.dl:1:10: error: Mine is no lattice: join is not commutative: join(0, 1) = 1, join(1, 0) = 0\n" in err
    assert '    .lattice Mine = "mine.py:Mine"\n             ^~~~' in err
    code, out, err = run(capsys, "check", "--trust", program, "--json")
    first = json.loads(out)[0]
    assert (code, err) == (1, "") and first["message"].startswith("Mine is no lattice: join is not commutative")
    assert {key: first[key] for key in ("severity", "file", "line", "column")} == {
        "severity": "error",
        "file": "p.dl",
        "line": 1,
        "column": 10,
    }


def test_a_refused_program(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(PROGRAM + "all(n) :- gven(n).\n")
    code, out, err = run(capsys, "check", "--trust", program)
    assert code == 2 and "p.dl:7:11: error: the relation gven is not declared" in err and "did you mean given?" in err
    code, out, err = run(capsys, "check", "--trust", program, "--json")
    assert code == 2 and err == "" and [e["line"] for e in json.loads(out)] == [7]
    assert run(capsys, "check", program.parent / "none.dl")[0] == 2


def test_warnings_are_chosen(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(PROGRAM + ".decl other(n: number)\nother(n + 1) :- given(n), given(m).\n")
    code, out, err = run(capsys, "check", "--trust", program)
    assert code == 0 and "warnings\n" in out and "unused" not in out and err.count("warning:") == 2
    assert run(capsys, "check", "--trust", "-w", program)[2] == ""
    assert run(capsys, "check", "--trust", "--wno", "unused-relation", program)[2].count("warning:") == 1
    assert [
        w["kind"] for w in json.loads(run(capsys, "check", "--trust", "--json", "-W", "var-appears-once", program)[1])
    ] == ["var-appears-once"]


EVIL = """\
.lattice L = "evil.py:L"
.lattice M = "ladder.lattices:sign"
.lattice N = "os:system('touch ran')"
.lattice T<> { Bottom -> $None(), Lub -> @lub(_, _) }
.type T = None {} | Some {n: number}
.functor lub(a: T, b: T): T = "evil.py:lub"
.functor f(n: number): number = "evil:f"
.decl given(n: number)
.input given
.decl all(x: L<>)
.output all
.decl signs(x: M<>)
.output signs
.decl named(x: N<>)
.output named
.decl t(x: T<>)
.output t
all(lub(n)) :- given(n).
all(x + 1) :- all(x), x < 10.
all(@f(x)) :- all(x), x < 5.
signs(lub(n)) :- given(n).
named(lub(n)) :- given(n).
t($Some(n)) :- given(n).
"""
LATTICE = """\
open("ran", "w").close()
from ladder.lattices import Lattice

class Base(Lattice):
    carrier = "number"
    bottom = 0
    def inject(self, value): return value

class L(Base):
    def join(self, a, b): return a - b
    def meet(self, a, b): return a

def f(n): return -n
def lub(a, b): return a
"""


def test_nothing_that_a_program_names_is_run_unless_it_is_trusted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.dl").write_text(EVIL)
    Path("evil.py").write_text(LATTICE)
    code, out, err = run(capsys, "check", "p.dl")
    assert code == 0 and "4 lattices" in out, err
    for place, what in (
        ("1:10", "the laws of the lattice L are not tested: this would run evil.py:L"),
        ("7:10", "the functor f is not tested"),
        ("3:10", "the laws of the lattice N"),
        ("6:10", "the functor lub"),
    ):
        assert f"p.dl:{place}: warning: {what}" in err
    assert "lattice M" not in err and "run with --trust" in err and not Path("ran").exists()
    found = json.loads(run(capsys, "check", "--json", "p.dl")[1])
    assert [one["kind"] for one in found].count("not-run") == 4 and not Path("ran").exists()
    Path("p.dl").write_text(EVIL + 'all(y) :- given(n), y = cat("a", n).\nall(1, 2) :- missing(_).\n')
    code, _, err = run(capsys, "check", "p.dl")
    assert code == 2 and "missing is not declared" in err and not Path("ran").exists()
    Path("p.dl").write_text(
        EVIL.replace(".lattice N = \"os:system('touch ran')\"", '.lattice N = "ladder.lattices:congruence"')
    )
    code, _, err = run(capsys, "check", "--trust", "p.dl")
    assert code == 1 and "L is no lattice" in err and Path("ran").exists()


@pytest.mark.parametrize(
    "binding",
    [
        "ladder.lattices:__builtins__.open('ran', 'w')",
        "ladder.lattices:sign.__class__",
        "ladder.lattices:k_set(open('ran'))",
        "ladder.lattices.laws:sys.exit()",
        "evil:L",
        "evil.py:L",
        "evil.py:open('ran', 'w')",
        "os.path:os.mkdir('ran')",
        "antigravity:x",
        "ladder.lattices:k_set(__import__('evil'))",
        "pkg.mod:L",
    ],
)
def test_bindings_that_only_look_supplied(
    binding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("pkg").mkdir()
    for file in ("evil.py", "pkg/__init__.py", "pkg/mod.py"):
        Path(file).write_text(LATTICE)
    Path("p.dl").write_text(f'.lattice L = "{binding}"\n.decl v(l: L<>)\n.output v\n')
    code, _, err = run(capsys, "check", "p.dl")
    assert code == 0 and "the laws of the lattice L are not tested" in err and not Path("ran").exists()


def test_functors_that_no_law_or_recursion_is_tested_with_are_not_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "p.dl"
    program.write_text(
        '.functor f(n: number): number = "os:abs"\n.decl given(n: number)\n.input given\n.decl all(x: number)\n'
        ".output all\nall(@f(n)) :- given(n).\n"
    )
    assert run(capsys, "check", program) == (0, f"{program}: 2 relations, 1 rule, 0 lattices: fine\n", "")


def test_what_ladder_supplies_is_trusted_and_not_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    functor = '.functor mine(n: number): number = "ladder.support.counts:counted"\n'
    rules = (
        ".include <java/functors.dl>\n.decl given(n: number)\n.input given\n.decl most(n: number)\n.output most\n"
        "most(max(n)) :- given(n).\nmost(max(@mine(n))) :- most(n).\n"
        'most(max(@mentions("a", to_string(n)))) :- most(n).\n'
    )
    Path("p.dl").write_text(functor + rules)
    code, out, err = run(capsys, "check", "p.dl")
    assert code == 0 and out.endswith("1 warning\n") and "this would run ladder.support.counts:counted" in err
    [found] = json.loads(run(capsys, "check", "--json", "p.dl")[1])
    assert found["file"] == "p.dl"
    Path("<java").mkdir()  # a file that is called as one of Ladder's
    Path("<java/functors.dl>").write_text(functor)
    Path("p.dl").write_text('.include "<java/functors.dl>"\n' + rules)
    assert "this would run ladder.support.counts:counted" in run(capsys, "check", "p.dl")[2]


def test_what_a_macro_puts_into_a_file_of_ladder_is_not_trusted(tmp_path: Path) -> None:
    text = (
        '#define component spare(type: symbol): symbol = "ladder.support.counts:counted" .functor component\n'
        "#include <java/functors.dl>\n"
    )
    compiled = compile_program(text, "p.dl", tmp_path, options=Options(trust=False))
    assert list(compiled.environment.not_run) == ["@spare"]


def test_of_an_analysis_of_ladder_its_own_file_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    program = LIBRARY / "linking.dl"
    code, out, err = run(capsys, "check", program)
    found = json.loads(run(capsys, "check", "--json", program)[1])
    assert code == 0 and not any(one["kind"] == "not-run" for one in found)
    assert all(one["severity"] == "warning" and one["file"].startswith("java/") for one in found)
    assert err.count(": warning: ") == len(found) and all(one["file"] in err for one in found)
    assert out.endswith(f"{len(found)} warning{'s' * (len(found) != 1)}\n" if found else "fine\n")
