"""States of resources and ranges of numbers: the functors behind them, automata that a user adds, and messages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from ladder.analyses import java_ranges as ranges
from ladder.analyses import java_typestate as typestate
from ladder.lattices import BOTTOM, powerset
from ladder.lattices.laws import violations
from ladder.report.findings import Found
from tests.session.projects import analyse

STATES = [frozenset(s) for s in ((), ("open",), ("open!",), ("closed~",), ("open", "closed"), ("open!", "closed~"))]

ITERATOR = """
extensions:
  - addsTo: {pack: my/pack, extensible: automatonModel}
    data:
      - ["iterator", "unasked", "first"]
  - addsTo: {pack: my/pack, extensible: typestateModel}
    data:
      - ["iterator", "java.lang", "Iterable", True, "iterator", "()", "ReturnValue", "", "unasked"]
      - ["iterator", "java.util", "Iterator", True, "hasNext", "()", "Argument[this]", "unasked", "asked"]
      - ["iterator", "java.util", "Iterator", True, "next", "()", "Argument[this]", "asked", "unasked"]
      - ["iterator", "java.util", "Iterator", True, "next", "()", "Argument[this]", "unasked", "wrong"]
"""
ENDS = """
class Ends {
    static int none(int[] a, String text) {
        return a[Integer.parseInt(text)];
    }
    static int lower(int[] a, String text) {
        int n = Integer.parseInt(text);
        return n >= 0 ? a[n] : 0;
    }
    static int upper(int[] a, String text) {
        int n = Integer.parseInt(text);
        return n < a.length ? a[n] : 0;
    }
}
"""
SAMPLE = """
import java.util.*;
class Walk {
    static Object first(List<Object> all) {
        Iterator<Object> it = all.iterator();
        return it.next();
    }
    static void each(List<Object> all) {
        Iterator<Object> it = all.iterator();
        while (it.hasNext()) {
            System.out.println(it.next());
        }
        for (Object one : all) {
            System.out.println(one);
        }
    }
}
"""
RESULTS = """
import java.sql.*;
class Mon {
    static Statement made(Connection c) throws SQLException { return c.createStatement(); }
    static void drop(Connection c, Statement s) throws Exception {
        made(c);
        s.executeQuery("x");
        java.nio.file.Files.lines(null);
    }
}
"""


@pytest.mark.parametrize("function", ["along", "moved", "without", "through"])
def test_functors_are_monotone(function: str) -> None:
    calls = {
        "along": [lambda s, way=way: typestate.along(way, s) for way in ("next", "raised", "caught", "again", "done")],
        "moved": [lambda s: typestate.moved(s, "open", "closed")],
        "without": [lambda s: typestate.without(s, frozenset(("open",)))],
        "through": [lambda s, x=x: typestate.through(s, "open", x) for x in STATES],
    }
    for call, a, b in product(calls[function], STATES, STATES):
        if a <= b:
            small, large = (frozenset().union(*call(states)) for states in (a, b))
            assert small <= large


def test_the_laws_of_the_lattices_hold() -> None:
    assert not list(violations(powerset, STATES))
    assert not list(violations(ranges.witnesses, [(0, 3), (-5, 5), (7, 7), ranges.witnesses.bottom]))


def test_marks_tell_exceptions_apart() -> None:
    both = frozenset(("open", "closed!"))
    assert list(typestate.along("again", both)) == [frozenset(("closed!",))]
    assert list(typestate.along("done", both)) == [frozenset(("open",))]
    assert list(typestate.along("caught", both)) == [frozenset(("open~", "closed~"))]
    assert list(typestate.only(frozenset(("open", "open~")))) == ["open"]


def found_in(text: str, analysis: str, root: Path, *models: Path) -> Sequence[Found]:
    """What an analysis finds in a project of one file."""
    root.mkdir()
    (root / "Sample.java").write_text(text, "utf-8")
    return analyse(root, analyses=[analysis], entry="all", models=models, verify=False).findings.found


@pytest.mark.slow
def test_users_add_automata(tmp_path: Path) -> None:
    models = tmp_path / "iterators.yml"
    models.write_text(ITERATOR, "utf-8")
    found = found_in(SAMPLE, "resources", tmp_path / "project", models)
    assert [(f.rule, f.spot.line) for f in found if f.spot] == [("wrong-state", 6)]


@pytest.mark.slow
def test_what_is_opened_is_called_by_its_type_without_a_variable(tmp_path: Path) -> None:
    found = found_in(RESULTS, "resources", tmp_path / "project")
    assert [f.message.partition(" is opened")[0] for f in found] == ["Statement", "ResultSet", "Stream"]


def test_what_conditions_leave_of_a_witness() -> None:
    full = (-128, 127)
    assert list(ranges.narrowed("<", full, (5, 5))) == [(-128, 4)]
    assert list(ranges.narrowed("!=", full, (0, 0))) == [(-128, -1), (1, 127)]
    assert list(ranges.narrowed("==", full, (200, 200))) == []
    assert list(ranges.ends("<", full)) == [(-128, -128)]
    assert list(ranges.ends("<", (3, 3))) == []
    assert ranges.is_beyond_size((0, 4), (2, 4), 0) and not ranges.is_beyond_size((0, 4), (2, 4), 1)
    assert ranges.always_past((4, 9), (2, 4), 0) and not ranges.always_past((4, 9), (2, 4), 1)
    assert not ranges.always_past((3, 9), (2, 4), 0) and not ranges.always_past(BOTTOM, (0, 1), 0)
    assert ranges.overflows("+", "int", (0, 2**31 - 1), (1, 1)) and not ranges.overflows("+", "int", (0, 9), (1, 1))
    assert ranges.squared_overflows("*", "int", (-(2**31), -1)) and not ranges.squared_overflows("*", "int", (-9, 9))


@pytest.mark.slow
def test_messages_say_on_which_side_an_index_is_out_of_bounds(tmp_path: Path) -> None:
    found = found_in(ENDS, "ranges", tmp_path / "project")
    said = sorted((f.spot.line, f.message.partition(" for some input")[0]) for f in found if f.spot)
    assert said == [
        (4, "The index is out of bounds"),
        (8, "The index is too large"),
        (12, "The index is negative"),
    ]
