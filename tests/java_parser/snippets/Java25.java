package snippets.java25;

import module java.base;
import module com.acme.tools;

/// Java 22 to 25: unnamed variables and patterns, code before constructor calls, imports of modules, and patterns of
/// primitive types, a preview of Java 25.
class Java25 extends Base {
    private final int size;

    Java25(int size) {
        if (size < 0) throw new IllegalArgumentException();
        this.size = size;
        super(size);
        start();
    }

    Java25() {
        int size = List.of(1, 2).size();
        this(size);
    }

    int unnamed(Object o, Iterable<String> names, Map<String, Integer> map) throws Exception {
        int n = 0;
        for (String _ : names) n++;
        for (int i = 0, _ = start(); i < 2; i++) { }
        try (var _ = open(); var _ = open()) { } catch (RuntimeException _) { }
        var _ = names.iterator();
        map.forEach((_, _) -> start());
        map.computeIfAbsent("", _ -> 1);
        map.replaceAll((String _, Integer _) -> 1);
        if (o instanceof Pair(Integer _, _) || o instanceof String _) return 1;
        return switch (o) {
            case Pair(Pair(_, var _), int i) when i > 0 -> i;
            case Pair(_, _), Circle(_) -> 2;
            case Integer _, Long _ -> 3;
            default -> n;
        };
    }

    static int primitive(Object o, long l, boolean b) {
        if (o instanceof int i && l instanceof byte c) return i + c;
        int n = switch (b) { case true -> 1; case false -> 2; };
        return switch (l) { case 1L -> n; case int i when i > 2 -> i; case long _ -> 3; };
    }
}
