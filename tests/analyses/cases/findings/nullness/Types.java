/** Whatever throws if it gets null. */
class Types {
    void all(boolean some) {
        Integer number = some ? null : Integer.valueOf(1);
        int n = number; // found null-dereference-on-path
        Integer other = some ? null : Integer.valueOf(1);
        int sum = n + other; // found null-dereference-on-path
        String text = some ? null : "a";
        switch (text) { // found null-dereference-on-path
            case "a":
                break;
            default:
        }
        Object lock = some ? null : new Object();
        synchronized (lock) { // found null-dereference-on-path
            n++;
        }
        RuntimeException problem = some ? null : new RuntimeException();
        if (n > 5) {
            throw problem; // not found: only where n > 5, which may go with `some`
        }
        String shown = "a" + (some ? null : "b");
        shown.length();
        Item item = null;
        item = new Item(shown);
        item.name();
        compared(null, null, null);
        chosen(some);
    }

    void compared(Integer a, Integer b, Integer c) {
        boolean zero = a == 0; // found nullable-argument
        boolean same = b != sum(zero); // found nullable-argument
        boolean none = c == null;
        System.out.println(same || none || c == b);
    }

    int sum(boolean zero) {
        return zero ? 1 : 2;
    }

    void chosen(boolean some) {
        Integer whole = some ? sum(some) : null;
        int part = some ? sum(some) : null; // found null-dereference
        System.out.println(whole + "" + part);
    }
}
