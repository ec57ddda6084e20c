import org.junit.Test;

/** A password that a test gives is none of the program. */
public class DirectoriesTest {
    @Test
    public void proxies() {
        new Directories.Proxy() {
            @Override
            String password() {
                return "secret-of-tests";
            }
        }.authentication();
    }
}
