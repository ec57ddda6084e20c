"""Values do not flow where a static type, or a cast that the compiler or the runtime makes, rules them out.

Of a program in which objects of all classes meet in containers, arrays, fields that reflection sets and results of
proxies, no variable of a class of the project, and no string, holds an object of a class that is not below it, and no
number holds an object but one that it is unboxed from.
"""

from __future__ import annotations

import pytest

from ladder.analyses.java_types import BOXES, STRING, erasure
from tests.analyses.annotated import Project, Results, analyse, assert_calls, wrong_objects

TYPES = """
    import java.lang.reflect.*;
    import java.util.*;
    import java.util.concurrent.*;
    import java.util.function.*;
    class A { } class B { } class C extends A { } class Boot { }
    interface Named { A name(); }
"""

CASES = {
    # A lambda has the types that the other arguments say, where the place of the call says the result, too.
    "lambdas beside a target type": """
        class M {
            static Map<A, Boot> as = new HashMap<>();
            static Map<B, String> bs = new HashMap<>();
            static <K, V> V make(Map<K, V> map, K key, Function<? super K, ? extends V> f) {
                return map.computeIfAbsent(key, f);
            }
            static Boot of(A a) {
                return make(as, a, k -> {
                    A of = k;  // of = {A@27}
                    return new Boot();
                });
            }
            static String at(B b) {
                return make(bs, b, k -> {
                    B at = k;  // at = {B@28}
                    return "";
                });
            }
            public static void main(String[] args) {
                of(new A());
                at(new B());
            }
        }
    """,
    # A cast of the receiver to a subclass lets just those pass that are of it.
    "receivers that are cast": """
        abstract class Tree {
            Leaf asLeaf() { return (Leaf) this; }
            Node asNode() { return (Node) this; }
        }
        class Leaf extends Tree { }
        class Node extends Tree { }
        class Fluent<S extends Fluent<S>> {
            S self() { return (S) this; }
        }
        class First extends Fluent<First> { }
        class Second extends Fluent<Second> { }
        class M {
            public static void main(String[] args) {
                Tree tree = args.length > 0 ? new Leaf() : new Node();
                Leaf leaf = tree.asLeaf();             // leaf = {Leaf@21}
                Node node = tree.asNode();             // node = {Node@21}
                First first = new First().self();      // first = {First@24}
                Second second = new Second().self();   // second = {Second@25}
            }
        }
    """,
    "results of proxies": """
        class H implements InvocationHandler {
            public Object invoke(Object proxy, Method method, Object[] args) {
                if (args == null) return new C();
                return new B();
            }
        }
        class M {
            public static void main(String[] args) {
                Class<?>[] types = {Named.class};
                Named named = (Named) Proxy.newProxyInstance(null, types, new H());
                A name = named.name();  // name = {C@10, opaque A}
                Named same = (Named) Proxy.newProxyInstance(null, types, (p, m, a) -> {
                    if (a == null) return new C();
                    return new B();
                });
                A other = same.name();  // other = {C@20, opaque A}
            }
        }
    """,
    # A number is unboxed, and is no object.
    "numbers that proxies return": """
        interface Sized { int size(); }
        class M {
            public static void main(String[] args) {
                Sized sized = (Sized) Proxy.newProxyInstance(null, new Class<?>[] {Sized.class}, (p, m, a) -> new B());
                int size = sized.size();  // size = {}
            }
        }
    """,
    # So is a number that is the result of a generic method, or in a field of a generic type.
    "numbers of generic types": """
        class Box<T> { T held; }
        class M {
            static Map<String, Object> all = new HashMap<>();
            static <T> T get(String key) { return (T) all.get(key); }
            public static void main(String[] args) {
                all.put("a", new A());
                all.put("n", new Integer(args.length));
                int n = M.<Integer>get("n");  // n = {Integer@14}
                boolean b = get("b");         // b = {}
                Object o = get("a");          // o = {A@13, Integer@14}
                Box<Integer> box = new Box<>();
                ((Box) box).held = new B();
                int held = box.held;          // held = {}
            }
        }
    """,
    # A clone is of the class that was cloned, and `toArray()` makes an Object[]: neither is an array of A.
    "clones, and arrays of all elements": """
        class M {
            static Object any(int i, ArrayList<Object> list) {
                return i == 0 ? list.clone() : i == 1 ? list.toArray() : new A[1];
            }
            public static void main(String[] args) {
                ArrayList<Object> list = new ArrayList<>(List.of(new B()));
                A[] as = (A[]) any(args.length, list);
                as[0] = new A();
                A a = as[0];  // a = {A@15}
                Object[] all = (Object[]) any(args.length, list);
                Object o = all[0];  // o = {A@15, B@13}
                ArrayList<Object> copy = (ArrayList<Object>) any(args.length, list);
                Object in = copy.get(0);  // in = {B@13}
            }
        }
    """,
    "clones of classes that extend containers": """
        class Titled extends HashMap<String, Object> {
            public Object clone() {
                Titled same = (Titled) super.clone();  // same = {Titled@17}
                return same;
            }
        }
        class Plain extends HashMap<String, Object> { }
        class M {
            public static void main(String[] args) {
                Titled titled = new Titled();
                titled.put("a", new A());
                Titled b = (Titled) titled.clone();   // b = {Titled@17}
                Object in = b.get("a");            // in = {A@18}
                HashMap<String, Object> plain = new Plain();
                Plain c = (Plain) plain.clone();   // c = {Plain@21}
                HashMap<String, Object> other = new HashMap<>();
                other.put("b", new B());
                HashMap<String, Object> d = (HashMap<String, Object>) other.clone();
                Object of = d.get("b");            // of = {B@24}
            }
        }
    """,
    "texts in arrays that reflection makes": """
        class M {
            public static void main(String[] args) {
                Object made = Array.newInstance(args.length == 0 ? A.class : String.class, 1);
                ((Object[]) made)[0] = new B();
                ((Object[]) made)[0] = args[0];
                String s = ((String[]) made)[0];  // s = {opaque java.lang.String}
            }
        }
    """,
    "calls of which only the name is known": """
        class K extends some.Unknown {
            void take(A one) { A a = one; }  // a = {C@15}
            void take(B one) { B b = one; }  // b = {B@16}
        }
        class M {
            public static void main(String[] args) {
                some.Unknown k = new K();
                k.take((Object) new C());
                k.take((Object) new B());
            }
        }
    """,
    # A class of an unknown library knows no class of the project.
    "objects of unknown classes": """
        class M {
            public static void main(String[] args) {
                Object[] all = {new some.Json(), new A()};
                A a = (A) all[0];  // a = {A@10}
                some.Json j = (some.Json) all[0];  // j = {some.Json@10}
            }
        }
    """,
    "fields that reflection sets": """
        class P { A held; Object all; Runnable run; }
        class M {
            static void set(Object o, Object v) throws Exception {
                for (String name : new String[] {"held", "all", "run"}) P.class.getDeclaredField(name).set(o, v);
            }
            public static void main(String[] args) throws Exception {
                P p = new P();
                set(p, new C());
                set(p, new B());
                A held = p.held;     // held = {C@15}
                Object all = p.all;  // all = {C@15, B@16}
                Runnable run = p.run;  // run = {}
            }
        }
    """,
    # What a model makes is of a class of the library.
    "arrays of the project's classes": """
        class M {
            static void fill(Object[] to, Object with) { to[0] = with; }
            public static void main(String[] args) {
                A[] as = {new A()};
                Collection<?>[] cs = new Collection<?>[1];
                Object[] os = new Object[1];
                for (Object[] to : List.of(as, cs, os)) fill(to, Collections.unmodifiableSet(new HashSet<>()));
                A a = as[0];  // a = {A@11}
            }
        }
    """,
    # What a function gives is cast to what the call wants, be it made by the constructor that a reference names.
    "results of references": """
        class M {
            static <T> T made(Supplier<T> how) { return how.get(); }
            public static void main(String[] args) {
                A a = made(C::new);  // a = {reference@11/object}
                B b = made(B::new);  // b = {reference@12/object}
            }
        }
    """,
    # ... unless the type of a variable, as of a lambda's parameter, is not known that well.
    "arrays of unknown types": """
        class M {
            static <T> void all(List<T> list, Consumer<? super T> f) { list.forEach(f); }
            public static void main(String[] args) {
                List list = new ArrayList();
                list.add(new A[] {new A()});
                list.forEach(x -> {
                    for (Object o : (Object[]) x) { Object at = o; }  // at = {A@12}
                });
                var made = java.util.stream.Stream.of(new C()).collect(java.util.stream.Collector.of(
                    () -> new A[] {new A()}, (a, c) -> a[0] = c, (a, b) -> a, a -> {
                        A got = a[0];  // got = {A@17, C@16}
                        return got;
                    }));
            }
        }
    """,
    # A loop goes over an array or over a collection: the elements of arrays are not those of collections.
    "loops": """
        class M {
            static Object any() { return Array.newInstance(A.class, 1); }
            public static void main(String[] args) {
                Object[] made = (Object[]) any();
                made[0] = new B();
                Set<Object> set = new HashSet<>(List.of(new A()));
                Object mixed = args == null ? set : made;
                for (Object o : (Set<Object>) mixed) { Object in = o; }    // in = {A@13}
                for (Object o : (Object[]) mixed) { Object at = o; }       // at = {B@12}
            }
        }
    """,
}


@pytest.mark.parametrize("name", CASES)
def test_values_keep_to_static_types(name: str) -> None:
    results = analyse("pointsto", Project.of({"M.java": TYPES + CASES[name].lstrip("\n")}))
    assert wrong_objects(results) == {}
    assert ill_typed(results) == set()


@pytest.mark.parametrize(("count", "objects"), [(16, 16), (17, 1)])
def test_objects_that_many_tests_make_are_one(count: int, objects: int) -> None:
    tests = "".join(f"@Test void t{i}() {{ M.take(new A()); }} " for i in range(count))
    main = "class M { static void take(A a) { } public static void main(String[] args) { take(new A()); } }"
    source = f"import org.junit.Test; class T {{ {tests}}}"
    results = analyse("pointsto", Project.of({"A.java": "class A { }", "M.java": main, "T.java": source}), "all")
    held = {heap for heap, var in results.rows("VarPointsTo") if var == "M.take(A)/a"} - {"opaque A"}
    assert len(held) == objects + 1 and ("any A of tests" in held) == (objects == 1)


# Classes, and whether their objects are one for the class if a large program makes them at many places.
VALUES = {
    "class A0 { int n; String s; java.util.UUID id; P p; E e; long[] bits; }": True,
    "class A1 { }": True,
    "class A2 extends V { }": True,
    "record A3(String s) { A3() { this(null); } }": True,
    "class A4 { Object o; }": False,
    "class A5 { String[] names; }": False,
    "class A6 { java.util.List<String> names; }": False,
    "class A7 { I i; }": False,
    "class A8 { Q q; }": False,
    "class A9 { V several; }": False,
    "class A10 { java.io.File file; }": False,
    "class A11 extends Q { }": False,
    "class A12 extends java.util.Date { }": False,
    "class A13 extends some.Unknown { }": False,
    "class A14 implements AutoCloseable { public void close() { } }": False,
}
PARTS = "class P { int n; } class V { int n; } class Q { Object o; } enum E { X { } } interface I { }"
LARGE = 4096


def made(count: int, others: int) -> Results:
    """What holds of a program that makes so many objects of each of these classes, and of others."""
    fill = "".join(f"class F{i} {{ static void fill() {{ {'new Object(); ' * 256}}} }}\n" for i in range(others // 256))
    takes = "".join(f"static void take(A{i} a) {{ }} " for i in range(len(VALUES)))
    makes = "".join(f"take(new A{i}());\n" * count for i in range(len(VALUES)))
    main = f"class M {{ {takes} public static void main(String[] args) {{ {makes} }} }}"
    classes = "\n".join((PARTS, *VALUES))
    return analyse("pointsto", Project.of({"A.java": classes, "M.java": main, "F.java": fill}))


@pytest.mark.parametrize(("count", "others", "merged"), [(16, LARGE, False), (17, 0, False), (17, LARGE, True)])
def test_values_that_large_programs_make_at_many_places_are_one_object(count: int, others: int, merged: bool) -> None:
    rows = made(count, others).rows("VarPointsTo")
    for number, is_value in enumerate(VALUES.values()):
        held = {heap for heap, var in rows if var == f"M.take(A{number})/a"}
        assert held == {f"any A{number}"} if is_value and merged else len(held) == count, number


def test_method_references_make_the_object_of_a_value_that_is_made_at_many_places() -> None:
    fill = "".join(f"class F{i} {{ static void fill() {{ {'new Object(); ' * 256}}} }}\n" for i in range(16))
    results = analyse(
        "pointsto",
        Project.of(
            {
                "F.java": fill,
                "M.java": f"""
        class A {{ int n; void run() {{ }} }}
        class M {{
            static void take(A a) {{ a.run(); }}
            public static void main(String[] args) {{
                java.util.function.Supplier<A> maker = A::new;
                A got = maker.get();
                {"take(new A()); " * 16}
            }}
        }}""",
            }
        ),
    )
    assert {heap for heap, var in results.rows("VarPointsTo") if var.endswith("/got")} == {"any A"}
    assert {var for heap, var in results.rows("VarPointsTo") if heap == "any A"} >= {"M.take(A)/a", "A.run()/@this"}


def ill_typed(results: Results) -> set[tuple[str, str]]:
    """(object, variable) where the variable is a number, or the class of the object is not below that of the variable,
    of classes of the project and strings."""
    project = {row[0] for row in results.rows("ProjectType")}
    below, classes = set(results.rows("Subtype")), dict(results.rows("HeapClass"))
    types = {var: erasure(type_) for var, type_ in results.rows("linking.ExpressionType")}
    known = project | {STRING}
    return {
        (heap, var)
        for heap, var in results.rows("VarPointsTo")
        if not heap.startswith("opaque ") and "/proxy" not in heap and classes[heap] != types.get(var)
        if (types.get(var) in BOXES and classes[heap] != BOXES[types[var]])
        or (types.get(var) in known and classes[heap] in known and (classes[heap], types[var]) not in below)
    }


def test_results_of_open_type_are_cast_to_what_is_wanted_where_they_go() -> None:
    assert_calls("""
        import java.util.*;
        interface Shape { void draw(); }
        class Round implements Shape { public void draw() { } }
        class Other { public void draw() { } }
        class Kept { private final Map<String, Object> all = new HashMap<>();
            void put(String name, Object value) { all.put(name, value); }
            @SuppressWarnings("unchecked") <T> T get(String name) { return (T) all.get(name); }
        }
        class M {
            static Shape common; Shape own;
            static void take(Shape shape) { shape.draw(); }                             // calls Round.draw
            static void any(Object any) { if (any instanceof Other other) other.draw(); } // calls Other.draw
            static Shape given(Kept kept) { return kept.get("round"); }                 // calls Kept.get
            public static void main(String[] args) {
                Kept kept = new Kept();
                kept.put("round", new Round());                                         // calls Kept.put
                kept.put("other", new Other());                                         // calls Kept.put
                take(kept.get("round"));                                                // calls Kept.get, M.take
                any(kept.get("other"));                                                 // calls Kept.get, M.any
                given(kept).draw();                                                     // calls M.given, Round.draw
                common = kept.get("round");                                             // calls Kept.get
                common.draw();                                                          // calls Round.draw
            }
        }
    """)
