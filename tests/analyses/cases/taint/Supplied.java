package samples;

import java.io.IOException;
import java.util.function.Supplier;
import javax.servlet.http.*;

/** A function that gives an object of a subclass gives what the call gets. */
public class Supplied extends HttpServlet {
    static class Entry {
        String name;
    }

    static class Small extends Entry {}

    static Entry made(Supplier<? extends Entry> supplier) {
        Entry entry = supplier.get();
        return entry;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Small small = new Small();
        small.name = request.getParameter("name");
        response.getWriter().println(made(() -> small).name); // found html-injection
    }
}
