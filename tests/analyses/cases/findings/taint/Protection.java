import com.auth0.jwt.algorithms.Algorithm;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.Jwts;
import java.io.File;
import java.net.URI;
import java.net.URL;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.logging.Logger;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;

public class Protection {
    private static final Logger LOG = Logger.getLogger("shop");

    public static void main(String[] args) throws Exception {
        tokens(args[0], args[1]);
        files(new File("prices"), new File("/srv/data"));
        logs(args[0], args[1], args.length);
        addresses(args[0]);
        new Sessions().filters(null);
        new Lambdas().filters(null);
        new References().filters(null);
        new Tokens().filters(null);
    }

    static class Sessions {
        void filters(HttpSecurity http) throws Exception {
            http.csrf().disable(); // found csrf-disabled
        }
    }

    static class Lambdas {
        void filters(HttpSecurity http) throws Exception {
            http.csrf(csrf -> csrf.disable()); // found csrf-disabled
            http.cors(cors -> cors.disable());
        }
    }

    static class References {
        void filters(HttpSecurity http) throws Exception {
            http.csrf(AbstractHttpConfigurer::disable); // found csrf-disabled
        }
    }

    static class Tokens {
        void filters(HttpSecurity http) throws Exception {
            http.csrf(csrf -> csrf.disable()); // found csrf-disabled
            http.sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS));
        }
    }

    static void tokens(String key, String token) {
        Jwts.parser().setSigningKey(key).parse(token); // found unverified-token
        Jwts.parser().setSigningKey(key).parseClaimsJws(token);
        Jwts.parser().parse(token); // found unverified-token
        Jwts.parserBuilder().setSigningKey(key).build().parse(token); // found unverified-token
        Jwts.parser().verifyWith(key).build().parse(token);
        Jwts.parser().setSigningKey(key).build().parse(token);
        JwtParser parser = Jwts.parser().setSigningKey(key);
        parser.parse(token); // found unverified-token
        Algorithm.none(); // found unverified-token
        Algorithm.HMAC256(key);
    }

    static void files(File file, File folder) throws Exception {
        file.setWritable(true, false); // found world-writable-file
        file.setWritable(true);
        file.setWritable(false, false);
        PosixFilePermissions.fromString("rwxrwxrwx"); // found world-writable-file
        PosixFilePermissions.fromString("rwxr-xr-x");
        Set<PosixFilePermission> all = Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OTHERS_WRITE); // found world-writable-file
        Runtime.getRuntime().exec("chmod 777 /srv/data"); // found world-writable-file
        Runtime.getRuntime().exec("/bin/chmod -R a+rwx /srv/data"); // found world-writable-file
        Runtime.getRuntime().exec("chmod 755 /srv/data");
        Runtime.getRuntime().exec("chmod u+w /srv/data");
        if (file.getCanonicalPath().startsWith(folder.getCanonicalPath())) { // found partial-path-check
            LOG.info("inside");
        }
        String whole = folder.getCanonicalPath();
        if (file.getCanonicalPath().startsWith(whole + File.separator)) {
            LOG.info("inside");
        }
    }

    static void logs(String user, String password, int tries) {
        LOG.info("login of " + user + " with " + password); // found logged-secret
        LOG.info("login of " + user + " failed " + tries + " times, password " + password.length() + " letters");
        LOG.warning(password); // found logged-secret
    }

    static void addresses(String path) throws Exception {
        new URL("http://shop.example.de/prices.xml").openStream().close(); // found clear-text-connection
        URI.create("http://updates.shop.de/" + path).toURL().openConnection(); // found clear-text-connection
        new URL("http://localhost:8080/health").openStream().close();
        new URL("https://shop.example.de/prices.xml").openStream().close();
        String namespace = "http://www.w3.org/2001/XMLSchema";
        path.equals(namespace);
    }
}
