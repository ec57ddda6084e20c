class Control {
  int loops(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) { if (i % 2 == 0) continue; sum += i; }
    outer:
    while (true) {
      do { n--; if (n == 3) break outer; } while (n > 0 && sum != 7 || !done());
      for (;;) { if (n < 0) break; continue outer; }
    }
    for (;;) { }
  }
  boolean done() { return false; }
  String old(int k, String s) {
    switch (k) { case 1: k = 2; case -2: case 'c': break; default: return s; }
    switch (s) { case "a": return "A"; }
    switch (k) { case MAX -> k = 1; case Other.MIN, 1 + 2 -> { break; } }
    return k > 0 ? s : k < 0 ? null : "zero";
  }
  int arrows(Object o, int k) {
    int r = switch (k) { case 1, 2 -> 10; case 3 -> { if (k > 0) yield 4; yield k; } default -> throw new Error(); };
    return switch (o) {
      case null -> 0;
      case String s when s.isEmpty() -> 1;
      case Pair(var a, Pair(int b, String c)) -> b;
      case Integer i -> i;
      default -> r;
    };
  }
  void assertions(Object lock) {
    assert lock != null : "lock";
    synchronized (lock) { if (done()) return; }
  }
  int bindings(Object o) {
    if (!(o instanceof String s)) return 0;
    return s.length();
  }
}
