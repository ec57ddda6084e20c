package samples;

import com.auth0.jwk.JwkProviderBuilder;
import com.auth0.jwt.JWT;
import io.jsonwebtoken.Claims;
import io.jsonwebtoken.JwsHeader;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.SigningKeyResolverAdapter;
import java.net.URL;
import java.sql.*;
import javax.servlet.http.*;

/** What a token says is not checked before its signature is. */
public class Tokens extends HttpServlet {
    private Connection connection;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        String token = request.getParameter("token");
        Jwts.parser().setSigningKeyResolver(new SigningKeyResolverAdapter() {
            @Override
            public byte[] resolveSigningKeyBytes(JwsHeader header, Claims claims) {
                String key = (String) header.get("kid");
                try (Statement statement = connection.createStatement()) {
                    statement.executeQuery("SELECT key FROM keys WHERE id = '" + key + "'"); // found sql-injection
                } catch (SQLException failed) {
                    return null;
                }
                return new byte[0];
            }
        }).parseClaimsJws(token);
        keysOf(token);
    }

    private static void keysOf(String token) {
        try {
            var decoded = JWT.decode(token);
            var address = decoded.getHeaderClaim("jku");
            new JwkProviderBuilder(new URL(address.asString())).build();   // found request-forgery
        } catch (java.net.MalformedURLException failed) {
            throw new IllegalArgumentException(failed);
        }
    }
}
