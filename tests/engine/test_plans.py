"""Plans: every one passes its check, evaluates each literal once, and forms no product that an equality could avoid."""

from __future__ import annotations

import numpy as np
import pytest

from ladder.language import core, parse
from ladder.plan.build import plans_of_bootstrap, plans_of_update, relational_literals
from ladder.plan.components import expand
from ladder.plan.order import Statistics, expected_matches
from ladder.plan.steps import Member, Plan, Probe, Role, Scan, Window, verify

from ..marks import slow_after
from .programs import random_case


def plans_of(program: core.Program, rows: float = 1000.0) -> list[Plan]:
    expanded, plans = expand(program), []
    for component in expanded.components:
        for rule in component.rules:

            def statistics(name: str) -> Statistics:
                arity = expanded.relations[name].arity
                return Statistics(rows, (rows**0.5,) * arity)

            plans += plans_of_bootstrap(rule, component.names, {}, statistics)
            plans += plans_of_update(rule, statistics)
    return plans


def looked_up(plan: Plan) -> list[int | None]:
    return [step.literal for step in plan.steps if isinstance(step, Scan | Probe | Member)]


@pytest.mark.parametrize("block", slow_after(1, range(8)))
def test_plans_of_random_programs(block: int) -> None:
    for seed in range(15 * block, 15 * block + 15):
        for plan in plans_of(parse(random_case(seed).text)):
            verify(plan)
            literals = relational_literals(plan.rule)
            seen = [literal for literal in looked_up(plan) if literal is not None]
            assert sorted(seen) == list(range(len(literals))), plan
            if plan.role in (Role.ONCE, Role.ITERATED):
                windows = [step.window for step in plan.steps if isinstance(step, Scan | Probe)]
                assert windows.count(Window.DELTA) == (plan.role is Role.ITERATED), plan
            assert len(plan.choices) != 1 and (not plan.choices or plan.choice < len(plan.choices))
            assert str(plan).startswith(plan.role.name.lower())


PROGRAM = """
.decl e(a: number, b: number)
.decl f(a: number, b: number, c: number)
.decl g(a: number)
.decl h(a: number, d: number)
"""


@pytest.mark.parametrize(
    "body",
    [
        "e(a, b), e(c, d), b = c, g(d)",
        "e(a, b), f(c, d, x), b = c",
        "e(a, b), f(b, c, _), e(c, d)",
        "e(a, x), f(x, y, z), e(y, w), f(w, d, z)",
        "e(a, b), h(d, c), b = c + 0",
        "f(a, _, b), c = b + 1, e(c, d)",
        "e(a, b), b = c, c = d0, h(d0, d)",
        "g(a), e(a, b), !g(b), h(b, d)",
    ],
)
def test_no_product_where_an_equality_connects(body: str) -> None:
    """Every look-up after the first has a known column."""
    program = parse(f"{PROGRAM}h(a, d) :- {body}.\n")
    plans = plans_of(program)
    assert len(plans) >= 3
    for plan in plans:
        if plan.role is Role.BACKWARD or "c + 0" in body or "b + 1" in body:
            continue
        assert all(step.keys for step in plan.steps if isinstance(step, Probe)), plan


def test_products_where_nothing_connects() -> None:
    plans = plans_of(parse(f"{PROGRAM}h(a, d) :- g(a), g(d).\n"))
    assert any(not step.keys for plan in plans for step in plan.steps if isinstance(step, Probe))


def test_the_order_that_a_program_asks_for() -> None:
    text = f"{PROGRAM}h(a, d) :- e(a, b), f(b, c, _), e(c, d).\n.plan 0:(3,2,1)\n"
    once = [plan for plan in plans_of(parse(text)) if plan.role is Role.ONCE]
    assert looked_up(once[0]) == [2, 1, 0]


def test_expected_matches() -> None:
    statistics = Statistics(1000.0, (1.0, 10.0, 1000.0))
    assert expected_matches(statistics, ()) == 1000
    assert expected_matches(statistics, (0,)) == pytest.approx(1) and expected_matches(
        statistics, (1,)
    ) == pytest.approx(10)
    assert expected_matches(statistics, (1, 2)) <= 10 and expected_matches(statistics, (0, 1)) < 1
    assert expected_matches(Statistics(0.0, (0.0,)), (0,)) == 0


RECORDS = """
.type Pair = [x: number, y: number]
.type Tree = Leaf {} | Node { left: Tree, right: Tree }
.decl a(p: Pair)
.decl b(p: Pair, n: number)
.decl t(t: Tree)
.decl e(x: number, y: number)
"""


@pytest.mark.parametrize(
    "rule",
    [
        ".decl h(n: number) h(n) :- a([x, y]), b([y, x], n).",
        ".decl h(p: Pair) h([y, n]) :- a([x, y]), b([x, y], n).",
        ".decl h(t: Tree) h($Node(l, r)) :- t($Node(r, l)).",
        ".decl h(t: Tree) h($Node(r, $Leaf())) :- t($Node($Leaf(), r)), t(r).",
        ".decl h(n: number, m: number) h(n + 1, x - m) :- e(n, x), e(n, m).",
        ".decl h(n: number) h(-n bxor 5) :- e(n, m), e(m, _).",
    ],
)
def test_records_and_sums_are_solved_for_what_is_not_known(rule: str) -> None:
    """No look-up is without a known column; records are looked up or taken apart, and sums turned round, where that
    helps."""
    for plan in plans_of(parse(RECORDS + rule)):
        verify(plan)
        first = isinstance(plan.steps[0], Scan) and plan.steps[0].relation == "$unit"
        probes = [step for step in plan.steps if isinstance(step, Probe)]
        assert all(step.keys for step in probes[int(first) :]), plan


def test_records_of_the_same_fields_are_one() -> None:
    program = parse(f"{RECORDS}.decl h(p: Pair) h([x, y]) :- a([x, y]), b([x, y], x).")
    rule = next(rule for component in expand(program).components for rule in component.rules)
    assert not any(isinstance(literal, core.Pack) for literal in rule.body)
    assert sum(isinstance(literal, core.Unpack) for literal in rule.body) == 1
    first, second = (literal for literal in rule.body if isinstance(literal, core.Atom))
    assert first.terms[0] == second.terms[0] == rule.head.terms[0]


def test_records_that_only_the_head_has_are_made_last() -> None:
    program = parse(f"{RECORDS}.decl h(p: Pair) h([x, x]) :- e(x, y), e(y, z), e(z, x).")
    for plan in plans_of(program):
        if plan.role is not Role.BACKWARD:
            assert isinstance(plan.steps[-1], core.Pack), plan


def test_functors_meet_no_value_that_no_row_has() -> None:
    """A functor may be partial: a sum beside it is not solved for its argument."""
    text = '.functor half(n: number): number = "tests.engine.functors:half"\n'
    for plan in plans_of(parse(f"{text}{PROGRAM}h(k + 1, s) :- h(k, _), s = @half(k), e(k, s).\n")):
        functions = [step for step in plan.steps if isinstance(step, core.Compute) and step.function == "half"]
        before = plan.steps[: plan.steps.index(functions[0])]
        assert not any(isinstance(step, core.Compute) and step.function == "-" for step in before), plan


def test_no_index_is_made_of_many_rows_for_one_look() -> None:
    """A rule that runs once starts from few rows where they can be looked up, and else scans the many."""
    program = parse(
        ".decl few(x: number)\n.decl many(x: number, y: number)\n.decl r(x: number)\nr(x) :- few(y), many(x, y).\n"
    )
    statistics = {"few": Statistics(1000.0, (1.0,)), "many": Statistics(1e6, (100.0, 100.0))}
    (rule,) = program.rules
    for there, first in ((True, "few"), (False, "many")):
        (plan,) = plans_of_bootstrap(
            rule, frozenset({"r"}), {}, statistics.__getitem__, indexed=lambda name, columns, there=there: there
        )
        assert isinstance(plan.steps[0], Scan) and plan.steps[0].relation == first


def test_an_update_takes_the_order_that_makes_fewest_rows_in_all() -> None:
    """`lookup` finds fewer rows than `points` next, but each would be paired with all of those."""
    program = parse("""
.decl calls(i: number, base: number, name: number)
.decl points(h: number, base: number)
.decl type(h: number, t: number)
.decl lookup(name: number, t: number, m: number)
.decl target(i: number, m: number)
target(i, m) :- calls(i, base, name), points(h, base), type(h, t), lookup(name, t, m).
""")
    blocks = {
        "calls": (1.0, 1.0, 10.0),
        "points": (3.0, 10.0),
        "type": (1.0, 50.0),
        "lookup": (200.0, 20.0, 60.0),
        "target": (4.0, 4.0),
    }
    (backward,) = [
        plan
        for plan in plans_of_update(program.rules[0], lambda name: Statistics(10_000.0, blocks[name]))
        if plan.role is Role.BACKWARD
    ]
    assert looked_up(backward) == [None, 0, 1, 2, 3], backward


def backward_plans(text: str, statistics: dict[str, Statistics]) -> list[Plan]:
    (rule,) = parse(text).rules
    return [plan for plan in plans_of_update(rule, statistics.__getitem__) if plan.role is Role.BACKWARD]


def test_an_update_counts_what_the_values_of_earlier_joins_find() -> None:
    """Most rows of `points` share a few values of `v`, none of which `load` has."""
    text = """
.decl load(v: number, p: number)
.decl points(b: number, v: number)
.decl holds(b: number, h: number)
.decl place(h: number, p: number)
place(h, p) :- load(v, p), points(b, v), holds(b, h).
"""
    loaded = np.array([0, 0, 0, 0, 250, 250, 250, 250])
    points = np.array([20_000, 20_000, 20_000, 20_000, 250, 250, 250, 250])
    even = np.full(8, 1000)
    blocks = {"load": (1.0, 1.0), "points": (10.0, 5000.0), "holds": (10.0, 50.0), "place": (5.0, 5.0)}
    histograms = {"load": (loaded, loaded), "points": (even, points), "holds": (even, even), "place": (even, loaded)}
    order = {}
    for name, found in (("without", {}), ("with", histograms)):
        statistics = {r: Statistics(float(sum(histograms[r][0])), blocks[r], found.get(r, ())) for r in blocks}
        (plan,) = backward_plans(text, statistics)
        order[name] = looked_up(plan)
    assert order == {"without": [None, 0, 2, 1], "with": [None, 0, 1, 2]}


def test_rows_of_the_head_choose_even_where_a_test_comes_first() -> None:
    """A row that changed may fail the test `receiver`, but one that was derived has passed it."""
    text = """
.decl receiver(v: number)
.decl points(h: number, v: number)
.decl class(h: number, k: number)
.decl received(v: number, k: number)
received(v, k) :- receiver(v), points(h, v), class(h, k).
"""
    blocks = {"receiver": (1.0,), "points": (50.0, 500.0), "class": (1.0, 100.0), "received": (5.0, 50.0)}
    plans = backward_plans(text, {name: Statistics(10_000.0, of) for name, of in blocks.items()})
    assert [[looked_up(plan), plan.choice] for plan in plans] == [[[None, 0, 2, 1], 0], [[None, 0, 1, 2], 1]]
