import java.io.File;
import java.util.HashMap;
import java.util.Map;

/** What a lookup gives is null for certain where a check has found it so. */
class FoundNull {
    private final Map<String, File> files = new HashMap<>();

    String nameOf(String key) {
        File file = files.get(key);
        if (file == null) {
            return file.getName(); // found null-dereference
        }
        return file.getName();
    }

    String other(String key) {
        File file = files.get(key);
        if (file != null) {
            return file.getName();
        }
        return key;
    }

    String parentOf(File file) {
        File parent = file.getParentFile();
        if (parent == null) {
            return parent.getName(); // found null-dereference
        }
        return parent.getName();
    }
}
