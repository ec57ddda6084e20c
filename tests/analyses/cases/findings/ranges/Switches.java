/** What a switch says of its number, and the condition of a conditional expression of a field. */
class Switches {
    private int timeout;

    public static void main(String[] args) {
        Switches all = new Switches();
        int number = Integer.parseInt(args[0]);
        all.excluded(number);
        all.excludedInLabels(number);
        all.arrow(number);
        all.expression(number);
        all.indexed(number);
        all.fallsThrough(number);
        all.open(number);
        all.setTimeout(number);
        all.limited();
        all.unlimited();
    }

    void setTimeout(int timeout) {
        this.timeout = timeout;
    }

    void excluded(int n) {
        switch (n) {
            case 0:
                return;
            default:
                System.out.println(10 / n);
        }
    }

    void excludedInLabels(int n) {
        switch (n) {
            case 0:
                System.out.println(10 / n); // found division-by-zero-always
                break;
            case 1:
            case 2:
                System.out.println(10 / n);
                break;
        }
    }

    void arrow(int n) {
        switch (n) {
            case 1 -> System.out.println(10 / n);
            case 0 -> { }
            default -> System.out.println(11 / n);
        }
    }

    int expression(int n) {
        return switch (n) {
            case 0 -> 7;
            default -> 10 / n;
        };
    }

    int indexed(int n) {
        int[] sizes = new int[3];
        switch (n) {
            case 0:
            case 1:
                return sizes[n];
            case 3:
                return sizes[n]; // found index-out-of-bounds-always
            default:
                return 0;
        }
    }

    void fallsThrough(int n) {
        switch (n) {
            case 5:
                System.out.println("five");
            default:
                System.out.println(10 / n); // found division-by-zero
        }
    }

    void open(int n) {
        switch (n) {
            case 1:
                return;
            default:
                System.out.println(10 / n); // found division-by-zero
        }
    }

    int limited() {
        int t = timeout >= 1 && timeout <= 10 ? timeout : 3;
        return t * 1000;
    }

    int unlimited() {
        int t = timeout;
        return t * 1000; // found integer-overflow
    }
}
