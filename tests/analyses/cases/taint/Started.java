package samples;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

// What a process is made with is told once: where it is given.
@RestController
class Started {
    @GetMapping("/text")
    void text(@RequestParam String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command); // found command-injection
        builder.start();
    }

    @GetMapping("/chained")
    void chained(@RequestParam String command) throws IOException {
        new ProcessBuilder("sh", "-c", command) // found command-injection
            .redirectErrorStream(true)
            .start();
    }

    @GetMapping("/list")
    void list(@RequestParam String command) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(command);
        ProcessBuilder builder = new ProcessBuilder(words); // found command-injection
        builder.start();
    }

    @GetMapping("/later")
    void later(@RequestParam String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c");
        builder.command("sh", "-c", command); // found command-injection
        builder.start();
    }
}
