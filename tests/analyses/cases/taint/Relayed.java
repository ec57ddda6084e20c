import java.io.*;
import javax.servlet.ServletOutputStream;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;

/** Wrappers pass on what they are given: the harm is told where they are called. */
class Relayed extends HttpServlet {
    static class Wrapped extends HttpServletResponseWrapper {
        Wrapped(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void setHeader(String name, String value) {
            super.setHeader(name, value);
        }

        @Override
        public void addHeader(String name, String value) {
            super.addHeader(name, value);                            // found response-splitting
        }
    }

    static class Counted extends ServletOutputStream {
        final ServletOutputStream inner;

        Counted(ServletOutputStream inner) {
            this.inner = inner;
        }

        @Override
        public void print(String text) throws IOException {
            inner.print(text);
        }

        @Override
        public void println(String text) throws IOException {
            inner.println("<b>" + text);
        }

        @Override
        public void write(int part) throws IOException {
            inner.write(part);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        Wrapped wrapped = new Wrapped(response);
        wrapped.setHeader("Name", name);                             // found response-splitting
        wrapped.addHeader("Name", "constant");
        passed(wrapped, name);
        Counted counted = new Counted(response.getOutputStream());
        counted.print(name);                                         // found html-injection
        counted.println(name);                                       // found html-injection
        response.sendError(404, name);
        response.getWriter().println(request.getMethod());
    }

    // A function that is no sink itself.
    static void passed(Wrapped wrapped, String name) {
        java.util.function.BiConsumer<String, String> adds = wrapped::addHeader;
        adds.accept("Name", name);
    }
}
