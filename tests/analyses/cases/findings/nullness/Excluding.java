import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Conditions that exclude each other, contracts, and null that is certain to be dereferenced. */
class Excluding {
    private @Nullable String[] words = new String[1];

    void all(boolean deep, Item a, String[] args) {
        List<Item> items = deep ? new ArrayList<>() : null;
        for (String arg : args) {
            if (deep) {
                items.add(new Item(arg));
            }
        }
        int weight = a != null ? 1 : 0;
        if (weight > 0) {
            a.name();
        }
        Item either = null;
        if (deep) {
            either = new Item("");
        }
        either.name(); // found null-dereference-on-path
        Item drawn = null;
        if (chance()) {
            drawn = new Item("");
        }
        if (chance()) {
            drawn.name(); // found null-dereference-on-path
        }
        words[0].length();
    }

    private static boolean chance() {
        return new Random().nextBoolean();
    }

    void results(Item given, Item made) {
        echo(new Item("")).name();
        echo(null).name(); // found nullable-result
        ofOthers(given).name();
        checked(given).name(); // found nullable-result
        if (checked(made) != null) {
            System.out.println(made);
        }
        nothing().name(); // found nullable-result
        fromLibrary().length(); // found nullable-result
    }

    /** Null for null, and for nothing else. */
    private static Item echo(Item item) {
        if (item == null) {
            return null;
        }
        return item.next == item ? item : new Item("");
    }

    /** Null by contract; nobody checks it. */
    private static Item ofOthers(Item item) {
        return item.name == "" ? null : item;
    }

    private static Item checked(Item item) {
        return item.name == "" ? null : item;
    }

    private static Item nothing() {
        return null;
    }

    private static String fromLibrary() {
        return System.getProperty("app.home");
    }
}

/** A parameter that is null in every call, and one that is not. */
class Given {
    private static boolean flag;

    void all(Item item) {
        flag = true;
        always(null);
        sometimes(null);
        sometimes(item);
    }

    private static void always(Item item) {
        if (flag) {
            item.name(); // found nullable-argument
        }
    }

    private static void sometimes(Item item) {
        if (flag) {
            item.name();
        }
    }
}
