package effects;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

@interface Pure {
}

@interface Contract {
    boolean pure() default false;
}

public class Effects {
    private static int created;
    private static Effects last;
    private final List<String> names = new ArrayList<>();
    private int count;
    private int seen;
    private String text;
    int[] cells = new int[3];

    public static void main(String[] args) throws Exception {
        Effects e = new Effects();
        Effects f = Effects.made(3);
        e.sum(new int[] {1, 2}); // found dropped-result
        e.size(); // found dropped-result
        e.plus(1, 2); // found dropped-result
        e.sorted();
        e.clear();
        e.next();
        e.wrapped().set(e);
        e.rename(f);
        e.swap(f.cells);
        e.announce();
        e.now();
        e.tally(new ArrayList<>()); // found dropped-result
        e.firstOf(e.names); // found dropped-result
        Map<String, Box> boxes = new HashMap<>();
        boxes.put("a", new Box());
        e.lookups(boxes);
        e.each(e.names);
        e.counted(e.names); // found dropped-result
        e.captured(); // found dropped-result
        Effects.remember(e);
        e.keep(new Box());
        e.same(f); // found dropped-result
        e.boxed(f);
        e.lengths(e.names); // found dropped-result
        e.printed(e.names);
        e.failing(args.length);
        e.mapped(s -> s.length());
        e.mapped(s -> e.next());
        e.asserted(args.length);
        e.viewed(new HashMap<>());
        e.held().touch();
        e.text();
        e.total(1, 2, 3); // found dropped-result
        e.filled(new int[2], new int[3]);
        e.bound();
        e.first(e.sorted(), args.length); // found dropped-result
        new Point(1, 2).hashCode();
        System.out.println(e + " " + e.hashCode() + e.equals(f) + new Key(1).compareTo(new Key(2)) + new Counted() + new Logged());
        Key key = new Key(1);
        key.toString();
        new Counted().toString(); // found dropped-result
        new Logged().toString();
        new Listed().toString();
        System.out.println(new Hashed().hashCode());
        e.toString();
        e.drained(e.names);
        e.missing(e);
        e.copied(e); // found dropped-result
        try {
            e.plus(3, 4);
        } catch (RuntimeException thrown) {
            e.announce();
        }
    }

    int plus(int a, int b) { // purity pure
        return a + b;
    }

    int size() { // purity reads
        return count;
    }

    int sum(int[] numbers) { // purity reads
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    static Effects made(int count) { // purity fresh
        Effects e = new Effects();
        e.count = count;
        return e;
    }

    List<String> sorted() { // purity fresh
        List<String> sorted = new ArrayList<>(names);
        Collections.sort(sorted);
        return sorted;
    }

    int tally(List<Box> boxes) { // purity fresh
        List<Box> copy = new ArrayList<>();
        for (Box box : boxes) {
            copy.add(box);
        }
        copy.add(new Box());
        return copy.size();
    }

    String firstOf(List<String> list) { // purity fresh
        Iterator<String> iterator = list.iterator();
        return iterator.hasNext() ? iterator.next() : null;
    }

    void drained(List<String> list) { // purity impure: writes in parameter 0, writes parameter 0
        Iterator<String> iterator = list.iterator();
        iterator.next();
        iterator.remove();
    }

    void lookups(Map<String, Box> boxes) { // purity impure: writes in parameter 0
        Box box = boxes.get("a");
        box.item = null;
    }

    void viewed(Map<String, Box> boxes) { // purity impure: writes parameter 0
        boxes.keySet().clear();
    }

    @Pure
    void clear() { // purity impure: writes in receiver // found impure-annotated
        names.clear();
    }

    int next() { // purity impure: writes receiver
        return ++count;
    }

    void swap(int[] array) { // purity impure: writes parameter 0
        int first = array[0];
        array[0] = array[1];
        array[1] = first;
    }

    Box wrapped() { // purity fresh
        Box box = new Box();
        box.set(this);
        return box;
    }

    void boxed(Effects other) { // purity impure: writes parameter 0
        Box box = new Box();
        box.set(other);
        ((Effects) box.item).next();
    }

    @Contract(pure = true)
    int same(Effects other) { // purity reads
        return other.count;
    }

    @Contract(pure = true)
    void rename(Effects other) { // purity impure: writes parameter 0 // found impure-annotated
        other.next();
    }

    void announce() { // purity impure: io
        System.out.println("made");
    }

    long now() { // purity reads
        return System.currentTimeMillis();
    }

    static void remember(Effects e) { // purity impure: writes static
        last = e;
        created++;
    }

    void keep(Box box) { // purity impure: writes parameter 0
        box.set(this);
    }

    void each(List<String> list) { // purity impure: writes receiver
        list.forEach(s -> count++);
    }

    int counted(List<String> list) { // purity fresh
        int[] n = new int[1];
        list.forEach(s -> n[0]++);
        return n[0];
    }

    int captured() { // purity fresh
        Box box = new Box();
        Supplier<Box> supplier = () -> {
            box.item = "x";
            return box;
        };
        supplier.get();
        return 1;
    }

    long lengths(List<String> list) { // purity reads
        return list.stream().map(String::length).count();
    }

    void printed(List<String> list) { // purity impure: io
        list.forEach(System.out::println);
    }

    void bound() { // purity impure: writes in receiver
        List<String> more = new ArrayList<>();
        more.forEach(names::add);
    }

    void failing(int n) throws IOException { // throws java.io.IOException
        if (n > 3) {
            throw new IOException("n");
        }
    }

    int mapped(Function<String, Integer> function) {
        return function.apply("a");
    }

    void asserted(int n) {
        assert n > 0 && size() >= 0 : "n is " + n;
        assert next() > 0; // found impure-assert
        boolean on = false;
        assert on = true;
        count = on ? 1 : 2;
    }

    Held held() { // purity fresh
        Held held = new Held();
        held.box.item = "a";
        return held;
    }

    String text() { // purity impure: writes receiver
        if (text == null) {
            text = "x" + count;
        }
        return text;
    }

    int total(int... numbers) { // purity reads
        return numbers[0];
    }

    void filled(int[]... arrays) { // purity impure: writes in parameter 0
        arrays[0][0] = 1;
    }

    String first(List<String> list, int n) { // purity reads
        return list.get(n);
    }

    Object missing(Effects other) { // purity unknown: unknown
        return elsewhere.Helper.find(other);
    }

    Effects copied(Effects other) { // purity fresh
        Effects copy = new Effects();
        copy.cells = other.cells.clone();
        copy.cells[0] = 7;
        return copy;
    }

    @Override
    public String toString() {
        if (text == null) {
            text = "e" + count;
        }
        return text;
    }

    @Override
    public int hashCode() { // found impure-query
        seen++;
        return count;
    }

    int seen() {
        return seen;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Effects && ((Effects) other).count == count;
    }
}

class Box {
    Object item;

    void set(Object item) { // purity impure: writes receiver
        this.item = item;
    }
}

class Held {
    final Box box;

    Held() { // purity fresh
        box = new Box();
        box.set("b");
    }

    void touch() { // purity impure: writes in receiver
        box.set("c");
    }
}

class Point {
    final int x;
    private int hash;

    Point(int x, int y) { // purity fresh
        this.x = x;
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            hash = x * 31;
        }
        return hash;
    }
}

class Key implements Comparable<Key> {
    private static int compared;
    private final int n;

    Key(int n) {
        this.n = n;
    }

    static int compared() {
        return compared;
    }

    @Override
    public int compareTo(Key other) { // found impure-query
        compared++;
        return n - other.n;
    }
}

class Counted {
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < 3; i++) {
            text.append(i);
        }
        return text.append("]").toString();
    }
}

class Logged {
    @Override
    public String toString() { // found impure-query
        System.out.println("asked");
        return "logged";
    }
}

/** A call computes once, and another class writes to a log. */
class Hashed {
    private static final java.util.logging.Logger LOG = java.util.logging.Logger.getLogger("hashed");
    private int hash;
    private boolean computed;

    private void compute() {
        computed = true;
        hash = 31;
    }

    @Override
    public int hashCode() {
        if (!computed) {
            compute();
            LOG.info("computed");
        }
        return hash;
    }
}

class Listed {
    private final List<String> lines = new ArrayList<>();

    @Override
    public String toString() { // found impure-query
        lines.add("asked");
        return lines.get(0);
    }
}
