import java.util.*;

/** Indexes and sizes: checked at both ends, at one, at none; loops; lists and texts. */
class Indexes {
    private int[] cells = new int[8];
    private int at;

    static int[][] empty() {
        return new int[0][0];
    }

    static int none(int[] a, String text) {
        return a[Integer.parseInt(text)]; // found index-out-of-bounds
    }

    static int lower(int[] a, String text) {
        int n = Integer.parseInt(text);
        if (n >= 0) {
            return a[n]; // found index-out-of-bounds
        }
        return 0;
    }

    static int upper(int[] a, String text) {
        int n = Integer.parseInt(text);
        if (n < a.length) {
            return a[n]; // found index-out-of-bounds
        }
        return 0;
    }

    static int both(int[] a, String text) {
        int n = Integer.parseInt(text);
        if (n >= 0 && n < a.length) {
            return a[n];
        }
        return 0;
    }

    static int fixed(String text) {
        int[] a = {1, 2, 3};
        int n = Integer.parseInt(text);
        if (n >= 0 && n < 4) {
            return a[n]; // found index-out-of-bounds
        }
        if (n >= 10 && n <= 12) {
            return a[n - 10];
        }
        return 0;
    }

    static int always() {
        int[] a = new int[3];
        int n = 3;
        return a[n] + a[-1]; // found index-out-of-bounds-always, index-out-of-bounds-always
    }

    static String alwaysOfTexts() {
        String[] a = new String[3];
        a[2] = "last";
        return a[3]; // found index-out-of-bounds-always
    }

    static int difference(int[] a, int from, int to) {
        if (to - from < 2) {
            return 0;
        }
        return a[to - 1];
    }

    static int product(int[] a, int from, int to) {
        if (to * from > 9) {
            return 0;
        }
        return a[to - 1]; // found index-out-of-bounds
    }

    static class Part {
        final int[] all;
        final int from, to;

        Part(int[] all, int from, int to) {
            this.all = all;
            this.from = from;
            this.to = to;
        }

        int last() {
            return to - from < 2 ? 0 : all[to - 1];
        }
    }

    static int loop(int[] a) {
        int sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i];
        }
        for (int i = a.length - 1; i >= 0; i--) {
            sum += a[i];
        }
        return sum;
    }

    static int tooFar(int[] a) {
        int sum = 0;
        for (int i = 0; i <= a.length; i++) {
            sum += a[i]; // found off-by-one
        }
        return sum;
    }

    static int tooFarAtEnd() {
        int[] a = new int[10];
        int i = 0;
        do {
            a[i] = i; // found off-by-one
            i++;
        } while (i <= a.length);
        return a[0];
    }

    static String lists(List<String> list, String text) {
        int n = Integer.parseInt(text);
        String found = list.get(n); // found index-out-of-bounds
        if (n >= 0 && n < list.size()) {
            found += list.get(n);
        }
        return found + text.charAt(n); // found index-out-of-bounds
    }

    static int[] sized(String text) {
        int n = Integer.parseInt(text);
        int[] a = new int[n]; // found negative-array-size
        if (n >= 0) {
            a = new int[n]; // found uncontrolled-allocation
            a[0] = 1; // found index-out-of-bounds
        }
        if (n > 0) {
            int[] b = new int[n]; // found uncontrolled-allocation
            b[0] = 2;
        }
        return a;
    }

    void store(Random random) {
        at = random.nextInt();
    }

    int load() {
        return cells[at]; // found index-out-of-bounds
    }

    int masked(Random random) {
        return cells[random.nextInt() & 7] + cells[random.nextInt(8)];
    }

    static int boxed(Vector<Integer> values, int[] a) {
        int n = values.get(2);
        return a[n]; // found index-out-of-bounds
    }

    static int boxedGood(Vector<Integer> values, int[] a) {
        int n = values.get(2);
        return a[n];
    }

    static int caught(int[] a, String text) {
        int n = Integer.parseInt(text);
        try {
            return a[n];
        } catch (ArrayIndexOutOfBoundsException e) {
            return -1;
        }
    }

    static String caughtList(List<String> list, String text) {
        int n = Integer.parseInt(text);
        try {
            return list.get(n);
        } catch (IllegalStateException | IndexOutOfBoundsException e) {
            return "";
        }
    }

    static int caughtAll(int[] a, String text) {
        int n = Integer.parseInt(text);
        try {
            return a[n];
        } catch (Exception e) {
            throw new IllegalArgumentException("no cell " + n, e);
        }
    }

    static int caughtOther(int[] a, String text) {
        int n = Integer.parseInt(text);
        try {
            return a[n]; // found index-out-of-bounds
        } catch (IllegalStateException e) {
            return -1;
        } finally {
            System.out.println(n);
        }
    }

    static int caughtBefore(int[] a, String text) {
        int n = 0;
        try {
            n = Integer.parseInt(text);
        } catch (RuntimeException e) {
            System.out.println(e);
        }
        return a[n]; // found index-out-of-bounds
    }

    static void main(String[] args) {
        int[] a = new int[5];
        empty();
        none(a, args[0]);
        lower(a, args[0]);
        upper(a, args[0]);
        both(a, args[0]);
        fixed(args[0]);
        always();
        alwaysOfTexts();
        difference(a, 0, 0);
        difference(a, 0, args.length);
        product(a, 0, 0);
        product(a, 0, args.length);
        new Part(a, 0, 0).last();
        new Part(a, 0, args.length).last();
        caught(a, args[0]);
        caughtList(new ArrayList<>(), args[0]);
        caughtAll(a, args[0]);
        caughtOther(a, args[0]);
        caughtBefore(a, args[0]);
        loop(a);
        tooFar(a);
        tooFarAtEnd();
        lists(new ArrayList<>(), args[0]);
        sized(args[0]);
        Indexes indexes = new Indexes();
        indexes.store(new Random());
        indexes.load();
        indexes.masked(new Random());
        Vector<Integer> values = new Vector<>();
        values.add(0, new Random().nextInt());
        boxed(values, a);
        Vector<Integer> others = new Vector<>();
        others.add(0, 2);
        boxedGood(others, a);
    }
}

/** Elements at constant indexes are told apart; sizes of one field are one finding. */
class Pairs {
    private final int[] cells = new int[9];
    private int size;

    int other(java.util.Map<String, int[]> pairs, String name) {
        int[] pair = pairs.get(name);
        if (pair == null) {
            pair = new int[] {1, 0};
        }
        pair[1] = 0;
        return cells[pair[0] - 1];
    }

    int same(int[] pair) {
        pair[1] = 0;
        return cells[pair[1] - 1]; // found index-out-of-bounds
    }

    int some(int[] pair, int n) {
        pair[1] = 0;
        return cells[pair[n] - 1]; // found index-out-of-bounds
    }

    void make(String text) {
        size = Integer.parseInt(text);
        byte[] first = new byte[size]; // found negative-array-size
        byte[] second = new byte[size];
        System.out.println(first.length + second.length);
    }

    int sized(String text) {
        size = Integer.parseInt(text);
        byte[] first = new byte[this.size]; // found negative-array-size
        byte[] second = new byte[this.size];
        return first.length + second.length;
    }
}
