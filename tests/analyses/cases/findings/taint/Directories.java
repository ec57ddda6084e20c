import java.util.Hashtable;
import javax.mail.Authenticator;
import javax.mail.PasswordAuthentication;
import javax.naming.Context;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;

/** Passwords that a directory and a server of mail are given. */
public class Directories {
    public static void main(String[] args) throws Exception {
        open(args[0]);
        new Mail().getPasswordAuthentication();
        new Proxy().authentication();
        new DirectoriesTest().proxies();
    }

    static DirContext open(String password) throws Exception {
        String own = "secret-of-ours"; // found hard-coded-credential
        Hashtable<String, Object> environment = new Hashtable<>();
        environment.put(Context.SECURITY_AUTHENTICATION, "simple");
        environment.put(Context.SECURITY_CREDENTIALS, own);
        Hashtable<String, Object> other = new Hashtable<>();
        other.put("java.naming.security.credentials", password);
        new InitialDirContext(other);
        return new InitialDirContext(environment);
    }

    static class Mail extends Authenticator {
        @Override
        protected PasswordAuthentication getPasswordAuthentication() {
            return new PasswordAuthentication("shop", "secret-of-mail"); // found hard-coded-credential
        }
    }

    static class Proxy {
        PasswordAuthentication authentication() {
            return new PasswordAuthentication("shop", password());
        }

        String password() {
            return System.getenv("PROXY_PASSWORD");
        }
    }
}
