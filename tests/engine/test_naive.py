"""The naive evaluator against hand-made states, and against the definition itself on random programs."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from ladder.engine.reference import evaluate as naive
from ladder.engine.reference.evaluate import State, TooMuch, evaluate
from ladder.language import core, parse

from ..marks import slow_after
from . import programs


def state(text: str, **facts: list[tuple[Any, ...]]) -> State:
    return evaluate(parse(text), facts)


def test_rows_have_their_first_iteration_and_the_derivations_of_that_iteration() -> None:
    rows = state(
        """
        .decl edge(x: number, y: number)
        .decl path(x: number, y: number)
        path(x, y) :- edge(x, y).
        path(x, z) :- path(x, y), edge(y, z).
    """,
        edge=[(1, 2), (2, 3), (3, 4), (1, 3), (4, 1)],
    ).rows
    assert rows["edge"][1, 2] == (0, 1)
    assert rows["path"] == {
        (1, 2): (1, 1),
        (2, 3): (1, 1),
        (3, 4): (1, 1),
        (1, 3): (1, 1),
        (4, 1): (1, 1),
        (2, 4): (2, 1),
        (1, 4): (2, 1),
        (3, 1): (2, 1),
        (4, 2): (2, 1),
        (4, 3): (2, 1),
        (2, 1): (3, 1),
        (1, 1): (3, 1),
        (3, 2): (3, 1),
        (3, 3): (3, 1),
        (4, 4): (3, 1),
        (2, 2): (4, 1),
    }


def test_facts_of_a_derived_relation_stand_at_iteration_0() -> None:
    rows = state(".decl a(x: number) .decl b(x: number) b(x) :- a(x). b(7).", a=[(1,), (7,)], b=[(3,)]).rows
    assert rows["b"] == {(7,): (0, 1), (3,): (0, 1), (1,): (1, 1)}


def test_wildcards_range_over_rows_and_branches_count_apart() -> None:
    rows = state(
        """
        .decl e(x: number, y: number)
        .decl source(x: number)
        .decl touched(x: number)
        source(x) :- e(x, _).
        touched(x) :- e(x, _) ; e(_, x).
    """,
        e=[(1, 2), (1, 3), (2, 1)],
    ).rows
    assert rows["source"] == {(1,): (1, 2), (2,): (1, 1)}
    assert rows["touched"] == {(1,): (1, 3), (2,): (1, 2), (3,): (1, 1)}


def test_generated_values_make_instantiations_and_repeated_results_do_not() -> None:
    program = parse(
        """
        .decl a(x: number)
        .decl some(x: number)
        .functor twice(x: number): number several
        some(1) :- a(x), y = @twice(x), y > 0.
        some(2) :- a(x), y = range(0, x), y >= 0.
        some(y) :- a(x), y = range(x, 0).
    """,
        functors={"twice": lambda x: [x, x, x + 1]},
    )
    assert evaluate(program, {"a": [(3,)]}).rows["some"] == {(1,): (1, 3), (2,): (1, 4), (3,): (1, 1)}


def test_negation_reads_the_finished_component() -> None:
    rows = state(
        """
        .decl e(x: number, y: number)
        .decl reached(x: number)
        .decl node(x: number)
        .decl unreached(x: number)
        .decl sink(x: number)
        node(x), node(y) :- e(x, y).
        reached(1).
        reached(y) :- reached(x), e(x, y).
        unreached(x) :- node(x), !reached(x).
        sink(x) :- node(x), !e(x, _).
    """,
        e=[(1, 2), (2, 3), (4, 5)],
    ).rows
    assert set(rows["unreached"]) == {(4,), (5,)} and set(rows["sink"]) == {(3,), (5,)}


def test_aggregate_inputs_are_stamped_and_totals_follow_one_iteration_later() -> None:
    result = state(
        """
        .decl edge(x: symbol, y: symbol, n: number)
        .decl dist(x: symbol, n: number)
        .decl seen(n: number)
        dist("a", min(0)).
        dist(y, min(n + m)) :- dist(x, n), edge(x, y, m).
        seen(n) :- dist("c", n).
    """,
        edge=[("a", "c", 9), ("a", "b", 1), ("b", "c", 1), ("b", "a", 1)],
    )
    assert result.aggregate_inputs["dist"] == {
        ("a", 0): (0, 1),
        ("c", 9): (1, 1),
        ("b", 1): (1, 1),
        ("c", 2): (2, 1),
        ("a", 2): (2, 1),
    }
    assert result.totals["dist"] == {("a", 0): 1, ("c", 9): 2, ("b", 1): 2, ("c", 2): 3}
    assert result.finals["dist"] == {("a", 0), ("b", 1), ("c", 2)}
    assert result.rows["seen"] == {(2,): (1, 1)}


def test_own_component_sees_every_total() -> None:
    result = state(
        """
        .lattice Two = "ladder.lattices:k_set(2)"
        .functor elements(s: Two): symbol = "ladder.lattices:members" several
        .decl start(x: symbol)
        .decl next(x: symbol, y: symbol)
        .decl all(g: number, s: Two<>)
        .decl passed(x: symbol)
        all(1, lub(x)) :- start(x).
        all(1, lub(y)) :- passed(x), next(x, y).
        passed(x) :- all(_, s), x = @elements(s).
    """,
        start=[("a",)],
        next=[("a", "b"), ("b", "c")],
    )
    a, ab = frozenset("a"), frozenset("ab")
    assert next(total for _, total in result.finals["all"]).name == "TOP"
    assert set(result.totals["all"]) >= {(1, a), (1, ab)} and result.totals["all"][1, ab] == 3
    assert result.rows["passed"] == {("a",): (2, 1), ("b",): (4, 1)}


def test_facts_of_an_aggregated_relation_are_aggregate_inputs() -> None:
    text = """
        .decl e(x: number)
        .decl least(n: number)
        least(min(x)) :- e(x).
    """
    result = state(text, e=[(5,), (3,)], least=[(3,), (4,)])
    assert result.aggregate_inputs["least"] == {(3,): (0, 2), (4,): (0, 1), (5,): (0, 1)}
    assert result.totals["least"] == {(3,): 1}


def test_numbers_wrap_around_and_missing_values_drop_the_instantiation() -> None:
    rows = state(
        """
        .decl n(x: number)
        .decl result(k: symbol, x: number)
        result("next", x + 1) :- n(x).
        result("by zero", x / 0) :- n(x).
        result("quotient", x / 2), result("rest", x % 3), result("minus", -x) :- n(x).
        result("parsed", to_number(s)) :- n(_), (s = "12" ; s = "x").
    """,
        n=[(2**31 - 1,), (-(2**31),), (-7,)],
    ).rows["result"]
    assert set(rows) == {
        ("next", -(2**31)),
        ("next", -(2**31) + 1),
        ("next", -6),
        ("quotient", 2**30 - 1),
        ("quotient", -(2**30)),
        ("quotient", -3),
        ("rest", 1),
        ("rest", -2),
        ("rest", -1),
        ("minus", -(2**31) + 1),
        ("minus", -(2**31)),
        ("minus", 7),
        ("parsed", 12),
    }


def test_what_does_not_end_is_stopped() -> None:
    program = parse(".decl n(x: number) n(0). n(x + 1) :- n(x).")
    with pytest.raises(TooMuch, match="n: new rows after 50 iterations"):
        evaluate(program, most_iterations=50)
    with pytest.raises(TooMuch, match="too many instantiations"):
        evaluate(program, most_instantiations=50)


# ---- the definition, by enumeration


def enumerated(program: core.Program, rule: core.Rule, first: dict[str, dict[Any, int]]) -> list[tuple[Any, int]]:
    """(head row, highest iteration of its body rows) of each instantiation: all combinations of rows are tried."""
    atoms = [literal for literal in rule.body if isinstance(literal, core.Atom)]
    others = core.Rule(rule.head, tuple(literal for literal in rule.body if not isinstance(literal, core.Atom)))
    found = []
    for rows in product(*(first[atom.relation] for atom in atoms)):
        bindings: dict[core.Var, Any] = {}
        if all(
            term is None
            or (term.value == value if isinstance(term, core.Const) else bindings.setdefault(term, value) == value)
            for atom, row in zip(atoms, rows)
            for term, value in zip(atom.terms, row)
        ):
            latest = max((first[atom.relation][row] for atom, row in zip(atoms, rows)), default=0)
            found.extend((row, latest) for row in solutions(program, others, bindings, first))
    return found


def solutions(program: core.Program, rule: core.Rule, bindings: dict[core.Var, Any], first: Any) -> list[Any]:
    """Head rows of a rule without positive atoms whose variables partly are bound already."""
    instantiations = naive.Instantiations(core.Rule(rule.head, ()), program, first)
    pending, states = list(rule.body), [bindings]
    while pending:
        literal = next(p for p in pending if all(core.needs(p) <= set(s) for s in states))
        pending.remove(literal)
        states = [extended for s in states for extended in instantiations.solutions(literal, s)]
    return [tuple(t.value if isinstance(t, core.Const) else s[t] for t in rule.head.terms) for s in states]


def assert_by_definition(case: programs.Case) -> None:
    program = parse(case.text)
    for facts in programs.states(case):
        result = evaluate(program, facts)
        for component in naive.components(program):
            check_component(program, component, result, facts)


def check_component(program: core.Program, component: set[str], result: State, facts: programs.Rows) -> None:
    first = {name: dict.fromkeys(result.visible(name), 0) for name in program.relations}
    for name in component:
        first[name] = (
            result.totals[name] if name in result.totals else {r: f for r, (f, _) in result.rows[name].items()}
        )
    times: dict[str, dict[Any, Counter[int]]] = {name: {} for name in component}
    for rule in program.rules:
        if rule.head.relation in component:
            for row, latest in enumerated(program, rule, first):
                times[rule.head.relation].setdefault(row, Counter())[latest] += 1
    for name in component:
        all_facts = {*facts.get(name, ()), *program.facts.get(name, ())}
        if name in result.totals:
            expected = {row: min(counts.items()) for row, counts in times[name].items()}
            for row in all_facts:
                expected[row] = (0, times[name].get(row, Counter())[0] + 1)
            assert result.aggregate_inputs[name] == expected
            check_totals(program, name, result)
        else:
            expected = {row: (1 + min(counts), counts[min(counts)]) for row, counts in times[name].items()}
            assert result.rows[name] == {**expected, **dict.fromkeys(all_facts, (0, 1))}


def check_totals(program: core.Program, name: str, result: State) -> None:
    join = {"min": min, "max": max}.get(program.relations[name].aggregate or "")
    if join is None:
        join = program.lattices[program.relations[name].aggregate].join
    groups: dict[Any, dict[int, list[Any]]] = {}
    for (*group, value), (stamp, _) in result.aggregate_inputs[name].items():
        groups.setdefault(tuple(group), {}).setdefault(stamp, []).append(value)
    totals: dict[Any, int] = {}
    finals = set()
    for group, waves in groups.items():
        collected: list[Any] = []
        for stamp in sorted(waves):
            collected += waves[stamp]
            totals.setdefault((*group, reduce(join, collected)), stamp + 1)
        finals.add((*group, reduce(join, collected)))
    assert result.totals[name] == totals and result.finals[name] == finals


def enumerable(case: programs.Case) -> bool:
    """Whether trying all combinations of rows is cheap enough."""
    program = parse(case.text)
    for facts in programs.states(case):
        result = evaluate(program, facts)
        sizes = {n: len(result.totals[n] if n in result.totals else result.rows[n]) for n in program.relations}
        for rule in program.rules:
            if reduce(lambda n, a: n * max(sizes[a.relation], 1), naive.atoms_of(rule), 1) > 20_000:
                return False
    return True


@pytest.mark.parametrize("seed", slow_after(20, range(60)))
def test_random_programs_by_definition(seed: int) -> None:
    case = programs.random_case(seed)
    if not enumerable(case):
        pytest.skip("too many combinations of rows")
    assert_by_definition(case)


@pytest.mark.slow
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs.cases())
def test_drawn_programs_by_definition(case: programs.Case) -> None:
    if enumerable(case):
        assert_by_definition(case)


def test_random_cases_are_the_same_every_time() -> None:
    assert [programs.random_case(seed) for seed in range(5)] == [programs.random_case(seed) for seed in range(5)]


@pytest.mark.slow
def test_random_cases_reach_what_they_are_for() -> None:
    """Deep recursion, several derivations, totals that grow, negation, records: among any hundred seeds."""
    reached: Counter[str] = Counter()
    for seed in range(100):
        case = programs.random_case(seed)
        program = parse(case.text)
        result = evaluate(program, case.facts)
        firsts = [pair for rows in result.rows.values() for pair in rows.values()]
        reached["deep"] += any(first > 4 for first, _ in firsts)
        reached["several derivations"] += any(count > 2 for _, count in firsts)
        reached["growing totals"] += any(len(result.totals[n]) > len(result.finals[n]) for n in result.totals)
        reached["late totals"] += any(f > 2 for totals in result.totals.values() for f in totals.values())
        reached["mutual recursion"] += any(len(c) > 1 for c in naive.components(program))
        for rule in program.rules:
            reached.update({type(literal).__name__ for literal in rule.body})
    assert all(
        reached[what] >= 3
        for what in (
            "deep",
            "several derivations",
            "growing totals",
            "late totals",
            "mutual recursion",
            "Not",
            "Compare",
            "Compute",
            "Generate",
            "Pack",
            "Unpack",
        )
    ), reached


def test_smaller_cuts_a_failing_case_down() -> None:
    case = next(
        c for c in map(programs.random_case, range(100)) if len(c.facts.get("e0", ())) > 4 and len(c.changes) > 1
    )
    small = programs.smaller(case, lambda c: len(c.facts.get("e0", ())) >= 2)
    assert (
        len(small.facts["e0"]) == 2
        and not small.changes
        and not any(rows for n, rows in small.facts.items() if n != "e0")
    )
    assert all(line.startswith(".") or not line for line in small.text.splitlines())


NUMBER, SYMBOL = core.Type("number", core.Kind.NUMBER), core.Type("symbol", core.Kind.SYMBOL)
TREE = core.Type(
    "Tree", core.Kind.RECORD, branches=(("Leaf", ()), ("Node", (("n", "number"), ("left", "Tree"), ("right", "Tree"))))
)


def relation(name: str, *types: core.Type, **rest: Any) -> core.Relation:
    return core.Relation(name, tuple(core.Column(f"c{i}", t) for i, t in enumerate(types)), **rest)


def program_of(relations: list[core.Relation], *rules: core.Rule, **rest: Any) -> core.Program:
    types = {t.name: t for t in (NUMBER, SYMBOL, TREE)}
    return core.verify(core.Program({r.name: r for r in relations}, rules, types=types, **rest))


def variables(*names: str) -> list[core.Var]:
    return [core.Var(name) for name in names]


def test_keys_tell_equal_values_apart() -> None:
    x, y, z = variables("x", "y", "z")
    sale = relation("sale", NUMBER, SYMBOL, NUMBER)
    income = relation("income", NUMBER, NUMBER, aggregate="sum", keys=(core.Column("who", SYMBOL),))
    most = relation("most", NUMBER, NUMBER, aggregate="max", keys=(core.Column("who", SYMBOL),))
    body = (core.Atom("sale", (x, y, z)),)
    program = program_of(
        [sale, income, most],
        core.Rule(core.Atom("income", (x, y, z)), body),
        core.Rule(core.Atom("most", (x, y, z)), body),
    )
    found = evaluate(program, {"sale": [(1, "a", 5), (1, "b", 5), (1, "b", 2), (2, "a", 2**31 - 1), (2, "b", 1)]})
    assert found.finals == {"income": {(1, 12), (2, -(2**31))}, "most": {(1, 5), (2, 2**31 - 1)}}
    assert found.totals["income"] == {(1, 12): 1, (2, -(2**31)): 1}
    assert found.aggregate_inputs["income"] == {
        (1, "a", 5): (0, 1),
        (1, "b", 5): (0, 1),
        (1, "b", 2): (0, 1),
        (2, "a", 2**31 - 1): (0, 1),
        (2, "b", 1): (0, 1),
    }


def test_branches_are_packed_with_their_names_and_taken_apart_by_them() -> None:
    n, t, left, leaf = variables("n", "t", "left", "leaf")
    size, root = relation("size", NUMBER), relation("root", TREE)
    rules = (
        core.Rule(
            core.Atom("root", (t,)),
            (core.Atom("size", (n,)), core.Pack(leaf, (), TREE, "Leaf"), core.Pack(t, (n, leaf, leaf), TREE, "Node")),
        ),
        core.Rule(
            core.Atom("root", (left,)), (core.Atom("root", (t,)), core.Unpack(t, (None, left, None), TREE, "Node"))
        ),
        core.Rule(
            core.Atom("size", (n,)),
            (
                core.Atom("root", (t,)),
                core.Unpack(t, (), TREE, "Leaf"),
                core.Compute(n, "to_number", (core.Const("40", SYMBOL),), core.Kind.SYMBOL),
            ),
        ),
    )
    found = evaluate(program_of([size, root], *rules), {"size": [(3,)]})
    leaf_value = ("Leaf",)
    assert set(found.rows["root"]) == {
        (("Node", 3, leaf_value, leaf_value),),
        (leaf_value,),
        (("Node", 40, leaf_value, leaf_value),),
    }
    assert found.rows["size"] == {(3,): (0, 1), (40,): (3, 1)}


def test_asserted_facts_go_to_their_edb_relation() -> None:
    x, y = variables("x", "y")
    same, edge = relation("same", NUMBER, NUMBER, facts="edge"), relation("edge", NUMBER, NUMBER)
    rules = (
        core.Rule(core.Atom("same", (x, y)), (core.Atom("edge", (x, y)),)),
        core.Rule(core.Atom("same", (y, x)), (core.Atom("same", (x, y)),)),
    )
    found = evaluate(program_of([same, edge], *rules, facts={"edge": ((1, 2),)}), {"same": [(3, 3)], "edge": [(4, 5)]})
    assert found.rows["edge"] == {(1, 2): (0, 1), (3, 3): (0, 1), (4, 5): (0, 1)}
    assert found.rows["same"] == {(1, 2): (1, 1), (2, 1): (2, 1), (3, 3): (1, 1), (4, 5): (1, 1), (5, 4): (2, 1)}
