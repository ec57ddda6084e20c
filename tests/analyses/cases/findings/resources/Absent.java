import java.sql.*;
import missing.Asserts;

/** Helpers ask methods whether there is something to be closed. */
class Absent {
    static boolean isThere(Object object) {
        return object != null;
    }

    static boolean isReady(Object object) {
        return object == Absent.class;
    }

    static void close(PreparedStatement statement, ResultSet results) throws SQLException {
        if (isThere(results)) {
            results.close();
        }
        if (Asserts.isNotNull(statement)) {
            statement.close();
        }
    }

    static void closeReady(PreparedStatement statement) throws SQLException {
        if (isReady(statement)) {
            statement.close();
        }
    }

    static void closeNull(PreparedStatement statement) throws SQLException {
        if (!isThere(statement)) {
            statement.close();
        }
    }

    void closed(Connection connection) throws SQLException {
        PreparedStatement statement = null;
        ResultSet results = null;
        try {
            statement = connection.prepareStatement("select 1");
            results = statement.executeQuery();
        } finally {
            close(statement, results);
        }
    }

    void ready(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement("select 1"); // found unclosed-resource
        statement.execute();
        closeReady(statement);
    }

    void opposite(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement("select 1"); // found unclosed-resource
        statement.execute();
        closeNull(statement);
    }
}
