"""The sparse view of control flow, for clients that follow references and indices of arrays, too."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.frontends.java.schema import RELATIONS
from tests.analyses.annotated import ANALYSES, Line, Project

FLOW = (ANALYSES / "java/flow.dl").read_text(encoding="utf-8")
CLIENT = """
.include <java/interface/entries.dl>
.include <java/flow_facts.dl>
.include <java/flow_use_facts.dl>

.decl NullDereference(instruction: Instruction)
.output NullDereference
.decl IndexFrom(instruction: Instruction, var: Var, kind: number, place: symbol)
.output IndexFrom

.init client = Client

.comp Client {

.include <java/linking.dl>
.include <java/objects.dl>
.include <java/entries.dl>
.include <java/flow.dl>
.include <java/flow_uses.dl>

Followed(v) :- ExpressionType(v, g), t = @erasure(g), ReferenceType(t).
Followed(v) :- ExpressionType(v, "null").
Followed(v) :- IndexVar(v).
.decl IndexVar(var: symbol)
IndexVar(v) :- ArrayInsnIndex(_, v).

// May a definition be null: the literal, what meets, what a comparison with null leaves.
.decl Null(kind: number, place: symbol, var: symbol)
Null(0, i, v) :- AssignNull(i, v, _).
Null(0, i, v) :- AssignLocal(i, s, v, _), Name(i, s, k, p), Null(k, p, s).
Null(1, j, v) :- Meets(j, v, k, p), Null(k, p, v).
Null(k, i, v) :- RefinedEdge(i, _, v, k), Keeps(i, k), Name(i, v, l, p), Null(l, p, v).

.decl Keeps(instruction: symbol, kind: number)
Keeps(i, k) :- RefinedEdge(i, _, _, k), If(i, "==", _), IfConstant(i, 2, "null", _), k = 4.
Keeps(i, k) :- RefinedEdge(i, _, _, k), If(i, "!=", _), IfConstant(i, 2, "null", _), k = 3.
Keeps(i, k) :- RefinedEdge(i, _, _, k), !IfConstant(i, 2, "null", _).

NullDereference(i) :- Dereferences(i, v), Name(i, v, k, p), Null(k, p, v).

IndexFrom(i, v, k, p) :- IndexedBy(i, v), Name(i, v, k, p).

}
"""
SOURCE = """
class A {
    A next;
    static void main(String[] args) {
        A a = new A();
        a.go();
        A b = null;
        b.go();                         // null
        if (args.length > 0) { b = a; }
        b.go();                         // null
        if (b != null) {
            b.go();
        } else {
            b.go();                     // null
        }
        A c = b;
        if (c == null) return;
        c.next = a;
        synchronized (c) { c.go(); }
        Object o = args.length > 1 ? null : "x";
        o.hashCode();                   // null
        try { a.go(); } catch (RuntimeException e) { e.toString(); }
        for (int i = 0; i < args.length; i++) {
            args[i].trim();
        }
    }
    void go() { this.next.go(); }
}
"""


def test_every_assignment_is_a_definition() -> None:
    defining = set(re.findall(r"^Assigns\(\w+, v\) :- (\w+)\(", FLOW, re.MULTILINE))
    assigning = {
        name
        for name, relation in RELATIONS.items()
        if {"target"} < {"target", "instruction", "invocation"} & {column.name for column in relation.columns}
    }
    assert len(assigning) > 15
    assert assigning <= defining


@pytest.mark.slow
def test_references_and_indices(tmp_path: Path) -> None:
    path = tmp_path / "client.dl"
    path.write_text(CLIENT, encoding="utf-8")
    project = Project.of({"A.java": SOURCE})
    database = Database(Program.load(path))
    facts = {**project.facts, "EntryPolicy": [("main",)]}
    database.bootstrap({relation: facts[relation] for relation in database.program.inputs if relation in facts})
    found = {project.places[i][:2] for (i,) in database["NullDereference"]}
    assert found == {line for line, _ in project.comments("null")}
    indexed: dict[Line, set[int]] = defaultdict(set)
    for instruction, _, kind, _ in database["IndexFrom"]:
        indexed[project.places[instruction][:2]].add(kind)
    assert list(indexed.values()) == [{4}]  # what is left of i where i < args.length
