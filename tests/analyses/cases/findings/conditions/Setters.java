/** Fields that only methods set which nothing calls, choices that conditions make, and assertions. */
class Setters {
    private boolean verbose;
    private boolean strict;
    private int size = 4;
    private final int most;

    Setters(int most) {
        this.most = most;
    }

    public void setVerbose(boolean verbose) {
        this.verbose = verbose;
    }

    boolean talks() {
        if (verbose) {
            return true;
        }
        return false;
    }

    static boolean never() {
        return false;
    }

    void run(int length) {
        if (verbose) {
            System.out.println("set by nobody, as far as is seen");
        }
        if (strict) { // found constant-condition
            System.out.println("never");
        }
        boolean shown = talks() && length > 3;
        if (shown) {
            System.out.println("as chosen");
        }
        if (most > 100) {
            System.out.println("as the caller chooses");
        }
        assert never() : "an idiom";
        assert size == 4;
        if (size != 4) {
            throw new AssertionError("cannot be");
        }
        if (size != 4) {
            throw new IllegalStateException("a check of what the constructor gives");
        }
        if (size != 4) { // found constant-condition
            System.out.println("never");
        }
        int half = 2;
        if (half > 3) { // found constant-condition
            throw new IllegalStateException("nothing but this method knows it");
        }
        if (shown || size != 4) {
            throw new IllegalStateException();
        }
    }

    public static void main(String[] args) {
        new Setters(10).run(args.length);
    }
}
