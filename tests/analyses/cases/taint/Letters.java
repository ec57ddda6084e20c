import java.io.*;
import javax.naming.directory.*;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Methods that escape letter by letter: where a character is not the one that does the harm, it does none. */
class Letters extends HttpServlet {
    DirContext directory;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        PrintWriter page = response.getWriter();
        page.println(switched(name));
        page.println(compared(name));
        page.println(arrows(name));
        page.println(wrong(name));                                   // found html-injection
        page.println(through(name));                                 // found html-injection
        page.println(filter(name));                                  // found html-injection
        try {
            directory.search("o=x", "(uid=" + filter(name) + ")", new SearchControls());
            directory.search("o=x", "(uid=" + half(name) + ")", new SearchControls());      // found ldap-injection
            directory.search("o=x", "(uid=" + switched(name) + ")", new SearchControls());  // found ldap-injection
        } catch (javax.naming.NamingException e) {
            throw new IOException(e);
        }
    }

    static String switched(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<':
                    out.append("&lt;");
                    break;
                case '&':
                    out.append("&amp;");
                    break;
                default:
                    out.append(c);
            }
        }
        return out.toString();
    }

    static String compared(String text) {
        StringBuilder out = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (c == '"') {
                out.append("&quot;");
            } else if (c != '<') {
                out.append(c);
            } else {
                out.append("&lt;");
            }
        }
        return out.toString();
    }

    static String arrows(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case 'b' -> out.append(c);
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    // It escapes another sign.
    static String wrong(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&':
                    out.append("&amp;");
                    break;
                default:
                    out.append(c);
            }
        }
        return out.toString();
    }

    // The case goes on to the one below.
    static String through(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<':
                    out.append(' ');
                default:
                    out.append(c);
            }
        }
        return out.toString();
    }

    static String filter(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '*' -> out.append("\\2a");
                case '(' -> out.append("\\28");
                case ')' -> out.append("\\29");
                case '\\' -> out.append("\\5c");
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    // One of two signs.
    static String half(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            out.append(c == '*' ? ' ' : c);
        }
        return out.toString();
    }
}
