"""Constants and intervals with contexts of calls: what each choice tells apart, that a finer one only ever says more,
and that what runs stays within the results."""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from ladder.analyses import java_values as values
from ladder.api.database import Database
from ladder.errors import LadderError
from ladder.frontends.java import FRONT_END
from ladder.frontends.java.facts import facts_of
from ladder.lattices import BOTTOM, Extreme
from ladder.session.analyze import load
from tests import java_lowering
from tests.analyses.annotated import Project, Results, analyse, case_project
from tests.java_lowering.interpreter import Recording
from tests.marks import slow_after, slow_but

CONTEXTS = ("ci", "1-call", "2-call")

PROGRAM = """
import java.util.function.IntSupplier;

class M {
    static int same(int n) { return n; }
    static int twice(int n) { return same(n) * 2; }
    static int chosen(boolean first) { if (first) { return 10; } return 20; }
    static String name(int kind) {
        switch (kind) { case 0: return "zero"; case 1: return "one"; default: return "many"; }
    }
    static int power(int b, int e) { if (e == 0) { return 1; } return b * power(b, e - 1); }
    static int boxed(Integer n) { return given(n); }
    static int given(int n) { return n; }
    static int open(int n) { int m = n + 1; return m; }
    static int made(int n) {
        IntSupplier later = () -> { int inside = n + 1; return inside; };
        return later.getAsInt();
    }
    static int local(int n) {
        class Held { int held() { int kept = n; return kept; } }
        return new Held().held();
    }
    int field;
    int set(int n) { field = n; return n; }
    public static void main(String[] args) {
        int one = same(1);
        int two = same(2);
        int six = twice(3);
        int eight = twice(4);
        int ten = chosen(true);
        int twenty = chosen(false);
        String zero = name(0);
        String many = name(7);
        int cube = power(2, 3);
        int unboxed = boxed(5);
        int taken = given(6);
        int seven = open(6);
        int later = made(1) + made(2);
        int held = local(8) + local(9);
        M m = new M();
        int third = m.set(3);
        int fourth = m.set(4);
        int read = m.field;
        if (same(1) == 1) { int always = 1; } else { int never = 2; }
    }
}
"""
# what each variable is in every context of its method, with contexts of one call and of two; "": nothing is known
KNOWN = {
    "ci": {"one": "", "six": "", "ten": "", "zero": "", "cube": "", "seven": "7", "third": "", "read": "", "taken": ""},
    "1-call": {
        "one": "1",
        "two": "2",
        "six": "",
        "eight": "",
        "ten": "10",
        "twenty": "20",
        "zero": '"zero"',
        "many": '"many"',
        "cube": "",
        "unboxed": "",
        "taken": "6",
        "seven": "7",
        "later": "",
        "held": "",
        "third": "3",
        "fourth": "4",
        "read": "",
    },
    "2-call": {"one": "1", "six": "6", "eight": "8", "cube": "", "taken": "6", "third": "3", "read": ""},
}


@pytest.fixture(scope="module")
def project() -> Project:
    return Project.of({"M.java": PROGRAM})


def told(results: Results, relation: str = "ConstantAfter") -> dict[str, set[tuple[Any, ...]]]:
    """variable's name → what is told of it, without contexts."""
    found = defaultdict(set)
    for _, var, *value in results.rows(relation):
        found[var.rpartition("/")[2]].add(tuple(value))
    return found


@pytest.mark.parametrize("context", slow_but(["ci"], CONTEXTS))
def test_what_contexts_tell_apart(project: Project, context: str) -> None:
    found = told(analyse("constprop", project, context=context))
    assert {name: "".join(x for (x,) in found[name]) for name in KNOWN[context]} == KNOWN[context]


@pytest.mark.slow
def test_intervals_are_those_of_the_call(project: Project) -> None:
    found = told(analyse("interval", project, context="1-call"), "IntervalAfter")
    assert found["one"] == {("1", "1")} and found["ten"] == {("10", "10")} and found["read"] == {("0", "4")}
    assert told(analyse("interval", project), "IntervalAfter")["one"] != {("1", "1")}


@pytest.mark.slow
def test_values_stand_with_their_contexts(project: Project) -> None:
    results = analyse("constprop", project, context="1-call", switch=None)
    rows = {(var.rpartition("/")[2], c.partition("/")[2]): x for _, var, c, x in results.database["ConstantAfter"]}
    assert rows["m", "call open"] == "7"
    assert {x for (name, _), x in rows.items() if name == "inside"} == {"2", "3"}
    assert {
        x for (name, _), x in rows.items() if name == "kept"
    } == set()  # what a class captures, it has in all contexts
    code = {(i.rpartition("/")[2]) for (i,) in results.rows("UnreachableInstruction")}
    assert len(code) >= 1
    assert told(analyse("constprop", project))["never"] == {("2",)}
    assert told(results)["never"] == set() and told(results)["always"] == {("1",)}


@pytest.mark.slow
def test_arguments_from_outside_count_where_calls_come_from_there() -> None:
    text = """
        public class A {
            public static int parameter(int n) { int p = n; return p; }
            public static void run() { int nine = parameter(9); int eight = parameter(8); }
        }
    """
    project = Project.of({"A.java": text})
    found = told(analyse("constprop", project, "public", context="1-call"))
    assert found["nine"] == {("9",)} and found["eight"] == {("8",)} and found["p"] == {("9",), ("8",)}
    assert told(analyse("constprop", project, "public"))["nine"] == set()


def joined(results: Results, analysis: str) -> dict[tuple[Any, ...], Any]:
    """(kind, place, variable) → its value, joined over all contexts."""
    lattice = values.constants if analysis == "constprop" else values.ranges
    solution = "constprop.solution" if analysis == "constprop" else "interval.narrowed"
    rows: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
    for relation in ("Value", "Met"):
        for kind, place, var, *_, value in results.database[f"{solution}.{relation}"]:
            rows[kind, place, var].append(value)
    return {key: reduce(lattice.join, found) for key, found in rows.items()}


@pytest.mark.slow
@pytest.mark.parametrize("analysis", ["constprop", "interval"])
@pytest.mark.parametrize("coarse, fine", [("ci", "1-call"), pytest.param("1-call", "2-call", marks=pytest.mark.slow)])
def test_finer_contexts_say_no_less(analysis: str, coarse: str, fine: str) -> None:
    lattice = values.constants if analysis == "constprop" else values.ranges
    project = case_project("values")
    before = joined(analyse(analysis, project, context=coarse), analysis)
    after = joined(analyse(analysis, project, context=fine), analysis)
    assert len(after) > 300
    wrong = {key: (x, before.get(key)) for key, x in after.items() if not lattice.leq(x, before.get(key, BOTTOM))}
    assert wrong == {}


@pytest.mark.slow
@pytest.mark.parametrize("analysis", ["constprop", "interval"])
@pytest.mark.parametrize("context", ["1-call", "2-call"])
def test_executions_stay_within_the_results(analysis: str, context: str) -> None:
    runs = Path(java_lowering.__file__).parent / "runs"
    text = (runs / "Runs.java").read_text(encoding="utf-8")
    machine = Recording(facts_of(text.encode()))
    for line in (runs / "Runs.expected").read_text(encoding="utf-8").splitlines():
        list(machine.results(f"Runs.{line.split()[0]}()"))
    results = analyse(analysis, Project.of({"Runs.java": text}), "all", context=context)
    solution = "constprop.solution" if analysis == "constprop" else "interval.narrowed"
    found: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for kind, place, var, _, value in results.database[f"{solution}.Value"]:
        if kind == 0:
            found[place, var].append(value)
    checked = 0
    for (place, var), seen in machine.assigned.items():
        if (place, var) in found:
            checked += 1
            assert all(any(_holds(value, n) for value in found[place, var]) for n in seen), (place, var)
    assert checked > 100


def _holds(value: Any, number: int) -> bool:
    if isinstance(value, tuple):
        return bool(value[0] <= number <= value[1])
    return value is not BOTTOM if isinstance(value, Extreme) else bool(value == number)


@pytest.mark.slow
def test_a_changed_literal_is_an_update(project: Project) -> None:
    results = analyse("constprop", project, context="1-call", switch=None)
    db = results.database
    [row] = [row for row in project.facts["AssignNumConstant"] if row[1] == "8"]
    before = len(db["ConstantAfter"])
    delta = db.update({"AssignNumConstant": [(row[0], "80", *row[2:])]}, {"AssignNumConstant": [row]})
    assert delta.mode == "update" and len(delta.inserted["ConstantAfter"]) == len(delta.deleted["ConstantAfter"]) == 2
    again = Database(db.program)
    again.bootstrap({name: list(db[name]) for name in db.program.inputs})
    assert len(db["ConstantAfter"]) == before
    for name in db.relations:
        assert set(db[name]) == set(again[name]), name


@pytest.mark.parametrize("analysis", slow_after(0, ["constprop", "interval"]))
def test_contexts_of_objects_are_refused(analysis: str) -> None:
    with pytest.raises(LadderError, match=f"{analysis} has no contexts of which 1-obj could be chosen") as raised:
        load(analysis, FRONT_END, "1-obj")
    assert "It has 1-call, 2-call, ci." in str(raised.value)
