package samples;

import java.io.IOException;
import java.net.URL;
import javax.servlet.http.*;
import org.apache.commons.io.IOUtils;
import org.springframework.core.io.UrlResource;

/** Addresses of a machine and a port, and what only looks like an address. */
public class Ports extends HttpServlet {
    private int port;
    private String base;
    private String folder;

    void set(String base, String folder, int port) {
        this.base = base;
        this.folder = folder;
        this.port = port;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String id = request.getParameter("id");
        new URL("http://localhost:" + port + "/items/" + id).openStream();
        new URL("http://localhost:" + port + id).openStream();     // found request-forgery
        new URL("http://localhost:" + id + "/items/").openStream(); // found request-forgery
        new UrlResource(new URL(base + "/" + id)).exists();
        new UrlResource(new URL(id)).exists();                     // found request-forgery
        new UrlResource(new java.io.File(folder, id).toURI()).exists(); // found path-injection
        IOUtils.toString(request.getInputStream(), request.getCharacterEncoding());
        IOUtils.toString(new URL(id), "UTF-8");                    // found request-forgery
    }
}
