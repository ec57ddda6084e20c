import java.util.Random;

/** Numbers of which each so many are possible: divisors that are odd, indexes in steps. */
class Remainders {
    static int odd(Random random) {
        int n = random.nextInt(10);
        return 100 / (2 * n - 5) + 100 % (4 * n - 6);
    }

    static int even(Random random) {
        int n = random.nextInt(10);
        return 100 / (2 * n - 6); // found division-by-zero
    }

    static int pairs() {
        int[] a = new int[6];
        int sum = 0;
        for (int i = 0; i < 6; i += 2) {
            sum += a[i] + a[i + 1];
        }
        return sum;
    }

    static int steps() {
        int[] a = new int[6];
        int sum = 0;
        for (int i = 0; i < 10; i += 5) {
            sum += i > 0 ? a[i + 1] : a[i]; // found index-out-of-bounds-always
        }
        return sum;
    }

    static int behindTest(int[] a, int n) {
        if (n == -1) {
            return a[n]; // found index-out-of-bounds-always
        }
        return 0;
    }

    public static void main(String[] args) {
        Random random = new Random();
        System.out.println(odd(random) + even(random) + pairs() + steps() + behindTest(new int[3], args.length - 1));
    }
}
