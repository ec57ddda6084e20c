"""Uses behind tests read copies just where all ways to them go through the test: compared with a plain definition."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.frontends.java import flowgraph, ir, narrowing
from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.lower import lower
from ladder.frontends.java.parse import parse
from ladder.frontends.java.verifier import targets, verify

ROOT = Path(__file__).parents[2]
SOURCES = [*(Path(__file__).parent / "cases").glob("*.java"), *(ROOT / "corpora" / "bookshop").rglob("*.java")]
Known = frozenset[tuple[str, str, str]]


def bodies(source: bytes) -> Iterator[ir.Method]:
    unit = lower(parse(source).unit)
    assert verify(unit) == []
    for declaration in unit.types:
        yield from (method for method in declaration.methods if method.body is not None)


def known_before(body: ir.Body, outcomes: list[narrowing.Outcome]) -> list[Known | None]:
    """What is known before each instruction on all ways to it, one instruction after another; None: no way."""
    code = body.code
    at = {item.name: index for index, item in enumerate(code) if isinstance(item, ir.Label)}
    at |= {item.id: index for index, item in enumerate(code) if isinstance(item, ir.Handler)}
    before: list[Known | None] = [frozenset(), *([None] * (len(code) - 1))]
    changed = True
    while changed:
        changed = False
        for index, item in enumerate(code):
            held = before[index]
            if held is None:
                continue
            after = frozenset(known for known in held if known[1] != flowgraph.written(item))
            ways = [(index + 1, after)]
            if isinstance(item, (ir.Goto, *ir.ENDS)):
                told = [o for o in outcomes if o.place == index]
                ways = [(at[label], after | {of(o) for o in told if o.label == label}) for label in targets(item)]
            # What is thrown is thrown before the assignment or after it.
            ways += [(at[handler], after) for handler in body.handlers.get(getattr(item, "id", ""), ())]
            for place, arriving in ways:
                met = arriving if (known := before[place]) is None else known & arriving
                if met != before[place]:
                    before[place], changed = met, True
    return before


def of(outcome: narrowing.Outcome) -> tuple[str, str, str]:
    return outcome.known, outcome.variable, f"{outcome.what} at {outcome.place}"


def passed_to(method: ir.Method) -> list[str]:
    return [parameter.id for parameter in method.parameters]


def narrowed_so(variable: ir.Variable, known: str, method: str) -> bool:
    """Whether uses of a variable may read copies: it has a name and is no number."""
    if "/$(" in variable.id[len(method) :] or variable.id.endswith("@this"):
        return False
    return variable.types[0] not in ("int", "boolean", "long", "char") if variable.types else known != narrowing.SAME


WRITTEN_SO = b"""
class Shapes {
    Object any; static Object kept;
    void f(Object x, Object y, int n) {
        if (x instanceof String && y instanceof Integer) { g(x); g(y); } else { g(x); g(y); }
        while (!(x instanceof Shapes)) { g(x); x = h(x); g(x); if (n > 3) break; }
        g(x);
        try { if (x instanceof Shapes s) { g(x); x = h(s); g(x); } g(x); }
        catch (RuntimeException e) { g(x); } finally { g(y); }
        switch (y) { case String s when s.isEmpty() -> g(y); case Integer i -> g(y); default -> g(y); }
        Object z = x instanceof Integer ? x : y; g(z);
        if (x instanceof Integer || x instanceof Long) g(x);
        if (x instanceof Number) { if (x instanceof Integer) { g(x); } g(x); if (!(x instanceof Long)) return; g(x); }
        if (x == y) g(x); else g(y);
        if (x.getClass() == Shapes.class && y != kept) { any = x; g(y); }
        for (Object o = y; !(o instanceof String); o = h(o)) { synchronized (o) { g(o); } Runnable r = () -> g(y); }
        if (n == g(y)) g(n);
        boolean kept = y instanceof Shapes, other = x instanceof Shapes;
        while (kept && n > 0) { g(y); if (other) { g(x); } x = h(x); }
        for (Object o : new Object[n]) { boolean is = o instanceof String, not = !is; if (not || !is) g(o); else g(o); }
    }
    int g(Object o) { return 0; } Object h(Object o) { return o; }
}
"""


@pytest.mark.parametrize("source", [WRITTEN_SO, *(path.read_bytes() for path in SOURCES)], ids=range(len(SOURCES) + 1))
def test_copies_are_read_just_where_all_ways_go_through_the_test(
    source: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of several tests around a use, the one behind all others counts."""
    narrowed = list(bodies(source))
    monkeypatch.setattr(narrowing, "narrow", lambda code, *_: code)
    for method, plain in zip(narrowed, bodies(source)):
        assert method.body is not None and plain.body is not None
        known = {variable.id: variable for variable in method.body.variables if variable.known is not None}
        code = [item for item in method.body.code if flowgraph.written(item) not in known]
        variables = {variable.id: variable for variable in plain.body.variables}
        outcomes = [
            outcome
            for outcome in narrowing._outcomes(list(plain.body.code), passed_to(plain), lambda _variable, _known: True)
            if narrowed_so(variables[outcome.variable], outcome.known, plain.id)
        ]
        before = known_before(plain.body, outcomes)
        assert len(code) == len(plain.body.code)
        for index, (item, renamed) in enumerate(zip(plain.body.code, code)):
            for variable, name in zip(flowgraph.read(item), flowgraph.read(renamed)):
                held = [one for one in before[index] or () if one[1] == variable]
                if not held or isinstance(item, narrowing._STAY):
                    assert name == variable, (method.id, item)
                    continue
                relation, what = known[name].known or ("", "")
                chosen = [one for one in held if (one[0], one[2].partition(" at ")[0]) == (relation, what)]
                assert any(
                    all(other in (before[int(one[2].rpartition(" ")[2])] or ()) for other in held if other != one)
                    for one in chosen
                ), (method.id, item, name)


def test_a_part_behind_a_test_is_told() -> None:
    facts = facts_of(b"class A { void f(Object p) { if (p instanceof A) g(p); else h(p); } }")
    part, other = "A.f(Object)/p: instanceof A", "A.f(Object)/p: no instanceof A"
    assert facts.relations["Var_PartOf"] == [(part, "A.f(Object)/p"), (other, "A.f(Object)/p")]
    assert facts.relations["Var_InstanceOf"] == [(part, "A/type A")]
    assert facts.relations["Var_NoInstanceOf"] == [(other, "A/type A")]
    assert (part, "A/type Object") in facts.relations["Var_Type"]


def test_casts_and_comparisons_make_no_parts() -> None:
    facts = facts_of(
        b"class A { boolean f(Object p, int n) { return p instanceof A && ((A) p).n == n && p != null; } int n; }"
    )
    assert not {"Var_InstanceOf", "Var_NoInstanceOf", "Var_SameAs"} & set(facts.relations)


def test_a_variable_tells_what_the_test_in_it_says() -> None:
    """While what was tested holds the same, and the variable the same test."""
    text = """class A {
        void f(Object p, Object q) {
            boolean is = p instanceof A, was = q instanceof A, or = p instanceof A;
            if (is) g(p); else h(p);
            while (was) { g(q); q = h(p); }
            or = or | was;
            if (or) g(p);
        }
        void g(Object o) { } Object h(Object o) { return o; }
    }"""
    facts = facts_of(text.encode())
    part, other = "A.f(Object,Object)/p: instanceof A", "A.f(Object,Object)/p: no instanceof A"
    assert facts.relations["Var_InstanceOf"] == [(part, "A/type A")]
    assert facts.relations["Var_NoInstanceOf"] == [(other, "A/type A")]


def test_what_would_take_too_long_is_left_as_it_is() -> None:
    """Each use behind all tests of one variable would take quadratic time."""
    count = 1_500
    text = "class A {{ void f(Object x) {{ {} }} void g(Object o) {{ }} }}"
    few, many = (
        facts_of(text.format("".join(f"if (!(x instanceof A{i})) return; g(x);" for i in range(n))).encode())
        for n in (10, count)
    )
    assert len(few.relations["Var_InstanceOf"]) == 10
    assert not many.diagnostics and "Var_InstanceOf" not in many.relations
