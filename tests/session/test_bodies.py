"""Bodies of libraries: which are looked at, what they say, and what edits change."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ladder.errors import LadderError
from ladder.report.summary import Report
from ladder.session.library import library_of
from tests.bytecode.compiling import compiled, needs_javac
from tests.session.projects import alone, analyse, state_of, write

LIBRARY = {
    "q/Box.java": """package q;
public class Box<T> {
    private T content;
    private static Log log = new Log();
    public Box(T content) { set(content); }
    public final void set(T content) { this.content = content; log.note(content); }
    public T get() { return content; }
    public void visit(Visitor<? super T> visitor) { visitor.seen(content); }
    public Box<T> copy() { return new Box<>(content); }
    public String told() {
        if (content == null) throw new IllegalStateException(new String("none"));
        return new StringBuilder().append(content).toString();
    }
    public Object unused() { return new Unused().f(); }
    public native Object made();
    public T other(int i) { if (i > 0) throw new Full(); else if (i < 0) throw new Full(); else return content; }
    public static class Full extends RuntimeException {
        private Object cause;
        protected Object first;
        public Full() { }
        public Full(Object cause) { this.cause = cause; first = cause; }
        public Object cause() { return cause; }
        public Full self() { return this; }
    }
    private static class Log { Object last; void note(Object o) { last = o; o.toString(); } }
}
""",
    "q/Flat.java": """package q;
public class Flat {
    private String name;
    private int[] numbers;
    public static Object made() {
        Object[] all = { new Flat(), new Flat(), new int[1], new int[2], new String[1], new String[2] };
        return all[all.length - 1];
    }
    public static Object held() { return Math.random() > 0 ? new Holds() : new Holds(); }
    static class Holds { Object held; }
}
""",
    "q/Visitor.java": "package q; public interface Visitor<T> { void seen(T t); default void twice(T t) { seen(t); } }",
    "q/Unused.java": "package q; class Unused { Object f() { return this; } }",
    "q/Base.java": """package q;
public abstract class Base {
    public Object run() { return step(); }
    protected abstract Object step();
}
""",
    "q/Things.java": """package q;
public class Things implements Cloneable {
    private Object held;
    private Things(Object held) { this.held = held; }
    public static boolean same(Object a, Object b) { return new Object().equals(b) || a.equals(b); }
    public static <T> T first(T[] like, T first) {
        @SuppressWarnings("unchecked")
        T[] made = (T[]) java.lang.reflect.Array.newInstance(like.getClass().getComponentType(), 1);
        made[0] = first;
        return made[0];
    }
    public static <T> T[] array(T[] like, T first) {
        @SuppressWarnings("unchecked")
        T[] made = (T[]) java.lang.reflect.Array.newInstance(like.getClass().getComponentType(), 1);
        made[0] = first;
        return made;
    }
    public static <T> void all(Visitor<T> visitor, Object... all) {
        for (Object each : all) visitor.seen(Things.<T>as(each));
    }
    @SuppressWarnings("unchecked")
    private static <T> T as(Object o) { return (T) o; }
    public static Object copied(Object held) {
        try {
            return ((Things) new Things(held).clone()).held;
        } catch (CloneNotSupportedException e) {
            return null;
        }
    }
    private static Object same(Object o) { return o; }
    public static Box<?> boxed(Object o) { same(o); return (Box<?>) same(o); }
    public static String told(Object... all) { return String.format("%s", all); }
    public static int length(CharSequence text) { return new StringBuilder().append(text).length(); }
}
""",
    "r/Other.java": """package r;
public class Other {
    private Object kept;
    public Object keep(Object o) { kept = o; return kept; }
    public static q.Box<Object> boxed(Object o) { return new q.Box<>(o); }
}
""",
    "s/Given.java": "package s; public class Given { public static r.Other other = new r.Other(); }",
}
SOURCE = """package p;
import q.*;
import r.Other;
class A extends Base {
    static Object seen;
    protected Object step() { return new Made(); }
    public static void main(String[] args) {
        Box<Item> box = new Box<>(new Item());
        Item item = box.get();
        item.use();
        box.copy().visit(i -> seen = i);
        Object made = new A().run();
        Object other = new Other().keep(new Made());
    }
}
class Item { void use() {} public String toString() { return "item"; } }
class Made {}
"""
VARIOUS = (
    SOURCE.replace("static Object seen;", "static Object seen; static Item chosen;").replace(
        "item.use();",
        """item.use();
        try { item = box.other(args.length); } catch (Box.Full full) { }
        String told = box.told();
        Things.same(new Key(), new Key());
        Item first = Things.first(new Item[1], item);
        Object copied = Things.copied(item);
        Things.all((Item i) -> chosen = i, item, new Made());
        Things.told(item);
        Things.length(new Text());
        Things.boxed(item);
        Object boxed = Things.boxed(box);
        Object flat = Flat.made();
        Object holds = Flat.held();
        Mine mine = new Mine(item, new Key());
        Object cause = mine.cause();
        Object self = mine.self();
        Object own = ((Mine) self).own;
        Object kept = mine.kept();
        Item[] items = Things.array(new Item[1], item);
        Made[] mades = Things.array(new Made[1], new Made());
        Item element = items[0];""",
    )
    + """class Mine extends Box.Full {
    Object own;
    Mine(Object cause, Object own) { super(cause); this.own = own; }
    Object kept() { return first; }
}
class Key {
    static Key met;
    public boolean equals(Object o) { met = (Key) o; return true; }
    public int hashCode() { return 1; }
}
class Text implements CharSequence {
    public int length() { return 1; }
    public char charAt(int i) { return 'x'; }
    public CharSequence subSequence(int from, int to) { return this; }
}
"""
)
ITEM, MADE = "p/A.java:8:35/new Item", "p/A.java:6:38/new Made"


@pytest.fixture(scope="session")
def jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A jar of the library, compiled once."""
    folder = tmp_path_factory.mktemp("library")
    write(folder / "src", LIBRARY)
    classes = compiled(sorted((folder / "src").rglob("*.java")), folder / "classes")
    path = folder / "q.jar"
    with zipfile.ZipFile(path, "w") as file:
        for each in classes:
            file.write(each, each.relative_to(folder / "classes").as_posix())
    return path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one file, with state, cache and home of its own."""
    return alone(monkeypatch, tmp_path, Path("p/A.java"), SOURCE)


@pytest.fixture
def run(root: Path, jar: Path) -> Callable[..., Report]:
    """Runs an analysis with bodies of the jar, compared with a run from scratch."""

    def again(library: str = "bodies=q,r", **wishes: Any) -> Report:
        given = {"analyses": ["pointsto"], "entry": "main", "class_path": [jar], "library": library_of(library)}
        return analyse(root, **(given | wishes))

    return again


@pytest.fixture(scope="module")
def various(jar: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that calls methods of many kinds, analysed once with bodies of the jar."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        root = alone(monkeypatch, tmp_path_factory.mktemp("various"), Path("p/A.java"), VARIOUS)
        analyse(root, analyses=["pointsto"], entry="main", class_path=[jar], library=library_of("bodies=q,r"))
    return root


def table(root: Path, name: str, analysis: str = "pointsto") -> list[dict[str, Any]]:
    """The rows of the last complete result table."""
    folder = max((state_of(root) / "results").glob(f"{analysis}-*/base"), key=lambda path: path.stat().st_mtime_ns)
    return pq.read_table(folder / f"{name}.parquet").to_pylist()


def held(root: Path) -> dict[str, set[str]]:
    """Variable → objects."""
    found: dict[str, set[str]] = {}
    for row in table(root, "VarPointsTo"):
        found.setdefault(row["var"], set()).add(row["heap"])
    return found


def reached(root: Path) -> set[str]:
    return {row["method"] for row in table(root, "Reachable")}


@needs_javac
@pytest.mark.slow
def test_methods_that_run_are_analysed_by_their_bodies(root: Path, run: Callable[..., Report]) -> None:
    report = run()
    objects, methods = held(root), reached(root)
    assert objects["<p.A: void main(java.lang.String[])>/item"] == {ITEM}
    assert objects["<p.A: void main(java.lang.String[])>/made"] == {MADE}
    assert "<q.Box: q.Box copy()>" in methods and "<q.Box: void <clinit>()>" in methods
    assert "<p.Item: java.lang.String toString()>" in methods, "which Log.note calls"
    assert not {"<q.Box: java.lang.Object unused()>", "<q.Unused: java.lang.Object f()>"} & methods
    fields = {(row["field"], row["heap"]) for row in table(root, "InstanceFieldPointsTo")}
    assert ("<q.Box: java.lang.Object content>", ITEM) in fields
    statics = {(row["field"], row["heap"]) for row in table(root, "StaticFieldPointsTo")}
    assert ("<p.A: java.lang.Object seen>", ITEM) in statics
    assert not [row for row in table(root, "PhantomMethod") if row["method"].startswith("<q.")]
    assert report.bodies.endswith("classes of libraries")


@needs_javac
@pytest.mark.slow
def test_edits_are_updates(root: Path, run: Callable[..., Report]) -> None:
    assert run().analyses[0].mode == "bootstrap"
    assert run().analyses[0].mode == "unchanged"
    text = SOURCE.replace(
        "item.use();", "item.use(); Object unused = box.unused(); Object boxed = Other.boxed(item).get();"
    )
    write(root, {"p/A.java": text})
    assert run().analyses[0].mode == "update"
    write(root, {"p/A.java": SOURCE.replace("box.copy().visit(i -> seen = i);", "")})
    assert run().analyses[0].mode == "update"


@needs_javac
@pytest.mark.nightly
def test_other_classes_stay_models(root: Path, run: Callable[..., Report]) -> None:
    run("bodies=q")
    objects = held(root)
    assert objects["<p.A: void main(java.lang.String[])>/item"] == {ITEM}
    assert objects["<p.A: void main(java.lang.String[])>/other"] == {"opaque java.lang.Object"}
    run("bodies=r")
    objects = held(root)
    assert objects["<p.A: void main(java.lang.String[])>/item"] == {"opaque p.Item"}
    assert objects["<p.A: void main(java.lang.String[])>/other"] == {"p/A.java:13:41/new Made"}


@needs_javac
@pytest.mark.nightly
def test_what_static_fields_of_other_classes_hold_has_bodies(root: Path, run: Callable[..., Report]) -> None:
    write(root, {"p/A.java": SOURCE.replace("new Other().keep", "s.Given.other.keep")})
    run("bodies=r")
    objects = held(root)
    assert objects["<p.A: void main(java.lang.String[])>/other"] >= {"p/A.java:13:43/new Made"}
    assert objects["<r.Other: java.lang.Object keep(java.lang.Object)>/@this"] == {"opaque r.Other"}


@needs_javac
@pytest.mark.slow
def test_strings_builders_and_exceptions_of_libraries_are_merged(various: Path) -> None:
    objects, methods = held(various), reached(various)
    told = {
        each for var, found in objects.items() if var.startswith("<q.Box: java.lang.String told()>") for each in found
    }
    assert {"any java.lang.StringBuilder", "opaque java.lang.String"} <= told
    thrown = {each for found in objects.values() for each in found if "Full" in each}
    assert "any q.Box$Full" in thrown and not [each for each in thrown if "/new" in each]
    assert objects["<p.A: void main(java.lang.String[])>/full"] == {"any q.Box$Full"}
    assert "<p.Item: java.lang.String toString()>" in methods


@needs_javac
@pytest.mark.slow
def test_exceptions_of_the_project_are_known_by_their_class_in_libraries(various: Path) -> None:
    objects, main = held(various), "<p.A: void main(java.lang.String[])>"
    assert [each.endswith("/new Mine") for each in objects[f"{main}/mine"]] == [True]
    assert objects[f"{main}/self"] == {"any p.Mine"}
    assert objects[f"{main}/cause"] == objects[f"{main}/kept"] == {ITEM}, "stored in the library"
    assert [each.endswith("/new Key") for each in objects[f"{main}/own"]] == [True], "stored in the project"


@needs_javac
@pytest.mark.slow
def test_arrays_that_reflection_makes_hold_what_variables_say(various: Path) -> None:
    objects = held(various)
    assert objects["<p.A: void main(java.lang.String[])>/element"] == {ITEM}


@needs_javac
@pytest.mark.slow
def test_what_libraries_leave_to_native_code_keeps_its_type(various: Path) -> None:
    objects, methods = held(various), reached(various)
    assert objects["<p.A: void main(java.lang.String[])>/first"] == {ITEM}
    assert objects["<p.A: void main(java.lang.String[])>/copied"] == {ITEM}
    keys = objects["<p.Key: boolean equals(java.lang.Object)>/o"]
    assert len(keys) == 1 and all("new Key" in each for each in keys), "the second argument does not escape"
    statics = {(row["field"], row["heap"]) for row in table(various, "StaticFieldPointsTo")}
    assert ("<p.A: p.Item chosen>", ITEM) in statics
    assert {"<p.Item: java.lang.String toString()>", "<p.Text: int length()>", "<p.Text: char charAt(int)>"} <= methods
    assert not {"<p.Key: int hashCode()>", "<p.Text: java.lang.CharSequence subSequence(int,int)>"} & methods


@needs_javac
@pytest.mark.slow
def test_results_that_are_dropped_or_cast_have_no_rows(various: Path) -> None:
    objects = held(various)
    boxed = "p/A.java:8:25/new Box"
    assert objects["<p.A: void main(java.lang.String[])>/boxed"] == {boxed}
    inside = {
        var: found for var, found in objects.items() if var.startswith("<q.Things: q.Box boxed(java.lang.Object)>/")
    }
    assert sorted(map(sorted, inside.values())) == [[boxed], [boxed, ITEM]], "what is returned, and the parameter"


@needs_javac
@pytest.mark.slow
def test_objects_that_hold_nothing_are_merged(various: Path) -> None:
    objects = held(various)
    assert objects["<p.A: void main(java.lang.String[])>/flat"] == {"any q.Flat", "any int[]", "any java.lang.String[]"}
    assert objects["<p.A: void main(java.lang.String[])>/holds"] == {
        "<q.Flat: java.lang.Object held()>/new Flat$Holds#1", "<q.Flat: java.lang.Object held()>/new Flat$Holds#2"
    }  # fmt: skip


@needs_javac
@pytest.mark.slow
def test_a_prefix_without_classes_is_an_error(
    root: Path, run: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", "")
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(LadderError, match="No class of the class path is in q.Bx, which --library bodies=q,q.Bx names"):
        run("bodies=q,q.Bx")


@pytest.mark.parametrize("text", ["bodies=", "models=java", "code", "bodies=,"])
def test_other_choices_are_errors(text: str) -> None:
    with pytest.raises(LadderError, match="is none of the choices"):
        library_of(text)


def test_prefixes_are_names_of_packages_and_classes() -> None:
    library = library_of("bodies=java.util.*, q.Box")
    assert library.text == "bodies=java.util,q.Box"
    assert all(map(library.has, ("java.util.List", "java.util.concurrent.Future", "q.Box", "q.Box$Key")))
    assert not any(map(library.has, ("java.utilities.X", "q.Boxes", "java.lang.String")))
