package samples;

import java.time.LocalDate;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.Variant;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.servlet.ModelAndView;

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
    private final HttpHeaders plain = new HttpHeaders();
    private final HttpHeaders typed = new HttpHeaders();
    private final HttpHeaders pages = new HttpHeaders();
    private final HttpHeaders other = new HttpHeaders();

    Answers() {
        plain.add("Content-Type", "text/plain;charset=UTF-8");
        typed.setContentType(MediaType.APPLICATION_JSON);
        pages.set(HttpHeaders.CONTENT_TYPE, "text/html");
        other.add("X-Size", "1");
    }

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

    @GetMapping(value = "/typed", produces = "application/json")
    ResponseEntity<String> typed(@RequestParam String name) {
        return ResponseEntity.ok(name);
    }

    @GetMapping(value = "/overridden", produces = "application/json")
    ResponseEntity<String> overridden(@RequestParam String name) {
        return ResponseEntity.ok().contentType(MediaType.TEXT_HTML).body(name); // found html-injection
    }

    @GetMapping("/built")
    ResponseEntity<String> built(@RequestParam String name) {
        ResponseEntity.BodyBuilder builder = ResponseEntity.ok();
        ResponseEntity.BodyBuilder json = builder.contentType(MediaType.APPLICATION_JSON);
        return json.body(name);
    }

    @GetMapping("/unknown")
    ResponseEntity<String> unknown(@RequestParam String name, MediaType type) {
        return ResponseEntity.ok().contentType(type).body(name); // found html-injection
    }

    @GetMapping("/headed")
    ResponseEntity<String> headed(@RequestParam String name) {
        return new ResponseEntity<>(name, plain, HttpStatus.OK);
    }

    @GetMapping("/headed/some")
    ResponseEntity<String> headedSome(@RequestParam String name) {
        HttpHeaders headers = name.isEmpty() ? plain : typed;
        return ResponseEntity.ok().headers(headers).body(name);
    }

    @GetMapping("/headed/page")
    ResponseEntity<String> headedPage(@RequestParam String name) {
        return new ResponseEntity<>(name, pages, HttpStatus.OK); // found html-injection
    }

    @GetMapping("/headed/other")
    ResponseEntity<String> headedOther(@RequestParam String name) {
        HttpHeaders headers = name.isEmpty() ? plain : other;
        return new ResponseEntity<>(name, headers, HttpStatus.OK); // found html-injection
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
        return name; // found url-forward
    }

    @GetMapping("/away")
    String away(@RequestParam String address) {
        return "redirect:" + address; // found url-redirection
    }

    @GetMapping("/here")
    String here(@RequestParam String name) {
        return "redirect:/found?name=" + name;
    }

    @GetMapping("/moved")
    ModelAndView moved(@RequestParam String address) {
        return new ModelAndView("redirect:" + address); // found url-redirection
    }

    @GetMapping("/included")
    ModelAndView included(@RequestParam String name) {
        return new ModelAndView("pages/" + name); // found url-forward
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

    @javax.ws.rs.GET
    public Response entity(@javax.ws.rs.QueryParam("name") String name) {
        return Response.ok(name).build(); // found html-injection
    }

    @javax.ws.rs.GET
    public Response before(@javax.ws.rs.QueryParam("name") String name) {
        return Response.status(400).type("text/plain").entity(name).build();
    }

    @javax.ws.rs.GET
    public Response after(@javax.ws.rs.QueryParam("name") String name) {
        return Response.ok(name).type(javax.ws.rs.core.MediaType.APPLICATION_JSON_TYPE).build();
    }

    @javax.ws.rs.GET
    public Response beside(@javax.ws.rs.QueryParam("name") String name, @javax.ws.rs.QueryParam("page") boolean page) {
        if (page) {
            return Response.ok(name, javax.ws.rs.core.MediaType.TEXT_HTML).build(); // found html-injection
        }
        return Response.ok(name, new Variant(javax.ws.rs.core.MediaType.APPLICATION_JSON_TYPE, "en", "utf-8")).build();
    }

    @javax.ws.rs.GET
    @javax.ws.rs.Produces("text/plain")
    public Response produced(@javax.ws.rs.QueryParam("name") String name) {
        return Response.ok().entity(name).build();
    }

    @javax.ws.rs.GET
    public Response object(Resource sent) {
        return Response.ok(sent).build();
    }

    @javax.ws.rs.GET
    @javax.ws.rs.Produces("application/json")
    public Response helped(@javax.ws.rs.QueryParam("name") String name) {
        return name.length() > 9 ? refusedTwice(name) : shared(name);
    }

    @javax.ws.rs.GET
    public Response helpedWithPage(@javax.ws.rs.QueryParam("name") String name) {
        return shared(name);
    }

    @javax.ws.rs.GET
    @javax.ws.rs.Produces("application/json")
    public Response inTransaction(@javax.ws.rs.QueryParam("name") String name) {
        return run(() -> name.isEmpty() ? Response.ok(name).build() : refusedInTransaction(name));
    }

    @javax.ws.rs.GET
    public Response pageInTransaction(@javax.ws.rs.QueryParam("name") String name) {
        return run(() -> Response.ok(name).build()); // found html-injection
    }

    private static <T> T run(java.util.function.Supplier<T> task) {
        return task.get();
    }

    private Response refusedInTransaction(String name) {
        return run(() -> Response.status(400).entity(name).build());
    }

    private Response refusedTwice(String name) {
        return refused("no " + name);
    }

    private Response refused(String name) {
        return Response.status(400).entity(name).build();
    }

    private Response shared(String name) {
        return Response.status(400).entity(name).build(); // found html-injection
    }
}
