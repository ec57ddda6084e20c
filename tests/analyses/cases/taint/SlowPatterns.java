package samples;

import java.io.*;
import java.util.regex.*;
import javax.servlet.http.*;

/** Patterns that take long on some texts, and others that look as if they did. */
public class SlowPatterns extends HttpServlet {
    private static final Pattern NESTED = Pattern.compile("^(([a-z]+)*,?)*$");
    private static final Pattern LIST = Pattern.compile("^[^,]+(,[^,]+)*$");
    private static final Pattern COMMENT = Pattern.compile("/\\*(?:.|\\s)*?\\*/");
    private static final Pattern ANYWHERE = Pattern.compile("((a+)+)+");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String text = request.getParameter("text");
        NESTED.matcher(text).matches();                               // found regex-denial-of-service
        LIST.matcher(text).matches();
        Matcher comments = COMMENT.matcher(text);                     // found regex-denial-of-service
        while (comments.find()) {
            response.getOutputStream().write(1);
        }
        ANYWHERE.matcher(text).find();
        text.matches("((a+)+)+");                                     // found regex-denial-of-service
        text.replaceAll("(x+x+)+y", "");                              // found regex-denial-of-service
        text.split("\\s*,\\s*");
        text.matches("(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}");
        text.matches("((?>a+)+)+");
        text.matches("((a++)+)+");
        "(a+)+".matches(text.length() + "((a+)+)+");
        NESTED.matcher(request.getMethod()).reset();
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Pattern.matches("([a-z]+)*?:", request.getParameter("other")); // found regex-denial-of-service
    }
}
