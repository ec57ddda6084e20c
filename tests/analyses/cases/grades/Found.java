import java.io.*;
import java.net.URL;
import java.util.*;

/** Addresses of resources that are found first, kept in collections, and read later. */
class Found {
    static Map<ClassLoader, Set<URL>> find(Collection<ClassLoader> loaders) throws IOException {
        Map<ClassLoader, Set<URL>> found = new LinkedHashMap<>();
        for (ClassLoader loader : loaders) {
            Set<URL> urls = new LinkedHashSet<>();
            Enumeration<URL> all = loader.getResources("META-INF/names");
            while (all.hasMoreElements()) {
                urls.add(all.nextElement());
            }
            found.put(loader, urls);
        }
        return found;
    }

    static void run(URL url) {
        try {
            Runtime.getRuntime().exec(Resources.line(url.openStream())); // found command-injection: note
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void others(String text) throws IOException {
        List<URL> named = new ArrayList<>();
        named.add(new URL(text));
        Runtime.getRuntime().exec(Resources.line(named.get(0).openStream())); // found command-injection: warning
        for (URL url : com.example.Registry.urls()) {
            Runtime.getRuntime().exec(Resources.line(url.openStream())); // found command-injection: warning
        }
    }

    public static void main(String[] args) throws IOException {
        for (Set<URL> urls : find(List.of(Found.class.getClassLoader())).values()) {
            for (URL url : urls) {
                run(url);
            }
        }
        find(List.of(Found.class.getClassLoader())).forEach((loader, urls) -> urls.forEach(url -> run(url)));
        others("http://example.org/" + args.length);
    }
}
