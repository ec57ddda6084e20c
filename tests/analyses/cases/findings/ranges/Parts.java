class Parts {
    private final int[] parts = new int[4];

    public static void main(String[] args) {
        new Parts().of(-1);
        new Parts().of(2);
        next(args[0]);
    }

    static int parsed(String text) {
        return Integer.parseInt(text);
    }

    static int next(String text) {
        return parsed(text) + 1; // found integer-overflow
    }

    int at(int index) {
        return parts[index];
    }

    int of(int index) {
        return parts[index]; // found index-out-of-bounds
    }
}
