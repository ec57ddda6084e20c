package samples;

import android.content.ContentResolver;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteQueryBuilder;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.mongodb.BasicDBObject;
import com.mongodb.BasicDBObjectBuilder;
import com.mongodb.client.model.Filters;
import com.opensymphony.xwork2.ActionSupport;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.OutputStream;
import java.util.Formatter;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.commons.io.input.ClassLoaderObjectInputStream;
import org.apache.struts2.dispatcher.HttpParameters;
import org.apache.struts2.interceptor.HttpParametersAware;
import org.apache.xml.security.utils.XPathAPI;
import org.bson.Document;
import org.springframework.context.ApplicationContext;

/** Functions that a service calls with what it is sent, and libraries that these use. */
public class Services {
    public static class Order {
        public String name;
        public int count;
    }

    public static class Ordered implements RequestHandler<Order, String> {
        private static final String WHERE = "$where";
        private SQLiteDatabase database;
        private ContentResolver resolver;
        private XPathAPI paths;

        @Override
        public String handleRequest(Order order, Context context) {
            String name = order.name;
            database.query("orders", null, name, null, null, null, null); // found sql-injection
            database.query("orders", null, "name = ?", new String[] {name}, null, null, null);
            database.query(true, "orders", null, "count = " + order.count, null, null, null, name, "1"); // found sql-injection
            database.delete("orders", "name = '" + name + "'", null); // found sql-injection
            database.delete("orders", "name = ?", new String[] {name});
            database.update("orders", null, name, null); // found sql-injection
            SQLiteQueryBuilder builder = new SQLiteQueryBuilder();
            builder.appendWhere(name); // found sql-injection
            resolver.delete(null, name, null); // found sql-injection
            resolver.delete(null, "name = ?", new String[] {name});
            documents(name);
            paths.evaluate(null, null, "//order[@name='" + name + "']", null); // found xpath-injection
            paths.evaluate(null, name, "//order", null);
            return name;
        }

        private void documents(String name) {
            new BasicDBObject("name", name);
            new BasicDBObject(WHERE, "this.name == '" + name + "'"); // found sql-injection
            BasicDBObject query = new BasicDBObject();
            query.put("$where", name); // found sql-injection
            query.append("name", name).append("$where", name); // found sql-injection
            new Document().append("$where", "this.count > 1");
            BasicDBObjectBuilder.start().add("name", name).add("$where", name).get(); // found sql-injection
            Filters.where(name); // found sql-injection
        }
    }

    public static class Streamed implements RequestStreamHandler {
        private static final Logger LOGGER = Logger.getLogger("orders");

        @Override
        public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
            String name = new String(in.readAllBytes());
            LOGGER.entering("Streamed", name); // found log-injection
            LOGGER.exiting("Streamed", "handleRequest", name); // found log-injection
            LOGGER.throwing("Streamed", name, null); // found log-injection
            LOGGER.logp(Level.INFO, "Streamed", "handleRequest", name); // found log-injection
            LOGGER.logp(Level.INFO, "Streamed", "handleRequest", "{0}", new Object[] {name}); // found log-injection
            LOGGER.logrb(Level.INFO, "Streamed", "handleRequest", "texts", name); // found log-injection
            LOGGER.entering("Streamed", "handleRequest", name.replace("\n", ""));
            new Formatter().format(Locale.ROOT, name); // found format-string
            new Formatter().format(Locale.ROOT, "%s", name);
            read(in);
        }

        private static void read(InputStream in) throws IOException {
            try {
                ObjectInputStream named = new ClassLoaderObjectInputStream(Services.class.getClassLoader(), in);
                named.readObject(); // found unsafe-deserialization
                ClassLoaderObjectInputStream objects = new ClassLoaderObjectInputStream(null, in);
                objects.readObject(); // found unsafe-deserialization
            } catch (ClassNotFoundException thrown) {
                throw new IOException(thrown);
            }
        }
    }

    public static class Action implements HttpParametersAware {
        private Map<String, String> kept;

        @Override
        public void setParameters(HttpParameters parameters) {
            run(parameters.get("command").getValue(), kept.get("command"));
        }

        private static void run(String sent, String known) {
            try {
                Runtime.getRuntime().exec(sent); // found command-injection
                Runtime.getRuntime().exec(known);
            } catch (IOException thrown) {
                throw new IllegalStateException(thrown);
            }
        }
    }

    public static class Shown extends ActionSupport {
        private String name;
        private String known = "ls";
        private ApplicationContext context;
        private int page;

        public void setName(String name) {
            this.name = name;
        }

        public void setPage(int page) {
            this.page = page;
        }

        public void setSession(Map<String, Object> session) {
            known = (String) session.get("known");
        }

        public String show() throws IOException {
            Runtime.getRuntime().exec(name); // found command-injection
            Runtime.getRuntime().exec(known);
            Runtime.getRuntime().exec("ls " + page);
            context.getResource("classpath:texts/" + name); // found path-injection
            context.getResource("classpath:texts/" + page);
            return "shown";
        }
    }
}
