@interface Nullable {}
@interface NonNull {}

/** Declarations that say what may be null. */
class Annotations {
    @Nullable Item kept;
    @NonNull Item sure = new Item("");

    void all(Item item) {
        take(item);
        sure(item);
        sure(null); // found null-for-nonnull
        Item a = find(item);
        a.name(); // found nullable-result
        kept = item;
        kept.name();
        later();
        give(item).name();
        several(item, null);
        array(new Item[] {item});
    }

    void several(@Nullable Item... items) {
        System.out.println(items.length);
    }

    void array(@Nullable Item[] items) {
        System.out.println(items.length); // found nullable-annotated
    }

    void take(@Nullable Item item) {
        item.name(); // found nullable-annotated
    }

    void later() {
        kept.name(); // found nullable-annotated
        if (kept != null) {
            kept.name();
        }
    }

    void sure(@NonNull Item item) {
        item.name();
    }

    @Nullable
    Item find(Item item) {
        return item;
    }

    @NonNull
    Item give(Item item) {
        return item == kept ? null : item; // found null-for-nonnull
    }
}
