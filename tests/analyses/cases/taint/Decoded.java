package samples;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import javax.servlet.http.*;
import org.springframework.web.util.HtmlUtils;

/** Values that are encoded, and decoded again. */
public class Decoded extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String text = request.getParameter("text");
        String escaped = HtmlUtils.htmlEscape(text);
        response.getWriter().println(escaped);
        response.getWriter().println(HtmlUtils.htmlUnescape(escaped)); // found html-injection
        String encoded = URLEncoder.encode(text, "UTF-8");
        response.getWriter().println(encoded);
        response.getWriter().println(URLDecoder.decode(encoded, "UTF-8").trim()); // found html-injection
        response.getWriter().println(HtmlUtils.htmlEscape(URLDecoder.decode(encoded, "UTF-8")));
        response.getWriter().println(back(text)); // found html-injection
        if (text.matches("[a-z]+")) {
            response.getWriter().println(back(text));
        }
    }

    static String back(String text) throws IOException {
        return URLDecoder.decode(text, "UTF-8");
    }
}
