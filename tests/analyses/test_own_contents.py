"""Containers that the project itself implements: what methods that they inherit from library interfaces give to
functions, and that they do not escape by that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analyses.annotated import Project, analyse, assert_calls, wrong_objects
from tests.marks import slow_but

HEAD = "extensions:\n  - addsTo: {pack: some/pack, extensible: summaryModel}\n    data:\n"

SHAPES = """
    import java.util.*;
    import java.util.function.*;
    interface Shape { default void draw() { } }
    class Circle implements Shape { public void draw() { } public int hashCode() { return 1; } }
    class Square implements Shape { public void draw() { } }
    class Each implements Iterator<Shape> {
        final Shape[] all; int at;
        Each(Shape[] all) { this.all = all; }
        public boolean hasNext() { more(); return at < all.length; }
        public Shape next() { return all[at++]; }
        public void remove() { gone(); }
        void more() { } void gone() { }
    }
    class Shapes implements Iterable<Shape> {
        Shape[] all = {new Circle()};
        public Iterator<Shape> iterator() { return new Each(all); }
    }
    class Group extends AbstractCollection<Shape> {
        Shape[] all = {new Circle()};
        public Iterator<Shape> iterator() { return new Each(all); }
        public int size() { return all.length; }
    }
    class Listed implements Iterable<Shape> {
        final List<Shape> list = new ArrayList<>();
        Listed() { list.add(new Circle()); }
        public Iterator<Shape> iterator() { return list.iterator(); }
    }
    class Pair implements Map.Entry<Shape, Shape> {
        public Shape getKey() { return new Circle(); }
        public Shape getValue() { return new Square(); }
        public Shape setValue(Shape s) { return s; }
    }
    class Table extends AbstractMap<Shape, Shape> {
        public Set<Map.Entry<Shape, Shape>> entrySet() { return Set.of(new Pair()); }
    }
    class Indexed extends AbstractList<Shape> {
        public Shape get(int i) { return new Circle(); }
        public int size() { return 1; }
    }
"""
MAIN = """
    class M { public static void main(String[] args) {
        Shape other = new Square();
        %s
    } }
"""
EACH = "M.main/lambda: forEach(%s)"
# the statement with the calls of its lines; methods that run besides; classes of which no object escapes
CASES = {
    "forEach": (
        "new Shapes().forEach(s ->\n s.draw()); // calls Circle.draw",
        {"Each.next()", "Each.more()"},
        {"Shapes", "Each", "Circle"},
    ),
    "forEach of an iterator of the library": (
        "new Listed().forEach(s ->\n s.draw()); // calls Circle.draw",
        {"Listed.iterator()"},
        {"Listed"},
    ),
    "a method reference": (
        "new Shapes().forEach(Shape::draw);",
        {"Circle.draw()"},
        {"Shapes", "Each", "Circle"},
    ),
    "forEachRemaining": (
        "new Each(new Shape[] {new Circle()}).forEachRemaining(s ->\n s.draw()); // calls Circle.draw",
        {"Each.next()", "Each.more()"},
        {"Each", "Circle"},
    ),
    "removeIf": (
        "new Group().removeIf(s -> {\n s.draw(); // calls Circle.draw\n return true; });",
        {"Each.next()", "Each.gone()"},
        {"Group", "Each", "Circle"},
    ),
    "forEach of a map": (
        "new Table().forEach((k, v) -> {\n k.draw(); // calls Circle.draw\n v.draw(); // calls Square.draw\n });",
        {"Table.entrySet()", "Pair.getKey()"},
        {"Table"},
    ),
    "a copy": (
        "for (Shape s : new ArrayList<>(new Group()))\n s.draw(); // calls Circle.draw",
        {"Each.next()"},
        set(),
    ),
}


@pytest.mark.parametrize("name", slow_but(["forEach", "removeIf"], CASES))
def test_what_inherited_methods_read_is_what_the_iterator_returns(name: str) -> None:
    statement, besides, kept = CASES[name]
    source = SHAPES + MAIN % statement
    calls = statement if "// calls" in statement else f"{statement}\n other.draw(); // calls Square.draw"
    results = assert_calls(source.replace(statement, calls))
    reached = {row[0] for row in results.rows("Reachable")}
    assert besides <= reached
    escaped = {heap.rpartition("/new ")[2].partition(":")[0] for heap, *_ in results.rows("pointsto.EscapedHeap")}
    assert not escaped & kept, escaped


UNUSED = {
    "a function gives it": (
        "new HashMap<Shape, Shape>().computeIfAbsent(other, k -> {\n k.draw(); // calls Square.draw\n return k; });",
        set(),
    ),
    "of a map of the project": (
        "new Table().get(other);\n other.draw(); // calls Square.draw",
        {"Table.entrySet()", "Pair.getValue()"},
    ),
    "of a call in front": (
        "new ArrayList<>(List.of(other)).iterator().next();\n other.draw(); // calls Square.draw",
        set(),
    ),
}


@pytest.mark.parametrize("name", slow_but(["of a map of the project"], UNUSED))
def test_calls_whose_result_is_not_used_run_what_others_run(name: str) -> None:
    statement, besides = UNUSED[name]
    results = assert_calls(SHAPES + MAIN % statement)
    assert besides <= {row[0] for row in results.rows("Reachable")}


@pytest.mark.slow
def test_an_iterator_of_the_library_over_methods_of_the_project_is_not_known() -> None:
    """The iterator that `AbstractList` makes calls `get`: the list escapes."""
    results = assert_calls(SHAPES + MAIN % "new Indexed().forEach(s ->\n s.draw()); // calls Circle.draw")
    assert "Indexed.get(int)" in {row[0] for row in results.rows("Reachable")}
    assert any("new Indexed" in heap for heap, *_ in results.rows("pointsto.EscapedHeap"))


@pytest.mark.slow
def test_a_container_that_overrides_the_method_is_called() -> None:
    source = (
        SHAPES
        + """
    class Own extends Shapes { public void forEach(Consumer<? super Shape> c) { c.accept(new Square()); } }
    """
    )
    results = assert_calls(source + MAIN % "new Own().forEach(s ->\n s.draw()); // calls Square.draw")
    assert "Each.next()" not in {row[0] for row in results.rows("Reachable")}


def test_a_field_of_a_library_object_holds_what_rows_say(tmp_path: Path) -> None:
    rows = tmp_path / "awt.yml"
    flow = '"Argument[2]", "Argument[this].Field[java.awt.Event.arg]"'
    row = f'["java.awt", "Event", False, "Event", "(Object,int,Object)", "", {flow}, "value", "manual"]'
    rows.write_text(f"{HEAD}      - {row}\n")
    source = """
    import java.awt.Event;
    class A { }
    class M { public static void main(String[] args) {
        Event event = new Event("source", 1, new A()), other = new Event("source", 2, "text");
        Object a = event.arg;           // a = {A@5, opaque java.lang.Object}
    } }
    """
    assert not wrong_objects(analyse("pointsto", Project.of({"M.java": source}), "main", rows))
