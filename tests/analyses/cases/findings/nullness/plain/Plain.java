package plain;

/** Nothing is said here of null. */
public class Plain {
    public void all() {
        take(null);
        new First().take(null); // found null-for-nonnull
    }

    void take(String a) {
        System.out.println(a);
    }
}

@interface NullMarked {}
