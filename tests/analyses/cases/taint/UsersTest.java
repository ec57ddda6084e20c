import java.io.File;
import org.junit.jupiter.api.Test;

/** Nobody attacks a test. */
class UsersTest {
    @Test
    void opens() {
        new File(System.getProperty("user.home")).delete();
    }

    @Test
    void passes() {
        Opened.open(System.getProperty("user.home"));
    }
}
