package samples;

import java.time.LocalDate;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.*;

/** What controllers and resources return, and statements in annotations. */
@RestController
class Answers {
    enum Size { SMALL, LARGE }

    interface Users {
        @Select("select * from users where name = '${name}'")
        Object named(@Param("name") String name);

        @Select("select * from users where name = #{name} order by ${column}")
        Object sorted(@Param("name") String name, @Param("column") String column);

        @Select("select * from users where id = ${id}")
        Object numbered(@Param("id") int id);
    }

    Users users;

    @GetMapping("/page")
    String page(@RequestParam String name) {
        return "<b>" + name + "</b>"; // found html-injection
    }

    @GetMapping(value = "/json", produces = "application/json")
    String json(@RequestParam String name) {
        return "{\"name\": \"" + name + "\"}";
    }

    @GetMapping(value = "/html", produces = {"text/html", "application/json"})
    String html(@RequestParam String name) {
        return name; // found html-injection
    }

    @GetMapping("/harmless")
    String harmless(@RequestParam Size size, @RequestParam LocalDate day, @RequestParam int number) {
        return size.name() + day + number;
    }

    @GetMapping("/entity")
    ResponseEntity<String> entity(@RequestParam String name) {
        return ResponseEntity.ok(name); // found html-injection
    }

    @GetMapping("/object")
    ResponseEntity<Object> object(@RequestBody Answers body) {
        return ResponseEntity.ok(body);
    }

    @PostMapping("/users")
    void users(@RequestParam String name, @RequestParam String column, @RequestParam int id) {
        users.named(name); // found sql-injection
        users.sorted(name, column); // found sql-injection
        users.sorted(name, "id");
        users.numbered(id);
    }
}

@Controller
class Views {
    @GetMapping("/view")
    String view(@RequestParam String name) {
        return name;
    }

    @GetMapping("/away")
    String away(@RequestParam String address) {
        return "redirect:" + address; // found url-redirection
    }

    @GetMapping("/here")
    String here(@RequestParam String name) {
        return "redirect:/found?name=" + name;
    }

    @ResponseBody
    @GetMapping("/body")
    String body(@RequestParam String name) {
        return name; // found html-injection
    }
}

@javax.ws.rs.Path("/resource")
class Resource {
    @javax.ws.rs.GET
    @javax.ws.rs.Produces("text/html")
    public String page(@javax.ws.rs.QueryParam("name") String name) {
        return name; // found html-injection
    }

    @javax.ws.rs.POST
    @javax.ws.rs.Produces("text/plain")
    public String text(String sent) throws java.io.IOException {
        Runtime.getRuntime().exec(sent); // found command-injection
        return sent;
    }
}
