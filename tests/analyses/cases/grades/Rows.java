import java.io.*;
import java.net.*;
import java.sql.*;
import java.util.logging.Logger;
import javax.servlet.http.*;

/** What the program's own database holds is graded one level lower than what comes over a network, but where it gets to other people's pages or becomes objects. */
class Rows extends HttpServlet {
    private static final Logger LOG = Logger.getLogger("rows");
    private Connection connection;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery("select name from users")) {
            String name = rows.getString(1);
            statement.execute("delete from users where name = '" + name + "'");  // found sql-injection: warning
            Runtime.getRuntime().exec(name);                                     // found command-injection: warning
            new FileInputStream(name).close();                                   // found path-injection: warning
            request.getSession().setAttribute("name", name);                     // found trust-boundary-violation: note
            LOG.info(name);
            response.getWriter().write(name);                                    // found html-injection: error
            new ObjectInputStream(rows.getBinaryStream(2)).readObject();         // found unsafe-deserialization: error
            String given = request.getParameter("name");
            Runtime.getRuntime().exec(given);                                    // found command-injection: error
            request.getSession().setAttribute("name", given);                    // found trust-boundary-violation: warning
            LOG.info(given);                                                     // found log-injection: note
            String either = given == null ? name : given;
            Runtime.getRuntime().exec(either);                                   // found command-injection: error
            LOG.info(either);                                                    // found log-injection: note
        } catch (SQLException | ClassNotFoundException e) {
            throw new IOException(e);
        }
    }
}
