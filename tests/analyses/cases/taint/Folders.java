package samples;

import java.io.*;
import javax.servlet.http.*;

/** Names that are asked for ways to other folders where they are not empty, and before they are given to a method. */
public class Folders extends HttpServlet {
    static boolean isNotEmpty(Object object) {
        if (object != null && !"".equals(object) && !object.equals("null")) {
            return true;
        }
        return false;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        if (isNotEmpty(name)) {
            if (name.contains("../") || name.contains("..\\")) {
                throw new IOException();
            }
        }
        new File("/data/" + name).delete();
        new File(name).delete();                                      // found path-injection
        remove(name);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        if (name != null) {
            if (name.contains("..")) {
                name = "";
            }
        }
        new File("/data", name).delete();
        removeAny(name);
        String other = request.getParameter("other");
        removeAny(other);
        if (other != null) {
            if (other.isEmpty()) {
                return;
            }
        }
        new File("/data", other).delete();                            // found path-injection
    }

    /** Each call has asked. */
    static void remove(String name) {
        new File("/data" + File.separator + name + File.separator).delete();
    }

    static void removeAny(String name) {
        new File("/data", name).delete();                             // found path-injection
    }
}
