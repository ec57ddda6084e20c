package samples;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.util.HtmlUtils;

/** A controller of Spring. */
@RestController
public class Users {
    public static class User {
        private String name;
        private int age;

        public String getName() {
            return name;
        }

        public int getAge() {
            return age;
        }
    }

    private final JdbcTemplate template;

    public Users(JdbcTemplate template) {
        this.template = template;
    }

    @GetMapping("/users")
    public Object users(@RequestParam String name, @RequestParam int age) {
        template.queryForList("select * from users where age = " + age);
        return template.queryForList("select * from users where name = '" + name + "'"); // found sql-injection
    }

    @PostMapping("/users")
    public void add(@RequestBody User user) {
        template.update("insert into users values (" + user.getAge() + ")");
        template.update("insert into users values (?)", user.getName());
        template.update("insert into users values ('" + user.getName() + "')"); // found sql-injection
    }

    public void internal(String name) {
        template.update("delete from users where name = '" + name + "'");
    }
}
