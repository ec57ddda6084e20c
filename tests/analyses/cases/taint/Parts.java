package samples;

import java.io.*;
import java.net.URLDecoder;
import java.nio.file.*;
import javax.servlet.http.*;
import org.apache.commons.io.FilenameUtils;

/** Lines of headers, which cannot end another header, and last parts of paths, which lead to no other folder. */
public class Parts extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String origin = request.getHeader("Origin");
        response.setHeader("Access-Control-Allow-Origin", origin);
        response.addHeader("X-Host", request.getServerName());
        response.setHeader("X-All", request.getHeaders("X-All").nextElement());
        response.setHeader("X-Decoded", URLDecoder.decode(origin, "UTF-8")); // found response-splitting
        response.setHeader("X-Name", request.getParameter("name")); // found response-splitting
        response.setHeader("Location", origin); // found url-redirection
        response.sendRedirect(request.getHeader("Referer")); // found url-redirection
        response.getWriter().write(origin); // found html-injection

        String name = request.getParameter("name");
        new File("/data", new File(name).getName()).delete();
        Files.delete(Paths.get("/data").resolve(Paths.get(name).getFileName().toString() + ".part"));
        Files.delete(Paths.get("/data").resolve(Paths.get(name).getFileName()));
        new File("/data", FilenameUtils.getName(name)).delete();
        new File("/data", new File(name).getPath()).delete(); // found path-injection
        Files.delete(Paths.get("/data").resolve(Paths.get(name).getParent())); // found path-injection
        new File("/data", new File(name).getParentFile().getName() + "/" + name).delete(); // found path-injection
        Runtime.getRuntime().exec(new File(name).getName()); // found command-injection
    }
}
