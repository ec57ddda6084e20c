package samples;

import java.io.IOException;
import java.text.MessageFormat;
import javax.servlet.http.*;

/** Arrays that methods give to the library: elements go back to the call that gave them. */
public class Formats extends HttpServlet {
    static String text(String format, Object[] arguments) {
        String text = format;
        if (arguments != null) {
            text = MessageFormat.format(text, arguments);
        }
        return text;
    }

    static String text(String format) {
        return text(format, null);
    }

    static String wrapped(String format, Object[] arguments) {
        return "<b>" + text(format, arguments) + "</b>";
    }

    static String formatted(String format, Object... arguments) {
        return String.format(format, arguments);
    }

    static void add(StringBuilder to, Object... arguments) {
        to.append(String.format("%s", arguments));
    }

    static void first(StringBuilder to, String[] arguments) {
        to.append(arguments[0]);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        Runtime runtime = Runtime.getRuntime();
        runtime.exec(text("a"));
        runtime.exec(text("a {0}", new Object[] {"b"}));
        runtime.exec(text("a {0}", new Object[] {name})); // found command-injection
        runtime.exec(wrapped("a {0}", new Object[] {"b"}));
        runtime.exec(wrapped("a {0}", new Object[] {name})); // found command-injection
        runtime.exec(formatted("a %s", "b"));
        runtime.exec(formatted("a %s", name)); // found command-injection
        StringBuilder one = new StringBuilder();
        add(one, "b");
        runtime.exec(one.toString());
        StringBuilder two = new StringBuilder();
        add(two, name);
        runtime.exec(two.toString()); // found command-injection
        StringBuilder three = new StringBuilder();
        first(three, new String[] {"b"});
        runtime.exec(three.toString());
        StringBuilder four = new StringBuilder();
        first(four, new String[] {name});
        runtime.exec(four.toString()); // found command-injection
    }
}
