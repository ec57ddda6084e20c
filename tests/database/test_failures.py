"""What goes wrong in the middle of an update leaves the old state; the next update works."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.reference import evaluate as naive
from ladder.errors import LadderError

from ..engine.comparison import check_structure, difference, state_of

FUNCTORS = '''
from ladder.lattices import Lattice


def checked(n):
    if n == 13:
        raise ValueError("unlucky")
    if n == 66:
        raise KeyboardInterrupt
    return n + 1


def split(n):
    yield n
    if n == 113:
        raise RuntimeError("half way")
    yield n + 1000


class Sets(Lattice):
    """Sets of numbers, without bound: programs here have finitely many."""

    def inject(self, value):
        return frozenset((value,))

    def join(self, a, b):
        if -1 in a | b and len(a | b) > 3:
            raise ArithmeticError("no join")
        if -2 in a | b and len(a | b) > 3:
            raise KeyboardInterrupt
        return a | b

    def examples(self):
        return [frozenset(), frozenset((1,)), frozenset((1, 2))]


class Wrong(Lattice):
    def inject(self, value):
        return frozenset((value,))

    def join(self, a, b):
        return [1]

    def examples(self):
        return []
'''
TEXT = """
.functor checked(n: number): number = "mine.py:checked"
.functor split(n: number): number = "mine.py:split" several
.lattice Sets = "mine.py:Sets"
.decl n(x: number)
.input n
.decl e(g: number, x: number)
.input e
.decl next(x: number, y: number)
next(x, @checked(x)) :- n(x).
.decl parts(x: number, y: number)
parts(x, y) :- next(x, _), y = @split(x).
.decl all(g: number, s: Sets<>)
all(g, lub(x)) :- e(g, x).
all(h, lub(s)) :- all(g, s), n(g), h = g / 2, h > 0.
.decl size(g: number, s: Sets)
size(g, s) :- all(g, s), !n(g).
"""
NUMBERS = [(n,) for n in range(1, 9)]
EDGES = [(g, x) for g in range(1, 9) for x in range(g % 3 + 1)]


def database(folder: Path, text: str = TEXT) -> Database:
    (folder / "mine.py").write_text(FUNCTORS)
    (folder / "program.dl").write_text(text)
    db = Database(Program.load(folder / "program.dl"))
    db.bootstrap({"n": NUMBERS, "e": EDGES})
    return db


def check(db: Database, n: list[tuple[int, ...]], e: list[tuple[int, ...]]) -> None:
    engine = db._ready()
    assert difference(state_of(engine), naive.evaluate(db.program.core, {"n": n, "e": e})) == ""
    check_structure(engine)


@pytest.mark.parametrize(
    ("change", "raised", "message"),
    [
        ({"n": [(13,), (20,), (21,)]}, LadderError, r"checked\(13\) raised ValueError: unlucky"),
        ({"n": [(113,), (114,)]}, LadderError, r"split\(113\) raised RuntimeError: half way"),
        ({"n": [(66,), (20,)]}, KeyboardInterrupt, None),
        (
            {"e": [(3, 100), (3, 101), (3, -1), (4, 7)]},
            LadderError,
            "the join of Sets.* raised ArithmeticError: no join",
        ),
        ({"e": [(3, 100), (3, 101), (3, -2), (4, 7)]}, KeyboardInterrupt, None),
        ({"n": [(16,)], "e": [(16, -1), (4, 50), (2, 51), (1, 52)]}, LadderError, "no join"),
    ],
    ids=str,
)
@pytest.mark.parametrize("again", [1, 3])
def test_the_old_state_stands(tmp_path: Path, change: dict, raised: type, message: str | None, again: int) -> None:
    db = database(tmp_path)
    check(db, NUMBERS, EDGES)
    deletions = {"e": EDGES[3:6], "n": NUMBERS[2:3]}
    for _ in range(again):
        with pytest.raises(raised, match=message):
            db.update(insert=change, delete=deletions)
        check(db, NUMBERS, EDGES)
    db.update(insert={"n": [(20,), (16,)], "e": [(3, 100), (3, 101), (4, 7), (16, 2)]}, delete=deletions)
    check(
        db,
        [r for r in NUMBERS if r not in NUMBERS[2:3]] + [(20,), (16,)],
        [r for r in EDGES if r not in EDGES[3:6]] + [(3, 100), (3, 101), (4, 7), (16, 2)],
    )


def test_a_bootstrap_that_fails_is_told_again(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FUNCTORS)
    (tmp_path / "program.dl").write_text(TEXT)
    db = Database(Program.load(tmp_path / "program.dl"))
    with pytest.raises(LadderError, match="unlucky"):
        db.bootstrap({"n": [(13,)]})
    with pytest.raises(LadderError, match="could not be evaluated"):
        db["n"]


def test_a_functor_that_returns_what_it_must_not(tmp_path: Path) -> None:
    with pytest.raises(LadderError, match=r"\[1\]"):
        database(tmp_path, TEXT.replace('"mine.py:Sets"', '"mine.py:Wrong"'))
    (tmp_path / "b.py").write_text("def bad(n): return 'text' if n > 1 else n\n")
    (tmp_path / "b.dl").write_text(
        '.functor bad(n: number): number = "b.py:bad"\n.decl n(x: number)\n.input n\n.decl m(x: number)\nm(@bad(x)) '
        ":- n(x)."
    )
    db = Database(Program.load(tmp_path / "b.dl"))
    db.load_rows("n", [(1,)])
    assert list(db["m"]) == [(1,)]
    with pytest.raises(LadderError, match="bad"):
        db.update(insert={"n": [(2,)]})
    assert list(db["m"]) == list(db["n"]) == [(1,)]
    db.update(insert={"n": [(0,)]})
    assert set(db["m"]) == {(0,), (1,)}


def test_failures_while_rules_change_or_everything_starts_over(tmp_path: Path) -> None:
    db = database(tmp_path)
    with pytest.raises(LadderError, match="unlucky"):
        db.add_rules("next(x, y) :- n(x), x = 8, y = @checked(x + 5).")
    check(db, NUMBERS, EDGES)
    db.strategy = "recompute"
    with pytest.raises(KeyboardInterrupt):
        db.update(insert={"n": [(66,)]})
    check(db, NUMBERS, EDGES)
