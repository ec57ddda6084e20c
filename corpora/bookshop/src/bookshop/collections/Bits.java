package bookshop.collections;

/** A set of small numbers, one bit each. */
public final class Bits {
    private static final int SHIFT = 5;
    private static final int MASK = (1 << SHIFT) - 1;

    private int[] words = new int[1];

    public Bits add(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("negative: " + number);
        }
        int word = number >> SHIFT;
        if (word >= words.length) {
            int[] larger = new int[word + 1];
            System.arraycopy(words, 0, larger, 0, words.length);
            words = larger;
        }
        words[word] |= 1 << (number & MASK);
        return this;
    }

    public boolean contains(int number) {
        int word = number >> SHIFT;
        return number >= 0 && word < words.length && (words[word] & 1 << (number & MASK)) != 0;
    }

    public void remove(int number) {
        if (contains(number)) {
            words[number >> SHIFT] &= ~(1 << (number & MASK));
        }
    }

    public int count() {
        int total = 0;
        for (int word : words) {
            int rest = word;
            while (rest != 0) {
                rest &= rest - 1;
                total++;
            }
        }
        return total;
    }
}
