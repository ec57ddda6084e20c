/** Every method without parameters is run: what it returns is in Runs.expected. */
public class Runs {
    static int field = 7;
    static int[] cells = new int[4];
    static int bump(int by) { field += by; return field; }

    static int order() { int i = 3; i = i++ + ++i * i--; return i; }
    static int operandKept() { int x = 1; return x + (x = 5) * x + x++; }
    static int argumentsKept() { int x = 2; return three(x, x = 4, x++) + x; }
    static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }
    static int narrowing() { byte b = 127; b++; b += 300; char c = 'a'; c += 1; short s = (short) 70000; s >>= 1; return b * 10000 + c + s; }
    static int shifts() { int x = -17; return (x >> 2) + (x >>> 28) + (x << 3) + (x >>> 33) + ~x + (x % 5) + (x / 4) + (x & 12 | 3 ^ x); }
    static int overflow() { int x = 2147483647; x++; return x - 1 + 2147483647 * 3; }
    static int loops() {
        int sum = 0;
        outer:
        for (int i = 0; i < 10; i++) {
            if (i == 2) continue;
            int j = 0;
            while (true) { if (++j > i) continue outer; if (i * j == 42) break outer; sum += i * 10 + j; }
        }
        do { sum--; if (sum % 7 == 0) break; } while (sum > 0);
        return sum;
    }
    static int conditions() {
        int n = 0, r = 0;
        for (int i = 0; i < 8; i++) {
            boolean a = (i & 1) != 0, b = (i & 2) != 0, c = (i & 4) != 0;
            if (a && !b || c && (b || n++ > 1)) r = r * 2 + 1; else r *= 2;
            boolean d = a ? b && c : !(b || c);
            if (d ^ a & !c | b) r += 1000;
            r += a == b ? c ? 3 : 4 : 5;
        }
        return r + n;
    }
    static int falling() {
        int r = 0;
        for (int k = -1; k < 6; k++) {
            switch (k) { case 0: r += 1; case 1: case 2: r += 10; break; default: r += 100; case 4: r += 1000; break; case 5: continue; }
            r += 7;
        }
        return r;
    }
    static int arrows() {
        int r = 0;
        for (int k = 0; k < 5; k++) {
            r = r * 10 + switch (k) { case 0, 3 -> 1; case 1 -> { if (r > 0) yield 2; yield 3; } default -> k + switch (r) { case 12 -> 5; default -> 0; }; };
            switch (k) { case 2 -> r++; case 4 -> { if (r > 5) break; r = 0; } default -> { } }
        }
        return r;
    }
    static int words() {
        String s = "a" + 1 + 'b' + true; s += 2; int r = 0;
        for (int i = 0; i < 2; i++) { switch (s) { case "a1btrue2": r += 5; s = "x"; break; case "x": r += 20; break; default: r += 400; } }
        return r;
    }
    static int arrays() {
        int n = 3; int[] a = new int[n]; int[][] m = {{n, n + 1}, a};
        a[0] = 5; a[n - 1] = a[0]++ + 2; m[1][1] -= 4; cells[m[0][1] - 1] += 9; int i = 0; a[i++] = i = 2;
        int sum = 0; for (int x : a) sum = sum * 10 + x; for (int[] row : m) sum += row.length; a = m[0]; for (int x : a) { a = null; sum += x; }
        return sum * 10 + cells[3] + i;
    }
    static int places() {
        int[] a = {cells[0], cells[1], cells[2]}, b = a; int i = 0;
        a[i] = i = 2; a[i] += (i = 1) + 4; a[i] = (a = null) == null ? 7 : 8; i = 0; b[i++] -= b[i] * i++;
        return b[0] * 100 + b[1] * 10 + b[2];
    }
    static int statics() { int f = field; int r = bump(2) + field++ + bump(field); field = f; return r; }
    static int caught() {
        int r = 0;
        for (int i = 0; i < 3; i++) {
            try { r += risky(i); r += 1; } catch (RuntimeException e) { r += 50; if (i == 1) continue; r += 500; }
            r += 3;
        }
        return r;
    }
    static int risky(int i) { if (i > 0) throw new RuntimeException(); return 10; }
    static int finallyRuns() {
        int r = 0;
        for (int i = 0; i < 4; i++) {
            try { if (i == 1) continue; if (i == 3) break; r += 10; } finally { r += 1; }
        }
        return r + leaves(1) * 1000 + leaves(0) * 100000;
    }
    static int leaves(int x) { int y = x; try { if (x > 0) return y; y = 5; } finally { y += 2; field += 0; } return y; }
    static int overrides() { try { return 1; } finally { return 2; } }
    static int factorial() { return factorial(10); }
    static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

    public static void main(String[] args) throws Exception {
        for (java.lang.reflect.Method m : Runs.class.getDeclaredMethods())
            if (m.getParameterCount() == 0) { field = 7; cells = new int[4]; System.out.println(m.getName() + " " + m.invoke(null)); }
    }
}
