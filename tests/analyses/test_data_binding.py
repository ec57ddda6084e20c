"""Objects that are made of data: of requests, of texts that a library reads, of rows of a database. Their fields hold
what no code of the program shows, and their setters are called."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.analyses.annotated import Project, Results, analyse

WEB = "import org.springframework.web.bind.annotation.*; import java.util.*;"

# A way to get an object of `Data` → the members of a class that gets it so.
MADE = {
    "the body of a request": '@PostMapping("/") String get(@RequestBody Data d) { return d.text(); }',
    "a list in the body": '@PostMapping("/") String get(@RequestBody List<Data> all) { return all.get(0).text(); }',
    "parameters of a request": '@GetMapping("/") String get(Data d) { return d.text(); }',
    "a part of another one": """static class Outer { private Data part; Data getPart() { return part; } }
        @PostMapping("/") String get(@RequestBody Outer o) { return o.getPart().text(); }""",
    "what a class inherits": """static class Sub extends Data { }
        @PostMapping("/") String get(@RequestBody Sub s) { return s.text(); }""",
    "a text that a library reads": """@GetMapping("/") void get(String[] a) {
        Data d = new com.fasterxml.jackson.databind.ObjectMapper().readValue(a[0], Data.class); d.text(); }""",
    "a wrapper of such a library": """
        static <T> T read(String s, Class<T> c) { return new com.google.gson.Gson().fromJson(s, c); }
        @GetMapping("/") void get(String[] a) { read(a[0], Data.class).text(); }""",
    "a type token": """@GetMapping("/") void get(String[] a) {
        java.lang.reflect.Type list = new com.google.gson.reflect.TypeToken<List<Data>>() { }.getType();
        List<Data> all = new com.google.gson.Gson().fromJson(a[0], list);
        all.get(0).text(); }""",
    "an interface that a library implements": """
        @org.apache.ibatis.annotations.Mapper interface All { Data find(int id); }
        All all; @GetMapping("/") String get() { return all.find(1).text(); }""",
}
CLASS = """static class Data { private int count; private Part part;
    String text() { if (count > 0) { return part.name(); } return ""; } }"""
RECORD = """record Data(int count, Part part) { String text() { if (count > 0) { return part.name(); } return ""; } }"""
PART = """static class Part { private String name; private int size; String name() { return name; }
    public void setSize(int size) { this.size = size; } void other() { } }"""


def project(data: str, ways: Mapping[str, str] = MADE) -> Project:
    """Each way in a class of its own, `M0`, `M1`, …, with its own `Data`."""
    classes = (f"@RestController class M{i} {{ {data} {PART} {way} }}" for i, way in enumerate(ways.values()))
    return Project.of({f"M{i}.java": f"{WEB} {text}" for i, text in enumerate(classes)})


def units(results: Results, relation: str, wanted: str = "") -> set[str]:
    """The units of the instructions in the first column, of rows of which the last column ends with the text."""
    rows = [row for row in results.rows(relation) if row[-1].endswith(wanted)]
    return {results.project.places[row[0]][0] for row in rows}


@pytest.mark.parametrize("data", (CLASS, RECORD), ids=("class", "record"))
def test_no_code_shows_what_fields_hold_and_their_objects_are_opaque(data: str) -> None:
    ways = {name: way for name, way in MADE.items() if data == CLASS or "extends Data" not in way}
    made = project(data, ways)
    assert not analyse("constprop", made, "frameworks").rows("UnreachableInstruction")
    calls = units(analyse("pointsto", made, "frameworks"), "CallGraphEdge", "name()")
    assert {name for i, name in enumerate(ways) if f"M{i}.java" not in calls} == set()


def test_binders_call_setters_and_constructors() -> None:
    kinds = analyse("pointsto", project(CLASS), "frameworks").rows("EntryKind")
    found = {method for kind, method in kinds if kind == "data binding"}
    assert {f"M{i}$Part.setSize(int)" for i in range(len(MADE))} <= found
    assert not any("other()" in method for method in found)


NOT_BOUND = """
  static class Kept { int count; String text() { if (count > 0) { return "x"; } return ""; } }
  static final org.slf4j.Logger LOG = org.slf4j.LoggerFactory.getLogger(Kept.class);
  interface Maker { Kept make(); }
  static Kept make(Maker m) { return m.make(); }
  public static void main(String[] a) {
    new Kept().text(); make(() -> new Kept()).text(); new EnumMap<>(E.class).size(); String n = Kept.class.getName();
  }
  enum E { A }
"""


def test_a_class_that_is_named_to_a_logger_or_made_by_a_lambda_is_not_bound() -> None:
    results = analyse("constprop", Project.of({"M.java": f"import java.util.*; class M {{ {NOT_BOUND} }}"}))
    assert len(results.rows("UnreachableInstruction")) > 0


def test_fields_that_binders_leave_keep_their_values() -> None:
    data = """static class Data { private transient int left; private static int shared; private final int one = 1;
        String text() { if (left > 0) { return "a"; } if (shared > 0) { return "b"; } if (one > 1) { return "c"; }
            return ""; } }"""
    results = analyse("constprop", project(data, {"body": MADE["the body of a request"]}), "frameworks")
    places = [results.project.places[i] for (i,) in results.rows("UnreachableInstruction")]
    assert len(places) == 6, "three texts, each assigned and returned"
