import java.util.List;

/** What is annotated in an object that comes from elsewhere. */
class Inside {
    @Nullable Item kept;

    void all(List<Inside> some, Inside[] more) {
        Inside a = some.get(0);
        a.kept.name(); // found nullable-annotated
        Inside b = more[0];
        b.kept.name(); // found nullable-annotated
        for (Inside c : some) {
            if (c.kept != null) {
                c.kept.name();
            }
        }
        for (Inside d : some) {
            d.kept.name(); // found nullable-annotated
        }
        Inside e = some.get(1);
        e.kept = new Item("e");
        e.kept.name();
        new Within().inner();
        if (kept != null) {
            new Object() {
                void go() {
                    kept.name();
                }
            }.go();
        }
    }

    class Within {
        void inner() {
            kept.name(); // found nullable-annotated
            if (kept != null) {
                kept.name();
            }
        }
    }
}
