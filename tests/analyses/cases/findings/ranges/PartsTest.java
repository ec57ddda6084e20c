import org.junit.jupiter.api.Test;

/** A test passes numbers that are wrong to see that they are refused. */
class PartsTest {
    @Test
    void refusesNegativeIndexes() {
        try {
            new Parts().at(-1);
        } catch (IndexOutOfBoundsException expected) {
            System.out.println(expected);
        }
    }

    @Test
    void readsWhatItWrites() {
        System.out.println(new int[3][Integer.parseInt("server.2".substring(7))].length);
        System.out.println(new String[] {"a", "b", "c"}[Integer.parseInt("server.2".substring(7))]);
    }

    @Test
    void countsOn() {
        System.out.println(Parts.parsed("3") + 1);
    }
}
