package samples;

import java.io.*;
import java.net.URL;
import java.net.URLEncoder;
import java.sql.*;
import java.util.logging.Logger;
import javax.naming.directory.DirContext;
import javax.servlet.http.*;
import javax.xml.xpath.XPath;
import org.owasp.encoder.Encode;

/** Kinds of sinks, each with a way that harms nothing. */
public class Sinks extends HttpServlet {
    private Connection connection;
    private DirContext directory;
    private XPath xpath;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        try {
            Statement statement = connection.createStatement();
            statement.executeQuery("select * from users where name = '" + name + "'"); // found sql-injection
            PreparedStatement prepared = connection.prepareStatement("select * from users where name = ?");
            prepared.setString(1, name);
            prepared.executeQuery();
            directory.search("ou=users", "(uid=" + name + ")", null); // found ldap-injection
            xpath.evaluate("/users/user[@name='" + name + "']", null, null); // found xpath-injection
        } catch (Exception thrown) {
            throw new IllegalStateException(thrown);
        }
        Runtime.getRuntime().exec("ls " + name); // found command-injection
        new ProcessBuilder("ls", name).start(); // found command-injection
        Runtime.getRuntime().exec("ls");
        new FileInputStream("/data/" + name).close(); // found path-injection
        new File("/data", name).delete(); // found path-injection
        new File("/data", "name").delete();
        response.sendRedirect(name); // found url-redirection
        response.sendRedirect("/found?name=" + URLEncoder.encode(name, "UTF-8"));
        response.setHeader("Name", name); // found response-splitting
        Logger.getLogger("sinks").info(name); // found log-injection
        Logger.getLogger("sinks").info(System.getProperty("shop.user"));
        new URL("http://" + name + "/").openStream(); // found request-forgery
        response.getWriter().println(Encode.forHtml(name));
        String encoded = Encode.forHtml(name);
        response.getWriter().println(encoded);
        try {
            connection.createStatement().execute("delete from users where name = '" + encoded + "'"); // found sql-injection
            new ObjectInputStream(request.getInputStream()).readObject(); // found unsafe-deserialization
        } catch (SQLException | ClassNotFoundException thrown) {
            throw new IllegalStateException(thrown);
        }
    }
}
