/** What a caller passes comes back to that caller alone. */
class Defaults {
    static int get(String key, int missing) {
        String text = System.getProperty(key);
        return text == null ? missing : text.length() + 1;
    }

    static int given(String key) {
        return get(key, -1);
    }

    static int or(String key, int missing) {
        return get(key, missing);
    }

    static int[] sized(int size) {
        return new int[size];
    }

    static Integer boxed(Integer number) {
        return number;
    }

    void sizes() {
        System.out.println(new int[get("a", -1)].length); // found negative-array-size
        System.out.println(new int[get("b", 0)].length);
        System.out.println(new int[given("c")].length); // found negative-array-size
        System.out.println(new int[or("d", -1)].length); // found negative-array-size
        System.out.println(new int[or("e", 1)].length);
        System.out.println(new int[boxed(-1)].length); // found negative-array-size
        System.out.println(new int[boxed(1)].length);
    }

    int elements() {
        int[] one = sized(1);
        int[] two = sized(2);
        return two[1] + one[1]; // found index-out-of-bounds
    }

    /** Many methods would have to know: it is what says that there is none. */
    static int place(String key) {
        return or(key, -2);
    }

    int[] first() {
        return new int[place("1")];
    }

    int[] second() {
        return new int[place("2")];
    }

    int[] third() {
        return new int[place("3")];
    }

    int[] fourth() {
        return new int[place("4")];
    }

    int[] fifth() {
        return new int[place("5")];
    }
}

/** Settings, which are read once, and numbers that anybody gives later. */
class Settings {
    private static final int SIZE = Integer.parseInt(System.getProperty("size"));
    private static int count = 5;
    private static int changing;

    static {
        count = Integer.parseInt(System.getProperty("count", "5"));
    }

    static void change(String text) {
        changing = Integer.parseInt(text);
    }

    static int sizes() {
        System.out.println(new byte[count].length);
        return new byte[SIZE].length + new byte[changing].length; // found negative-array-size
    }

    static void widen(char[] c) {
        for (int i = 0; i < c.length; i++) {
            if (c[i] == ' ') {
                c[i] = '\u3000';
            } else if (c[i] < '\177') {
                c[i] = (char) (c[i] + 65248);
            }
        }
    }

    static void widenAll(char[] c) {
        for (int i = 0; i < c.length; i++) {
            c[i] = '\u3000';
            c[i] = (char) (c[i] + 65248); // found integer-overflow
        }
    }

    public static void main(String[] args) {
        change(args[0]);
        widen(args[1].toCharArray());
        widenAll(args[1].toCharArray());
        sizes();
    }
}
