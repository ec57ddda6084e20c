package samples;

import java.io.IOException;
import java.util.function.Function;
import javax.servlet.http.*;

/** Values on their way through variables, calls and strings. */
public class Values extends HttpServlet {
    private static String last;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        String other = name;
        response.getWriter().println(other); // found html-injection
        response.getWriter().println("<b>" + name + "</b>"); // found html-injection
        response.getWriter().println("<b>name</b>");
        other = "constant";
        response.getWriter().println(other);

        StringBuilder builder = new StringBuilder("<i>");
        builder.append(name).append("</i>");
        response.getWriter().println(builder); // found html-injection
        response.getWriter().println(new StringBuilder("x").append(1).toString());
        response.getWriter().println(String.format("%s", name)); // found html-injection
        response.getWriter().println(name.trim().substring(1).toUpperCase()); // found html-injection
        response.getWriter().println(name.length());
        response.getWriter().println("" + Integer.parseInt(name.substring(1)));

        response.getWriter().println(same(name)); // found html-injection
        response.getWriter().println(same("constant"));
        response.getWriter().println(quoted(name)); // found html-injection
        response.getWriter().println(quoted("constant"));
        response.getWriter().println(repeated(name, 3)); // found html-injection
        response.getWriter().println(repeated("constant", 3));
        StringBuilder given = new StringBuilder();
        add(given, name);
        response.getWriter().println(given); // found html-injection
        StringBuilder clean = new StringBuilder();
        add(clean, "constant");
        response.getWriter().println(clean);

        last = name;
        response.getWriter().println(last); // found html-injection

        Function<String, String> first = text -> text + "!";
        response.getWriter().println(first.apply(name)); // found html-injection
        Runnable later = () -> write(response, name);
        later.run();

        try {
            throw new IllegalStateException(name);
        } catch (IllegalStateException thrown) {
            response.getWriter().println(thrown.getMessage()); // found html-injection
        }

        int number = 7;
        String chosen = number * 6 > 40 ? "constant" : name;
        response.getWriter().println(chosen);
        if (number < 7) {
            response.getWriter().println(name);
        }
    }

    private static void write(HttpServletResponse response, String text) {
        try {
            response.getWriter().println(text); // found html-injection
        } catch (IOException thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    private static String same(String text) {
        return text;
    }

    private static String quoted(String text) {
        StringBuilder builder = new StringBuilder();
        builder.append('"').append(text).append('"');
        return builder.toString();
    }

    private static String repeated(String text, int times) {
        return times == 0 ? text : repeated(text + ",", times - 1);
    }

    private static void add(StringBuilder builder, String text) {
        builder.append(text);
    }
}
