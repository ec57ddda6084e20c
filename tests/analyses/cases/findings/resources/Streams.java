import java.io.*;
import java.nio.file.*;
import java.util.Scanner;

/** Files on all paths: ends, returns, exceptions, loops. */
class Streams {
    static int forgotten(File file) throws IOException {
        InputStream in = new FileInputStream(file); // found unclosed-resource
        return in.read();
    }

    static java.net.ServerSocket listening(java.net.SocketAddress address) throws IOException {
        java.nio.channels.ServerSocketChannel channel = java.nio.channels.ServerSocketChannel.open(); // found unclosed-on-exception
        channel.socket().bind(address);
        return channel.socket();
    }

    static void listeningOnly(java.net.SocketAddress address) throws IOException {
        java.nio.channels.ServerSocketChannel channel = java.nio.channels.ServerSocketChannel.open(); // found unclosed-resource
        channel.socket().bind(address);
    }

    static java.nio.channels.FileLock locked(File file) throws IOException {
        java.nio.channels.FileChannel channel = new RandomAccessFile(file, "rw").getChannel(); // found unclosed-on-exception
        return channel.tryLock();
    }

    static boolean taken(File file) throws IOException {
        java.nio.channels.FileChannel channel = new RandomAccessFile(file, "rw").getChannel(); // found unclosed-resource
        java.nio.channels.FileLock lock = channel.tryLock();
        if (lock == null) {
            return false;
        }
        channel.close();
        return true;
    }

    static boolean given(File file) throws IOException {
        java.nio.channels.FileChannel channel = new RandomAccessFile(file, "rw").getChannel(); // found unclosed-on-exception
        java.nio.channels.FileLock lock = channel.tryLock();
        boolean own = lock != null;
        channel.close();
        return own;
    }

    static void registered(java.nio.channels.Selector selector, java.net.SocketAddress to) throws IOException {
        java.nio.channels.SocketChannel channel = java.nio.channels.SocketChannel.open(); // found unclosed-on-exception
        channel.configureBlocking(false);
        channel.register(selector, java.nio.channels.SelectionKey.OP_CONNECT);
        channel.connect(to);
    }

    static void dropped(String name) throws IOException {
        new FileOutputStream(name).write(1); // found unclosed-resource
    }

    static int early(File file, boolean quick) throws IOException {
        FileReader in = new FileReader(file); // found unclosed-resource
        if (quick) {
            return -1;
        }
        int first = in.read();
        in.close();
        return first;
    }

    static int thrown(File file) throws IOException {
        RandomAccessFile in = new RandomAccessFile(file, "r"); // found unclosed-resource
        if (in.length() == 0) {
            throw new IOException("empty");
        }
        in.close();
        return 1;
    }

    static int exceptional(File file) throws IOException {
        FileReader in = new FileReader(file); // found unclosed-on-exception
        int first = in.read();
        in.close();
        return first;
    }

    static int swallowed(File file) {
        try {
            FileReader in = new FileReader(file); // found unclosed-on-exception
            int first = in.read();
            in.close();
            return first;
        } catch (IOException e) {
            return -1;
        }
    }

    static int closed(File file) throws IOException {
        try (FileReader in = new FileReader(file)) {
            return in.read();
        }
    }

    static int several(File from, File to) throws IOException {
        try (InputStream in = new FileInputStream(from); OutputStream out = new FileOutputStream(to)) {
            out.write(in.read());
            return 0;
        }
    }

    static int old(File file) throws IOException {
        FileReader in = null;
        try {
            in = new FileReader(file);
            return in.read();
        } finally {
            if (in != null) {
                in.close();
            }
        }
    }

    static int quiet(File file) {
        FileReader in = null;
        try {
            in = new FileReader(file);
            return in.read();
        } catch (IOException e) {
            return -1;
        } finally {
            if (in != null) {
                try {
                    in.close();
                } catch (IOException e) {
                    System.err.println(e);
                }
            }
        }
    }

    static int loop(String[] names) throws IOException {
        int sum = 0;
        FileReader in = null;
        for (String name : names) {
            in = new FileReader(name); // found unclosed-resource
            sum += in.read();
        }
        if (in != null) {
            in.close();
        }
        return sum;
    }

    static int loopClosed(String[] names) throws IOException {
        int sum = 0;
        for (String name : names) {
            FileReader in = new FileReader(name);
            try {
                sum += in.read();
            } finally {
                in.close();
            }
        }
        return sum;
    }

    static void overwritten(String name) throws IOException {
        FileWriter out = new FileWriter(name); // found unclosed-resource
        if (name.isEmpty()) {
            out = new FileWriter("other"); // found unclosed-on-exception
        }
        out.write("x");
        out.close();
    }

    static void memory() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PrintStream(out).println("x");
        BufferedReader in = new BufferedReader(new StringReader("a"));
        in.readLine();
        System.out.println(new Scanner(System.in).nextLine() + new Scanner("text").next());
    }

    static void listing(Path folder) throws IOException {
        Files.list(folder).forEach(System.out::println); // found unclosed-resource
        try (java.util.stream.Stream<String> lines = Files.lines(folder)) {
            lines.forEach(System.out::println);
        }
    }

    static void ends(String name) throws IOException {
        FileReader in = new FileReader(name); // found unclosed-on-exception
        if (in.read() < 0) {
            System.exit(1);
        }
        in.close();
    }

    public static void main(String[] args) throws IOException {
        forgotten(new File(args[0]));
    }
}
