package samples;

import java.io.*;
import javax.servlet.http.*;

/** Names of which only what is behind the last slash is left, where they have one. */
public class LastParts extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        if (name.contains("/")) {
            name = name.substring(name.lastIndexOf("/") + 1);
        }
        new File("/data/" + name).delete();
        String other = request.getParameter("other");
        if (other.endsWith("/")) {
            other = other.substring(other.lastIndexOf("/") + 1);
        }
        new File("/data/" + other).delete();                          // found path-injection
        new File("/data/" + nameOf(request.getParameter("file"))).delete();
        new File("/data/" + beginningOf(request.getParameter("file"))).delete(); // found path-injection
    }

    static String nameOf(String path) {
        int slash = path.lastIndexOf('/');
        int backslash = path.lastIndexOf('\\');
        int last = Math.max(slash, backslash);
        if (last != -1) {
            path = path.substring(last + 1);
        }
        return path;
    }

    static String beginningOf(String path) {
        int last = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
        if (last != -1) {
            path = path.substring(0, last);
        }
        return path;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.sendRedirect(request.getServletPath() + request.getPathInfo() + "/");
        response.sendRedirect(request.getContextPath() + request.getServletPath() + request.getPathInfo());
        response.sendRedirect(request.getContextPath() + request.getPathInfo()); // found url-redirection
        response.sendRedirect(request.getPathInfo() + request.getServletPath()); // found url-redirection
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        java.net.URL address = org.acme.net.URL.parse(request.getParameter("at")).toJavaURL();
        address.openStream();                                         // found request-forgery
    }
}
