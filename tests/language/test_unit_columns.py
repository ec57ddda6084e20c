"""Columns of types with one value: the core program is that of the text without these columns; what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.language import core, parse
from ladder.language.errors import ProgramError

CONTEXT = ".type Context = Anywhere {}\n"
# (name, with columns of the type, without)
PAIRS = [
    (
        "atoms, heads and facts",
        """.decl call(m: symbol, c: Context, n: symbol, d: Context)  .decl reachable(m: symbol, c: Context)
        reachable("main", $Anywhere()).
        reachable(n, d) :- reachable(m, c), call(m, c, n, d).
        .output reachable  .input call(filename="calls.facts")""",
        """.decl call(m: symbol, n: symbol)  .decl reachable(m: symbol)
        reachable("main").
        reachable(n) :- reachable(m), call(m, n).
        .output reachable  .input call(filename="calls.facts")""",
    ),
    (
        "comparisons",
        """.decl a(x: number, c: Context)  .decl b, d(x: number, c: Context)
        b(x, c) :- a(x, c), c = $Anywhere().   b(x, c) :- a(x, c), a(x + 1, d), c = d.
        b(x, c) :- a(x, c), d = c, d = e.
        b(x, c) :- a(x, c), a(_, d), c != d.   b(x, c) :- a(x, c), !(c = $Anywhere(), x > 1).
        d(x, c) :- a(x, c), (x > 2 ; c != $Anywhere()).   d(x, c) :- a(x, _), c = as($Anywhere(), Context).""",
        """.decl a(x: number)  .decl b, d(x: number)
        b(x) :- a(x).   b(x) :- a(x), a(x + 1).   b(x) :- a(x).
        b(x) :- a(x), x <= 1.
        d(x) :- a(x), x > 2.   d(x) :- a(x).""",
    ),
    (
        "negation",
        """.decl a(c: Context, x: number, d: Context, y: number)  .decl b(c: Context, x: number)
        b(c, x) :- a(c, x, _, y), !a(_, y, c, _), !a(c, y, _, x), !b2(_, _).
        .decl b2(c: Context, d: Context)  b2(c, c) :- a(c, 1, _, _).""",
        """.decl a(x: number, y: number)  .decl b(x: number)
        b(x) :- a(x, y), !a(y, _), !a(y, x), !b2().
        .decl b2()  b2() :- a(1, _).""",
    ),
    (
        "aggregates",
        """.decl a(x: number, c: Context, y: number)  .decl n(c: Context, x: number, k: number)
        n(c, x, k) :- a(x, c, _), k = count : { a(x, c, _) }.
        n(c, x, k) :- a(x, c, _), k = sum y : { a(x, d, y), a(y, d, _) }.
        n(c, x, k) :- a(x, _, _), k = max y : { a(x, d, y), d = c }, c = $Anywhere().
        n($Anywhere(), 0, count : { a(_, _, _) }).""",
        """.decl a(x: number, y: number)  .decl n(x: number, k: number)
        n(x, k) :- a(x, _), k = count : { a(x, _) }.
        n(x, k) :- a(x, _), k = sum y : { a(x, y), a(y, _) }.
        n(x, k) :- a(x, _), k = max y : { a(x, y) }.
        n(0, count : { a(_, _) }).""",
    ),
    (
        "aggregated relations",
        """.lattice Signs = "ladder.lattices:Sign"
        .decl a(x: number, c: Context)  .decl s(c: Context, x: number, d: Context, v: Signs<>)
        .decl l(c: Context, v: number)
        s(c, x, c, "+") :- a(x, c).   s(c, x + 1, d, v) :- s(c, x, d, v), a(x, d).   l(c, min(x)) :- a(x, c).""",
        """.lattice Signs = "ladder.lattices:Sign"
        .decl a(x: number)  .decl s(x: number, v: Signs<>)  .decl l(v: number)
        s(x, "+") :- a(x).   s(x + 1, v) :- s(x, v), a(x).   l(min(x)) :- a(x).""",
    ),
    (
        "several lattice columns",
        """.lattice Signs = "ladder.lattices:Sign"
        .decl a(x: number, c: Context)  .decl s(c: Context, x: number, v: Signs<>, w: Signs<>)
        s(c, x, "+", "-") :- a(x, c).   s(c, x + 1, v, w) :- s(c, x, v, w), a(x, c).""",
        """.lattice Signs = "ladder.lattices:Sign"
        .decl a(x: number)  .decl s(x: number, v: Signs<>, w: Signs<>)
        s(x, "+", "-") :- a(x).   s(x + 1, v, w) :- s(x, v, w), a(x).""",
    ),
    (
        "fields of records are stored",
        """.type Object = [h: symbol, c: Context]  .type In = In { c: Context, h: symbol }
        .decl new(h: symbol, c: Context)  .decl object(o: Object, i: In)  .decl back(h: symbol, c: Context)
        object([h, c], $In(c, h)) :- new(h, c).
        back(h, c) :- object([h, c], $In(c, _)).   back(h, c) :- object(o, $In(d, h)), o = [_, c], c = d.""",
        """.type Object = [h: symbol, c: Context]  .type In = In { c: Context, h: symbol }
        .decl new(h: symbol)  .decl object(o: Object, i: In)  .decl back(h: symbol)
        object([h, $Anywhere()], $In($Anywhere(), h)) :- new(h).
        back(h) :- object([h, _], $In(_, _)).   back(h) :- object(o, $In(_, h)), o = [_, _].""",
    ),
    (
        "types made of types with one value",
        """.type Heap = Of { c: Context, d: Context }  .type Same = Heap
        .decl a(x: number, h: Heap)  .decl b(s: Same, x: number, c: Context)
        a(x + 1, $Of(c, d)) :- a(x, $Of(d, c)), x < 9.   b(s, x, c) :- a(x, s), s = $Of(c, _).""",
        """.decl a(x: number)  .decl b(x: number)
        a(x + 1) :- a(x), x < 9.   b(x) :- a(x).""",
    ),
    (
        "functors",
        """.functor merge(x: number, c: Context): Context = "builtins:max"
        .functor size(c: Context): number = "builtins:len"
        .decl a(x: number, c: Context)  .decl b(x: number, c: Context)
        b(x, @merge(x, c)) :- a(x, c).   b(y, d) :- a(x, c), d = @merge(x, c), y = @size(d).""",
        """.functor merge(x: number, c: Context): Context = "builtins:max"
        .functor size(c: Context): number = "builtins:len"
        .decl a(x: number)  .decl b(x: number)
        b(x) :- a(x).   b(y) :- a(_), y = @size($Anywhere()).""",
    ),
    (
        "components and plans",
        """.comp C<T> {
            .decl r(x: number, c: T)  .decl e(x: number, c: T)  r(x, c) :- e(x, c), e(y, c), x < y. .plan 0:(2,1)
        }
        .init i = C<Context>  .init j = C<number>""",
        """.comp C { .decl r(x: number)  .decl e(x: number)  r(x) :- e(x), e(y), x < y. .plan 0:(2,1) }
        .comp D<T> {
            .decl r(x: number, c: T)  .decl e(x: number, c: T)  r(x, c) :- e(x, c), e(y, c), x < y. .plan 0:(2,1)
        }
        .init i = C  .init j = D<number>""",
    ),
]


def compiled(text: str, domain: int = 32) -> core.Program:
    return Program.parse(CONTEXT + text, domain=domain).core


@pytest.mark.parametrize("domain", [32, 64])
@pytest.mark.parametrize(("text", "without"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
def test_the_core_is_that_of_the_text_without_the_columns(text: str, without: str, domain: int) -> None:
    one, other = compiled(text, domain), compiled(without, domain)
    assert str(one) == str(other)
    assert one.relations == other.relations
    assert one.rules == other.rules
    assert (one.facts, one.directives, one.subsumptions) == (other.facts, other.directives, other.subsumptions)
    assert [rule.plan for rule in one.rules] == [rule.plan for rule in other.rules]


def test_declarations() -> None:
    """Keys of choices, equivalence relations, limits and delta relations speak of the columns that are stored."""
    program = compiled("""
        .decl a(x: number, c: Context)  a(1, $Anywhere()). a(2, $Anywhere()).
        .decl p(c: Context, x: number, y: number) choice-domain (c, y), x   p(c, x, y) :- a(x, c), a(y, c).
        .decl one(c: Context, x: number) choice-domain c   one(c, x) :- a(x, c).
        .decl same(x: Context, y: Context) eqrel   same(c, d) :- a(1, c), a(2, d).
        .decl row(c: Context)   row(c) :- a(_, c).   row(c) <= row(d) :- true.
        .decl most(c: Context, x: number)   most(c, x) :- a(x, c).   most(c, x) <= most(d, y) :- c = d, x < y.
        .decl few(c: Context, x: number)   few(c, x) :- a(x, c).   few(c, x + 1) :- few(c, x).   .limitsize few(n=4)
        .decl when = debug_delta(few)
    """)
    assert {name: program.relations[name].choice for name in ("p", "one")} == {"p": ((1,), (0,)), "one": ((),)}
    assert list(map(str, program.subsumptions)) == ["most(x) <= most(y) :- x < y."]
    columns = {name: [column.name for column in relation.columns] for name, relation in program.relations.items()}
    assert columns == {
        "a": ["x"],
        "p": ["x", "y"],
        "one": ["x"],
        "same": [],
        "row": [],
        "most": ["x"],
        "few": ["x"],
        "when": ["x", "iteration"],
    }


def test_keys_of_choices_that_are_not_stored() -> None:
    """Of an empty key there is one row; no row dominates the only one of a relation without columns."""
    text = """
        .decl a(x: number, c: Context)  .input a
        .decl one(c: Context, x: number) choice-domain c   one(c, x) :- a(x, c).
        .decl row(c: Context) choice-domain c   row(c) :- a(_, c).   row(c) <= row(d) :- c = d.
        .decl when = debug_delta(row)
    """
    for engine in ("local", "reference"):
        database = Database(Program.parse(CONTEXT + text), engine=engine)
        database.bootstrap({"a": [(3,), (2,), (5,)]})
        assert [set(database[name]) for name in ("one", "row", "when")] == [{(2,)}, {()}, {(0,)}]
        database.update(delete={"a": [(2,)]})
        assert [set(database[name]) for name in ("one", "row", "when")] == [{(3,)}, {()}, {(0,)}]
        database.update(delete={"a": [(3,), (5,)]})
        assert [set(database[name]) for name in ("one", "row", "when")] == [set(), set(), set()]


@pytest.mark.parametrize(
    ("declaration", "columns"),
    [
        (".type T = A {} | B {}", ["t"]),
        (".type T = A { n: number }", ["t"]),
        (".type T = A { t: T }", ["t"]),
        (".type T = [c: Context]", ["t"]),  # nil is another value of it
        (".type T = []", ["t"]),
        (".type T <: number", ["t"]),
        (".type T = A { c: Context, d: Context }", []),
        (".type T = Context", []),
        (
            """.type T = A {}  .functor join(x: T, y: T): T = "builtins:max"
            .lattice T<> { Bottom -> $A(), Lub -> @join(_, _) }""",
            ["t"],
        ),
    ],
)
def test_which_types_have_one_value(declaration: str, columns: list[str]) -> None:
    program = compiled(f"{declaration}\n.decl r(t: T)  .decl s(t: T)  s(t) :- r(t).")
    assert [column.name for column in program.relations["r"].columns] == columns
    assert str(program.rules[0]) == ("s(t) :- r(t)." if columns else "s() :- r().")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".decl a(x: number) .decl b(x: number, c: Context) b(x, c) :- a(x).", "the variable c is not bound"),
        (".decl a(x: number, c: Context) .decl b(x: number) b(x) :- b(x), !a(x, c).", "the variable c is not bound"),
        (".decl a(x: number) .decl b(x: number, c: Context) b(x, _) :- a(x).", "the wildcard _ has no value here"),
        (".decl a(x: number, c: Context) a(1).", "a has 2 columns, not 1"),
        (
            """.functor f(x: number): Context = "builtins:range" several .decl a, b(x: number, c: Context)
            b(x, _c), a(x, @f(x)) :- a(x, _c) ; b(x, _c).""",
            "the functor f gives several values of the type Context, which has one: $Anywhere()",
        ),
        (".decl a(x: number, c: Context) a(1, 2).", "2 is a number, column c of a is a Context"),
        (
            ".type P = [x: number] .decl a(x: P, c: Context) a(x, as(x, Context)) :- a(x, _).",
            "as(x, Context) is no value of the type Context, which has one: $Anywhere()",
        ),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(ProgramError) as raised:
        parse(CONTEXT + text)
    assert [error.message.partition(": it stands")[0] for error in raised.value.errors] == [message]


CALLS = """
.decl new(m: symbol, h: symbol, v: symbol)  .decl call(i: symbol, m: symbol, b: symbol)
.decl this(n: symbol, v: symbol)  .input new, call, this
.decl reachable(m: symbol, c: Context)  .decl points(h: symbol, x: HeapContext, v: symbol, c: Context)
.output points, reachable
.decl Initial(c: Context) inline  .decl MadeIn(c: Context, h: symbol, x: HeapContext) inline
.decl CalledOn(i: symbol, c: Context, h: symbol, x: HeapContext, d: Context) inline
reachable("main", c) :- Initial(c).
points(h, x, v, c) :- new(m, h, v), reachable(m, c), MadeIn(c, h, x).
reachable(n, d), points(h, x, t, d) :-
    call(i, m, b), reachable(m, c), points(h, x, b, c), this(n, t), CalledOn(i, c, h, x, d).
"""
POLICIES = {
    "insensitive": """.type Context = Anywhere {}  .type HeapContext = Anything {}
        Initial($Anywhere()).  MadeIn(_, _, $Anything()).  CalledOn(_, _, _, _, d) :- d = $Anywhere().""",
    "by call site": """.type Context = symbol  .type HeapContext = Context
        Initial("").  MadeIn(c, _, c).  CalledOn(i, _, _, _, i).""",
    "by object": """.type Context = [h: symbol, x: Context]  .type HeapContext = Context
        Initial(nil).  MadeIn([h, _], _, [h, nil]).  MadeIn(nil, _, nil).
        CalledOn(_, _, h, x, [h, x]).""",
    "by two call sites": """.type Context = [i: symbol, j: symbol]  .type HeapContext = [i: symbol]
        Initial(["", ""]).  MadeIn([i, _], _, [i]).  CalledOn(i, [j, _], _, _, [i, j]).""",
    "by branch": """.type Context = Start {} | On { h: symbol }  .type HeapContext = One {}
        Initial($Start).  MadeIn(_, _, $One).
        CalledOn(_, c, h, _, d) :- h = "list", d = c ; h != "list", d = $On(h).""",
}
FOUND = {
    "insensitive": {("A", "a"), ("list", "l"), ("A", "this"), ("list", "this")},
    "by call site": {
        ("A", "", "a", ""),
        ("list", "", "l", ""),
        ("A", "", "this", "1"),
        ("list", "", "this", "2"),
    },
    "by object": {
        ("A", None, "a", None),
        ("list", None, "l", None),
        ("A", None, "this", ("A", None)),
        ("list", None, "this", ("list", None)),
    },
    "by two call sites": {
        ("A", ("",), "a", ("", "")),
        ("list", ("",), "l", ("", "")),
        ("A", ("",), "this", ("1", "")),
        ("list", ("",), "this", ("2", "")),
    },
    "by branch": {
        ("A", "a", ("Start",)),
        ("list", "l", ("Start",)),
        ("A", "this", ("On", "A")),
        ("list", "this", ("Start",)),
    },
}


@pytest.mark.parametrize("policy", POLICIES)
def test_policies_of_contexts(policy: str, tmp_path: Path) -> None:
    """An analysis that is written once; the relations that say what its contexts are stand in a file that it
    includes."""
    (tmp_path / "policy.dl").write_text(POLICIES[policy])
    (tmp_path / "analysis.dl").write_text(f'.include "policy.dl"\n{CALLS}')
    program = Program.load(tmp_path / "analysis.dl")
    database = Database(program)
    database.bootstrap(
        {
            "new": [("main", "A", "a"), ("main", "list", "l")],
            "call": [("1", "main", "a"), ("2", "main", "l")],
            "this": [("run", "this")],
        }
    )
    assert set(database["points"]) == FOUND[policy]
    if policy == "insensitive":
        assert [str(rule) for rule in program.core.rules if program.core.declares(rule.head.relation)] == [
            'reachable("main") :- .',
            "points(h, v) :- new(m, h, v), reachable(m).",
            "reachable(n) :- call(_, m, b), reachable(m), points(_, b), this(n, _).",
            "points(h, t) :- call(_, m, b), reachable(m), points(h, b), this(_, t).",
        ]


def test_a_value_with_many_parts_is_stored() -> None:
    """Types that each have two fields of the one before: the value of the last one would have 2^30 branches."""
    types = ".type A0 = X {}\n" + "".join(f".type A{n} = B{n} {{a: A{n - 1}, b: A{n - 1}}}\n" for n in range(1, 30))
    program = parse(f"{types}.decl r(few: A3, many: A29)\nr(x, y) :- r(x, y).")
    assert [column.name for column in program.relations["r"].columns] == ["many"]
