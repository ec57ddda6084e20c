import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.xml.parsers.DocumentBuilderFactory;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;
import org.jsoup.Jsoup;
import org.springframework.web.client.RestTemplate;

/** What servers answer that clients of HTTP ask is graded one level lower than what anybody sends. */
class Answered {
    public static void main(String[] args) throws Exception {
        apache(HttpClients.createDefault());
        okhttp(new OkHttpClient(), new Request.Builder().url("https://acme.com/").build());
        spring(new RestTemplate());
        Runtime.getRuntime().exec(Jsoup.connect("https://acme.com/").timeout(9).get().title()); // found command-injection: warning
    }

    private static void apache(CloseableHttpClient client) throws Exception {
        try (CloseableHttpResponse response = client.execute(new HttpGet("https://acme.com/"))) {
            String text = EntityUtils.toString(response.getEntity());
            Runtime.getRuntime().exec(text); // found command-injection: warning
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(text.getBytes())); // found xml-external-entities: warning
        }
    }

    private static void okhttp(OkHttpClient client, Request request) throws IOException {
        Runtime.getRuntime().exec(client.newCall(request).execute().body().string()); // found command-injection: warning
        Runtime.getRuntime().exec("code " + client.newCall(request).execute().code());
    }

    private static void spring(RestTemplate rest) throws IOException {
        Runtime.getRuntime().exec(rest.getForObject("https://acme.com/", String.class)); // found command-injection: warning
        Runtime.getRuntime().exec(rest.getForEntity("https://acme.com/", Order.class).getBody().getName()); // found command-injection: warning
    }

    static class Order {
        private String name;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }
}
