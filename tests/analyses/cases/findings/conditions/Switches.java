package bounds;

/** Fields that other classes may set, and some that none may. */
public class Switches {
    protected boolean derive = false;
    static int depth;
    private boolean own = false;
    private final int fixed;

    Switches() {
        fixed = 3;
    }

    public static void main(String[] args) {
        new Switches().run();
    }

    void run() {
        if (derive) {
            System.out.println("derived");
        }
        if (depth > 0) {
            System.out.println(depth);
        }
        if (own) { // found constant-condition
            System.out.println("own");
        }
        if (fixed > 2) { // found constant-condition
            System.out.println(fixed);
        }
    }
}
