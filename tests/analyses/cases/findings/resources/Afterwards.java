import java.io.*;
import java.util.concurrent.*;

/** What is used after its end. */
class Afterwards {
    static int read(File file) throws IOException {
        FileInputStream in = new FileInputStream(file);
        in.close();
        return in.read(); // found use-after-close
    }

    static void write(File file) throws IOException {
        BufferedWriter out = new BufferedWriter(new FileWriter(file));
        out.close();
        out.write("x"); // found use-after-close
    }

    static int perhaps(File file, boolean now) throws IOException {
        FileInputStream in = new FileInputStream(file); // found unclosed-on-exception
        if (now) {
            in.close();
        }
        int found = in.read();
        in.close();
        return found;
    }

    static int again(File file) throws IOException {
        FileInputStream in = new FileInputStream(file);
        in.close();
        in = new FileInputStream(file);
        try {
            return in.read();
        } finally {
            in.close();
            in.close();
        }
    }

    static void choose(File file, String how) throws IOException {
        FileInputStream in = new FileInputStream(file);
        switch (how) {
            case "close":
                in.close();
                break;
            case "fail":
                refuse(how);
            default:
                fail(how);
        }
    }

    static int closed(File file, boolean bad) throws IOException {
        FileInputStream in = new FileInputStream(file);
        if (bad) {
            in.close();
            refuse("bad");
        } else {
            in.close();
        }
        return in.read(); // found use-after-close
    }

    static int perhapsRefused(File file, boolean bad) throws IOException {
        FileInputStream in = new FileInputStream(file); // found unclosed-on-exception
        if (bad) {
            in.close();
            perhaps(bad);
        }
        int found = in.read();
        in.close();
        return found;
    }

    private static void fail(String why) {
        throw new IllegalStateException(why);
    }

    private static void refuse(String why) {
        if (why.isEmpty()) {
            System.exit(1);
        }
        fail(why);
    }

    private static void perhaps(boolean bad) {
        if (bad) {
            fail("bad");
        }
    }

    static void pool(Runnable task) {
        ExecutorService pool = Executors.newCachedThreadPool();
        pool.shutdown();
        pool.submit(task); // found use-after-close
    }
}
