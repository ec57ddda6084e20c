package samples;

import java.io.*;
import java.net.URLEncoder;
import java.nio.file.*;
import java.util.*;
import javax.naming.directory.*;
import javax.servlet.http.*;
import javax.xml.xpath.*;

/** Texts out of which what does the harm is taken, and paths of one's own. */
public class Cleaned extends HttpServlet {
    private DirContext directory;

    static String clean(String name) {
        return name.replace("..", "");
    }

    static String some(String name) {
        return name.isEmpty() ? name : name.replace("..", "");
    }

    static String unquoted(String name) {
        return name.replace("'", "");
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        new FileInputStream("/data/" + clean(name)).close();
        new FileInputStream("/data/" + name.replaceAll("\\.\\.", "")).close();
        new File("/data", name.trim().replace("..", "").toLowerCase()).delete();
        new FileInputStream("/data/" + some(name)).close(); // found path-injection
        new FileInputStream("/data/" + name.replace("../", "")).close(); // found path-injection
        new FileInputStream(clean(name)).close(); // found path-injection
        Path folder = Path.of("/data");
        Path path = folder.resolve(name).normalize();
        if (!path.getParent().equals(folder.toAbsolutePath())) {
            throw new IOException(name);
        }
        Files.delete(path);
        Path other = folder.resolve(name).normalize();
        if (other.getParent().equals(folder)) {
            return;
        }
        Files.delete(other); // found path-injection
        Runtime.getRuntime().exec("ls " + URLEncoder.encode(name, "UTF-8"));
        ResourceBundle bundle = ResourceBundle.getBundle("names", Locale.US);
        response.getWriter().println(bundle.getString(name));
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            XPath paths = XPathFactory.newInstance().newXPath();
            String name = request.getParameter("name");
            paths.compile("//a[@b='" + unquoted(name) + "']");
            paths.compile("//a[@b=" + unquoted(name) + "]"); // found xpath-injection
            String escaped = name.replace("\\", "\\5c").replace("(", "\\28").replace(")", "\\29");
            directory.search("ou=people", "(uid=" + escaped + ")", null);
            directory.search("ou=people", "(uid=" + name.replaceAll("[()*]", "") + ")", null);
            directory.search("ou=people", "(uid=" + name.replaceAll("[^a-zA-Z0-9]", "") + ")", null);
            directory.search("ou=people", "(uid=" + name.replace("(", "") + ")", null); // found ldap-injection
            directory.search("ou=people", "(uid=" + name.replaceAll("[^a-zA-Z0-9)]", "") + ")", null); // found ldap-injection
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String to = request.getParameter("to");
        if (to.startsWith("/admin")) {
            response.sendRedirect(to);
        }
        if (to.startsWith("/")) {
            response.sendRedirect(to); // found url-redirection
        }
        response.sendRedirect(response.encodeRedirectURL("/items" + to));
        response.sendRedirect("/" + to); // found url-redirection
        response.setHeader("Location", request.getRequestURL().append("/").append(3).toString());
    }
}
