package targets;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

// What calls are expected to give tells the types of parameters of lambdas.
interface Named { boolean equals(Object o); }
class Person {
    String name() { return ""; }
    int age() { return 1; }
    Person self() { return this; }
}

class Targets {
    static final Comparator<Person> BY_NAME = Comparator.comparing(p -> p.name());   // -> <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <targets.Person: java.lang.String name()>
    Comparator<Person> byAge = Comparator.comparing(p -> p.self().age());   // -> <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <targets.Person: targets.Person self()>; <targets.Person: int age()>

    void collectors(List<Person> all) {
        all.stream().collect(Collectors.groupingBy(p -> p.name()));   // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.lang.Object collect(java.util.stream.Collector)>; <java.util.stream.Collectors: java.util.stream.Collector groupingBy(java.util.function.Function)>; <targets.Person: java.lang.String name()>
        all.stream().collect(Collectors.toMap(p -> p.name(), p -> p.self()));   // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.lang.Object collect(java.util.stream.Collector)>; <java.util.stream.Collectors: java.util.stream.Collector toMap(java.util.function.Function,java.util.function.Function)>; <targets.Person: java.lang.String name()>; <targets.Person: targets.Person self()>
        all.stream().collect(Collectors.groupingBy(p -> p.name(), () -> new TreeMap<>(), Collectors.mapping(q -> q.self(), Collectors.toList())));   // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.lang.Object collect(java.util.stream.Collector)>; <java.util.stream.Collectors: java.util.stream.Collector groupingBy(java.util.function.Function,java.util.function.Supplier,java.util.stream.Collector)>; <targets.Person: java.lang.String name()>; <java.util.TreeMap: void <init>()>; <java.util.stream.Collectors: java.util.stream.Collector mapping(java.util.function.Function,java.util.stream.Collector)>; <targets.Person: targets.Person self()>; <java.util.stream.Collectors: java.util.stream.Collector toList()>
        all.stream().collect(Collectors.collectingAndThen(Collectors.toList(), x -> x.get(0).self()));   // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.lang.Object collect(java.util.stream.Collector)>; <java.util.stream.Collectors: java.util.stream.Collector collectingAndThen(java.util.stream.Collector,java.util.function.Function)>; <java.util.stream.Collectors: java.util.stream.Collector toList()>; <java.util.List: java.lang.Object get(int)>; <targets.Person: targets.Person self()>
        all.stream().filter(p -> p.age() > 1).collect(Collectors.toList()).get(0).name();   // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.util.stream.Stream filter(java.util.function.Predicate)>; <targets.Person: int age()>; <java.util.stream.Stream: java.lang.Object collect(java.util.stream.Collector)>; <java.util.stream.Collectors: java.util.stream.Collector toList()>; <java.util.List: java.lang.Object get(int)>; <targets.Person: java.lang.String name()>
    }

    void comparators(List<Person> all, Map<String, List<Person>> by) {
        all.sort(Comparator.comparing(p -> p.name()));   // -> <java.util.List: void sort(java.util.Comparator)>; <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <targets.Person: java.lang.String name()>
        Comparator<Person> order = Comparator.comparing(p -> p.name());   // -> <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <targets.Person: java.lang.String name()>
        Collections.sort(all, Comparator.comparing(p -> p.name()));   // -> <java.util.Collections: void sort(java.util.List,java.util.Comparator)>; <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <targets.Person: java.lang.String name()>
        all.stream().sorted(Comparator.comparing((Person p) -> p.name()).thenComparing(p -> p.age()));   // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.util.stream.Stream sorted(java.util.Comparator)>; <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <targets.Person: java.lang.String name()>; <java.util.Comparator: java.util.Comparator thenComparing(java.util.function.Function)>; <targets.Person: int age()>
        by.values().stream().flatMap(l -> l.stream()).sorted(Comparator.comparing(p -> p.name())).mapToInt(p -> p.age());   // -> <java.util.Map: java.util.Collection values()>; <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.util.stream.Stream flatMap(java.util.function.Function)>; <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.util.stream.Stream sorted(java.util.Comparator)>; <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <targets.Person: java.lang.String name()>; <java.util.stream.Stream: java.util.stream.IntStream mapToInt(java.util.function.ToIntFunction)>; <targets.Person: int age()>
    }

    Predicate<Person> result() {
        return Predicate.not(p -> p.name().isEmpty());   // -> <java.util.function.Predicate: java.util.function.Predicate not(java.util.function.Predicate)>; <targets.Person: java.lang.String name()>; <java.lang.String: boolean isEmpty()>
    }

    static <R> R pair(R one, Function<R, Integer> f) { return one; }
    static void use(List<Person> all) { all.get(0).age(); }   // -> <java.util.List: java.lang.Object get(int)>; <targets.Person: int age()>
    static <T> void print(T first, Comparator<? super T> order) { }

    void arguments(Person one) {
        use(Collections.emptyList());   // -> <targets.Targets: void use(java.util.List)>; <java.util.Collections: java.util.List emptyList()>
        print(one, Comparator.comparing(p -> p.name()));   // -> <targets.Targets: void print(java.lang.Object,java.util.Comparator)>; <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <targets.Person: java.lang.String name()>
        use(new ArrayList<>(List.of(pair(one, p -> p.age()))));   // -> <targets.Targets: void use(java.util.List)>; <java.util.ArrayList: void <init>(java.util.Collection)>; <java.util.List: java.util.List of(java.lang.Object)>; <targets.Targets: java.lang.Object pair(java.lang.Object,java.util.function.Function)>; <targets.Person: int age()>
        pair(3, n -> n.intValue());   // -> <targets.Targets: java.lang.Object pair(java.lang.Object,java.util.function.Function)>; <java.lang.Integer: int intValue()>
    }

    static String greet(String name) { return name; }
    static <T, R> Function<T, R> of(Function<T, R> f) { return f; }

    void references() {
        of(Targets::greet).compose(null);   // -> <targets.Targets: java.util.function.Function of(java.util.function.Function)>; <targets.Targets: java.lang.String greet(java.lang.String)>; <java.util.function.Function: java.util.function.Function compose(java.util.function.Function)>
    }

    static class Page {
        Page tag(Consumer<Page> inside) { return this; }
        void text() { }
    }
    static <T> T filled(Supplier<T> made, Consumer<? super T> by) { return made.get(); }   // -> <java.util.function.Supplier: java.lang.Object get()>

    void functions(Stream<Person> all) {
        filled(Page::new,                 // -> <targets.Targets: java.lang.Object filled(java.util.function.Supplier,java.util.function.Consumer)>; <targets.Targets$Page: void <init>()>
            p -> p.tag(                   // -> <targets.Targets$Page: targets.Targets$Page tag(java.util.function.Consumer)>
                q -> q.text()))           // -> <targets.Targets$Page: void text()>
            .text();                      // -> <targets.Targets$Page: void text()>
        filled(                           // -> <targets.Targets: java.lang.Object filled(java.util.function.Supplier,java.util.function.Consumer)>
            () -> new Page(),             // -> <targets.Targets$Page: void <init>()>
            p -> p.text());               // -> <targets.Targets$Page: void text()>
        all.collect(ArrayList<Person>::new,   // -> <java.util.stream.Stream: java.lang.Object collect(java.util.function.Supplier,java.util.function.BiConsumer,java.util.function.BiConsumer)>; <java.util.ArrayList: void <init>()>
            (l, p) -> l.add(p),           // -> <java.util.ArrayList: boolean add(java.lang.Object)>
            (l, m) -> l.addAll(m));       // -> <java.util.ArrayList: boolean addAll(java.util.Collection)>
    }

    void tied(Named one, Named two) {
        one.equals(two);   // -> <targets.Named: boolean equals(java.lang.Object)>
    }
}

/** `ArrayList::new` makes what is wanted. What functions give is what later ones get, and collectors beside them. */
class References {
    static class Sum {
        void add(Person p) { }
        Sum with(Sum other) { return other; }
        Page end() { return null; }
    }
    static class Page { void text() { } }

    static <T, U, V> V steps(List<T> all, Function<T, U> one, Function<U, V> two) { return null; }

    void references(List<Person> all) {
        all.stream().collect(Collectors.toCollection(ArrayList::new))   // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.lang.Object collect(java.util.stream.Collector)>; <java.util.stream.Collectors: java.util.stream.Collector toCollection(java.util.function.Supplier)>; <java.util.ArrayList: void <init>()>
            .get(0).name();                                     // -> <java.util.ArrayList: java.lang.Object get(int)>; <targets.Person: java.lang.String name()>
        all.stream().collect(Collectors.groupingBy(Person::name, TreeMap::new, Collectors.toList()))   // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.lang.Object collect(java.util.stream.Collector)>; <java.util.stream.Collectors: java.util.stream.Collector groupingBy(java.util.function.Function,java.util.function.Supplier,java.util.stream.Collector)>; <targets.Person: java.lang.String name()>; <java.util.TreeMap: void <init>()>; <java.util.stream.Collectors: java.util.stream.Collector toList()>
            .firstEntry().getValue().get(0).age();              // -> <java.util.TreeMap: java.util.Map$Entry firstEntry()>; <java.util.Map$Entry: java.lang.Object getValue()>; <java.util.List: java.lang.Object get(int)>; <targets.Person: int age()>
        all.stream().collect(                                   // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.lang.Object collect(java.util.stream.Collector)>
            java.util.stream.Collector.of(                      // -> <java.util.stream.Collector: java.util.stream.Collector of(java.util.function.Supplier,java.util.function.BiConsumer,java.util.function.BinaryOperator,java.util.function.Function,java.util.stream.Collector$Characteristics[])>
                () -> new Sum(),                                // -> <targets.References$Sum: void <init>()>
                (s, p) -> s.add(p),                             // -> <targets.References$Sum: void add(targets.Person)>
                (s, t) -> s.with(t),                            // -> <targets.References$Sum: targets.References$Sum with(targets.References$Sum)>
                s -> s.end()))                                  // -> <targets.References$Sum: targets.References$Page end()>
            .text();                                            // -> <targets.References$Page: void text()>
        steps(all,                                              // -> <targets.References: java.lang.Object steps(java.util.List,java.util.function.Function,java.util.function.Function)>
            p -> p.name(),                                      // -> <targets.Person: java.lang.String name()>
            n -> n.trim())                                      // -> <java.lang.String: java.lang.String trim()>
            .length();                                          // -> <java.lang.String: int length()>
        all.stream().collect(                                   // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.lang.Object collect(java.util.stream.Collector)>
            Collectors.mapping(p -> p.name(),                   // -> <java.util.stream.Collectors: java.util.stream.Collector mapping(java.util.function.Function,java.util.stream.Collector)>; <targets.Person: java.lang.String name()>
                Collectors.filtering(n -> n.isEmpty(),          // -> <java.util.stream.Collectors: java.util.stream.Collector filtering(java.util.function.Predicate,java.util.stream.Collector)>; <java.lang.String: boolean isEmpty()>
                    Collectors.toList())))                      // -> <java.util.stream.Collectors: java.util.stream.Collector toList()>
            .get(0).length();                                   // -> <java.util.List: java.lang.Object get(int)>; <java.lang.String: int length()>
        java.util.Objects.requireNonNullElseGet(null,           // -> <java.util.Objects: java.lang.Object requireNonNullElseGet(java.lang.Object,java.util.function.Supplier)>
            () -> new Page())                                   // -> <targets.References$Page: void <init>()>
            .text();                                            // -> <targets.References$Page: void text()>
    }
}
