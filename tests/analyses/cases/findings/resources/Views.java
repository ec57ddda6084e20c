import java.io.*;
import java.net.*;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.stream.Stream;

/** Other forms of a resource that a call gives without throwing; connections whose end ends their streams. */
class Views {
    static FileChannel given(String name) throws IOException {
        FileInputStream in = new FileInputStream(name);
        FileChannel channel = in.getChannel();
        return channel;
    }

    static void closed(File file) throws IOException {
        FileChannel channel = new FileOutputStream(file).getChannel();
        try {
            channel.truncate(0);
        } finally {
            channel.close();
        }
    }

    static long used(String name) throws IOException {
        FileChannel channel = new FileInputStream(name).getChannel(); // found unclosed-on-exception
        long size = channel.size();
        channel.close();
        return size;
    }

    static int required(Class<?> type) throws IOException {
        try (InputStream in = java.util.Objects.requireNonNull(type.getResourceAsStream("/text"))) {
            return in.read();
        }
    }

    static long kept(String name) throws IOException {
        FileChannel channel = new FileInputStream(name).getChannel(); // found unclosed-resource
        return channel.size();
    }

    static long lines(Path path) throws IOException {
        try (Stream<String> lines = Files.lines(path).filter(line -> !line.isEmpty()).skip(1)) {
            return lines.count();
        }
    }

    static long open(Path path) throws IOException {
        return Files.lines(path).skip(1).count(); // found unclosed-resource
    }

    static int socket(Socket socket) throws IOException {
        Socket other = new Socket("localhost", 80); // found unclosed-on-exception
        InputStream in = other.getInputStream();
        other.close();
        return 1;
    }

    static int disconnected(URL url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        try {
            return connection.getInputStream().read();
        } finally {
            connection.disconnect();
        }
    }

    static int connected(URL url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        return connection.getInputStream().read(); // found unclosed-resource
    }
}
