package samples;

import java.io.*;
import javax.servlet.http.*;

/** Arrays that streams of the program read into: tainted is that of the call whose stream is, and no other. */
public class Buffers extends HttpServlet {
    private final byte[] kept = new byte[64];

    static class Counted extends InputStream {
        private final InputStream inner;
        private long count;

        Counted(InputStream inner) {
            this.inner = inner;
        }

        @Override
        public int read() throws IOException {
            return inner.read();
        }

        @Override
        public int read(byte[] bytes) throws IOException {
            int read = inner.read(bytes);
            count += read;
            return read;
        }
    }

    static void filled(Counted from, byte[] bytes) throws IOException {
        from.read(bytes);
    }

    static void fromConsole(byte[] bytes) throws IOException {
        System.in.read(bytes);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Counted sent = new Counted(request.getInputStream());
        Counted own = new Counted(new ByteArrayInputStream(new byte[] {1, 2, 3}));
        byte[] page = new byte[64];
        sent.read(page);
        response.getOutputStream().write(page); // found html-injection
        byte[] other = new byte[64];
        own.read(other);
        response.getOutputStream().write(other);
        byte[] through = new byte[64];
        filled(sent, through);
        response.getOutputStream().write(through); // found html-injection
        byte[] console = new byte[64];
        fromConsole(console);
        Runtime.getRuntime().exec(new String(console)); // found command-injection
        sent.read(kept);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getOutputStream().write(kept); // found html-injection
    }
}
