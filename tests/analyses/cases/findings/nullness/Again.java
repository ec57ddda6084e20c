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

    Again self() {
        return this;
    }

    @Nullable
    Item found() {
        return made;
    }
}
