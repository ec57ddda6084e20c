import module java.base;

record Pair(Object left, int right) { }

class Patterns extends Base {
    final int size;

    Patterns(int size) { this.size = size; super(size); start(); }
    Patterns() { int size = start(); this(size); }

    static int match(Object o) {
        return switch (o) {
            case Pair(_, int r) when r > 1 -> r; case Pair(String _, var _) -> 1; case int i -> i; default -> 0;
        };
    }

    static void unnamed(List<String> names) {
        for (var _ : names) { start(); } int _ = 1; int _ = 2; names.forEach(_ -> { start(); });
        try (var _ = open()) { start(); } catch (Exception _) { start(); }
    }

    static int start() { return 1; }
}
