package samples;

import java.io.*;
import java.util.regex.*;
import javax.servlet.http.*;

/** Groups of patterns, which say what may be in them; and addresses that begin with one slash. */
public class Groups extends HttpServlet {
    private static final Pattern ITEM = Pattern.compile("/items\\(?/(\\d+)/(.*)");
    private static final Pattern NAMED = Pattern.compile("(?:x|y)/(?<id>[a-z_]+|none)/(?<rest>.+)");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Matcher matcher = ITEM.matcher(request.getPathInfo());
        if (matcher.matches()) {
            new File(matcher.group(1)).delete();
            new File(matcher.group(2)).delete();                      // found path-injection
            new File(matcher.group()).delete();                       // found path-injection
        }
        Matcher named = NAMED.matcher(request.getParameter("name"));
        if (named.find()) {
            new File(named.group("id")).delete();
            new File(named.group("rest")).delete();                   // found path-injection
        }
        Matcher either = ITEM.matcher(request.getParameter("name"));
        if (!either.find()) {
            either = NAMED.matcher(request.getParameter("other"));
        }
        new File(either.group(1)).delete();                           // found path-injection
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String next = request.getParameter("next");
        if (next.startsWith("/") && !next.startsWith("//")) {
            response.sendRedirect(next);
        } else if (next.startsWith("/")) {
            response.sendRedirect(next);                              // found url-redirection
        } else if (!next.startsWith("//")) {
            response.sendRedirect(next);                              // found url-redirection
        }
        if (isOwn(request.getParameter("to"))) {
            response.sendRedirect(request.getParameter("to"));        // found url-redirection
        }
        String to = request.getParameter("to");
        response.sendRedirect(isOwn(to) ? to : "/");
    }

    static boolean isOwn(String address) {
        return address != null && address.startsWith("/") && !address.startsWith("//");
    }
}
