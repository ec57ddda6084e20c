package samples;

import java.io.IOException;
import java.sql.*;
import javax.servlet.http.*;

/** What is not one of some values is replaced by a constant. */
public class Defaults extends HttpServlet {
    private static final String ASCENDING = "asc";
    private static final String DESCENDING = "desc";
    private static String configured = "desc";

    private Statement statement;

    static void configure(String order) {
        configured = order;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            ordered(request.getParameter("order"));
            either(request.getParameter("order"));
            replaced(request.getParameter("order"), request.getParameter("other"));
            sometimes(request.getParameter("order"), request.getParameter("page") != null);
            fromField(request.getParameter("order"));
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    void ordered(String order) throws SQLException {
        if (!ASCENDING.equalsIgnoreCase(order)) {
            order = DESCENDING;
        }
        statement.executeQuery("select * from t order by d " + order);
    }

    void either(String order) throws SQLException {
        if ("asc".equals(order)) {
            statement.executeQuery("select * from t order by d " + order);
        } else {
            order = "desc";
        }
        statement.executeQuery("select * from t order by d " + order);
    }

    void replaced(String order, String other) throws SQLException {
        if (!"asc".equals(order)) {
            order = other;
        }
        statement.executeQuery("select * from t order by d " + order); // found sql-injection
    }

    void sometimes(String order, boolean first) throws SQLException {
        if (first && !"asc".equals(order)) {
            order = "desc";
        }
        statement.executeQuery("select * from t order by d " + order); // found sql-injection
    }

    void fromField(String order) throws SQLException {
        configure(order);
        if (!"asc".equals(order)) {
            order = configured;
        }
        statement.executeQuery("select * from t order by d " + order); // found sql-injection
    }

    private static final java.util.regex.Pattern NAME = java.util.regex.Pattern.compile("^[a-zA-Z][a-zA-Z0-9_\\$]{0,63}$");

    static String checked(String name) {
        if (missing(name)) {
            return name;
        }
        name = name.trim();
        boolean valid = NAME.matcher(name).matches();
        if (!valid) {
            String message = "no name: " + name;
            throw new IllegalArgumentException(message);
        }
        return name;
    }

    static boolean missing(Object value) {
        if (value == null) {
            return true;
        }
        if ("null".equals(value)) {
            return true;
        }
        return false;
    }

    static String given(String name) {
        if (!missing(name)) {
            return name;
        }
        return "none";
    }

    static String uncertain(String name) {
        boolean valid = NAME.matcher(name).matches();
        name = name.trim();
        if (!valid) {
            throw new IllegalArgumentException();
        }
        return name;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            statement.executeQuery("select * from " + checked(request.getParameter("table")));
            statement.executeQuery("select * from " + given(request.getParameter("table"))); // found sql-injection
            statement.executeQuery("select * from " + uncertain(request.getParameter("table"))); // found sql-injection
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
