package bounds;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Conditions on the sizes of texts and collections. */
public class Sizes {
    static final String PREFIX = "";
    static final List<String> EXTRA = List.of();
    private final List<String> neverFilled = new ArrayList<>();
    private final List<String> filled = new ArrayList<>();
    private List<String> shown = new ArrayList<>();

    static int texts(String text, char c) {
        int sum = 0;
        String pair = c + ":", longer = pair + text;
        if (pair.length() > 2) { // found constant-condition
            sum++;
        }
        if (longer.isEmpty()) { // found constant-condition
            sum++;
        }
        if (longer.length() > 2) {
            sum++;
        }
        if (text.indexOf(c) < -1) { // found constant-condition
            sum++;
        }
        if (text.indexOf(c) == -1) {
            sum++;
        }
        if (PREFIX.isEmpty() || EXTRA.isEmpty()) {
            sum++;
        }
        if (text.length() < 0) { // found constant-condition
            sum++;
        }
        return sum;
    }

    static int tested(String key) {
        String text = System.getProperty(key);
        if (text.isEmpty()) {
            return 0;
        }
        if (text.length() == 0) { // found constant-condition
            return 1;
        }
        text = System.getProperty(text);
        return text.isEmpty() ? 2 : 3;
    }

    static int testedAgain(String text, int other) {
        int length = text.length();
        if (length > 0) {
            if (other >= 0 && other < length) {
                return length > 0 ? 1 : 2; // found constant-condition
            }
        }
        return 0;
    }

    static boolean sameTexts(String key) {
        String text = key + "a", other = key + "ab";
        return text == other || text.equals(other);
    }

    static int switched(String key) {
        String text = key.isEmpty() ? "a" : "b";
        switch (text) {
            case "a":
                return text.length() > 3 ? 0 : 1; // found constant-condition
            case "c":
                return 2;
            default:
                return 3;
        }
    }

    public static int chosen(String text) {
        return text.length() > 2 ? 1 : 0;
    }

    static boolean nothing(List<String> list) {
        return list.isEmpty();
    }

    /** Others may give more. */
    public List<String> hook() {
        return Collections.emptyList();
    }

    public String name() {
        return "";
    }

    int members() {
        int sum = 0;
        if (!neverFilled.isEmpty()) { // found constant-condition
            sum++;
        }
        if (!filled.isEmpty()) {
            sum++;
        }
        if (!shown.isEmpty()) {
            sum++;
        }
        if (hook().size() > 0 || !name().isEmpty()) {
            sum++;
        }
        filled.add("a");
        return sum;
    }

    static boolean keys(String key) {
        ConcurrentHashMap<String, Boolean> seen = new ConcurrentHashMap<>();
        seen.keySet(true).add(key);
        if (seen.isEmpty()) {
            return false;
        }
        return key.isEmpty();
    }

    List<String> shown() {
        return shown;
    }

    public static void main(String[] args) {
        Sizes sizes = new Sizes();
        sizes.shown().add("a");
        System.out.println(texts(args[0], 'c') + tested(args[0]) + switched(args[0]) + chosen("a") + sizes.members() + testedAgain(args[0], 1));
        System.out.println(sameTexts(args[0]) || nothing(Collections.emptyList()) || keys(args[0]));
    }
}
