"""Where null may be: an object of its own, which flows as others do and which points-to leaves out."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import Project, analyse

SOURCE = """
import java.util.*;
import java.util.function.Supplier;

class A { }
class Box {
    Object set;         // is assigned by the constructor
    Object later;       // is null at first
    final Object never = new A();
    static Object shared;
    Box(Object o) { set = o; }
    Object get() { return set; }
}
class Other extends Box { Object own; Other(Object o) { super(new A()); own = o; } Object get() { return own; } }
class M {
    static Object same(Object o) { return o; }
    static Object none() { return null; }

    public static void main(String[] args) {
        Object n = null;                        // n null
        Object a = new A();                     // a not
        Object b = none();                      // b null
        Object c = same(new A());               // c not
        Box box = new Box(new A());             // box not
        Object d = box.set;                     // d not
        Object e = box.later;                   // e null
        Object f = box.never;                   // f not
        Object g = Box.shared;                  // g null
        Object h = new Other(null).get();       // h null
        Object[] filled = {a, new A()};         // filled not
        Object i = filled[0];                   // i not
        Object[] empty = new Object[2];
        Object j = empty[1];                    // j null
        Object[] given = {null, a};
        Object k = given[1];                    // k null
        List<Object> list = new ArrayList<>();
        list.add(null);
        Object l = list.get(0);                 // l null
        List<Object> other = new ArrayList<>();
        other.add(new A());
        Object m = other.get(0);                // m not
        A o = (A) none();                       // o null
        Supplier<Object> lambda = () -> n;
        Object p = lambda.get();                // p null
        Object q = null;
        q = new A();
        Object r = q;                           // r not
        Object s = args.length > 0 ? a : null;  // s null
        Object t = new Object() { Object held() { return n; } }.held(); // t null
    }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("context", ["ci", "2-obj+heap"])
def test_variables_that_may_be_null(context: str) -> None:
    project = Project.of({"M.java": SOURCE})
    results = analyse("nulls", project, context=context)
    found = {row[0] for row in results.rows("VarMayBeNull")}
    comments = list(project.comments(r"(\w+) (null|not)"))
    said = {f"M.main(String[])/{comment[1]}": comment[2] for _, comment in comments}
    assert {var: "null" if var in found else "not" for var in said} == said
    assert len(said) > 20


@pytest.mark.slow
def test_objects_are_those_of_points_to() -> None:
    project = Project.of({"M.java": SOURCE})
    both = [analyse(name, project) for name in ("pointsto", "nulls")]
    for relation in ("VarPointsTo", "InstanceFieldPointsTo", "CallGraphEdge", "Reachable"):
        assert set(both[0].rows(relation)) == set(both[1].rows(relation))
