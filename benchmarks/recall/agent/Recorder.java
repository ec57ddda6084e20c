import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What runs: the pairs (call site, method entered), and the allocations that are executed.
 *
 * Code of the project says before each call which call it is, and at the beginning of each method which method it is. A
 * method is entered from the call that its thread announced last, or, if that call has entered a method already, from the
 * library or the virtual machine (site 0).
 */
public final class Recorder {
    private static final int DEPTH = 256;

    private static final List<String> METHODS = new ArrayList<>(List.of(""));
    private static final List<String> SITES = new ArrayList<>(List.of(""));
    private static final List<String> ALLOCATIONS = new ArrayList<>(List.of(""));
    private static final Set<Long> EDGES = ConcurrentHashMap.newKeySet();
    private static volatile int[] lastEntered = new int[1 << 16];
    private static volatile boolean[] allocated = new boolean[1 << 16];

    /** Of each thread: the call announced, the number of class initialisers around, and what was announced before each. */
    private static final ThreadLocal<int[]> STATE = new ThreadLocal<>() {
        @Override
        protected int[] initialValue() {
            return new int[2 + DEPTH];
        }
    };

    private Recorder() {
    }

    static synchronized int method(String description) {
        METHODS.add(description);
        return METHODS.size() - 1;
    }

    static synchronized void describe(int method, String description) {
        METHODS.set(method, description);
    }

    static synchronized int site(String description) {
        SITES.add(description);
        if (SITES.size() > lastEntered.length) {
            lastEntered = Arrays.copyOf(lastEntered, 2 * lastEntered.length);
        }
        return SITES.size() - 1;
    }

    static synchronized int allocation(String description) {
        ALLOCATIONS.add(description);
        if (ALLOCATIONS.size() > allocated.length) {
            allocated = Arrays.copyOf(allocated, 2 * allocated.length);
        }
        return ALLOCATIONS.size() - 1;
    }

    public static void calling(int site) {
        STATE.get()[0] = site;
    }

    public static void returned() {
        STATE.get()[0] = 0;
    }

    public static void entered(int method) {
        int[] state = STATE.get();
        int site = state[0];
        state[0] = 0;
        note(site, method);
    }

    /** A class initialiser is not called: the call that made it run has still to enter its method. */
    public static void initialising(int method) {
        int[] state = STATE.get();
        if (state[1] < DEPTH) {
            state[2 + state[1]] = state[0];
        }
        state[1]++;
        state[0] = 0;
        note(0, method);
    }

    public static void initialised() {
        int[] state = STATE.get();
        state[1]--;
        state[0] = state[1] < DEPTH ? state[2 + state[1]] : 0;
    }

    public static void allocated(int allocation) {
        allocated[allocation] = true;
    }

    private static void note(int site, int method) {
        if (lastEntered[site] != method) {
            lastEntered[site] = method;
            EDGES.add((long) site << 32 | method);
        }
    }

    /** Writes a line per method, site, edge and allocation that was executed, with columns separated by tabs. */
    static synchronized void write(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int i = 1; i < METHODS.size(); i++) {
                out.write("method\t" + i + "\t" + METHODS.get(i) + "\n");
            }
            for (int i = 1; i < SITES.size(); i++) {
                out.write("site\t" + i + "\t" + SITES.get(i) + "\n");
            }
            for (long edge : EDGES) {
                out.write("edge\t" + (edge >> 32) + "\t" + (int) edge + "\n");
            }
            for (int i = 1; i < ALLOCATIONS.size(); i++) {
                if (allocated[i]) {
                    out.write("allocation\t" + ALLOCATIONS.get(i) + "\n");
                }
            }
        }
    }
}
