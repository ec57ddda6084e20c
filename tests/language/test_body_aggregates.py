"""Aggregates in bodies: by definition, scopes and witnesses, in recursion, and kept up to date by changes of facts."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.reference.evaluate import evaluate
from ladder.language import parse
from ladder.language.compile import compile_program
from ladder.language.errors import ProgramError

from ..marks import slow_after

DECLARED = """\
.decl n(x: number)  .input n
.decl e(x: number, y: number)  .input e
.decl r(a: number, b: number)  .output r
.decl w(a: number, b: number, c: number)  .output w
.decl f(x: number, v: float)
.decl g(x: number, v: float)  .output g
"""
FACTS: dict[str, Any] = {"n": [(i,) for i in range(1, 6)], "e": [(1, 2), (1, 3), (2, 3), (3, 1), (5, 5)]}


def rows(text: str, relation: str = "r", facts: dict[str, Any] | None = None) -> set[tuple[Any, ...]]:
    return set(evaluate(parse(DECLARED + text), FACTS if facts is None else facts).visible(relation))


CASES: list[tuple[str, set[tuple[Any, ...]]]] = [
    # an empty body counts and adds up to 0, has no least, greatest or mean value
    ("r(x, c) :- n(x), c = count : { e(x, _) }.", {(1, 2), (2, 1), (3, 1), (4, 0), (5, 1)}),
    ("r(x, c) :- n(x), c = sum y : { e(x, y) }.", {(1, 5), (2, 3), (3, 1), (4, 0), (5, 5)}),
    ("r(x, c) :- n(x), c = max y : { e(x, y) }.", {(1, 3), (2, 3), (3, 1), (5, 5)}),
    ("r(0, c) :- c = count : { n(x), x > 9 }.", {(0, 0)}),
    ("r(0, c) :- c = min x : { n(x), x > 9 }.", set()),
    # the body does not bind what comes from outside
    ("r(x, c) :- n(x), c = count : { n(y), y < x }.", {(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)}),
    ("r(x, c) :- n(x), z = x + 1, z < 4, c = sum y : { e(_, y), y < z }.", {(1, 1), (2, 3)}),
    ("r(x, c) :- e(x, y), x < y, c = count : { n(z), x < z, z < y }.", {(1, 0), (1, 1), (2, 0)}),
    # what is added up: every row of one atom, every binding of several
    ("r(0, c) :- c = sum 1 : { e(_, _) }.", {(0, 5)}),
    # where the same atom again is none
    ("r(0, c) :- c = sum 1 : { e(_, _), e(_, _) }.", {(0, 5)}),
    ("r(0, c) :- c = sum x : { e(x, _), x < 3, e(x, _) }.", {(0, 4)}),
    ("r(0, c) :- c = count : { e(_, _), e(_, 1) }.", {(0, 1)}),
    ("r(x, c) :- n(x), c = sum 2 : { e(x, _), e(_, x) }.", {(1, 2), (2, 2), (3, 2), (4, 0), (5, 2)}),
    ("r(0, c) :- c = sum y : { e(_, y) }.", {(0, 14)}),
    ("r(0, c) :- c = sum y : { e(x, y), n(x) }.", {(0, 14)}),
    ("r(0, c) :- c = count : { e(x, x) }.", {(0, 1)}),
    # so it is in each alternative; the same wildcard in several is one variable, wildcards of several atoms are several
    ("r(0, c) :- c = count : { (e(x, _), x < 3 ; e(_, x), x > 2) }.", {(0, 6)}),
    ("r(x, c) :- n(x), c = count : { e(x, _) ; e(_, x) }.", {(1, 3), (2, 2), (3, 3), (4, 0), (5, 2)}),
    ("r(x, c) :- n(x), c = sum 1 : { e(x, _) ; e(_, x) }.", {(1, 3), (2, 2), (3, 3), (4, 0), (5, 2)}),
    ("r(x, c) :- n(x), c = count : { e(x, _) ; e(x, _) }.", {(1, 4), (2, 2), (3, 2), (4, 0), (5, 2)}),
    ("r(0, c) :- c = count : { e(1, _), (2 != 3 ; 2 != 4) }.", {(0, 2)}),
    ("r(0, c) :- c = count : { e(1, _), !(n(7) ; n(8)) }.", {(0, 2)}),
    ("r(0, c) :- c = count : { e(x, _) ; n(x), e(x, _) }.", {(0, 9)}),
    # a solution is what variables are bound to, in however many ways: the text says an alternative inside or around
    ("r(0, c) :- c = count : { n(x), (x = 1 ; x < 2) }.", {(0, 1)}),
    ("r(0, c) :- c = count : { n(x), x < 3, (y = 1 ; y = 2) }.", {(0, 4)}),
    ("r(0, c) :- c = count : { n(x), (range(0, 3) > x ; x < 3) }.", {(0, 3)}),
    ("r(0, c) :- c = count : { n(x + 0), (x < 3 ; x = 1) }, x = 1.", {(0, 1)}),
    ("r(0, c) :- c = count : { e(x, y + 1), n(y), (y = 1 ; x = 1) }.", {(0, 2)}),
    ("r(0, c) :- c = count : { e(x, _), !(n(x), x > 2) }.", {(0, 3)}),
    ("r(0, c) :- c = count : { (n(x) ; e(x, y)) }.", {(0, 10)}),
    ("n(0). e(1, 0). r(0, c) :- c = count : { (n(x), x = 1 ; e(x, y), x = 1) }.", {(0, 4)}),
    ("n(0). e(1, 0). r(0, c) :- c = sum x : { (n(x), x = 1 ; e(x, y), x = 1) }.", {(0, 4)}),
    # in every position
    ("r(x, count : { e(_, x) }) :- n(x).", {(1, 1), (2, 1), (3, 2), (4, 0), (5, 1)}),
    ("r(x, 0) :- n(x), count : { e(_, x) } > 1.", {(3, 0)}),
    ("r(x, y) :- e(x, y), !n(max z : { e(x, z) } + 2).", {(5, 5)}),
    ("r(x, 0) :- n(x), e(x, max z : { e(x, z) }).", {(1, 0), (2, 0), (3, 0), (5, 0)}),
    ("r(x, c) :- n(x), c = sum y * y : { e(x, y) } + max y : { e(y, x) }.", {(1, 16), (2, 10), (3, 3), (5, 30)}),
    ("r(1, y) :- y = range(0, count : { e(1, _) }).", {(1, 0), (1, 1)}),
    ("r(count : { n(_) }, 1).", {(5, 1)}),
    # several, alike and inside each other
    (
        "r(x, c - d) :- n(x), c = count : { e(_, x) }, d = count : { e(x, _) }.",
        {(1, -1), (2, 0), (3, 1), (4, 0), (5, 0)},
    ),
    (
        "r(x, c) :- n(x), c = sum s : { n(y), y < x, s = sum z : { e(y, z) } }.",
        {(1, 0), (2, 5), (3, 8), (4, 9), (5, 9)},
    ),
    (
        "r(x, c) :- n(x), c = sum s : { n(y), s = sum z : { e(y, z), z < x } }.",
        {(1, 0), (2, 1), (3, 3), (4, 9), (5, 9)},
    ),
    ("r(x, y) :- n(x), y = max z : { n(z), z < count : { e(_, _) }, z < x }.", {(2, 1), (3, 2), (4, 3), (5, 4)}),
    # scopes: what stands in the target is local, names of other aggregates mean others
    ("r(x, y) :- n(x), y = min x : { e(x, _) }, x < 3.", {(1, 1), (2, 1)}),
    ("r(y, x) :- y = max x + y : { e(x, y) }, x = min y : { n(y) }.", {(10, 1)}),
    ("r(x, y) :- x = max y : { n(y), y < max y : { e(y, _) } }, y = min y : { n(y) }.", {(4, 1)}),
    ("r(x, 1) :- x = count : { n(x) }.", {(5, 1)}),
    # what the target needs comes from outside, what is inside needs the target
    ("r(x, y) :- n(x), y = max z : { z = x + 1, 2 = count : { e(z - 1, u), n(z) } }.", {(1, 2)}),
    (
        "r(x, y) :- n(x), y = sum z + 1 : { z = range(0, x), z = count : { e(z, _) } }.",
        {(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)},
    ),
    (
        "r(x, y) :- n(x), y = min z : { z = range(x, 9), z > count : { e(_, u), u < z } }.",
        {(1, 1), (2, 2), (3, 3), (4, 5), (5, 5)},
    ),
    # witnesses
    ("r(a, b) :- b = max y : { e(a, y) }.", {(5, 5)}),
    ("r(a, b) :- a = min x + b : { e(x, b) }.", {(3, 2)}),
    ("r(a, b) :- a = count : { n(x), x > min y : { e(b, y) } }.", {(4, 3)}),
    ("r(a, b) :- _ = min y : { e(a, y), b = a + y }.", {(3, 4)}),
    # recursion
    ("r(0, 1). r(a + 1, c) :- r(a, _), a < 3, c = count : { e(x, _), x <= a }.", {(0, 1), (1, 0), (2, 2), (3, 3)}),
    (
        "r(1, 1). r(a + 1, c) :- r(a, _), a < 5, c = max s : { e(x, _), x <= a, s = sum y : { e(x, y), y <= a } }.",
        {(1, 1), (2, 0), (3, 2), (4, 5), (5, 5)},
    ),
    ("r(1, 1). r(y, c) :- r(x, _), e(x, y), c = count : { e(y, _) }.", {(1, 1), (2, 1), (3, 1), (1, 2)}),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_values(text: str, expected: set[tuple[Any, ...]]) -> None:
    assert rows(text) == expected
    database = Database(Program.parse(DECLARED + text))
    database.bootstrap(FACTS)
    assert set(database["r"]) == expected


@pytest.mark.parametrize(
    ("function", "values", "expected"),
    [
        ("sum", "1e8 -1e8 0.25", 0.25),
        ("sum", "0.1 0.2 0.3", 0.6000000238418579),
        ("mean", "1.0 2.0 4.0", 2.3333332538604736),
        ("mean", "3e38 3e38", 2.9999999e38),
        ("max", "-1.5 -2.5", -1.5),
        ("min", "0.5 -0.5 0.25", -0.5),
    ],
)
def test_floats_do_not_depend_on_the_order(function: str, values: str, expected: float) -> None:
    for order in range(2):
        listed = values.split()[:: 1 - 2 * order]
        facts = " ".join(f"f({i}, {float(v):f})." for i, v in enumerate(listed))
        ((found,),) = [{v for _, v in rows(f"{facts} g(0, s) :- s = {function} v : {{ f(_, v) }}.", "g")}]
        assert found == pytest.approx(expected, rel=1e-7)
    assert rows("g(0, s) :- s = sum v : { f(_, v) }.", "g") == {(0, 0.0)}


def test_means_and_counts_of_equal_values() -> None:
    text = "f(1, 2.0). f(2, 2.0). f(3, 5.0). g(0, s) :- s = mean v : { f(_, v) }. g(1, s) :- s = mean v : { f(3, v) }."
    assert rows(text, "g") == {(0, 3.0), (1, 5.0)}


def test_equal_aggregates_share_a_relation() -> None:
    core = parse(
        DECLARED + "r(0, c) :- c = sum y : { e(x, y), n(x) }. w(0, x, b) :- n(x), b = sum z : { e(u, z), n(u) }."
    )
    assert sum(relation.aggregate is not None for relation in core.relations.values()) == 1


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("r(x, c) :- n(x), c = count : { n(y), y < x }, x < 3.", "r$dom1(x) :- n(x), x < 3."),
        ("r(x, c) :- c = count : { n(y), y < z }, z = x + 1, n(x), e(x, w).", "r$dom1(z) :- n(x), z = +(x, 1)."),
        ("r(x, c) :- n(x), e(x, y), c = count : { n(z), z < y }, !n(y).", "r$dom1(y) :- e(_, y), !n(y)."),
        ("r(x, c) :- n(x), n(y), e(x, y), c = count : { n(z), z < x, z < y }.", "r$dom1(x, y) :- n(x), n(y), e(x, y)."),
        ("r(x, c) :- n(x), n(y), c = count : { n(z), z < x, z < y }.", "r$dom1(x, y) :- n(x), n(y)."),
    ],
)
def test_only_groups_that_are_asked_for(text: str, groups: str) -> None:
    assert groups in list(map(str, parse(DECLARED + text).rules))


def test_groups_are_not_asked_for_where_the_join_takes_them_out_of_records() -> None:
    """An atom of the groups would bind what the record binds, too."""
    records = ".type P = [x: number, y: number] .decl p(r: P) .input p"
    core = parse(f"{DECLARED} {records} w(x, y, c) :- e(x, y), c = min z : {{ p([x, y]), n(z) }}.")
    assert not any("$dom" in name for name in core.relations)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("r(x, c) :- n(x), c = sum y : { e(x, _) }.", "y"),
        ("r(x, c) :- n(x), c = count : { e(z, _), y < z }.", "y"),
        ("r(a, c) :- c = count : { e(a, _) }.", "a"),
        ("r(x, c) :- n(x), c = count : { n(z), z < c }.", "c"),
    ],
)
def test_what_is_not_bound(text: str, said: str) -> None:
    with pytest.raises(ProgramError) as refused:
        compile_program(DECLARED + text)
    message = refused.value.errors[0].message
    assert said in message.split() and "$" not in message


# ---- by definition, and from scratch

body_atoms = st.sampled_from(("n(a)", "n(b)", "e(a, b)", "e(b, a)", "e(x, a)", "e(a, y)", "e(a, 1)", "n(a), e(a, b)"))
conditions = st.sampled_from(("a < x", "b > a", "a != y", "x < y", "b = a + 1", "!e(a, x)", "!n(b)", "true"))
targets = st.sampled_from(("a", "b", "a + b", "x - a", "2"))
values = st.integers(0, 3)
facts_ = st.fixed_dictionaries(
    {
        "n": st.lists(st.tuples(values), max_size=4, unique=True),
        "e": st.lists(st.tuples(values, values), max_size=7, unique=True),
    }
)


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(("count", "sum", "min", "max")),
    targets,
    st.lists(body_atoms, min_size=1, max_size=2),
    st.lists(conditions, max_size=2),
    facts_,
)
def test_random_bodies(function: str, target: str, atoms: list[str], also: list[str], facts: dict[str, Any]) -> None:
    body = ", ".join((*atoms, *also))
    asked = "count" if function == "count" else f"{function} {target}"
    text = f"w(x, y, v) :- e(x, y), v = {asked} : {{ {body} }}."
    try:
        found = rows(text, "w", facts)
    except ProgramError as refused:
        assert all("not bound" in error.message or "no value" in error.message for error in refused.errors)
        return
    assert found == by_definition(function, target, [*atoms, *also], facts)


def by_definition(function: str, target: str, literals: list[str], facts: dict[str, Any]) -> set[tuple[Any, ...]]:
    """Rows of the rule above: every assignment of the locals in the body's text, tried out with Python's own eval."""
    n = lambda *row: row in facts["n"]
    e = lambda *row: row in facts["e"]
    condition = " and ".join(
        part.replace("!e", "not e").replace("!n", "not n").replace(" = ", " == ").replace("true", "True")
        for literal in literals
        for part in literal.replace("), ", ") and ").split(" and ")
    )
    asked = "" if function == "count" else target
    used = [name for name in "abx" if name in asked or name in "ab" and any(name in literal for literal in literals)]
    result = set()
    for x, y in facts["e"]:
        found = []
        for cells in product(range(-1, 6), repeat=len(used)):
            scope = {"n": n, "e": e, "x": x, "y": y, **dict(zip(used, cells, strict=True))}  # x of a target is local
            if eval(condition, scope):
                found.append(1 if function == "count" else eval(target, scope))
        if function in ("count", "sum") or found:
            result.add((x, y, {"count": sum, "sum": sum, "min": min, "max": max}[function](found)))
    return result


UPDATED = """
r(x, c) :- n(x), c = count : { e(x, _) }.
r(x, c) :- n(x), c = sum y : { e(z, y), z < x }.
w(x, y, c) :- e(x, y), c = max z : { e(y, z), z > x }.
w(0, x, c) :- n(x), c = sum s : { n(y), y < x, s = count : { e(y, z), z < x } }.
g(x, m) :- n(x), m = mean v : { e(x, y), v = to_float(y) / 3.0 }.
g(-1, m) :- m = sum v : { e(_, y), v = to_float(y) * 0.1 }.
w(-1, 0, 0).
w(-1, a + 1, c) :- w(-1, a, _), a < 4, c = count : { e(x, y), x <= a, y <= max z : { e(x, z), z < a } }.
"""


@pytest.mark.parametrize("seed", slow_after(3, range(6)))
def test_changes_of_facts(seed: int) -> None:
    source = random.Random(seed)
    program = Program.parse(DECLARED + UPDATED)
    cells = range(5)
    possible = {"n": [(x,) for x in cells], "e": list(product(cells, cells))}
    facts = {name: set(source.sample(all_, len(all_) // 2)) for name, all_ in possible.items()}
    database = Database(program)
    database.bootstrap({name: sorted(given) for name, given in facts.items()})
    for _ in range(8):
        changed = {
            name: set(source.sample(all_, source.choice((0, 1, 2, len(all_) // 2)))) for name, all_ in possible.items()
        }
        database.update(
            insert={name: sorted(rows_ - facts[name]) for name, rows_ in changed.items()},
            delete={name: sorted(rows_ & facts[name]) for name, rows_ in changed.items()},
        )
        facts = {name: given ^ changed[name] for name, given in facts.items()}
        fresh = Database(program)
        fresh.bootstrap({name: sorted(given) for name, given in facts.items()})
        state = evaluate(parse(DECLARED + UPDATED), facts)
        for relation in ("r", "w", "g"):
            assert set(database[relation]) == set(fresh[relation]) == state.visible(relation)
