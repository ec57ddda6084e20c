import java.io.IOException;
import java.util.List;
import javax.persistence.EntityManager;
import javax.persistence.EntityManagerFactory;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;

/** Sessions and connections that libraries open, of whose classes no more is known than their names. */
class Sessions {
    private static Session current;
    private final SessionFactory factory;
    private final EntityManagerFactory managers;
    private final SqlSessionFactory mappers;
    private final JedisPool pool;

    Sessions(SessionFactory factory, EntityManagerFactory managers, SqlSessionFactory mappers, JedisPool pool) {
        this.factory = factory;
        this.managers = managers;
        this.mappers = mappers;
        this.pool = pool;
    }

    List<?> open(String text) {
        Session session = factory.openSession(); // found unclosed-resource
        return session.createQuery(text).list();
    }

    List<?> sometimes(String text) {
        Session session = factory.openSession(); // found unclosed-resource
        List<?> found = session.createQuery(text).list();
        if (found.isEmpty()) {
            return null;
        }
        session.close();
        return found;
    }

    List<?> closed(String text) {
        Session session = factory.openSession();
        try {
            return session.createQuery(text).list();
        } finally {
            session.close();
        }
    }

    List<?> inTry(String text) {
        try (Session session = factory.openSession()) {
            return session.createQuery(text).list();
        }
    }

    Session kept() {
        current = factory.openSession();
        return current;
    }

    Object managed(Class<?> type, long id) {
        EntityManager manager = managers.createEntityManager(); // found unclosed-resource
        return manager.find(type, id);
    }

    Object managedClosed(Class<?> type, long id) {
        EntityManager manager = managers.createEntityManager();
        try {
            return manager.find(type, id);
        } finally {
            manager.close();
        }
    }

    int mapped(String name) {
        SqlSession session = mappers.openSession(); // found unclosed-resource
        return session.delete(name);
    }

    int mappedInTry(String name) {
        try (SqlSession session = mappers.openSession()) {
            return session.delete(name);
        }
    }

    String cached(String key) {
        Jedis jedis = pool.getResource(); // found unclosed-resource
        return jedis.get(key);
    }

    String cachedInTry(String key) {
        try (Jedis jedis = pool.getResource()) {
            return jedis.get(key);
        }
    }

    String returned(String key) {
        Jedis jedis = pool.getResource();
        try {
            return jedis.get(key);
        } finally {
            pool.returnResource(jedis);
        }
    }

    /** A client serves all who ask, as long as the program runs. */
    static int asked(String address) throws IOException {
        CloseableHttpClient client = HttpClients.createDefault();
        return client.execute(new HttpGet(address)).getStatusLine().getStatusCode();
    }
}
