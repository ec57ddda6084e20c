package samples;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

// Checks of paths that are made of the texts that are checked, by methods that call one another.
@RestController
class CheckedTexts {
    static void check(Path folder, Path path) {
        if (path.normalize().startsWith(folder)) {
            return;
        }
        throw new IllegalArgumentException();
    }

    static void check(String folder, String path) {
        check(Paths.get(folder), Paths.get(path));
    }

    static void check(Path folder, String path) {
        check(folder, Paths.get(path));
    }

    static void perhaps(boolean really, String path) {
        if (really) {
            check("/data", path);
        }
    }

    @GetMapping("/1")
    void texts(@RequestParam String name) {
        check("/data", name);
        new File(name).delete();
    }

    @GetMapping("/2")
    void textInFolder(@RequestParam String name) {
        check(Path.of("/data"), name);
        new File(name).delete();
    }

    @GetMapping("/3")
    void paths(@RequestParam String name) {
        check(Path.of("/data"), Path.of(name));
        new File(name).delete();
    }

    @GetMapping("/4")
    void perhaps(@RequestParam String name) {
        maybe(name.length() > 3, name);
        new File(name).delete(); // found path-injection
    }

    @GetMapping("/5")
    void another(@RequestParam String name, @RequestParam String other) {
        check("/data", other);
        new File(name).delete(); // found path-injection
    }

    @GetMapping("/6")
    void command(@RequestParam String name) throws IOException {
        check("/data", name);
        Runtime.getRuntime().exec(name); // found command-injection
    }
}
