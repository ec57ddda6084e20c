package samples;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.logging.Logger;

/** What the virtual machine says of itself, and what loaders of classes find, is of the owner of the machine. */
class Machine {
    private static final String HOME = "user.home";

    public static void main(String[] args) throws IOException {
        new File(System.getProperty(HOME), ".shop").delete();
        new File(System.getProperty("java.io.tmpdir"), "shop").delete();
        Runtime.getRuntime().exec("ls " + System.getProperty(HOME)); // found command-injection
        Runtime.getRuntime().exec("ls " + System.getProperty("java.io.tmpdir"));
        new File(System.getProperty("shop.home"), "shop").delete(); // found path-injection
        ClassLoader loader = new Plugins(new URL[0]);
        log(loader.getResource("plugin.properties"));
        logRemote(new URL("https://example.org/"));
    }

    static void log(URL address) throws IOException {
        Logger.getLogger("shop").info(new String(address.openStream().readAllBytes()));
    }

    static void logRemote(URL address) throws IOException {
        Logger.getLogger("shop").info(new String(address.openStream().readAllBytes())); // found log-injection
    }

    static class Plugins extends URLClassLoader {
        Plugins(URL[] addresses) {
            super(addresses);
        }

        @Override
        public URL getResource(String name) {
            return findResource(name);
        }
    }
}
