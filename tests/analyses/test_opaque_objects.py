"""Calls on objects of which only the type is known: what happens when these programs run has its edge, and what cannot
happen has none.
"""

from __future__ import annotations

import pytest

from tests.analyses.annotated import assert_calls


@pytest.mark.slow
def test_a_constructor_runs_on_the_object_that_it_makes() -> None:
    results = assert_calls("""
        class A { Object f; A() { f = new Object(); init(); } void init() { } }
        class B extends A {
            void init() { own(); }                              // calls B.own
            void own() { }
        }
        class C extends A { C() { } C(int i) { } }
        class M { public static void main(String[] args) {
            A a;
            if (args.length == 0)
                a = new B();
            else
                a = new C();
            a.init();                                           // calls A.init, B.init
        } }
    """)
    this = {(var.partition("/")[0], results.shown(heap)) for heap, var in results.rows("VarPointsTo") if "@this" in var}
    assert {(method, heap) for method, heap in this if "<init>" in method} == {
        ("A.<init>()", "B@11"),
        ("A.<init>()", "C@13"),
        ("B.<init>()", "B@11"),
        ("C.<init>()", "C@13"),
    }


@pytest.mark.slow
def test_methods_of_an_abstract_class_run_on_objects_of_its_subclasses() -> None:
    assert_calls(
        """
        public abstract class M {
            public String show() { return left(); }             // calls Q.left
            public abstract String left();
        }
        class Q extends M { public String left() { return "q"; } }
        """,
        "public",
    )


NODES = """
    class Shape { void draw() { } }
    class Other { void draw() { } }
    class Node { Shape shape; Node next; Node(Shape s) { shape = s; } Shape get() { return shape; } }
    class Apart { Other shape = new Other(); }
"""


def test_a_field_of_an_opaque_object_holds_what_escaped_ones_hold() -> None:
    assert_calls(
        "import java.util.*;"
        + NODES
        + """
        class M { public static void main(String[] args) {
            List<Node> nodes = new ArrayList<>(); nodes.add(new Node(new Shape())); new Apart();
            nodes.get(0).shape.draw();                          // calls Shape.draw
            nodes.get(0).get().draw();                          // calls Shape.draw, Node.get
            for (Node n : nodes) n.shape.draw();                // calls Shape.draw
            Iterator<Node> all = nodes.iterator();
            Shape s = all.next().shape; s.draw();               // calls Shape.draw
        } }
        """
    )


@pytest.mark.slow
def test_what_is_stored_into_an_opaque_object_is_in_the_escaped_ones() -> None:
    assert_calls(
        "import java.util.*;"
        + NODES
        + """
        class M { public static void main(String[] args) {
            List<Node> nodes = new ArrayList<>(); Node kept = new Node(null), apart = new Node(null); nodes.add(kept);
            nodes.get(0).shape = new Shape();
            kept.shape.draw();                                  // calls Shape.draw
            apart.shape.draw();                                 // calls nothing
        } }
        """
    )


@pytest.mark.slow
def test_erased_types_are_those_of_their_use() -> None:
    assert_calls("""
        import java.util.*;
        class X { void hit() { } }
        class Y { void hit() { } }
        class Box<T> {
            Map<String, T> held = new HashMap<>(); T one;
            void put(T t) { held.put("a", t); one = t; }
            T get() { return held.get("a"); }
            T one() { return one; }
        }
        class M { public static void main(String[] args) {
            Box<X> b = new Box<>(); b.put(new X());             // calls Box.put
            Box<Y> c = new Box<>(); c.put(new Y());             // calls Box.put
            b.get().hit();                                      // calls Box.get, X.hit
            X x = b.one(); x.hit();                             // calls Box.one, X.hit
            c.one().hit();                                      // calls Box.one, Y.hit
            b.one.hit();                                        // calls X.hit
            List<Box<Y>> all = new ArrayList<>(); all.add(c);
            all.get(0).one.hit();                               // calls Y.hit
            all.get(0).one = new Y();
            c.one.hit();                                        // calls Y.hit
        } }
    """)


@pytest.mark.slow
def test_of_a_class_with_an_unknown_superclass_any_supertype_may_be_one() -> None:
    assert_calls("""
        class Task extends elsewhere.Base { public void run() { hit(); } void hit() { } }   // calls Task.hit
        class M {
            static Task make() { return new Task(); }
            public static void main(String[] args) {
                Runnable made = make();                         // calls M.make
                made.run();                                     // calls Task.run
                Object any = new Task();
                ((Runnable) any).run();                         // calls Task.run
            }
        }
    """)


@pytest.mark.slow
def test_an_opaque_object_of_a_library_type_stands_for_escaped_ones() -> None:
    assert_calls("""
        import java.util.*;
        import java.util.function.Supplier;
        class X { public String toString() { return "x"; } }
        class Never { public String toString() { return "never"; } }
        class R implements Runnable { public void run() { } }
        class It implements Iterator<X> {
            X x = new X();
            public boolean hasNext() { return true; }
            public X next() { return x; }
        }
        class Col extends AbstractList<X> {
            public X get(int i) { return new X(); }
            public int size() { return 1; }
            public Iterator<X> iterator() { return new It(); }
        }
        class M { public static void main(String[] args) {
            Object never = new Never();
            List<Runnable> runs = new ArrayList<>(); runs.add(new R()); runs.add(() -> { });
            runs.get(0).run();                                  // calls R.run, M.main/lambda: add()
            Map<String, Object> map = new HashMap<>(); map.put("x", new X());
            map.get("x").toString();                            // calls X.toString
            List<Iterable<X>> all = new ArrayList<>(); all.add(new Col());
            for (X x : all.get(0)) x.toString();                // calls Col.iterator, It.hasNext, It.next, X.toString
            List<Supplier<X>> makers = new ArrayList<>(); makers.add(X::new);
            makers.get(0).get().toString();                     // calls X.toString
        } }
    """)


def test_objects_that_callers_get_are_called_whatever_their_types() -> None:
    results = assert_calls(
        """
        public class M {
            public interface Shape { void draw(); }
            private static class Hidden implements Shape {
                public void draw() { own(); }                   // calls Hidden.own
                void own() { }
            }
            private static class Kept implements Shape {
                public void draw() { own(); }                   // calls nothing
                void own() { }
            }
            public static Shape shape = new Shape() {
                public void draw() { inner(); }                 // calls 1.inner
                void inner() { }
            };
            private static Shape kept = new Kept();
            public Shape given;
            public static Shape make() { return new Hidden(); }
            public void use() { given.draw(); }                 // calls Hidden.draw, 1.draw
        }
        """,
        "public",
    )
    assert "M$Kept.draw()" not in {method for (method,) in results.rows("Reachable")}


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["main", "public"])
def test_finalizers_and_initialisers_of_superinterfaces_run(policy: str) -> None:
    results = assert_calls(
        """
        interface I { X x = new X(); default void d() { } }
        interface J { X x = X.other(); }
        class X { static X other() { return null; } X() { hit(); } void hit() { } }    // calls X.hit
        class F implements I, J {
            protected void finalize() { closed(); }             // calls F.closed
            void closed() { }
        }
        public class M { public static void main(String[] args) { new F(); } }
        """,
        policy,
    )
    assert ("I.<clinit>()",) in set(results.rows("Reachable"))
    assert (("J.<clinit>()",) in set(results.rows("Reachable"))) == (policy == "public")


def test_a_call_on_an_unknown_class_is_no_call_on_a_variable() -> None:
    """Its arguments escape, although what is left of the dot might be a field."""
    assert_calls("""
        class A implements Runnable { public void run() { hit(); } void hit() { } }     // calls A.hit
        class M { public static void main(String[] args) { elsewhere.Library.start(new A()); } }
    """)


@pytest.mark.slow
def test_arrays_hold_what_their_types_allow() -> None:
    assert_calls("""
        import java.util.*;
        interface Hits { void hit(); }
        class X implements Hits { public void hit() { } }
        class Y implements Hits { public void hit() { } }
        class Z extends X { public void hit() { } }
        class M {
            static void put(Object[] to, Object o) { to[0] = o; }
            static void copy(Object[] from, Object[] to) { System.arraycopy(from, 0, to, 0, 1); }
            public static void main(String[] args) {
                X[] xs = new X[1]; Y[] ys = new Y[1]; Hits[] all = new Hits[1]; X[][] rows = new X[1][];
                put(xs, new X()); put(xs, new Z()); put(ys, new Y()); put(all, "text"); put(rows, xs);
                xs[0].hit();                                    // calls X.hit, Z.hit
                ys[0].hit();                                    // calls Y.hit
                all[0].hit();                                   // calls X.hit, Z.hit, Y.hit
                rows[0][0].hit();                               // calls X.hit, Z.hit
                X[] from = {new X()}; Y[] wrong = new Y[1]; X[] to = new X[1];
                copy(from, wrong); copy(from, to);
                wrong[0].hit();                                 // calls nothing
                to[0].hit();                                    // calls X.hit
            }
        }
    """)


@pytest.mark.slow
def test_copies_of_arrays_may_be_of_another_type() -> None:
    assert_calls("""
        import java.util.Arrays;
        class X { public void hit() { } public int hashCode() { return 1; } }
        class Y { public void hit() { } public int hashCode() { return 2; } }
        class M { public static void main(String[] args) {
            X[] from = {new X()};
            Object[] all = Arrays.copyOf(from, 2, Object[].class);
            all[1] = new Y();
            ((Y) all[1]).hit();                                 // calls Y.hit
            ((X) all[0]).hit();                                 // calls X.hit
            X[] same = typed(from);
            same[0].hit();                                      // calls X.hit
            Object[] some = from;
            some[0].hashCode();                                 // calls X.hashCode
        }
        static <T> T[] typed(Object[] any) { return (T[]) Arrays.copyOfRange(any, 0, 2, X[].class); }
        }
    """)


@pytest.mark.slow
def test_arrays_that_the_library_copies() -> None:
    assert_calls("""
        import java.util.Arrays;
        class X { void hit() { } }
        class Y { void hit() { } }
        class M { public static void main(String[] args) {
            X[] from = {new X()}, to = new X[1], other = new X[1];
            System.arraycopy(from, 0, to, 0, 1);
            to[0].hit();                                        // calls X.hit
            other[0].hit();                                     // calls nothing
            Object[] made = from.clone(); ((X) made[0]).hit();  // calls X.hit
            Y[] ys = {new Y()};
            Arrays.copyOf(ys, 2)[0].hit();                      // calls Y.hit
            Arrays.copyOfRange(ys, 0, 1)[0].hit();              // calls Y.hit
        } }
    """)


def test_functions_are_given_what_their_parameters_allow() -> None:
    assert_calls("""
        import java.util.function.Consumer;
        class Pipe { void close() { } }
        class Fine extends Pipe { void close() { } }
        class Page { void close() { } }
        class M {
            static <T> void each(Consumer<T> action, T value) {
                action.accept(value);                           // calls M.close, M.main/lambda: each(p)
            }
            static void close(Pipe p) {
                p.close();                                      // calls Pipe.close, Fine.close
            }
            public static void main(String[] args) {
                M.<Pipe>each(M::close, new Pipe());
                M.<Pipe>each(M::close, new Fine());
                M.<Page>each(p -> p.close(), new Page());       // calls Page.close, M.each
            }
        }
    """)


@pytest.mark.slow
def test_casts_to_what_an_unknown_class_cannot_extend() -> None:
    """A class with an unknown superclass may be a reader or a list, but no text, number or array."""
    results = assert_calls("""
        import org.elsewhere.Wrapper;
        class Own extends Wrapper { void own() { } }
        class M { public static void main(String[] args) {
            Object o = new Own();
            java.io.Reader reader = (java.io.Reader) o;
            java.util.List list = (java.util.List) o;
            String text = (String) o;
            Integer number = (Integer) o;
            Object[] array = (Object[]) o;
            Own own = (Own) o;
            own.own();                                          // calls Own.own
        } }
    """)
    objects = {var.rpartition("/")[2]: found for var, found in results.objects().items()}
    assert objects["reader"] == objects["list"] == objects["own"] == {"Own@5"}
    assert not objects.keys() & {"text", "number", "array"}


@pytest.mark.slow
def test_an_unknown_interface_makes_no_class_of_the_library() -> None:
    """It may extend any interface; what the class extends is known."""
    results = assert_calls("""
        import org.elsewhere.*;
        class Room implements Result {
            public String getName() { return "room"; }
            public void run() { }
        }
        class File extends Base { public String getName() { return "file"; } }
        class M { public static void main(String[] args) {
            Registry.keep(new Room()); Registry.keep(new File());
            java.util.zip.ZipEntry entry = Registry.entry();
            entry.getName();                                    // calls File.getName
            Runnable task = Registry.task();
            task.run();                                         // calls Room.run
            Object o = new Room();
            java.util.zip.ZipEntry none = (java.util.zip.ZipEntry) o;
            Runnable some = (Runnable) o;
        } }
    """)
    objects = {var.rpartition("/")[2]: found for var, found in results.objects().items()}
    assert objects["some"] == {"Room@14"} and "none" not in objects


@pytest.mark.slow
def test_only_arrays_have_elements() -> None:
    results = assert_calls("""
        class X { void hit() { } }
        class M {
            static void put(Object any, X x) { ((Object[]) any)[0] = x; }
            public static void main(String[] args) {
                Object lock = new Object(); X[] xs = new X[1];
                put(lock, new X()); put(xs, new X());
                xs[0].hit();                                    // calls X.hit
            }
        }
    """)
    assert "new Object" not in {row[0].rpartition("/")[2] for row in results.rows("ArrayIndexPointsTo")}


@pytest.mark.slow
def test_parameters_of_primitive_types_hold_no_objects() -> None:
    """Which of the overloads is called is not known, as the argument's type is not."""
    results = assert_calls("""
        import org.elsewhere.Source;
        class X { public String toString() { return "x"; } }
        class Writer {
            int count;
            void write(int count) { this.count = count; }
            void write(Object o) { o.toString(); }              // calls X.toString
        }
        class M { public static void main(String[] args) {
            Writer w = new Writer();
            w.write(Source.keep(new X()));
            w.write(new X());
            java.util.function.IntConsumer c = w::write;
            java.util.List.of(new X(), Integer.valueOf(3)).forEach(o -> w.write((Integer) (Object) o));
        } }
    """)
    assert not [row for row in results.rows("VarPointsTo") if row[1].endswith("/count")]
    assert not [row for row in results.rows("InstanceFieldPointsTo") if "count" in row[1]]


# Nobody extends these types in the project.
OPEN = """
    public abstract class M {
        void own() { hit(); }                               // calls M.hit
        public void shown() { hit(); }                      // calls M.hit
        private void hit() { }
        abstract void left();
        public void start() {
            own();                                          // calls M.own
            this.shown();                                   // calls M.shown
            left();                                         // calls nothing
        }
        public static void given(M m, D d) {
            m.own();                                        // calls M.own
            m.left();                                       // calls nothing
            d.first();                                      // calls D.first
            d.third();                                      // calls nothing
        }
    }
    interface D {
        default void first() { second(); }                  // calls D.second
        default void second() { third(); }                  // calls nothing
        void third();
    }
"""


def test_classes_outside_the_project_extend_abstract_ones() -> None:
    assert_calls(OPEN, "public")


@pytest.mark.slow
def test_classes_outside_the_project_extend_what_project_classes_extend() -> None:
    """Those of the project override the method; another one may not."""
    assert_calls(
        """
        public abstract class M {
            public static void given(M m, Closed c) {
                m.show();                                   // calls M.show, Q.show
                c.show();                                   // calls R.show
            }
            public void show() { }
        }
        class Q extends M { public void show() { } }
        abstract class Closed {
            Closed() { }
            void show() { }
            public void start() { show(); }                 // calls R.show
        }
        class R extends Closed { void show() { } }
        """,
        "public",
    )


@pytest.mark.slow
def test_what_a_pattern_names_runs_on_some_object() -> None:
    assert_calls(
        """
        abstract class M {
            void start() { show(); }                        // calls M.show
            void show() { }
            static void given(M m) { m.show(); }            // calls nothing
        }
        """,
        "M.start",
    )
    assert_calls(
        """
        abstract class M { void show() { } static void given(M m) { m.show(); } }           // calls M.show
        """,
        "M.given",
    )
    assert_calls(
        """
        abstract class M { void show() { } void start() { show(); } }                       // calls P.show, Q.show
        class P extends M { void show() { } }
        class Q extends M { void show() { } }
        """,
        "M.start",
    )


@pytest.mark.slow
def test_nobody_extends_an_abstract_class_of_a_closed_program() -> None:
    assert_calls("""
        abstract class A {
            void start() { hit(); }                         // calls nothing
            void hit() { }
        }
        class M {
            static A found;
            public static void main(String[] args) {
                if (found != null) found.start();           // calls nothing
                java.util.List<A> all = new java.util.ArrayList<>();
                all.get(0).start();                         // calls nothing
            }
        }
    """)


@pytest.mark.slow
def test_fields_that_only_unknown_classes_declare_may_hold_what_a_variable_is_compared_with() -> None:
    assert_calls("""
        import lib.Base;
        class A extends Base {
            void inherited(A other) {
                Object p = peer;
                if (p == other)
                    other.hit();                                // calls A.hit
            }
            void member(A other) {
                Object p = this.peer;
                if (p == other)
                    other.hit();                                // calls A.hit
            }
            void hit() { }
        }
        class M {
            Base held;
            static void parameter(Base b, A other) {
                Object p = b.peer;
                if (other == p)
                    other.hit();                                // calls A.hit
            }
            void qualified(A other) {
                Object p = held.peer.peer;
                if (other == p)
                    other.hit();                                // calls A.hit
            }
            public static void main(String[] args) {
                A a = new A();
                a.inherited(a);                                 // calls A.inherited
                a.member(a);                                    // calls A.member
                parameter(a, a);                                // calls M.parameter
                M m = new M();
                m.held = a;
                m.qualified(a);                                 // calls M.qualified
            }
        }
    """)


@pytest.mark.slow
def test_arrays_of_a_type_pass_casts_and_tests_to_arrays_of_its_supertypes() -> None:
    assert_calls("""
        interface I { }
        class A { void v() { } }
        class B extends A { void v() { } }
        class C extends A implements I { void v() { } }
        class D extends C { void v() { } }
        class M {
            static void cast(Object o) {
                ((A[]) o)[0].v();                               // calls B.v
            }
            static void test(Object o) {
                if (o instanceof A[])
                    first((Object[]) o);                        // calls M.first
            }
            static void first(Object[] o) {
                ((A) o[0]).v();                                 // calls C.v
            }
            static void nested(Object o) {
                if (o instanceof I[][])
                    ((A) ((Object[][]) o)[0][0]).v();           // calls D.v
            }
            public static void main(String[] args) {
                cast(new B[] {new B()});                        // calls M.cast
                test(new C[] {new C()});                        // calls M.test
                nested(new D[][] {{new D()}});                  // calls M.nested
            }
        }
    """)


@pytest.mark.slow
def test_opaque_objects_are_cast_to_types_that_others_of_theirs_may_have() -> None:
    """An escaped object of both types, an interface of the library, arrays of a subtype."""
    assert_calls(
        """
        import org.w3c.dom.*;
        import org.w3c.dom.events.*;
        public class M {
            public interface Shape { }
            public static class Closed implements Shape, AutoCloseable { public void close() { } }
            public static class Open implements Shape { public void close() { } }
            public interface Heard extends java.util.EventListener { void heard(); }
            public static class Ear implements Heard { public void heard() { } }
            static void told() { }
            public void close(Shape shape) throws Exception {
                if (shape instanceof AutoCloseable) ((AutoCloseable) shape).close(); // calls Closed.close
            }
            public void listen(Document document) {
                ((EventTarget) document.createElement("a")).addEventListener("b",
                    event -> told(), false);                                    // calls M.told
            }
            public void fire(java.util.EventListener[] all) {
                for (Heard one : (Heard[]) all) one.heard();                    // calls Ear.heard
            }
        }
        """,
        "public",
    )


def test_libraries_make_beans_by_their_constructor_and_setters() -> None:
    assert_calls("""
        import java.util.*;
        import lib.Json;
        class Part { int size() { return 1; } }
        class Base { Part spare; public void setSpare(Part spare) { this.spare = spare; } }
        class Shop extends Base {
            private Part part;
            private List<Part> parts;
            private final List<Part> made = new ArrayList<>();
            public void setPart(Part part) { this.part = part; }
            public void setParts(List<Part> parts) { this.parts = parts; }
            Part getPart() { return part; }
            List<Part> getParts() { return parts; }
            List<Part> getMade() { return made; }
            void make() { made.add(new Part()); }
        }
        class Given {                                          // no bean: it has no constructor without parameters
            private Part part;
            Given(int n) { }
            public void setPart(Part part) { this.part = part; }
            Part getPart() { return part; }
        }
        class Other {                                          // but a reader that is told the class writes its fields
            private Part part;
            Other(int n) { }
            Part getPart() { return part; }
        }
        class M {
            static <T> T read(String text, Class<T> type) { return (T) Json.parse(text, type); }
            static Shop shop() { return (Shop) Json.parse(""); }
            static Given given() { return (Given) Json.parse(""); }
            public static void main(String[] args) {
                Shop shop = shop();
                shop.getPart().size();                         // calls Shop.getPart, Part.size
                shop.getParts().get(0).size();                 // calls Shop.getParts, Part.size
                shop.spare.size();                             // calls Part.size
                shop.make();                                   // calls Shop.make
                shop.getMade().get(0).size();                  // calls Shop.getMade, Part.size
                given().getPart().size();                      // calls M.given, Given.getPart
                read("", Other.class).getPart().size();        // calls M.read, Other.getPart, Part.size
            }
        }
    """)
