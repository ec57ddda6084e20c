package samples;

import java.io.IOException;
import javax.servlet.http.*;

/** Messages of exceptions go to the call that got the value, and to its handlers alone. */
public class Thrown extends HttpServlet {
    static class Refused extends RuntimeException {
        Refused(String name) {
            super("refused: " + name);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        try {
            refuse(name);
        } catch (IllegalArgumentException e) {
            response.getWriter().println(e.getMessage()); // found html-injection
        }
        try {
            refuse("constant");
        } catch (IllegalArgumentException e) {
            response.getWriter().println(e.getMessage());
        }
        try {
            refuse(name);
        } catch (IllegalStateException e) {
            response.getWriter().println(e.getMessage());
        }
        try {
            refuseOurs(name);
        } catch (RuntimeException e) {
            response.getWriter().println(e.getMessage()); // found html-injection
        }
        try {
            read(request);
        } catch (IllegalArgumentException e) {
            response.getWriter().println(e.getMessage()); // found html-injection
        }
        try {
            refuseSilently(name);
        } catch (IllegalArgumentException e) {
            response.getWriter().println(e.getMessage());
        }
    }

    static void refuse(String name) {
        if (name.length() > 3) {
            throw new IllegalArgumentException("too long: " + name);
        }
    }

    static void refuseOurs(String name) {
        throw new Refused(name);
    }

    static void refuseSilently(String name) {
        if (name.length() > 3) {
            throw new IllegalArgumentException("too long: " + name.length());
        }
    }

    static void read(HttpServletRequest request) {
        throw new IllegalArgumentException(request.getParameter("other"));
    }
}
