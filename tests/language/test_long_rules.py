"""Rules longer than plans may be: they give the rows of the rule in one piece, and are kept up to date."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.local.encode import NUMERIC
from ladder.engine.local.kernels import layout
from ladder.engine.reference.evaluate import evaluate
from ladder.errors import ProgramError
from ladder.language import core, parse
from ladder.language.limits import LIMITS
from ladder.language.normalise.same_records import merged

from ..engine.comparison import difference, state_of

DECLARED = (
    ".decl e(x: number, y: number)  .input e  .decl r(x: number, y: number)  .output r  .decl n(x: number)  n(3).\n"
)


def chain(length: int, more: str = "") -> str:
    return ", ".join(f"e(x{i}, x{i + 1})" for i in range(length)) + more


@pytest.mark.parametrize(
    "body",
    [
        chain(40),
        chain(17, ", x3 != 3"),
        chain(30, ", !n(x0), !n(x29)"),
        chain(18, ", x0 + x17 < 9"),
        ", ".join(f"e(x0, y{i})" for i in range(20)) + ", e(x0, x17)",
        "e(x0, _), " + chain(25) + ", e(x17, x0), !e(x0, x17)",
        chain(18) + "".join(f", !n(x{i})" for i in range(0, 18, 3)),
        "e(x0, x17), " + ", ".join(f"!n(x{i % 2 * 17})" for i in range(30)),
    ],
)
def test_rows(body: str) -> None:
    text = DECLARED + f"r(x0, x17) :- {body}."
    program = parse(text)
    assert max(sum(isinstance(p, core.Atom | core.Not) for p in rule.body) for rule in program.rules) <= LIMITS.atoms
    assert any("$join" in name for name in program.relations)
    facts = {"e": [(1, 2), (2, 3), (3, 1), (2, 4), (4, 1)]}
    database = Database(Program.parse(text))
    database.bootstrap(facts)
    expected = set(evaluate(program, facts).rows["r"])
    assert expected and set(database["r"]) == expected == by_hand(body, facts["e"])
    database.update(insert={"e": [(4, 4)]}, delete={"e": [(3, 1)]})
    changed = [(1, 2), (2, 3), (2, 4), (4, 1), (4, 4)]
    assert set(database["r"]) == by_hand(body, changed)


def by_hand(body: str, edges: list[tuple[int, int]]) -> set[tuple[int, int]]:
    """Rows (x0, x17), variable by variable."""
    partial: list[dict[str, int]] = [{}]
    parts = body.split("), ") if "!" not in body else body.replace(", !", "), !").split("), ")
    atoms, rest = [p for p in parts if p.startswith("e(")], [p for p in parts if not p.startswith("e(")]
    for atom in atoms:
        names = atom.partition("e(")[2].rstrip(")").split(", ")
        found = []
        for scope in partial:
            for row in edges:
                extended = dict(scope)
                if all(name == "_" or extended.setdefault(name, cell) == cell for name, cell in zip(names, row)):
                    found.append(extended)
        partial = list({tuple(sorted(scope.items())): scope for scope in found}.values())
        later = (
            " ".join((*atoms[atoms.index(atom) + 1 :], *rest, "x0 x17"))
            .replace("(", " ")
            .replace(")", " ")
            .replace(",", " ")
            .split()
        )
        partial = list(
            {
                tuple(sorted((k, v) for k, v in scope.items() if k in later)): {
                    k: v for k, v in scope.items() if k in later
                }
                for scope in partial
            }.values()
        )
    python = [p.strip(" )").replace("!n(", "3 != (").replace("!e(", "not e(") for p in rest]
    python = [p + ")" * (p.count("(") - p.count(")")) for p in python]
    holds = [scope for scope in partial if all(eval(p, {"e": lambda *row: row in edges, **scope}) for p in python)]
    return {(scope["x0"], scope["x17"]) for scope in holds}


def test_short_rules_stay() -> None:
    program = parse(DECLARED + f"r(x0, x9) :- {chain(LIMITS.atoms)}.")
    assert len(program.rules) == 1 and len(program.rules[0].body) == LIMITS.atoms < LIMITS.body_steps


@pytest.mark.slow
def test_long_computations() -> None:
    sum_ = "x"
    value = 0
    for i in range(60):
        sum_, value = f"({sum_} * 3 + {i})", (value * 3 + i) & 0xFFFFFFFF
    text = (
        DECLARED
        + f"""
        .type P = [a: number, b: symbol]
        r(0, y) :- n(x), z = x - 3, y = {sum_.replace("x", "z")}.
        r(1, strlen(s)) :- n(x), s = cat({", ".join(["to_string(x)"] * 50)}).
        r(2, a + b) :- n(x), p = [x, "k"], a = {sum_} - {sum_}, p = [b, _], to_unsigned(to_float(x)) = 3u.
        r(3, c) :- n(x), y = x + 1, c = count : {{ e(y, _) }}, {", ".join(f"x + {i} != {i}" for i in range(40))}.
        r(4, autoinc()) :- n(x), {", ".join(f"x * {i} < 999" for i in range(60))}.
        """
    )
    value = value - (1 << 32) if value >= 1 << 31 else value
    facts = {"e": [(4, 1), (4, 2), (3, 3)]}
    expected = {(0, value), (1, 50), (2, 3), (3, 2), (4, 0)}
    assert set(evaluate(parse(text), facts).rows["r"]) == expected
    database = Database(Program.parse(text))
    database.bootstrap(facts)
    assert set(database["r"]) == expected


def columns(number: int) -> str:
    return ", ".join(f"c{i}: number" for i in range(number))


def constants(number: int, first: int = 0) -> str:
    return "".join(f", {first + i}" for i in range(number))


@pytest.mark.parametrize(
    ("arity", "body", "row"),
    [
        (2, "e(x, y), " + ", ".join(f"x + {i} != {100 + i}, y != {100 + i}" for i in range(22)), lambda x: (x, x)),
        (6, ", ".join(f"e(x{constants(5, 5 * i)})" for i in range(16)), lambda x: None),
        (22, f"e(x{constants(21)}), e(x{constants(21, 21)}), e(x{constants(21, 42)})", lambda x: None),
        (
            4,
            ", ".join(f"e(x{i}, x{i + 1}, 0, 1)" for i in range(16)).replace("x0,", "x,").replace("x16,", "x,"),
            lambda x: (x, x, 0, 1),
        ),
    ],
)
def test_constants_are_steps_of_a_plan(arity: int, body: str, row: Any) -> None:
    """They were not counted: such rules were evaluated, and refused at the first update, or at the bootstrap."""
    program = Program.parse(f".decl e({columns(arity)}) .input e .decl r(x: number) .output r r(x) :- {body}.")
    every = (
        [
            tuple(int(cell) for cell in ("{0}" + part).split(", ")[1:])
            for part in (constants(5, 5 * i) for i in range(16))
        ]
        if row(0) is None and arity == 6
        else [tuple(range(21 * i, 21 * i + 21)) for i in range(3)]
        if row(0) is None
        else []
    )
    rows = {x: [row(x)] if row(x) is not None else [(x, *rest) for rest in every] for x in (1, 2, 3)}
    database = Database(program)
    database.bootstrap({"e": [*rows[1], *rows[2]]})
    database.update(insert={"e": rows[3]}, delete={"e": rows[1][:1]})
    assert (
        set(database["r"])
        == {(2,), (3,)}
        == set(evaluate(program.core, {"e": [*rows[1][1:], *rows[2], *rows[3]]}).rows["r"])
    )


@pytest.mark.parametrize("rule", ["e(x) :- r(x{}).", "r(x{}) :- e(x)."])
def test_what_no_plan_can_hold_is_refused_before_there_are_facts(rule: str) -> None:
    """With 31 constants in one atom, which cannot be parted."""
    text = (
        f".decl e(x: number) .input e .decl r({columns(32)}) .input r .output e .output r\n "
        f"{rule.format(constants(31))}"
    )
    with pytest.raises(ProgramError) as refused:
        Program.parse(text)
    first, line, caret, hint = str(refused.value).splitlines()
    assert first == "<text>:2:2: error: this rule takes up to 65 steps, and an engine's plan has at most 63"
    assert (
        line.lstrip().startswith(rule[:2])
        and line.index(rule[:2]) == caret.index("^")
        and hint.lstrip().startswith("split it")
    )
    database = Database(
        Program.parse(text.replace(", 30)", ", _)" if rule.startswith("e") else ", x)").replace(", 29", ", x"))
    )
    database.bootstrap({"e": [(1,)], "r": [(2, *range(29), 2, 5)]})
    assert len(database.update(insert={"e": [(7,)], "r": [(3, *range(29), 3, 5)]}).inserted)


def test_a_fact_may_have_constants_alone() -> None:
    program = Program.parse(
        f".decl r({columns(32)}) .output r r({constants(32)[2:]}). "
        f".decl q(x: number) .output q q(x) :- r(x{constants(29, 1)}, _, _)."
    )
    database = Database(program)
    database.bootstrap({})
    assert set(database["r"]) == {tuple(range(32))} and set(database["q"]) == {(0,)}


@pytest.mark.parametrize("nested", ["right", "left", "both"])
@pytest.mark.parametrize("length", [7, 12, 40, 150])
def test_a_record_of_many_records_is_made_in_parts(length: int, nested: str) -> None:
    """As in a list of instructions that a rule writes; the parts pass on few values, whichever side is the deep one."""
    record = "nil"
    for i in range(length):
        part = f'["op{i % 5}", {("x", "y", f"x + {i % 3}")[i % 3]}]'
        left = nested == "left" or nested == "both" and i % 2
        record = f"[nil, {record}, {part}]" if left else f"[{part}, {record}, nil]"
    text = (
        ".type P = [name: symbol, n: number]  .type T = [p: P, rest: T, q: P]\n"
        ".decl e(x: number, y: number)  .input e  .decl n(x: number)  n(3).  .decl r(x: number, t: T)  .output r\n"
        f"r(x, {record}) :- e(x, y), !n(y), x < y."
    )
    program = parse(text)
    assert all(relation.arity <= 8 for relation in program.relations.values())
    database = Database(Program.parse(text))
    database.bootstrap({"e": [(1, 2), (1, 3), (4, 2)]})
    database.update(insert={"e": [(2, 7)]}, delete={"e": [(1, 2)]})
    found = set(database["r"])
    assert found == set(evaluate(program, {"e": [(1, 3), (4, 2), (2, 7)]}).rows["r"]) and {x for x, _ in found} == {2}


def test_computations_that_depend_on_each_other_and_on_atoms() -> None:
    record = "nil"
    for i in range(30):
        record = f"[x + {i}, {record}]"
    text = (
        ".type L = [n: number, rest: L]  .decl e(x: number, y: number)  .input e  .decl r(t: L)  .output r\n"
        f"r({record}) :- e(x, y), x = y + 1, y = x - 1, !e(y, x)."
    )
    database = Database(Program.parse(text))
    database.bootstrap({"e": [(2, 1), (5, 5), (4, 3), (3, 4)]})
    assert set(database["r"]) == set(evaluate(parse(text), {"e": [(2, 1)]}).rows["r"]) and len(set(database["r"])) == 1


def test_the_limits_are_the_engines() -> None:
    assert (LIMITS.columns, LIMITS.atoms, LIMITS.steps + 1, LIMITS.variables, LIMITS.arguments) == (
        layout.MAX_COLUMNS,
        layout.MAX_BODY,
        layout.MAX_LEVELS,
        layout.MAX_REGISTERS,
        layout.MAX_ARGUMENTS,
    )
    assert LIMITS.choices <= layout.MAX_CHOICES
    assert 2 * LIMITS.grouped_steps <= layout.MAX_LEVELS and LIMITS.grouped_variables <= LIMITS.variables
    assert LIMITS.switched_atoms + 1 == LIMITS.atoms


def test_what_is_shortened_stays_below_the_limits() -> None:
    assert LIMITS.join_atoms < LIMITS.atoms and LIMITS.join_variables < LIMITS.variables
    assert max(LIMITS.body_steps, LIMITS.join_steps, LIMITS.computed_steps) < LIMITS.steps
    assert LIMITS.constants < LIMITS.columns


def test_what_the_engine_compares_itself() -> None:
    assert {core.Kind.NUMBER, core.Kind.UNSIGNED, core.Kind.FLOAT} == NUMERIC


INLINED = """
.type Square = [column: number, row: number]
.decl side(n: number)
side(1). side(2). side(3). side(4).
.decl square(p: Square) inline
square([a, b]) :- side(a), side(b).
.decl off_diagonals(p: Square, q: Square) inline
off_diagonals([a, b], [c, d]) :- square([a, b]), square([c, d]), a - c != b - d, c - a != b - d.
.decl apart(p: Square, q: Square) inline
apart(p, q) :- off_diagonals(p, q), p = [a, b], q = [c, d], a != c, b != d.
.decl peaceful(p: Square, q: Square)
peaceful(p, q) :- apart(p, q), apart(q, p), p = [a, _], q = [c, _], a < c.
"""


def test_records_that_inlined_rules_take_apart_again_and_again() -> None:
    program = Program.parse(INLINED)
    db, definition = Database(program), Database(program, engine="reference")
    expected = {
        ((a, b), (c, d))
        for a, b, c, d in product(range(1, 5), repeat=4)
        if a < c and b != d and abs(a - c) != abs(b - d)
    }
    assert set(db["peaceful"]) == set(definition["peaceful"]) == expected and len(expected) > 10


RECORDS = """
.type P = [x: number, y: number]
.type T = Leaf { n: number } | Fork { l: T, r: T }
.type L = [n: number, next: L]
.decl p(a: P)
.decl t(a: T)
.decl n(x: number)
.decl r(x: number, y: number)
p([1, 2]). p([2, 2]). p([2, 1]). p(nil).
t($Leaf(1)). t($Leaf(2)). t($Fork($Leaf(1), $Leaf(2))). t($Fork($Leaf(2), $Leaf(2))).
n(1). n(2).
"""


@pytest.mark.parametrize(
    "body",
    [
        "p(a), a = [x, _], a = [_, y], a = [z, _], z > 0",
        "p(a), a = [x, y], a = [y, x]",
        "p(a), p(b), a = [x, y], b = [x, y], a = [v, w], b = [w, v]",
        "n(x), n(y), a = [x, y], a = [v, w], p(a), v <= w",
        "n(x), n(y), a = [x, y], a = [y, x]",
        "n(y), a = [2, y], a = [x, v], p(a), n(v)",
        "n(y), a = as([2, y], P), a = [x, v], x < v",
        "n(x), n(y), a = as([x, 2], P), a = [1, y]",
        "n(x), a = as([2, nil], L), a = [y, b], b = nil, x < y",
        "p(a), p(a), a = [x, y], a = [x, y]",
        "t(a), a = $Fork($Leaf(x), _), a = $Fork(_, b), b = $Leaf(y)",
        "t(a), a = $Leaf(x), a = $Fork(_, _), y = x",
        "t(a), t(b), a = $Leaf(x), a = $Leaf(z), b = $Fork(a, c), c = $Leaf(y), c = $Leaf(w), w = y",
        "p(_), p(_), n(x), y = x",
    ],
)
def test_records_that_are_merged_leave_instantiations_as_they_are(body: str) -> None:
    program = parse(f"{RECORDS} r(x, y) :- {body}.")
    simpler = core.verify(replace(program, rules=tuple(map(merged, program.rules))))
    assert sum(len(rule.body) for rule in simpler.rules) <= sum(len(rule.body) for rule in program.rules)
    for found in (evaluate(simpler), state_of(Database(Program.parse(f"{RECORDS} r(x, y) :- {body}."))._ready())):
        assert difference(found, evaluate(program)) == ""
