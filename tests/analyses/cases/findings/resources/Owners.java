import java.io.*;
import java.net.*;
import java.util.*;

/** Who has to close: what wraps, returns, keeps, closes, or only uses a resource. */
class Owners {
    private InputStream kept;
    private final List<Closeable> all = new ArrayList<>();

    static String wrapped(File file) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(new FileInputStream(file))); // found unclosed-resource
        return in.readLine();
    }

    static String wrappedClosed(File file) throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(new FileInputStream(file)))) {
            return in.readLine();
        }
    }

    static InputStream open(String name) throws IOException {
        InputStream in = new FileInputStream(name);
        return new BufferedInputStream(in);
    }

    static int caller(String name) throws IOException {
        InputStream in = open(name); // found unclosed-resource
        return in.read();
    }

    static int goodCaller(String name) throws IOException {
        try (InputStream in = open(name)) {
            return in.read();
        }
    }

    static void quietly(Closeable c) {
        if (c != null) {
            try {
                c.close();
            } catch (IOException e) {
                System.err.println(e);
            }
        }
    }

    static int helped(String name) throws IOException {
        InputStream in = null;
        try {
            in = open(name);
            return in.read();
        } finally {
            quietly(in);
        }
    }

    static int uses(InputStream in) throws IOException {
        return in.read() + in.read();
    }

    static int lent(String name) throws IOException {
        FileInputStream in = new FileInputStream(name); // found unclosed-resource
        return uses(in);
    }

    static void sometimes(InputStream in, boolean really) throws IOException {
        if (really) {
            in.close();
        }
    }

    static void perhaps(String name) throws IOException {
        sometimes(new FileInputStream(name), name.isEmpty()); // found unclosed-resource
    }

    void field(String name) throws IOException {
        kept = new FileInputStream(name);
    }

    void list(String name) throws IOException {
        InputStream in = new FileInputStream(name);
        all.add(in);
    }

    static Properties properties(String name) throws IOException {
        Properties found = new Properties();
        found.load(new FileInputStream(name)); // found unclosed-resource
        return found;
    }

    static void captured(String name) throws IOException {
        InputStream in = new FileInputStream(name);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> quietly(in)));
    }

    static void socket(String host) throws IOException {
        Socket socket = new Socket(host, 80); // found unclosed-on-exception
        try (PrintWriter out = new PrintWriter(new OutputStreamWriter(socket.getOutputStream()))) {
            out.println("x");
        }
    }

    static InputStream through(InputStream in) {
        return in;
    }

    static void passedThrough(String name) throws IOException {
        InputStream in = through(new FileInputStream(name));
        in.close();
    }

    static class Counting extends FilterInputStream {
        Counting(InputStream in) {
            super(in);
        }
    }

    static void filtered(String name) throws IOException {
        try (Counting in = new Counting(new FileInputStream(name))) {
            in.read();
        }
        Counting other = new Counting(new FileInputStream(name)); // found unclosed-resource
        other.read();
    }
}
