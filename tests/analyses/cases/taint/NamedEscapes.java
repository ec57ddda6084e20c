package samples;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

// Methods of the project that, by their names, escape what gets into pages, whatever they do for it; and others.
class NamedEscapes extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        response.getWriter().println(escapeForXML(name));
        response.getWriter().println(Texts.htmlEscape(name));
        response.getWriter().println(replaceAllOf(replaceAllOf(name, "&", "&amp;"), "<", "&lt;"));
        response.getWriter().println(replaceAllOf(name, "&", "&amp;")); // found html-injection
        response.getWriter().println(unescapeHtml(name)); // found html-injection
        response.getWriter().println(htmlPage(name)); // found html-injection
        Runtime.getRuntime().exec(escapeForXML(name)); // found command-injection
    }

    static String escapeForXML(String text) {
        StringBuilder out = new StringBuilder();
        int last = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '<') {
                out.append(text, last, i).append("&lt;");
                last = i + 1;
            }
        }
        return out.append(text, last, text.length()).toString();
    }

    static String unescapeHtml(String text) {
        return text.trim();
    }

    static String replaceAllOf(String text, String part, String by) {
        int at = text.indexOf(part);
        return at < 0 ? text : text.substring(0, at) + by + text.substring(at + part.length());
    }

    static String htmlPage(String text) {
        return "<p>" + text;
    }

    static class Texts {
        static String htmlEscape(String text) {
            return text.trim();
        }
    }
}
