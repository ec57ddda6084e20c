import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** Methods of the library that may return null. */
class Library {
    private final Map<String, Item> items = new HashMap<>();
    private final Map<String, Item> sure = new HashMap<>();

    void all(String[] args) {
        System.getProperty("app.home").length(); // found nullable-result
        System.getProperty("user.dir").length();
        System.getProperty("app.home", "").length();
        for (File each : new File(args[0]).listFiles()) { // found nullable-result
            each.getName();
        }
        java.nio.file.Path.of(args[0]).getRoot().toString(); // found nullable-result
        java.nio.file.Path.of(args[0]).getFileSystem().toString();
        Queue<Item> queue = new ArrayDeque<>();
        queue.poll().name(); // found nullable-result
        read();
        sure.get("a").name();
        if (items.containsKey("a")) {
            items.get("a").name();
        }
        Item b = items.get("b");
        if (b != null) {
            b.name();
        }
        items.get("c").name(); // found nullable-lookup
        if (items.get(args[0]) != null) {
            items.get(args[0]).name();
        }
    }

    private void read() {
        try {
            BufferedReader reader = new BufferedReader(new StringReader("a"));
            reader.readLine().length(); // found nullable-result
            String line;
            while ((line = reader.readLine()) != null) {
                line.length();
            }
        } catch (IOException problem) {
            problem.getMessage();
        }
    }
}
