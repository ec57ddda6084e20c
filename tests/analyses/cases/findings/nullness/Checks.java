/** Comparisons with null, and what they say. */
class Checks {
    void all(Object any, String[] args, boolean some) {
        Item a = Calls.unknown(any);
        if (a == null) {
            System.out.println(a.name()); // found null-dereference
        }
        guarded(Calls.unknown(any), some);
        forgotten(Calls.unknown(any));
        twice(Calls.unknown(any));
        shortCircuit(Calls.unknown(any), some);
        ternary(Calls.unknown(any));
        instance(any);
        late(Calls.unknown(any));
        named(Calls.unknown(any), some);
        asserted(some);
        exits(Calls.unknown(any));
        noCircuit(Calls.unknown(any));
    }

    void guarded(Item a, boolean some) {
        if (a == null) {
            return;
        }
        a.name();
        if (some && a.next != null) {
            a.next.name();
        }
        Item b = a;
        while (b.next != null) {
            b = b.next;
        }
        if (!(a.next == null)) {
            a.next.name();
        }
    }

    void forgotten(Item a) {
        if (a == null) {
            System.out.println("none");
        }
        a.name(); // found null-dereference-of-checked
        a.name();
    }

    void twice(Item a) {
        if (a != null) {
            a.name();
        }
        if (a == null) {
            a = new Item("");
        }
        a.name();
    }

    void shortCircuit(Item a, boolean some) {
        if (a != null && a.name() != null || some) {
            a.name(); // not found: only if `some`, which may go with it
        }
        if (a == null || a.name == null) {
            return;
        }
        a.name.length();
    }

    void noCircuit(Item a) {
        if (a != null & a.name() != null) {
            a.name();
        }
    }

    void ternary(Item a) {
        String name = a == null ? "none" : a.name();
        String other = a != null ? "none" : a.name(); // found null-dereference
    }

    void instance(Object any) {
        Object a = any == this ? null : any;
        if (a instanceof Item item) {
            item.name();
            a.hashCode();
        }
        if (!(a instanceof String)) {
            return;
        }
        a.hashCode();
    }

    void late(Item a) {
        a.name();
        if (a != null) { // found check-after-dereference
            a.name();
        }
    }

    void named(Item a, boolean some) {
        boolean has = a != null;
        if (has) {
            a.name();
        }
        boolean both = a != null && some;
        if (both) {
            a.name();
        }
        if (java.util.Objects.isNull(a)) {
            return;
        }
        a.name();
    }

    void asserted(boolean some) {
        Item a = some ? new Item("") : null;
        assert a != null;
        a.name();
    }

    void exits(Item a) {
        if (a == null) {
            usage();
        }
        a.name();
        Item b = a.next;
        if (b == null) {
            System.exit(1);
        }
        b.name();
    }

    private static void usage() {
        throw new IllegalStateException();
    }
}
