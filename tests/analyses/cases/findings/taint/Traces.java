import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.lang3.exception.ExceptionUtils;

public class Traces extends HttpServlet {
    public static void main(String[] args) throws IOException {
        new Traces().doGet(null, null);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        PrintWriter out = response.getWriter();
        try {
            Integer.parseInt("x");
        } catch (NumberFormatException wrong) {
            wrong.printStackTrace();
            wrong.printStackTrace(out); // found exposed-trace
            out.println("<pre>" + trace(wrong) + "</pre>"); // found exposed-trace
            out.println(ExceptionUtils.getStackTrace(wrong)); // found exposed-trace
            StringWriter other = new StringWriter();
            other.write("it failed");
            out.println(other.toString());
        }
    }

    private static String trace(Exception wrong) {
        StringWriter text = new StringWriter();
        wrong.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
