"""Random syntax trees of every kind of node, such as the parser builds: hypothesis strategies.

What the parser never builds is left out: a sign before a literal is part of it, a conjunction has two parts or more,
and relations have no qualifiers that are directives, and `debug_delta` takes no qualified name, as in Soufflé.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from ladder.language.core import Place
from ladder.language.syntax import nodes as s

HERE = Place("<tree>", 1, 1)
_WORDS = frozenset(
    (
        "nil",
        "true",
        "false",
        "as",
        "band",
        "bor",
        "bxor",
        "bnot",
        "bshl",
        "bshr",
        "bshru",
        "land",
        "lor",
        "lxor",
        "lnot",
        "count",
        "sum",
        "min",
        "max",
        "mean",
        "match",
        "contains",
        "autoinc",
        "range",
        "neg",
    )
)
_LIKE_WORDS = (
    "nilx",
    "truly",
    "as_",
    "bandx",
    "counts",
    "minx",
    "matching",
    "output",
    "inline",
    "stateful",
    "x",
    "?x",
    "_x",
    "type",
    "decl",
    "e5",
    "u",
    "x0",
    "choice",
    "comp",
    "plan",
)
Nodes = st.SearchStrategy[Any]

names = st.one_of(st.sampled_from(_LIKE_WORDS), st.from_regex(r"[_?a-zA-Z][_?a-zA-Z0-9]{0,6}", fullmatch=True)).filter(
    lambda name: name not in _WORDS and name != "_"
)
type_names = st.one_of(names, st.lists(names, min_size=2, max_size=3).map(".".join))
atom_names = type_names
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=8)
branch_names = names.filter(lambda name: "?" not in name)


def node(kind: Callable[..., Any], *parts: Nodes) -> Nodes:
    return st.builds(kind, st.just(HERE), *parts)


def some(parts: Nodes, least: int = 0, most: int = 3) -> Nodes:
    return st.lists(parts, min_size=least, max_size=most).map(tuple)


numbers = st.one_of(
    node(s.Number, st.integers(-(1 << 31), (1 << 32) - 1)),
    node(s.Number, st.integers(0, (1 << 32) - 1), st.just("u")),
    node(s.Number, st.integers(-(1 << 31), (1 << 32) - 1), st.just("x")),
    node(s.Number, st.floats(allow_nan=False), st.just("f")),
)
simple = st.one_of(
    node(s.Variable, names), node(s.Wildcard), numbers, node(s.String, texts), node(s.Nil), node(s.Counter)
)
comparators = st.sampled_from(("=", "!=", "<", "<=", ">", ">="))


def _positive(argument: s.Expression) -> bool:
    """Not a literal: its sign would be read as a part of it."""
    return not isinstance(argument, s.Number)


def _larger(inner: Nodes) -> Nodes:
    return st.one_of(
        node(s.Call, names, some(inner)),
        node(s.Call, st.sampled_from(("range", "min", "max", "cat", "ord")), some(inner, 1)),
        node(s.Call, st.sampled_from(sorted(s.OPERATORS)), st.tuples(inner, inner)),
        node(s.Call, st.sampled_from(("bnot", "lnot")), st.tuples(inner)),
        node(s.Call, st.just("neg"), st.tuples(inner.filter(_positive))),
        node(s.UserCall, branch_names, some(inner)),
        node(s.Record, some(inner)),
        node(s.Variant, branch_names, some(inner)),
        node(s.Cast, inner, type_names),
        st.deferred(lambda: aggregates),
    )


expressions: Nodes = st.recursive(simple, _larger, max_leaves=6)
atoms = node(s.Call, atom_names, some(expressions))
leaves = st.one_of(
    node(s.AtomLiteral, atoms),
    node(s.Comparison, comparators, expressions, expressions),
    node(s.Comparison, st.sampled_from(("match", "contains")), expressions, expressions),
    node(s.Truth, st.booleans()),
)
bodies: Nodes = st.recursive(
    leaves,
    lambda inner: st.one_of(
        node(s.Negation, inner), node(s.Conjunction, some(inner, 2)), node(s.Disjunction, some(inner, 2))
    ),
    max_leaves=4,
)
aggregates = st.one_of(
    node(s.Aggregate, st.just("count"), st.none(), bodies),
    node(s.Aggregate, st.sampled_from(("sum", "min", "max", "mean")), expressions, bodies),
)

attributes = node(s.Attribute, names, type_names)
plans = some(node(s.Plan, st.integers(0, 3), some(st.integers(1, 9))), most=2)
component_types = node(s.ComponentType, names, some(type_names))
clauses = st.one_of(
    node(s.Clause, some(atoms, 1), st.none(), st.just(())), node(s.Clause, some(atoms, 1), bodies, plans)
)
members = some(type_names.map(lambda name: (name, HERE)), 1)
directives = node(
    s.DirectiveItem,
    st.sampled_from(("input", "output", "printsize", "limitsize")),
    atom_names,
    some(st.tuples(names, texts)),
)
declarations = st.one_of(
    node(
        s.RelationDeclaration,
        names,
        some(node(s.Attribute, names, type_names, st.booleans())),
        st.permutations(("inline", "no_inline", "magic", "no_magic", "overridable", "output")).flatmap(
            lambda words: st.integers(0, 3).map(lambda count: tuple(words[:count]))
        ),
        some(some(names, 1)),
    ),
    node(s.RelationDeclaration, names, st.just(()), st.just(()), st.just(()), names),
    node(s.TypeDeclaration, names, st.just("subtype"), members.map(lambda found: found[:1])),
    node(s.TypeDeclaration, names, st.just("union"), members),
    node(s.TypeDeclaration, names, st.just("record"), st.just(()), some(attributes)),
    node(
        s.TypeDeclaration,
        names,
        st.just("variant"),
        st.just(()),
        st.just(()),
        some(node(s.Branch, branch_names, some(attributes)), 1),
    ),
)
top_level = st.one_of(
    node(
        s.FunctorDeclaration,
        branch_names,
        some(node(s.Attribute, st.one_of(names, st.just("")), type_names)),
        type_names,
        st.one_of(st.none(), texts),
        st.booleans(),
        st.booleans(),
    ),
    node(s.LatticeDeclaration, names, texts),
    node(
        s.LatticeDeclaration,
        names,
        st.none(),
        some(st.tuples(st.sampled_from(("Bottom", "Top", "Lub", "Glb", "Leq")), expressions), 1),
    ),
    node(s.Pragma, texts, st.one_of(st.none(), texts)),
)
inside_components = st.one_of(
    declarations,
    clauses,
    directives,
    node(s.SubsumptionClause, atoms, atoms, bodies, plans),
    node(s.Instance, names, component_types),
)
components: Nodes = st.deferred(
    lambda: node(
        s.Component, component_types, some(component_types), some(st.one_of(inside_components, components)), some(names)
    )
)
items = st.one_of(inside_components, top_level, components)
