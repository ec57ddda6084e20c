import java.util.Objects;

/** Null that other methods return, pass and check. */
class Calls {
    private static Item kept = new Item("");

    static Item unknown(Object any) {
        return any instanceof Item ? (Item) any : kept;
    }

    void all(boolean some, Item item) {
        find(some).name(); // found nullable-result
        Item a = find(some);
        if (a != null) {
            a.name();
        }
        show(null);
        show(item);
        careful(null);
        Item b = find(some);
        Objects.requireNonNull(b);
        b.name();
        Item c = find(some);
        check(c);
        c.name();
        Item e = find(some);
        require(e != null, "e");
        e.name();
        Item f = find(some);
        refuse(f == null);
        f.name();
        Item g = find(item == null);
        require(g == null, "g");
        g.name(); // found nullable-result
        Item h = find(item != null);
        require(h != null || some, "h");
        h.name(); // found nullable-result
        Item d = find(some);
        if (isThere(d)) {
            d.name();
        }
        through(item).name();
        through(null);
        Item e = Objects.requireNonNull(find(some));
        e.name();
        if (item() != null) {
            item().name();
        }
    }

    private Item item() {
        return kept.next == kept ? null : kept;
    }

    private static Item find(boolean some) {
        if (some) {
            return null;
        }
        return kept;
    }

    private static void show(Item item) {
        item.name(); // found nullable-argument
    }

    private static void careful(Item item) {
        if (item == null) {
            return;
        }
        item.name();
    }

    private static void check(Item item) {
        if (item == null) {
            throw new IllegalArgumentException();
        }
    }

    private static void require(boolean ok, String what) {
        if (!ok) {
            throw new IllegalArgumentException(what);
        }
    }

    private static void refuse(boolean bad) {
        require(!bad, "");
    }

    private static boolean isThere(Item item) {
        return item != null;
    }

    private static Item through(Item item) {
        return item;
    }
}
