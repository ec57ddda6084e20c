import java.util.*;

/** Divisors: zero for every run, for some input, or checked. */
class Divisors {
    static int parsed(String text) {
        int n = Integer.parseInt(text);
        return 100 / n; // found division-by-zero
    }

    static int remainder(Random random) {
        return 7 % random.nextInt(); // found division-by-zero
    }

    static int checked(String text) {
        int n = Integer.parseInt(text);
        return n != 0 ? 100 / n : 0;
    }

    static int positive(String text) {
        int n = Integer.parseInt(text);
        if (n <= 0) {
            throw new IllegalArgumentException(text);
        }
        return 100 / n;
    }

    static int always(int x) {
        int zero = 0;
        return x / zero; // found division-by-zero-always
    }

    static int unknown(int a, int b) {
        return a / b;
    }

    static int floating(String text) {
        float f = Float.parseFloat(text);
        return (int) (100.0 / f); // found division-by-zero
    }

    static double infinity(String text) {
        return 100.0 / Double.parseDouble(text);
    }

    static int nearZero(String text) {
        float f = Float.parseFloat(text);
        if (Math.abs(f) > 0.000001) {
            return (int) (100.0 / f);
        }
        return 0;
    }

    static int passed(int divisor) {
        return 10 / divisor; // found division-by-zero
    }

    static int guarded(int divisor) {
        if (divisor == 0) {
            return 0;
        }
        return 10 / divisor;
    }

    static int bounded() {
        return 10 / (new Random().nextInt(5) + 1);
    }

    public static void main(String[] args) {
        parsed(args[0]);
        remainder(new Random());
        checked(args[0]);
        positive(args[0]);
        always(args.length);
        unknown(args.length, args.length);
        floating(args[0]);
        infinity(args[0]);
        nearZero(args[0]);
        passed(0);
        passed(4);
        guarded(0);
        bounded();
        new Ratio(Integer.parseInt(args[0])).of(1);
        new Ratio(Integer.parseInt(args[0])).unguarded(1);
        Ratio.spread(new Ratio(Integer.parseInt(args[0])), args.length);
        Ratio.each(List.of(new Ratio(Integer.parseInt(args[0]))));
        Indexes.main(args);
        Numbers.main(args);
        Helpers.main(args);
    }
}

/** Fields that are tested where they are read. */
class Ratio {
    private final int divisor;

    Ratio(int divisor) {
        this.divisor = divisor;
    }

    int of(int x) {
        if (divisor == 0) {
            return 0;
        }
        return x / divisor;
    }

    int unguarded(int x) {
        return x / divisor; // found division-by-zero
    }

    int parts() {
        return divisor;
    }

    static int spread(Ratio ratio, int x) {
        int sum = 0;
        for (int i = 0; i < ratio.parts(); i++) {
            sum += (x + i) % ratio.parts();
        }
        return sum;
    }

    static int each(java.util.List<Ratio> ratios) {
        int sum = 0;
        for (Ratio ratio : ratios) {
            sum += 100 / ratio.parts(); // found division-by-zero
            if (ratio.parts() > 3) {
                sum++;
            }
        }
        return sum;
    }
}
