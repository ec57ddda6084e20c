package samples;

import java.io.*;
import java.net.URL;
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
}
