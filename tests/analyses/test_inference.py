"""Types that method references and diamonds leave to inference, seen by what calls on the results reach."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import assert_calls

ITEMS = """
    import java.util.*;
    import java.util.function.*;
    import java.util.stream.*;
    class Item { int key() { return 1; } Part part() { return new Part(); } void hit() { } }
    class Big extends Item { void big() { } }
    class Part { void hit() { } String text() { return ""; } }
"""


def test_method_references_tell_the_type_arguments_of_collectors() -> None:
    assert_calls(
        ITEMS
        + """
    class M {
        static boolean odd(Item item) { return true; }
        public static void main(String[] args) {
            List<Big> items = List.of(new Big());
            items.stream().collect(Collectors.groupingBy(Item::key)).get(1)
                .get(0).big();                                      // calls Big.big
            items.stream().collect(Collectors.partitioningBy(M::odd)).get(true)
                .get(0).big();                                      // calls Big.big
            items.stream().collect(Collectors.mapping(Item::part, Collectors.toList()))
                .get(0).hit();                                      // calls Part.hit
            items.stream().collect(Collectors.mapping(i -> i.part(), Collectors.toList()))
                .get(0).hit();                                      // calls Part.hit
            items.stream().collect(Collectors.groupingBy(Item::key, Collectors.mapping(Item::part, Collectors.toSet())))
                .get(1).iterator().next().hit();                    // calls Part.hit
        }
    }
    """
    )


def test_plain_references_take_the_type_arguments_of_what_they_get() -> None:
    assert_calls(
        ITEMS
        + """
    class Box<T> { final T held; Box(T held) { this.held = held; } T get() { return held; } }
    class Cell<T> { final T held; Cell(T held) { this.held = held; } T get() { return held; } }
    class Full extends Cell<Part> { Full() { super(new Part()); } }
    class M {
        public static void main(String[] args) {
            List<Item> items = List.of(new Item());
            Stream.of(items).flatMap(List::stream).toList()
                .get(0).hit();                                      // calls Item.hit
            Stream.of(items).flatMap(Collection::stream).map(Item::part).toList()
                .get(0).hit();                                      // calls Part.hit
            Stream.of(new Box<>(new Item())).map(Box::get).toList()
                .get(0).hit();                                      // calls Item.hit
            Stream.of(new Full()).map(Cell::get).toList()
                .get(0).hit();                                      // calls Part.hit
        }
    }
    """
    )


def test_comparators_made_of_references() -> None:
    reachable = {
        row[0]
        for row in assert_calls(
            ITEMS
            + """
    class M {
        public static void main(String[] args) {
            Comparator<Item> order = Comparator.comparing(Item::key)
                .thenComparing(i -> i.part().text());               // calls Item.part, Part.text
            order.compare(new Item(), new Item());
        }
    }
    """
        ).rows("Reachable")
    }
    assert "Part.text()" in reachable and "Part.hit()" not in reachable


@pytest.mark.slow
def test_methods_of_anonymous_classes_with_a_diamond() -> None:
    assert_calls(
        ITEMS
        + """
    interface Visitor<T, R> { R visit(T t, int depth); default R start(T t) {
        return visit(t, 0);                                         // calls 1.visit
    } }
    abstract class Sink<T> {
        abstract void put(T t);
        void put(String s) { }
        void all(List<T> items) {
            for (T item : items) put(item);                         // calls 2.put
        }
    }
    class M {
        public static void main(String[] args) {
            Visitor<Item, Part> visitor = new Visitor<>() {
                public Part visit(Item item, int depth) {
                    return item.part();                             // calls Item.part
                }
            };
            visitor.start(new Item()).hit();                        // calls Part.hit, Visitor.start
            Sink<Item> sink = new Sink<>() { void put(Item item) {
                item.hit();                                         // calls Item.hit
            } };
            sink.all(List.of(new Item()));                          // calls Sink.all
            Comparator<Item> order = new Comparator<>() { public int compare(Item a, Item b) {
                return a.key();                                     // calls Item.key
            } };
            order.compare(new Item(), new Item());                  // calls 3.compare
        }
    }
    """
    )


def test_what_is_wanted_tells_the_interface_of_functions_among_the_arguments() -> None:
    assert_calls("""
    import java.util.*;
    import java.util.function.*;
    class Job implements Runnable { public void run() { } }
    class Bag<E> extends ArrayList<E> {
        static <E> Bag<E> of(E one) { Bag<E> bag = new Bag<>(); bag.add(one); return bag; }
    }
    class M {
        static Runnable kept;
        static <T> T same(T it) { return it; }
        static void f() { }
        static Runnable given() { return same(() -> f()); }             // calls M.f, M.same
        public static void main(String[] args) {
            List<Runnable> alone = List.of(() -> f());                  // calls M.f
            alone.get(0).run();                                         // calls M.main/lambda: of()
            List<Runnable> jobs = List.of(new Job(), () -> f());        // calls M.f
            jobs.get(args.length).run();                                // calls Job.run, M.main/lambda: of()#2
            Map<String, Runnable> named = Map.of("a", new Job(), "b", M::f);    // calls M.f
            named.get(args[0]).run();                                   // calls Job.run, M.f
            Collection<Runnable> wider = Arrays.asList(new Job(), () -> f());   // calls M.f
            wider.iterator().next().run();                              // calls Job.run, M.main/lambda: asList()
            Iterable<Supplier<Job>> own = Bag.of(() -> new Job());      // calls Bag.of
            own.iterator().next().get();                                // calls M.main/lambda: of()#3
            Runnable same = same(() -> f());                            // calls M.f, M.same
            same.run();                                                 // calls M.main/lambda: same()
            kept = same(M::f);                                          // calls M.f, M.same
            kept.run();                                                 // calls M.f
            given().run();                                              // calls M.given, M.given/lambda: same()
            for (Runnable job : List.<Runnable>of(() -> f()))           // calls M.f
                job.run();                                              // calls M.main/lambda: of()#4
            List<String> texts = List.of("a");
            texts.get(0).length();                                      // calls nothing
        }
    }
    """)


def test_diamonds_take_the_type_arguments_of_a_supertype() -> None:
    assert_calls("""
    import java.util.*;
    class Item { int key() { return 1; } void hit() { } }
    class Job implements Runnable { public void run() { } }
    class Table<V, K> extends TreeMap<K, V> { Table(Comparator<? super K> order, V first) { super(order); } }
    class M {
        final Map<Item, String> field = new TreeMap<>((a, b) -> a.key() - b.key());         // calls Item.key
        static void f() { }
        static Queue<Item> given() {
            return new PriorityQueue<>(3, (a, b) -> a.key() - b.key());                     // calls Item.key
        }
        public static void main(String[] args) {
            new M().field.put(new Item(), "");
            given().add(new Item());                                                        // calls M.given
            Map<Item, String> map = new TreeMap<>((a, b) -> a.key() - b.key());             // calls Item.key
            Collection<? extends Item> set = new TreeSet<>((a, b) -> a.key() - b.key());    // calls Item.key
            Map<Item, String> own = new Table<>((a, b) -> a.key() - b.key(), "");           // calls Item.key
            Object raw = new TreeSet<>((a, b) -> 1);
            Set<Runnable> jobs = new LinkedHashSet<>(List.of(() -> f(), new Job()));        // calls M.f
            jobs.iterator().next().run();                               // calls Job.run, M.main/lambda: of()
        }
    }
    """)


def test_functions_with_a_variable_number_of_parameters() -> None:
    assert_calls("""
    class Item { void hit() { } }
    class Other { void hit() { } }
    interface All { void take(Item... items); }
    abstract class Base { abstract void put(String name, Item... items); }
    class Own extends Base { void put(String name, Item[] items) { items[0].hit(); } }      // calls Item.hit
    class M {
        static void each(Item... items) { items[0].hit(); }             // calls Item.hit
        static void array(Item[] items) { items[0].hit(); }             // calls Item.hit
        static void never(Item... items) { }
        public static void main(String[] args) {
            All lambda = items -> items[0].hit();                       // calls Item.hit
            lambda.take(new Item(), new Item());                        // calls M.main/lambda: lambda(items)
            All none = items -> { };
            none.take();                                                // calls M.main/lambda: none(items)
            All packed = M::each;
            packed.take(new Item(), new Item(), new Item());            // calls M.each
            All plain = M::array;
            plain.take(new Item(), new Item());                         // calls M.array
            Base base = new Own();
            base.put("", new Item(), new Item());                       // calls Own.put
        }
    }
    """)


def test_arguments_of_several_classes_bind_a_variable_to_each() -> None:
    assert_calls("""
    import java.util.*;
    import java.util.stream.*;
    interface Rule { void check(); }
    class First implements Rule { public void check() { } }
    class Second implements Rule { public void check() { } }
    class Never implements Rule { public void check() { } }
    class Base { void run() { } }
    class Derived extends Base { void run() { } }
    class M {
        static <T> T last(T a, T b) { return b; }
        public static void main(String[] args) {
            new Never().check();                                        // calls Never.check
            Stream.of(new First(), new Second())
                .forEach(r -> r.check());                               // calls First.check, Second.check
            for (var rule : List.of(new First(), new Second()))
                rule.check();                                           // calls First.check, Second.check
            List.of(new First(), new Second())
                .get(1).check();                                        // calls First.check, Second.check
            last(new First(), new Second())                             // calls M.last
                .check();                                               // calls Second.check
            Arrays.asList(new Derived(), new Base())
                .forEach(b -> b.run());                                 // calls Base.run, Derived.run
            Stream.concat(Stream.of(new First()), Stream.of(new Second()))
                .forEach(r -> r.check());                               // calls First.check, Second.check
            Optional.of(args).map(a -> a.length > 0 ? new First() : new Second())
                .ifPresent(r -> r.check());                             // calls First.check, Second.check
            Optional.of(args).map(a -> { if (a.length > 0) return new First(); return new Second(); })
                .ifPresent(r -> r.check());                             // calls First.check, Second.check
            Map.of("a", new First(), "b", new Second()).values()
                .forEach(r -> r.check());                               // calls First.check, Second.check
        }
    }
    """)


def test_references_to_generic_methods() -> None:
    assert_calls("""
    import java.util.*;
    import java.util.function.*;
    import java.util.stream.*;
    class Item { void hit() { } <T> Map.Entry<Item, T> with(T other) { return Map.entry(this, other); } }
    class M {
        static <T> Supplier<T> later(T it) { return () -> it; }
        public static void main(String[] args) {
            Optional.of(new Item()).map(Optional::of)
                .get().get().hit();                                     // calls Item.hit
            Stream.of(new Item()).map(List::of).flatMap(l -> l.stream())
                .forEach(i -> i.hit());                                 // calls Item.hit
            Stream.of(new Item()).map(M::later)                         // calls M.later
                .forEach(s -> s.get()                                   // calls M.later/lambda: ()
                .hit());                                                // calls Item.hit
            BiFunction<Item, Item, Map.Entry<Item, Item>> pair = Item::with;
            pair.andThen(Map.Entry::getValue).apply(new Item(), new Item())
                .hit();                                                 // calls Item.hit
        }
    }
    """)


def test_members_of_generic_classes_made_on_an_object() -> None:
    assert_calls("""
    class Item { void hit() { } }
    class Outer<T> {
        final T held; Outer(T held) { this.held = held; }
        class Part<U> { final U own; Part(U own) { this.own = own; } U own() { return own; } T held() { return held; } }
    }
    class M {
        public static void main(String[] args) {
            Outer<Item>.Part<Item> part = new Outer<>(new Item()).new Part<>(new Item());
            part.own().hit();                                           // calls Item.hit, Part.own
            part.held().hit();                                          // calls Item.hit, Part.held
            new Outer<Item>(new Item()).new Part<Item>(new Item())
                .own().hit();                                           // calls Item.hit, Part.own
        }
    }
    """)


def test_calls_around_leave_variables_to_their_arguments() -> None:
    assert_calls(
        ITEMS
        + """
    class M {
        public static void main(String[] args) {
            Stream.of(new Item()).collect(Collectors.toCollection(ArrayList::new))
                .forEach(i -> i.hit());                             // calls Item.hit
            Stream.of(new Item()).collect(Collectors.toCollection(() -> new ArrayDeque<>()))
                .peek().hit();                                      // calls Item.hit
            Stream.of(new Item()).collect(Collectors.toMap(i -> i, i -> i.part(), (a, b) -> a, TreeMap::new)).values()
                .forEach(p -> p.hit());                             // calls Part.hit
            Stream.of(new Item()).collect(Collectors.collectingAndThen(Collectors.toList(), l -> l.get(0)))
                .part();                                            // calls Item.part
            Stream.of(new Item()).collect(Collectors.groupingBy(Item::key,
                Collectors.collectingAndThen(Collectors.toList(), l -> l.get(0)))).values()
                .forEach(i -> i.hit());                             // calls Item.hit
        }
    }
    """
    )


def test_diamonds_told_by_the_arguments_of_the_constructor() -> None:
    assert_calls("""
        import java.util.*;
        import java.util.function.*;
        import java.util.stream.*;
        class Item { String name() { return ""; } }
        class Other { String name() { return ""; } }
        class Box<T> {
            final T held;
            Box(T held) { this.held = held; }
            Box(Supplier<? extends T> make, int times) { this.held = make.get(); }  // calls M.boxes/lambda: Box()
            <R> R with(Function<? super T, ? extends R> f) { return f.apply(held); }
        }
        class Pairs<T> implements Iterable<Map.Entry<T, T>> {
            Pairs(Iterator<T> items) { }
            public Iterator<Map.Entry<T, T>> iterator() { return null; }
        }
        class M {
            static <X> Stream<X> all(Iterable<X> items) { return StreamSupport.stream(items.spliterator(), false); }
            static void boxes(Item item) {
                new Box<>(item).with(i -> i.name());                        // calls Box.with, Item.name
                var box = new Box<>(() -> item, 2);
                box.with(i -> i.name());                                    // calls Box.with, Item.name
            }
            public static void main(String[] args) {
                List<Item> items = List.of(new Item());
                boxes(items.get(0));                                        // calls M.boxes
                all(new Pairs<>(items.iterator())).map(e -> e.getKey().name());   // calls M.all, Item.name
                var copy = new ArrayList<>(items);
                copy.sort(Comparator.comparing(i -> i.name()));             // calls Item.name
                for (var i : new TreeSet<>(items)) i.name();                // calls Item.name
                new Other().name();                                         // calls Other.name
            }
        }
        """)


def test_collectors_made_of_functions() -> None:
    """The type between is one that nothing says, `?` where the collector is returned; no function is an array."""
    assert_calls("""
        import java.util.*;
        import java.util.stream.*;
        class Item { int size() { return 1; } }
        class Sum {
            void add(Item i) { i.size(); }                                  // calls Item.size
            Sum merge(Sum o) { return this; }
            String show() { return ""; }
            void other() { }
        }
        class M {
            static Collector<Item, ?, String> totals() {
                return Collector.of(
                    Sum::new,
                    Sum::add,                                               // calls Sum.add
                    Sum::merge,                                             // calls Sum.merge
                    Sum::show);                                             // calls Sum.show
            }
            public static void main(String[] args) {
                List<Item> items = List.of(new Item());
                items.stream().collect(totals());                           // calls M.totals
                Sum sum = items.stream().collect(Collector.of(Sum::new, Sum::add, (a, b) -> a));  // calls Sum.add
                sum.other();                                                // calls Sum.other
            }
        }
        """)


def test_what_is_wanted_of_a_diamond_tells_its_functions() -> None:
    assert_calls("""
        import java.util.*;
        import java.util.function.*;
        class Item { int size() { return 1; } Item me() { return this; } }
        class Other { int size() { return 1; } }
        class M {
            static SortedSet<Item> sorted(SortedSet<Item> s) { return s; }
            public static void main(String[] args) {
                Map<String, TreeSet<Item>> sets = new HashMap<>();
                sets.computeIfAbsent("", k -> new TreeSet<>((x, y) -> x.size())).add(new Item());    // calls Item.size
                sorted(new TreeSet<>((x, y) -> x.me().size()));  // calls M.sorted, Item.me, Item.size
                Supplier<Set<Item>> make = () -> new TreeSet<>(Comparator.comparing(x -> x.size())); // calls Item.size
                make.get().add(new Item());                      // calls M.main/lambda: make()
                new Other().size();                              // calls Other.size
            }
        }
        """)


def test_what_a_lambda_gives_is_of_the_bound_of_the_variable_that_it_stands_for() -> None:
    """The type arguments of a diamond that a lambda returns: `C extends Collection<T>`, `M extends Map<K, D>`."""
    assert_calls(
        ITEMS
        + """
    class M {
        static <T, C extends Collection<T>> C filled(Class<T> of, Supplier<C> made) { return made.get(); }
        static <C extends Collection<Part>> C parts(Supplier<C> made) { return made.get(); }
        public static void main(String[] args) {
            List<Big> items = List.of(new Big());
            items.stream().collect(Collectors.toCollection(() ->
                new TreeSet<>((a, b) -> { a.big(); b.hit(); return 0; })))          // calls Big.big, Item.hit
                .first().big();                                                     // calls Big.big
            List<Big> distinct = items.stream().collect(Collectors.collectingAndThen(Collectors.toCollection(() ->
                new TreeSet<>(Comparator.comparing(i -> i.part().text()))),         // calls Item.part, Part.text
                ArrayList::new));
            items.stream().collect(Collectors.groupingBy(i -> i.part(), () ->       // calls Item.part
                new TreeMap<>((p, q) -> { p.hit(); return 0; }), Collectors.toList())); // calls Part.hit
            filled(Big.class, () ->                                                 // calls M.filled
                new TreeSet<>((a, b) -> { a.big(); return 0; })).add(items.get(0)); // calls Big.big
            TreeSet<Part> parts = parts(() ->                                       // calls M.parts
                new TreeSet<>((a, b) -> { a.hit(); return 0; }));                   // calls Part.hit
            parts.add(new Part());
        }
    }
    """
    )


def test_numbers_leave_type_arguments_to_the_target() -> None:
    assert_calls(
        ITEMS
        + """
    class M {
        public static void main(String[] args) {
            List<Big> items = List.of(new Big());
            items.stream().gather(Gatherers.windowFixed(2)).forEach(w ->
                w.getFirst().big());                                // calls Big.big
            items.stream().collect(Collectors.toCollection(() -> new ArrayList<>(5)))
                .get(0).big();                                      // calls Big.big
            Optional.of(5).map(n -> items.get(n)).get().big();      // calls Big.big
        }
    }
    """
    )


def test_a_variable_with_several_bounds_has_the_methods_of_all() -> None:
    assert_calls("""
        import java.util.*; import java.util.function.*;
        interface Note { String text(); }
        class Base { int id() { return 1; } }
        class Both extends Base implements Note, Comparable<Both> {
            public String text() { return ""; }
            public int compareTo(Both other) { return 0; }
        }
        class Gives extends Base implements Supplier<Both> { public Both get() { return new Both(); } }
        class Box<T extends Base & Comparable<? super T>> {
            T value;
            Box(T value) { this.value = value; }
            boolean less(T other) { return value.compareTo(other) < other.id(); }   // calls Both.compareTo, Base.id
            int each(List<T> all) {
                all.forEach(each -> each.compareTo(value));                         // calls Both.compareTo
                return all.size();
            }
        }
        class M {
            static String use(Note note) { return note.text(); }                    // calls Both.text
            static <T extends Base & Note> String name(T of) { return use(of); }    // calls M.use
            static <T extends Base & Supplier<Both>> int given(T from) {
                return from.get().text().length();                                  // calls Gives.get, Both.text
            }
            public static void main(String[] args) {
                Both both = new Both();
                name(both);                                                         // calls M.name
                given(new Gives());                                                 // calls M.given
                Box<Both> box = new Box<>(both);
                box.less(both);                                                     // calls Box.less
                box.each(List.of(both));                                            // calls Box.each
            }
        }
    """)


def test_what_one_way_out_of_a_lambda_leaves_open_another_one_tells() -> None:
    assert_calls(
        ITEMS
        + """
    class M {
        static boolean empty;
        static java.util.concurrent.CompletableFuture<Void> note() { return null; }
        public static void main(String[] args) {
            List<Item> items = List.of(new Item());
            items.stream().map(i -> { if (empty) return null; return Optional.of(i.part()); })  // calls Item.part
                .forEach(o -> o.get().hit());                                                   // calls Part.hit
            items.stream().map(i -> { if (empty) return Optional.of(i.part()); return null; })  // calls Item.part
                .forEach(o -> o.get().hit());                                                   // calls Part.hit
            items.stream().flatMap(i -> { if (empty) return Stream.empty(); return Stream.of(i); })
                .forEach(i -> i.hit());                                                         // calls Item.hit
            items.stream().flatMap(i -> empty ? Stream.empty() : Stream.of(i))
                .forEach(i -> i.hit());                                                         // calls Item.hit
            note().thenCompose(i -> java.util.concurrent.CompletableFuture.completedFuture(null))
                .exceptionally(x -> { x.addSuppressed(x); new M().failed(x); return null; });   // calls M.failed
            Map.entry(new Item(), null).getKey().hit();                                         // calls Item.hit
        }
        void failed(Throwable t) { }
    }
    """
    )
