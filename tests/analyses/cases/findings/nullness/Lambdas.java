/** Variables that other bodies see. */
class Lambdas {
    void all(Item a, boolean some) {
        Item b = some ? null : a;
        Runnable bad = () -> b.name(); // found null-dereference-on-path
        bad.run();
        if (b != null) {
            Runnable good = () -> b.name();
            good.run();
        }
        Item c = some ? null : a;
        Runnable other = new Runnable() {
            @Override
            public void run() {
                c.name(); // found null-dereference-on-path
            }
        };
        other.run();
    }
}
