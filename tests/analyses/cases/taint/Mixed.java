package samples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.*;
import javax.servlet.http.*;

/** Values of any type that are lists, or else objects of a class that is not found. */
public class Mixed extends HttpServlet {
    private final ObjectMapper mapper = new ObjectMapper();
    private Object value;

    @SuppressWarnings("unchecked")
    private static List<Object> listOf(Object value) {
        return (List<Object>) value;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ObjectNode answer = mapper.createObjectNode();
        List<Object> names = new ArrayList<>();
        names.add(request.getParameter("name"));
        value = request.getContentLength() > 0 ? answer : names;
        List<Object> some = listOf(value).subList(0, 1);
        listOf(value).addAll(some);
        response.getWriter().print(some.get(0));              // found html-injection
        response.getWriter().print(answer.toString());
    }
}
