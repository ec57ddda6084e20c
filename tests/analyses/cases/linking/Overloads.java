package overloads;

import java.util.List;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.IntStream;
import java.util.stream.Stream;

interface Shape { }
class Circle implements Shape, Sized { public int size() { return 0; } }
class Square implements Shape { }
class Disc extends Circle { }

class Overloads extends Hashed {
    void f(int x) { }
    void f(long x) { }
    void f(double x) { }
    void f(Integer x) { }
    void f(Object x) { }
    void f(Object... x) { }

    void g(Shape s) { }
    void g(Circle c) { }
    void h(Object o) { }
    void h(String s) { }
    void v(String format, Object... rest) { }
    void v(String format) { }
    void a(int[] x) { }
    void a(Object x) { }
    void a(Object[] x) { }
    void c(char c) { }
    void c(int c) { }
    void w(long x, int y) { }
    void w(int x, long y) { }
    <T> T id(T t) { return t; }
    <T extends Shape> T shape(T t, Class<T> c) { return t; }

    void primitive(byte b, short s, char c, long l, float x, Integer boxed, Long other) {
        f(1);                   // -> <overloads.Overloads: void f(int)>
        f(b);                   // -> <overloads.Overloads: void f(int)>
        f(c);                   // -> <overloads.Overloads: void f(int)>
        f(l);                   // -> <overloads.Overloads: void f(long)>
        f(x);                   // -> <overloads.Overloads: void f(double)>
        f(boxed);               // -> <overloads.Overloads: void f(java.lang.Integer)>
        f(other);               // -> <overloads.Overloads: void f(java.lang.Object)>
        f("text");              // -> <overloads.Overloads: void f(java.lang.Object)>
        f();                    // -> <overloads.Overloads: void f(java.lang.Object[])>
        f(1, 2);                // -> <overloads.Overloads: void f(java.lang.Object[])>
        f(s + b);               // -> <overloads.Overloads: void f(int)>
        f(s + l);               // -> <overloads.Overloads: void f(long)>
        f(c + 1.0);             // -> <overloads.Overloads: void f(double)>
        f(boxed + 1);           // -> <overloads.Overloads: void f(int)>
        f(b == s);              // -> <overloads.Overloads: void f(java.lang.Object)>
        f(c << l);              // -> <overloads.Overloads: void f(int)>
        f((long) b);            // -> <overloads.Overloads: void f(long)>
        f(b > 0 ? b : l);       // -> <overloads.Overloads: void f(long)>
        w(b, l);                // -> <overloads.Overloads: void w(int,long)>
        c('x');                 // -> <overloads.Overloads: void c(char)>
        c('x' + 1);             // -> <overloads.Overloads: void c(int)>
    }

    void references(Shape s, Circle c, Disc d, String[] names, int[] numbers, boolean which) {
        g(s);                   // -> <overloads.Overloads: void g(overloads.Shape)>
        g(c);                   // -> <overloads.Overloads: void g(overloads.Circle)>
        g(d);                   // -> <overloads.Overloads: void g(overloads.Circle)>
        g(null);                // -> <overloads.Overloads: void g(overloads.Circle)>
        g(which ? c : d);       // -> <overloads.Overloads: void g(overloads.Circle)>
        g(which ? s : d);       // -> <overloads.Overloads: void g(overloads.Shape)>
        g(which ? null : s);    // -> <overloads.Overloads: void g(overloads.Shape)>
        h("a" + 1);             // -> <overloads.Overloads: void h(java.lang.String)>
        h(1 + "a");             // -> <overloads.Overloads: void h(java.lang.String)>
        h(new Disc());          // -> <overloads.Overloads: void h(java.lang.Object)>; <overloads.Disc: void <init>()>
        v("x");                 // -> <overloads.Overloads: void v(java.lang.String)>
        v("x", 1);              // -> <overloads.Overloads: void v(java.lang.String,java.lang.Object[])>
        v("x", s, d);           // -> <overloads.Overloads: void v(java.lang.String,java.lang.Object[])>
        v("x", names);          // -> <overloads.Overloads: void v(java.lang.String,java.lang.Object[])>
        a(names);               // -> <overloads.Overloads: void a(java.lang.Object[])>
        a(numbers);             // -> <overloads.Overloads: void a(int[])>
        a(names[0]);            // -> <overloads.Overloads: void a(java.lang.Object)>
        h(names.length);        // -> <overloads.Overloads: void h(java.lang.Object)>
        h(names.clone());       // -> <overloads.Overloads: void h(java.lang.Object)>; <java.lang.Object: java.lang.Object clone()>
        a(numbers.clone());     // -> <overloads.Overloads: void a(int[])>; <java.lang.Object: java.lang.Object clone()>
    }

    void generic(List<String> strings, List<? extends Circle> circles, ArrayList raw) {
        h(strings.get(0));      // -> <overloads.Overloads: void h(java.lang.String)>; <java.util.List: java.lang.Object get(int)>
        g(circles.get(0));      // -> <overloads.Overloads: void g(overloads.Circle)>; <java.util.List: java.lang.Object get(int)>
        h(raw.get(0));          // -> <overloads.Overloads: void h(java.lang.Object)>; <java.util.ArrayList: java.lang.Object get(int)>
        h(id("x"));             // -> <overloads.Overloads: void h(java.lang.String)>; <overloads.Overloads: java.lang.Object id(java.lang.Object)>
        f(id(1));               // -> <overloads.Overloads: void f(java.lang.Integer)>; <overloads.Overloads: java.lang.Object id(java.lang.Object)>
        g(shape(null, Circle.class));   // -> <overloads.Overloads: void g(overloads.Circle)>; <overloads.Overloads: overloads.Shape shape(overloads.Shape,java.lang.Class)>
        for (String each : strings) {
            h(each);            // -> <overloads.Overloads: void h(java.lang.String)>
        }
        for (Circle each : circles) {
            g(each);            // -> <overloads.Overloads: void g(overloads.Circle)>
        }
        h(strings.iterator().next().trim());    // -> <overloads.Overloads: void h(java.lang.String)>; <java.util.List: java.util.Iterator iterator()>; <java.util.Iterator: java.lang.Object next()>; <java.lang.String: java.lang.String trim()>
    }

    void when(Predicate<String> test) { }
    void when(Consumer<String> use) { }
    void act(Act act) { }
    void act(Count count) { }
    void only(Act act) { }
    int count(int i) { return i; }
    void use(String s) { }

    void bodies(ExecutorService pool) {
        when(s -> s.length() > 1);              // -> <overloads.Overloads: void when(java.util.function.Predicate)>; <java.lang.String: int length()>
        when(s -> { s.trim(); });               // -> <overloads.Overloads: void when(java.util.function.Consumer)>; <java.lang.String: java.lang.String trim()>
        when(s -> { return s.isEmpty(); });     // -> <overloads.Overloads: void when(java.util.function.Predicate)>; <java.lang.String: boolean isEmpty()>
        when(s -> { });                         // -> <overloads.Overloads: void when(java.util.function.Consumer)>
        act(i -> { f(i); });                    // -> <overloads.Overloads: void act(overloads.Act)>; <overloads.Overloads: void f(int)>
        act(i -> i + 1);                        // -> <overloads.Overloads: void act(overloads.Count)>
        only(i -> f(i));                        // -> <overloads.Overloads: void only(overloads.Act)>; <overloads.Overloads: void f(int)>
        only(i -> { throw null; });             // -> <overloads.Overloads: void only(overloads.Act)>
        pool.submit(() -> { f(1); });           // -> <java.util.concurrent.ExecutorService: java.util.concurrent.Future submit(java.lang.Runnable)>; <overloads.Overloads: void f(int)>
        pool.submit(() -> 1);                   // -> <java.util.concurrent.ExecutorService: java.util.concurrent.Future submit(java.util.concurrent.Callable)>
        pool.submit(() -> { throw null; });     // -> <java.util.concurrent.ExecutorService: java.util.concurrent.Future submit(java.util.concurrent.Callable)>
        pool.submit(() -> f(1));                // -> <java.util.concurrent.ExecutorService: java.util.concurrent.Future submit(java.lang.Runnable)>; <overloads.Overloads: void f(int)>
        pool.submit(() -> count(1));            // -> <java.util.concurrent.ExecutorService: java.util.concurrent.Future submit(java.util.concurrent.Callable)>; <overloads.Overloads: int count(int)>
        pool.submit(() -> new Circle());        // -> <java.util.concurrent.ExecutorService: java.util.concurrent.Future submit(java.util.concurrent.Callable)>; <overloads.Circle: void <init>()>
        when((String s) -> use(s));             // -> <overloads.Overloads: void when(java.util.function.Consumer)>; <overloads.Overloads: void use(java.lang.String)>
        when((String s) -> s.isEmpty());        // -> <overloads.Overloads: void when(java.util.function.Predicate)>; <java.lang.String: boolean isEmpty()>
    }

    void named(ExecutorService pool, Circle c, Square s, boolean first) throws Exception {
        act(this::count);                       // -> <overloads.Overloads: void act(overloads.Count)>; <overloads.Overloads: int count(int)>
        act(super::hashed);                     // -> <overloads.Overloads: void act(overloads.Count)>; <overloads.Hashed: int hashed(int)>
        only(this::count);                      // -> <overloads.Overloads: void only(overloads.Act)>; <overloads.Overloads: int count(int)>
        when(String::isEmpty);                  // -> <overloads.Overloads: void when(java.util.function.Predicate)>; <java.lang.String: boolean isEmpty()>
        when(this::use);                        // -> <overloads.Overloads: void when(java.util.function.Consumer)>; <overloads.Overloads: void use(java.lang.String)>
        pool.submit(pool::shutdown);            // -> <java.util.concurrent.ExecutorService: java.util.concurrent.Future submit(java.lang.Runnable)>; <java.util.concurrent.ExecutorService: void shutdown()>
        pool.submit(pool::isShutdown);          // -> <java.util.concurrent.ExecutorService: java.util.concurrent.Future submit(java.util.concurrent.Callable)>; <java.util.concurrent.ExecutorService: boolean isShutdown()>
        pool.submit(Circle::new);               // -> <java.util.concurrent.ExecutorService: java.util.concurrent.Future submit(java.util.concurrent.Callable)>; <overloads.Circle: void <init>()>
        Act declared = this::count;             // -> <overloads.Overloads: int count(int)>
        act(declared);                          // -> <overloads.Overloads: void act(overloads.Act)>
        act((Act) this::count);                 // -> <overloads.Overloads: void act(overloads.Act)>; <overloads.Overloads: int count(int)>
        Act block = i -> { throw null; };
        act(block);                             // -> <overloads.Overloads: void act(overloads.Act)>
        either(first ? "text" : c);             // -> <overloads.Overloads: void either(java.lang.Object)>
        either(first ? "text" : "other");       // -> <overloads.Overloads: void either(java.lang.String)>
        either(first ? c : s);                  // -> <overloads.Overloads: void either(overloads.Shape)>
        either(first ? null : c);               // -> <overloads.Overloads: void either(overloads.Circle)>
        either(first ? c : new Object());       // -> <overloads.Overloads: void either(java.lang.Object)>; <java.lang.Object: void <init>()>
    }

    void arities(List<Circle> all) {
        all.sort(Comparator.comparing(Circle::size).thenComparing(Sized::size)); // -> <java.util.List: void sort(java.util.Comparator)>; <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <overloads.Circle: int size()>; <java.util.Comparator: java.util.Comparator thenComparing(java.util.function.Function)>; <overloads.Sized: int size()>
        all.sort(Comparator.comparing(Circle::size).thenComparing(Sized::order)); // -> <java.util.List: void sort(java.util.Comparator)>; <java.util.Comparator: java.util.Comparator comparing(java.util.function.Function)>; <overloads.Circle: int size()>; <java.util.Comparator: java.util.Comparator thenComparing(java.util.Comparator)>; <overloads.Sized: int order(overloads.Sized,overloads.Sized)>
        make(Circle::new);                      // -> <overloads.Overloads: void make(java.util.function.Supplier)>; <overloads.Circle: void <init>()>
        make(Sized::twice);                     // -> <overloads.Overloads: void make(java.util.function.Function)>; <overloads.Sized: overloads.Circle twice(java.lang.String)>
        Stream.of("a").map(Overloads::packed).findFirst().get().isEmpty(); // -> <java.util.stream.Stream: java.util.stream.Stream of(java.lang.Object)>; <java.util.stream.Stream: java.util.stream.Stream map(java.util.function.Function)>; <overloads.Overloads: java.lang.String packed(java.lang.String[])>; <java.util.stream.Stream: java.util.Optional findFirst()>; <java.util.Optional: java.lang.Object get()>; <java.lang.String: boolean isEmpty()>
        Listed.of("a");                         // -> <overloads.Listed: void of(java.lang.String[])>
    }

    void make(Supplier<Circle> s) { }
    void make(Function<String, Circle> f) { }
    static String packed(String... all) { return ""; }

    void either(Object o) { }
    void either(String s) { }
    void either(Shape s) { }
    void either(Circle c) { }
    void either(Square s) { }
    void either(Byte b) { }
    void either(Double d) { }
}

interface Act { void act(int i); }
interface Count { int count(int i); }
class Hashed { int hashed(int i) { return i; } }
interface Sized {
    int size();
    static int order(Sized a, Sized b) { return 0; }
    static Circle twice(String s) { return null; }
}
abstract class Listed implements List<String> { static void of(String... all) { } }

interface Row<T> extends Iterable<T> { }
abstract class ShapeRow implements Row<Shape> { }
abstract class NameRow implements Row<String>, Shape { }
abstract class AnyRow<T> implements Row<T>, Shape { }
abstract class SizedRow<T extends Sized> implements Row<T>, Shape { }

/** Type arguments of a parameter that the argument's class does not have. */
class Contents {
    void all(Iterable<? extends Shape> shapes) { }
    void all(Shape shape, Shape... more) { }
    void kinds(AnyRow<Circle> circles) { }
    void kinds(Iterable<Square> squares) { }
    void kinds(Object other) { }
    <T> AnyRow<T> numbered(T number) { return null; }
    void made(Supplier<Shape> start) { }
    void made(Iterable<Shape> all) { }
    void any(Iterable<Shape> all) { }
    void any(String name) { }

    void contents(ShapeRow shapes, NameRow names, AnyRow<Shape> any, SizedRow<Circle> circles, AnyRow<Circle> some,
            AnyRow<Square> squares, Circle c) {
        all(shapes);            // -> <overloads.Contents: void all(java.lang.Iterable)>
        all(names);             // -> <overloads.Contents: void all(overloads.Shape,overloads.Shape[])>
        all(any);               // -> <overloads.Contents: void all(java.lang.Iterable)>
        all(circles);           // -> <overloads.Contents: void all(java.lang.Iterable)>
        all(c);                 // -> <overloads.Contents: void all(overloads.Shape,overloads.Shape[])>
        kinds(some);            // -> <overloads.Contents: void kinds(overloads.AnyRow)>
        kinds(squares);         // -> <overloads.Contents: void kinds(java.lang.Iterable)>
        kinds(numbered(1));     // -> <overloads.Contents: void kinds(java.lang.Object)>; <overloads.Contents: overloads.AnyRow numbered(java.lang.Object)>
        made(() -> c);          // -> <overloads.Contents: void made(java.util.function.Supplier)>
        any(() -> null);        // -> <overloads.Contents: void any(java.lang.Iterable)>
    }
}

class Letters {
    Letters(char[] letters) { }
    Letters(CharSequence letters) { }
    static Letters make(char[] letters) { return null; }
    static Letters make(CharSequence letters) { return null; }

    static Collector<Character, ?, Letters> made() {
        return Collector.of(() -> new StringBuilder(), (a, c) -> a.append(c), (a, b) -> a, Letters::make);  // -> <java.util.stream.Collector: java.util.stream.Collector of(java.util.function.Supplier,java.util.function.BiConsumer,java.util.function.BinaryOperator,java.util.function.Function,java.util.stream.Collector$Characteristics[])>; <java.lang.StringBuilder: void <init>()>; <java.lang.StringBuilder: java.lang.StringBuilder append(java.lang.Object)>; <overloads.Letters: overloads.Letters make(java.lang.CharSequence)>
    }

    static Collector<Character, ?, Letters> collected() {
        return Collector.of(StringBuilder::new, StringBuilder::append, (a, b) -> a, Letters::new);  // -> <java.util.stream.Collector: java.util.stream.Collector of(java.util.function.Supplier,java.util.function.BiConsumer,java.util.function.BinaryOperator,java.util.function.Function,java.util.stream.Collector$Characteristics[])>; <java.lang.StringBuilder: void <init>()>; <java.lang.StringBuilder: java.lang.StringBuilder append(java.lang.Object)>; <overloads.Letters: void <init>(java.lang.CharSequence)>
    }

    static String text(IntStream letters) {
        return letters.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();  // -> <java.util.stream.IntStream: java.lang.Object collect(java.util.function.Supplier,java.util.function.ObjIntConsumer,java.util.function.BiConsumer)>; <java.lang.StringBuilder: void <init>()>; <java.lang.StringBuilder: java.lang.StringBuilder appendCodePoint(int)>; <java.lang.StringBuilder: java.lang.StringBuilder append(java.lang.CharSequence)>; <java.lang.StringBuilder: java.lang.String toString()>
    }
}

/** Type arguments that are written tell what a method reference gets. */
interface Step<T, R> {
    R step(T t);
    static <T, R> Step<T, R> of(Step<T, R> step) { return step; }
    default void run() { }

    static void steps() {
        Step.<Circle, String>of(Step::name).run();      // -> <overloads.Step: overloads.Step of(overloads.Step)>; <overloads.Step: java.lang.String name(overloads.Circle)>; <overloads.Step: void run()>
    }
    static String name(char[] text) { return null; }
    static String name(Circle circle) { return null; }
}

/** The type arguments of the class around count in `this(…)`, those of the superclass in `super(…)`. */
class Ranked<T> implements Comparable<Ranked<T>> {
    public int compareTo(Ranked<T> other) { return 0; }
}
class Chosen<T> {
    Chosen(Comparator<? super Ranked<T>> order, int count) { }
    Chosen(int count) {
        this(Ranked::compareTo, count);         // -> <overloads.Chosen: void <init>(java.util.Comparator,int)>; <overloads.Ranked: int compareTo(overloads.Ranked)>
    }
}
class Best<T> extends Chosen<T> {
    Best() {
        super((a, b) -> a.compareTo(b), 1);     // -> <overloads.Chosen: void <init>(java.util.Comparator,int)>; <overloads.Ranked: int compareTo(overloads.Ranked)>
    }
}
