package samples;

import java.io.IOException;
import java.util.*;
import java.util.stream.*;
import javax.servlet.http.*;

/** What collectors make: a text has what its elements had, and what is no text is in no variable of texts. */
public class Collected extends HttpServlet {
    private static final Map<String, Object> any = new HashMap<>();

    private static String text(String key) {
        return (String) any.get(key);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Stream<String> names = Stream.of(request.getParameter("name"), "others");
        response.getWriter().println(names.map(n -> "<b>" + n).collect(Collectors.joining(", "))); // found html-injection
        String fixed = Stream.of("a", "b").collect(Collectors.joining());
        response.getWriter().println(fixed);
        any.put(fixed, Stream.of(request.getParameter("list")).collect(Collectors.toList()));
        any.put("set", Stream.of(request.getParameter("set")).collect(Collectors.toCollection(TreeSet::new)));
        any.put("map", Map.of("key", request.getParameter("map")).entrySet());
        response.getWriter().println(text("list"));
        response.getWriter().println(any.get("list")); // found html-injection
    }
}
