package samples;

import java.io.IOException;
import java.util.*;
import javax.servlet.http.*;

/** Objects that are made in one place and filled in another: their taint is where they are, and nowhere else. */
public class Filled extends HttpServlet {
    private static Object slot;
    private final StringBuilder line = new StringBuilder();
    private final char[] page = new char[64];
    private final StringBuilder other = new StringBuilder();

    static void fill(StringBuilder into, String text) {
        into.append(text);
    }

    static <T> T slot() {
        return (T) slot;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        fill(line, request.getParameter("name"));
        fill(other, "constant");
        response.getWriter().println(line); // found html-injection
        response.getWriter().println("name: " + line); // found html-injection
        response.getWriter().println(line.toString()); // found html-injection
        response.getWriter().println(other.toString());
        request.getReader().read(page);
        response.getWriter().println(new String(page)); // found html-injection
        List<StringBuilder> lines = new ArrayList<>();
        lines.add(line);
        for (StringBuilder one : lines) {
            response.getWriter().println(one.toString()); // found html-injection
        }
        slot = line;
        slot = new HashMap<String, String>();
        StringBuilder kept = slot();
        response.getWriter().println(kept.toString()); // found html-injection
        Map<String, String> settings = slot();
        response.getWriter().println(settings.get("name"));
        settings.put("greeting", "hello");
        response.getWriter().println(settings.get("greeting"));
    }
}
