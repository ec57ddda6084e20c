/** What is asked twice, and what is stored and checked at once. */
class Again {
    @Nullable Item kept;
    Item made;

    void all(Again other) {
        if (self().found() != null) {
            self().found().name();
        }
        if (self().found() != null) {
            other.found().name(); // found nullable-result
        }
        if (self().found() == null) {
            System.out.println(other.self().found().name()); // found nullable-result
        }
        if (other.found() instanceof Item) {
            other.found().name();
        }
        if (!(other.found() instanceof Item)) {
            self().found().name(); // found nullable-result
        }
        stored();
        storedBefore();
        told(other);
    }

    void stored() {
        if ((kept = found()) != null) {
            kept.name();
        }
        if ((kept = found()) == null) {
            System.out.println("none");
        }
        kept.name(); // found nullable-result
    }

    void storedBefore() {
        Item item = found();
        kept = item;
        if (item != null) {
            kept.name();
        }
        kept = new Item("k");
        if (item == null) {
            kept.name();
        }
    }

    void told(Again other) {
        if (hasKept()) {
            kept.name();
        }
        if (other.hasName("a")) {
            other.kept.name();
        }
        if (!other.lacks()) {
            other.kept.name();
        }
        if (other.lacks()) {
            other.kept.name(); // found nullable-annotated
        }
        if (other.hasName("b")) {
            kept.name(); // found nullable-annotated
        }
    }

    int environment(String name) {
        if (System.getenv("USER") != null && System.getenv("HOME") != null) {
            String user = System.getenv("USER");
            return user.length() + System.getenv("HOME").length();
        }
        if (System.getenv(name) != null) {
            return System.getenv("SHELL").length(); // found nullable-result
        }
        return Again.of(name) == null ? 0 : Again.of(name).length();
    }

    static String of(String name) {
        return name.isEmpty() ? null : System.getProperty(name);
    }

    boolean hasKept() {
        return kept != null;
    }

    boolean hasName(String name) {
        return kept != null && kept.name().equals(name);
    }

    boolean lacks() {
        return kept == null;
    }

    Again self() {
        return this;
    }

    @Nullable
    Item found() {
        return made;
    }
}
