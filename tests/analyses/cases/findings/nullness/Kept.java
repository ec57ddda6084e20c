import java.util.List;

/** Truth values of several parts that ask about fields, and loops over what a call gives. */
class Kept {
    @Nullable Item item;
    List<Kept> others = List.of();

    boolean isSet() {
        return this.item != null;
    }

    @Nullable Item item() {
        return item;
    }

    List<Kept> others() {
        return others;
    }

    Kept[] array() {
        return others.toArray(new Kept[0]);
    }

    void all(Kept that, boolean known) {
        item = known ? new Item("kept") : null;
        same(that);
        both(known);
        either(known);
        otherwise(known);
        loops();
    }

    /** As compilers of interfaces write it. */
    boolean same(Kept that) {
        boolean mine = true && this.isSet();
        boolean yours = true && that.isSet();
        if (mine || yours) {
            if (!(mine && yours)) {
                return false;
            }
            if (!this.item.name().equals(that.item.name())) {
                return false;
            }
        }
        return true;
    }

    void both(boolean known) {
        boolean asked = known && isSet();
        if (asked) {
            item.name();
        } else {
            item.name(); // found nullable-annotated
        }
    }

    void either(boolean known) {
        boolean asked = known || isSet();
        if (asked) {
            item.name(); // found nullable-annotated
        }
    }

    void otherwise(boolean known) {
        boolean lacking = known || !isSet();
        if (!lacking) {
            item.name();
        }
    }

    void loops() {
        for (Kept each : others()) {
            if (each.item() != null) {
                each.item().name();
            }
            each.item().name(); // found nullable-result
        }
        for (Kept each : array()) {
            if (each.item() != null) {
                each.item().name();
            }
        }
    }
}
