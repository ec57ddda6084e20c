package samples;

import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.sql.Statement;
import java.util.*;
import java.util.regex.Pattern;
import javax.servlet.http.*;

/** Values that a program looks at before it uses them. */
public class Checks extends HttpServlet {
    private static final Pattern WORD = Pattern.compile("^[a-zA-Z0-9_]{1,20}$");
    private static final Pattern LOOSE = Pattern.compile(".*[a-z].*");
    private static final Set<String> COLUMNS = new HashSet<>(Arrays.asList("name", "age"));
    private Statement statement;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        Runtime.getRuntime().exec(name); // found command-injection
        if (name.matches("[a-z]+")) {
            Runtime.getRuntime().exec(name);
        }
        Runtime.getRuntime().exec(name); // found command-injection
        if (!name.matches("[a-z0-9]+(-[a-z]*)?")) {
            Runtime.getRuntime().exec(name); // found command-injection
            return;
        }
        Runtime.getRuntime().exec(name);
        name = request.getParameter("other");
        Runtime.getRuntime().exec(name); // found command-injection
        conditions(request, name.isEmpty());
        numbers(request.getParameter("number"), request.getParameter("page"), request.getParameter("size"));
        patterns(request, response);
        loops(request);
        helpers(request);
        signs(request);
        paths(request);
        hosts(request, response);
        entries(new ByteArrayInputStream(new byte[0]), new File("folder"));
    }

    private static void checkNumber(String text) {
        Long.parseLong(text);
    }

    static void numbers(String number, String page, String size) throws IOException {
        Runtime.getRuntime().exec(number); // found command-injection
        int read = Integer.parseInt(number);
        Runtime.getRuntime().exec(number + read);
        try {
            Integer.parseInt(page);
        } catch (NumberFormatException thrown) {
            System.err.println("not a number");
        }
        Runtime.getRuntime().exec(page); // found command-injection
        checkNumber(size);
        Runtime.getRuntime().exec(size);
    }

    static void conditions(HttpServletRequest request, boolean other) throws IOException {
        String name = request.getParameter("name");
        if (other || name.equals("ls")) {
            Runtime.getRuntime().exec(name); // found command-injection
        }
        if (other && "ls".equals(name)) {
            Runtime.getRuntime().exec(name);
        }
        if ("ls".equals(name) || "dir".equals(name)) {
            Runtime.getRuntime().exec(name);
        }
        boolean known = name != null && COLUMNS.contains(name);
        if (known) {
            Runtime.getRuntime().exec(name);
        } else {
            Runtime.getRuntime().exec(name); // found command-injection
        }
        if (!WORD.matcher(name).matches()) {
            throw new IllegalArgumentException();
        }
        Runtime.getRuntime().exec(name);
    }

    static void patterns(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        if (LOOSE.matcher(name).matches()) {
            Runtime.getRuntime().exec(name); // found command-injection
        }
        if (name.matches("[^a-z]+")) {
            Runtime.getRuntime().exec(name); // found command-injection
        }
        if (name.matches("[a-z .]+")) {
            response.getWriter().println(name);
            Runtime.getRuntime().exec(name); // found command-injection
        }
        if (name.matches("[a-z/.]+")) {
            Runtime.getRuntime().exec(name);
            new File("/data/" + name).delete(); // found path-injection
        }
        String cased = name;
        switch (cased) {
            case "first":
                Runtime.getRuntime().exec(cased);
                break;
            case "second":
            default:
                Runtime.getRuntime().exec(cased); // found command-injection
        }
    }

    /** Libraries ask whether a text has digits or letters alone. */
    static void signs(HttpServletRequest request) throws IOException {
        String name = request.getParameter("name");
        if (org.apache.commons.lang3.StringUtils.isNumeric(name)) {
            Runtime.getRuntime().exec(name);
        }
        if (!acme.Texts.isNumeric(name)) {
            Runtime.getRuntime().exec(name); // found command-injection
            throw new IllegalArgumentException(name);
        }
        Runtime.getRuntime().exec(name);
    }

    /** Loops look at a new value in each round. */
    static void loops(HttpServletRequest request) throws IOException {
        for (String name : request.getParameterValues("names")) {
            if (!WORD.matcher(name).matches()) {
                continue;
            }
            Runtime.getRuntime().exec(name);
        }
        String last = "ls";
        while (!last.equals("")) {
            Runtime.getRuntime().exec(last); // found command-injection
            last = request.getParameter(last);
        }
    }

    static boolean isWord(String text) {
        return text != null && WORD.matcher(text).matches();
    }

    static boolean isColumn(String text) {
        if (text == null) {
            return false;
        }
        for (String column : COLUMNS) {
            if (column.isEmpty()) {
                return true;
            }
        }
        return COLUMNS.contains(text);
    }

    static boolean isKnown(String text) {
        if (COLUMNS.contains(text)) {
            return true;
        }
        return false;
    }

    static void requireWord(String text) {
        if (!isSimple(text)) {
            return;
        }
        if (!text.matches("[a-z]+")) {
            throw new IllegalArgumentException(text);
        }
    }

    static void require(String text) {
        if (!text.matches("[a-z]+")) {
            throw new IllegalArgumentException("no word");
        }
    }

    static boolean isSimple(String text) {
        return text.length() > 3;
    }

    static String wordOrNull(String text) {
        if (!WORD.matcher(text).matches()) {
            return null;
        }
        return text;
    }

    static void helpers(HttpServletRequest request) throws IOException {
        String name = request.getParameter("name");
        Runtime.getRuntime().exec(wordOrNull(name));
        if (isWord(name)) {
            Runtime.getRuntime().exec(name);
        }
        if (isKnown(name)) {
            Runtime.getRuntime().exec(name);
        }
        if (isColumn(name)) {
            Runtime.getRuntime().exec(name); // found command-injection
        }
        requireWord(name);
        Runtime.getRuntime().exec(name); // found command-injection
        require(name);
        Runtime.getRuntime().exec(name);
    }

    static void paths(HttpServletRequest request) throws IOException {
        String name = request.getParameter("name");
        if (!name.contains("..")) {
            new File("/data", name).delete();
            new File("/data/" + name).delete();
            new File(name).delete(); // found path-injection
            if (name.startsWith("/data/")) {
                new File(name).delete();
            }
        }
        if (name.startsWith("/data/")) {
            new File(name).delete(); // found path-injection
        }
        File file = new File("/data", name);
        if (file.getCanonicalPath().startsWith("/data/")) {
            file.delete();
        }
        file.delete(); // found path-injection
        if (file.getPath().startsWith("/data/")) {
            file.delete(); // found path-injection
        }
        Path root = Paths.get("/data");
        Path path = root.resolve(name).normalize();
        if (!path.startsWith(root)) {
            return;
        }
        Files.delete(path);
        unused(new File("/data"), name).delete();
        replaced(new File("/data"), name, request.getParameter("other")).delete(); // found path-injection
        changed(new File("/data"), name).delete(); // found path-injection
    }

    /** A file that is there gets another name in its folder. */
    static File unused(File folder, String name) {
        File file = new File(folder, name);
        Path inside = file.toPath().normalize();
        if (!inside.startsWith(folder.toPath().normalize() + File.separator)) {
            throw new IllegalArgumentException(name);
        }
        String last = inside.getFileName().toString();
        int dot = last.lastIndexOf('.');
        String stem = dot < 0 ? last : last.substring(0, dot);
        int index = 2;
        while (file.exists()) {
            file = inside.getParent().resolve(stem + "-" + index++).toFile();
        }
        return file;
    }

    static File replaced(File folder, String name, String other) {
        File file = new File(folder, name);
        Path inside = file.toPath().normalize();
        if (!inside.startsWith(folder.toPath())) {
            throw new IllegalArgumentException(name);
        }
        if (file.exists()) {
            file = inside.resolve(other).toFile();
        }
        return file;
    }

    static File changed(File folder, String name) {
        File file = new File(folder, "none");
        Path inside = file.toPath().normalize();
        file = new File(folder, name);
        if (!inside.startsWith(folder.toPath())) {
            throw new IllegalArgumentException(name);
        }
        return file;
    }

    static void hosts(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String text = request.getParameter("url");
        new URL("https://example.com/" + text).openStream();
        new URL("https://" + text).openStream(); // found request-forgery
        new URL("https://example.com" + text).openStream(); // found request-forgery
        URL url = new URL(text);
        if (url.getHost().equals("example.com")) {
            url.openStream();
        }
        url.openStream(); // found request-forgery
        if (COLUMNS.contains(URI.create(text).getHost())) {
            response.sendRedirect(text);
        }
        if (text.startsWith("https://example.com/")) {
            response.sendRedirect(text);
        }
        if (text.startsWith("https://example.com")) {
            response.sendRedirect(text); // found url-redirection
        }
    }

    static void entries(InputStream in, File folder) throws IOException {
        java.util.zip.ZipInputStream zip = new java.util.zip.ZipInputStream(in);
        java.util.zip.ZipEntry last = null;
        for (java.util.zip.ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
            new FileOutputStream(new File(folder, e.getName())).close(); // found path-injection
            if (e.getName().contains("..")) {
                continue;
            }
            new FileOutputStream(new File(folder, e.getName())).close();
            if (last != null) {
                new FileOutputStream(new File(folder, last.getName())).close(); // found path-injection
            }
            last = e;
            System.setProperty("last", e.getName());
            e = zip.getNextEntry();
            new FileOutputStream(new File(folder, e.getName())).close(); // found path-injection
        }
    }
}
