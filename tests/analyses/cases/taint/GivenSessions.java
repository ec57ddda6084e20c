package samples;

import com.google.common.base.Joiner;
import com.squareup.okhttp.OkHttpClient;
import com.squareup.okhttp.Request;
import java.util.List;
import org.hibernate.SessionFactory;
import org.jdbi.v3.core.Jdbi;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.hibernate5.HibernateTemplate;
import org.springframework.web.bind.annotation.*;

/** Functions that templates give sessions and connections, and requests and texts that are built call by call. */
@RestController
public class GivenSessions {
    private HibernateTemplate hibernate;
    private SessionFactory factory;
    private JdbcTemplate jdbc;
    private Jdbi jdbi;

    @GetMapping("/sessions")
    public Object sessions(@RequestParam String name) throws Exception {
        String query = "from Item where name = '" + name + "'";
        hibernate.execute(session -> session.createQuery(query).list()); // found sql-injection
        hibernate.execute(session -> session.createQuery("from Item where name = :n").setParameter("n", name).list());
        factory.inTransaction(session -> session.createNativeQuery(query)); // found sql-injection
        jdbc.execute(connection -> connection.prepareStatement(query)); // found sql-injection
        jdbi.useHandle(handle -> handle.execute(query)); // found sql-injection
        return jdbi.withHandle(handle -> handle.createQuery("select 1").bind("n", name).list());
    }

    @PostMapping("/joined")
    public void joined(@RequestBody List<String> names, @RequestBody List<Long> numbers) {
        jdbc.queryForList("select * from items where name in ('" + Joiner.on("','").join(names) + "')"); // found sql-injection
        jdbc.queryForList("select * from items where id in (" + Joiner.on(",").skipNulls().join(numbers) + ")");
    }

    @GetMapping("/fetched")
    public void fetched(@RequestParam String address) throws Exception {
        Request request = new Request.Builder().get().url(address).build(); // found request-forgery
        new OkHttpClient().newCall(request).execute();
    }

    @GetMapping("/loaded")
    public void loaded(@RequestParam String library) {
        Runtime.getRuntime().load(library); // found code-injection
    }
}
