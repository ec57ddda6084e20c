package bounds;

/** Conditions that remainders decide, whatever callers choose. */
public class Remainders {
    static int remainders(int x, long y, char c) {
        int even = 2 * x, sum = 0;
        if (x % 4 == 5) { // found constant-condition
            sum++;
        }
        if ((x & 4) == 2) { // found constant-condition
            sum++;
        }
        if ((x & 6) == 2) {
            sum++;
        }
        if (even % 2 == 1) { // found constant-condition
            sum++;
        }
        if (((x << 2) & 3) != 0) { // found constant-condition
            sum++;
        }
        if (((x | 1) & 1) == 0) { // found constant-condition
            sum++;
        }
        if (y * 8 % 4 == 1) { // found constant-condition
            sum++;
        }
        if (3 * x % 3 == 1) { // it wraps around
            sum++;
        }
        if (3 * c % 3 == 1) { // found constant-condition
            sum++;
        }
        if (x % 4 == 3) {
            sum++;
        }
        return sum;
    }

    static int loops(int[] a) {
        int sum = 0;
        for (int i = 0; i < 8; i += 2) {
            if (i == 3) { // found constant-condition
                sum++;
            }
            if (i == 4) {
                sum++;
            }
        }
        for (int i = 1; i < a.length; i += 4) {
            if ((i & 1) == 0) { // found constant-condition
                sum++;
            }
        }
        for (int i = 0; i < a.length; i += 3) {
            if (i % 3 == 1) {
                sum++;
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(remainders(args.length, args.length, 'c') + loops(new int[args.length]));
    }
}
