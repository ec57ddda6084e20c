package samples;

import java.io.*;
import java.util.*;
import javax.servlet.http.*;

/** Methods of the program that take the key of a map: what is kept at one key is taken at that alone. */
public class Keys extends HttpServlet {
    static final String USER = "user";
    static final String[] FOLDERS = {"folder", "home"};

    /** Keeps its values in a map. */
    static class Bag {
        private final Map<String, Object> values = new HashMap<>();

        void set(String key, Object value) {
            values.put(key, value);
        }

        void setText(String key, String text) {
            set(key, text.trim());
        }

        Object get(String key) {
            return values.get(key);
        }

        String text(String key) {
            return text(key, "");
        }

        String text(String key, String otherwise) {
            Object value = get(key);
            return value == null ? otherwise : value.toString();
        }

        void append(String key, StringBuilder to) {
            to.append(values.get(key));
        }

        String changed(String key) {
            key = key + "2";
            return (String) values.get(key);
        }

        void run(String key) throws IOException {
            Runtime.getRuntime().exec((String) values.get(key));  // found command-injection
        }

        String checked(String key) {
            Object value = values.get(key);
            if (value == null) {
                throw new IllegalStateException(key);
            }
            throw new IllegalStateException((String) value);
        }
    }

    static class Settings {
        private static final Map<String, String> ALL = new Hashtable<>();

        static void set(String name, String value) {
            ALL.put(name, value);
        }

        static String get(String name, String otherwise) {
            return ALL.getOrDefault(name, otherwise).trim();
        }
    }

    /** Is a map itself. */
    static class Environment extends TreeMap<String, String> {
        void set(String name, String value) {
            super.put(name, value);
        }

        String of(String name) {
            return get(name);
        }
    }

    static class Filled {
        private final Map<String, String> values = new HashMap<>();

        void fill(String key, HttpServletRequest request) {
            values.put(key, request.getParameter("name"));
        }

        String get(String key) {
            return values.get(key);
        }
    }

    /** Is filled by functions, too. */
    static class Shared {
        private final Map<String, String> values = new HashMap<>();

        void put(String key, String value) {
            values.put(key, value);
        }

        String get(String key) {
            return values.get(key);
        }
    }

    static void put(Map<String, String> map, String key, String value) {
        map.put(key, value);
    }

    static String take(Map<String, String> map, String key) {
        return map.get(key);
    }

    static String user(Map<String, String> map) {
        return map.get(USER);
    }

    static void append(Map<String, String> map, String key, StringBuilder to) {
        to.append(map.get(key));
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Bag bag = new Bag();
        bag.setText(USER, request.getParameter("name"));
        bag.set("folder", "/a");
        Runtime.getRuntime().exec(bag.text(USER));                    // found command-injection
        Runtime.getRuntime().exec(bag.text("folder"));
        Runtime.getRuntime().exec((String) bag.get("user"));          // found command-injection
        Runtime.getRuntime().exec((String) bag.get("folder"));
        Runtime.getRuntime().exec(bag.text("folder", request.getParameter("folder"))); // found command-injection
        Runtime.getRuntime().exec(bag.text(request.getParameter("key"))); // found command-injection
        Runtime.getRuntime().exec(bag.changed("folder"));             // found command-injection
        Runtime.getRuntime().exec(bag.changed("home"));               // found command-injection
        for (String name : FOLDERS) {
            Runtime.getRuntime().exec(bag.text(name));
        }
        for (String name : new String[] {"folder", USER}) {
            Runtime.getRuntime().exec(bag.text(name));                // found command-injection
        }
        bag.run("folder");
        StringBuilder folder = new StringBuilder();
        bag.append("folder", folder);
        Runtime.getRuntime().exec(folder.toString());
        StringBuilder user = new StringBuilder();
        bag.append(USER, user);
        Runtime.getRuntime().exec(user.toString());                   // found command-injection
        try {
            bag.checked(USER);
        } catch (IllegalStateException e) {
            Runtime.getRuntime().exec(e.getMessage());                // found command-injection
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Settings.set("user", request.getParameter("name"));
        Settings.set("folder", "/a");
        Runtime.getRuntime().exec(Settings.get(USER, "none"));        // found command-injection
        Runtime.getRuntime().exec(Settings.get("folder", "/"));
        Environment environment = new Environment();
        environment.set("user", request.getParameter("name"));
        Runtime.getRuntime().exec(environment.of("user"));            // found command-injection
        Runtime.getRuntime().exec(environment.of("folder"));
        Runtime.getRuntime().exec(environment.get("folder"));
        Runtime.getRuntime().exec(environment.get("user"));           // found command-injection
        Filled filled = new Filled();
        filled.fill("user", request);
        Runtime.getRuntime().exec(filled.get("folder"));
        Runtime.getRuntime().exec(filled.get("user"));                // found command-injection
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Map<String, String> map = new HashMap<>();
        put(map, "user", request.getParameter("name"));
        put(map, "folder", "/a");
        Runtime.getRuntime().exec(take(map, "user"));                 // found command-injection
        Runtime.getRuntime().exec(take(map, "folder"));
        Runtime.getRuntime().exec(map.get("folder"));
        Runtime.getRuntime().exec(map.get("user"));                   // found command-injection
        Runtime.getRuntime().exec(user(map));                         // found command-injection
        Map<String, String> other = new HashMap<>();
        put(other, "folder", request.getParameter("name"));
        Runtime.getRuntime().exec(user(other));
        StringBuilder folder = new StringBuilder();
        append(map, "folder", folder);
        Runtime.getRuntime().exec(folder.toString());
        StringBuilder user = new StringBuilder();
        append(map, "user", user);
        Runtime.getRuntime().exec(user.toString());                   // found command-injection
        Map<String, String> any = new HashMap<>();
        put(any, request.getParameter("key"), request.getParameter("name"));
        Runtime.getRuntime().exec(take(any, "folder"));               // found command-injection
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Map<String, String> given = new HashMap<>();
        given.put("user", request.getParameter("name"));
        Shared shared = new Shared();
        given.forEach(shared::put);
        Runtime.getRuntime().exec(shared.get("user"));                // found command-injection
        List<String> names = List.of("user");
        for (String name : names.stream().map(shared::get).toList()) {
            Runtime.getRuntime().exec(name);                          // found command-injection
        }
    }
}
