package samples;

import io.swagger.annotations.*;
import org.springframework.jdbc.core.*;
import org.springframework.stereotype.*;
import org.springframework.web.bind.annotation.*;

/** Types of several packages that are not there: rows say which of them has which. */
@Controller
public class OnDemand {
    private JdbcTemplate jdbc;

    @GetMapping("/asked")
    @ResponseBody
    @ApiOperation("Asked.")
    public String asked(@ApiParam("The name.") @RequestParam String name) {
        jdbc.queryForList("select * from items where name = '" + name + "'"); // found sql-injection
        return name; // found html-injection
    }
}
