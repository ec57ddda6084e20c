"""Variables are split where no use may read what two assignments stored: compared with plain reaching definitions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from ladder.frontends.java import flowgraph, ir
from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.lower import lower, webs
from ladder.frontends.java.parse import parse
from ladder.frontends.java.verifier import targets, variables_of, verify

ROOT = Path(__file__).parents[2]
SOURCES = [*(Path(__file__).parent / "cases").glob("*.java"), *(ROOT / "corpora" / "bookshop").rglob("*.java")]


def bodies(source: bytes) -> Iterator[ir.Method]:
    unit = lower(parse(source).unit)
    assert verify(unit) == []
    for declaration in unit.types:
        yield from (method for method in declaration.methods if method.body is not None)


def reaching(body: ir.Body, parameters: set[str]) -> dict[tuple[int, str], set[int]]:
    """(place, variable read there) → the places of the assignments that it may read; -1 is what is passed."""
    code = body.code
    at = {item.name: index for index, item in enumerate(code) if isinstance(item, ir.Label)}
    at |= {item.id: index for index, item in enumerate(code) if isinstance(item, ir.Handler)}
    before: list[dict[str, set[int]]] = [{} for _ in code]
    before[0] = {variable: {-1} for variable in parameters}
    waiting = list(range(len(code)))
    while waiting:
        index = waiting.pop()
        item, after = code[index], dict(before[index])
        assigned = flowgraph.written(item)
        if assigned is not None:
            after[assigned] = {index}
        ends = isinstance(item, (ir.Goto, *ir.ENDS))
        following = [(at[label], after) for label in targets(item)] if ends else [(index + 1, after)]
        following += [(at[handler], before[index]) for handler in body.handlers.get(getattr(item, "id", ""), ())]
        for place, state in following:
            known = before[place]
            grown = {v: known.get(v, set()) | found for v, found in state.items() if not found <= known.get(v, set())}
            if grown:
                before[place] = known | grown
                waiting.append(place)
    return {
        (index, variable): before[index].get(variable, set())
        for index, item in enumerate(code)
        if isinstance(item, ir.Instruction)
        for variable in variables_of(item)
        if variable != flowgraph.written(item) or item_reads(item, variable)
    }


def item_reads(item: ir.Instruction, variable: str) -> bool:
    """Whether an instruction also reads the variable that it assigns."""
    return list(variables_of(item)).count(variable) > 1


def partition(method: ir.Method, reads: dict[tuple[int, str], set[int]]) -> set[frozenset[tuple[int, str]]]:
    """The assignments that belong together since some use may read either, with the variable of the source."""
    parents: dict[tuple[int, str], tuple[int, str]] = {}

    def find(node: tuple[int, str]) -> tuple[int, str]:
        while parents.setdefault(node, node) != node:
            node = parents[node]
        return node

    for (_, variable), found in reads.items():
        nodes = sorted((place, variable) for place in found)
        for one, other in pairwise(nodes):
            parents[find(other)] = find(one)
    groups: dict[tuple[int, str], set[tuple[int, str]]] = {}
    for node in list(parents):
        groups.setdefault(find(node), set()).add(node)
    return {frozenset(group) for group in groups.values()}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_webs_are_those_of_reaching_definitions(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Assignments that one use reads make one part; those that none connects make several, unless in a `try`, where any
    assignment may be seen by a handler, or where the variable is of a primitive type or captured."""
    split = list(bodies(path.read_bytes()))
    monkeypatch.setattr(webs, "split", lambda code, *_: code)
    whole = list(bodies(path.read_bytes()))
    for method, plain in zip(split, whole):
        assert method.body is not None and plain.body is not None
        reads = reaching(plain.body, {parameter.id for parameter in plain.parameters})
        divided = {variable.part_of for variable in method.body.variables if variable.part_of is not None}
        for group in partition(plain, reads):
            names = {
                flowgraph.written(method.body.code[place]) if place >= 0 else variable for place, variable in group
            }
            assert len(names) == 1, (method.id, group)
        for (place, variable), found in reads.items():
            renamed = dict(zip(variables_of(plain.body.code[place]), variables_of(method.body.code[place])))
            names = {flowgraph.written(method.body.code[at]) if at >= 0 else variable for at in found}
            if variable != flowgraph.written(plain.body.code[place]):
                assert names <= {renamed[variable]}, (method.id, place, variable)
        if not plain.body.handlers:
            groups = [group for group in partition(plain, reads) if {v for _, v in group} & divided]
            names = [next(iter(group)) for group in groups]
            parts = {flowgraph.written(method.body.code[at]) if at >= 0 else variable for at, variable in names}
            assert len(parts) == len(groups), method.id


def test_parts_tell_the_declared_variable() -> None:
    facts = facts_of(b"class A { void f(Object p) { g(p); p = new A(); g(p); } void g(Object o) { } }")
    assert facts.relations["Var_PartOf"] == [("A.f(Object)/p: new A", "A.f(Object)/p")]
    assert ("A.f(Object)/p: new A", "A/type Object") in facts.relations["Var_Type"]


def test_an_inserted_assignment_renames_no_other_part() -> None:
    text = "class A {{ void f(Object x) {{ x = h(); g(x); {} x = new A(); g(x); x = null; g(x); }} }}"
    before, after = (facts_of(text.format(more).encode()).relations for more in ("", 'x = "s"; g(x);'))
    came = set(after["Var_PartOf"]) - set(before["Var_PartOf"])
    assert came == {('A.f(Object)/x = "s"', "A.f(Object)/x")} and set(before["Var_PartOf"]) < set(after["Var_PartOf"])


def test_what_would_take_too_long_is_not_split() -> None:
    """Assignments in as many blocks as variables are live in would take quadratic time."""
    count = 400
    declared = "".join(f"Object x{i} = a; " for i in range(count))
    branches = "".join(f"if (n > {i}) x{i} = b; " for i in range(count))
    used = "".join(f"g(x{i}); x{i} = a; g(x{i}); " for i in range(count))
    source = f"class A {{ void f(Object a, Object b, int n) {{ {declared} {branches} {used} }} }}"
    facts = facts_of(source.encode())
    assert not facts.diagnostics and "Var_PartOf" not in facts.relations
