import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Numbers in resources came with the program; those in files are of others. */
class OwnStreams {
    private static InputStream resource(String name) throws IOException {
        InputStream in = OwnStreams.class.getResourceAsStream(name);
        if (in == null) {
            throw new IOException(name);
        }
        return in;
    }

    static byte[] ofResource() throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(resource("table")))) {
            return sized(in);
        }
    }

    private static byte[] sized(DataInputStream in) throws IOException {
        return new byte[in.readInt()];
    }

    static byte[] ofFile(String name) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(name)))) {
            return new byte[in.readInt()]; // found negative-array-size
        }
    }

    static byte[] ofEither(String name, boolean own) throws IOException {
        try (DataInputStream in = new DataInputStream(own ? resource("table") : new FileInputStream(name))) {
            return new byte[in.readInt()]; // found negative-array-size
        }
    }

    static byte[] ofBoth(String name) throws IOException {
        shared(new DataInputStream(resource("table")));
        return shared(new DataInputStream(new FileInputStream(name)));
    }

    private static byte[] shared(DataInputStream in) throws IOException {
        return new byte[in.readInt()]; // found negative-array-size
    }

    static byte[] given(DataInputStream in) throws IOException {
        return new byte[in.readInt()]; // found negative-array-size
    }
}
