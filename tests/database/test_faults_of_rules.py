"""What goes wrong in a rule's evaluation names the call, the line of the user's code and the rule, whatever evaluates
it; the state stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ladder import Database, LadderError, Program
from ladder.engine.reference import evaluate as naive

FUNCTORS = """\
def helper(x):
    return 1 // (x - 2)

def boom(x):
    return helper(x)

def text(x):
    return "text" if x == 2 else x

def nothing(x):
    return None if x == 2 else x

def large(x):
    return 2 ** 40 if x == 2 else x

def half(x):
    yield x
    if x == 2:
        raise KeyError("k")

class Picky:
    bottom = 0

    def join(self, a, b):
        if a != b:
            raise ValueError("no join")
        return a
"""
HEAD = """\
.functor boom(x: number): number = "mine.py:boom"
.functor text(x: number): number = "mine.py:text"
.functor nothing(x: number): number = "mine.py:nothing"
.functor large(x: number): number = "mine.py:large"
.functor half(x: number): number = "mine.py:half" several
.decl n(x: number)
.input n
.decl r(x: number){}
.output r
"""
CALLS = {
    "r(@boom(x)) :- n(x).": "boom(2) raised ZeroDivisionError: integer division or modulo by zero, in mine.py:2 "
    "(helper)",
    "r(@text(x)) :- n(x).": "text(2) returned what it must not: 'text' is not a value of type number (number)",
    "r(@nothing(x)) :- n(x).": "nothing(2) returned what it must not: None is not a value of type number (number)",
    "r(@large(x)) :- n(x).": "large(2) returned what it must not: 1099511627776 is not a value of type number (number)",
    "r(y) :- n(x), y = @half(x).": "half(2) raised KeyError: 'k', in mine.py:19 (half)",
    "r(y) :- n(x), y = sum z : { n(x), z = @boom(x) }.": "boom(2) raised ZeroDivisionError",
    "r(x) :- n(x), !n(@boom(x)).": "boom(2) raised ZeroDivisionError",
}


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., Program]:
    def load(rules: str, qualifier: str = "") -> Program:
        (tmp_path / "mine.py").write_text(FUNCTORS)
        (tmp_path / "p.dl").write_text(HEAD.format(qualifier) + rules + "\n")
        return Program.load(tmp_path / "p.dl")

    return load


def lines_of(error: pytest.ExceptionInfo[LadderError]) -> list[str]:
    return str(error.value).split("\n")


@pytest.mark.parametrize("ordered", ["", " choice-domain x"])
@pytest.mark.parametrize("rule", CALLS)
def test_calls(rule: str, ordered: str, program: Callable[..., Program]) -> None:
    for _ in range(2):  # the second time, the checked program comes out of the cache
        db = Database(program(rule, ordered))
        with pytest.raises(LadderError) as failed:
            db.bootstrap({"n": [(2,), (0,)]})
        lines = lines_of(failed)
        assert lines[0].startswith(f"p.dl:10:1: error: {CALLS[rule]}") and lines[1:3] == [f"    {rule}", "    ^"], lines
    db = Database(program(rule, ordered))
    db.bootstrap({"n": [(0,)]})
    before = [*db["n"], *db["r"]]
    with pytest.raises(LadderError) as failed:
        db.update(insert={"n": [(5,), (2,)]})
    assert lines_of(failed)[0].startswith(f"p.dl:10:1: error: {CALLS[rule]}")
    assert [*db["n"], *db["r"]] == before
    db.update(insert={"n": [(1,)]})
    assert len(db["n"]) == 2


@pytest.mark.parametrize("ordered", ["", " choice-domain x"])
@pytest.mark.parametrize("result", ["None", '("Node", None)'])
def test_no_branch_is_nil(result: str, ordered: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"def tree(x):\n    return {result}\n")
    (tmp_path / "p.dl").write_text(
        ".type Tree = Node { inner: Tree } | Leaf {}\n"
        '.functor tree(x: number): Tree = "mine.py:tree"\n'
        f".decl n(x: number)\n.input n\n.decl r(x: Tree){ordered}\n.output r\nr(@tree(x)) :- n(x).\n"
    )
    db = Database(Program.load(tmp_path / "p.dl"))
    with pytest.raises(LadderError, match=r"tree\(1\) returned what it must not: .*None.* is not a value of type Tree"):
        db.bootstrap({"n": [(1,)]})


def test_rules_that_are_added(program: Callable[..., Program]) -> None:
    db = Database(program("r(0)."))
    db.bootstrap({"n": [(2,)]})
    with pytest.raises(
        LadderError, match=r"p.dl:12:1: error: boom\(2\) raised ZeroDivisionError.*\n    r\(@boom\(x\)\) :- n\(x\).\n"
    ):
        db.add_rules("r(@boom(x)) :- n(x).")
    assert list(db["r"]) == [(0,)]


def test_one_of_several_rules(program: Callable[..., Program]) -> None:
    db = Database(program("r(x) :- n(x), x = @boom(5).\nr(@boom(x)) :- n(x)."))
    with pytest.raises(
        LadderError, match=r"^p.dl:10:1: error: boom\(2\)(.|\n)*It may be what is called for at p.dl:11:1, too.$"
    ):
        db.bootstrap({"n": [(2,)]})


@pytest.mark.parametrize("ordered", ["", " choice-domain x"])
def test_joins(ordered: str, program: Callable[..., Program]) -> None:
    rules = (
        '.lattice L = "mine.py:Picky"\n.functor made(x: number): L = "builtins:int"\n.decl '
        "v(k: number, l: L<>)\n.output v\n"
    )
    db = Database(program(rules + "v(1, @made(x)) :- n(x).\nr(0) :- v(1, _).\nv(k, @made(k)) :- r(k).", ordered))
    with pytest.raises(LadderError) as failed:
        db.bootstrap({"n": [(2,), (1,)]})
    assert (
        lines_of(failed)[0].startswith("p.dl:12:7: error: the join of L(")
        and "raised ValueError: no join, in mine.py:26 (join)" in lines_of(failed)[0]
    )
    assert lines_of(failed)[1] == "    .decl v(k: number, l: L<>)"


@pytest.mark.parametrize("rule", [rule for rule, said in CALLS.items() if "raised" in said])
def test_the_definition_tells_it_too(rule: str, program: Callable[..., Program]) -> None:
    loaded: Any = program(rule)
    with pytest.raises(LadderError, match=r"^p.dl:10:1: error: \w+\(2\) raised"):
        naive.evaluate(loaded.core, {"n": [(2,)]})


@pytest.mark.parametrize(
    "rule, rows",
    [
        ("r(10 / x) :- n(x).", [5]),
        ("r(10 % x) :- n(x).", [0]),
        ('r(to_number(t)) :- n(x), t = cat("x", to_string(x)).', []),
        ("r(0) :- n(x), n(y), x / y > 1.", []),
        ("r(x) :- n(x), 10 / x = 5.", [2]),
        ("r(y) :- n(x), y = range(0, 3, x).", [0, 2]),
    ],
)
@pytest.mark.parametrize("ordered", ["", " choice-domain x"])
def test_what_has_no_value_yields_nothing(
    rule: str, rows: list[int], ordered: str, program: Callable[..., Program]
) -> None:
    db = Database(program(rule, ordered))
    db.bootstrap({"n": [(2,), (0,)]})
    assert sorted(x for (x,) in db["r"]) == rows


@pytest.mark.parametrize("engine", ["local", "reference"])
@pytest.mark.parametrize(
    "use",
    [
        lambda db: db.update(insert={"n": [(9,)]}),
        lambda db: db.add_rules("n(9)."),
        lambda db: db.load_rows("n", [(9,)]),
        lambda db: list(db["n"]),
    ],
)
def test_a_functor_that_uses_the_database_which_calls_it_is_refused(
    use: Callable[[Database], Any], engine: str
) -> None:
    def twice(x: int) -> int:
        if x == 7:
            use(db)
        return 2 * x

    text = ".functor twice(x: number): number .decl n(x: number) .decl r(x: number) r(@twice(x)) :- n(x)."
    db = Database(Program.parse(text, functors={"twice": twice}), engine=engine, switch=None)
    db.update(insert={"n": [(4,)]})
    with pytest.raises(LadderError, match="The database is being evaluated"):
        db.update(insert={"n": [(7,)]})
    assert (set(db["n"]), set(db["r"])) == ({(4,)}, {(8,)})
    db.update(insert={"n": [(5,)]})
    assert set(db["r"]) == {(8,), (10,)}


def test_values_of_a_lattice_that_cannot_be_hashed_are_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "lists.py").write_text(
        "from ladder.lattices import Lattice\nclass Lists(Lattice):\n    def inject(self, n): return [n]\n"
        "    def join(self, a, b): return sorted({*a, *b})\n"
    )
    (tmp_path / "p.dl").write_text(
        '.lattice L = "lists.py:Lists" .decl n(x: number) .decl m(v: L<>) n(1). m(lub(x)) :- n(x).'
    )
    with pytest.raises(LadderError, match=r"\[1\] is not a value of type L \(object\): it cannot be hashed"):
        Database(Program.load(tmp_path / "p.dl"))["m"]
