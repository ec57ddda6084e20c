"""Method references that run other functions, or methods of objects that are not known."""

from __future__ import annotations

from tests.analyses.annotated import assert_calls


def test_reference_to_the_method_of_a_functional_interface() -> None:
    assert_calls(
        """
        import java.util.*;
        import java.util.function.*;

        class M {
            interface Go { void go(); static Go of(Runnable r) { return r::run; } }
            static void one() {}
            static void two(String s) {}
            static void four() {}
            static void five() {}
            static <T> Iterable<T> each(Supplier<Iterator<T>> s) { return s::get; }
            static class It implements Iterator<String> {
                public boolean hasNext() { return false; }
                public String next() { return ""; }
            }
            static Iterator<String> make() { return new It(); }
            public static void main(String[] a) {
                Go g = Go.of(M::one);
                g.go();                                     // calls M.one
                Consumer<String> c = M::two;
                Consumer<String> d = c::accept;
                d.accept("x");                              // calls M.two
                Iterable<String> it = each(() -> make());   // calls M.each, M.make
                Iterator<String> i = it.iterator();         // calls M.main/lambda: each()
                i.next();                                   // calls It.next
                Supplier<Runnable> s = () -> M::four;
                Supplier<Runnable> t = s::get;
                t.get().run();                              // calls M.four, M.main/lambda: s()
                Runnable unused = M::five;                  // calls nothing
                Runnable never = unused::run;               // calls nothing
            }
        }
        """
    )


def test_reference_that_runs_its_argument() -> None:
    assert_calls(
        """
        import java.util.function.*;

        class M {
            static void one() {}
            public static void main(String[] a) {
                Consumer<Runnable> u = Runnable::run;
                u.accept(M::one);                           // calls M.one
            }
        }
        """
    )


def test_reference_on_an_opaque_object_runs_the_methods_of_what_escaped() -> None:
    assert_calls(
        """
        import java.util.*;

        class M {
            static abstract class Task { abstract int rank(); }
            static class Near extends Task { int rank() { return 1; } }
            static class Far extends Task { int rank() { return 2; } }
            static class Unmade extends Task { int rank() { return 3; } }
            static void sort(List<Task> l) {
                l.sort(Comparator.comparingInt(Task::rank)); // calls Near.rank, Far.rank
            }
            public static void main(String[] a) {
                sort(List.of(a.length > 0 ? new Near() : new Far()));
            }
        }
        """
    )
