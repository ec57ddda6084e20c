package samples;

import java.io.*;
import java.lang.reflect.Method;
import java.util.Map;
import javax.servlet.http.*;
import javax.xml.parsers.*;

/** Calls by reflection of methods of the library, and documents whose beginning the program writes. */
public class Invoked extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String text = request.getParameter("text");
        try {
            invoke(text);
            parse(text);
        } catch (Exception thrown) {
            throw new IOException(thrown);
        }
    }

    static void invoke(String command) throws Exception {
        Method exec = Class.forName("java.lang.Runtime").getMethod("exec", String.class);
        exec.invoke(Runtime.getRuntime(), command); // found command-injection
        exec.invoke(command, "ls");
        Method start = Class.forName("java.lang.ProcessImpl").getDeclaredMethod("start", String[].class, Map.class);
        start.invoke(null, new String[] {command}, null); // found command-injection
        String.class.getMethod("concat", String.class).invoke("a", command);
    }

    static void parse(String text) throws Exception {
        DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        String whole = "<?xml version='1.0'?><item>" + text + "</item>";
        builder.parse(new ByteArrayInputStream(whole.getBytes()));
        String headed = "<?xml version='1.0'?>" + text;
        builder.parse(new ByteArrayInputStream(headed.getBytes())); // found xml-external-entities
        StringBuilder items = new StringBuilder().append("<items>").append("<first/>");
        items.append(text).append("</items>");
        builder.parse(new ByteArrayInputStream(items.toString().getBytes()));
        StringBuilder late = new StringBuilder().append(text).append("<items/>");
        builder.parse(new ByteArrayInputStream(late.toString().getBytes())); // found xml-external-entities
    }
}

/** Answers of several types. */
class Branched extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String text = request.getParameter("text");
        switch (request.getParameter("kind")) {
            case "page":
                response.getWriter().print(text); // found html-injection
                response.setContentType("text/html");
                break;
            case "text":
                response.getWriter().print(text);
                response.setContentType("text/plain");
                break;
            case "tree":
                response.setContentType("application/json");
                response.getWriter().print(text);
                break;
            default:
                response.getWriter().print(text); // found html-injection
        }
    }
}
