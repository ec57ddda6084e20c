package arrays;

public class Arrays {
    static final int[] SQUARES = {0, 1, 4, 9};
    static final int[] FIVES = {5, 5, 5};
    private static int[] shared = new int[8];
    static String[] names = new String[2];

    public static void main(String[] args) {
        int n = 12;
        int[] local = new int[n];
        int size = local.length;        // size is 12
        int none = local[3];            // none is 0
        int[] filled = {7, 7};
        int seven = filled[args.length];        // seven is 7
        int pair = filled.length;       // pair is 2
        int[] stored = new int[4];
        stored[0] = 1;
        int bit = stored[args.length];  // bit in [0, 1]
        int some = stored[0];           // some is any
        int square = SQUARES[args.length];      // square in [0, 9]
        int five = FIVES[2];            // five is 5
        int three = FIVES.length;       // three is 3
        shared[1] = 0;
        int zero = shared[2];           // zero is 0
        String name = names[0];         // name is null
        int[] other = new int[20];
        int[] alias = args.length > 0 ? other : filled;
        int length = alias.length;      // length in [2, 20]
        alias[0] = 7;
        int joined = filled[0];         // joined is 7
        int mixed = other[0];           // mixed is any
        int[] leaked = {3};
        java.util.Arrays.fill(leaked, 4);
        int unknown = leaked[0];        // unknown is any
        int known = leaked.length;      // known is 1
        int[] passed = {2};
        write(passed);
        int both = passed[0];           // both is any
        int[][] nested = {{1}, {2, 3}};
        int inner = nested[0][0];       // inner is any
        int outer = nested[1].length;   // outer in [0, 2147483647]
        int made = make(6).length;      // made is 6
        Object o = new int[]{1};
        int cast = ((int[]) o)[0];      // cast is any
        int[] copy = passed.clone();
        int cloned = copy[0];           // cloned is any
        int[] captured = {8};
        Runnable run = () -> captured[0] = 9;
        run.run();
        int late = captured[0];         // late is any
        int arguments = args.length;    // arguments in [0, 2147483647]
        int spread = sum(1, 2);         // spread is any
        char[] letters = {'a', 'c'};
        char letter = letters[args.length];     // letter in [97, 99]
    }

    static void write(int[] target) {
        target[0] = 3;
    }

    static int[] make(int n) {
        return new int[n];
    }

    static int sum(int... all) {
        return all[0];
    }
}
