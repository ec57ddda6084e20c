"""Equal intermediate rows are merged, and counts stay exact: plans, and bootstraps against a plain twin that counts one by one."""
from __future__ import annotations

from collections import Counter
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from ladder.engine.local import planning
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.planning import EncodedPlans
from ladder.engine.plan.build import plans_of_bootstrap
from ladder.engine.plan.components import expand
from ladder.engine.plan.groups import with_groups
from ladder.engine.plan.order import Statistics
from ladder.engine.plan.steps import Group, Plan, Probe, Role, Scan
from ladder.language import parse

from .comparison import state_of

CHAIN = """
.decl a(x: number, y: number)
.decl b(y: number, z: number)
.decl c(z: number, w: number)
.decl h(x: number, w: number)
h(x, w) :- a(x, y), b(y, z), c(z, w).
"""
Pairs = list[tuple[int, int]]


def counts_one_by_one(a: Pairs, b: Pairs, c: Pairs) -> Counter[tuple[int, int]]:
    """Number of instantiations of each head."""
    return Counter((x, w) for x, y in set(a) for y2, z in set(b) if y == y2 for z2, w in set(c) if z == z2)


def bootstrapped(text: str, facts: dict[str, Pairs], batch_size: int) -> tuple[LocalEngine, list[EncodedPlans]]:
    made: list[EncodedPlans] = []
    original = planning.bootstrap_plans

    def noted(*arguments: Any, **options: Any) -> EncodedPlans:
        made.append(original(*arguments, **options))
        return made[-1]

    engine = LocalEngine(parse(text), batch_size=batch_size)
    with patch("ladder.engine.local.engine.bootstrap_plans", noted):
        engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items() if rows})
    return engine, made


PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=20)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(a=PAIRS, b=PAIRS, c=PAIRS, batch_size=st.sampled_from([1, 2, 3, 64]))
def test_counts_are_those_of_the_twin(a: Pairs, b: Pairs, c: Pairs, batch_size: int) -> None:
    engine, _ = bootstrapped(CHAIN, {"a": a, "b": b, "c": c}, batch_size)
    assert {row: count for row, (_, count) in state_of(engine).rows["h"].items()} == counts_one_by_one(a, b, c)


def test_merged_rows_are_looked_up_once() -> None:
    """40 x 40 ways from 0 to 1 make one row of 40 derivations after the second join, and 40 before."""
    middle = range(2, 42)
    a, b, c = [(0, y) for y in middle], [(y, 1) for y in middle], [(1, w) for w in range(100)]
    engine, made = bootstrapped(CHAIN, {"a": a, "b": b, "c": c}, 2048)
    assert {row: count for row, (_, count) in state_of(engine).rows["h"].items()} == {(0, w): 40 for w in range(100)}
    looked_at = sum(int(record["matches"]) for plans in made for record in plans.plans)
    assert 140 <= looked_at < 40 + 40 * 100


def test_grouping_is_left_out_where_rows_differ() -> None:
    """Whatever the kernel decides, counts are exact: first many batches without equal rows, then many with."""
    a = [(x, x) for x in range(300)] + [(0, y) for y in range(300)]
    b = [(y, y) for y in range(300)] + [(y, 0) for y in range(300)]
    c = [(z, z) for z in range(300)]
    engine, _ = bootstrapped(CHAIN, {"a": a, "b": b, "c": c}, 4)
    assert {row: count for row, (_, count) in state_of(engine).rows["h"].items()} == counts_one_by_one(a, b, c)


def grouped(text: str) -> list[Plan]:
    program = parse(text)
    expanded = expand(program)
    arities = {name: relation.arity for name, relation in expanded.relations.items()}
    return [with_groups(plan, arities) for component in expanded.components for rule in component.rules
            for plan in plans_of_bootstrap(rule, component.names, {}, lambda name: Statistics(100.0, (10.0,) * arities[name]))]


def test_plans_are_grouped_where_a_variable_falls_out_of_use() -> None:
    plan, = grouped(CHAIN)
    kinds = [type(step) for step in plan.steps]
    assert kinds == [Scan, Probe, Group, Probe]
    group = next(step for step in plan.steps if isinstance(step, Group))
    assert len(group.needed) == 2
    assert "group by" in str(plan)


@pytest.mark.parametrize("rule", ["h(x, w) :- a(x, w).", "h(x, w) :- a(x, y), b(y, w).", "h(x, w) :- a(x, y), b(y, w), c(x, y)."])
def test_plans_are_not_grouped_otherwise(rule: str) -> None:
    text = "\n".join(CHAIN.splitlines()[:-1])
    assert not any(isinstance(step, Group) for plan in grouped(f"{text}\n{rule}\n") for step in plan.steps)


def test_projected_starts_are_grouped() -> None:
    """Columns that nobody reads make equal rows before the first join."""
    plans = grouped(f"{CHAIN}.decl t(x: number, y: number, z: number)\n.decl g(w: number)\ng(w) :- t(x, _, _), a(x, w).\n")
    plan = next(plan for plan in plans if plan.rule.head.relation == "g")
    assert plan.role is Role.ONCE
    if isinstance(plan.steps[0], Scan) and plan.steps[0].relation == "t":
        assert isinstance(plan.steps[1], Group)
