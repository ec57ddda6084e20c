package shop;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

public class Shop {
    private static final long serialVersionUID = 1L;
    private static final int CODE = 7;
    private final List<String> names = new ArrayList<>();
    private int written; // found unused-field
    private int counted;
    private volatile int updated;
    private static final AtomicIntegerFieldUpdater<Shop> UPDATER =
            AtomicIntegerFieldUpdater.newUpdater(Shop.class, "updated");

    public static void main(String[] args) throws java.io.IOException {
        Values.all(java.util.List.of(args), args.length);
        Shop shop = new Shop();
        new Starter();
        Forgotten.read(System.in, new byte[2]);
        Forgotten.delete(new java.io.File(args[0]), null);
        Forgotten.change(new ArrayList<>(), java.nio.file.Path.of("b"), args[0]);
        Parts.load();
        shop.add(args[0]);
        UPDATER.incrementAndGet(shop);
        Runnable task = () -> shop.later();
        task.run();
        new Thread(shop::referenced).start();
        System.out.println(shop.kind(args.length));
        Comparable<Item> item = new Item(); // found unused-variable
        List<Item> items = new ArrayList<>();
        items.add(new Item());
        java.util.Collections.sort(items);
    }

    void add(String name) {
        name.trim(); // found ignored-result
        String trimmed = name.trim();
        names.add(trimmed.toUpperCase());
        new BigDecimal("1").add(BigDecimal.ONE); // found ignored-result
        name.length();
        new StringBuilder().append(name);
        written = 3;
        counted += 1;
    }

    int kind(int code) {
        switch (code) {
            case CODE:
                return 1;
            default:
                return 0;
        }
    }

    private Object readResolve() {
        return resolved();
    }

    private Object resolved() {
        return this;
    }

    private Object resolve() { // found unused-method
        return this;
    }

    void later() {
    }

    void referenced() {
    }

    void forgotten() { // found unused-method
        new Thread() {
            @Override
            public void run() {
                alsoForgotten();
            }
        }.start();
        alsoForgotten();
    }

    private void alsoForgotten() { // found unused-method
    }

    @Deprecated
    void annotated() {
    }
}

class Item implements Comparable<Item> {
    public int compareTo(Item other) {
        return 0;
    }
}

class Lonely { // found unused-type
    void here() {
        new Inner().there();
    }

    class Inner {
        void there() {
        }
    }
}

class Constants {
    static int used = 3;
    static int size() { // found unused-method
        return used;
    }
}

class Reader {
    static final int ALL = Constants.used;
    int all() { // found unused-method
        return ALL;
    }
    static {
        System.out.println(ALL);
    }
}

class Starter {
    static {
        new Reader();
        new Quiet();
        new Gauge(4).register();
        System.out.println(Looked.class.getName());
    }
    @Given(by = Provider.class)
    int chosen(int code) {
        switch (code) {
            case Codes.FIRST:
                return 1;
            default:
                return 0;
        }
    }
}

final class Codes {
    static final int FIRST = 1;
    private Codes() {
    }
}

class Gauge {
    private final int limit;

    Gauge(int limit) {
        this.limit = limit;
    }

    void register() {
        missing.library.Registry.gauge("shop.limit", this, gauge -> 1.0 / gauge.limit);
    }
}

class Looked {
    private void hidden() {
    }
}

@SuppressWarnings("serial")
class Quiet {
    @SuppressWarnings("unchecked")
    static Object made() { // found unused-method
        return new Quiet();
    }

    static {
        System.out.println();
    }
}

@interface Given {
    Class<?> by();
}

class Provider {
    private Provider() {
    }
}
