import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;
import org.osgi.framework.*;

/** What is read from resources of the class path and from files is of the owner of the machine; from other addresses, of others. */
class Resources {
    static URL kept;
    static URL mixed;

    static String line(InputStream in) throws IOException {
        return new BufferedReader(new InputStreamReader(in)).readLine();
    }

    static URL named(String name) {
        return Resources.class.getResource(name);
    }

    static InputStream opened(URL url) throws IOException {
        return url.openConnection().getInputStream();
    }

    static void resources() throws Exception {
        Runtime.getRuntime().exec(line(Resources.class.getResource("/a.txt").openStream()));                             // found command-injection: note
        Runtime.getRuntime().exec(line(ClassLoader.getSystemResource("a.txt").openStream()));                            // found command-injection: note
        URLConnection connection = named("/b.txt").openConnection();
        Runtime.getRuntime().exec(line(connection.getInputStream()));                                                    // found command-injection: note
        Class.forName(((JarURLConnection) named("/b.txt").openConnection()).getHeaderField("a"));            // found unsafe-reflection: note
        Enumeration<URL> all = Thread.currentThread().getContextClassLoader().getResources("c.txt");
        while (all.hasMoreElements()) {
            Runtime.getRuntime().exec(line(all.nextElement().openStream()));                                             // found command-injection: note
        }
        kept = named("/d.txt");
        Runtime.getRuntime().exec(line(kept.openStream()));                                                              // found command-injection: note
    }

    static void bundles(BundleContext context) throws Exception {
        Runtime.getRuntime().exec(line(context.getBundle().getResource("a.txt").openStream()));                          // found command-injection: note
        Bundle bundle = FrameworkUtil.getBundle(Resources.class);
        URL entry = bundle.getEntry("a.txt");
        Runtime.getRuntime().exec(line(entry.openStream()));                                                             // found command-injection: note
        Enumeration<URL> entries = bundle.findEntries("/", "*.txt", true);
        while (entries.hasMoreElements()) {
            Runtime.getRuntime().exec(line(entries.nextElement().openStream()));                                         // found command-injection: note
        }
        Runtime.getRuntime().exec(line(new URL(bundle.getLocation()).openStream()));                                     // found command-injection: warning
    }

    static void files() throws Exception {
        Runtime.getRuntime().exec(line(new File("/a").toURI().toURL().openStream()));                                    // found command-injection: note
        Runtime.getRuntime().exec(line(Paths.get("/a").toUri().toURL().openConnection().getInputStream()));              // found command-injection: note
    }

    static void derived(String name) throws Exception {
        URL url = named("/e/");
        String prefix = url.toExternalForm();
        if (!prefix.endsWith("/")) {
            prefix = prefix + "/";
        }
        Runtime.getRuntime().exec(line(new URL(prefix + name).openStream()));                                            // found command-injection: note
        StringBuilder jar = new StringBuilder(url.toExternalForm());
        jar.setLength(jar.lastIndexOf(".jar") + 4);
        Runtime.getRuntime().exec(line(new URL(jar.toString()).openStream()));                                           // found command-injection: note
        Runtime.getRuntime().exec(line(new URL(url.getFile()).openStream()));                                            // found command-injection: note
        Runtime.getRuntime().exec(line(new URL("file:/a/" + name).openStream()));                                        // found command-injection: note
        Runtime.getRuntime().exec(line(new URL("http://example.org" + url.getFile()).openStream()));                     // found command-injection: warning
        Runtime.getRuntime().exec(line(new URL(new StringBuilder().append(url).toString()).openStream()));               // found command-injection: warning
    }

    static void others(URLClassLoader loader) throws Exception {
        Runtime.getRuntime().exec(line(new URL("http://example.org/a").openStream()));                                   // found command-injection: warning
        Runtime.getRuntime().exec(line(URI.create("http://example.org/a").toURL().openConnection().getInputStream()));   // found command-injection: warning
        Class.forName(line(new URL("http://example.org/a").openStream()));   // found unsafe-reflection: note
        Runtime.getRuntime().exec(line(loader.getResource("a").openStream()));                                           // found command-injection: warning
        mixed = named("/d.txt");
        mixed = new URL("http://example.org/d");
        Runtime.getRuntime().exec(line(mixed.openStream()));                                                             // found command-injection: warning
        Runtime.getRuntime().exec(line(new URL(named("/d.txt"), "e").openStream()));                                     // found command-injection: warning
        Runtime.getRuntime().exec(line(opened(named("/d.txt"))));                                                        // found command-injection: warning
        Runtime.getRuntime().exec(line(opened(new URL("http://example.org/d"))));                                        // found command-injection: warning
    }

    public static void main(String[] none) throws Exception {
        resources();
        bundles(null);
        files();
        derived("a");
        others(new URLClassLoader(new URL[] {new URL("http://example.org/")}));
    }
}
