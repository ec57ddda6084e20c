package bounds;

/** Methods that others may override; getters behind an interface. */
public class Hooks {
    public static class Trigger {
        public boolean hasMore() {
            return false;
        }

        protected boolean isReady(String name) {
            if (name.isEmpty()) {
                throw new IllegalArgumentException();
            }
            return true;
        }

        public final boolean isLast() {
            return false;
        }

        protected int most() {
            return 3;
        }

        int least() {
            return 3;
        }

        public int computed() {
            int found = 1;
            return found + 2;
        }

        public static boolean never() {
            return false;
        }
    }

    public static final class Closed {
        public boolean hasMore() {
            return false;
        }
    }

    static class Own {
        public boolean hasMore() {
            return false;
        }
    }

    interface Store {
        boolean isClustered();

        boolean isRemote();
    }

    static class Tables implements Store {
        private boolean clustered;

        public void setClustered(boolean clustered) {
            this.clustered = clustered;
        }

        public boolean isClustered() {
            return clustered;
        }

        public boolean isRemote() {
            return false;
        }
    }

    private static boolean refuse(String name) {
        System.err.println(name);
        return false;
    }

    private static boolean accepts(String name) {
        return name.length() > 3 || refuse(name);
    }

    static boolean isNameRequired(String country) {
        return true;
    }

    private static boolean isNumberRequired(String country) {
        return true;
    }

    static void ask(Trigger trigger, Closed closed, Own own, Store store) {
        if (trigger.hasMore()) {
            System.out.println("overridden");
        }
        if (trigger.isReady("name") && accepts("name")) {
            System.out.println("overridden");
        }
        if (trigger.isLast()) { // found constant-condition
            System.out.println("final");
        }
        if (isNameRequired("country")) {
            System.out.println("may depend on the country one day");
        }
        if (isNumberRequired("country")) { // found constant-condition
            System.out.println("only here");
        }
        if (trigger.most() > 4) {
            System.out.println("overridden");
        }
        if (trigger.least() > 4) { // found constant-condition
            System.out.println("only here");
        }
        if (trigger.computed() > 4) { // found constant-condition
            System.out.println("computed");
        }
        if (Trigger.never()) { // found constant-condition
            System.out.println("static");
        }
        if (closed.hasMore()) { // found constant-condition
            System.out.println("of a final class");
        }
        if (own.hasMore()) { // found constant-condition
            System.out.println("of a class of the package");
        }
        if (store.isClustered()) {
            System.out.println("set by nobody, as far as is seen");
        }
        if (store.isRemote()) { // found constant-condition
            System.out.println("never");
        }
    }

    public static void main(String[] args) {
        ask(new Trigger(), new Closed(), new Own(), new Tables());
    }
}
