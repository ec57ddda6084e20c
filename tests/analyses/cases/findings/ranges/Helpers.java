import java.util.Objects;

/** Checks in methods that throw where an argument is bad, or that say whether it is. */
class Helpers {
    private static void checkDivisor(int divisor) {
        if (divisor == 0) {
            throw new ArithmeticException("zero");
        }
    }

    static void checkThrough(String name, int value) {
        System.out.println(name);
        checkDivisor(value);
    }

    static void check(boolean ok) {
        if (!ok) {
            throw new IllegalArgumentException();
        }
    }

    static void failIf(boolean bad, String message) {
        check(!bad);
    }

    static boolean isZero(int number) {
        return number == 0;
    }

    static boolean isDigit(int number) {
        return number >= 0 && number < 10;
    }

    static boolean isUsable(int number) {
        if (isZero(number)) {
            return false;
        }
        return number > -5;
    }

    static int positive(int number) {
        if (number <= 0) {
            throw new IllegalArgumentException();
        }
        return number;
    }

    static void warn(int number) {
        if (number == 0) {
            System.out.println("zero");
        }
    }

    static void notOne(int number) {
        if (number == 1) {
            throw new IllegalArgumentException();
        }
    }

    static void sometimes(int number, boolean strict) {
        if (strict) {
            checkDivisor(number);
        }
    }

    static void near(double number) {
        if (Math.abs(number) < 0.001) {
            throw new IllegalArgumentException();
        }
    }

    static void checkIndex(int index, int size) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException();
        }
    }

    static int direct(String text) {
        int n = Integer.parseInt(text);
        checkDivisor(n);
        return 100 / n;
    }

    static int through(String text) {
        int n = Integer.parseInt(text);
        checkThrough("n", n);
        return 100 / n;
    }

    static int before(String text) {
        int n = Integer.parseInt(text);
        int result = 100 / n; // found division-by-zero
        checkDivisor(n);
        return result;
    }

    static int assignedBehind(String text) {
        int n = Integer.parseInt(text);
        checkDivisor(n);
        n = Integer.parseInt(text + "0");
        return 100 / n; // found division-by-zero
    }

    static int onOneWay(String text, boolean some) {
        int n = Integer.parseInt(text);
        if (some) {
            checkDivisor(n);
        }
        return 100 / n; // found division-by-zero
    }

    static int onBothWays(String text, boolean some) {
        int n = Integer.parseInt(text);
        if (some) {
            checkDivisor(n);
        } else {
            check(n > 3);
        }
        return 100 / n;
    }

    static int caught(String text) {
        int n = Integer.parseInt(text);
        try {
            checkDivisor(n);
        } catch (ArithmeticException e) {
            System.out.println("none");
        }
        return 100 / n; // found division-by-zero
    }

    static int condition(String text) {
        int n = Integer.parseInt(text);
        check(n != 0);
        return 100 / n;
    }

    static int conditions(String text, int limit) {
        int n = Integer.parseInt(text);
        check(n > 0 && n < limit);
        return 100 / n;
    }

    static int oneOfTwo(String text, int limit) {
        int n = Integer.parseInt(text);
        check(n != 0 || limit > 3);
        return 100 / n; // found division-by-zero
    }

    static int negated(String text) {
        int n = Integer.parseInt(text);
        failIf(n == 0, "zero");
        return 100 / n;
    }

    static int wrongWay(String text) {
        int n = Integer.parseInt(text);
        failIf(n == 1, "one");
        return 100 / n; // found division-by-zero
    }

    static int asked(String text) {
        int n = Integer.parseInt(text);
        if (isZero(n)) {
            return 0;
        }
        return 100 / n;
    }

    static int askedWrongly(String text) {
        int n = Integer.parseInt(text);
        if (!isZero(n)) {
            return 0;
        }
        return 100 / n; // found division-by-zero-always
    }

    static int usable(String text) {
        int n = Integer.parseInt(text);
        return isUsable(n) ? 100 / n : 0;
    }

    static int askedInCheck(String text) {
        int n = Integer.parseInt(text);
        check(!isZero(n));
        return 100 / n;
    }

    static int digit(int[] names, String text) {
        int n = Integer.parseInt(text);
        if (isDigit(n)) {
            return new int[10][n].length + 7 / n; // found division-by-zero
        }
        return new int[10][n].length; // found negative-array-size
    }

    static int returned(String text) {
        return 100 / positive(Integer.parseInt(text));
    }

    static int warned(String text) {
        int n = Integer.parseInt(text);
        warn(n);
        return 100 / n; // found division-by-zero
    }

    static int other(String text) {
        int n = Integer.parseInt(text);
        notOne(n);
        return 100 / n; // found division-by-zero
    }

    static int perhaps(String text, boolean strict) {
        int n = Integer.parseInt(text);
        sometimes(n, strict);
        return 100 / n; // found division-by-zero
    }

    static int distance(String text) {
        double d = Double.parseDouble(text);
        near(d);
        return (int) (100.0 / d);
    }

    static int index(int[] values, String text) {
        int n = Integer.parseInt(text);
        checkIndex(n, values.length);
        return values[n];
    }

    static int unchecked(int[] values, String text) {
        int n = Integer.parseInt(text);
        checkDivisor(n);
        return values[n]; // found index-out-of-bounds
    }

    static int ofLibrary(int[] values, String text) {
        int n = Integer.parseInt(text);
        Objects.checkIndex(n, values.length);
        return values[n];
    }

    private static int buffers = 16;
    private static int[] buffer = new int[buffers];
    private int lines = 7;
    private final int[] counts = new int[lines];

    static int[] again() {
        return new int[buffers]; // found negative-array-size
    }

    @Override
    public int hashCode() {
        return lines * 31 + 1000000007 * lines;
    }

    private final int divisor;

    Helpers(int divisor) {
        checkDivisor(divisor);
        this.divisor = divisor;
    }

    int stored() {
        return 100 / divisor;
    }

    static void main(String[] args) {
        int[] values = new int[args.length];
        direct(args[0]);
        through(args[0]);
        before(args[0]);
        assignedBehind(args[0]);
        onOneWay(args[0], values.length > 1);
        onBothWays(args[0], values.length > 1);
        caught(args[0]);
        condition(args[0]);
        conditions(args[0], args.length);
        oneOfTwo(args[0], args.length);
        negated(args[0]);
        wrongWay(args[0]);
        asked(args[0]);
        askedWrongly(args[0]);
        usable(args[0]);
        askedInCheck(args[0]);
        digit(values, args[0]);
        returned(args[0]);
        warned(args[0]);
        other(args[0]);
        perhaps(args[0], values.length > 1);
        distance(args[0]);
        index(values, args[0]);
        unchecked(values, args[0]);
        ofLibrary(values, args[0]);
        Helpers helpers = new Helpers(Integer.parseInt(args[0]));
        helpers.stored();
        helpers.lines = Integer.parseInt(args[0]);
        System.out.println(helpers.hashCode() + helpers.counts.length + buffer.length);
        buffers = Integer.parseInt(args[0]);
        again();
    }
}
