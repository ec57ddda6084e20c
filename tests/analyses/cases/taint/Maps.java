package samples;

import java.io.*;
import java.util.*;
import javax.naming.Reference;
import javax.servlet.http.*;

/** Maps that are copied have their values at the same keys; what the library made has no methods of the project. */
public class Maps extends HttpServlet {
    private static final Map<String, String> ALL = new HashMap<>();

    /** An enumeration of the project, which `Reference.getAll` does not give. */
    static class Names implements Enumeration<Object> {
        private final HttpServletRequest request;

        Names(HttpServletRequest request) {
            this.request = request;
        }

        @Override
        public boolean hasMoreElements() {
            return true;
        }

        @Override
        public Object nextElement() {
            return request.getParameter("name");
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Map<String, String> some = new HashMap<>();
        some.put("user", request.getParameter("name"));
        some.put("folder", "/a");
        ALL.putAll(some);
        Runtime.getRuntime().exec(ALL.get("folder"));
        Runtime.getRuntime().exec(ALL.get("user"));                   // found command-injection
        Map<String, String> copy = new TreeMap<>(some);
        Runtime.getRuntime().exec(copy.get("user"));                  // found command-injection
        Runtime.getRuntime().exec(copy.get("folder"));
        Runtime.getRuntime().exec(copy.values().iterator().next());   // found command-injection
        Map<String, String> any = new HashMap<>();
        any.put(request.getParameter("key"), request.getParameter("name"));
        Map<String, String> last = new TreeMap<>();
        last.putAll(any);
        Runtime.getRuntime().exec(last.get("folder"));                // found command-injection
    }

    /** A map with a constructor that copies another one. */
    static class Copy extends TreeMap<String, String> {
        Copy(Map<String, String> other) {
            super();
            putAll(other);
        }
    }

    static void fill(Map<String, String> from, Map<String, String> to) {
        to.putAll(from);
    }

    static void constructed(HttpServletRequest request) throws IOException {
        Map<String, String> given = new HashMap<>();
        given.put("user", request.getParameter("name"));
        Copy copy = new Copy(given);
        Copy other = new Copy(new HashMap<>());
        Runtime.getRuntime().exec(copy.get("user"));                  // found command-injection
        Runtime.getRuntime().exec(copy.get("folder"));
        Runtime.getRuntime().exec(other.get("user"));
        Map<String, String> filled = new HashMap<>();
        Map<String, String> empty = new HashMap<>();
        fill(given, filled);
        fill(other, empty);
        Runtime.getRuntime().exec(filled.get("user"));                // found command-injection
        Runtime.getRuntime().exec(empty.get("user"));
    }

    static void prefixes(HttpServletRequest request, String key) throws IOException {
        Map<String, String> map = new HashMap<>();
        map.put("cache." + key, request.getParameter("name"));
        Runtime.getRuntime().exec(map.get("cache.size"));             // found command-injection
        Runtime.getRuntime().exec(map.get("folder"));
        Runtime.getRuntime().exec(map.get(key));                      // found command-injection
        Runtime.getRuntime().exec(map.put("cache." + key, "none"));   // found command-injection
    }

    static void elements(Reference reference, HttpServletRequest request) throws IOException {
        for (Enumeration<?> all = reference.getAll(); all.hasMoreElements();) {
            Runtime.getRuntime().exec(all.nextElement().toString());
        }
        Enumeration<Object> names = new Names(request);
        Runtime.getRuntime().exec(names.nextElement().toString());    // found command-injection
    }

    static void ofLibrary(Map<String, String> known, HttpServletRequest request) throws IOException {
        known.computeIfAbsent(request.getParameter("key"), key -> "none");
        Runtime.getRuntime().exec(known.get("folder"));
    }

    static void filled(Map<String, String> known, HttpServletRequest request) throws IOException {
        known.put("name", request.getParameter("name"));
        Runtime.getRuntime().exec(known.get("name"));                 // found command-injection
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        elements(new Reference("a"), request);
        ofLibrary(new ProcessBuilder().environment(), request);
        constructed(request);
        filled(new ProcessBuilder().environment(), request);
        prefixes(request, "size".concat(request.getParameter("key")));
    }
}
