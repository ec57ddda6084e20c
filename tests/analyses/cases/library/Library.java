import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

class A { void f() { } B b() { return new B(); } }
class B implements Comparable<B> {
    void f() { }
    public int compareTo(B other) { return 0; }
}
class Own extends ArrayList<A> { public A get(int i) { return new A(); } }
class Box<T> { private final List<T> all = new ArrayList<>(); void put(T t) { all.add(t); } T take() { return all.get(0); } }

class Library {
    static List<A> kept = new ArrayList<>();

    static void lists() {
        List<A> as = new ArrayList<>();
        as.add(new A());
        List<B> bs = new LinkedList<>();
        bs.add(0, new B());
        A a = as.get(0);                                        // a = {A@20}
        B b = bs.remove(0);                                     // b = {B@22, B@38}
        A old = as.set(0, null);                                // old = {A@20}
        List<A> copy = new ArrayList<>(as);
        A c = copy.get(0);                                      // c = {A@20, A@29}
        List<A> part = copy.subList(0, 1);
        part.add(new A());
        A d = copy.get(1);                                      // d = {A@20, A@29}
        A undisturbed = as.get(0);                              // undisturbed = {A@20}
        Object[] array = bs.toArray();
        Object e = array[0];                                    // e = {B@22, B@38}
        B[] typed = bs.toArray(new B[0]);
        B f = typed[0];                                         // f = {B@22, B@38}
        List<B> fixed = Arrays.asList(new B(), new B());
        B g = fixed.get(1);                                     // g = {B@36}
        Collections.addAll(bs, new B());
        B h = bs.get(0);                                        // h = {B@22, B@38}
        List<A> frozen = Collections.unmodifiableList(as);
        A i = frozen.get(0);                                    // i = {A@20}
        List<A> none = Collections.emptyList();
        A j = none.get(0);                                      // j = {}
    }

    static void loops() {
        Set<A> as = new HashSet<>();
        as.add(new A());
        for (A a : as) { A b = a; }                             // b = {A@48}
        Iterator<A> it = as.iterator();
        while (it.hasNext()) { A c = it.next(); }               // c = {A@48}
        Enumeration<A> all = Collections.enumeration(as);
        A d = all.nextElement();                                // d = {A@48}
        Deque<B> bs = new ArrayDeque<>();
        bs.push(new B());
        B e = bs.peek();                                        // e = {B@55}
        Stack<A> stack = new Stack<>();
        stack.push(new A());
        A f = stack.pop();                                      // f = {A@58, A@60}
        A g = stack.push(new A());                              // g = {A@60}
    }

    static void maps() {
        Map<A, B> map = new HashMap<>();
        B none = map.put(new A(), new B());
        B a = map.get(new A());                                 // a = {B@65, B@70}
        for (Map.Entry<A, B> e : map.entrySet()) {
            A key = e.getKey();                                 // key = {A@65}
            B value = e.getValue();                             // value = {B@65, B@70}
            e.setValue(new B());
        }
        for (A key2 : map.keySet()) { A k = key2; }             // k = {A@65}
        for (B value2 : map.values()) { B v = value2; }         // v = {B@65, B@70}
        Map<String, A> named = new TreeMap<>();
        named.put("a", new A());
        A b = named.computeIfAbsent("b", name -> new A());      // b = {A@75, A@76}
        A c = named.getOrDefault("c", new A());                 // c = {A@75, A@76, A@77}
        String first = named.keySet().iterator().next();        // first = {opaque java.lang.String}
        named.forEach((n, x) -> {
            A d = x;                                            // d = {A@75, A@76}
        });
        Map<String, List<A>> nested = new HashMap<>();
        nested.computeIfAbsent("k", k -> new ArrayList<>()).add(new A());
        A inner = nested.get("k").get(0);                       // inner = {A@83}
        Map<A, B> copy = new LinkedHashMap<>(map);
        A f = copy.entrySet().iterator().next().getKey();       // f = {A@65}
    }

    static void streams() {
        List<A> as = new ArrayList<>();
        as.add(new A());
        A a = as.stream().filter(x -> x != null).findFirst().get(); // a = {A@91}
        B b = as.stream().map(x -> x.b()).findAny().orElse(null);   // b = {B@7}
        List<B> bs = as.stream().map(A::b).collect(Collectors.toList());
        B c = bs.get(0);                                        // c = {B@7}
        Map<A, B> d = as.stream().collect(Collectors.toMap(x -> x, A::b));
        B e = d.get(null);                                      // e = {B@7}
        A f = d.keySet().iterator().next();                     // f = {A@91}
        Map<B, List<A>> groups = as.stream().collect(Collectors.groupingBy(A::b));
        A g = groups.get(null).get(0);                          // g = {A@91}
        B h = groups.keySet().iterator().next();                // h = {B@7}
        as.forEach(x -> {
            A i = x;                                            // i = {A@91}
        });
        Stream.of(new A(), new A()).forEach(x -> {
            A j = x;                                            // j = {A@105}
        });
        A k = Stream.generate(A::new).findFirst().get();        // k = {reference@108/object}
        Set<B> set = as.stream().map(A::b).collect(Collectors.toCollection(TreeSet::new));
        B l = set.iterator().next();                            // l = {B@7}
        B m = as.stream().map(A::b).reduce(new B(), (x, y) -> x);   // m = {B@111, B@7}
    }

    static void values() throws Exception {
        Optional<A> maybe = Optional.of(new A());
        A a = maybe.orElseGet(() -> new A());                   // a = {A@115, A@116}
        A b = Objects.requireNonNull(new A());                  // b = {A@117}
        AtomicReference<A> reference = new AtomicReference<>(new A());
        A c = reference.get();                                  // c = {A@118}
        ThreadLocal<A> local = ThreadLocal.withInitial(() -> new A());
        A d = local.get();                                      // d = {A@120}
        ExecutorService pool = Executors.newCachedThreadPool();
        Future<A> later = pool.submit(() -> new A());
        A e = later.get();                                      // e = {A@123}
        StringBuilder text = new StringBuilder();
        StringBuilder f = text.append("x").append(1);           // f = {StringBuilder@125}
        Object g = Class.forName("A").cast(maybe.get());        // g = {A@115}
        A h = CompletableFuture.supplyAsync(A::new).thenApply(x -> new A()).get();  // h = {A@128}
    }

    static void boxes() {
        Box<A> one = new Box<>();
        one.put(new A());
        Box<B> two = new Box<>();
        two.put(new B());
        A a = one.take();                                       // a = {A@133}
        Own own = new Own(); System.getProperties().put("own", own);
        A b = own.get(0);                                       // b = {A@12}
    }

    static void open(Object stranger) {
        List<A> known = new ArrayList<>();
        known.add(new A());
        System.getProperties().put("known", known);
        A a = known.get(0);                                     // a = {A@143, opaque A}
        List<A> printed = new ArrayList<>();
        printed.add(new A());
        System.out.println(printed);
        A b = printed.get(0);                                   // b = {A@147}
        List<A> filled = new ArrayList<>();
        kept.forEach(filled::add);
        A c = filled.get(0);                                    // c = {A@159}
        @SuppressWarnings("unchecked") List<A> strange = (List<A>) stranger;
        A d = strange.get(0);                                   // d = {A@12, opaque A}
    }

    public static void main(String[] args) throws Exception {
        lists(); loops(); maps(); streams(); values(); boxes(); open(System.getProperties().get("list"));
        kept.add(new A());
    }
}
