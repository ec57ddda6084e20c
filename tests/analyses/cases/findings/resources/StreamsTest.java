import java.io.*;
import org.junit.jupiter.api.Test;

/** What a test leaves open is found, as a note. */
class StreamsTest {
    @Test
    void reads() throws IOException {
        System.out.println(new FileInputStream("a").read()); // found unclosed-resource
    }
}
