import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

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
        Class.forName(line(Resources.class.getResource("/a.txt").openStream()));                             // found unsafe-reflection: note
        Class.forName(line(ClassLoader.getSystemResource("a.txt").openStream()));                            // found unsafe-reflection: note
        URLConnection connection = named("/b.txt").openConnection();
        Class.forName(line(connection.getInputStream()));                                                    // found unsafe-reflection: note
        Class.forName(((JarURLConnection) named("/b.txt").openConnection()).getHeaderField("a"));            // found unsafe-reflection: note
        Enumeration<URL> all = Thread.currentThread().getContextClassLoader().getResources("c.txt");
        while (all.hasMoreElements()) {
            Class.forName(line(all.nextElement().openStream()));                                             // found unsafe-reflection: note
        }
        kept = named("/d.txt");
        Class.forName(line(kept.openStream()));                                                              // found unsafe-reflection: note
    }

    static void files() throws Exception {
        Class.forName(line(new File("/a").toURI().toURL().openStream()));                                    // found unsafe-reflection: note
        Class.forName(line(Paths.get("/a").toUri().toURL().openConnection().getInputStream()));              // found unsafe-reflection: note
    }

    static void derived(String name) throws Exception {
        URL url = named("/e/");
        String prefix = url.toExternalForm();
        if (!prefix.endsWith("/")) {
            prefix = prefix + "/";
        }
        Class.forName(line(new URL(prefix + name).openStream()));                                            // found unsafe-reflection: note
        StringBuilder jar = new StringBuilder(url.toExternalForm());
        jar.setLength(jar.lastIndexOf(".jar") + 4);
        Class.forName(line(new URL(jar.toString()).openStream()));                                           // found unsafe-reflection: note
        Class.forName(line(new URL(url.getFile()).openStream()));                                            // found unsafe-reflection: note
        Class.forName(line(new URL("file:/a/" + name).openStream()));                                        // found unsafe-reflection: note
        Class.forName(line(new URL("http://example.org" + url.getFile()).openStream()));                     // found unsafe-reflection: warning
        Class.forName(line(new URL(new StringBuilder().append(url).toString()).openStream()));               // found unsafe-reflection: warning
    }

    static void others(URLClassLoader loader) throws Exception {
        Class.forName(line(new URL("http://example.org/a").openStream()));                                   // found unsafe-reflection: warning
        Class.forName(line(URI.create("http://example.org/a").toURL().openConnection().getInputStream()));   // found unsafe-reflection: warning
        Class.forName(line(loader.getResource("a").openStream()));                                           // found unsafe-reflection: warning
        mixed = named("/d.txt");
        mixed = new URL("http://example.org/d");
        Class.forName(line(mixed.openStream()));                                                             // found unsafe-reflection: warning
        Class.forName(line(new URL(named("/d.txt"), "e").openStream()));                                     // found unsafe-reflection: warning
        Class.forName(line(opened(named("/d.txt"))));                                                        // found unsafe-reflection: warning
        Class.forName(line(opened(new URL("http://example.org/d"))));                                        // found unsafe-reflection: warning
    }

    public static void main(String[] none) throws Exception {
        resources();
        files();
        derived("a");
        others(new URLClassLoader(new URL[] {new URL("http://example.org/")}));
    }
}
