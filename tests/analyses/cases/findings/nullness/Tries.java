import java.io.FileReader;
import java.io.IOException;
import java.io.StringReader;

/** Values where an exception takes control. */
class Tries {
    void all(String[] args) {
        try {
            file(args[0]);
        } catch (IOException problem) {
            problem.getMessage();
        }
        thrown();
        StringReader b = null;
        try {
            b = new StringReader(args[0]);
        } finally {
            if (b != null) {
                b.close();
            }
        }
        StringReader c;
        try {
            c = new StringReader(args[1]);
        } catch (RuntimeException problem) {
            c = null;
        }
        c.close(); // found null-dereference-on-path
        try (StringReader d = new StringReader("")) {
            d.read();
        } catch (IOException problem) {
            problem.getMessage();
        }
    }

    Item made;
    Item other;

    void thrown() {
        if (made == null && other == null) {
            try {
                make();
            } catch (IOException problem) {
                made.name();
                other.name(); // found null-dereference
            }
        }
    }

    /** Leaves something also if it throws. */
    private void make() throws IOException {
        made = new Item("m");
        file("m");
    }

    private void file(String name) throws IOException {
        FileReader a = null;
        try {
            a = new FileReader(name);
            a.read();
        } finally {
            a.close(); // found null-dereference-on-path
        }
    }
}
