package samples;

import java.io.*;
import javax.servlet.http.*;

/** Builders of which several texts are made, before and after something is appended. */
public class Grown extends HttpServlet {
    private StringBuilder kept = new StringBuilder();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        StringBuilder path = new StringBuilder();
        path.append("/data/").append(name.length());
        new File(path.toString()).mkdirs();
        path.append("/").append(name);
        new FileOutputStream(path.toString()).close(); // found path-injection
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        StringBuilder path = new StringBuilder("/data/");
        for (String part : name.split("/")) {
            new File(path.toString()).mkdirs(); // found path-injection
            path.append(part);
            if (path.length() > 9) {
                new FileOutputStream(path.substring(0, 9)).close(); // found path-injection
            }
        }
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        StringBuilder path = new StringBuilder("/data/");
        fill(path, name);
        new File(path.toString()).mkdirs(); // found path-injection
        path.append("x");
        new File(path.toString()).delete(); // found path-injection
        StringBuilder alias = kept;
        new File(alias.toString()).mkdirs(); // found path-injection
        alias.append(name);
        new File(alias.toString()).delete(); // found path-injection
        response.sendRedirect(request.getScheme() + "://" + request.getServerName() + request.getContextPath());
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        StringBuilder path = new StringBuilder("/data/");
        new File(path.toString()).mkdirs();
        try {
            path.append(name);
            new FileOutputStream("/data/a").close();
        } catch (IOException e) {
            new File(path.toString()).delete();      // found path-injection
        } finally {
            new File(path.toString()).isDirectory(); // found path-injection
        }
    }

    static void fill(StringBuilder path, String name) {
        path.append(name);
    }
}
