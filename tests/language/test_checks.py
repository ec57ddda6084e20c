"""What is refused beyond types: names, bindings, strata, aggregates, counters, plans, inlining, subsumption,
directives."""

from __future__ import annotations

import pytest

from ladder.language.compile import compile_program
from ladder.language.errors import ProgramError

DECLARED = """\
.type Tree = Leaf {} | Node {left: Tree, value: number, right: Tree}
.decl n(x: number)  .decl m(x: number, y: number)  .decl k(x: number)  .decl tree(t: Tree)  .decl many(x: number)
.decl same(x: number, y: number) eqrel  .decl least(x: number, y: number) btree_delete
.decl small(x: number) inline  .decl between(x: number, y: number) inline  .decl nothing()
small(x) :- x < 3.
between(x, y) :- m(x, z), m(z, y).
"""
LINE = DECLARED.count("\n") + 1


def errors_of(text: str) -> list[tuple[int, str]]:
    try:
        compile_program(DECLARED + text)
    except ProgramError as refused:
        assert str(refused) and refused.to_json()
        return [(e.place.column if e.place.line == LINE else -e.place.line, e.message) for e in refused.errors]
    return []


ACCEPTED = [
    "n(x) :- k(x), x = count : { m(x, _) }.",
    "n(x) :- x = min y : { m(y, z), k(z) }.",
    "n(y) :- k(x), y = max z : { m(x, z) }.",
    "n(x) :- k(y), x = sum z : { m(y, z), z > count : { m(y, _) } }.",
    "m(x, y) :- y = max z : { k(z), n(x) }, n(x).",
    "n(y) :- _ = max z : { m(y, z) }.",
    "n(1) :- tree($Node(_, x, _)), x > 1.",
    "n(autoinc()) :- k(_).",
    "n(count : { k(_) }).",
    "n(range(1, 9)).",
    "n(x) :- k(x), small(x). ",
    "n(x) :- k(x), !small(x).",
    "m(x, y) :- between(x, y).",
    "least(x, y) <= least(x, z) :- z < y.",
    "same(x, y) :- m(x, y).",
    "n(x) :- m(x, y), n(y), !k(x).",
    ".decl first(x: number, y: number) choice-domain x, (x, y) first(x, y) :- m(x, y).",
    ".limitsize n(n=10) n(x + 1) :- n(x).",
    "n(x) :- n(x), m(x, y), n(y). .plan 0:(3,2,1), 1:(1,2,3)",
    "n(x) :- m(x, _), 3 = x.",
    "n(x) :- y = x, z = y, k(z).",
    "n(as(x, number)) :- k(as(x, number)).",
    "n(x) :- [x, y] = [y, 1], k(y).",
    ".output n .output n(IO=stdout) .printsize n",
    "nothing() :- k(_). n(1) :- nothing().",
    "n(x) :- k(x), (x = 1 ; x = 2, !m(x, x)).",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    assert errors_of(text) == []


REFUSED = [
    # bindings
    ("n(x) :- k(y), x > y.", 3, "the variable x is not bound: it stands only in the head and in x > y"),
    (
        "n(x) :- k(x), !m(x, y), y > 3.",
        21,
        "the variable y is not bound: it stands only in the negated atom !m(x, y) and in y > 3",
    ),
    ("n(x) :- x = y, y = x.", 3, "the variable x is not bound: it stands only in the head"),
    ("n(x) :- k(y), y = x + 1.", 3, "the variable x is not bound: it stands only in the head and in y = (x + 1)"),
    ("n(1) :- k(x), x < count : { m(x, _), y < 3 }.", 38, "the variable y is not bound: it stands only in y < 3"),
    ("n(1) :- 0 < sum z : { k(_) }.", 17, "the variable z is not bound: it stands only in the target"),
    ("n(1) :- 0 < sum z + w : { k(z) }.", 21, "the variable w is not bound: it stands only in the target"),
    ("n(x) :- y = count : { m(x, _) }, k(y).", 25, "x stands outside, but only the body of this count binds it"),
    (
        "n(x) :- y = max z : { k(z), z = sum w : { m(x, w) } }, k(y).",
        45,
        "x stands outside, but only the body of this sum binds it",
    ),
    ("n(x) :- k(y), (y = 1, x = 2 ; y = 3).", 3, "the variable x is not bound: it stands only in the head"),
    ("tree($Node(t, 1, t)).", 12, "the variable t is not bound: it stands only in the head"),
    # wildcards, facts
    ("n(_) :- k(_).", 3, "the wildcard _ has no value here"),
    ("n(x) :- k(x), x + _ = 3.", 19, "the wildcard _ has no value here"),
    ("n(autoinc()).", 3, "a fact cannot have a counter"),
    ("n(x) :- n(y), x = autoinc() + y.", 19, "a counter in a recursive rule never comes to an end"),
    # strata
    ("n(x) :- k(x), !n(x).", 15, "n depends on its own negation: n ← !n"),
    ("n(x) :- k(x), !many(x). many(x) :- m(x, y), n(y).", 15, "n depends on its own negation: n ← !many ← n"),
    ("n(x) :- x = count : { n(_) }.", 13, "n depends on its own aggregate: n ← count n"),
    ("n(count : { many(_) }). many(x) :- n(x).", 3, "n depends on its own aggregate: n ← count many ← n"),
    ("n(x) :- k(x), x < count : { k(y), y < sum z : { n(z) } }.", 19, "n depends on its own aggregate: n ← count n"),
    ("n(x) :- k(x), !(k(x), !n(x)), !(!(!n(x))).", 35, "n depends on its own negation: n ← !n"),
    # plans
    ("n(x) :- n(x), m(x, _). .plan 0:(1)", 30, "this plan names 1 atom, the rule has 2"),
    ("n(x) :- n(x), m(x, _). .plan 0:(2,2)", 30, "this plan leaves out atom 1"),
    ("n(x) :- n(x), m(x, _). .plan 1:(2,1)", 30, "there is no version 1 of this rule"),
    # inlining
    (".output small", -4, "the relation small is inline, and there is .output for it"),
    (
        "n(x) :- k(x), !between(x, x).",
        16,
        "the inline relation between is negated, and its rules have variables of their own",
    ),
    ("n(x) :- k(x), !small(_).", 22, "a wildcard in a negated atom of the inline relation small"),
    ("n(count : { small(_), k(_) }).", 13, "the inline relation small stands in an aggregate"),
    ("between(x, y) :- between(y, x).", -4, "inline relations that depend on each other: between"),
    (".decl i(x: number) inline i(autoinc()) :- k(_).", 29, "a counter in a rule of an inline relation"),
    # subsumption, choice, equivalence
    ("least(x, y) <= m(x, y) :- x < y.", 1, "a row of least can be dominated by one of least only, not of m"),
    ("nothing() <= nothing() :- k(_).", -4, "the relation nothing has subsumption, but no columns"),
    ("same(x, y) <= same(x, z) :- z < y.", -3, "the relation same has subsumption and cannot be eqrel"),
    ("least(x, y) <= least(x, z) :- z < w.", 35, "the variable w is not bound: it stands only in z < w"),
    (".decl c(x: number) choice-domain z", 7, "the choice domain of c names z, which is no column of it"),
    (".decl e(x: number) eqrel", 7, "the equivalence relation e has 1 column, not 2"),
    (
        ".decl e(x: number, y: symbol) eqrel",
        7,
        "the columns of the equivalence relation e have different types: number and symbol",
    ),
    # directives
    (".printsize n .printsize n", 25, ".printsize n is given twice"),
    (".limitsize n(n=1) .limitsize n(n=2)", 30, ".limitsize n is given twice"),
    (".limitsize n", 12, ".limitsize n has no number of rows"),
    (".input nn", 8, "the relation nn of .input is not declared"),
    # functors
    (".functor f(x: number): number n(@f(x)) :- k(x).", 33, "the functor f has no function"),
    ("n(@f(x)) :- k(x).", 3, "the functor f is not declared"),
    (
        '.functor f(x: number): number = "libf.so:f"',
        10,
        (
            "the function of the functor f cannot be found: "
            "libf.so is a shared library; functors and lattices are Python objects"
        ),
    ),
]


@pytest.mark.parametrize(("text", "column", "message"), REFUSED)
def test_refused(text: str, column: int, message: str) -> None:
    assert errors_of(text)[:1] == [(column, message)]


def test_functors_without_a_function_may_stand_unused_and_are_told_last() -> None:
    declaration = ".functor f(x: number): number "
    assert errors_of(declaration) == []
    assert [m for _, m in errors_of(declaration + "n(@f(x)) :- k(x). n(y).")] == [
        "the variable y is not bound: it stands only in the head"
    ]


def test_errors_of_type_declarations_hide_what_would_follow_from_them() -> None:
    assert [m for _, m in errors_of('.type T = number | symbol .decl r(x: T) r(1). r("a"). n("b").')] == [
        "the union T mixes number and symbol values"
    ]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("n(x) :- kk(x).", "did you mean k?"),
        ("tree($Lef()).", "did you mean Leaf?"),
        ('n(x) :- k(x), strln("") = x.', "did you mean strlen?"),
        (".output trees", "did you mean tree?"),
        (".decl r(t: Tre)", "did you mean Tree?"),
        (".functor twice(x: number): number n(@twise(1)).", "did you mean twice?"),
        (".decl c(left: number) choice-domain lft", "did you mean left?"),
        ("n(as(1, nmber)).", "did you mean number?"),
        ("n(nodes) :- m(node, _).", "did you mean node?"),
        ("n(z) :- m(node, _).", "bind it with an atom that is not negated, or by = with a value"),
        ("tree(Leaf()).", "write $Leaf(…)"),
    ],
)
def test_names_that_may_be_meant_are_proposed(text: str, hint: str) -> None:
    with pytest.raises(ProgramError) as refused:
        compile_program(DECLARED + text)
    assert [error.hint for error in refused.value.errors] == [hint]


def test_errors_of_components_do_not_hide_others_and_what_they_would_declare_is_not_told() -> None:
    text = ".comp C { .decl r(x: number) } .init c = D .init d = C n(x) :- c.r(x), d.r(x). n(y)."
    assert [(m) for _, m in errors_of(text)] == [
        "the component D is not declared",
        "the variable y is not bound: it stands only in the head",
    ]
