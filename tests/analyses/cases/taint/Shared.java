package samples;

import java.io.File;
import java.io.FileInputStream;
import java.net.URL;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Logger;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.example.Texts;

/** What calls share, and what they do not: arrays of the library, arrays of arguments, and parts of addresses. */
public class Shared extends HttpServlet {
    private final String base = "https://example.org/" + System.getProperty("shop.system");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        try {
            arraysOfTheLibrary(request);
            arraysOfArguments(request);
            addresses(request, response);
            linesOfRequests(request);
            reflection(request);
        } catch (Exception thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    static String joined(String pattern, Object... arguments) {
        return pattern + arguments[0];
    }

    static String first(String[] texts) {
        return texts[0];
    }

    void arraysOfTheLibrary(HttpServletRequest request) throws Exception {
        String[] parts = Texts.split(request.getParameter("list"));
        List<String> list = Arrays.asList(parts);
        new FileInputStream(list.get(0)).close(); // found path-injection
        String[] others = Texts.split("a b");
        new FileInputStream(others[0]).close();
        String[] copies = Texts.split("a b c");
        System.arraycopy(new String[] {request.getParameter("name")}, 0, copies, 0, 1);
        new FileInputStream(copies[0]).close(); // found path-injection
    }

    void arraysOfArguments(HttpServletRequest request) throws Exception {
        String name = request.getParameter("name");
        new FileInputStream(joined("in ", name)).close(); // found path-injection
        new FileInputStream(joined("in ", "data")).close();
        new FileInputStream(first(new String[] {name})).close(); // found path-injection
        new FileInputStream(first(new String[] {"data"})).close();
    }

    void addresses(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String name = request.getParameter("name");
        new URL(base + "?name=" + name).openStream();
        new URL(base + "/" + name).openStream();
        response.sendRedirect("found?name=" + name);
        response.sendRedirect(name + "?found"); // found url-redirection
    }

    void linesOfRequests(HttpServletRequest request) throws Exception {
        Logger log = Logger.getLogger("requests");
        log.info(request.getHeader("Referer"));
        log.info(request.getRequestURI());
        log.info(request.getServletContext().getMimeType(request.getParameter("name")));
        log.info(request.getParameter("name")); // found log-injection
        log.info(URLDecoder.decode(request.getQueryString(), "UTF-8")); // found log-injection
    }

    void reflection(HttpServletRequest request) throws Exception {
        Object[] arguments = {request.getParameter("name")};
        Plugin.class.getMethod("start", File.class).invoke(new Plugin(), arguments);
        Plugin.class.getMethod("stop", String.class).invoke(new Plugin(), arguments);
    }

    public static class Plugin {
        public void start(File folder) {
            folder.delete();
        }

        public void stop(String name) {
            new File("/data", name).delete(); // found path-injection
        }
    }
}
