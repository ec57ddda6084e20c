package samples;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.URL;
import java.util.Locale;
import javax.servlet.http.*;

/** Addresses that name the machine before the value: by a pattern, or in a builder; and prefixes of paths. */
public class Addresses extends HttpServlet {
    static final String HOST = "https://example.com/";

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        new URL(String.format("https://example.com/%s", name)).openStream();
        new URL(String.format(Locale.ROOT, "https://example.com/%s", name)).openStream();
        new URL(String.format("%s%s", "https://example.com/", name)).openStream();
        new URL(String.format("%s/%s", "https://example.com", name)).openStream();
        new URL(String.format("%s/%s", name, "https://example.com")).openStream(); // found request-forgery
        new URL(String.format("https://%s/", name)).openStream(); // found request-forgery
        new URL(String.format("https://example.com%s", name)).openStream(); // found request-forgery
        builders(name, request.getParameter("all") != null);
        paths(name, request.getServletContext().getRealPath("/"));
    }

    void builders(String name, boolean all) throws IOException {
        StringBuilder made = new StringBuilder("https://example.com/");
        made.append("names/").append(name);
        new URL(made.toString()).openStream();
        StringBuilder given = new StringBuilder();
        given.append("https://example.com/").append(name);
        if (all) {
            given.append('/').append(name);
        }
        new URL(given.toString()).openStream();
        StringBuilder later = new StringBuilder();
        later.append(name).append("https://example.com/");
        new URL(later.toString()).openStream(); // found request-forgery
        StringBuilder sometimes = new StringBuilder();
        if (all) {
            sometimes.append("https://example.com/");
        }
        sometimes.append(name);
        new URL(sometimes.toString()).openStream(); // found request-forgery
        StringBuilder before = new StringBuilder("https://example.com/");
        before.insert(0, name);
        new URL(before.toString()).openStream(); // found request-forgery
        StringBuilder again = new StringBuilder("https://example.com/");
        again = new StringBuilder();
        again.append(name);
        new URL(again.toString()).openStream(); // found request-forgery
    }

    void paths(String name, String root) throws IOException {
        if (!name.contains("..") && name.startsWith(root + "/public/")) {
            new FileInputStream(name).close();
        }
        if (name.startsWith(root + "/public/")) {
            new FileInputStream(name).close(); // found path-injection
        }
        if (!name.contains("..") && name.startsWith("")) {
            new FileInputStream(new File(name)).close(); // found path-injection
        }
    }
}
