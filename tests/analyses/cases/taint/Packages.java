package samples;

import java.io.IOException;
import javax.servlet.http.*;

/** Classes of one package, which nobody else names. */
public class Packages extends HttpServlet {
    private static final String COMMANDS = "org.example.shop.commands.";
    private static String changing = "org.example.shop.commands.";

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        changing = request.getParameter("package");
        try {
            Class.forName("org.example.shop.commands." + name + "Command");
            Class.forName(COMMANDS + name);
            Class.forName(changing + name); // found unsafe-reflection
            Class.forName("org." + name); // found unsafe-reflection
            Class.forName(name + ".Command"); // found unsafe-reflection
            Class.forName(name + "org.example.shop.commands."); // found unsafe-reflection
            getClass().getMethod("get" + name); // found unsafe-reflection
        } catch (ReflectiveOperationException e) {
            return;
        }
    }
}
