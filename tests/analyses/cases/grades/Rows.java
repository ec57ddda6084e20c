import java.io.*;
import java.net.*;
import java.sql.*;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
            request.getSession().setAttribute("name", given);                    // found trust-boundary-violation: note
            LOG.info(given);                                                     // found log-injection: note
            Runtime.getRuntime().exec(new String[] {"ls", given});               // found command-injection: warning
            Runtime.getRuntime().exec(new String[] {"sh", "-c", given});         // found command-injection: error
            Runtime.getRuntime().exec(new String[] {given, "-c"});               // found command-injection: error
            new ProcessBuilder("git", "clone", given).start();                   // found command-injection: warning
            new ProcessBuilder("/bin/bash", "-c", given).start();                // found command-injection: error
            new ProcessBuilder(Arrays.asList("git", given)).start();             // found command-injection: warning
            new ProcessBuilder(Arrays.asList(given, "git")).start();             // found command-injection: error
            List<String> command = new ArrayList<>();
            command.add("git");
            command.add(given);
            new ProcessBuilder(command).start();                                 // found command-injection: warning
            String either = given == null ? name : given;
            Runtime.getRuntime().exec(either);                                   // found command-injection: error
            LOG.info(either);                                                    // found log-injection: note
        } catch (SQLException | ClassNotFoundException e) {
            throw new IOException(e);
        }
    }
}
