package samples;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.UrlResource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.stereotype.Component;
import org.yaml.snakeyaml.Yaml;

// Resources of Spring: of the class path, which are the program's own, and of other machines.
@Component
public class Configured {
    public Configured() throws IOException {
        for (URL url : all()) {
            new Yaml().load(url.openStream()); // found unsafe-deserialization: note
        }
        URL own = new ClassPathResource("names.yml").getURL();
        new Yaml().load(own.openStream()); // found unsafe-deserialization: note
        URL other = new UrlResource("http://example.com/names.yml").getURL();
        new Yaml().load(other.openStream()); // found unsafe-deserialization: error
        URL remote = new PathMatchingResourcePatternResolver().getResource("http://example.com/a.yml").getURL();
        new Yaml().load(remote.openStream()); // found unsafe-deserialization: error
    }

    List<URL> all() throws IOException {
        Resource[] resources = new PathMatchingResourcePatternResolver().getResources("classpath*:names.yml");
        List<URL> urls = new ArrayList<>();
        for (Resource resource : resources) {
            URL url = resource.getURL();
            urls.add(url);
        }
        return urls;
    }
}
