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
