package samples;

import com.opensymphony.xwork2.ognl.OgnlReflectionProvider;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.SearchScope;
import io.vertx.sqlclient.SqlConnection;
import java.io.ByteArrayInputStream;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.sql.Statement;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.jms.Message;
import javax.jms.MessageListener;
import javax.jms.ObjectMessage;
import javax.jms.TextMessage;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.text.StringSubstitutor;
import org.apache.struts.action.ActionForward;
import org.apache.torque.util.BasePeer;
import org.jboss.seam.log.Log;
import org.owasp.html.PolicyFactory;
import org.springframework.util.StringUtils;
import org.springframework.web.util.WebUtils;

/** Messages of a queue, cookies that a utility finds, and libraries that few use. */
public class Messages extends HttpServlet implements MessageListener {
    private Statement statement;
    private Log log;

    @Override
    public void onMessage(Message message) {
        try {
            if (message instanceof TextMessage) {
                TextMessage text = (TextMessage) message;
                statement.execute("SELECT " + text.getText()); // found sql-injection
            } else if (message instanceof ObjectMessage) {
                Object object = ((ObjectMessage) message).getObject(); // found unsafe-deserialization
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
        Cookie cookie = WebUtils.getCookie(request, "remembered");
        byte[] bytes = Base64.getDecoder().decode(cookie.getValue());
        try (ObjectInput input = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            input.readObject(); // found unsafe-deserialization
        } catch (ClassNotFoundException e) {
            log.info("no class " + cookie.getValue()); // found log-injection
            log.info("no class #0", cookie.getValue());
        }
        run(request, null);
        find(request, null, null);
        show(request, response, null);
    }

    void run(HttpServletRequest request, SqlConnection connection) {
        String text = request.getParameter("text");
        connection.prepare(text); // found sql-injection
        BasePeer.executeQuery(text); // found sql-injection
        new ActionForward("name", text, true); // found url-forward
        new ActionForward(text, "/constant", true);
    }

    void find(HttpServletRequest request, OgnlReflectionProvider provider, LDAPConnection directory) throws java.io.IOException {
        String text = request.getParameter("text");
        provider.getGetMethod(Object.class, text); // found code-injection
        directory.search("dc=com", SearchScope.SUB, "(uid=" + text + ")"); // found ldap-injection
        directory.search("dc=com", SearchScope.SUB, "(uid=" + Filter.encodeValue(text) + ")");
        new java.io.File("/data", StringUtils.getFilename(text)).delete();
        Runtime.getRuntime().exec("ls " + StringUtils.getFilename(text)); // found command-injection
    }

    void show(HttpServletRequest request, HttpServletResponse response, PolicyFactory policy) throws java.io.IOException {
        String text = request.getParameter("text");
        response.getWriter().println(policy.sanitize(text));
        statement.execute("SELECT " + policy.sanitize(text)); // found sql-injection
        Map<String, String> names = new HashMap<>();
        statement.execute(new StringSubstitutor(names).replace("SELECT ${name}"));
        statement.execute(StringSubstitutor.replace("SELECT ${name}", names));
        Map<String, String> values = new HashMap<>();
        values.put("name", text);
        statement.execute(new StringSubstitutor(values).replace("SELECT ${name}")); // found sql-injection
        statement.execute(StringSubstitutor.replace("SELECT ${name}", values)); // found sql-injection
        statement.execute(new StringSubstitutor(names).replace(text)); // found sql-injection, code-injection
    }
}
