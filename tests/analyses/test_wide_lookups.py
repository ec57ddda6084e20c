"""Methods that reflection looks up in the class of an object of any type, and shared beginnings of names."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import Project, Results, analyse

FEW, MANY = 20, 260  # classes: from two hundred on, the class of an object of their supertype is one of too many


def _results(count: int, body: str, calls: str) -> Results:
    """Evaluate a program with so many classes `demo.C0`, `demo.C1` …, each given to the calls as `{n}`."""
    files = {
        f"C{n}.java": f"package demo; public class C{n} {{ Object get() {{ return 1; }} int at{n}() {{ return 2; }} }}"
        for n in range(count)
    }
    each = "\n".join(calls.format(n=n) for n in range(count))
    files["Calls.java"] = f"""package demo; import java.util.*; class Calls {{ {body}
        public static void main(String[] args) throws Exception {{ {each} }} }}"""
    return analyse("pointsto", Project.of(files))


def _called(results: Results, call: str) -> set[str]:
    return {target for site, target in results.rows("CallGraphEdge") if call in site and target.startswith("demo.C")}


NAMES = """static class Key { String name; Key(String n) { name = n; } public String toString() { return name; } }
    static Map<String, Object> all = new HashMap<>();
    static Object value(Object base, Object name) throws Exception {
        return base.getClass().getDeclaredMethod(name.toString()).invoke(base); }"""
KEPT = """String k{n} = "at{n}"; all.put(k{n}, 1); value(new C{n}(), new Key(k{n}));"""


@pytest.mark.parametrize("count", [FEW, MANY])
def test_a_name_that_is_known_is_called_on_the_objects(count: int) -> None:
    results = _results(
        count,
        """static Object value(Object base, String name) throws Exception {
            var method = base.getClass().getDeclaredMethod(name); Calls.log(method); return method.invoke(base); }
        static void log(Object o) { }""",
        'value(new C{n}(), "get");',
    )
    assert _called(results, "value(Object,String)/call invoke") == {f"demo.C{n}.get()" for n in range(count)}
    logged = [row for row in results.rows("VarPointsTo") if row[1] == "demo.Calls.log(Object)/o"]
    assert len(logged) == (1 if count == MANY else count), "one object stands for what is found in any of hundreds"


def test_names_that_are_put_together_are_called_on_the_objects() -> None:
    results = _results(
        MANY,
        """static Object value(Object base, String name) throws Exception {
            return base.getClass().getDeclaredMethod("g" + name).invoke(base); }""",
        'value(new C{n}(), "et");',
    )
    assert _called(results, "value(Object,String)/call invoke") == {f"demo.C{n}.get()" for n in range(MANY)}


def test_any_name_in_any_of_hundreds_of_classes_is_a_method_of_which_nothing_is_known() -> None:
    assert not _called(_results(MANY, NAMES, KEPT), "call invoke")
    assert _called(_results(FEW, NAMES, KEPT), "call invoke"), "of a few classes each method that a text names"


@pytest.mark.parametrize("count", [FEW, MANY])
def test_beginnings_that_hundreds_of_classes_share_name_none(count: int) -> None:
    results = _results(
        count,
        """static Object make(String name) throws Exception {
            return Class.forName("demo." + name).getDeclaredConstructor().newInstance(); }""",
        "make(args[{n}]);",
    )
    made = {row[0] for row in results.rows("Reachable")} & {f"demo.C{n}.<init>()" for n in range(count)}
    assert len(made) == (0 if count == MANY else count)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "getters"), [(FEW, 3), (MANY, 3), (MANY, 80)])
def test_methods_by_the_ten_thousand_on_objects_of_hundreds_of_classes_are_not_known(count: int, getters: int) -> None:
    files = {
        f"C{n}.java": f"package demo; public class C{n} {{ "
        + " ".join(f"public Object get{m}() {{ return null; }}" for m in range(getters))
        + " }"
        for n in range(count)
    }
    each = " ".join(f"first(new C{n}());" for n in range(count))
    files["Calls.java"] = f"""package demo; import java.lang.reflect.Method; class Calls {{
        static Object first(Object base) throws Exception {{
            for (Method method : base.getClass().getMethods())
                if (method.getName().startsWith("get")) return method.invoke(base);
            return null; }}
        public static void main(String[] args) throws Exception {{ {each} }} }}"""
    results = analyse("pointsto", Project.of(files))
    known = count * getters < 20_000
    assert len(_called(results, "first(Object)/call invoke")) == (count * getters if known else 0)
    assert bool({row for row in results.rows("Unsound") if row[1] == "invoke"})
