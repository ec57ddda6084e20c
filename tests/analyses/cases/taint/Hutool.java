package samples;

import cn.hutool.core.io.FileUtil;
import cn.hutool.core.io.resource.ResourceUtil;
import java.io.*;
import javax.servlet.http.*;

/** Files of hutool: what is written stands before the name of the file, and what is read is not chosen by that name. */
public class Hutool extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        String text = request.getParameter("text");
        FileUtil.writeUtf8String(text, "/data/a");
        FileUtil.writeBytes(text.getBytes(), "/data/b");
        FileUtil.writeBytes(new byte[0], name);                       // found path-injection
        FileUtil.copy("/data/a", name, true);                         // found path-injection
        String page = ResourceUtil.readUtf8Str(name + ".ftl");        // found path-injection
        Runtime.getRuntime().exec(page);
    }
}
