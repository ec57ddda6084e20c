package samples;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import javax.servlet.http.*;

/** Folders of files that are asked whether they are in some folder, and classes that are made of what is sent. */
public class Unpacked extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        asked(request.getParameter("name"), Path.of("/data"));
        unasked(request.getParameter("name"), Path.of("/data"));
        byte[] code = request.getInputStream().readAllBytes();
        new Maker().make(code);
    }

    void asked(String name, Path folder) throws IOException {
        File file = new File("/data", name);
        File parent = file.getParentFile();
        if (!file.toPath().normalize().startsWith(folder)) {
            throw new IOException(name);
        }
        parent.mkdirs();
    }

    void unasked(String name, Path folder) throws IOException {
        File file = new File("/data", name);
        File parent = file.getParentFile();
        parent.mkdirs(); // found path-injection
        if (!file.toPath().normalize().startsWith(folder)) {
            throw new IOException(name);
        }
    }
}

class Maker extends ClassLoader {
    Class<?> make(byte[] code) {
        return defineClass(null, code, 0, code.length); // found code-injection
    }
}
