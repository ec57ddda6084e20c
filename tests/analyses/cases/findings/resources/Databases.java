import java.sql.*;
import java.util.concurrent.*;
import javax.sql.DataSource;

/** Connections, statements and results; executors. */
class Databases {
    static int leaks(String url) throws SQLException {
        Connection c = DriverManager.getConnection(url); // found unclosed-resource
        Statement s = c.createStatement();
        ResultSet r = s.executeQuery("select 1");
        return r.getInt(1);
    }

    static int closedWith(String url) throws SQLException {
        try (Connection c = DriverManager.getConnection(url)) {
            Statement s = c.createStatement();
            ResultSet r = s.executeQuery("select 1");
            return r.getInt(1);
        }
    }

    static void closeIfOpen(Connection c) throws SQLException {
        if (c == null) {
            return;
        }
        if (c.isClosed()) {
            return;
        }
        c.close();
    }

    static int closedIfOpen(DataSource source) throws SQLException {
        Connection c = null;
        try {
            c = source.getConnection();
            return c.getHoldability();
        } finally {
            closeIfOpen(c);
        }
    }

    static int askedOnly(DataSource source) throws SQLException {
        Connection c = source.getConnection(); // found unclosed-resource
        if (c.isClosed()) {
            return 0;
        }
        return c.getHoldability();
    }

    static void closedUnlessClosed(DataSource source) throws SQLException {
        Connection c = source.getConnection(); // found unclosed-on-exception
        c.setReadOnly(true);
        if (!c.isClosed()) {
            c.close();
        }
    }

    static void statement(Connection c) throws SQLException {
        PreparedStatement s = c.prepareStatement("delete from t"); // found unclosed-resource
        s.executeUpdate();
    }

    static void closesWhatItGot(Connection c) throws SQLException {
        PreparedStatement s = c.prepareStatement("delete from t"); // found unclosed-on-exception
        s.executeUpdate();
        c.close();
    }

    static void closesAnother(Connection c, Connection d) throws SQLException {
        PreparedStatement s = c.prepareStatement("delete from t"); // found unclosed-resource
        s.executeUpdate();
        d.close();
    }

    static ResultSet results(Connection c) throws SQLException {
        Statement s = c.createStatement(); // found unclosed-on-exception
        return s.executeQuery("select 1");
    }

    static boolean resultOfOpened(String url) throws SQLException {
        try (Connection c = DriverManager.getConnection(url)) {
            return results(c).next();
        }
    }

    static boolean resultOfGiven(java.util.function.Supplier<Connection> source) throws SQLException {
        try (Connection c = source.get()) {
            return results(c).next();
        }
    }

    static boolean resultLeft(Connection c) throws SQLException {
        return results(c).next(); // found unclosed-resource
    }

    static boolean resultOfOther(Connection c, Connection d) throws SQLException {
        boolean any = results(c).next(); // found unclosed-resource
        d.close();
        return any;
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

    static void again(Runnable task) {
        ScheduledExecutorService pool = Executors.newSingleThreadScheduledExecutor();
        pool.scheduleWithFixedDelay(task, 1, 1, TimeUnit.MINUTES);
    }

    static void once(Runnable task) {
        ScheduledExecutorService pool = Executors.newSingleThreadScheduledExecutor(); // found unclosed-resource
        pool.schedule(task, 1, TimeUnit.MINUTES);
    }

    static void goodPool(Runnable task) {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            pool.submit(task);
        } finally {
            pool.shutdown();
        }
    }

    static void byHelper(Connection c) throws SQLException {
        PreparedStatement s = null;
        try {
            s = c.prepareStatement("update a set b = 1");
            s.executeQuery();
        } finally {
            close(s, c);
        }
    }

    static void lentToHelper(Connection c) throws SQLException {
        PreparedStatement s = c.prepareStatement("update a set b = 1"); // found unclosed-resource
        s.executeQuery();
        show(s);
    }

    static void allByHelper(Connection c) throws SQLException {
        Statement s = null;
        ResultSet r = null;
        try {
            s = c.createStatement();
            r = s.executeQuery("select 1");
        } finally {
            closeAll(r, s);
        }
    }

    static void otherByHelper(Connection c) throws SQLException {
        Statement s = c.createStatement();
        Statement t = c.createStatement(); // found unclosed-resource
        t.executeQuery("select 1");
        closeStatement(s);
    }

    static int usedAfterHelper(Connection c) throws SQLException {
        Statement s = c.createStatement(); // found unclosed-on-exception
        ResultSet r = s.executeQuery("select 1");
        closeStatement(s);
        return r.getInt(1); // found use-after-close
    }

    static void close(Statement s, Connection c) {
        closeStatement(s);
        if (c != null) {
            try {
                c.close();
            } catch (SQLException e) {
                System.err.println(e);
            }
        }
    }

    static void closeAll(ResultSet r, Statement s) throws SQLException {
        if (r != null) {
            r.close();
        }
        closeStatement(s);
    }

    static void closeStatement(Statement s) {
        if (s != null) {
            try {
                s.close();
            } catch (SQLException e) {
                System.err.println(e);
            }
        }
    }

    static void show(Statement s) throws SQLException {
        System.out.println(s.getUpdateCount());
    }

    static int onCompletion(Connection c) throws SQLException {
        Statement s = c.createStatement(); // found unclosed-on-exception
        s.closeOnCompletion();
        try (ResultSet r = s.executeQuery("select 1")) {
            return r.getInt(1);
        }
    }

    static ResultSet onCompletionOfCaller(Connection c) throws SQLException {
        Statement s = c.createStatement(); // found unclosed-on-exception
        ResultSet r = s.executeQuery("select 1");
        s.closeOnCompletion();
        return r;
    }

    static int neverCompleted(Connection c) throws SQLException {
        Statement s = c.createStatement(); // found unclosed-resource
        s.closeOnCompletion();
        ResultSet r = s.executeQuery("select 1"); // found unclosed-resource
        return r.getInt(1);
    }

    static ResultSet asked(Statement s) throws SQLException {
        return s.executeQuery("select 1");
    }

    static ResultSet completedElsewhere(Connection c) throws SQLException {
        Statement s = c.createStatement(); // found unclosed-on-exception
        ResultSet r = asked(s);
        s.closeOnCompletion();
        return r;
    }

    static int notEntrusted(Connection c) throws SQLException {
        Statement s = c.createStatement(); // found unclosed-resource
        try (ResultSet r = s.executeQuery("select 1")) {
            return r.getInt(1);
        }
    }

    static int completedBefore(Connection c) throws SQLException {
        Statement s = c.createStatement(); // found unclosed-on-exception
        ResultSet first = s.executeQuery("select 1");
        first.close();
        s.closeOnCompletion();
        try (ResultSet r = s.executeQuery("select 2")) {
            return r.getInt(1);
        }
    }

    interface Link {
        Statement statement() throws SQLException;
    }

    static int ofStatement(Link link) throws SQLException {
        Statement s = null;
        try {
            s = link.statement();
            ResultSet r = s.executeQuery("select 1");
            return r.getInt(1);
        } finally {
            if (s != null) {
                s.close();
            }
        }
    }

    static int ofStatementThatStays(Link link) throws SQLException {
        Statement s = null;
        try {
            s = link.statement();
            ResultSet r = s.executeQuery("select 1"); // found unclosed-resource
            return r.getInt(1);
        } finally {
            if (s != null) {
                s.cancel();
            }
        }
    }

    static void flagged(Connection given, String url) throws SQLException {
        boolean own = false;
        Connection c = given;
        try {
            if (c == null) {
                c = DriverManager.getConnection(url);
                own = true;
            }
            c.commit();
        } finally {
            if (own) {
                c.close();
            }
        }
    }

    static void flaggedSometimes(Connection given, String url) throws SQLException {
        boolean own = false;
        Connection c = given;
        try {
            if (c == null) {
                c = DriverManager.getConnection(url); // found unclosed-resource
                if (url.isEmpty()) {
                    own = true;
                }
            }
            c.commit();
        } finally {
            if (own) {
                c.close();
            }
        }
    }

    static void flaggedOtherwise(Connection given, String url) throws SQLException {
        boolean borrowed = true;
        Connection c = given;
        if (c == null) {
            c = DriverManager.getConnection(url); // found unclosed-on-exception
            borrowed = false;
        }
        c.commit();
        if (!borrowed) {
            c.close();
        }
    }
}

/** Results that are kept: one that is opened again is one that a field has, or it is not. */
class Kept {
    private final Statement statement;
    private ResultSet last;

    Kept(Statement statement) {
        this.statement = statement;
    }

    ResultSet current() throws SQLException {
        ResultSet opened = statement.getResultSet();
        if (last == null || last != opened) {
            last = opened;
        }
        return last;
    }

    ResultSet other() throws SQLException {
        ResultSet opened = statement.getResultSet(); // found unclosed-resource
        if (last == opened) {
            last = opened;
        }
        return last;
    }
}
