package snippets.statements;

public class Statements {
    static int counter; ;
    static { counter = 1; }
    { counter++; }

    @SuppressWarnings({"unchecked", "rawtypes"}) @Deprecated
    public static synchronized <T extends Exception> int[] run(final String[] args, @Named("x") int... rest)[]
            throws T, java.io.IOException {
        ;
        label: outer: for (int i = 0, j[] = {1}; i < 10; i++, counter--) {
            if (i == 1) continue outer; else if (i == 2) break label; else { }
        }
        for (;;) break;
        for (i = 0, j = 1; ; ) { }
        for (final String arg : args) for (var c : arg.toCharArray()) System.out.println(c);
        for (@Named int[] row[] : new int[0][][]) { }
        while (counter > 0) counter--;
        do counter++; while (counter < 3);
        do { } while (false);
        switch (counter) { }
        switch (counter) {
            case 1: case 2:
            case A + 1:
                int x = 1;
                break;
            case Other.B:
            default:
                return null;
            case 'c': {
            }
        }
        try { } finally { }
        try (Reader r = open(); final java.io.Writer w = new W();) { r.read(); }
        try (reader; this.field; var q = open()) { } catch (final RuntimeException | Error e) { throw e; }
        try { } catch (A a) { } catch (@Named B b) { } finally { counter = 0; }
        synchronized (this) { counter++; }
        assert counter > 0;
        assert counter > 0 : "message";
        throw new IllegalStateException();
    }

    void locals() {
        int a, b[] = {1}, c[][] = null;
        final var list = new java.util.ArrayList<String>();
        java.util.Map.Entry<String, int[]>[] entries;
        List<?> wild; List<? extends Number[]> upper; Map<? super T, ?> lower;
        a.b.C<D>.E<F[]> nested = null;
        class Local<T> extends Base implements I, J<T> { int f; }
        abstract class Other { abstract int m(); }
        final @Named class Third { }
        interface Inside { int X = 1; }
        enum Colour { RED, GREEN; }
        record Point(int x, int... y) { }
        i++;
        a < b.length;
        call().chain().of().calls();
        new Thread() { public void run() { } }.start();
        if (a) b(); else if (c) d(); else e();
        { int inner = 1; }
        yield = 1;
        record = sealed + permits + when + module + open + with + to;
        record.call(var, yield);
        int record = 1, sealed = 2;
    }

    abstract int abstracted(int a[], String[]... b) throws E;
    native void nat();
    Statements(Statements outer) { outer.super(); }
    Statements() { <String>this(1); }
    <T> Statements(T t) { outer.a().<T>super(t); }
}
;
