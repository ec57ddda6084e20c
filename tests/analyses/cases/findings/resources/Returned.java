import java.io.*;
import java.sql.*;
import javax.sql.*;

/** Several returns that one `finally` joins. */
class Returned {
    static Connection either(Object source, Closeable context) throws SQLException {
        try {
            if (source instanceof XADataSource) {
                return ((XADataSource) source).getXAConnection().getConnection();
            } else if (source instanceof DataSource) {
                return ((DataSource) source).getConnection();
            } else {
                throw new SQLException("no source");
            }
        } finally {
            try {
                context.close();
            } catch (IOException e) {
                System.err.println(e);
            }
        }
    }

    static InputStream wrapped(String name, int tries) throws IOException {
        for (int i = 0; i < tries; i++) {
            try {
                try {
                    if (i > 0) {
                        return new BufferedInputStream(new FileInputStream(name + i)); // found unclosed-on-exception
                    }
                } finally {
                    System.out.println(i);
                }
                System.out.println("next");
            } finally {
                System.out.println(name);
            }
        }
        return null;
    }

    static InputStream forgotten(String name, boolean really) throws IOException {
        try {
            InputStream in = new FileInputStream(name); // found unclosed-resource
            if (really) {
                return in;
            }
            return null;
        } finally {
            System.out.println(name);
        }
    }

    static InputStream another(String name, boolean really) throws IOException {
        try {
            new FileInputStream(name).read(); // found unclosed-resource
            if (really) {
                return new FileInputStream(name);
            }
            return null;
        } finally {
            System.out.println(name);
        }
    }

    static int read(String name, boolean really) throws IOException {
        try {
            if (really) {
                return new FileInputStream(name).read(); // found unclosed-resource
            }
            return 0;
        } finally {
            System.out.println(name);
        }
    }

    @SuppressWarnings("finally")
    static InputStream dropped(String name, boolean really) throws IOException {
        try {
            return new FileInputStream(name); // found unclosed-resource
        } finally {
            if (really) {
                return null;
            }
        }
    }

    static InputStream caught(String name) {
        try {
            return new ObjectInputStream(new FileInputStream(name));
        } catch (IOException e) {
            return null;
        } finally {
            System.out.println(name);
        }
    }
}
