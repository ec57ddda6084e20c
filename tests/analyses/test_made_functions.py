"""Method references to the library, and functions that the library makes of others: what they are given and give."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import assert_calls

# A Bad escapes, so that a call on an opaque A reaches it.
BEGIN = """
    import java.util.*;
    import java.util.function.*;
    import java.util.stream.*;
    class M {
        static class A {
            void foo() { }
            String name() { return ""; }
            Integer size() { return 0; }
        }
        static class Good extends A { void foo() { } String name() { return ""; } }
        static class Bad extends A { void foo() { } String name() { return ""; } Integer size() { return 1; } }
        static class Key implements Comparable<Key> {
            public int compareTo(Key other) { return own(); }                                       // calls Key.own
            int own() { return 0; }
        }
        static class Natural implements Comparable<Natural> {
            public int compareTo(Natural other) { return own(); }                                   // calls Natural.own
            int own() { return 0; }
        }
        static class Runner { A run(Function<String, A> f) { return f.apply(""); } }
        public static void main(String[] args) {
            Map<String, A> map = new HashMap<>();
            map.put("a", new Good());
            Locale.setDefault((Locale) (Object) new Bad());
"""

REFERENCES = """
            map.entrySet().stream().map(Map.Entry::getValue).forEach(a -> a.foo());               // calls Good.foo
            Stream.of(map).map(Map::values).flatMap(Collection::stream).forEach(a -> a.foo());    // calls Good.foo
            Stream.of(Optional.of(new Good())).map(Optional::get).forEach(a -> a.foo());            // calls Good.foo
            Stream.of(new Good()).map(Objects::requireNonNull).forEach(a -> a.foo());               // calls Good.foo
            Stream.of((A) new Good()).map(A.class::cast).forEach(a -> a.foo());                     // calls Good.foo
            Stream.of(List.of(new Good())).map(ArrayList::new).forEach(l -> l.get(0).foo());        // calls Good.foo
            Supplier<A> made = Good::new;
            Stream.of(made).map(Supplier::get).forEach(a -> a.foo());                               // calls Good.foo
            Supplier<A> known = () -> new Good();
            Stream.of(known).map(Supplier::get).forEach(a -> a.foo());  // calls Good.foo, M.main/lambda: known()
            Stream.of(new Key()).sorted(Comparator.comparing(k -> k)).count();
            Stream.of(new Natural()).sorted(Comparator.naturalOrder()).count();
            Supplier<List<A>> lists = ArrayList::new;
            List<A> list = lists.get();
            Stream.of((A) new Good()).forEach(list::add);
            list.get(0).foo();                                                                      // calls Good.foo
            Function<Map<String, A>, Collection<A>> values = Map::values;
            values.apply(map).iterator().next().foo();                                            // calls Good.foo
            IntFunction<A[]> arrays = A[]::new;
            A[] array = arrays.apply(1);
            array[0] = new Good();
            array[0].foo();                                                                         // calls Good.foo
        }
    }
"""

COMBINED = """
            Function<String, A> f = s -> new Good();
            f.andThen(a -> a).apply("").foo();                                                      // calls Good.foo
            new Runner().run(f.andThen(a -> a)).foo();  // calls Runner.run, Good.foo
            f.compose((Integer i) -> "").apply(1).foo();                                            // calls Good.foo
            Function.<A>identity().apply(new Good()).foo();                                         // calls Good.foo
            UnaryOperator<A> same = UnaryOperator.identity();
            same.apply(new Good()).foo();                                                           // calls Good.foo
            BinaryOperator<A> most = BinaryOperator.maxBy(Comparator.comparing(A::name));
            most.apply(new Good(), new Good()).foo();                                               // calls Good.foo
            Consumer<A> first = a -> a.foo();                                                       // calls Good.foo
            first.andThen(a -> a.name()).accept(new Good());                                        // calls Good.name
            Predicate<A> p = a -> a.name().isEmpty();                                               // calls Good.name
            Stream.of((A) new Good()).filter(p.negate().or(a -> a.name() == null)).count();         // calls Good.name
            List<A> list = new ArrayList<>(List.of(new Good()));
            list.sort(Comparator.comparing((A a) -> a.name()).reversed());                          // calls Good.name
            list.sort(Comparator.comparing((A a) -> a, (a, b) -> a.size()));                        // calls A.size
        map.values().stream().collect(Collectors.toMap(a -> 1, Function.identity())).get(1).foo();  // calls Good.foo
            map.entrySet().stream().sorted(Map.Entry.comparingByValue((a, b) -> a.size())).count();     // calls A.size
            Comparator<A> byKey = Comparator.comparing(a -> new Key());
            byKey.compare(new Good(), new Good());
            Comparator<Natural> natural = Comparator.naturalOrder();
            natural.compare(new Natural(), new Natural());
        }
    }
"""


@pytest.mark.slow
@pytest.mark.parametrize("context", ["ci", "1-obj", "2-obj+heap"])
@pytest.mark.parametrize("calls", [REFERENCES, COMBINED])
def test_what_references_and_functions_of_the_library_give(calls: str, context: str) -> None:
    assert_calls(BEGIN + calls, context=context)


def test_objects_that_are_run_as_functions_get_and_give_what_lambdas_would() -> None:
    assert_calls("""
        import java.util.*; import java.util.function.*; import java.util.stream.*;
        class A { void m() { } A next() { return this; } }
        class Other extends A { void m() { } }
        class Never extends A { void m() { } }
        class Box { final A of; Box(A of) { this.of = of; } void open() { of.m(); } }           // calls A.m
        class Boxing implements Function<A, Box> {
            public Box apply(A a) { a.m(); return new Box(a); }                                 // calls A.m
        }
        class ByNothing implements Comparator<A> {
            public int compare(A x, A y) { x.m(); return 0; }                                   // calls A.m
        }
        class Giving implements Supplier<A> { public A get() { return new Other(); } }
        class M { public static void main(String[] args) {
            List<A> all = new ArrayList<>();
            all.add(new A());
            System.out.println(new Never());
            all.sort(new ByNothing());
            all.stream().map(new Boxing()).forEach(b -> b.open());                              // calls Box.open
            Optional.of(all.get(0)).orElseGet(new Giving()).m();                                // calls A.m, Other.m
            Stream.generate(new Giving()).forEach(g -> g.m());                                  // calls Other.m
            all.stream().map(new Function<A, A>() {
                public A apply(A in) { in.m(); return in.next(); }                              // calls A.m, A.next
            }).forEach(k -> k.m());                                                             // calls A.m
        } }
    """)
