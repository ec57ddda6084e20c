package samples;

import java.io.*;
import java.net.Socket;
import javax.servlet.http.*;

/** Streams of the project: what they write gets to a page only if they are those of servlets. */
public class Sending extends HttpServlet {
    static class Chunks extends FilterOutputStream {
        Chunks(OutputStream out) {
            super(out);
        }

        void all(byte[] bytes) throws IOException {
            write(bytes, 0, bytes.length);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Socket socket = new Socket("localhost", 80);
        Chunks chunks = new Chunks(socket.getOutputStream());
        chunks.all(request.getHeader("name").getBytes());
        chunks.write(request.getHeader("name").getBytes());
    }
}
