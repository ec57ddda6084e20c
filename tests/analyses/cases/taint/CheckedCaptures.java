import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** What is found harmless before a function is made is so in the function, which captures it. */
class CheckedCaptures extends HttpServlet {
    private final Path folder = Path.of("/data");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        try {
            checked(folder.resolve(name)).call();
            unchecked(folder.resolve(name)).call();
            late(folder.resolve(name)).call();
        } catch (Exception thrown) {
            throw new IOException(thrown);
        }
    }

    Callable<String> checked(Path path) {
        if (!path.normalize().startsWith(folder)) {
            throw new IllegalArgumentException();
        }
        return () -> Files.readString(path);
    }

    Callable<String> unchecked(Path path) {
        return () -> Files.readString(path); // found path-injection
    }

    Callable<String> late(Path path) {
        Callable<String> read = () -> Files.readString(path); // found path-injection
        if (!path.normalize().startsWith(folder)) {
            throw new IllegalArgumentException();
        }
        return read;
    }
}
