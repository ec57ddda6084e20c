import java.util.*;
import java.util.function.UnaryOperator;

// Classes that extend containers of the library, which calls some of their methods, and fluent interfaces.
class V {
    final String s;

    V(String s) { this.s = s; }

    String go() { return s; }

    V self() { return this; }
}

class W extends V {
    W(String s) { super(s); }

    @Override String go() { return "w" + s; }

    @Override V self() { return new V(s); }
}

class Numbered extends ArrayList<V> {
    @Override public boolean add(V v) { v.go(); return super.add(v); }

    @Override public void add(int i, V v) { v.self(); super.add(i, v); }

    @Override public int indexOf(Object o) { return o instanceof V v && v.go() == null ? 1 : super.indexOf(o); }

    Numbered with(V v) { add(v); return this; }
}

class Chosen extends HashSet<V> {
    Chosen(Collection<V> of) { super(of); }

    @Override public boolean add(V v) { return chosen(v) && super.add(v); }

    boolean chosen(V v) { return v.go() != null; }
}

class Recent extends LinkedHashMap<String, V> {
    @Override public V put(String k, V v) { return super.put(k, v.self()); }

    @Override protected boolean removeEldestEntry(Map.Entry<String, V> e) { return old(e.getValue()); }

    boolean old(V v) { return size() > 1 && v.go() != null; }
}

class Bounded<K, T> extends LinkedHashMap<K, T> {
    @Override protected boolean removeEldestEntry(Map.Entry<K, T> e) { return full(); }

    boolean full() { return size() > 1; }
}

class Sorted extends TreeMap<String, V> {
    @Override public V put(String k, V v) { v.go(); return super.put(k, v); }
}

class Tasks extends ArrayDeque<V> {
    @Override public void addFirst(V v) { v.go(); super.addFirst(v); }

    @Override public V pollFirst() { return taken(super.pollFirst()); }

    V taken(V v) { return v; }
}

abstract class Builder<S extends Builder<S>> {
    V v;

    abstract S self();

    S v(V v) { this.v = v; return self(); }

    S when(boolean yes, UnaryOperator<S> f) { return yes ? f.apply(self()) : self(); }

    @SuppressWarnings("unchecked") S raw() { return (S) this; }
}

class One extends Builder<One> {
    One self() { return this; }

    String build() { return v.go(); }
}

class Two extends Builder<Two> {
    Two self() { return me(); }

    Two me() { return this; }

    @Override Two v(V v) { super.v(v.self()); return this; }

    String build() { return v.go(); }
}

public class M {
    public static void main(String[] args) {
        Numbered numbered = new Numbered().with(new W("a")).with(new V("b"));
        numbered.add(0, new W("c"));
        numbered.contains(new V("d"));
        for (V v : numbered) v.go();
        new Chosen(List.of(new W("e"))).addAll(List.of(new V("f")));
        Recent recent = new Recent();
        recent.put("a", new W("g"));
        recent.putAll(Map.of("b", new W("h")));
        recent.values().iterator().next().go();
        Bounded<String, V> bounded = new Bounded<>();
        bounded.put("a", new W("i"));
        bounded.put("b", new W("j"));
        bounded.get("b").go();
        Sorted sorted = new Sorted();
        sorted.putAll(Map.of("a", new W("k")));
        sorted.firstEntry().getValue().go();
        Tasks tasks = new Tasks();
        tasks.push(new W("l"));
        tasks.poll().go();
        new One().v(new W("m")).when(true, o -> o.v(new V("n"))).raw().build();
        new Two().v(new W("o")).raw().when(false, o -> o).build();
        Builder<?> any = args.length > 0 ? new One() : new Two();
        ((Two) any.v(new W("p")).raw()).build();
    }
}
