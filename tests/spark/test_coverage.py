"""Every built-in function, comparison, aggregate and supplied lattice has a conformance case: those are run on both
engines."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest

from ladder import lattices
from ladder.engine.reference import evaluate as naive
from ladder.language.core import (
    ARITHMETIC,
    COMPARISONS,
    CONVERSIONS,
    ON_SYMBOLS,
    ORDERED,
    REINTERPRETATIONS,
    Compare,
    Compute,
    Generate,
    Kind,
    Pack,
    Program,
    Unpack,
    dependencies,
)

from ..conformance import cases
from .corpus import RESULTS
from .gaps import PROGRAMS

INTEGERS = (Kind.NUMBER, Kind.UNSIGNED)
NUMERIC = (*INTEGERS, Kind.FLOAT)
FOR_INTEGERS = ("%", "band", "bor", "bxor", "bnot", "bshl", "bshr", "bshru", "land", "lor", "lxor", "lnot")
ABSTRACT = (lattices.Lattice, lattices.Extreme)  # the interface, and the type of what is above or below all values


@pytest.fixture(scope="module")
def programs() -> list[Program]:
    return [cases.load(name).program.core for name in cases.ACCEPTED]


def functions() -> Iterator[tuple[str, Kind]]:
    """What programs can compute, by the kind of the arguments; what leaves its argument as it is, is not computed."""
    own = {
        "to_number": Kind.NUMBER,
        "to_unsigned": Kind.UNSIGNED,
        "to_float": Kind.FLOAT,
        "to_string": Kind.SYMBOL,
        "bits_number": Kind.NUMBER,
        "bits_unsigned": Kind.UNSIGNED,
        "bits_float": Kind.FLOAT,
    }
    for name in ARITHMETIC:
        yield from (
            (name, kind)
            for kind in (INTEGERS if name in FOR_INTEGERS else (Kind.NUMBER, Kind.FLOAT) if name == "neg" else NUMERIC)
        )
    yield from ((name, Kind.SYMBOL) for name in (*ON_SYMBOLS, "min", "max") if name != "ord")
    yield from ((name, kind) for name in CONVERSIONS for kind in (*NUMERIC, Kind.SYMBOL) if kind is not own[name])
    yield from ((name, kind) for name in REINTERPRETATIONS for kind in NUMERIC if kind is not own[name])


def test_functions_and_comparisons(programs: list[Program]) -> None:
    literals = [literal for program in programs for rule in program.rules for literal in rule.body]
    computed = {(literal.function, literal.kind) for literal in literals if isinstance(literal, Compute)}
    assert set(functions()) - computed == set()
    assert set(ORDERED) <= {function for function, _ in computed}
    compared = {(literal.operator, literal.kind) for literal in literals if isinstance(literal, Compare)}
    kinds = (*NUMERIC, Kind.SYMBOL)
    assert {
        (o, kind) for o in COMPARISONS for kind in (kinds if o in ("=", "!=", "<", "<=", ">", ">=") else kinds[-1:])
    } - compared == set()
    generated = {(literal.function, literal.kind) for literal in literals if isinstance(literal, Generate)}
    assert {("range", kind) for kind in NUMERIC} <= generated
    assert {(type(literal), literal.branch is None) for literal in literals if isinstance(literal, Pack | Unpack)} == {
        (form, plain) for form in (Pack, Unpack) for plain in (True, False)
    }
    assert any("ord(" in text for text in PROGRAMS)


def test_aggregates(programs: list[Program]) -> None:
    """In recursion: least, greatest, and every lattice that is supplied; outside of it the built-in aggregates."""
    inside, outside = set[object](), set[object]()
    for program in programs:
        recursive = recursive_relations(program)
        for relation in program.relations.values():
            if relation.aggregate is not None:
                lattice = program.lattices.get(relation.aggregate)
                found = type(lattice) if lattice is not None else (relation.aggregate, relation.columns[-1].type.kind)
                (inside if relation.name in recursive else outside).add(found)
    supplied = {
        thing
        for name in lattices.__all__
        if inspect.isclass(thing := getattr(lattices, name)) and thing not in ABSTRACT
    }
    assert supplied - inside - outside == set()
    # in recursion these are a `Widening`
    assert supplied - {lattices.Widened, lattices.WidenedStrides} - inside == set()
    assert {(name, kind) for name in ("min", "max") for kind in NUMERIC} - inside == set()
    assert {("sum", kind) for kind in INTEGERS} - outside == set()


def recursive_relations(program: Program) -> set[str]:
    edges = set(dependencies(program))
    return {
        name for members in naive.components(program) for name in members if len(members) > 1 or (name, name) in edges
    }


def test_declarations(programs: list[Program]) -> None:
    relations = [relation for program in programs for relation in program.relations.values()]
    assert (
        any(r.choice for r in relations) and any(r.limit for r in relations) and any(p.subsumptions for p in programs)
    )
    assert any(not r.columns for r in relations) and any(p.functions for p in programs)
    texts = [*map(cases.text_of, cases.case_names()), *(path.read_text() for path in RESULTS.glob("*/*.dl"))]
    for form in (
        "eqrel",
        "inline",
        ".comp",
        ".init",
        "debug_delta",
        "count :",
        "mean ",
        "lub(",
        "glb(",
        "magic",
        ".printsize",
        ".plan",
        "#include",
        ".override",
        ".use",
    ):
        assert any(form in text for text in texts), form
