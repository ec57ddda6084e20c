package samples;

import java.io.*;
import javax.servlet.http.*;

/** Files of a folder that somebody outside names: who asks about them has been told of the folder. */
public class Listed extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        File[] files = new File(request.getParameter("folder")).listFiles(); // found path-injection: error
        for (File file : files) {
            if (file.isDirectory()) {
                System.out.println("a folder");
            }
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        for (File file : new File(request.getParameter("folder")).listFiles()) {
            if (file.isFile()) {
                file.delete(); // found path-injection: error
            }
        }
    }
}
