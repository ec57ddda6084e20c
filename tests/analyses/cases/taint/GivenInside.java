package samples;

import java.sql.*;
import org.springframework.web.bind.annotation.*;

/** What a controller is given by the program itself. */
@RestController
class GivenInside {
    private Statement statement;

    static class Shop {
        private String path;

        String getPath() {
            return path;
        }

        void setPath(String path) {
            this.path = path;
        }
    }

    @GetMapping("/shops")
    void list(@RequestAttribute Shop shop, @SessionAttribute Shop owner, Shop asked) throws SQLException {
        statement.executeQuery("select * from " + shop.getPath());
        statement.executeQuery("select * from " + owner.getPath());
        statement.executeQuery("select * from " + asked.getPath()); // found sql-injection
    }
}
