package samples;

import java.io.IOException;
import java.net.*;
import javax.servlet.http.*;

/** Addresses whose hosts are resolved, and refused if they are in the own network. */
public class OwnNetwork extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        read(request.getParameter("checked"), true);
        read(request.getParameter("unchecked"), false);
        String logged = request.getParameter("logged");
        tell(logged);
        String asked = request.getParameter("asked");
        refuseFirst(asked, 10);
        new URL(asked).openStream();
        String parsed = request.getParameter("parsed");
        refuseParsed(parsed);
        new URL(parsed).openStream();
        String sometimes = request.getParameter("sometimes");
        refuseSometimes(sometimes, 10);
        new URL(sometimes).openStream(); // found request-forgery
        new URL(logged).openStream(); // found request-forgery
    }

    static void read(String address, boolean checked) throws IOException {
        if (checked) {
            refuse(address);
            open(address);
        } else {
            openUnchecked(address);
        }
    }

    static void open(String address) throws IOException {
        new URL(address).openStream();
    }

    static void openUnchecked(String address) throws IOException {
        new URL(address).openStream(); // found request-forgery
    }

    static void refuse(String address) throws IOException {
        URI uri = URI.create(address);
        String host = uri.getHost();
        for (InetAddress each : InetAddress.getAllByName(host)) {
            if (each.isLoopbackAddress() || each.isLinkLocalAddress()) {
                throw new IllegalArgumentException(address);
            }
        }
    }

    static void refuseParsed(String address) throws IOException {
        okhttp3.HttpUrl url = okhttp3.HttpUrl.parse(address);
        if (!"https".equals(url.scheme())) {
            throw new IllegalArgumentException(address);
        }
        refuseHost(url.host(), url.port());
    }

    static void refuseHost(String host, int port) throws IOException {
        for (InetAddress each : InetAddress.getAllByName(host)) {
            if (each.isLoopbackAddress() || port == 22) {
                throw new IllegalArgumentException(host);
            }
        }
    }

    static void refuseFirst(String address, int most) throws IOException {
        refuse(address);
        if (address.length() > most) {
            throw new IllegalArgumentException(address);
        }
    }

    static void refuseSometimes(String address, int most) throws IOException {
        if (address.length() > most) {
            refuse(address);
        }
    }

    static void tell(String address) throws IOException {
        URI uri = URI.create(address);
        for (InetAddress each : InetAddress.getAllByName(uri.getHost())) {
            System.out.println(each.isLoopbackAddress());
        }
    }
}
