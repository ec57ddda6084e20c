import java.io.File;
import org.junit.jupiter.api.Test;

/** Nobody attacks a test. */
class UsersTest {
    @Test
    void opens() {
        new File(System.getProperty("shop.home")).delete();
    }

    @Test
    void passes() {
        Opened.open(System.getProperty("shop.home"));
    }

    @org.springframework.web.bind.annotation.RestController
    static class Answering {
        @org.springframework.web.bind.annotation.GetMapping("/users")
        void users(@org.springframework.web.bind.annotation.RequestParam String name) {
            Opened.open(name);
        }
    }
}
