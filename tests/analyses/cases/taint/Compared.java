package samples;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.sql.*;
import java.util.*;
import javax.servlet.http.*;

/** Values that a program compares with others, or looks into, before it uses them. */
public class Compared extends HttpServlet {
    private static final List<String> NAMES = Arrays.asList("red", "green");
    private static final String[] SIZES = {"small", "large"};
    private static final String FOLDER = "/srv/files/";
    private Statement statement;
    private Algorithm algorithm;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        try {
            elements(name, request.getParameter("other"));
            streams(name);
            indexes(name);
            before(name, request.getParameter("other"));
            numbers(name);
            tokens(name, response);
            files(name);
            hosts(name);
        } catch (Exception thrown) {
            throw new IOException(thrown);
        }
    }

    static boolean isColumn(String text) {
        String[] columns = {"id", "title"};
        for (String column : columns) {
            if (text.toLowerCase().equals(column)) {
                return true;
            }
        }
        return false;
    }

    void elements(String name, String other) throws Exception {
        if (isColumn(name)) {
            statement.execute("select " + name);
        }
        statement.execute("select " + name); // found sql-injection
        for (String size : SIZES) {
            if (size.equals(name)) {
                statement.execute("select " + name);
            }
        }
        for (String colour : NAMES) {
            if (name.equalsIgnoreCase(colour)) {
                statement.execute("select " + name);
            }
        }
        for (String given : new String[] {"id", other}) {
            if (given.equals(name)) {
                Runtime.getRuntime().exec(name); // found command-injection
            }
        }
    }

    void streams(String name) throws Exception {
        if (NAMES.stream().anyMatch(name::equals)) {
            Runtime.getRuntime().exec(name);
        }
        if (NAMES.stream().anyMatch(colour -> colour.equalsIgnoreCase(name))) {
            Runtime.getRuntime().exec(name);
        }
        if (NAMES.stream().anyMatch(colour -> colour.startsWith(name))) {
            Runtime.getRuntime().exec(name); // found command-injection
        }
        if (Arrays.stream(SIZES).noneMatch(size -> size.equals(name))) {
            Runtime.getRuntime().exec(name); // found command-injection
            return;
        }
        Runtime.getRuntime().exec(name);
    }

    void indexes(String name) throws Exception {
        if (name.indexOf("..") >= 0) {
            new FileInputStream("/srv/" + name); // found path-injection
            return;
        }
        new FileInputStream("/srv/" + name);
        new FileInputStream(name); // found path-injection
        if (name.indexOf('/') != -1) {
            throw new IllegalArgumentException();
        }
        new FileInputStream(name);
    }

    void before(String name, String other) throws Exception {
        String query = "select * from items order by " + name;
        String mixed = other + name;
        File file = new File(FOLDER, name);
        if (!isColumn(name)) {
            statement.execute(query); // found sql-injection
            new FileInputStream(file); // found path-injection
            return;
        }
        statement.execute(query);
        statement.execute(mixed); // found sql-injection
        new FileInputStream(file);
    }

    static boolean isNumber(String text) {
        try {
            Integer.parseInt(text);
            return true;
        } catch (NumberFormatException thrown) {
            return false;
        }
    }

    static boolean isNoNumber(String text) {
        try {
            Integer.parseInt(text);
            return false;
        } catch (NumberFormatException thrown) {
            return true;
        }
    }

    void numbers(String name) throws Exception {
        if (isNoNumber(name)) {
            Runtime.getRuntime().exec(name); // found command-injection
        }
        if (isNumber(name)) {
            Runtime.getRuntime().exec(name);
        }
    }

    Boolean isSigned(String token) {
        try {
            JWT.require(algorithm).build().verify(token);
            com.auth0.jwt.JWTVerifier verifier = JWT.require(algorithm).build();
            verifier.verify(token);
            return true;
        } catch (RuntimeException thrown) {
            return false;
        }
    }

    void tokens(String token, HttpServletResponse response) throws Exception {
        response.getWriter().println(token); // found html-injection
        if (!isSigned(token)) {
            return;
        }
        response.getWriter().println(token);
    }

    void files(String name) throws Exception {
        String decoded = URLDecoder.decode(name, "UTF-8");
        if (decoded.contains(".")) {
            return;
        }
        new FileInputStream("/srv/" + name);
        File file = new File("/srv/other", name + ".txt");
        if (file.exists() && file.getCanonicalPath().startsWith("/srv/other/")) {
            file.delete();
        }
        File free = new File(name);
        if (free.exists()) { // found path-injection
            System.out.println(free.getCanonicalPath().startsWith("/srv/"));
        }
        if (name.matches("^[\\w,\\s-]+\\.[A-Za-z]{3,4}$")) {
            new FileInputStream(name);
        }
        if (name.matches("^[\\w,\\s/-]+$")) {
            new FileInputStream(name); // found path-injection
        }
    }

    static boolean isListed(String address) throws Exception {
        URI uri = new URI(address);
        String host = uri.getHost().toLowerCase();
        return Arrays.asList("example.org", "example.com").contains(host);
    }

    void hosts(String address) throws Exception {
        if (isListed(address)) {
            new URL(address).openStream();
        }
        new URL(address).openStream(); // found request-forgery
    }
}
