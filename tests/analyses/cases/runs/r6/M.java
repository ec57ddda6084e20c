class E1 extends RuntimeException { X x; E1(X x){ this.x=x; } }
class X { void hit(){} X me(){return this;} }
enum K { A { int f(){ return 1; } }, B { int f(){ return 2; } }; abstract int f(); }
record P(X x, X y) {}
sealed interface S permits S1, S2 {} record S1(X x) implements S {} record S2(X x) implements S {}
class G<T> { T t; void set(T t){this.t=t;} T get(){return t;} }
class M { static X sx; static { sx = new X(); }
 static void thrower(){ throw new E1(new X()); }
 static <T> T id(T t){ return t; }
 static void va(X... xs){ for (X x : xs) x.hit(); }
 public static void main(String[] a) throws Exception {
  try { thrower(); } catch (E1 e) { e.x.hit(); }
  for (K k : K.values()) k.f(); K.valueOf("A").f(); switch (K.A) { case A -> K.A.f(); default -> {} }
  P p = new P(new X(), new X()); p.x().hit();
  S s = new S1(new X()); if (s instanceof S1 s1) s1.x().hit();
  G<X> g = new G<>(); g.set(new X()); g.get().hit(); id(new X()).hit(); va(new X(), new X()); sx.hit();
  int r = switch (a.length) { case 0 -> { new X().hit(); yield 1; } default -> 2; };
  X[][] m = new X[2][2]; m[0][1] = new X(); m[0][0] = m[0][1]; m[0][1].hit(); X[] cl = m[0].clone(); cl[1].hit(); System.arraycopy(m[0],0,cl,0,1); X[] d = new X[1]; System.arraycopy(m[0],0,d,0,1); d[0].hit(); java.util.Arrays.copyOf(m[0],1)[0].hit();
  Object o = g; ((G<X>) o).get().hit(); var v = new X().me(); v.hit();
  Thread t = new Thread(() -> new X().hit()); t.start(); new Thread(){ public void run(){ new X().hit(); } }.start();
  try { M.class.getDeclaredMethod("thrower").invoke(null); } catch (java.lang.reflect.InvocationTargetException e) { } ((X) X.class.getDeclaredConstructor().newInstance()).hit();
  Object mm = new M(); synchronized(mm) { mm.hashCode(); } try (AC ac = new AC()) { ac.u(); }
 } }
class AC implements AutoCloseable { void u(){} public void close(){ new X().hit(); } }
