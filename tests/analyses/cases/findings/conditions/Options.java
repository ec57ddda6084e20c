import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.kohsuke.args4j.Argument;
import org.jetbrains.annotations.Range;

/** What frameworks write by reflection is not known; annotations of compilers and readers say nothing of the kind. */
class Options {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Option {
        String name();
    }

    @interface Remark {
    }

    @Option(name = "-v")
    private int verbosity;

    @Argument
    private int count;

    @Option(name = "-n")
    private static int limit = 1;

    @Option(name = "-f")
    private final int fixed = 2;

    @Remark
    private int remarked;

    @Range(from = 0, to = 9)
    private int ranged;

    @SuppressWarnings("unused")
    private int quiet;

    private int plain;

    void run() {
        if (verbosity > 0) {
            System.out.println("verbose");
        }
        if (count == 0) {
            System.out.println("nothing");
        }
        if (limit > 1) {
            System.out.println("limited");
        }
        int sum = fixed + plain;
        if (sum > 2) { // found constant-condition
            System.out.println("never");
        }
        if (remarked > 0) { // found constant-condition
            System.out.println("remarked");
        }
        if (ranged > 0) { // found constant-condition
            System.out.println("ranged");
        }
        if (quiet > 0) { // found constant-condition
            System.out.println("quiet");
        }
        if (plain > 0) { // found constant-condition
            System.out.println("plain");
        }
    }

    public static void main(String[] arguments) {
        new Options().run();
    }
}
