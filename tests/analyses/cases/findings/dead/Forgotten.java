package shop;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.Lock;

/** Results that nobody looks at. */
public class Forgotten {
    static void read(InputStream in, byte[] buffer) throws IOException {
        in.read(buffer); // found ignored-status
        in.skip(2); // found ignored-status
        in.read();
        int count = in.read(buffer, 0, 1);
        System.out.println(count);
        new ByteArrayInputStream(buffer).read(buffer);
        if (in.skip(1) == 1) {
            in.readNBytes(2);
        }
        in.skip(in.available());
        in.skip(Long.MAX_VALUE);
        byte[] there = new byte[in.available()];
        in.read(there);
        byte[] some = new byte[count];
        in.read(some); // found ignored-status
    }

    static void delete(File file, Lock lock) {
        file.delete(); // found ignored-status
        if (!file.mkdir()) {
            file.deleteOnExit();
        }
        lock.tryLock(); // found ignored-status
        boolean held = lock.tryLock();
        System.out.println(held);
    }

    static void change(List<String> names, Path path, String name) {
        names.stream().map(String::trim); // found ignored-result
        names.stream().map(String::trim).forEach(System.out::println);
        path.resolve("a"); // found ignored-result
        name.startsWith("a"); // found ignored-result
        name.length();
        Runnable ask = () -> System.out.println(name.contains("b"));
        ask.run();
    }
}
