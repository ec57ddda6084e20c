package samples;

import java.io.*;
import java.net.*;
import java.util.*;
import javax.servlet.http.*;

/** Questions that methods put to others, which put them to others again, or that look as if they did. */
public class Layers extends HttpServlet {
    private final Rules rules = new Rules();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        open(new File(request.getParameter("read")));
        ignored(new File(request.getParameter("ignored")));
        other(new File(request.getParameter("wrong")), new File("/data/a"));
        negated(new File(request.getParameter("negated")));
        sometimes(new File(request.getParameter("sometimes")), request.isSecure());
        thrown(new File(request.getParameter("thrown")));
        caught(new File(request.getParameter("caught")));
        given(request.getParameter("given"));
        either(request.getParameter("either"));
        upload(new File(request.getParameter("folder")), request.getParameter("file"));
        again(request.getParameter("again"), request.getParameter("behind"));
    }

    void open(File file) throws IOException {
        if (!rules.isAllowed(file)) {
            throw new IOException();
        }
        new FileInputStream(file).close();
        new FileInputStream(file.getPath()).close();
    }

    void ignored(File file) throws IOException {
        rules.isAllowed(file);
        new FileInputStream(file).close();                            // found path-injection
    }

    void other(File file, File fixed) throws IOException {
        if (!rules.isAllowed(fixed)) {
            throw new IOException();
        }
        new FileInputStream(file).close();                            // found path-injection
    }

    void negated(File file) throws IOException {
        if (rules.isAllowed(file)) {
            throw new IOException();
        }
        new FileInputStream(file).close();                            // found path-injection
    }

    void sometimes(File file, boolean strict) throws IOException {
        if (!rules.isAllowedIf(file, strict)) {
            throw new IOException();
        }
        new FileInputStream(file).close();                            // found path-injection
    }

    void thrown(File file) throws IOException {
        rules.demand(file);
        new FileInputStream(file).close();
    }

    void caught(File file) throws IOException {
        rules.demandQuietly(file);
        new FileInputStream(file).close();                            // found path-injection
    }

    void given(String name) throws IOException {
        File file = new File(name);
        if (rules.folderOf(file) != null) {
            new FileInputStream(file).close();
        }
        if (rules.folderOf(file) == null) {
            new FileInputStream(file).close();                        // found path-injection
        }
        if (rules.folderOrFirst(file) != null) {
            new FileInputStream(file).close();                        // found path-injection
        }
    }

    void either(String name) throws IOException {
        File file = new File(name);
        boolean allowed = rules.isAllowed(file);
        if (allowed) {
            new FileInputStream(file).close();
        }
        boolean permitted = rules.isAllowed(file) || System.nanoTime() > 0;
        if (permitted) {
            new FileInputStream(file).close();                        // found path-injection
        }
    }

    void upload(File folder, String name) throws IOException {
        File target = new File(folder, new File(name).getName());
        if (!rules.isAllowed(target)) {
            throw new IOException();
        }
        folder.mkdirs();
        new FileOutputStream(target).close();
    }

    void again(String name, String behind) throws IOException {
        File file = new File(name);
        if (!rules.isAllowed(file)) {
            throw new IOException();
        }
        file = new File(file.getPath() + behind);
        new FileInputStream(file).close();                            // found path-injection
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String next = request.getParameter("next");
        response.sendRedirect(Targets.own(next));
        response.sendRedirect(Targets.any(next));                     // found url-redirection
        response.sendRedirect(Targets.half(next));                    // found url-redirection
        response.sendRedirect(Targets.sameScheme(next));              // found url-redirection
    }

    /** What is allowed. */
    static class Rules {
        private final List<File> folders = Arrays.asList(new File("/data"), new File("/media"));

        boolean isAllowed(File file) {
            return isInOne(file) || isInFolder(file.getPath(), System.getProperty("drop"));
        }

        boolean isAllowedIf(File file, boolean strict) {
            return strict ? isAllowed(file) : file != null;
        }

        private boolean isInOne(File file) {
            return folderOf(file) != null;
        }

        File folderOf(File file) {
            String path = file.getPath();
            for (File folder : folders) {
                if (isInFolder(path, folder.getPath())) {
                    return folder;
                }
            }
            return null;
        }

        File folderOrFirst(File file) {
            File folder = folderOf(file);
            return folder == null ? folders.get(0) : folder;
        }

        private boolean isInFolder(String file, String folder) {
            if (file.matches(".*(/|\\\\)\\.\\.(/|\\\\|$).*")) {
                return false;
            }
            file = file.replace('\\', '/');
            folder = folder.replace('\\', '/');
            return file.toUpperCase().startsWith(folder.toUpperCase());
        }

        void demand(File file) throws IOException {
            demandAllowed(file);
        }

        private void demandAllowed(File file) throws IOException {
            if (!isAllowed(file)) {
                throw new IOException();
            }
        }

        void demandQuietly(File file) {
            try {
                demandAllowed(file);
            } catch (IOException exception) {
                System.out.println("no");
            }
        }
    }

    /** Where the browser may be sent. */
    static class Targets {
        static String own(String url) {
            return isOwn(url) ? url : "/";
        }

        static String any(String url) {
            return isOwn(url) ? "/" : url;
        }

        static String half(String url) {
            return isOwnOrText(url) ? url : "/";
        }

        static String sameScheme(String url) {
            return hasScheme(url) ? url : "/";
        }

        static boolean isOwn(String url) {
            if (url == null) {
                return false;
            }
            try {
                URI address = new URI(url);
                if (address.isAbsolute()) {
                    return isOwnAddress(address);
                }
                return isOwnPath(url);
            } catch (URISyntaxException exception) {
                return false;
            }
        }

        static boolean isOwnOrText(String url) {
            try {
                URI address = new URI(url);
                if (address.isAbsolute()) {
                    return isOwnAddress(address);
                }
                return true;
            } catch (URISyntaxException exception) {
                return false;
            }
        }

        static boolean hasScheme(String url) {
            URI address = URI.create(url);
            return "https".equals(address.getScheme());
        }

        private static boolean isOwnPath(String url) {
            return url.startsWith("/") && !url.startsWith("//");
        }

        private static boolean isOwnAddress(URI address) throws URISyntaxException {
            if (!isSecure(address)) {
                return false;
            }
            return isSameOrigin(address, new URI(System.getProperty("own.address")));
        }

        private static boolean isSecure(URI address) {
            return "https".equalsIgnoreCase(address.getScheme());
        }

        private static boolean isSameOrigin(URI first, URI second) {
            boolean sameScheme = first.getScheme().equalsIgnoreCase(second.getScheme());
            boolean sameHost = first.getHost() != null && first.getHost().equalsIgnoreCase(second.getHost());
            return sameScheme && sameHost;
        }
    }
}
