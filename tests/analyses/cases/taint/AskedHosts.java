package samples;

import java.io.IOException;
import java.net.*;
import java.util.Set;
import javax.servlet.http.*;
import javax.xml.parsers.*;
import org.xml.sax.InputSource;

/** Hosts that a method of the program is asked about, and documents that include others. */
public class AskedHosts extends HttpServlet {
    private static final Set<String> HOSTS = Set.of("a.org");

    static boolean isAllowed(String host) {
        return HOSTS.contains(host);
    }

    static void check(String host) {
        if (!HOSTS.contains(host)) {
            throw new IllegalArgumentException();
        }
    }

    static boolean isInternal(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            return address.isLoopbackAddress() || address.isSiteLocalAddress();
        } catch (UnknownHostException e) {
            return true;
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        URL url = new URL(request.getParameter("url"));
        if (isAllowed(url.getHost())) {
            url.openStream();
        }
        if (url.getHost().endsWith(".example.com")) {
            url.openStream();
        }
        if (url.getHost().endsWith("example.com")) {
            url.openStream(); // found request-forgery
        }
        if (isInternal(url.getHost())) {
            url.openStream(); // found request-forgery
            return;
        }
        url.openStream();
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        URL url = new URL(request.getParameter("url"));
        check(url.getHost());
        url.openStream();
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            DocumentBuilderFactory including = DocumentBuilderFactory.newInstance();
            including.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            including.setXIncludeAware(true);
            including.newDocumentBuilder().parse(new InputSource(request.getReader())); // found xml-external-entities
            DocumentBuilderFactory plain = DocumentBuilderFactory.newInstance();
            plain.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            plain.setXIncludeAware(false);
            plain.newDocumentBuilder().parse(new InputSource(request.getReader()));
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
