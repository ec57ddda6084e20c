package bounds;

import java.util.*;

/** Conditions that exclude each other whatever callers give, and counts that are never negative. */
public class Contradictions {
    public int both(int x) {
        if (x > 3 && x < 2) { // found constant-condition
            return 1;
        }
        return x == 4 && x == 5 ? 1 : 0; // found constant-condition
    }

    public int either(int x) {
        if (x != 3 || x != 2) { // found constant-condition
            return 1;
        }
        return x > 3 || x < 2 ? 1 : 0;
    }

    public int counts(List<String> list, String text, Map<String, String> map) {
        if (list.size() >= 0) { // found constant-condition
            System.out.println(list);
        }
        if (text.length() < 0 || map.size() > 0) { // found constant-condition
            return 2;
        }
        return text.indexOf('a') < 0 ? 3 : 4;
    }

    int chosen(int x) {
        return x > 3 ? 1 : 0;
    }

    public static void main(String[] args) {
        Contradictions made = new Contradictions();
        made.both(args.length);
        made.either(args.length + 1);
        made.counts(List.of(args), args[0], new HashMap<>());
        made.chosen(2);
    }
}
