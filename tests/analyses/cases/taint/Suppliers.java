package samples;

import java.io.File;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import javax.servlet.http.*;

/** Functions that several calls may run: what makes an exception makes no entry. */
public class Suppliers extends HttpServlet {
    static class Entry {
        String name;

        Entry(String name) {
            this.name = name;
        }

        File file() {
            return new File(name);
        }
    }

    static class Missing extends RuntimeException {
        final String name;

        Missing(String name) {
            super(name);
            this.name = name;
        }
    }

    static Supplier<?> last;

    static <T> Supplier<T> kept(Supplier<T> supplier) {
        last = supplier;
        return supplier;
    }

    @SuppressWarnings("unchecked")
    static Entry entry() {
        Supplier<Entry> supplier = (Supplier<Entry>) last;
        Entry entry = supplier.get();
        return entry;
    }

    @SuppressWarnings("unchecked")
    static Missing missing() {
        Supplier<Missing> supplier = (Supplier<Missing>) last;
        Missing missing = supplier.get();
        return missing;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        Optional<String> found = Optional.ofNullable(System.getProperty("shop.folder"));
        HttpSession session = request.getSession();
        kept(() -> (Entry) session.getAttribute("entry"));
        found.orElseThrow(kept(() -> new Missing(name)));
        found.orElseThrow(kept(() -> new IllegalArgumentException(name)));
        entry().file().delete();
        new File(missing().name).delete(); // found path-injection
    }
}
