package bounds;

import org.junit.jupiter.api.Test;

class SwitchesTest {
    private final boolean print = false;

    @Test
    void runs() {
        new Switches().run();
        if (print) {
            System.out.println("ran");
        }
    }
}
