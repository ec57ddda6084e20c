import java.io.*;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** What the program has serialised itself is what it made; what is inside is what it was. */
class Copied extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            String copy = (String) copied(request.getParameter("name"));
            Runtime.getRuntime().exec(copy);                         // found command-injection
            new ObjectInputStream(request.getInputStream()).readObject();  // found unsafe-deserialization
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        }
    }

    static Object copied(Object value) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutputStream out = new ObjectOutputStream(bytes);
        out.writeObject(value);
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }
}
