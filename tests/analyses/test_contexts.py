"""The points-to analysis with contexts: what each choice tells apart, and that a finer one only ever says less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from ladder.api.database import Database
from ladder.errors import LadderError
from ladder.frontends.java import FRONT_END
from ladder.session.analyze import contexts, load
from tests.analyses.annotated import Project, Results, analyse, assert_calls, case_project, models, program
from tests.marks import sampled

FINER = [
    *(("ci", context) for context in ("selective", "1-call", "1-type", "1-obj")),
    ("1-call", "2-call"),
    ("1-type", "2-type"),
    ("1-type", "1-obj"),
    ("1-obj", "2-obj+heap"),
    ("2-type", "2-obj+heap"),
]
TABLES = ("VarPointsTo", "InstanceFieldPointsTo", "ArrayIndexPointsTo", "ContentPointsTo", "CallGraphEdge", "Reachable")
ALL = ["1-call", "1-obj", "1-type", "2-call", "2-obj+heap", "2-type", "ci", "selective"]

SHAPES = """
    interface Shape { void draw(); }
    class Circle implements Shape { public void draw() { } }
    class Square implements Shape { public void draw() { } }
"""
# each: what is in the program; the targets of the one call and of the other one; the contexts that tell them apart
BOXES = (
    SHAPES
    + """
    class Box<T> { T content; void set(T t) { content = t; } T get() { return content; } }
    class M { public static void main(String[] a) {
        Box<Shape> one = new Box<>(), two = new Box<>();
        one.set(new Circle()); two.set(new Square());
        Shape c = one.get(), s = two.get();
        c.draw(); // calls %s
        s.draw(); // calls %s
    } }
"""
)
IDENTITY = (
    SHAPES
    + """
    class M {
        static Object same(Object o) { return o; }
        public static void main(String[] a) {
            Shape c = (Shape) same(new Circle()), s = (Shape) same(new Square());
            c.draw(); // calls %s
            s.draw(); // calls %s
        }
    }
"""
)
WRAPPED = (
    SHAPES
    + """
    class Node<T> { T value; Node(T t) { value = t; } }
    class Stack<T> {
        private Node<T> top;
        void push(T t) { top = new Node<>(t); }
        T peek() { return top.value; }
    }
    class M { public static void main(String[] a) {
        Stack<Shape> one = new Stack<>(), two = new Stack<>();
        one.push(new Circle()); two.push(new Square());
        one.peek().draw(); // calls Stack.peek, %s
        two.peek().draw(); // calls Stack.peek, %s
    } }
"""
)
LISTS = (
    SHAPES
    + """
    class Bag<T> {
        private java.util.List<T> list = new java.util.ArrayList<>();
        void add(T t) { list.add(t); }
        T any() { return list.get(0); }
    }
    class M { public static void main(String[] a) {
        Bag<Shape> one = new Bag<>(), two = new Bag<>();
        one.add(new Circle()); two.add(new Square());
        one.any().draw(); // calls Bag.any, %s
        two.any().draw(); // calls Bag.any, %s
    } }
"""
)
FACTORY = (
    SHAPES
    + """
    class Box<T> { T content; void set(T t) { content = t; } T get() { return content; } }
    class M {
        static <T> Box<T> make() { return new Box<>(); }
        public static void main(String[] a) {
            Box<Shape> one = make(), two = make();
            one.set(new Circle()); two.set(new Square());
            one.get().draw(); // calls Box.get, %s
            two.get().draw(); // calls Box.get, %s
        }
    }
"""
)
MAKERS = (
    SHAPES
    + """
    class Box { Shape content; void set(Shape s) { content = s; } Shape get() { return content; } }
    class Circles { Box make() { Box b = new Box(); b.set(new Circle()); return b; } }
    class Squares { Box make() { Box b = new Box(); b.set(new Square()); return b; } }
    class M { public static void main(String[] a) {
        new Circles().make().get().draw(); // calls Circles.make, Box.get, %s
        new Squares().make().get().draw(); // calls Squares.make, Box.get, %s
    } }
"""
)
VISITORS = (
    SHAPES
    + """
    interface Visitor { Shape visit(Leaf leaf); }
    class Leaf { Shape accept(Visitor v) { return v.visit(this); } }
    class Round implements Visitor { public Shape visit(Leaf leaf) { return new Circle(); } }
    class Angular implements Visitor { public Shape visit(Leaf leaf) { return new Square(); } }
    class M { public static void main(String[] a) {
        Leaf leaf = new Leaf();
        leaf.accept(new Round()).draw(); // calls Leaf.accept, %s
        leaf.accept(new Angular()).draw(); // calls Leaf.accept, %s
    } }
"""
)
FUNCTIONS = (
    SHAPES
    + """
    class Box<T> {
        T content;
        void set(T t) { content = t; }
        T get() { return content; }
        java.util.function.Supplier<T> later() { return () -> content; }
    }
    class M { public static void main(String[] a) {
        Box<Shape> one = new Box<>(), two = new Box<>();
        one.set(new Circle()); two.set(new Square());
        one.later().get().draw(); // calls Box.later, Box.later/lambda: (), %s
        two.later().get().draw(); // calls Box.later, Box.later/lambda: (), %s
    } }
"""
)
CALLBACKS = (
    SHAPES
    + """
    class M { public static void main(String[] a) {
        Shape none = new Circle();
        java.util.function.UnaryOperator<Shape> same = x -> { none.draw(); return x; };
        same.apply(new Circle()).draw(); // calls M.main/lambda: same(x), %s
        same.apply(new Square()).draw(); // calls M.main/lambda: same(x), %s
    } }
"""
)
TOLD_APART = {
    "boxes": (BOXES, {*ALL}),
    "identity": (IDENTITY, {*ALL}),
    "wrapped": (WRAPPED, {"selective", "2-obj+heap"}),
    "lists": (LISTS, {"selective", "2-obj+heap"}),
    "factory": (FACTORY, {"selective"}),
    "makers": (MAKERS, {*ALL}),
    "visitors": (VISITORS, {"selective", "1-call", "2-call"}),
    "functions": (FUNCTIONS, {"2-obj+heap", "selective"}),
    "callbacks": (CALLBACKS, {"1-call", "2-call"}),
}


def _assert_told_apart(context: str, *cases: str) -> None:
    """In every case, a package of its own, the one call has one target and the other one the other, or both have
    both."""
    sources = {}
    for case in cases:
        text, apart = TOLD_APART[case]
        targets = ("Circle.draw", "Square.draw") if context in apart else ("Circle.draw, Square.draw",) * 2
        sources[f"{case}/M.java"] = f"package {case};{text % targets}"
    assert_calls(sources, context=context)


@pytest.mark.slow
@pytest.mark.parametrize("context", ALL)
def test_what_is_told_apart(context: str) -> None:
    _assert_told_apart(context, *TOLD_APART)


@pytest.mark.slow
def test_containers_of_containers_are_told_apart() -> None:
    _assert_told_apart("selective", "lists")


def test_all_contexts_are_tried() -> None:
    assert contexts(FRONT_END) == ALL
    assert {context for pair in FINER for context in pair} == set(ALL)


def _tables(results: Results) -> dict[str, set[tuple]]:
    return {relation: set(results.rows(relation)) for relation in TABLES}


@pytest.mark.parametrize("policy", sampled(["main", "public"], slow=["main"]))
@pytest.mark.parametrize("folder", sampled(["pointsto", "library"], slow=["library"]))
def test_a_finer_choice_has_no_row_that_a_coarser_one_lacks(folder: str, policy: str) -> None:
    project = case_project(folder)
    found = {context: _tables(analyse("pointsto", project, policy, context=context)) for context in ALL}
    for coarse, fine in FINER:
        for relation in TABLES:
            assert not found[fine][relation] - found[coarse][relation], (coarse, fine, relation)


@pytest.mark.nightly
def test_finer_choices_on_the_sample() -> None:
    root = Path(__file__).parents[2] / "corpora" / "bookshop" / "src"
    project = Project.of({str(path): path.read_text() for path in sorted(root.rglob("*.java"))})
    found = {context: _tables(analyse("pointsto", project, context=context)) for context in ALL}
    for coarse, fine in FINER:
        for relation in TABLES:
            assert not found[fine][relation] - found[coarse][relation], (coarse, fine, relation)
    sizes = {context: len(tables["VarPointsTo"]) for context, tables in found.items()}
    assert sizes["2-obj+heap"] < sizes["selective"] < sizes["1-obj"] < sizes["ci"]


def _facts(text: str, *rows: tuple[str, ...]) -> Mapping[str, list[tuple]]:
    project = Project.of({"M.java": text})
    return {
        **project.facts,
        **models(),
        "EntryPolicy": [("main",)],
        "ReflectionPolicy": [("strings",)],
        "ContextModel": list(rows),
    }


def _bootstrapped(facts: Mapping[str, list[tuple]]) -> Database:
    database = Database(program("pointsto", "selective"))
    database.bootstrap({relation: facts[relation] for relation in database.program.inputs if relation in facts})
    return database


def _contexts_of(database: Database) -> Counter[str]:
    """How many contexts each method runs in."""
    return Counter(method for method, *_ in database["Reachable"])


@pytest.mark.slow
def test_a_superclass_has_contexts_where_its_fields_hold_the_contents() -> None:
    database = _bootstrapped(
        _facts("""
            class Log { }
            class Part { Log log = new Log(); Log log() { return log; } }
            class Bag extends Part {
                Object kept;
                void put(Object o) { kept = o; }
                Object get() { return kept; }
            }
            class Holder extends Part { Object held; Object held() { return held; } }
            class Middle extends Holder { Object middle() { return held(); } }
            class Box extends Middle { void hold(Object o) { held = o; } }
            class M { public static void main(String[] a) {
                Bag one = new Bag(), two = new Bag();
                one.put(one); two.put(two); one.get(); two.get(); one.log(); two.log();
                Box three = new Box(), four = new Box();
                three.hold(one); four.hold(two); three.middle(); four.middle();
            } }
        """)
    )
    contexts_of = _contexts_of(database)
    for method in ("Bag.put(Object)", "Bag.get()", "Box.hold(Object)", "Middle.middle()", "Holder.held()"):
        assert contexts_of[method] == 2, method
    assert contexts_of["Part.log()"] == 1


@pytest.mark.slow
def test_what_only_compares_its_argument_is_no_container_and_what_one_type_visits_no_visitor() -> None:
    database = _bootstrapped(
        _facts("""
            class Attributes {
                Object[] values = new Object[9];
                void put(Object o) { values[0] = o; }
                Object get() { return values[0]; }
                Node node() { return new Node(this); }
            }
            class Node {
                Attributes attributes;
                Node(Attributes a) { attributes = a; }
                boolean same(Object o) { return o == this || toString().equals(((Node) o).toString()); }
                Node child() { return new Node(attributes); }
                Object first() { return attributes.get(); }
                void read(Reader reader) { reader.found(this); }
            }
            class Reader { void found(Node n) { n.child(); } }
            class M { public static void main(String[] a) {
                Node one = new Attributes().node(), two = new Attributes().node();
                one.same(two); one.child(); two.child(); one.attributes.put(one); two.attributes.put(two); two.first();
                one.read(new Reader()); two.read(new Reader());
            } }
        """)
    )
    contexts_of = _contexts_of(database)
    assert contexts_of["Attributes.put(Object)"] == contexts_of["Attributes.node()"] == 2
    assert contexts_of["Node.child()"] == contexts_of["Node.same(Object)"] == contexts_of["Node.read(Reader)"] == 1


@pytest.mark.slow
def test_what_casts_its_argument_to_a_class_is_no_container_nor_is_what_it_implements() -> None:
    database = _bootstrapped(
        _facts("""
            import java.util.*;
            abstract class Decoder {
                Map<String, String> seen = new HashMap<>();
                abstract Object decode(Object message);
            }
            class Words extends Decoder {
                List<String> words = new ArrayList<>();
                Object decode(Object message) { String text = (String) message; words.add(text); return new Object(); }
            }
            class Sizes extends Decoder { Object decode(Object message) { return ((String) message).length(); } }
            class M { public static void main(String[] a) {
                Decoder one = new Words(), two = new Words(), three = new Sizes(), four = new Sizes();
                one.decode("1"); two.decode("2"); three.decode("3"); four.decode("4");
            } }
        """)
    )
    contexts_of = _contexts_of(database)
    assert contexts_of["Words.decode(Object)"] == contexts_of["Sizes.decode(Object)"] == 1


@pytest.mark.slow
def test_classes_that_tests_declare_are_no_containers() -> None:
    """They may be hundreds, each with an object of its own; those that they test are containers as before."""
    database = _bootstrapped(
        _facts("""
            class Box { Object kept; void put(Object o) { kept = o; } Object get() { return kept; } }
            class BoxTest {
                static class Stub { Object kept; void keep(Object o) { kept = o; } Object kept() { return kept; } }
                @Test public void keeps() { new Stub().keep("1"); new Stub().keep("2"); }
                @Test public void puts() { new Box().put("1"); new Box().put("2"); }
            }
            class M { public static void main(String[] a) {
                new BoxTest().keeps(); new BoxTest().puts(); new Box().put("3");
            } }
        """)
    )
    contexts_of = _contexts_of(database)
    assert contexts_of["BoxTest$Stub.keep(Object)"] == 1 and contexts_of["Box.put(Object)"] > 1


@pytest.mark.slow
def test_rows_of_the_user_name_methods_with_contexts() -> None:
    text = MAKERS % ("", "")
    plain, chosen = (
        _facts(text),
        _facts(text, ("", "Box", "false", "", "object"), ("", "Circles", "True", "make", "call")),
    )
    database = _bootstrapped(plain)
    assert {row[1] for row in database["Reachable"]} == {("", "")}
    database.update({"ContextModel": chosen["ContextModel"]}, {})
    apart = _bootstrapped(chosen)
    for relation in (*TABLES, "pointsto.ByObject", "pointsto.ByCall"):
        assert set(database[relation]) == set(apart[relation])
    assert {row[0] for row in database["pointsto.ByCall"]} == {"Circles.make()"}
    calls = {row[0] for row in database["CallGraphEdge"] if row[2] == "Circle.draw()"}
    assert len(calls) == 1
    text = BOXES % ("", "")
    database = _bootstrapped(_facts(text, ("", "Box", "false", "", "none")))
    assert {row[1] for row in database["Reachable"]} == {("", "")}


def test_a_program_without_contexts_has_no_choice() -> None:
    with pytest.raises(LadderError, match="linking has no contexts") as raised:
        load("linking", FRONT_END, "1-obj")
    assert "include <java/contexts/ci.dl> or <java/contexts/values/ci.dl>" in str(raised.value)
