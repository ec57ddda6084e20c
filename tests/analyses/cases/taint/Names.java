package samples;

import java.io.*;
import javax.servlet.http.*;

/** Names of files from which slashes are taken, and arrays that the library made. */
public class Names extends HttpServlet {
    static String verified(String name) {
        name = name.replaceAll("[\\\\/:*?\"<>|~\\s]", "");
        return name.trim();
    }

    static String spaced(String name) {
        return name.replaceAll("[\\\\:*?\\s]", "");
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getHeader("name");
        new File("/data", verified(name)).delete();
        new File("/data", name.replace('/', '_')).delete();
        new File("/data", name.replace("/", "-")).delete();
        new File("/data", name.replaceAll("[^a-zA-Z0-9._]", "_")).delete();
        new File("/data", spaced(name)).delete(); // found path-injection
        new File("/data", name.replace('.', '/')).delete(); // found path-injection
        new File("/data", name.replaceAll("[^a-z/]", "")).delete(); // found path-injection
        new File("/data", name.replaceAll("[/]", "x/")).delete(); // found path-injection
        Runtime.getRuntime().exec("ls " + verified(name)); // found command-injection
        String[] listed = new File("/data").list();
        listed[0] = name;
        new File("/data", listed[1]).delete(); // found path-injection
        new File("/data", new File("/other").list()[0]).delete();
        File common = folder();
        File chosen = common;
        chosen = new File(chosen, name);
        chosen.delete(); // found path-injection
        folder().delete();
        try {
            throw new Refused(name);
        } catch (Refused refused) {
            new File("/data", refused.where).delete();
            new File("/data", refused.getMessage()).delete(); // found path-injection
        }
    }

    static File folder() {
        return new File("/data");
    }

    static class Refused extends RuntimeException {
        final String where = "here";

        Refused(String message) {
            super(message);
        }
    }
}
