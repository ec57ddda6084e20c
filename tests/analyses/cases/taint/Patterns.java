package samples;

import java.io.IOException;
import java.util.regex.Pattern;
import javax.servlet.http.*;

/** Patterns that somebody outside writes. */
public class Patterns extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String wanted = request.getParameter("wanted");
        Pattern.compile(wanted);                          // found regex-injection
        Pattern.compile(Pattern.quote(wanted) + ".*");
        "text".matches(".*" + wanted);                    // found regex-injection
        "text".replaceAll(wanted, "");                    // found regex-injection
        "text".replace(wanted, "");
        wanted.split(",");
        Pattern.compile(System.getenv("PATTERN"));
    }
}
