package a.b;
import java.util.function.*;
class Nesting<T extends Number & Comparable<T>> {
  private T value; static int shared;
  static <X> X same(X x) { class Local { X kept = x; X get() { return kept; } } return new Local().get(); }
  Supplier<T> supply(int n, String... more) {
    Runnable r = () -> value.intValue();
    Function<String, Integer> f = s -> { int k = n; return s.length() + k + more.length; };
    Supplier<Runnable> nested = () -> () -> help(n, value);
    use(Nesting::same, String[]::new, this::help, super::toString, more.clone()::hashCode, java.util.ArrayList<T>::new);
    return (Supplier<T> & java.io.Serializable) () -> value;
  }
  void help(Object... o) { }
  class Inner extends Nesting<Integer> {
    int depth = 1;
    Inner() { this(1); }
    Inner(int d) { super(); depth += d; }
    { shared = depth; }
    class Deep { void go() { help(depth, Nesting.this.value); Nesting.this.new Inner(2); new Inner(); } }
    Object anonymous(final int q) {
      return new Nesting<Integer>() { int own = q; void help(Object... o) { own = q + depth; super.help(own); } };
    }
  }
  static { shared = 2; }
  interface Shape { double PI = 3.0; double area(); default double twice() { return 2 * area(); } static Shape none() { return () -> 0; } }
  enum Kind implements Shape { ROUND(1) { public double area() { return r; } }, FLAT; int r; Kind(int... r) { } public double area() { return 0; } }
  record Pair<A>(A left, int... rest) implements Shape { static int made; Pair { made++; } public double area() { return left.hashCode(); } public int[] rest() { return rest; } }
  @interface Mark { String value() default "x"; int[] numbers() default {}; }
}
class Second { Second(int x) { } void m(Nesting<Long>.Inner i) { i.new Deep().go(); for (var x : i.depths()) x.go(); } }
