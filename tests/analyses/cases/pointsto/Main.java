package shop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

class Item {
    Object content;
    Item next;
    Object get() { return content; }
    void set(Object o) { this.content = o; }
}

class Special extends Item {
    static Object last = new Item();
    Object get() { last = super.get(); return last; }
}

interface Maker { Object make(Object seed); }

interface Greeter {
    default Object greet() { return name(); }
    Object name();
}

class Polite implements Greeter {
    public Object name() { return "polite"; }
}

class Oops extends RuntimeException {
    Object cause;
    Oops(Object cause) { this.cause = cause; }
}

abstract class Shape implements Comparable<Shape> {
    abstract Object area();
    public int compareTo(Shape other) { return 0; }
}

class Square extends Shape {
    Object area() { return "square"; }
}

class Never {
    void never() { Object n = new Never(); }    // n = {}
}

public class Main {
    Item head;
    static Item global = new Item();

    public static void main(String[] args) {
        Item a = new Item();            // a = {Item@55}
        Item b = new Special();         // b = {Special@56}
        a.set("one");
        b.set(new Object());
        Object x = a.get();             // x = {opaque java.lang.String}
        Object y = b.get();             // y = {opaque java.lang.String, Object@58, Item@17}
        a.next = b;
        Object z = a.next.content;      // z = {Object@58}
        Item w = b.next;                // w = {}
        Item g = global;                // g = {Item@52}
        Object s = Special.last;        // s = {Item@17, opaque java.lang.String, Object@58}
        Object[] array = {a, "two"};
        Object e = array[0];            // e = {Item@55, opaque java.lang.String}
        Item c = (Item) e;              // c = {Item@55}
        String t = "a" + args.length;   // t = {opaque java.lang.String}
        new Main().instance(b);
        lambdas(); Far.run();
        exceptions();
        library();
        varargs("v", a, b);
    }

    void instance(Item item) {
        head = item;
        Inner inner = new Inner();
        Object h = inner.head();        // h = {Special@56}
        Item anonymous = new Item() {
            Object get() { return head; }
        };
        Object k = anonymous.get();     // k = {Special@56}
    }

    class Inner {
        Item head() { return head; }
    }

    static void lambdas() {
        Object captured = new Object();
        Maker first = seed -> captured;
        Maker second = seed -> seed;
        Maker third = Main::wrap;
        Supplier<Item> fourth = Item::new;
        Object p = first.make("seed");  // p = {Object@92}
        Object q = second.make("seed"); // q = {opaque java.lang.String}
        Object r = third.make("wrapped");       // r = {Object[]@105}
        Item n = fourth.get();          // n = {reference@96/object}
        Object m = new Polite().greet();        // m = {opaque java.lang.String}
    }

    static Object wrap(Object o) {
        return new Object[] {o};
    }

    static void exceptions() {
        try {
            fail(new Item());
        } catch (Oops oops) {
            Object why = oops.cause;    // why = {Item@110}
        } catch (IllegalStateException other) {
            Object o = other;           // o = {opaque java.lang.IllegalStateException}
        }
    }

    static void fail(Object o) {
        throw new Oops(o);
    }

    static void library() {
        List<Shape> shapes = new ArrayList<>();
        shapes.add(new Square());
        Shape shape = shapes.get(0);    // shape = {Square@124}
        Object area = shape.area();     // area = {opaque java.lang.String}
        Object size = shapes.get(1).toString();         // size = {opaque java.lang.String}
        shapes.sort(new Comparator<Shape>() {
            public int compare(Shape one, Shape two) {
                Shape o = one;          // o = {Square@124}
                return 0;
            }
        });
        Function<Object, Object> call = v -> { Object i = v; return i; };       // i = {Square@124}
        shapes.stream().map(call);
    }

    static void varargs(String text, Object... rest) {
        Object v = rest[0];             // v = {Item@55, Special@56}
        Object all = rest;              // all = {call varargs@74/varargs}
    }
}

class Far {
    static void run() {
        try {
            middle();
        } catch (Oops far) {
            Object same = far;          // same = {opaque shop.Oops}
            Object why = far.cause;     // why = {Item@110, opaque java.lang.String}
        } catch (RuntimeException other) {
            Object none = other;        // none = {opaque java.lang.RuntimeException}
        }
    }

    static void middle() {
        deep();
    }

    static void deep() {
        throw new Oops("far");
    }
}
