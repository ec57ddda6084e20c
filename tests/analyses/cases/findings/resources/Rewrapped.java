import java.io.*;
import java.util.Properties;

/** A wrapper that gets the variable of what it wraps. */
class Rewrapped {
    static Properties either(String name) throws IOException {
        Properties found = new Properties();
        InputStream in = Rewrapped.class.getResourceAsStream(name);
        try {
            if (in != null) {
                in = new BufferedInputStream(in);
            } else {
                in = new BufferedInputStream(new FileInputStream(name));
            }
            found.load(in);
        } finally {
            if (in != null) {
                in.close();
            }
        }
        return found;
    }

    static int layers(File file, int count) throws IOException {
        InputStream in = new FileInputStream(file);
        try {
            for (int i = 0; i < count; i++) {
                in = new BufferedInputStream(in);
            }
            return in.read();
        } finally {
            in.close();
        }
    }

    static int open(File file, int count) throws IOException {
        InputStream in = new FileInputStream(file); // found unclosed-resource
        for (int i = 0; i < count; i++) {
            in = new BufferedInputStream(in);
        }
        return in.read();
    }

    static int replaced(File file, int count) throws IOException {
        InputStream in = new FileInputStream(file); // found unclosed-resource
        for (int i = 0; i < count; i++) {
            in = new BufferedInputStream(new ByteArrayInputStream(new byte[i]));
        }
        try {
            return in.read();
        } finally {
            in.close();
        }
    }
}
