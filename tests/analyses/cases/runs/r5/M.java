import java.util.*;
class R implements Runnable { public void run(){ Z.z(this.v); } X v; R(X v){this.v=v;} }
class X { void hit(){} public String toString(){ hit(); return "x"; } }
class Z { static void z(X x){ x.hit(); } }
class It implements Iterator<X> { X x; It(X x){this.x=x;} public boolean hasNext(){return x!=null;} public X next(){ X y = x; x = null; return y; } }
class Col extends AbstractList<X> { X x=new X(); public X get(int i){ return x; } public int size(){return 1;} public Iterator<X> iterator(){ return new It(x); } }
class M { static Object id(Object o){ return o; }
 public static void main(String[] a){ List<Runnable> l = new ArrayList<>(); l.add(new R(new X())); l.get(0).run();
   Map<String,Object> m = new HashMap<>(); m.put("x", new X()); Object o = m.get("x"); o.toString(); String s = "" + o;
   List<Iterable<X>> ls = new ArrayList<>(); ls.add(new Col()); for (X x : ls.get(0)) x.hit();
   List<X> c = new Col(); for (X x : c) x.hit(); X y = c.get(0); y.hit();
   Comparable<X> cx = null; Runnable r = () -> new X().hit(); r.run(); List<Runnable> q = new LinkedList<>(); q.add(() -> new X().hit()); q.get(0).run();
 } }
