class Parts {
    private final int[] parts = new int[4];

    public static void main(String[] args) {
        new Parts().of(-1);
        new Parts().of(2);
    }

    int at(int index) {
        return parts[index];
    }

    int of(int index) {
        return parts[index]; // found index-out-of-bounds
    }
}
