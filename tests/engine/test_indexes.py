"""As few indexes as serve all look-ups; a `.plan` decides which look-ups there are."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ladder.engine.local.engine import LocalEngine
from ladder.language import parse
from ladder.plan.build import plans_of_bootstrap, plans_of_update
from ladder.plan.components import expand
from ladder.plan.indexes import Columns, cover
from ladder.plan.order import Statistics
from ladder.plan.steps import Member, Plan, Probe, Scan

COLUMN_SETS = st.sets(st.sets(st.integers(0, 3), min_size=1).map(lambda s: tuple(sorted(s))), min_size=1, max_size=6)


@given(wanted=COLUMN_SETS, there=COLUMN_SETS, short=st.sets(st.integers(0, 3)))
def test_every_look_up_is_served(wanted: set[Columns], there: set[Columns], short: set[int]) -> None:
    """By an index of its own columns, or by a part of them that finds few rows."""
    served = cover(wanted, sorted(there), lambda columns: bool(short.intersection(columns)))
    assert served.keys() == wanted
    for columns, index in served.items():
        assert set(index) <= set(columns)
        assert index == columns or short.intersection(index)
    new = set(served.values()) - there
    assert len(new) <= len(wanted - there)


@given(wanted=COLUMN_SETS, short=st.sets(st.integers(0, 3)))
def test_greedy_is_near_the_least_number(wanted: set[Columns], short: set[int]) -> None:
    def serves(index: Columns, columns: Columns) -> bool:
        return index == columns or (set(index) < set(columns) and bool(short.intersection(index)))

    candidates = [c for size in range(1, 5) for c in itertools.combinations(range(4), size)]
    least = next(
        size
        for size in range(1, len(wanted) + 1)
        if any(
            all(any(serves(i, columns) for i in some) for columns in wanted)
            for some in itertools.combinations(candidates, size)
        )
    )
    chosen = set(cover(wanted, [], lambda columns: bool(short.intersection(columns))).values())
    assert least <= len(chosen) <= least + 1


PROGRAM = """
.decl s(x: number)
.decl t(x: number, y: number)
.decl e(x: number, y: number, z: number)
.decl h(x: number, z: number)
h(x, z) :- t(x, y), e(x, y, z).
h(x, z) :- s(x), e(x, _, z).
"""


def indexes_of(columns_of_e: list[np.ndarray]) -> set[Columns]:
    """Columns of the indexes that a bootstrap leaves on e, the primary one included."""
    engine = LocalEngine(parse(PROGRAM))
    e = np.stack(columns_of_e, 1).astype(np.int32)
    few = np.arange(20, dtype=np.int32)
    engine.bootstrap({"e": e, "s": few[:, None], "t": np.stack([few, few], 1)})
    number = engine.numbers["e"]
    return {keys for relation, keys in engine.store.index_numbers if relation == number}


def test_one_index_serves_both_where_blocks_are_short() -> None:
    some = np.arange(4000)
    assert indexes_of([some, some % 7, some % 11]) == {(0,)}


def test_long_blocks_get_an_index_by_two_columns() -> None:
    some = np.arange(4000)
    assert (0, 1) in indexes_of([some % 4, some // 4, some % 11])


def plans(text: str) -> list[Plan]:
    program = parse(text)
    expanded = expand(program)

    def statistics(name: str) -> Statistics:
        return Statistics(1e5, (1e3,) * expanded.relations[name].arity)

    return [
        plan
        for component in expanded.components
        for rule in component.rules
        for plan in (*plans_of_bootstrap(rule, component.names, {}, statistics), *plans_of_update(rule, statistics))
    ]


def order(plan: Plan) -> list[int]:
    return [step.literal for step in plan.steps if isinstance(step, Probe | Member)]


CHAIN = """
.decl a(x: number, y: number)
.decl b(x: number, y: number)
.decl c(x: number, y: number)
.decl d(x: number, y: number)
d(x, w) :- a(x, y), b(y, z), c(z, w).
"""


def test_a_plan_is_an_order() -> None:
    """The atoms that are joined follow it, whichever the rule starts from, and rows are left nothing to choose."""
    made = plans(f"{CHAIN}.plan 0:(3,1,2)\n")
    assert len(made) == 5
    for plan in made:
        start = plan.steps[0]
        assert isinstance(start, Scan)
        assert order(plan) == [literal for literal in (2, 0, 1) if literal != start.literal], plan
        assert not plan.choices
    assert any(plan.choices for plan in plans(CHAIN))
