package samples;

import java.io.IOException;
import org.acme.text.Words;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

// Of objects of a missing library: numbers and truth values, by the names of the methods, carry nothing; other results may.
@RestController
class Counted {
    @GetMapping("/size")
    void size(@RequestParam String text) throws IOException {
        Words words = new Words(text);
        Runtime.getRuntime().exec("show " + words.size() + words.isEmpty() + words.contains("a"));
        Runtime.getRuntime().exec("show " + words.first()); // found command-injection
    }
}
