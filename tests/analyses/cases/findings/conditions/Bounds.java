package bounds;

public class Bounds {
    static final boolean DEBUG = false;
    static final int LIMIT = 10;

    public static void main(String[] args) {
        int count = args.length;
        if (count < 0) { // found constant-condition
            System.out.println("never");
        }
        if (count > 3) {
            if (count > 2) { // found constant-condition
                System.out.println("more");
            }
        }
        if (DEBUG) {
            System.out.println(count);
        }
        while (true) {
            count++;
            if (count > LIMIT) {
                break;
            }
        }
        for (int i = 0; i < 5; i++) {
            if (i == -1) { // found constant-condition
                System.out.println(i);
            }
            if (i == 4) {
                System.out.println(i);
            }
        }
        int[] sizes = new int[4];
        if (sizes.length == 4) { // found constant-condition
            System.out.println(sizes[0]);
        }
        checked(count);
    }

    static void checked(int value) {
        try {
            if (value == 12) {
                System.out.println(value);
            }
        } finally {
            if (value < 100) {
                System.out.println("done");
            }
        }
    }
}
