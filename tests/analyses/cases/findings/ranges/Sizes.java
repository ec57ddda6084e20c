import java.util.*;

/** Indexes of texts and collections whose size is known, and of those whose size is not. */
class Sizes {
    static final String NAME = "ab" + "cd";
    private static final List<String> NEVER_FILLED = new ArrayList<>();
    private static final List<String> FILLED = new ArrayList<>();
    private final List<String> given = new ArrayList<>();
    private final Map<String, List<String>> shown = new HashMap<>();

    static int constants(String[] args) {
        int sum = "abc".charAt(2) + "abc".charAt(3); // found index-out-of-bounds-always
        sum += NAME.substring(4).length();
        sum += NAME.substring(5).length(); // found index-out-of-bounds-always
        sum += args[0].substring(3, 2).length(); // found index-out-of-bounds-always
        sum += args[0].substring(2, 3).charAt(1); // found index-out-of-bounds-always
        sum += String.valueOf('c').charAt(1); // found index-out-of-bounds-always
        sum += "  ab ".trim().charAt(5); // found index-out-of-bounds-always
        sum += "  ab ".trim().charAt(4);
        sum += "ab".repeat(2).charAt(3) + "ab".repeat(2).charAt(4); // found index-out-of-bounds-always
        String sign = args.length > 1 ? "+" : "--";
        return sum + sign.charAt(1) + sign.charAt(2); // found index-out-of-bounds-always
    }

    static int joined(char c, String other) {
        String text = c + "=";
        String longer = text + other;
        return text.charAt(1) + text.charAt(2) + longer.charAt(7); // found index-out-of-bounds-always
    }

    static String changed(String text) {
        String s = "a";
        s += text;
        return s.substring(4);
    }

    static char tested(String text) {
        if (text.isEmpty()) {
            return text.charAt(0); // found index-out-of-bounds-always
        }
        if (text.length() < 3) {
            return text.charAt(2); // found index-out-of-bounds-always
        }
        return text.charAt(2);
    }

    static char replaced(String text, String other) {
        if (text.isEmpty()) {
            text = other;
        }
        return text.charAt(0);
    }

    static char emptyOnOneWay(String text) {
        if (text.length() == 0) {
            System.out.println("empty");
        }
        return text.charAt(0);
    }

    static char missing(String text) {
        int at = text.indexOf(':');
        if (at < 0) {
            return text.charAt(at); // found index-out-of-bounds-always
        }
        return text.charAt(at);
    }

    static char input(String text) {
        int n = Integer.parseInt(text);
        if (n < 0 || n > 4) {
            return ' ';
        }
        return n < 4 ? "abcd".charAt(n) : "abcd".charAt(n); // found index-out-of-bounds-always
    }

    static char inputUpTo(String text) {
        int n = Integer.parseInt(text);
        return n >= 0 && n <= 4 ? "abcd".charAt(n) : ' '; // found index-out-of-bounds
    }

    static String inputFrom(String text) {
        int n = Integer.parseInt(text);
        return n >= 0 && n <= 4 ? "abcd".substring(n) : "";
    }

    static int lists(String a) {
        List<String> pair = List.of(a, "b");
        String last = pair.get(1) + pair.get(2); // found index-out-of-bounds-always
        last += Arrays.asList(a, a, a).get(3); // found index-out-of-bounds-always
        last += Collections.emptyList().get(0); // found index-out-of-bounds-always
        last += Collections.unmodifiableList(pair).subList(1, 2);
        last += pair.subList(1, 3); // found index-out-of-bounds-always
        return last.length();
    }

    static int arrays(String[] some) {
        List<String> all = Arrays.asList(some);
        return all.get(3).length();
    }

    static String neverFilled() {
        List<String> own = new ArrayList<>();
        String s = own.get(0) + NEVER_FILLED.get(0); // found index-out-of-bounds-always, index-out-of-bounds-always
        s += FILLED.get(0);
        FILLED.add(s);
        return s;
    }

    static String filledElsewhere() {
        List<String> passed = new ArrayList<>(), copied = new LinkedList<>(), captured = new ArrayList<>();
        Collections.addAll(passed, "a", "b");
        List<String> same = copied;
        same.add("c");
        Runnable fills = () -> captured.add("d");
        fills.run();
        return passed.get(1) + copied.get(0) + captured.get(0);
    }

    List<String> given() {
        return given;
    }

    String first() {
        return given.get(0);
    }

    static int average(int sum) {
        Set<String> none = new HashSet<>();
        return sum / none.size() + sum / List.of(1, 2).size(); // found division-by-zero-always
    }

    static char builder(CharSequence text, StringBuilder all) {
        CharSequence same = text == null ? "a" : all;
        if (same.length() == 0) {
            all.append("b");
            return same.charAt(0);
        }
        return same.charAt(1);
    }

    static String part(List<String> list) {
        List<String> two = list.subList(0, 2);
        two.add("c");
        return two.get(2);
    }

    static char twoTexts(String text, int at) {
        return text.charAt(at) == 'a' ? text.charAt(2) : ' ';
    }

    public static void main(String[] args) {
        int sum = constants(args) + joined('c', args[0]) + changed(args[0]).length() + tested(args[0]);
        sum += replaced(args[0], args[1]) + emptyOnOneWay(args[0]) + missing(args[0]) + input(args[0]);
        sum += inputUpTo(args[0]) + inputFrom(args[0]).length() + lists(args[0]) + arrays(args) + average(3);
        sum += neverFilled().length() + filledElsewhere().length();
        Sizes sizes = new Sizes();
        sizes.given().add("a");
        sizes.shown.put("a", sizes.given);
        sum += twoTexts("ab", 1) + twoTexts("abc", 2);
        System.out.println(builder(args[0], new StringBuilder()) + part(new ArrayList<>(List.of("a", "b"))));
        System.out.println(sum + sizes.first() + sizes.shown.get("a").get(0));
    }
}
