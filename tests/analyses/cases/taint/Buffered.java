package samples;

import java.io.*;
import java.nio.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.*;
import javax.servlet.http.*;

/** What is written through one object gets into another one: formatters, matchers, buffers of `java.nio`. */
public class Buffered extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Writer page = response.getWriter();
        String value = request.getParameter("value");
        StringBuffer text = new StringBuffer();
        new Formatter(text).format("%s", value);
        page.append(text.toString());                                // found html-injection
        StringBuilder local = new StringBuilder();
        new Formatter(local, Locale.US).format(Locale.US, "%s", value);
        page.append(local.toString());                               // found html-injection
        StringBuilder other = new StringBuilder();
        new Formatter(other).format("%s", "constant");
        page.append(other.toString());
        Matcher matcher = Pattern.compile("a(.)").matcher(value);
        StringBuffer replaced = new StringBuffer();
        matcher.appendReplacement(replaced, "b");
        page.append(replaced.toString());                            // found html-injection
        ByteBuffer bytes = ByteBuffer.allocate(100);
        bytes.put(value.getBytes());
        page.append(new String(bytes.array()));                      // found html-injection
        page.append(CharBuffer.wrap(value).toString());              // found html-injection
        page.append(StandardCharsets.UTF_8.decode(StandardCharsets.UTF_8.encode(value)).toString()); // found html-injection
        page.append(StandardCharsets.UTF_8.decode(StandardCharsets.UTF_8.encode("constant")).toString());
    }
}
