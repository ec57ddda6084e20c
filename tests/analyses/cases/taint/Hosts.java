package samples;

import java.io.*;
import java.net.URL;
import java.text.MessageFormat;
import javax.servlet.http.*;
import okhttp3.HttpUrl;
import okhttp3.Request;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.util.UriComponentsBuilder;

/** Addresses that begin with what the program has elsewhere, or are given another host. */
public class Hosts extends HttpServlet {
    private static final String PROTOCOL = "https://";
    private String base;
    private String scheme;

    void setBase(String base) {
        this.base = base;
    }

    void setScheme(String scheme) {
        this.scheme = scheme;
    }

    static String none() {
        return "";
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        new URL(base + "/a/" + name).openStream();
        new URL(base + name).openStream();
        new URL(scheme + "://" + name).openStream(); // found request-forgery
        new URL(PROTOCOL + name).openStream();       // found request-forgery
        new URL(none() + name).openStream();         // found request-forgery
        new URL(name + base).openStream();           // found request-forgery
        response.sendRedirect(base + name);          // found url-redirection
        response.sendRedirect(MessageFormat.format("https://a/go/{0}", name));
        response.sendRedirect(MessageFormat.format("{0}/go", name)); // found url-redirection
        new URL("jar:" + base + "!/" + name).openStream();
        new URL("jar:" + name + "!/a").openStream(); // found request-forgery
        new URL(base.replace("{name}", name)).openStream();
        new URL(base.replace("{host}", name)).openStream(); // found request-forgery
        new URL(name.replace("{name}", base)).openStream(); // found request-forgery
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        HttpUrl url = HttpUrl.parse(name);
        new Request.Builder().url(url).build(); // found request-forgery
        RestTemplate template = new RestTemplate();
        UriComponentsBuilder builder = UriComponentsBuilder.fromUriString(name);
        template.getForObject(builder.toUriString(), String.class); // found request-forgery
        template.getForObject(builder.scheme("http").host("example.org").toUriString(), String.class);
        template.getForObject(UriComponentsBuilder.fromUriString("http://a").host(name).toUriString(), String.class); // found request-forgery
    }

    private String[] known = {"example.org"};

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String address = request.getParameter("address");
        if (address == null) {
            address = base;
        }
        String host = hostOf(address);
        if (org.apache.commons.lang3.StringUtils.equalsAny(host, known)) {
            response.sendRedirect(address);
        } else {
            response.sendRedirect(address);          // found url-redirection
        }
        if (org.apache.commons.lang3.Strings.CI.equalsAny(hostOf(address), known)) {
            address = request.getParameter("other");
            response.sendRedirect(address);          // found url-redirection
        }
        if (org.apache.commons.lang3.Strings.CI.equalsAny(pathOf(address), known)) {
            response.sendRedirect(address);          // found url-redirection
        }
        new java.util.Scanner(request.getInputStream()).next();
        response.getWriter().println(com.coverity.security.Escape.html(address));
        Runtime.getRuntime().exec(com.coverity.security.Escape.html(address)); // found command-injection
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        StringBuilder path = new StringBuilder();
        path.append(base);
        if (!name.isEmpty()) {
            path.append("/handle/");
            path.append(name).append("/").append(name);
        }
        response.sendRedirect(path.toString());
        StringBuilder some = new StringBuilder();
        some.append(base);
        if (name.length() > 3) {
            some.append("/handle/");
        }
        some.append(name);
        response.sendRedirect(some.toString());      // found url-redirection
        StringBuilder before = new StringBuilder(base).append(name).append("/handle/");
        response.sendRedirect(before.toString());    // found url-redirection
    }

    @Override
    protected void doHead(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        StringBuilder page = new StringBuilder("/orders?page=").append(name.length());
        if (name.length() > 3) {
            page.append("&name=").append(name);
        }
        response.sendRedirect(page.toString());
        StringBuilder query = new StringBuilder(base);
        query.append("?name=").append(name);
        new URL(query.toString()).openStream();
        response.sendRedirect(query.toString());
        StringBuilder perhaps = new StringBuilder(base);
        if (name.length() > 3) {
            perhaps.append("?a=b&");
        }
        response.sendRedirect(perhaps.append(name).toString()); // found url-redirection
        response.sendRedirect(request.getScheme() + "://" + base + "/" + name);
        response.sendRedirect(scheme + "://" + base + request.getContextPath() + "/" + name);
        response.sendRedirect(scheme + "://" + base + name);   // found url-redirection
        response.sendRedirect(scheme + "://" + "/" + name);    // found url-redirection
    }

    static String hostOf(String address) throws IOException {
        URL url = java.net.URI.create(address).toURL();
        String host = url.getHost();
        return host.startsWith("www.") ? host.substring(4) : host;
    }

    static String pathOf(String address) throws IOException {
        return new URL(address).getPath();
    }
}
