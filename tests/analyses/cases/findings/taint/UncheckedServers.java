import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.logging.Logger;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.http.conn.ssl.NoopHostnameVerifier;

public class UncheckedServers {
    public static void main(String[] args) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustingAll(), new TrustingSome(), new TrustingAloud(), new TrustingEverywhere()}, null);
        HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
        HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true); // found unchecked-server
        HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> host.equals("localhost"));
        HttpsURLConnection.setDefaultHostnameVerifier(new AnyHost(args.length));
        HttpsURLConnection.setDefaultHostnameVerifier(new OwnHosts());
        HttpsURLConnection.setDefaultHostnameVerifier(new NoopHostnameVerifier()); // found unchecked-server
        HttpsURLConnection.setDefaultHostnameVerifier(NoopHostnameVerifier.INSTANCE); // found unchecked-server
    }
}

abstract class OfClients implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}

class TrustingAll extends OfClients {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {} // found unchecked-server
}

class TrustingEverywhere extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {} // found unchecked-server

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return null;
    }
}

class TrustingSome extends OfClients {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        if (chain.length == 0) {
            throw new CertificateException("no certificate");
        }
    }
}

class TrustingAloud extends OfClients {
    private static final Logger LOG = Logger.getLogger("trust");

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) { // found unchecked-server
        LOG.fine("trusted " + type);
    }
}

/** Nobody makes one. */
class NeverUsed extends TrustingAll {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}
}

class AnyHost implements HostnameVerifier {
    private final int mode;

    AnyHost(int mode) {
        this.mode = mode;
    }

    @Override
    public boolean verify(String host, SSLSession session) { // found unchecked-server
        if (mode > 1) {
            System.out.println(host);
            return true;
        }
        return true;
    }
}

class OwnHosts implements HostnameVerifier {
    @Override
    public boolean verify(String host, SSLSession session) {
        if (host.endsWith(".example.org")) {
            return true;
        }
        return false;
    }
}
