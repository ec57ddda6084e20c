"""Large groups with keys, within recursion: values that arrive one after the other and cancel out, changed, restored,
saved."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved.state import SavedState
from ladder.engine.reference import evaluate as naive
from ladder.errors import LadderError
from ladder.language.core import (
    Atom,
    Column,
    Compare,
    Compute,
    Const,
    Kind,
    Program,
    Relation,
    Rule,
    Type,
    Var,
    verify,
)

from ..marks import slow_after
from .comparison import check_structure, difference, state_of
from .keyed import NUMBER, UNSIGNED, Parity, Product, Signed
from .saving import ORIGIN, opened
from .tuned import tuned

FLOAT, OBJECT = Type("float", Kind.FLOAT), Type("object", Kind.OBJECT)
A, B, G, K, V, S, H = (Var(name) for name in "abgkvsh")


class Bag:
    """Sorted tuples, put together: every value shows as often as it is there."""

    def join(self, a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(a + b))


def columns(*types: Type) -> tuple[Column, ...]:
    return tuple(Column(f"c{i}", type_) for i, type_ in enumerate(types))


def chained(aggregate: str, value: Type) -> Program:
    """seed(a, k, v) is an aggregate input of the group a / 20; along the chain from a it arrives again, an iteration or
    two later each time.

    Every total that there ever was is a reason for the next step, so that numbers of derivations tell all of them.
    """
    relations = (
        Relation("chain", columns(NUMBER, NUMBER)),
        Relation("seed", columns(NUMBER, NUMBER, value)),
        Relation("at", columns(NUMBER, NUMBER, value)),
        Relation("seen", columns(NUMBER, value)),
        Relation("total", columns(NUMBER, value), aggregate=aggregate, keys=columns(NUMBER, NUMBER)),
    )
    group = Compute(G, "/", (A, Const(20, NUMBER)))
    rules = (
        Rule(Atom("at", (A, K, V)), (Atom("seed", (A, K, V)),)),
        Rule(
            Atom("at", (B, K, V)),
            (
                Atom("at", (A, K, V)),
                Atom("chain", (A, B)),
                Atom("total", (H, S)),
                group,
                Compare("=", G, H, Kind.NUMBER),
            ),
        ),
        Rule(Atom("total", (G, A, K, V)), (Atom("at", (A, K, V)), group)),
        Rule(Atom("seen", (G, S)), (Atom("total", (G, S)),)),
    )
    return verify(
        Program(
            {r.name: r for r in relations},
            rules,
            lattices={"parity": Parity(), "product": Product(), "signed": Signed(), "bag": Bag()},
        )
    )


def follow(aggregate: str, value: Type, values: list[Any], seed: int, folder: Path) -> None:
    source, program = random.Random(seed), chained(aggregate, value)
    engine = LocalEngine(program, tuning=tuned(batch_size=source.choice((3, 64)), capacity=source.choice((2, 64))))
    chain = {(a, a + 1) for a in range(100) if a % 20 < 6 and source.random() < 0.8}
    seeds = {
        (20 * g + source.randrange(6), source.randrange(9), source.choice(values))
        for g, size in enumerate((1, 2, 3, 12, 40))
        for _ in range(size)
    }

    def encoded(name: str, rows: set[Any]) -> dict[str, Any]:
        return {name: engine.encode_facts(name, sorted(rows))} if rows else {}

    engine.bootstrap({**encoded("chain", chain), **encoded("seed", seeds)})
    saved = SavedState(folder)
    for step in range(8):
        expected = naive.evaluate(program, {"chain": sorted(chain), "seed": sorted(seeds)})
        assert difference(state_of(engine), expected) == "", step
        check_structure(engine)
        if step % 3 == 1:
            engine.prepare_updates()
            saved.save(engine, ORIGIN, "")
            engine, saved = opened(folder, program)
        count = source.choice((1, 2, 10, 30))
        gone = set(source.sample(sorted(seeds), min(count, len(seeds)))) if source.random() < 0.9 else set(seeds)
        come = {
            (20 * source.randrange(5) + source.randrange(6), source.randrange(9), source.choice(values))
            for _ in range(source.choice((0, 1, 3, 30)))
        } - gone
        cut = {edge for edge in chain if source.random() < 0.05}
        grown = {(a, a + 1) for a in range(100) if a % 20 < 6 and source.random() < 0.05} - cut
        changes = (
            {**encoded("chain", cut), **encoded("seed", gone)},
            {**encoded("chain", grown), **encoded("seed", come)},
        )
        if source.random() < 0.3:
            engine.update(*changes)
            engine.abandon()
            assert difference(state_of(engine), expected) == "", step
        engine.update(*changes)
        engine.finish()
        if source.random() < 0.4:
            for number in engine.numbers.values():
                engine.compact(number)
        chain, seeds = chain - cut | grown, seeds - gone | come


@pytest.mark.parametrize("seed", slow_after(1, range(3)))
@pytest.mark.parametrize(
    ("aggregate", "value", "values"),
    [
        ("sum", NUMBER, [-2, -1, 0, 1, 2]),
        ("sum", NUMBER, [2**31 - 1, -(2**31), 1, -1]),
        ("sum", UNSIGNED, [1, 2**32 - 1, 2**31]),
        ("min", NUMBER, [-(2**31), -1, 0, 2**31 - 1]),
        ("max", UNSIGNED, [0, 1, 2**31 - 1, 2**31, 2**32 - 1]),
        ("min", UNSIGNED, [0, 1, 2**31, 2**32 - 1]),
        ("min", FLOAT, [-1.5, 0.0, 0.25, -(2.0**100), float("inf")]),
        ("max", FLOAT, [-1.5, -2.5, 0.25, 2.0**100, float("-inf")]),
        ("parity", NUMBER, [0, 1, 2, 3]),
        ("signed", NUMBER, [0, 1, 2, 4, 5]),
        ("product", NUMBER, [0, 1, 2, 3]),
        ("bag", OBJECT, [(1,), (2,), ()]),
    ],
)
def test_groups_that_grow_and_shrink(aggregate: str, value: Type, values: list[Any], seed: int, tmp_path: Path) -> None:
    follow(aggregate, value, values, seed, tmp_path / "state")


def test_a_total_that_comes_back_takes_over() -> None:
    """10, 11, 10 becomes 6, 11, 10: the later total is the first of its value now, though nothing changes then."""
    relations = (
        Relation("start", columns(NUMBER)),
        Relation("step", columns(NUMBER, NUMBER, NUMBER)),
        Relation("at", columns(NUMBER, NUMBER)),
        Relation("total", columns(NUMBER), aggregate="signed", keys=columns(NUMBER)),
    )
    rules = (
        Rule(Atom("at", (Const(0, NUMBER), V)), (Atom("start", (V,)),)),
        Rule(Atom("at", (B, V)), (Atom("step", (A, B, V)), Atom("at", (A, None)), Atom("total", (S,)))),
        Rule(Atom("total", (A, V)), (Atom("at", (A, V)),)),
    )
    program = verify(Program({r.name: r for r in relations}, rules, lattices={"signed": Signed()}))
    steps = [(0, 1, 11), (1, 2, 1), (2, 3, 0)]
    for old, new in ((10, 6), (6, 10)):
        engine = LocalEngine(program)
        engine.bootstrap({"start": engine.encode_facts("start", [(old,)]), "step": engine.encode_facts("step", steps)})
        engine.update(
            {"start": engine.encode_facts("start", [(old,)])}, {"start": engine.encode_facts("start", [(new,)])}
        )
        engine.finish()
        assert difference(state_of(engine), naive.evaluate(program, {"start": [(new,)], "step": steps})) == ""


def flat(aggregate: str = "sum", value: Type = NUMBER) -> Program:
    relations = (
        Relation("e", columns(NUMBER, NUMBER, value)),
        Relation("t", columns(NUMBER, value), aggregate=aggregate, keys=columns(NUMBER)),
    )
    return verify(
        Program(
            {r.name: r for r in relations},
            (Rule(Atom("t", (G, K, V)), (Atom("e", (G, K, V)),)),),
            lattices={"bag": Bag()},
        )
    )


def totals(engine: LocalEngine) -> set[tuple[Any, ...]]:
    return state_of(engine).finals["t"]


def test_a_value_counts_once_for_each_key() -> None:
    engine = LocalEngine(flat())
    rows = [(0, key, 7) for key in range(300)]
    engine.bootstrap({"e": engine.encode_facts("e", rows)})
    assert totals(engine) == {(0, 2100)}
    engine.update({"e": engine.encode_facts("e", rows[:299])}, {})
    engine.finish()
    assert totals(engine) == {(0, 7)}
    engine.update({"e": engine.encode_facts("e", rows)}, {"e": engine.encode_facts("e", [(1, 1, -5), (1, 2, 5)])})
    engine.finish()
    assert totals(engine) == {(1, 0)}


def test_an_added_value_costs_few_joins() -> None:
    """A group of 1,024 values: adding or removing one makes about ten joins, not a thousand, of equal values, too."""
    engine = LocalEngine(flat("bag", OBJECT))
    engine.bootstrap({"e": engine.encode_facts("e", [(0, key, (1,)) for key in range(1024)])})
    assert totals(engine) == {(0, (1,) * 1024)}
    cells, calls = engine.encode_facts("e", [(0, 5000, (2,))]), engine.functions.calls
    for deleted, inserted in (({}, {"e": cells}), ({"e": cells}, {})):
        before = int(engine.store.aggregates["join_count"].sum())
        engine.update(deleted, inserted)
        engine.finish()
        assert 0 < int(engine.store.aggregates["join_count"].sum()) - before < 40
    assert engine.functions.calls - calls < 40
    assert totals(engine) == {(0, (1,) * 1024)}


def test_facts_of_a_relation_with_keys_are_refused() -> None:
    engine = LocalEngine(flat())
    with pytest.raises(LadderError, match="t has keys"):
        engine.bootstrap({"t": engine.encode_facts("t", [(0, 7)])})
    engine = LocalEngine(flat())
    engine.bootstrap({})
    with pytest.raises(LadderError, match="t has keys"):
        engine.update({}, {"t": engine.encode_facts("t", [(0, 7)])})
