"""Handlers receive what is thrown, also where little is known of the exceptions' classes."""

from __future__ import annotations

import pytest

from ladder.api.database import Database
from tests.analyses.annotated import Project, analyse, assert_calls, models, program


@pytest.mark.slow
def test_exceptions_of_which_a_superclass_is_unknown() -> None:
    """Any class of the library may be one, `Throwable` is one, and no class of the project.

    What `catch (Unknown e)` gets from elsewhere may be a `Sub`.
    """
    assert_calls("""
        import org.lib.Unknown;
        class Mine extends Unknown { void m() {} }
        class Sub extends Mine { void m() {} }
        class Own extends Exception { void m() {} }
        class M {
            public static void main(String[] a) {
                try { throw new Mine(); } catch (Mine e) {
                    e.m();  // calls Mine.m
                }
                try {
                    f(new Sub());  // calls M.f
                } catch (Mine e) {
                    e.m();  // calls Sub.m
                }
                try { throw new Mine(); } catch (RuntimeException e) {
                    g(e);  // calls M.g
                } catch (Mine e) {
                    e.m();  // calls Mine.m
                }
                try { throw new Sub(); } catch (Throwable e) {
                    ((Sub) e).m();  // calls Sub.m
                } finally { }
                try { throw new Mine(); } catch (Own e) {
                    e.m();  // calls nothing
                } catch (Unknown e) {
                    g(e);  // calls M.g
                }
                try { throw new Unknown(); } catch (RuntimeException e) { h(e); }  // calls M.h
            }
            static void f(Mine e) throws Unknown { throw e; }
            static void g(Object o) {
                ((Mine) o).m();  // calls Mine.m, Sub.m
            }
            static void h(Object o) { o.toString(); }
        }
    """)


def test_an_exception_that_callers_make() -> None:
    """No object of its class is made in the project."""
    assert_calls(
        """
        public class M {
            public static class Own extends Exception { public void m() {} }
            public void f(Own given) {
                try { throw given; } catch (Own e) {
                    e.m();  // calls Own.m
                }
            }
        }
        """,
        "public",
    )


THROWN = """
class Oops extends RuntimeException { Object cause; Oops(Object cause) { this.cause = cause; } }
class Other extends RuntimeException { }
class A { }
class B { }
class M {
    static void near(Object o) { throw new Oops(o); }
    static void far() { pass(); }
    static void pass() { near(new A()); }
    static void other() { try { far(); } finally { new B(); } }
    public static void main(String[] args) {
        try { throw new Oops(new B()); } catch (Oops e) {
            Oops here = e;
        }
        try { near(new B()); } catch (Other e) {
            Other never = e;
        } catch (Oops e) {
            Oops close = e;
        }
        try { far(); } catch (RuntimeException e) {
            RuntimeException away = e;
        }
        try { other(); } catch (Oops e) {
            Oops again = e;
            Object cause = e.cause;
        }
    }
}
"""
ONE, THE_OTHER, OPAQUE, LIBRARY = "Oops@7", "Oops@12", "opaque Oops", "opaque java.lang.RuntimeException"
CAUGHT = {
    "near": {
        "here": {THE_OTHER}, "never": set(), "close": {ONE}, "away": {OPAQUE, LIBRARY}, "again": {OPAQUE},
        "cause": {"A@9", "B@12", "B@15"},
    },
    "objects": {
        "here": {THE_OTHER}, "never": set(), "close": {ONE}, "away": {ONE, LIBRARY}, "again": {ONE},
        "cause": {"A@9", "B@15"},
    },
    "types": {
        "here": {OPAQUE}, "never": set(), "close": {OPAQUE}, "away": {OPAQUE, LIBRARY}, "again": {OPAQUE},
        "cause": {"A@9", "B@12", "B@15"},
    },
}  # fmt: skip


@pytest.mark.parametrize("policy", CAUGHT)
def test_how_far_an_exception_is_the_object_thrown(policy: str) -> None:
    objects = analyse("pointsto", Project.of({"M.java": THROWN}), exceptions=policy).objects()
    assert {var: objects.get(f"M.main(String[])/{var}", set()) for var in CAUGHT[policy]} == CAUGHT[policy]


@pytest.mark.slow
def test_another_policy_is_an_update() -> None:
    facts = {
        **Project.of({"M.java": THROWN}).facts,
        **models(),
        "EntryPolicy": [("main",)],
        "ReflectionPolicy": [("strings",)],
    }
    states = {}
    for policy in CAUGHT:
        states[policy] = Database(program("pointsto"))
        given = {**facts, "ExceptionPolicy": [(policy,)]}
        states[policy].bootstrap({name: given[name] for name in program("pointsto").inputs if name in given})
    moved = Database(program("pointsto"))
    moved.bootstrap({name: facts[name] for name in program("pointsto").inputs if name in facts})
    before = []
    for policy in ("near", "objects", "types", "near"):
        moved.update({"ExceptionPolicy": [(policy,)]}, {"ExceptionPolicy": before})
        before = [(policy,)]
        for relation in ("VarPointsTo", "InstanceFieldPointsTo", "CallGraphEdge"):
            assert set(moved[relation]) == set(states[policy][relation]), (policy, relation)


def test_functions_that_the_library_runs() -> None:
    assert_calls("""
    import java.util.*;
    class A extends RuntimeException { void a() { } }
    class B extends RuntimeException { Object held = new A(); void b() { } }
    class C extends Exception { void c() { } }
    class D extends RuntimeException { void d() { } }
    class M {
        static void fail(String s) { throw new D(); }
        static void all(List<String> texts) { texts.forEach(M::fail); }
        public static void main(String[] args) {
            List<String> texts = List.of("x");
            try { texts.forEach(x -> { throw new A(); }); } catch (A e) {
                e.a();                                              // calls A.a
            } catch (D e) {
                e.d();                                              // calls nothing
            }
            try { Optional.empty().orElseThrow(() -> new B()); } catch (B e) {
                ((A) e.held).a();                                   // calls A.a
            }
            try { Optional.empty().orElseThrow(C::new); } catch (C e) {
                e.c();                                              // calls C.c
            }
            try { all(texts); } catch (D e) {
                e.d();                                              // calls D.d
            }
            try { Optional.empty().orElseGet(() -> new A()); } catch (A e) {
                e.a();                                              // calls nothing
            }
            try { new Thread(() -> { throw new A(); }).start(); } catch (A e) {
                e.a();                                              // calls nothing
            }
        }
    }
    """)


def test_exceptions_of_objects_that_the_library_runs() -> None:
    assert_calls("""
        import java.util.*;
        class Light extends RuntimeException { void cry() {} }
        class Heavy extends RuntimeException { void cry() {} }
        class Weights implements Comparator<String> {
            public int compare(String a, String b) { return weigh(a) - weigh(b); }
            int weigh(String s) { if (s.isEmpty()) throw new Light(); return s.length(); }
            void other() { throw new Heavy(); }
        }
        class M {
            static void sort(List<String> l, Weights w) { l.sort(w); }
            public static void main(String[] a) {
                try { sort(new ArrayList<>(List.of("")), new Weights());        // calls M.sort
                } catch (Light e) { e.cry();                                    // calls Light.cry
                } catch (Heavy e) { e.cry();                                    // calls nothing
                }
            }
        }
        """)


def test_what_methods_throw_that_the_library_calls() -> None:
    """At the call that is given the object, also in callers; if it was given before, in any `try` around a call."""
    assert_calls("""
        import org.lib.Parser;
        class Broken extends java.util.zip.DataFormatException {
            void m() { }
            public String getMessage() { return ""; }
        }
        class Later extends RuntimeException { void m() { } public String getMessage() { return ""; } }
        class Never extends RuntimeException { void m() { } public String getMessage() { return ""; } }
        class Handler implements org.lib.Starts {
            public void start(String name) throws Broken { if (name == null) throw new Broken(); }
        }
        class Kept implements java.beans.PropertyChangeListener {
            public void propertyChange(java.beans.PropertyChangeEvent e) { throw new Later(); }
        }
        class M {
            static void parse(Parser parser) throws java.util.zip.DataFormatException {
                parser.parse("x", new Handler());
            }
            static Never never() { return new Never(); }
            public static void main(String[] a) {
                Parser parser = new Parser();
                parser.addListener(new Kept());
                try { parse(parser); } catch (Broken e) {                                   // calls M.parse
                    e.m();                                                                  // calls Broken.m
                } catch (java.util.zip.DataFormatException e) {
                    e.getMessage();                                                         // calls Broken.getMessage
                }
                try { parser.run(); } catch (Later e) {
                    e.m();                                                                  // calls Later.m
                } catch (Never e) {
                    e.m();                                                                  // calls nothing
                }
                try { a[0].trim(); } catch (Later e) {
                    e.m();                                                                  // calls nothing
                }
                never();                                                                    // calls M.never
            }
        }
    """)
