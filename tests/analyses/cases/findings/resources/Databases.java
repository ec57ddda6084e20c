import java.sql.*;
import java.util.concurrent.*;
import javax.sql.DataSource;

/** Connections, statements and results; executors. */
class Databases {
    static int leaks(String url) throws SQLException {
        Connection c = DriverManager.getConnection(url); // found unclosed-resource
        Statement s = c.createStatement(); // found unclosed-resource
        ResultSet r = s.executeQuery("select 1"); // found unclosed-resource
        return r.getInt(1);
    }

    static int closedWith(String url) throws SQLException {
        try (Connection c = DriverManager.getConnection(url)) {
            Statement s = c.createStatement();
            ResultSet r = s.executeQuery("select 1");
            return r.getInt(1);
        }
    }

    static void statement(Connection c) throws SQLException {
        PreparedStatement s = c.prepareStatement("delete from t"); // found unclosed-resource
        s.executeUpdate();
    }

    static ResultSet results(Connection c) throws SQLException {
        Statement s = c.createStatement(); // found unclosed-on-exception
        return s.executeQuery("select 1");
    }

    static void old(DataSource source) throws SQLException {
        Connection c = null;
        PreparedStatement s = null;
        try {
            c = source.getConnection();
            s = c.prepareStatement("delete from t");
            s.executeUpdate();
        } finally {
            try {
                if (s != null) {
                    s.close();
                }
            } finally {
                if (c != null) {
                    c.close();
                }
            }
        }
    }

    static void pool(Runnable task) {
        ExecutorService pool = Executors.newFixedThreadPool(2); // found unclosed-resource
        pool.submit(task);
    }

    static void goodPool(Runnable task) {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            pool.submit(task);
        } finally {
            pool.shutdown();
        }
    }
}
