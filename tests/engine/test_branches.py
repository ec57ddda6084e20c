"""Algebraic data types in the engine: facts and results, patterns, constants, lattices and functors over them, updates,
saved states."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved.state import SavedState
from ladder.engine.local.values.arrow import table_of_cells
from ladder.engine.reference import evaluate as naive
from ladder.errors import LadderError
from ladder.language.core import (
    Atom,
    Column,
    Compute,
    Const,
    Function,
    Generate,
    Kind,
    Pack,
    Program,
    Relation,
    Rule,
    Type,
    Unpack,
    Var,
    verify,
)

from .comparison import check_structure, difference, state_of
from .saving import ORIGIN, opened
from .tuned import tuned

NUMBER, SYMBOL = Type("number", Kind.NUMBER), Type("symbol", Kind.SYMBOL)
TREE = Type(
    "Tree",
    Kind.RECORD,
    branches=(
        ("Leaf", ()),
        ("Node", (("left", "Tree"), ("value", "number"), ("right", "Tree"))),
        ("Named", (("pair", "Pair"),)),
    ),
)
ALIAS = Type("Alias", Kind.RECORD, branches=TREE.branches)
PAIR = Type("Pair", Kind.RECORD, (("name", "symbol"), ("tree", "Tree")))
NOTHING = Type("Nothing", Kind.RECORD)
TYPES = {t.name: t for t in (NUMBER, SYMBOL, TREE, ALIAS, PAIR, NOTHING)}
LEAF = ("Leaf",)
T, U, W, N, M, P, S = (Var(name) for name in "tuwnmps")


class Taller:
    """The higher of two trees; of equal ones the greater in text."""

    def join(self, a: Any, b: Any) -> Any:
        return max(a, b, key=lambda tree: (height(tree), repr(tree)))


def height(tree: Any) -> int:
    if tree == LEAF:
        return 0
    if tree[0] == "Named":
        return 1 + (height(tree[1][1]) if tree[1] else 0)
    return 1 + max(height(tree[1]), height(tree[3]))


def mirrored(tree: Any) -> Any:
    return ("Node", tree[3], tree[2], tree[1]) if tree[0] == "Node" else tree


def parts(tree: Any) -> list[Any]:
    return [tree[1], tree[3]] if tree[0] == "Node" else []


def columns(*types: Type) -> tuple[Column, ...]:
    return tuple(Column(f"c{i}", type_) for i, type_ in enumerate(types))


def program() -> Program:
    relations = (
        Relation("given", columns(NUMBER, ALIAS)),
        Relation("tree", columns(NUMBER, TREE)),
        Relation("value", columns(NUMBER, NUMBER)),
        Relation("part", columns(TREE, TREE)),
        Relation("grown", columns(TREE)),
        Relation("named", columns(SYMBOL, TREE)),
        Relation("best", columns(NUMBER, TREE), aggregate="taller"),
        Relation("seen", columns(TREE, NUMBER)),
        Relation("turned", columns(TREE)),
        Relation("empty", columns(NOTHING)),
        Relation("isolated", columns(TREE)),
    )
    rules = (
        Rule(Atom("tree", (N, T)), (Atom("given", (N, T)),)),
        Rule(Atom("tree", (N, U)), (Atom("tree", (N, T)), Unpack(T, (U, None, None), TREE, "Node"))),
        Rule(Atom("value", (N, M)), (Atom("tree", (N, T)), Unpack(T, (None, M, None), TREE, "Node"))),
        Rule(Atom("isolated", (T,)), (Atom("tree", (None, T)), Unpack(T, (), TREE, "Leaf"))),
        Rule(Atom("named", (S, U)), (Atom("tree", (N, T)), Unpack(T, (P,), TREE, "Named"), Unpack(P, (S, U), PAIR))),
        Rule(Atom("grown", (W,)), (Atom("tree", (N, T)), Pack(U, (), TREE, "Leaf"), Pack(W, (T, N, U), TREE, "Node"))),
        Rule(Atom("grown", (W,)), (Atom("named", (S, T)), Pack(P, (S, T), PAIR), Pack(W, (P,), TREE, "Named"))),
        Rule(Atom("part", (T, U)), (Atom("grown", (T,)), Generate(U, "parts", (T,)))),
        Rule(Atom("turned", (U,)), (Atom("grown", (T,)), Compute(U, "mirrored", (T,)))),
        Rule(Atom("best", (N, T)), (Atom("tree", (N, T)),)),
        Rule(Atom("seen", (T, N)), (Atom("best", (N, T)),)),
        Rule(
            Atom("seen", (Const(("Node", LEAF, 5, LEAF), TREE), N)),
            (Atom("tree", (N, Const(("Named", ("a", LEAF)), TREE))),),
        ),
        Rule(Atom("empty", (P,)), (Atom("tree", (N, Const(LEAF, TREE))), Pack(P, (), NOTHING))),
    )
    functions = {
        "mirrored": Function("mirrored", (TREE,), TREE, mirrored),
        "parts": Function("parts", (TREE,), TREE, parts, several=True),
    }
    return verify(Program({r.name: r for r in relations}, rules, functions, {"taller": Taller()}, types=TYPES))


def node(left: Any, value: int, right: Any) -> Any:
    return ("Node", left, value, right)


ROWS = [
    (1, LEAF),
    (1, node(LEAF, 3, LEAF)),
    (2, node(node(LEAF, 1, LEAF), 2, ("Named", ("a", LEAF)))),
    (2, ("Named", ("a", LEAF))),
    (3, ("Named", ("b", node(LEAF, 0, node(LEAF, 1, LEAF))))),
    (4, ("Named", None)),
    (5, LEAF),
]


def test_against_the_naive_evaluator_with_changes_and_saved_states(tmp_path: Path) -> None:
    core = program()
    engine = LocalEngine(core, tuning=tuned(capacity=2, batch_size=3))
    engine.bootstrap({"given": engine.encode_facts("given", ROWS[:4])})
    now, saved = ROWS[:4], SavedState(tmp_path)
    changes = [([ROWS[1]], [ROWS[4], ROWS[5]]), ([], [ROWS[6], ROWS[1]]), (ROWS[:3], []), ([], ROWS[:3])]
    for gone, come in changes:
        assert difference(state_of(engine), naive.evaluate(core, {"given": now})) == ""
        engine.prepare_updates()
        saved.save(engine, ORIGIN, "")
        engine, saved = opened(tmp_path, core)
        assert difference(state_of(engine), naive.evaluate(core, {"given": now})) == ""
        engine.update({"given": engine.encode_facts("given", gone)}, {"given": engine.encode_facts("given", come)})
        engine.finish()
        check_structure(engine)
        now = [row for row in now if row not in gone] + [row for row in come if row not in now]
    assert difference(state_of(engine), naive.evaluate(core, {"given": now})) == ""


@pytest.mark.parametrize(
    "value",
    [
        "Leaf",
        ("Twig",),
        ("Leaf", 1),
        ("Node", LEAF, 1),
        ("Node", LEAF, "x", LEAF),
        (),
        7,
        ("Node", ("Node",), 1, LEAF),
        None,
        node(LEAF, 1, None),
    ],
)
def test_values_that_are_not_of_the_type(value: Any) -> None:
    with pytest.raises(LadderError, match="not a value of type Alias"):
        LocalEngine(program()).encode_facts("given", [(1, value)])


def test_texts_of_values() -> None:
    engine = LocalEngine(program())
    cells = engine.encode_facts("given", ROWS)
    texts = table_of_cells(engine.values, cells, [("n", NUMBER), ("t", ALIAS)]).column(1).to_pylist()
    assert texts == [
        "$Leaf",
        "$Node($Leaf, 3, $Leaf)",
        "$Node($Node($Leaf, 1, $Leaf), 2, $Named([a, $Leaf]))",
        "$Named([a, $Leaf])",
        "$Named([b, $Node($Leaf, 0, $Node($Leaf, 1, $Leaf))])",
        "$Named(nil)",
        "$Leaf",
    ]


def test_long_lists_are_decoded() -> None:
    engine = LocalEngine(program())
    tree = leaf = engine.values.encode(LEAF, TREE)
    for value in range(20_000):
        tree = engine.values.record_cell(TREE, "Node", [tree, value, leaf])
    found = engine.values.decode(tree, TREE)
    for value in reversed(range(20_000)):
        assert found[2] == value and found[3] == LEAF
        found = found[1]
    assert found == LEAF


def test_many_records_at_once_are_those_one_by_one() -> None:
    """Encoded together or alone, in any order: the same values; equal ones are one record."""
    trees: list[Any] = [LEAF]
    for value in range(300):
        trees.append(node(trees[value], value % 5, trees[value // 2]))
        trees.append(("Named", ("x", trees[value])))
    together, alone = LocalEngine(program()), LocalEngine(program())
    cells = together.values.encode_column(trees, TREE)
    assert [together.values.decode(cell, TREE) for cell in cells.tolist()] == trees
    assert len(set(cells.tolist())) == len(set(trees))
    assert [alone.values.decode(alone.values.encode(tree, TREE), TREE) for tree in reversed(trees)] == trees[::-1]
    assert together.values.encode_many([list(trees[5]), trees[5]], TREE) == [cells[5], cells[5]]


def test_the_wrong_value_among_many_is_named() -> None:
    engine = LocalEngine(program())
    with pytest.raises(LadderError, match=r"\('Node', \('Leaf',\), 'x', \('Leaf',\)\) is not a value of type Tree"):
        engine.values.encode_many([LEAF, node(LEAF, 1, LEAF), node(LEAF, "x", LEAF), LEAF], TREE)
