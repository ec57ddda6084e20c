package checks;

/** What a call that returns, or that says so, tells of its arguments. */
public class Checks {
    static void positive(int number) {
        if (number <= 0) {
            throw new IllegalArgumentException();
        }
    }

    static void digit(int number) {
        positive(number + 1);
        check(number < 10, "too large");
        check(number >= 0, "negative");
    }

    static void check(boolean ok, String message) {
        if (!ok) {
            throw new IllegalArgumentException(message);
        }
    }

    static boolean between(int number, int low, int high) {
        return number >= 2 && number <= 20;
    }

    static boolean large(long number) {
        if (number < 100L) {
            return false;
        }
        return true;
    }

    static boolean never(int number) {
        return number > 5 && number < 3;    // unreachable by intervals
    }

    static void perhaps(int number, boolean strict) {
        if (strict) {
            positive(number);
        }
    }

    static int again(int depth, int number) {
        if (depth == 0) {
            positive(number);
            return number;
        }
        return again(depth - 1, number);
    }

    public static void main(String[] args) {
        int[] given = {args.length, -args.length, args.length * 7 - 9, args.length * 60};
        for (int each : given) {
            try {
                of(each);
            } catch (IllegalArgumentException e) {
                System.out.println("Checks.java 0 refused 0");
            }
        }
    }

    static void of(int number) {
        int before = number;            // before is any; before in any
        perhaps(number, number > 7);
        int still = number;             // still is any; still in any
        if (between(number, 0, 1)) {
            int inside = number;        // inside in [2, 20]
            positive(number);
            int same = number;          // same in [2, 20]
        } else {
            int outside = number;       // outside is any; outside in any
        }
        if (!between(number, 0, 1) || number > 10) {
            int other = number;         // other is any; other in any
        } else {
            int low = number;           // low in [2, 10]
        }
        long wide = number;
        if (!large(wide)) {
            long small = wide;          // small in [-2147483648, 99]
        } else {
            long big = wide;            // big in [100, 2147483647]
        }
        if (never(number)) {
            int nothing = number;       // unreachable by intervals
        }
        check(number > -100 && number != 50, "small");
        int bounded = number;           // bounded in [-99, 2147483647]
        positive(number);
        int more = number;              // more in [1, 2147483647]
        int changed = number;
        changed = changed - 500;
        int fresh = changed;            // fresh in [-499, 2147483147]
        again(2, changed + 500);
        try {
            digit(number);
            int one = number;           // one in [1, 9]
        } catch (IllegalArgumentException e) {
            int any = number;           // any in [1, 2147483647]
        }
        check(between(number, 1, 2), "not between");
        int checked = number;           // checked in [2, 20]
    }
}
