package samples;

import java.io.File;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.kohsuke.stapler.QueryParameter;
import org.kohsuke.stapler.Stapler;
import org.kohsuke.stapler.StaplerRequest2;
import org.kohsuke.stapler.StaplerResponse2;

/** Methods that Stapler calls by their names, or for their annotations, and methods that Liquibase calls. */
public class Stapled {
    public void doDelete(StaplerRequest2 request, StaplerResponse2 response) throws IOException {
        new File(request.getRestOfPath()).delete(); // found path-injection
        new File(Stapler.getCurrentRequest2().getParameter("name")).delete(); // found path-injection
        response.sendRedirect2(request.getParameter("to")); // found url-redirection
        response.getWriter().println(request.getParameter("name")); // found html-injection
        response.sendRedirect2(".");
    }

    public Object doCheckName(@QueryParameter String name) {
        return new File(name).delete(); // found path-injection
    }

    public void delete(StaplerRequest2 request) {
        new File(request.getRestOfPath()).delete();
    }
}

class Renamed implements liquibase.change.custom.CustomTaskChange {
    private Connection connection;

    public void execute(liquibase.database.Database database) {
        try (java.sql.Statement statement = connection.createStatement()) {
            java.sql.ResultSet names = statement.executeQuery("SELECT name FROM kinds");
            statement.executeUpdate("DELETE FROM kinds WHERE name = '" + names.getString(1) + "'"); // found sql-injection
        } catch (SQLException failed) {
            return;
        }
    }
}
