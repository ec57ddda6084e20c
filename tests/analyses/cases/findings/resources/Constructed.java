import java.io.*;

/** What a constructor opens and gives to the object that it makes is closed with that object. */
class Constructed extends FilterInputStream {
    Constructed(String name) throws IOException {
        super(open(name));
    }

    Constructed(File file) throws IOException {
        this(file.getPath());
    }

    Constructed(InputStream in) {
        super(in);
    }

    static InputStream open(String name) throws IOException {
        return new FileInputStream(name);
    }

    static int forgotten(String name) throws IOException {
        return new Further(new FileInputStream(name), 1).read(); // found unclosed-resource
    }

    static int closed(String name) throws IOException {
        try (Further in = new Further(new FileInputStream(name), 1)) {
            return in.read();
        }
    }

    static class Further extends Constructed {
        private final int times;

        Further(String name) throws IOException {
            this(open(name), 2);
        }

        Further(InputStream in, int times) {
            super(in);
            this.times = times;
        }
    }
}
