package bounds;

/** What callers choose is no constant, even if all of them choose the same. */
public class Choices {
    private final boolean verbose;

    public Choices(boolean verbose) {
        this.verbose = verbose;
    }

    public static void main(String[] args) {
        Choices made = new Choices(false);
        made.sizes(7, 1);
        made.sizes(7, 2);
        made.newer(new int[3]);
    }

    void sizes(int size, int times) {
        if (size < 0) {
            throw new IllegalArgumentException();
        }
        if (verbose) {
            System.out.println(size);
        }
        int doubled = 2 * size;
        if (doubled > 10) {
            System.out.println(doubled);
        }
        times(3);
        System.out.println(times);
    }

    /** Nothing here calls it, but its callers may. */
    public void older() {
        styled(true, new int[2]);
    }

    public int[] newer(int[] cells) {
        styled(false, new int[3]);
        return cells;
    }

    private void styled(boolean old, int[] cells) {
        if (old) {
            System.out.println("old");
        }
        if (cells.length == 2) {
            System.out.println("short");
        }
        int count = cells.length;
        if (count < 0) { // found constant-condition
            System.out.println("never");
        }
    }

    private void times(int count) {
        if (count > 2) { // found constant-condition
            System.out.println(count);
        }
    }
}
