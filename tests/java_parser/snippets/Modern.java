package snippets.modern;

import java.util.List;

public sealed interface Modern<T> permits Circle, Modern.Square {
    int X = 1;
    private void helper() { }
    private static int count() { return 1; }
    default int size() { return X; }

    record Square(double side) implements Modern<String> { }

    record Point<T extends Number>(@Deprecated T x, T... rest) implements Comparable<Point<T>> {
        static int made;
        Point {
            if (x == null) throw new NullPointerException();
        }
        Point(T x) { this(x, null); }
        public T x() { return x; }
        record Inner() { }
    }

    non-sealed class Open extends Base { }
    sealed abstract class Closed permits Leaf { }
    static non-sealed class Leaf extends Closed { }

    static int switches(Object o, int n) {
        int a = switch (n) { case 1, 2 -> 3; case 4 -> { yield 5; } default -> throw new Error(); };
        int b = switch (n) { case 1: case 2: yield 1; case 3: int y = 2; yield y + 1; default: yield (n); };
        switch (n) { case 1 -> System.out.println(); case 2, 3 -> { } default -> throw new Error(); }
        return switch (o) {
            case null -> 0;
            case String s when s.length() > 1 && (n > 1) -> s.length();
            case Integer i when (i > 0) -> i;
            case Point(Integer x, Integer y) when x > y -> 1;
            case Square(var side) -> (int) side;
            case Modern.Square[] squares -> squares.length;
            case List<?> list -> list.size() + switch (n) { default -> 1; };
            case FOO -> 2;
            case (BAR) -> 3;
            case A.B, C + 1 -> 4;
            default -> -1;
        };
    }

    static boolean patterns(Object o) {
        if (o instanceof String s && s.isEmpty() || o instanceof final Integer i && i > 1) return true;
        if (!(o instanceof Point<?>(Integer x, Point(var y, Square z)))) return false;
        return o instanceof List<?> l == true && o instanceof int[] && o instanceof java.util.Map.Entry<?, ?>[] e;
    }

    String TEXT = """
        Hello, "world" \
        and ""more\""" \t
          indented\n
        """ + """
            x""".strip();

    static void lambdas() {
        var f = (var x, final var y) -> x;
        Runnable r = () -> { yield(); };
        BinaryOperator<Integer> g = (final int a, int... b) -> a;
        g.then(x -> y -> z -> x + y + z).then((x) -> (y) -> x);
        int v = switch (n) { case 1 -> f(x -> switch (x) { case 1 -> 2; default -> 3; }); default -> { r.run(); yield -1; } };
        switch (n) { default: f(() -> 1); }
    }

    enum Planet implements Modern<String> {
        @Deprecated MERCURY(3.3e23, 2.4e6) { @Override int f() { return 1; } },
        VENUS { },
        EARTH(),
        MARS,
        ;
        private final double mass = 1;
        Planet(double... x) { }
        int f() { return 0; }
    }

    enum Empty { }
    enum Comma { A, }
    enum Semicolon { A; int x; }

    @interface Config {
        int value() default 1;
        String[] names() default {"a", "b",};
        Deprecated nested() default @Deprecated(since = "1", forRemoval = true);
        Class<?>[] classes() default {};
        int array()[] default {1};
        int CONSTANT = 2;
        enum Kind { A }
    }

    @Config(1) @Config(value = 2, names = {}) @Config({1, 2}) @java.lang.Deprecated() @Config(names = {"x"})
    class Annotated { }
}
