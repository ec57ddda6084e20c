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
