"""Effects: what the comments of the sample say of each method, what rows mean, and what parameters are kept."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from ladder.lattices import TOP
from tests.analyses.annotated import CASES, Project, Results, analyse

pytestmark = pytest.mark.slow
SAMPLE = CASES / "findings" / "effects"
SAID = r"purity (\w+)(?:: ([\w ,]+?))?(?: // found [\w, -]+)?"


@pytest.fixture(scope="module")
def sample() -> Results:
    return analyse("effects", Project.of({path.name: path.read_text("utf-8") for path in SAMPLE.glob("*.java")}))


def of(results: Results, relation: str) -> dict[str, set[tuple]]:
    """Method → the rest of its rows."""
    found: dict[str, set[tuple]] = defaultdict(set)
    for method, *rest in results.rows(relation):
        found[method].add(tuple(rest))
    return found


def sets(results: Results, relation: str) -> dict[str, dict[str, tuple[set[str], ...]]]:
    """Method → region → its sets."""
    return {
        method: {region: tuple(each if each is TOP else set(each) for each in rest) for region, *rest in rows}
        for method, rows in of(results, relation).items()
    }


def test_purity_and_why(sample: Results) -> None:
    levels, why = of(sample, "Purity"), of(sample, "Impure")
    found = {
        sample.project.places[method][1]: (level, ", ".join(sorted(reason for (reason,) in why[method])))
        for method, ((level,),) in levels.items()
        if method in sample.project.places
    }
    said = {line: (match[1], match[2] or "") for (_, line), match in sample.project.comments(SAID)}
    assert len(said) > 35
    assert {line: found.get(line) for line in said} == said


def test_what_is_written_read_and_thrown(sample: Results) -> None:
    written, read = sets(sample, "MayWrite"), sets(sample, "MayRead")
    fields, objects = written["effects.Effects.remember(Effects)"]["static"]
    assert fields == {"<effects.Effects: int created>", "<effects.Effects: effects.Effects last>"}
    assert objects == {"effects.Effects"}
    fields, objects = written["effects.Effects.swap(int[])"]["parameter 0"]
    assert fields == {"elements"} and objects == {"effects.Effects.<init-block>()/new int[]"}
    assert read["effects.Effects.same(Effects)"].keys() == {"parameter 0"}
    assert "effects.Effects.plus(int,int)" not in {*written, *read}
    assert of(sample, "MayThrow")["effects.Effects.failing(int)"] == {("java.io.IOException",)}
    assert of(sample, "CallsOut")["effects.Effects.now()"] == {("clock",)}
    made = {method: objects for method, objects in sample.rows("MayMake")}
    assert {heap.rpartition("/")[2] for heap in made["effects.Effects.wrapped()"]} == {"new Box"}


def test_where_parameters_get_to() -> None:
    source = """
    package p;
    import java.util.*;
    class Box { Object item; }
    public class M {
        static Object last;
        static Object same(Box b) { return b; }
        static Box packed(Box b) { Box box = new Box(); box.item = b; return box; }
        static void put(Box b, List<Box> list) { list.add(b); }
        static void publish(Box b) { last = b; }
        static void handOver(Box b) { publish(b); }
        static void unknown(Box b) { elsewhere.Helper.take(b); }
        static int looked(Box b) { Box box = packed(b); return box.item == null ? 0 : 1; }
        void into(Box b) { box.item = b; }
        Box box = new Box();
        public static void main(String[] args) {
            Box b = new Box();
            same(b); packed(b); put(b, new ArrayList<>()); publish(b); handOver(b); unknown(b); looked(b);
            new M().into(b);
        }
    }
    """
    escapes = of(analyse("effects", Project.of({"M.java": source})), "MayEscape")
    found = {method.partition("(")[0]: dict(rows).get("parameter 0", "") for method, rows in escapes.items()}
    assert found == {
        "p.M.same": "returned", "p.M.packed": "returned", "p.M.put": "kept", "p.M.publish": "global",
        "p.M.handOver": "global", "p.M.unknown": "global", "p.M.into": "kept",
    }  # fmt: skip


def test_more_than_a_few_fields_are_any() -> None:
    fields = " ".join(f"int f{n};" for n in range(9))
    stores = " ".join(f"a.f{n} = 1;" for n in range(9))
    main = "public static void main(String[] s) { all(new A()); }"
    source = f"class A {{ {fields} static void all(A a) {{ {stores} }} {main} }}"
    results = analyse("effects", Project.of({"A.java": source}))
    ((region, written, objects),) = of(results, "MayWrite")["A.all(A)"]
    assert region == "parameter 0" and written is TOP and len(objects) == 1


def test_parameters_may_be_the_same_object() -> None:
    source = """
    class Box { Box next; int n; }
    class M {
        static void both(Box a, Box b, Box c) { a.next = c; b.next.n = 1; }
        public static void main(String[] s) { Box x = new Box(); x.next = new Box(); both(x, x, new Box()); }
    }
    """
    why = of(analyse("effects", Project.of({"M.java": source})), "Impure")["M.both(Box,Box,Box)"]
    assert {("writes parameter 0",), ("writes in parameter 1",), ("writes parameter 2",)} <= why


def test_rows_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "rows.yml").write_text(
        """
        extensions:
          - addsTo: {pack: my/pack, extensible: effectModel}
            data:
              - ["acme", "Store", True, "", "", "reads", "Argument[this]"]
              - ["acme", "Store", True, "put", "", "writes", "Argument[this]"]
              - ["acme", "Store", True, "flush", "()", "io", ""]
        """,
        "utf-8",
    )
    source = """
    import acme.Store;
    class M {
        static int size(Store s) { return s.size(); }
        static void put(Store s) { s.put("a"); }
        static void flush(Store s) { s.flush(); }
        public static void main(String[] args) { Store s = new Store(); size(s); put(s); flush(s); }
    }
    """
    results = analyse("effects", Project.of({"M.java": source}), "main", tmp_path)
    levels, why = of(results, "Purity"), of(results, "Impure")
    assert levels["M.size(Store)"] == {("reads",)}
    assert why["M.put(Store)"] == {("writes parameter 0",)} and why["M.flush(Store)"] == {("io",)}
