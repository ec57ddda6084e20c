"""Names that imports of modules bring in, and where compact source files start."""

from __future__ import annotations

import pytest

from ladder.analyses import java_library, library_modules
from tests.analyses.annotated import Project, Results, analyse, assert_calls, wrong_objects

MODULES = {
    "module-info.java": "module com.acme { exports com.acme.api; requires transitive com.acme.base; }",
    "base/module-info.java": "module com.acme.base { exports com.acme.base; }",
    "Tool.java": "package com.acme.api; public class Tool { public void use() { } }",
    "Hidden.java": "package com.acme.inner; public class Hidden { public void use() { } }",
    "Base.java": "package com.acme.base; public class Base { public void use() { } }",
    "Date.java": "package dates; public class Date { public void use() { } }",
    "Main.java": """
        package app;
        import module com.acme;
        import module java.base;
        import module nobody.knows;
        import dates.*;
        class Main {
            void m(Tool tool, Base base, Date date, Hidden hidden, List<Tool> list, Connection connection) {
                tool.use();                // -> <com.acme.api.Tool: void use()>
                base.use();                // -> <com.acme.base.Base: void use()>
                date.use();                // -> <dates.Date: void use()>
                hidden.use();              // -> <app.Hidden: ? use()>
                list.get(0);               // -> <java.util.List: java.lang.Object get(int)>
                connection.close();        // -> <app.Connection: ? close()>
                Math.abs(1);               // -> <java.lang.Math: int abs(int)>
            }
        }
    """,
}
COMPACT = """
    void main() { new Job().run(); for (String each : names()) use(each); }
    List<String> names() { return new ArrayList<>(); }
    void use(String name) { }
    static class Job { void run() { } }
"""


@pytest.fixture(scope="module")
def linked() -> Results:
    return analyse("linking", Project.of(MODULES))


def test_names_of_modules(linked: Results) -> None:
    wanted = {line: found[1].split("; ") for line, found in linked.project.comments("-> (.*)")}
    assert linked.targets() == wanted


def test_modules_that_nobody_knows_are_named(linked: Results) -> None:
    assert linked.rows("UnknownModule") == [("app.Main", "nobody.knows")]


def test_what_modules_of_the_jdk_export() -> None:
    assert java_library.type_in_module("java.base", "List") == "java.util.List"
    assert java_library.type_in_module("java.desktop", "List") == "java.awt.List"
    assert java_library.type_in_module("java.desktop", "AttributeSet") == ""  # that of printing or of texts
    assert (
        java_library.type_in_module("java.sql", "Logger") == "java.util.logging.Logger"
    )  # of a module that it passes on
    assert java_library.type_in_module("java.sql", "List") == ""
    assert java_library.is_module("java.se") and not java_library.is_module("java.util")


def test_the_table_of_modules_is_what_the_jdk_says() -> None:
    text = "m@17\nexports b\nexports a\nrequires java.base mandated\nrequires x transitive\nqualified exports c to d\n"
    assert library_modules.described(text) == {"exports": ["a", "b"], "transitive": ["x"]}


def entries(source: str, **more: str) -> set[str]:
    return {method for (method,) in analyse("pointsto", Project.of({"M.java": source, **more})).rows("EntryPoint")}


def test_a_compact_source_file_starts_at_its_main() -> None:
    project = Project.of({"Start.java": COMPACT})
    ((name, _, _),) = project.facts["TopLevelType"]
    results = analyse("pointsto", project)
    assert {method for (method,) in results.rows("EntryPoint")} == {f"{name}.main()", f"{name}.<init>()"}
    reached = {method.removeprefix(name) for (method,) in results.rows("Reachable")}
    assert {".main()", ".names()", ".use(String)", "$Job.run()", "$Job.<init>()"} <= reached
    assert (f"<{name}: java.util.List names()>",) in {(found,) for found in results.names.values()}


@pytest.mark.slow
def test_what_the_launcher_starts() -> None:
    assert entries("class M { void main() { } }") == {"M.main()", "M.<init>()"}
    assert entries("class M { static void main() { } }") == {"M.main()"}
    assert entries("class M { void main(String[] a) { } void main() { } }") == {"M.main(String[])", "M.<init>()"}
    assert entries("class M { public static void main(String... a) { } void main() { } }") == {"M.main(String[])"}
    for nothing in (
        "class M { private void main() { } }",
        "class M { int main() { return 1; } }",
        "class M { M(int x) { } void main() { } }",
        "class M { private M() { } void main() { } }",
        "abstract class M { void main() { } }",
        "interface M { void main(); }",
        "class M { class Inner { void main() { } } }",
    ):
        assert entries(nothing) == set(), nothing


SINCE_21 = """
    import java.util.*; import java.util.concurrent.*; import java.util.stream.*;
    class Item { Item next() { return new Item(); } }
    class Main {
        static final ScopedValue<Item> SCOPED = ScopedValue.newInstance();
        public static void main(String[] args) throws Exception {
            List<Item> items = new ArrayList<>();
            items.addFirst(new Item());
            Item first = items.getFirst();                      // first = {Item@8}
            Item last = items.reversed().getLast();             // last = {Item@8}
            SequencedMap<String, Item> map = new LinkedHashMap<>();
            map.putLast("key", new Item());
            Item value = map.firstEntry().getValue();           // value = {Item@12}
            Item seen = map.sequencedValues().getLast();        // seen = {Item@12}
            Item taken = map.reversed().pollLastEntry().getValue(); // taken = {Item@12}
            Stream<Item> stream = items.stream();
            Item window = stream.gather(Gatherers.windowFixed(2)).findFirst().get().get(0); // window = {Item@8}
            Gatherer<Item, ?, Item> mapping = Gatherers.mapConcurrent(2, i -> i.next());
            Item changed = stream.gather(mapping).toList().get(0); // changed = {Item@3}
            Gatherer<Item, ?, Item> folding = Gatherers.fold(() -> new Item(), (a, b) -> b);
            Item folded = stream.gather(folding).toList().get(0); // folded = {Item@8, Item@20}
            ScopedValue.where(SCOPED, new Item()).run(Main::scoped);
            Item called = ScopedValue.where(SCOPED, first).call(() -> new Item()); // called = {Item@23}
            try (ExecutorService service = Executors.newVirtualThreadPerTaskExecutor()) {
                Item result = service.submit(() -> new Item()).resultNow(); // result = {Item@25}
            }
            Thread.ofVirtual().start(() -> first.next());
        }
        static void scoped() { Item scoped = SCOPED.get(); scoped.next(); } // scoped = {Item@8, Item@22}
    }
"""


def test_the_library_of_today_is_known() -> None:
    results = analyse("pointsto", Project.of({"Main.java": SINCE_21}), "main")
    assert wrong_objects(results) == {}
    assert not [name for (name,) in results.rows("PhantomMethod") if ": ? " in name]


def test_the_accessor_of_a_component_without_a_name_runs() -> None:
    assert_calls("""
        record Pair(int left, int right) {
            public int left() { return M.seen(left); }              // calls M.seen
        }
        class M {
            static int seen(int number) { return number; }
            static int right(Object o) { return o instanceof Pair(_, int r) ? r : 0; } // calls Pair.left, Pair.right
            public static void main(String[] args) { right(new Pair(1, 2)); }
        }
    """)
