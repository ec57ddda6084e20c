package samples;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import org.apache.commons.io.IOUtils;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

// Methods of a missing library that differ in the types of their parameters: a URL is read from elsewhere, a stream is not.
@RestController
class ReadFrom {
    @PostMapping("/stream")
    void stream(@RequestParam MultipartFile file) throws IOException {
        InputStream stream = file.getInputStream();
        String text = IOUtils.toString(stream, StandardCharsets.UTF_8);
        Runtime.getRuntime().exec(text); // found command-injection
    }

    @PostMapping("/url")
    void url(@RequestParam String address) throws IOException {
        URL url = new URL(address);
        IOUtils.toString(url, StandardCharsets.UTF_8); // found request-forgery
    }
}
