"""The lattice of `nullness`, its functors, and the words of its messages; findings are in `test_findings.py`."""

from __future__ import annotations

from itertools import product

import pytest

from ladder.analyses import java_nullness
from ladder.analyses.java_nullness import NULL, Nullness, nullness
from ladder.lattices.laws import violations

UNARY = (java_nullness.if_null, java_nullness.if_not_null, java_nullness.null_of)


def test_the_lattice_keeps_the_laws() -> None:
    assert violations(nullness) == []


def test_functors_are_monotone() -> None:
    pairs = [(a, b) for a, b in product(Nullness.elements, repeat=2) if nullness.leq(a, b)]
    assert all(nullness.leq(function(a), function(b)) for function in UNARY for a, b in pairs)
    assert all(
        nullness.leq(java_nullness.if_like(a, c), java_nullness.if_like(b, d)) for a, b in pairs for c, d in pairs
    )


def test_ignorance_is_no_evidence() -> None:
    assert [value for value in Nullness.elements if java_nullness.may_be_null(value)] == ["null", "maybe"]
    assert nullness.join("any", "nonnull") == "any" and nullness.join("any", "null") == "maybe"
    assert java_nullness.if_null("any") == NULL and java_nullness.if_null("nonnull") == "none"


@pytest.mark.parametrize(
    ("var", "text"),
    [
        ("p.A.m(int)/x", "x"),
        ("p.A.m(int)/$(a.b().c)#2", "a.b().c"),
        ("p.A.m(int)/$(g in g.length())", "g"),
        ("p.A.m(int)/$(copy of t : a.b())", "a.b()"),
        ("p.A.m(int)/lambda: r()/x", "x"),
        ("p.A.m(int)/$(a / b)", "a / b"),
        ('p.A.m(int)/$(A.class.getResource("|a|b.txt"))', 'A.class.getResource("/a/b.txt")'),
        ('p.A.m(int)/$(text.split("a|b"))', 'text.split("a|b")'),
    ],
)
def test_variables_are_called_by_their_source(var: str, text: str) -> None:
    assert java_nullness.expression(var) == text


def test_methods_are_called_by_their_names() -> None:
    assert java_nullness.called("p.A.m(int)") == "m()"
    assert java_nullness.called("p.A.<init>(java.lang.String)") == "the constructor of A"
    assert java_nullness.called("p.A.m(int)/lambda#1") == "the lambda"
