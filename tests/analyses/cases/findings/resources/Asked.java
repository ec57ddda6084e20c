import java.sql.*;

/** Connections that statements are asked for. */
class Asked {
    private final String url;

    Asked(String url) {
        this.url = url;
    }

    protected Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    int closed() throws SQLException {
        Statement s = null;
        try {
            s = connect().createStatement();
            return s.executeUpdate("delete from a");
        } finally {
            closeBoth(s);
        }
    }

    private void closeBoth(Statement s) {
        if (s != null) {
            Connection c = null;
            try {
                c = s.getConnection();
            } catch (SQLException e) {
                return;
            }
            try {
                s.close();
                c.close();
            } catch (SQLException e) {
                System.err.println(e);
            }
        }
    }

    int closedHere() throws SQLException {
        Statement s = connect().createStatement(); // found unclosed-on-exception
        int changed = s.executeUpdate("delete from a");
        s.getConnection().close();
        return changed;
    }

    int open() throws SQLException {
        Statement s = null;
        try {
            s = connect().createStatement(); // found unclosed-resource
            return s.executeUpdate("delete from a");
        } finally {
            closeStatement(s);
        }
    }

    private void closeStatement(Statement s) throws SQLException {
        if (s != null) {
            s.close();
        }
    }
}
