package samples;

import java.io.IOException;
import java.sql.*;
import javax.servlet.http.*;
import org.example.config.Settings;
import org.example.orders.BaseService;
import org.example.text.Texts;

/** What an object keeps for a key is not made of the key. */
public class LookedUp extends HttpServlet {
    private Settings settings;
    private Texts texts;
    private Statement statement;
    private Items items;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        try {
            String kept = settings.getConfig(name, "group", 300);
            statement.executeQuery(kept);
            statement.executeQuery(items.textOf(name));
            String written = texts.joined(name, "group");
            statement.executeQuery(written); // found sql-injection
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    static class Items extends BaseService {
        String textOf(String name) {
            Item item = getById(name);
            return item.text;
        }
    }

    static class Item {
        String text;
    }
}
