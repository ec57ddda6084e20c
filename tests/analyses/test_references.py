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


def test_what_a_reference_by_its_class_is_given_is_cast_to_that() -> None:
    assert_calls(
        """
        import java.nio.file.Path;
        import java.util.*;
        public class M {
            public static class Other { @Override public String toString() { return ""; } }
            public void paths(Optional<Path> path) {
                path.map(Path::toString);                   // calls nothing
            }
            public void objects(Optional<Object> object) {
                object.map(Object::toString);               // calls Other.toString
            }
        }
        """,
        "public",
    )


def test_what_a_method_that_overrides_the_referred_one_is_given_is_cast() -> None:
    results = assert_calls(
        """
        import java.util.function.*;
        class A { void a() { } }
        class B { }
        interface Told<T> { void tell(A a); }
        class Teller implements Told<A> { public void tell(A a) { a.a(); } } // calls A.a
        class M {
            static void each(Consumer<Object> c) { c.accept(new A()); c.accept(new B()); }
            @SuppressWarnings("unchecked")
            public static void main(String[] args) {
                Told<A> told = new Teller();
                Consumer<A> c = told::tell;
                each((Consumer<Object>) (Consumer<?>) c);   // calls M.each
            }
        }
        """
    )
    given = {heap for heap, var in results.rows("VarPointsTo") if var == "Teller.tell(A)/a"}
    assert given == {"M.each(Consumer)/new A"}


def test_a_call_without_a_result_gives_none_whatever_the_function_gives_that_runs() -> None:
    results = assert_calls(
        """
        import java.util.function.*;
        class M {
            static Object make() { return new M(); }
            static void later(Runnable r) {
                Runnable again = () -> r.run();
                again.run();                                // calls M.later/lambda: again()
            }
            public static void main(String[] args) {
                later(M::make);                             // calls M.later, M.make
                later(() -> make());                        // calls M.later, M.make
            }
        }
        """
    )
    held = {var for heap, var in results.rows("VarPointsTo") if heap == "M.make()/new M"}
    assert held == {"M.<init>()/@this", "M.make()/$(new M())", "M.main(String[])/lambda: later()/$(make())"}


def test_a_reference_to_a_method_of_objects_for_an_unknown_interface_runs_it() -> None:
    assert_calls(
        """
        import q.Box;
        class E {
            String text() { return end(); }                 // calls E.end
            String end() { return ""; }
        }
        class M {
            public static void main(String[] args) {
                new Box().each(E::text);                    // calls E.text
            }
        }
        """
    )
