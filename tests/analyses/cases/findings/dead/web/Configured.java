package web;

/** Named by a file beside the sources, which has its properties set and a method called. */
public class Configured {
    public void setName(String name) { }

    public void between() { }

    void begin() {
        System.out.println(Labels.BEGIN + Labels.class);
        Runnable later = new Runnable() { // found unused-variable
            public void run() { }
        };
    }

    void end() { } // found unused-method
}

class Rules {
    static boolean strict() {
        return true;
    }

    static boolean lenient() { // found unused-method
        return false;
    }
}

final class Labels {
    static final StringBuilder BEGIN = new StringBuilder("begin");

    private Labels() { }
}
