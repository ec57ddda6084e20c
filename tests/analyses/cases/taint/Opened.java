import java.io.File;

class Opened {
    static void open(String name) {
        new File(name).delete();
    }
}
