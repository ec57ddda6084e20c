"""Getters, setters and constructors that store what they are given: objects are told apart without contexts, and
nothing that happens is lost, however such a method is run."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import assert_calls

SHAPES = """
    class Shape { void draw() { } }
    class Circle extends Shape { void draw() { } }
    class Square extends Shape { void draw() { } }
"""
BOX = """
    class Box {
        Shape in;
        Box(Shape s) { in = s; }
        Box() { this(null); }
        void put(Shape s) { this.in = s; }
        Shape get() { return in; }
    }
    class Sub extends Box {
        Sub(int n, Shape s) { super(s); }
        Sub() { }
        void put(Shape s) { this.in = s; }
    }
"""


def test_objects_are_told_apart() -> None:
    assert_calls(f"""{SHAPES}{BOX}
        class M {{
            public static void main(String[] a) {{
                Box one = new Box(new Circle()), two = new Box(new Square());
                one.get().draw();    // calls Box.get, Circle.draw
                two.get().draw();    // calls Box.get, Square.draw
                Box three = new Sub(1, new Circle()), four = new Sub(2, new Square());
                three.get().draw();  // calls Box.get, Circle.draw
                four.in.draw();      // calls Square.draw
                Box five = new Sub(), six = new Box();
                five.put(new Circle());
                six.put(new Square());
                five.in.draw();      // calls Circle.draw, Shape.draw
                six.in.draw();       // calls Square.draw
                Box any = a.length == 0 ? five : new Box();
                any.put(new Shape());
                five.get().draw();   // calls Box.get, Circle.draw, Shape.draw
                any.get().draw();    // calls Box.get, Circle.draw, Shape.draw
                six.get().draw();    // calls Box.get, Square.draw
            }}
        }}
    """)


def test_parameters_that_are_not_stored_as_they_are() -> None:
    """Another value, another object, more than one argument."""
    assert_calls(f"""{SHAPES}
        class Box {{
            Shape in;
            Shape[] all;
            void put(Shape s) {{ if (s == null) s = new Square(); in = s; }}
            void give(Box other, Shape s) {{ other.in = s; }}
            void fill(Shape... many) {{ all = many; }}
        }}
        class M {{
            public static void main(String[] a) {{
                Box one = new Box(), two = new Box(), three = new Box();
                one.put(new Circle());
                one.in.draw();      // calls Circle.draw, Square.draw
                two.give(three, new Circle());
                three.in.draw();    // calls Circle.draw
                two.fill(new Circle(), new Shape());
                two.all[0].draw();  // calls Circle.draw, Shape.draw
            }}
        }}
    """)


def test_methods_that_functions_run() -> None:
    """By its own name, or by that of the method that it overrides; and a getter whose interface a lambda may have.

    What a constructor that a reference names is given, all objects that it makes hold, as without accessors.
    """
    assert_calls(f"""{SHAPES}{BOX}
        class Given implements java.util.function.Supplier<Shape> {{
            Shape in;
            Given(Shape s) {{ in = s; }}
            public Shape get() {{ return in; }}
        }}
        class M {{
            public static void main(String[] a) {{
                Box one = new Sub();
                java.util.function.Consumer<Shape> put = one::put;
                put.accept(new Circle());
                one.in.draw();             // calls Circle.draw, Square.draw
                java.util.function.Function<Shape, Box> make = Box::new;
                make.apply(new Square()).in.draw();  // calls Box.<init>, Square.draw
                java.util.function.Supplier<Shape> given = new Given(new Circle());
                given.get().draw();        // calls Given.get, Circle.draw
                given = one::get;
                given.get().draw();        // calls Box.get, Circle.draw, Square.draw
            }}
        }}
    """)


def test_what_callers_outside_give() -> None:
    """They make the object, or have got it, and what they give has the type of the parameter."""
    assert_calls(
        """
        public class Box {
            private Shape in;
            public Box(Shape s) { in = s; }
            public void put(Shape s) { this.in = s; }
            public Shape get() { return in; }
            public void show() {
                in.draw();     // calls Circle.draw, Shape.draw
                get().draw();  // calls Box.get, Circle.draw, Shape.draw
            }
            public static Shape circle() { return new Circle(); }
            public static class Shape { public void draw() { } }
            public static class Circle extends Shape { public void draw() { } }
        }
        """,
        "public",
    )


@pytest.mark.slow
def test_methods_that_reflection_runs() -> None:
    """What it gives a constructor may be anything that it takes, and is held by all objects."""
    assert_calls(f"""{SHAPES}{BOX}
        class M {{
            public static void main(String[] a) throws Exception {{
                Box one = (Box) Class.forName("Sub").getDeclaredConstructor().newInstance();
                one.put(new Circle());
                one.get().draw();  // calls Box.get, Circle.draw, Shape.draw, Square.draw
                Object o = Box.class.getConstructor(Shape.class).newInstance(new Square());
                ((Box) o).put(new Square());
                ((Box) o).get().draw();  // calls Box.get, Circle.draw, Shape.draw, Square.draw
            }}
        }}
    """)


def test_results_of_unknown_calls_have_the_type_that_they_are_used_with() -> None:
    """The program was compiled: no `Node` is among the paths."""
    assert_calls("""
        import java.nio.file.Path;
        class Node {
            Node parent;
            Node getParent() { return parent; }
            static void keep(Object o) { org.lib.Store.keep(o); }
        }
        class Leaf extends Node { Node getParent() { return null; } }
        class M {
            Path field;
            static Path path() { return org.lib.Unknown.path().get(); }
            static void use(Path p) {
                p.getParent();      // calls nothing
            }
            public static void main(String[] a) {
                Node.keep(new Leaf());
                Path path = org.lib.Unknown.path().get();
                path.getParent();   // calls nothing
                path().getParent(); // calls M.path
                use(org.lib.Unknown.path().get());
                M m = new M();
                m.field = org.lib.Unknown.path().get();
                m.field.getParent();  // calls nothing
                Node node = org.lib.Unknown.node().get();
                node.getParent();   // calls Leaf.getParent, Node.getParent
            }
        }
    """)


def test_what_is_passed_comes_back_to_the_caller() -> None:
    """Of methods that return a parameter, or one of two, and of none that returns something else, too."""
    assert_calls(f"""{SHAPES}
        class Checks {{
            static <T> T notNull(T value) {{
                if (value == null) throw new IllegalArgumentException();
                return value;
            }}
            static Shape or(Shape one, Shape other) {{ return one != null ? one : other; }}
            static Shape made(Shape one) {{ return one != null ? one : new Shape(); }}
            static Shape changed(Shape one) {{ if (one == null) one = new Square(); return one; }}
            static Shape last(Shape... all) {{ return all[0]; }}
            Shape kept(Shape one) {{ return one; }}
        }}
        class Other extends Checks {{ Shape kept(Shape one) {{ return new Square(); }} }}
        class M {{
            public static void main(String[] a) {{
                Checks.notNull(new Circle()).draw();                // calls Checks.notNull, Circle.draw
                Checks.notNull(new Square()).draw();                // calls Checks.notNull, Square.draw
                Checks.or(new Circle(), new Square()).draw();       // calls Checks.or, Circle.draw, Square.draw
                Checks.or(new Shape(), new Shape()).draw();         // calls Checks.or, Shape.draw
                Checks.made(new Circle()).draw();                   // calls Checks.made, Circle.draw, Shape.draw
                Checks.changed(new Circle()).draw();                // calls Checks.changed, Circle.draw, Square.draw
                Checks.last(new Circle()).draw();                   // calls Checks.last, Circle.draw
                new Checks().kept(new Circle()).draw();             // calls Checks.kept, Circle.draw
                new Other().kept(new Circle()).draw();              // calls Other.kept, Square.draw
                Checks either = a.length == 0 ? new Checks() : new Other();
                Shape any = either.kept(new Circle());              // calls Checks.kept, Other.kept
                any.draw();                                         // calls Circle.draw, Square.draw
            }}
        }}
    """)


def test_what_a_returned_or_stored_variable_holds_otherwise() -> None:
    """The parameter itself, a constant of the library, a concatenation, a caught exception."""
    assert_calls(f"""{SHAPES}
        class Failure extends RuntimeException {{ void tell() {{ }} }}
        class Late extends Failure {{ void tell() {{ }} }}
        class Box {{
            Shape in = new Square(); Object any = new Circle(); Failure error;
            Shape getOr(Shape p) {{ if (p == null) p = this.in; return p; }}
            Object either(boolean b) {{ Object r = Thread.State.NEW; if (b) r = this.any; return r; }}
            Object text(int n) {{ Object r = "a" + n; if (n > 0) r = this.any; return r; }}
            Failure failure() {{
                try {{ throw new Failure(); }} catch (Failure e) {{ if (any == null) e = this.error; return e; }}
            }}
        }}
        class M {{
            public static void main(String[] a) {{
                new Box().getOr(new Circle()).draw();   // calls Box.getOr, Circle.draw, Square.draw
                Box box = new Box();
                box.error = new Late();
                box.failure().tell();                   // calls Box.failure, Failure.tell, Late.tell
                for (Object o : new Object[] {{box.either(true), box.text(1)}})  // calls Box.either, Box.text
                    if (o instanceof Shape) ((Shape) o).draw();  // calls Circle.draw
            }}
        }}
    """)


def test_an_escaped_object_is_called_by_all_its_types() -> None:
    """What is stored into it by one of them is loaded by another, and casts between them keep it."""
    assert_calls("""
        import org.lib.Store;
        class X { void hit() { } }
        interface A { void set(X x); }
        interface B { X get(); void other(); }
        class C implements A, B {
            X f;
            public void set(X x) { f = x; }
            public X get() { return f; }
            public void other() { }
        }
        class K extends ext.Task { public void run() { } }
        class M {
            public static void main(String[] args) {
                Store.keep(new C());
                Store.keep(new K());
                A a = Store.get();
                a.set(new X());                 // calls C.set
                B b = Store.get();
                b.get().hit();                  // calls C.get, X.hit
                ((B) a).other();                // calls C.other
                Runnable r = Store.get();
                r.run();                        // calls K.run
            }
        }
    """)


@pytest.mark.slow
def test_clients_may_join_an_interface_and_a_class() -> None:
    """`class D extends Lib.C implements Lib.I` is none of the program."""
    assert_calls(
        """
        public class Lib {
            public static class X { public void hit() { } }
            public interface I { X get(); }
            public static class C {
                X f;
                public X get() { return f; }
                public void set(X x) { f = x; }
            }
            public static void put(C c) { c.set(new X()); }  // calls C.set
            public static void use(I i) { i.get().hit(); }   // calls C.get, X.hit
        }
        """,
        "all",
    )


@pytest.mark.slow
def test_handlers_of_proxies_return_what_they_hold() -> None:
    assert_calls("""
        import java.lang.reflect.*;
        interface A { void a(); }
        interface B { void b(); }
        class C implements A, B { public void a() { } public void b() { } }
        interface P { A get(); }
        class PI implements P { A p; public A get() { return p; } }
        class H implements InvocationHandler {
            A h = new C();
            public Object invoke(Object p, Method m, Object[] a) { return h; }
        }
        class M {
            public static void main(String[] args) {
                P proxy = (P) Proxy.newProxyInstance(M.class.getClassLoader(), new Class<?>[] {P.class}, new H());
                B b = (B) proxy.get();  // calls H.invoke
                b.b();                  // calls C.b
            }
        }
    """)


def test_record_patterns_take_components() -> None:
    assert_calls("""
        class X { void hit() { } }
        class Y extends X { void hit() { } }
        record Pair(X first, Object second) { }
        class M {
            public static void main(String[] args) {
                Object o = new Pair(new X(), new Pair(new Y(), null));
                if (o instanceof Pair(X first, Pair(var inner, var none))) {
                    first.hit();        // calls X.hit
                    inner.hit();        // calls Y.hit
                }
                switch (new Pair(new Y(), "text")) {
                    case Pair(Y only, String text) -> only.hit();   // calls Pair.first, Pair.second, Y.hit
                    default -> { }
                }
            }
        }
    """)


@pytest.mark.slow
def test_what_methods_return_behind_tests_of_their_parameters_is_what_the_call_passed() -> None:
    assert_calls("""
        interface Event { void go(); }
        class First implements Event { public void go() { } }
        class Second implements Event { public void go() { } }
        class M {
            static <T> T pick(T a, T b) { return a instanceof First ? a : b; }
            static <T> T same(T a, T b) {
                if (a == b && a instanceof Event)
                    return a;
                return b;
            }
            public static void main(String[] args) {
                pick(new First(), new First()).go();            // calls First.go, M.pick
                pick(new Second(), new Second()).go();          // calls Second.go, M.pick
                Event e = new First();
                same(e, e).go();                                // calls First.go, M.same
                Event f = new Second();
                same(f, f).go();                                // calls Second.go, M.same
            }
        }
    """)


FLUENT = """
    abstract class Fluent<T extends Fluent<T>> {
        Shape in;
        abstract T self();
        T with(Shape s) { in = s; return self(); }
        @SuppressWarnings("unchecked")
        T cast() { return (T) this; }
    }
    class One extends Fluent<One> { One self() { return this; } One with(Shape s) { return super.with(s); } }
    class Two extends Fluent<Two> { Two self() { return this; } Two both() { cast(); return with(new Square()); } }
"""


def test_methods_that_return_their_receiver() -> None:
    """By `this`, cast or not, by another such method, and by that of the superclass."""
    assert_calls(f"""{SHAPES}{FLUENT}
        class M {{
            public static void main(String[] a) {{
                One one = new One().cast();
                one = one.with(new Circle());
                Two two = new Two().both().self(), three = new Two().cast();
                one.in.draw();    // calls Circle.draw
                two.in.draw();    // calls Square.draw
                three.in = new Shape();
                three.in.draw();  // calls Shape.draw
            }}
        }}
    """)


def test_methods_that_may_return_something_else() -> None:
    """Another object behind a test, in a subclass, or by a method of a subclass that is called on the receiver."""
    assert_calls(f"""{SHAPES}
        class Link {{
            Link next;
            Shape in = new Circle();
            Link last() {{ return next == null ? this : next; }}
            Link first() {{ if (next == null) return this; return next; }}
            Link me() {{ return this; }}
            Link mine() {{ return me(); }}
            Link or(Link l) {{ if (l == null) l = same(); return l; }}
            Link cast(Object l) {{ if (l == null) l = (Link) this; return (Link) l; }}
            Link same() {{ return this; }}
            void draw() {{ }}
        }}
        class Other extends Link {{
            Link me() {{ return new Far(); }}
            void draw() {{ }}
        }}
        class Far extends Link {{ void draw() {{ }} }}
        class M {{
            public static void main(String[] a) {{
                Link link = new Link(), other = new Other();
                link.next = new Far();
                link.last().draw();   // calls Link.last, Far.draw, Link.draw
                link.first().draw();  // calls Link.first, Far.draw, Link.draw
                link.me().draw();     // calls Link.me, Link.draw
                other.me().draw();    // calls Other.me, Far.draw
                other.mine().draw();  // calls Link.mine, Far.draw
                link.or(new Far()).draw(); // calls Link.or, Far.draw, Link.draw
                other.cast(new Far()).draw(); // calls Link.cast, Far.draw, Other.draw
                other.same().draw();  // calls Link.same, Other.draw
                Link any = a.length == 0 ? link : other;
                any.me().draw();      // calls Link.me, Other.me, Link.draw, Far.draw
            }}
        }}
    """)


def test_receivers_that_are_returned_to_whom_the_library_and_functions_call() -> None:
    assert_calls(f"""
        import java.util.*;
        import java.util.function.*;
        {SHAPES}
        interface Part {{ default Part itself() {{ return this; }} Shape make(); }}
        class Maker implements Iterable<Shape>, Iterator<Shape> {{
            boolean done;
            public Iterator<Shape> iterator() {{ return this; }}
            public boolean hasNext() {{ return !done; }}
            public Shape next() {{ done = true; return new Circle(); }}
            Maker on() {{ return this; }}
        }}
        class M {{
            public static void main(String[] a) {{
                for (Shape s : new Maker()) s.draw(); // calls Maker.iterator, Maker.hasNext, Maker.next, Circle.draw
                new Maker().forEach(s -> s.draw()); // calls Circle.draw, Shape.draw
                UnaryOperator<Maker> f = Maker::on;
                f.apply(new Maker()).next().draw(); // calls Circle.draw, Maker.next, Maker.on
                Optional.of(new Maker()).map(Maker::on).get().next().draw(); // calls Maker.on, Maker.next, Circle.draw
                Part p = () -> new Square();
                p.itself().make().draw(); // calls Part.itself, M.main/lambda: p(), Square.draw
                Object o = Collections.unmodifiableList(new ArrayList<>(List.of(new Maker()))).get(0);
                ((Maker) o).on().next().draw(); // calls Maker.on, Maker.next, Circle.draw
                run(a.length > 0 ? null : M.<Maker>from("x"));
            }}
            @SuppressWarnings("unchecked")
            static <T> T from(Object o) {{ return (T) Registry.find(o); }}
            static void run(Maker m) {{ m.on().next().draw(); }} // calls Maker.on, Maker.next, Circle.draw
        }}
        class Registry {{
            static final Map<Object, Object> ALL = System.getProperties();
            static {{ ALL.put("x", new Maker()); }}
            static Object find(Object o) {{ return ALL.get(o); }}
        }}
    """)
