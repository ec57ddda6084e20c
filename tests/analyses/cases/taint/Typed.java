package samples;

import java.io.IOException;
import javax.servlet.http.*;

/** Answers whose type says that they are no pages. */
public class Typed extends HttpServlet {
    private static final String JSON = "application/json;charset=UTF-8";
    private String type;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.getWriter().write("Hello " + request.getParameter("name"));
        response.getWriter().close();
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/html;charset=UTF-8");
        response.getWriter().write("Hello " + request.getParameter("name")); // found html-injection
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType(type);
        response.getWriter().write("Hello " + request.getParameter("name")); // found html-injection
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        send(response, request.getParameter("name"));
        mixed(request, response);
    }

    static void send(HttpServletResponse response, String text) throws IOException {
        response.setHeader("Content-Type", JSON);
        response.getWriter().print(text);
    }

    static void mixed(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        if (request.getParameter("page") != null) {
            response.setContentType("text/html");
        }
        response.getWriter().write(request.getParameter("name")); // found html-injection
    }
}
