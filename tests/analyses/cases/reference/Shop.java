package shop;

import static java.lang.Math.*;
import static java.lang.Math.max;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.*;
import module java.sql;
import module acme.prices;

/** What the page of reference shows rows of: every construct once. */
public class Shop {
    static int opened;
    static Shop last;
    private final List<Item> items = new ArrayList<>();
    private Item[] shelf = {null, new Item("tea", 3)};
    private int[] sizes = {1, 2};
    private String name;
    private Object note;

    Shop(String name) {
        this.name = name;
        opened = opened + 1;
    }

    public static void main(String[] args) {
        Shop shop = new Shop("corner");
        shop.add(new Item("salt", 2));
        shop.add(new Item("bread", 3) {
            @Override
            int price() {
                return super.price() + super.bonus;
            }
        });
        Counter counter = shop.new Counter();
        counter.count = args.length;
        Object first = shop.first();
        if (first instanceof Item(String label, int price)) {
            System.out.println(label + price);
        }
        first = shop.note;
        System.out.println(first);
        shop.items.add(null);
        boolean debug = false;
        if (debug) {
            shop.report(System.err);
        }
        last = shop;
        Missing.load(shop);
        shop.named(args[0]);
    }

    boolean sold(Object what, Item kept) {
        if (what == kept) {
            return items.contains(what);
        }
        if (what.getClass() == Item.class) {
            return items.remove(what);
        }
        return what instanceof Shop ? what.equals(last) : items.contains(what);
    }

    Object named(String kind) {
        try {
            return Class.forName(kind);
        } catch (ClassNotFoundException unknown) {
            return last;
        }
    }

    @Deprecated(since = "2")
    void add(Item item) throws IllegalArgumentException {
        items.add(item);
        shelf[opened] = item;
        shelf[0] = item;
        opened++;
        Shop.opened = -opened;
    }

    Item first() {
        Item item = items.get(0);
        return item != null ? item : (Item) shelf[0];
    }

    <T extends Comparable<T>> T best(List<? extends T> all, Function<T, Supplier<T>> choose) {
        T best = null;
        for (var each : all) {
            if (best == null || each.compareTo(best) > 0) {
                best = choose.apply(each).get();
            }
        }
        return this.<T>same(best);
    }

    <T> T same(T value) {
        return value;
    }

    void report(PrintStream out) {
        Supplier<String> heading = () -> name;
        Function<Item, String> line = Item::label;
        Object kind = Item.class;
        int[] copy = new int[sizes.length];
        int[] few = new int[2];
        synchronized (this) {
            for (int size : sizes) {
                switch (size) {
                    case 1:
                        copy[0] = abs(size);
                        break;
                    default:
                        copy[1] = max(size, 2);
                }
            }
        }
        class Local {
            void print() {
                out.println(heading.get() + line.apply(shelf[1]) + kind + few[0]);
            }
        }
        try {
            new Local().print();
        } catch (IllegalStateException problem) {
            throw new RuntimeException(problem);
        }
    }

    class Counter {
        int count;

        int next() {
            return count + Shop.this.sizes[0] + Missing.limit(count);
        }
    }

    class Slow extends Counter {
        class Part extends Counter {
            Part(Shop other) {
                other.super();
            }

            void reset() {
                count = 0;
                count += 1;
            }
        }
    }
}

record Item(String label, int price) {
    static int bonus = 1;
}

enum Kind {
    FOOD, DRINK
}

@interface Note {
    String[] value() default {};
}
