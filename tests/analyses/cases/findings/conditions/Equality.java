package bounds;

import java.util.*;

public class Equality {
    enum Colour { RED, GREEN }

    static boolean differ(String text, Integer number, Long big, StringBuilder builder, List<String> list, Colour colour) {
        return text.equals(number) // found impossible-equals
            || big.equals(0) // found impossible-equals
            || text.equals(builder) // found impossible-equals
            || text.equals(list) // found impossible-equals
            || text.equals(colour) // found impossible-equals
            || colour.equals(text) // found impossible-equals
            || Objects.equals(number, text); // found impossible-equals
    }

    static <T> boolean maySo(String text, Object any, CharSequence signs, T other, Comparable<String> ordered, Integer number) {
        return text.equals(any)
            || any.equals(text)
            || text.equals(signs)
            || text.equals(other)
            || text.equals(ordered)
            || number.equals(3)
            || Objects.equals(text, any)
            || text.equals(null);
    }

    static boolean openly(List<String> list, Set<String> set, Date date, java.sql.Timestamp time) {
        return list.equals(set) || date.equals(time) || list.equals("a");
    }

    public static void main(String[] args) {
        differ(args[0], 1, 2L, new StringBuilder(), List.of(args), Colour.RED);
        maySo(args[0], args, args[0], args[0], args[0], 3);
        openly(List.of(args), Set.of(args), new Date(), new java.sql.Timestamp(1L));
    }

    enum Format {
        FIRST(1), SECOND(2);

        private final int code;

        Format(int code) {
            this.code = code;
        }

        boolean equals(int value) {
            return value == code;
        }
    }

    public static boolean codes(int code, Integer boxed) {
        return Format.FIRST.equals(code) || Format.SECOND.equals("SECOND"); // found impossible-equals
    }
}
