package samples;

import java.io.*;
import java.util.List;
import java.util.function.Function;
import javax.websocket.*;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.*;

class Entry {
    private String text;
    private long size;

    public String getText() {
        return text;
    }

    public long getSize() {
        return size;
    }
}

interface Entries extends JpaRepository<Entry, Long> {
    Entry findByName(String name);

    List<Entry> findByOwner(String owner);

    int countByOwner(String owner);
}

// What no class of the program implements comes from elsewhere, and so do its results; it asks no database.
interface Greeting {
    String greet(String name);

    Entry entry();
}

/** What a framework implements gives objects that nobody is seen to make. */
@RestController
class Repositories {
    private final Entries entries;
    private final Greeting greeting;

    Repositories(Entries entries, Greeting greeting) {
        this.entries = entries;
        this.greeting = greeting;
    }

    @GetMapping("/one")
    public String one() {
        return entries.findByName("a").getText(); // found html-injection
    }

    @GetMapping("/numbers")
    public String numbers() {
        return entries.findByName("a").getSize() + " of " + entries.countByOwner("a");
    }

    @GetMapping("/all")
    public ResponseEntity<String> all() {
        return new ResponseEntity<>(written(text -> text), HttpStatus.OK); // found html-injection
    }

    private String written(Function<String, String> change) {
        StringBuilder found = new StringBuilder();
        entries.findByOwner("a").forEach(entry -> found.append(change.apply(entry.getText())));
        return found.toString();
    }

    @GetMapping("/elsewhere")
    public ResponseEntity<Object> elsewhere(@RequestParam String to) {
        MultiValueMap<String, String> headers = new HttpHeaders();
        headers.put("Location", new java.util.ArrayList<>());
        headers.get("Location").add(to); // found url-redirection
        headers.get("X-To").add(to);
        return new ResponseEntity<>(headers, HttpStatus.FOUND);
    }

    @GetMapping("/greeting")
    public String greeting() {
        return greeting.greet("a") + greeting.entry().getText();
    }
}

class Commands extends Endpoint implements MessageHandler.Whole<String> {
    @Override
    public void onOpen(Session session, EndpointConfig config) {
        session.addMessageHandler(this);
    }

    @Override
    public void onMessage(String command) {
        try {
            Runtime.getRuntime().exec(new String[] {"sh", "-c", command}); // found command-injection
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
