@interface NullMarked {}

/** In it, what is not annotated is not null. */
@NullMarked
class Marked {
    void all(Item item) {
        sure(item);
        sure(null); // found null-for-nonnull
        maybe(null);
        same(null);
        several(item, null);
        severalOrNone((Item[]) null);
        several((Item[]) null); // found null-for-nonnull
    }

    void sure(Item item) {
        item.name();
    }

    void maybe(@Nullable Item item) {
        if (item != null) {
            item.name();
        }
    }

    void several(Item... items) {
        System.out.println(items.length);
    }

    void severalOrNone(@Nullable Item... items) {
        System.out.println(items == null);
    }

    <T> void same(T item) {
        System.out.println(item);
    }
}
