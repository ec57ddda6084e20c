import java.io.*;

/** Helpers that close what they are given, or leave it open, as a flag says. */
class Helpers {
    static int read(Reader reader, boolean close) throws IOException {
        try {
            return reader.read();
        } finally {
            if (close) {
                reader.close();
            }
        }
    }

    static int read(Reader reader) throws IOException {
        return read(reader, true);
    }

    static int peek(Reader reader, boolean keep) throws IOException {
        int first = reader.read();
        if (!keep) {
            reader.close();
        }
        return first;
    }

    static int all(Reader reader, boolean close) throws IOException {
        return read(reader, close);
    }

    static int closed(File file) throws IOException {
        return read(new FileReader(file));
    }

    static int closedThere(File file) throws IOException {
        return all(new FileReader(file), true);
    }

    static int open(File file) throws IOException {
        return all(new FileReader(file), false); // found unclosed-resource
    }

    static int perhaps(File file, boolean close) throws IOException {
        return read(new FileReader(file), close); // found unclosed-resource
    }

    static int peeked(File file) throws IOException {
        return peek(new FileReader(file), false);
    }

    static int kept(File file) throws IOException {
        return peek(new FileReader(file), true); // found unclosed-resource
    }

    static void twice(File file) throws IOException {
        FileReader reader = new FileReader(file);
        read(reader, true);
        reader.read(); // found use-after-close
    }

    static void again(File file) throws IOException {
        try (FileReader reader = new FileReader(file)) {
            read(reader, false);
            reader.read();
        }
    }
}
