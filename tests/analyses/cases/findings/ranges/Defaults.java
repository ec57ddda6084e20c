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
