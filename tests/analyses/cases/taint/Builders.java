package samples;

import java.io.IOException;
import java.net.*;
import javax.servlet.http.*;
import javax.servlet.jsp.JspWriter;
import javax.servlet.jsp.PageContext;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.client.utils.URIBuilder;
import org.apache.http.impl.client.CloseableHttpClient;

/** Builders of addresses and requests, of which the scheme, the host and the whole address say where the program connects to; and writers of pages. */
public class Builders extends HttpServlet {
    private CloseableHttpClient client;
    private PageContext context;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String given = request.getParameter("given");
        try {
            client.execute(new HttpGet(new URIBuilder().setScheme("https").setHost(given).build())); // found request-forgery
            URI address = new URIBuilder(given).setPath("favicon.ico").build();
            HttpUriRequest get = RequestBuilder.get(address).build(); // found request-forgery
            client.execute(get);
            URIBuilder builder = new URIBuilder();
            builder.setHost(given);
            client.execute(new HttpGet(builder.build())); // found request-forgery
            client.execute(RequestBuilder.post().setUri(given).build()); // found request-forgery
            client.execute(new HttpGet(new URIBuilder("https://example.org").addParameter("q", given).build()));
            client.execute(new HttpGet(new URIBuilder("https://example.org").setPath("a").build()));
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
        JspWriter page = context.getOut();
        page.write("<b>" + given + "</b>"); // found html-injection
        context.getOut().print(given); // found html-injection
        page.print("<b>");
    }
}
