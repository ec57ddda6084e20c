package bookshop.reports;

/** Sums up numbers as they come; all arithmetic is on whole numbers. */
public class Statistics {
    private static final int CLASSES = 10;

    private final int width;
    private final int[] classes = new int[CLASSES];
    private int count;
    private long sum;
    private int smallest = Integer.MAX_VALUE;
    private int largest = Integer.MIN_VALUE;

    /** Numbers are counted in classes of that width, from 0; the last class holds all larger ones. */
    public Statistics(int width) {
        this.width = width;
    }

    public void add(int number) {
        count++;
        sum += number;
        smallest = number < smallest ? number : smallest;
        largest = number > largest ? number : largest;
        int place = number / width;
        if (place < 0) {
            place = 0;
        } else if (place >= CLASSES) {
            place = CLASSES - 1;
        }
        classes[place]++;
    }

    public int count() {
        return count;
    }

    public int mean() {
        return count == 0 ? 0 : (int) (sum / count);
    }

    public int range() {
        return count == 0 ? 0 : largest - smallest;
    }

    /** The largest whole number whose square is not above the given one. */
    public static int root(int number) {
        int low = 0;
        int high = 46_341;
        while (high - low > 1) {
            int middle = (low + high) >> 1;
            if (middle <= number / middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** One line per class that has numbers, with a bar as long as their count. */
    public String bars() {
        int highest = 1;
        for (int size : classes) {
            highest = Math.max(highest, size);
        }
        int scale = highest > 40 ? (highest + 39) / 40 : 1;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < CLASSES; i++) {
            if (classes[i] > 0) {
                text.append(i * width).append(i == CLASSES - 1 ? "+ " : "  ");
                text.append("#".repeat((classes[i] + scale - 1) / scale)).append('\n');
            }
        }
        return text.toString();
    }
}
