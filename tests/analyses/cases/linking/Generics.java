package generics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;

interface Visitor<R> { R visit(Node<?> node); }

abstract class Node<T extends Comparable<T>> implements Comparable<Node<T>> {
    T value;
    Node<T> left;
    T value() { return value; }
    Node<T> left() { return left; }
    <R> R accept(Visitor<R> visitor) { return visitor.visit(this); }    // -> <generics.Visitor: java.lang.Object visit(generics.Node)>
    public int compareTo(Node<T> other) {
        return value.compareTo(other.value());  // -> <java.lang.Comparable: int compareTo(java.lang.Object)>; <generics.Node: java.lang.Comparable value()>
    }
}

class Leaf extends Node<String> {
    static Leaf make(int depth) { return new Leaf(); }      // -> <generics.Leaf: void <init>()>
    int size() { return value.length(); }       // -> <java.lang.String: int length()>
}

class Box<A> {
    A content;
    Box(A content) { this.content = content; }
    <B> Box<B> map(Function<? super A, ? extends B> f) { return new Box<>(f.apply(content)); }  // -> <generics.Box: void <init>(java.lang.Object)>; <java.util.function.Function: java.lang.Object apply(java.lang.Object)>
    A get() { return content; }
    static <C> Box<C> of(C content) { return new Box<C>(content); }     // -> <generics.Box: void <init>(java.lang.Object)>
}

class Uses {
    void say(String s) { }
    void say(Object o) { }
    void say(Leaf l) { }

    void members(Leaf leaf, Map<String, Box<Leaf>> boxes) {
        say(leaf.value);                // -> <generics.Uses: void say(java.lang.String)>
        say(leaf.value());              // -> <generics.Uses: void say(java.lang.String)>; <generics.Node: java.lang.Comparable value()>
        say(leaf.left().left().value());        // -> <generics.Uses: void say(java.lang.String)>; <generics.Node: generics.Node left()>; <generics.Node: generics.Node left()>; <generics.Node: java.lang.Comparable value()>
        boxes.get("x").get().size();    // -> <java.util.Map: java.lang.Object get(java.lang.Object)>; <generics.Box: java.lang.Object get()>; <generics.Leaf: int size()>
        for (Map.Entry<String, Box<Leaf>> e : boxes.entrySet()) {       // -> <java.util.Map: java.util.Set entrySet()>
            say(e.getValue().get());    // -> <generics.Uses: void say(generics.Leaf)>; <java.util.Map$Entry: java.lang.Object getValue()>; <generics.Box: java.lang.Object get()>
        }
    }

    static <N extends Node<? extends Comparable<?>>> N same(N node) { return node; }

    void bounded(Leaf leaf) {
        same(leaf).size();              // -> <generics.Uses: generics.Node same(generics.Node)>; <generics.Leaf: int size()>
    }

    void lambdas(Box<Leaf> box, List<Leaf> leaves) {
        say(box.map(l -> l.value()).get());     // -> <generics.Uses: void say(java.lang.String)>; <generics.Box: generics.Box map(java.util.function.Function)>; <generics.Node: java.lang.Comparable value()>; <generics.Box: java.lang.Object get()>
        say(Box.of(1).map(Leaf::make).get());   // -> <generics.Uses: void say(generics.Leaf)>; <generics.Box: generics.Box of(java.lang.Object)>; <generics.Box: generics.Box map(java.util.function.Function)>; <generics.Leaf: generics.Leaf make(int)>; <generics.Box: java.lang.Object get()>
        leaves.forEach(l -> l.size());          // -> <java.lang.Iterable: void forEach(java.util.function.Consumer)>; <generics.Leaf: int size()>
        leaves.sort((a, b) -> a.size() - b.size());     // -> <java.util.List: void sort(java.util.Comparator)>; <generics.Leaf: int size()>; <generics.Leaf: int size()>
        Function<Object, String> text = java.util.Objects::toString;    // -> <java.util.Objects: java.lang.String toString(java.lang.Object)>
        Comparator<Leaf> order = Comparator.comparing(Leaf::size);      // -> <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <generics.Leaf: int size()>
        Supplier<Leaf> source = Leaf::new;      // -> <generics.Leaf: void <init>()>
        source.get().size();                    // -> <java.util.function.Supplier: java.lang.Object get()>; <generics.Leaf: int size()>
        Map<String, Function<Leaf, String>> table = new HashMap<>();    // -> <java.util.HashMap: void <init>()>
        table.put("v", l -> l.value());         // -> <java.util.Map: java.lang.Object put(java.lang.Object,java.lang.Object)>; <generics.Node: java.lang.Comparable value()>
        leaves.stream().map(l -> l.value()).forEach(s -> s.trim());     // -> <java.util.Collection: java.util.stream.Stream stream()>; <java.util.stream.Stream: java.util.stream.Stream map(java.util.function.Function)>; <generics.Node: java.lang.Comparable value()>; <java.util.stream.Stream: void forEach(java.util.function.Consumer)>; <java.lang.String: java.lang.String trim()>
    }
}

/** Elements whose type variable is bounded by a type with itself as an argument. */
interface Element<T> {
    T plus(T other);

    T times(int n);
}

interface RealElement<T> extends Element<T> {
    double real();

    T times(double d);
}

class Sums<T extends RealElement<T>> {
    static <T extends RealElement<T>> boolean less(T a, T b) {
        return a.plus(b).real() < 0;                // -> <generics.Element: java.lang.Object plus(java.lang.Object)>; <generics.RealElement: double real()>
    }

    T twice(T a, T[] all) {
        return all[0].plus(a).times(.5).times(2);   // -> <generics.Element: java.lang.Object plus(java.lang.Object)>; <generics.RealElement: java.lang.Object times(double)>; <generics.Element: java.lang.Object times(int)>
    }
}

/** What overrides a generic method is in its place: `plus` of a Double is not the one of an Element. */
class Complex implements Element<Complex> {
    public Complex plus(Complex other) {
        return other;
    }

    public Complex plus(double d) {
        return this;
    }

    public Complex times(int n) {
        return this;
    }

    static Complex sum(Complex a, Double d, Complex[][] all) {
        rows(all, 1);                               // -> <generics.Complex: void rows(generics.Element[][],int)>
        return a.plus(d).plus(a);                   // -> <generics.Complex: generics.Complex plus(double)>; <generics.Complex: generics.Complex plus(generics.Complex)>
    }

    static void rows(Element<?>[][] all, int n) { }

    static void rows(int n, Element<?>[][] all) { }
}

/** A functional interface that declares the method of its superinterface with the types that this has in it. */
interface Check<N extends Leaf> extends java.util.function.BiConsumer<N, Uses> {
    void accept(N leaf, Uses uses);
}

class Checks<N extends Leaf> {
    Checks(Class<N> type, Check<N> check) { }

    static final Object ONE = new Checks<>(Leaf.class, (l, u) -> u.say(l));     // -> <generics.Checks: void <init>(java.lang.Class,generics.Check)>; <generics.Uses: void say(generics.Leaf)>

    /** What is wanted says nothing about N; the class literal does. */
    static void any() {
        Object two = new Checks<>(Leaf.class, (l, u) -> u.say(l.size() > 1 ? l : null));     // -> <generics.Checks: void <init>(java.lang.Class,generics.Check)>; <generics.Uses: void say(generics.Leaf)>; <generics.Leaf: int size()>
    }
}

class Stepped<T extends Stepped<T>> {
    @SuppressWarnings("unchecked") T step() { return (T) this; }
    T[] steps() { return null; }
    void done() { }
    static Stepped<?> of() { return null; }
}

class Steps {
    void unbounded(Stepped<?> some, Stepped<? extends Special> special, List<? extends Stepped<?>> all) {
        Stepped.of().step().step().done();      // -> <generics.Stepped: generics.Stepped of()>; <generics.Stepped: generics.Stepped step()>; <generics.Stepped: generics.Stepped step()>; <generics.Stepped: void done()>
        some.steps()[0].done();                 // -> <generics.Stepped: generics.Stepped[] steps()>; <generics.Stepped: void done()>
        special.step().more();                  // -> <generics.Stepped: generics.Stepped step()>; <generics.Special: void more()>
        all.get(0).step().done();               // -> <java.util.List: java.lang.Object get(int)>; <generics.Stepped: generics.Stepped step()>; <generics.Stepped: void done()>
    }
}

class Special extends Stepped<Special> { void more() { } }

interface Opened<T> { T get(); }
class OpenedSpecial implements Opened<Special> { public Special get() { return null; } }
class Specials extends ArrayList<Special> { }

class Nested {
    <T> T each(Collection<? extends Opened<T>> all) { return null; }
    <T> T future(Collection<? extends Future<T>> all) { return null; }

    void nested(ExecutorService pool, List<OpenedSpecial> all, Set<? extends OpenedSpecial> some, List<CompletableFuture<Special>> futures, List<Making> jobs) throws Exception {
        each(all).more();                               // -> <generics.Nested: java.lang.Object each(java.util.Collection)>; <generics.Special: void more()>
        each(some).more();                              // -> <generics.Nested: java.lang.Object each(java.util.Collection)>; <generics.Special: void more()>
        future(futures).more();                         // -> <generics.Nested: java.lang.Object future(java.util.Collection)>; <generics.Special: void more()>
        pool.invokeAny(jobs).more();                    // -> <java.util.concurrent.ExecutorService: java.lang.Object invokeAny(java.util.Collection)>; <generics.Special: void more()>
    }
}

class Making implements Callable<Special> { public Special call() { return null; } }

class Bodies {
    <T> T first(Supplier<? extends List<T>> all) { return null; }
    <T> T open(Supplier<Opened<T>> box) { return null; }
    <T, R> R map(T t, Function<? super T, ? extends Opened<R>> f) { return null; }
    Specials specials() { return null; }

    void bodies() {
        first(() -> new Specials()).more();             // -> <generics.Bodies: java.lang.Object first(java.util.function.Supplier)>; <generics.Specials: void <init>()>; <generics.Special: void more()>
        first(this::specials).more();                   // -> <generics.Bodies: java.lang.Object first(java.util.function.Supplier)>; <generics.Bodies: generics.Specials specials()>; <generics.Special: void more()>
        open(() -> new OpenedSpecial()).more();         // -> <generics.Bodies: java.lang.Object open(java.util.function.Supplier)>; <generics.OpenedSpecial: void <init>()>; <generics.Special: void more()>
        open(OpenedSpecial::new).more();                // -> <generics.Bodies: java.lang.Object open(java.util.function.Supplier)>; <generics.OpenedSpecial: void <init>()>; <generics.Special: void more()>
        map("s", s -> new OpenedSpecial()).more();      // -> <generics.Bodies: java.lang.Object map(java.lang.Object,java.util.function.Function)>; <generics.OpenedSpecial: void <init>()>; <generics.Special: void more()>
    }
}
