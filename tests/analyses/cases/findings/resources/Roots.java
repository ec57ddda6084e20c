package samples;

import java.io.IOException;
import java.nio.file.Files;
import missing.Roots;

// Calls that are given what a missing library gives have results of known types.
class FilesOfRoots {
    void closed() throws IOException {
        for (var root : Roots.all()) {
            try (var files = Files.list(root)) {
                files.forEach(System.out::println);
            }
        }
    }

    void open() throws IOException {
        for (var root : Roots.all()) {
            var files = Files.list(root); // found unclosed-resource
            System.out.println(files.count());
        }
    }
}
