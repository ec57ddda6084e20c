package snippets.expressions;

import static java.lang.Math.*;
import java.util.*;
import java.util.function.Function;

class Expressions<T extends Comparable<? super T> & java.io.Serializable> extends Base {
    int[] a = {1, 2, 3,}, b[] = {{}, {4}}, empty = {};
    long mask = 0xFFFF_FFFFL & 0b1010 | 017 ^ ~0L;
    double d = 1e-3 + .5 + 1.f + 0x1.8p1 + 2d + 1_000.0_1;
    char c = '\'', tab = '\t', octal = '\101', unicode = '\u0041', quote = '"', lone = '\uD800';
    String s = "a\"b\\" + "" + "\u00e9\t" + 'x' + null + true;

    Expressions() {
        this(1);
    }

    <U> Expressions(int x) {
        super();
    }

    Object select(Other o) {
        ((Base) o).call();
        (o.a().b()).c();
        (a[0])++;
        --(a[1]);
        int minus = -(-a[0]), not = -~-a[0], cast = -(int) d, plus = (int) +d, less = (int) -d;
        int group = (minus) - not + (minus) + (not) * 2;
        boolean e = (o.a().b()) != null || !(o == null) && (o) instanceof Other;
        o.<String>generic("x").<T, U>generic();
        this.<T>generic();
        super.<T>generic();
        Expressions.super.toString();
        Expressions.this.a[0] = super.field + this.a.length;
        Object[] classes = {int.class, String[].class, int[][].class, void.class, java.util.Map.Entry.class};
        Object x = (Runnable & java.io.Serializable) () -> { };
        Object y = (Function<T, List<T>>) (T t) -> Arrays.asList(t);
        Object z = (a, b) -> a < b ? a : b > 1 ? -b : +b;
        Object m = String::length;
        Object[] references = {int[]::new, List<String>::new, ArrayList::<T>new, o::a, super::toString, a.Expressions.super::toString, this::select,
            o.a()::b, String[]::clone, java.util.Map.Entry::getKey, Map.Entry<String, T[]>::getKey, "s"::length};
        int shifts = 1 << 2 >> 3 >>> 4, more = a[0] >= 1 >> 1 ? 1 : 0;
        boolean comparison = minus < not == not > cast, chain = a.length < b.length && c > d;
        shifts >>= 1; shifts >>>= 2; shifts <<= 3; shifts += shifts -= shifts *= 2;
        o.field.deep[3].deeper().x = new int[3][minus][].length;
        Object made = new Outer().new Inner<>(1) { int i = 1; { i++; } void f() { } };
        Object array = new int[][] {{1}, {}}[0], generics = new HashMap<String, Map<T, int[]>>(), wild = new <T>Made<T>();
        new Outer.Nested<String>.Inner().run();
        ((Runnable) () -> { }).run();
        ((a[0])).toString();
        (a)[0] = (o).field;
        (o.a).b = 1;
        i = j = k += 3;
        return cond ? x -> x : cond ? (p, q) -> { return p; } : y -> { };
    }

    int precedence(int a, int b) {
        return a + b * a - b / a % b << 1 & a ^ b | a == b && a != b || a <= b ? -a++ + ++b : ~b-- - --a;
    }
}
