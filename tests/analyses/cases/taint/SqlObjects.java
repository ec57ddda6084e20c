package samples;

import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.customizer.Bind;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.springframework.web.bind.annotation.*;

interface Callbacks {
    @SqlQuery("select * from callbacks where owner = :owner")
    List<Callback> of(@Bind("owner") String owner);

    @SqlQuery("select url from callbacks where id = :id")
    String url(@Bind("id") long id);

    @SqlQuery("select count(*) from callbacks")
    int count();

    @SqlQuery("select * from callbacks order by <column>")
    List<Callback> sorted(@Define("column") String column);

    @SqlUpdate("insert into callbacks (url) values (:url)")
    void insert(@Bind("url") String url);
}

class Callback {
    private String url;

    public String getUrl() {
        return url;
    }
}

/** Statements of JDBI, and what they give. */
@RestController
class SqlObjects {
    private Callbacks callbacks;
    private Jdbi jdbi;

    @GetMapping("/one")
    public String one(@RequestParam long id) {
        return callbacks.url(id); // found html-injection
    }

    @GetMapping("/all")
    public String all(@RequestParam String owner) {
        StringBuilder page = new StringBuilder();
        for (Callback callback : callbacks.of(owner)) {
            page.append(callback.getUrl());
        }
        return page.toString(); // found html-injection
    }

    @GetMapping("/count")
    public String count() {
        return "" + callbacks.count();
    }

    @GetMapping("/sorted")
    public void sorted(@RequestParam String column, @RequestParam String url) {
        callbacks.sorted(column); // found sql-injection
        callbacks.sorted("url");
        callbacks.insert(url);
    }

    @GetMapping("/handle")
    public void handle(@RequestParam String name) {
        try (Handle handle = jdbi.open()) {
            handle.createQuery("select * from users where name = :name").bind("name", name).mapToMap();
            handle.createQuery("select * from users where name = '" + name + "'").mapToMap(); // found sql-injection
            handle.execute("delete from users where name = ?", name);
            handle.execute("delete from users where name = '" + name + "'"); // found sql-injection
        }
        jdbi.open().createUpdate("delete from " + name).execute(); // found sql-injection
    }
}
