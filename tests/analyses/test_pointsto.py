"""What variables point to in annotated Java files, whom calls reach, and agreement with the naive evaluator."""

from __future__ import annotations

import pytest

from ladder.engine.reference import evaluate as naive
from tests.analyses.annotated import (
    Project,
    Results,
    analyse,
    assert_calls,
    case_project,
    models,
    program,
    wrong_objects,
)


@pytest.fixture(scope="module")
def project() -> Project:
    return case_project("pointsto")


@pytest.fixture(scope="module")
def results(project: Project) -> Results:
    return analyse("pointsto", project)


def test_objects(project: Project, results: Results) -> None:
    assert len(list(project.comments(r"(\w+) = \{(.*)\}"))) > 25
    assert not wrong_objects(results)


def test_reachable(results: Results) -> None:
    reachable = {row[0] for row in results.rows("Reachable")}
    assert (
        "shop.Main.fail(Object)" in reachable
        and "shop.Main.<clinit>()" in reachable
        and "shop.Special.<clinit>()" in reachable
    )
    assert "shop.Never.never()" not in reachable


@pytest.mark.slow
def test_entry_policies(project: Project, results: Results) -> None:
    reached = {
        policy: {row[0] for row in analyse("pointsto", project, policy).rows("Reachable")}
        for policy in ("public", "all")
    }
    main = {row[0] for row in results.rows("Reachable")}
    assert main < reached["all"] and main <= reached["public"] <= reached["all"]
    assert "shop.Never.never()" in reached["all"]


def test_callees(project: Project, results: Results) -> None:
    callees = {line: found for (_, line), found in results.callees().items()}
    line = {text.strip().split("//")[0].strip(): number for number, text in enumerate(project.texts["Main.java"], 1)}
    assert callees[line["Object x = a.get();"]] == {"<shop.Item: java.lang.Object get()>"}
    assert callees[line["Object y = b.get();"]] == {"<shop.Special: java.lang.Object get()>"}
    assert callees[line["Object area = shape.area();"]] == {"<shop.Square: java.lang.Object area()>"}
    assert "<shop.Main: java.lang.Object wrap(java.lang.Object)>" in callees[line['Object r = third.make("wrapped");']]


SMALL = """
class A { Object f; Object id(Object o) { f = o; return f; } }
class B extends A { Object id(Object o) { return super.id(this); } }
class Small { public static void main(String[] args) { A a = args == null ? new A() : new B(); Object x = a.id("s"); } }
"""


@pytest.mark.slow
def test_agrees_with_the_naive_evaluator() -> None:
    project = Project.of({"Small.java": SMALL})
    results = analyse("pointsto", project)
    state = naive.evaluate(program("pointsto").core, {**project.facts, **models()})
    for relation in program("pointsto").outputs:
        assert set(results.rows(relation)) == state.visible(relation), relation
    assert {heap.rpartition("/")[2] for heap, var in state.visible("VarPointsTo") if var.endswith("/x")} == {
        "opaque java.lang.String",
        "new B",
    }


def test_an_inner_class_is_found_in_the_type_of_the_object_that_it_is_made_with() -> None:
    """Its name means nothing, or another class, where the object is made."""
    assert_calls("""
        class A { void m() { } }
        class Outer { A a = new A(); class Inner { A get() { return a; } } class Only { A get() { return a; } } }
        class Inner { A got() { return null; } }
        class M {
            public static void main(String[] args) {
                Outer outer = new Outer();
                outer.new Inner().get(); // calls Inner.get
                Outer.Only only = outer.new Only();
                only.get().m(); // calls Only.get, A.m
            }
        }
    """)


def test_an_anonymous_class_extends_an_inner_class_of_the_object_that_it_is_made_with() -> None:
    """Of several inner classes of the name none is taken, unless one is in scope."""
    assert_calls("""
        class Outer {
            class Inner { int depth() { return 1; } int see() { return depth(); } } // calls 1.depth
            class Common { int two() { return 2; } }
        }
        class Other { class Common { int two() { return 3; } } }
        class M {
            public static void main(String[] args) {
                Outer outer = new Outer();
                Outer.Inner made = outer.new Inner() {
                    @Override int depth() { return super.depth(); } // calls Inner.depth
                };
                made.see(); // calls Inner.see
                outer.new Common() {
                    int three() { return two(); } // calls nothing
                }.three(); // calls 2.three
            }
        }
    """)


def test_a_reference_to_a_private_method_runs_it_on_what_it_is_given() -> None:
    assert_calls("""
        import java.util.function.*;
        class A { void m() { } }
        class M {
            A a = new A();
            private A hidden() { a.m(); return a; } // calls A.m
            public static void main(String[] args) {
                Function<M, A> unbound = M::hidden;
                unbound.apply(new M()).m(); // calls M.hidden, A.m
                Supplier<A> bound = new M()::hidden;
                bound.get().m(); // calls M.hidden, A.m
            }
        }
    """)


def test_a_copy_of_an_array_holds_what_the_array_does_and_nothing_else() -> None:
    assert_calls("""
        class A { public String toString() { return ""; } }
        class B { public String toString() { return ""; } }
        class M {
            public static void main(String[] args) {
                Object[] one = {new A()}, other = {new B()};
                Object o = one.clone()[0];
                o.toString(); // calls A.toString
                System.out.println(other);
            }
        }
    """)


def test_what_clone_of_object_makes_is_of_the_class_that_is_cloned() -> None:
    assert_calls("""
        class Base implements Cloneable {
            Object held;
            @Override public Base clone() {
                try {
                    Base made = (Base) super.clone();
                    made.fix(); // calls Sub.fix
                    return made;
                } catch (CloneNotSupportedException e) { return null; }
            }
            void fix() { }
        }
        class Sub extends Base { @Override void fix() { held.toString(); } } // calls Held.toString
        class Held { @Override public String toString() { return ""; } }
        class Copied implements Cloneable {
            Copied copy() throws CloneNotSupportedException { return (Copied) clone(); } // calls nothing
            void end() { }
        }
        class CopiedSub extends Copied { @Override void end() { } }
        class M {
            public static void main(String[] args) throws Exception {
                Sub sub = new Sub();
                sub.held = new Held();
                sub.clone().fix(); // calls Base.clone, Sub.fix
                new CopiedSub().copy().end(); // calls Copied.copy, CopiedSub.end
            }
        }
    """)


def test_the_library_calls_methods_of_what_arrays_hold_that_it_is_given() -> None:
    """But not of what it copies alone."""
    results = assert_calls("""
        import java.util.Arrays;
        class Key implements Comparable<Key> {
            public int compareTo(Key other) { return order(); } // calls Key.order
            int order() { return 0; }
            @Override public String toString() { return text(); } // calls Key.text
            String text() { return ""; }
        }
        class Nested {
            @Override public String toString() { return inner(); } // calls Nested.inner
            String inner() { return ""; }
        }
        class Moved {
            @Override public String toString() { return never(); }
            String never() { return ""; }
            void moved() { }
        }
        class M {
            static void log(String form, Object... all) { String.format(form, all); }
            static Object[] grown(Object[] all) {
                Object[] more = new Object[8];
                System.arraycopy(all, 0, more, 0, 1);
                return Arrays.copyOf(more, 9).clone();
            }
            public static void main(String[] args) {
                Arrays.sort(new Key[] {new Key(), new Key()});
                log("%s", new Key()); // calls M.log
                Arrays.deepToString(new Object[][] {{new Nested()}});
                ((Moved) grown(new Object[] {new Moved()})[0]).moved(); // calls M.grown, Moved.moved
            }
        }
    """)
    assert "<Moved: java.lang.String never()>" not in {row[0] for row in results.rows("Reachable")}
