"""Handlers receive what is thrown, also where little is known of the exceptions' classes."""

from __future__ import annotations

from tests.analyses.annotated import assert_calls


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
