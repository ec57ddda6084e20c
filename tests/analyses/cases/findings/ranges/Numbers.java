import java.util.*;

/** Results that their type does not hold, and casts that change a number. */
class Numbers {
    static int sum(String text) {
        int n = Integer.parseInt(text);
        return n + 1; // found integer-overflow
    }

    static int checkedSum(String text) {
        int n = Integer.parseInt(text);
        return n < Integer.MAX_VALUE ? n + 1 : n;
    }

    static int product(String text) {
        int n = Integer.parseInt(text);
        if (n > 0) {
            n = n * 2; // found integer-overflow
        }
        return n;
    }

    static int checkedProduct(String text) {
        int n = Integer.parseInt(text);
        if (n > 0 && n < Integer.MAX_VALUE / 2) {
            n = n * 2;
        }
        return n;
    }

    static int square(Random random) {
        int n = random.nextInt();
        return n * n; // found integer-overflow
    }

    static int checkedSquare(Random random) {
        int n = random.nextInt();
        if (Math.abs(n) <= (long) Math.sqrt(Integer.MAX_VALUE)) {
            return n * n;
        }
        return 0;
    }

    static int extreme() {
        int n = Integer.MAX_VALUE;
        n++; // found integer-overflow
        return n;
    }

    static byte small(String text) {
        byte b = Byte.parseByte(text);
        return (byte) (b + 1); // found integer-overflow
    }

    static byte smallStep(String text) {
        byte b = Byte.parseByte(text);
        if (b < Byte.MAX_VALUE) {
            b++;
        }
        b--;
        return b;
    }

    static byte smallStepDown(String text) {
        byte b = Byte.parseByte(text);
        b--; // found integer-overflow
        return b;
    }

    static int wide(String text) {
        long n = Long.parseLong(text);
        return (int) n; // found numeric-truncation
    }

    static int wideChecked(String text) {
        long n = Long.parseLong(text);
        if (n < Integer.MIN_VALUE || n > Integer.MAX_VALUE) {
            return 0;
        }
        return (int) n;
    }

    static long promoted(String text) {
        return Integer.parseInt(text) + 1L;
    }

    static int unknown(int a, int b) {
        return a * b + 1;
    }

    static int counted(int[] a) {
        int n = 0;
        for (int x : a) {
            n += x;
            n++;
        }
        return n;
    }

    static void main(String[] args) {
        sum(args[0]);
        checkedSum(args[0]);
        product(args[0]);
        checkedProduct(args[0]);
        square(new Random());
        checkedSquare(new Random());
        extreme();
        small(args[0]);
        smallStep(args[0]);
        smallStepDown(args[0]);
        wide(args[0]);
        wideChecked(args[0]);
        promoted(args[0]);
        unknown(args.length, 2);
        counted(new int[2]);
    }

    static float single(String text) {
        return (float) Double.parseDouble(text); // found numeric-truncation
    }

    static int whole(String text) {
        return (int) Float.parseFloat(text); // found numeric-truncation
    }

    static int checkedWhole(String text) {
        float f = Float.parseFloat(text);
        return f > -1000 && f < 1000 ? (int) f : 0;
    }

    static int root(String text) {
        return (int) Math.sqrt(Integer.parseInt(text)); // found numeric-truncation
    }

    static int checkedRoot(String text) {
        int n = Integer.parseInt(text);
        return n >= 0 ? (int) Math.sqrt(n) : 0;
    }

    static List<String> list(String text) {
        return new ArrayList<>(Integer.parseInt(text)); // found uncontrolled-allocation
    }

    static List<String> checkedList(String text) {
        int n = Integer.parseInt(text);
        return n > 0 && n < 1000 ? new ArrayList<>(n) : new ArrayList<>();
    }

    static byte[] bytes(String text) {
        int n = Integer.parseInt(text);
        return n < 0 ? null : new byte[n]; // found uncontrolled-allocation
    }

    static byte[] largest() {
        return new byte[Integer.MAX_VALUE]; // found uncontrolled-allocation
    }
}
