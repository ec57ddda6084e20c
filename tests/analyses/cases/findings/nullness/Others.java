import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/** Calls that may run a method of the library beside one of the project that returns null. */
class Others {
    void all(Item item) {
        List<Item> some = new ArrayList<>();
        some.add(item);
        first(some);
        first(new Empty());
        only(new Empty());
    }

    void first(List<Item> items) {
        items.get(0).name();
    }

    void only(List<Item> items) {
        items.get(0).name(); // found nullable-result
    }

    static class Empty extends AbstractList<Item> {
        @Override
        public Item get(int index) {
            return null;
        }

        @Override
        public int size() {
            return 0;
        }
    }
}
