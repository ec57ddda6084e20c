package samples;

import java.sql.*;
import javax.naming.directory.*;
import javax.persistence.EntityManager;
import org.apache.directory.shared.ldap.filter.FilterParser;
import org.hibernate.Session;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.*;
import org.springframework.stereotype.Service;

/** What somebody who logs in says he is, and where programs look for him. */
public class Logins {
    @Service
    static class Details implements UserDetailsService {
        private EntityManager manager;

        @Override
        public UserDetails loadUserByUsername(String name) {
            Session session = manager.unwrap(Session.class);
            session.doReturningWork(connection -> {
                ResultSet found = connection.createStatement().executeQuery("select * from u where n = '" + name + "'"); // found sql-injection
                return found.next();
            });
            session.doWork(connection -> {
                PreparedStatement statement = connection.prepareStatement("select * from u where n = ?");
                statement.setString(1, name);
                statement.executeQuery();
            });
            return null;
        }
    }

    @Service
    static class Provider implements AuthenticationProvider {
        private DirContext directory;

        @Override
        public Authentication authenticate(Authentication login) {
            try {
                FilterParser.parse("(uid=" + login.getName() + ")"); // found ldap-injection
                directory.getAttributes("uid=" + login.getName()); // found ldap-injection
                directory.search("ou=people", "(uid={0})", new Object[] {login.getName()}, new SearchControls());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            return login;
        }

        @Override
        public boolean supports(Class<?> type) {
            return true;
        }
    }
}
