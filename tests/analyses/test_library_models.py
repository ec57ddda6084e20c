"""Models of libraries: what comes out of containers of the JDK is what was put into them, and rows are read as CodeQL
writes them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ladder.analyses import java_library, library_models
from ladder.errors import LadderError
from ladder.frontends.java import FRONT_END
from tests.analyses.annotated import ANALYSES, Project, analyse, case_project, models, wrong_objects

HEAD = "extensions:\n  - addsTo: {pack: codeql/java-all, extensible: summaryModel}\n    data:\n"
OWN = ANALYSES / "java" / "models"


def written(folder: Path, *rows: str, head: str = HEAD, name: str = "some.model.yml") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(head + "".join(f"      - {row}\n" for row in rows), "utf-8")
    return folder


def read(folder: Path) -> library_models.Models:
    return library_models.read(library_models.files([folder]))


# ---- what the analysis finds


@pytest.mark.slow
def test_objects_in_containers_of_the_library() -> None:
    project = case_project("library")
    assert len(list(project.comments(r"(\w+) = \{(.*)\}"))) > 50
    assert not wrong_objects(analyse("pointsto", project))


UNKNOWN = """
    import com.acme.Bag;
    class A { }
    class M { public static void main(String[] args) {
        Bag<A> bag = new Bag<>();
        bag.insert(1, new A());
        A a = bag.any();                // a = {%s}
        A b = Bag.same(new A());        // b = {%s}
    } }
"""


@pytest.mark.slow
def test_models_of_the_user_describe_classes_of_which_nothing_is_known(tmp_path: Path) -> None:
    folder = written(
        tmp_path / "models",
        '["com.acme", "Bag", True, "insert", "(int,A)", "", "Argument[1]", "Argument[this].Element", "value", "m"]',
        '["com.acme", "Bag", True, "any", "()", "", "Argument[-1].Element", "ReturnValue", "value", "manual"]',
        '["com.acme", "Bag", False, "same", "(Object)", "", "Argument[0]", "ReturnValue", "value", "manual"]',
        '["com.acme", "Bag", False, "Bag", "", "", "Argument[0]", "Argument[this].Element", "value", "manual"]',
    )
    with_models = Project.of({"M.java": UNKNOWN % ("A@6", "A@8")})
    assert not wrong_objects(analyse("pointsto", with_models, "main", folder))
    without = Project.of({"M.java": UNKNOWN % ("opaque A", "opaque A")})
    assert not wrong_objects(analyse("pointsto", without))


def test_what_is_compared_and_sorted_calls_methods_of_the_project() -> None:
    project = Project.of(
        {
            "M.java": """
            import java.util.*; import java.util.stream.*;
            class K implements Comparable<K> { public int compareTo(K k) { return same(); } int same() { return 0; } }
            class H { public int hashCode() { return own(); } int own() { return 1; } }
            class M { public static void main(String[] args) {
                Stream.of("a").map(s -> new K()).sorted().forEach(k -> { });
                new HashMap<H, String>().get(new H());
            } }
            """
        }
    )
    reached = {row[0] for row in analyse("pointsto", project).rows("Reachable")}
    assert {"K.same()", "H.own()"} <= reached


# ---- the rows of the JDK


def test_rows_of_the_jdk_name_what_it_has() -> None:
    """Every row names a method, by a signature that it has, and arguments that it has."""
    rows = models()
    assert len(rows["SummaryModel"]) > 1_000 and len(rows["NeutralModel"]) > 300
    named = [(p, t, n, g, (x, y)) for p, t, _, n, g, _, x, y, _, _ in rows["SummaryModel"]]
    named += [(p, t, n, g, ()) for p, t, n, g, _, _ in rows["NeutralModel"] if java_library.is_package(p)]
    wrong = [row for row in named if not any(_suits(row, method) for method in _methods(f"{row[0]}.{row[1]}", row[2]))]
    assert not wrong


def _methods(class_: str, name: str) -> tuple[str, ...]:
    constructor = name == class_.rpartition(".")[2].rpartition("$")[2]
    return java_library.all_methods(class_, "<init>" if constructor else name)


def _suits(row: tuple, method: str) -> bool:
    package, type_, _, signature, paths = row
    roots = [library_models.argument(path.partition(".")[0]) for path in paths]
    subtypes = "False" if "<init>" in method else "True"
    return (
        library_models.names(package, type_, subtypes, signature, method) == 1
        and max(roots, default=-1) < java_library.arity(method)
        and not (library_models.THIS in roots and java_library.is_static(method))
    )


def test_rows_of_the_jdk_stand_once() -> None:
    contents = library_models.files([OWN])
    every = [
        row for file in contents for rows in library_models.read({file: contents[file]}).rows.values() for row in rows
    ]
    assert len(every) == len(set(every))
    methods = {(p, t, n, g) for p, t, _, n, g, *_ in models()["SummaryModel"]}
    assert not methods & {(p, t, n, g) for p, t, n, g, *_ in models()["NeutralModel"]}


def test_rows_about_effects_name_types_that_there_are() -> None:
    rows = models()["EffectModel"]
    types = {f"{package}.{type_}" for package, type_, *_ in rows if package.startswith("java")}
    assert len(types) > 200
    assert not {type_ for type_ in types if not java_library.kind(type_)}


# ---- reading rows


def test_rows_are_read_as_codeql_writes_them(tmp_path: Path) -> None:
    folder = written(
        tmp_path / "models",
        '["a.b", "C$D", true, "m", "(A,int)", "", "Argument[0..1].Element", "Argument[-1].Field[a.B.f]", "taint", "m"]',
    )
    written(
        folder,
        '["a.b", "C", "n", "()", "summary", "manual"]',
        head=HEAD.replace("summaryModel", "neutralModel"),
        name="other.yaml",
    )
    found = read(folder)
    assert not found.left_out
    assert found.rows["NeutralModel"] == [("a.b", "C", "n", "()", "summary", "manual")]
    assert found.rows["SummaryModel"] == [
        (
            "a.b",
            "C$D",
            "true",
            "m",
            "(A,int)",
            "",
            f"Argument[{n}].Element",
            "Argument[this].Field[a.B.f]",
            "taint",
            "m",
        )
        for n in (0, 1)
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('["java.util", "List", True, "get", "", "", "Argument[0", "ReturnValue", "value", "m"]', "path Argument[0 is"),
        (
            '["java.util", "List", True, "get", "", "", "Argument[0]..Element", "ReturnValue", "value", "m"]',
            "not understood",
        ),
        ('["java.util", "List", True, "get", "", "", "", "ReturnValue", "value", "m"]', "not understood"),
        (
            '["java.util", "List", True, "get", "", "", "Argument[0..99999]", "ReturnValue", "value", "m"]',
            "not understood",
        ),
        ('["java.util", "List", True, "got", "", "", "Argument[0]", "ReturnValue", "value", "m"]', "has no method got"),
        (
            '["java.util", "List", True, "get", "(String)", "", "Argument[0]", "ReturnValue", "value", "m"]',
            "java.util.List has no method get(String)",
        ),
        (
            '["java.util", "List", True, "get", "", "", "Argument[1].Element", "ReturnValue", "value", "m"]',
            "java.util.List.get has no argument 1: it has 1, counted from 0",
        ),
        (
            '["java.util", "List", False, "of", "(Object)", "", "Argument[this]", "ReturnValue", "value", "m"]',
            "java.util.List.of(Object) is static and has no Argument[this]",
        ),
        (
            '["java.util", "HashMap", False, "HashMap", "(String)", "", "Argument[0]", "Argument[this]", "value", "m"]',
            "java.util.HashMap has no method HashMap(String)",
        ),
        ('["java.util", "List", maybe, "get", "", "", "Argument[0]", "ReturnValue", "value", "m"]', "True or False"),
        ('["java.util", "List", True, "get", "", "Annotated", "Argument[0]", "ReturnValue", "value", "m"]', "ext is"),
        ('["java.util", "List", True, "get"]', "has 10 texts"),
        ('["java.util", "List", [], "get", "", "", "Argument[0]", "ReturnValue", "value", "m"]', "has 10 texts"),
    ],
)
def test_a_row_that_says_nothing_is_left_out_with_its_place(tmp_path: Path, row: str, reason: str) -> None:
    good = '["java.util", "List", True, "get", "", "", "Argument[0]", "ReturnValue", "value", "m"]'
    found = read(written(tmp_path / "models", good, row))
    ((file, line, said),) = found.left_out
    assert file.name == "some.model.yml" and line == 5 and reason in said
    assert len(found.rows["SummaryModel"]) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("extensions: [", "2:1 is not YAML"),
        ("other: 1", "1 has no key extensions"),
        ("extensions: 1", "1 is no model"),
        ("extensions:\n- addsTo: {pack: x}\n  data: []", "2 has no key extensible"),
        ("[" * 100_000, "nested too deeply"),
        ("- \x00", "is not YAML"),
    ],
)
def test_a_file_that_is_no_model_is_refused_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models/a.yml").write_text(text, "utf-8")
    with pytest.raises(LadderError) as caught:
        read(tmp_path / "models")
    assert "a.yml" in caught.value.message and said in caught.value.message and caught.value.hint


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path, said in ((tmp_path / "none", "There is no folder"), (tmp_path / "empty", "There is no YAML file")):
        with pytest.raises(LadderError, match=said):
            FRONT_END.models([path])
    (tmp_path / "a.yml").write_bytes(b"extensions: \xff")
    with pytest.raises(LadderError, match="is not UTF-8"):
        read(tmp_path / "a.yml")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('["a", "B", True, "c", "", "sings", ""]', "an effect is none, reads, writes, view, keeps, io,"),
        ('["a", "B", True, "c", "", "writes", ""]', "the effect writes needs an input"),
        ('["a", "B", True, "c", "", "io", "Argument[0]"]', "the effect io has no input"),
        ('["a", "B", True, "c", "", "reads", "Argument[x]"]', "is not understood"),
        ('["java.util", "List", True, "got", "", "none", ""]', "java.util.List has no method got"),
    ],
)
def test_rows_about_effects_that_cannot_be_used_are_left_out(tmp_path: Path, row: str, reason: str) -> None:
    found = read(written(tmp_path / "models", row, head=HEAD.replace("summaryModel", "effectModel")))
    assert not found.rows["EffectModel"] and [reason in said for _, _, said in found.left_out] == [True]


def test_other_kinds_of_rows_are_named(tmp_path: Path) -> None:
    found = read(written(tmp_path / "models", '["a"]', head=HEAD.replace("summaryModel", "typeModel")))
    assert [reason for _, _, reason in found.left_out] == ["rows of typeModel are not used"]


def test_paths_are_taken_apart() -> None:
    path = "Argument[0].Field[java.util.A.b].Element"
    assert library_models.base(path) == "Argument[0].Field[java.util.A.b]" and library_models.step(path) == "Element"
    assert library_models.base("ReturnValue") == "" == library_models.step("Argument[this]")
    assert [library_models.argument(root) for root in ("Argument[this]", "Argument[12]", "ReturnValue", path)] == [
        -1,
        12,
        -2,
        -2,
    ]
    assert library_models.parameter("Parameter[3]") == 3 and library_models.parameter("ReturnValue") == -1


def test_methods_are_named_as_rows_name_them() -> None:
    unknown = "<com.acme.Bag$In: ? put(?,A)>"
    assert library_models.method_name(unknown) == "put"
    assert library_models.method_name("<java.util.Map$Entry: ? <init>()>") == "Entry"
    assert library_models.method_name("a.B.own(int)") == ""
    cases = {("com.acme", "Bag$In", "True", "(int)"): 0, ("com.acme", "Bag$In", "False", "(int,A)"): 1}
    for (package, type_, subtypes, signature), named in cases.items():
        assert library_models.names(package, type_, subtypes, signature, unknown) == named
    compiled = "<com.acme.Bag$In: com.acme.Bag put(int,com.acme.Key)>"
    assert library_models.method_name(compiled) == "put"
    signatures = {"(int,Key)": 1, "(int,com.acme.Key)": 1, "(int,String)": 0, "(int)": 0, "": 1}
    for signature, named in signatures.items():
        assert library_models.names("com.acme", "Bag$In", "True", signature, compiled) == named
    add = "<java.util.ArrayList: boolean add(java.lang.Object)>"
    assert library_models.names("java.util", "Collection", "True", "(Object)", add) == 1
    assert library_models.names("java.util", "Collection", "True", "(java.lang.Object)", add) == 1
    assert library_models.names("java.util", "Collection", "False", "(Object)", add) == 0
    assert library_models.names("java.util", "ArrayList", "False", "", add) == 1
    assert library_models.names("java.util", "Map", "True", "", add) == 0


ENTRIES = HEAD.replace("summaryModel", "entryPointModel")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('["unit tests", "Acme", "a", "B", "method", ""]', "the group is tests or frameworks, not unit tests"),
        ('["tests", "Acme", "a", "B", "class", ""]', "the place is one of method, parameter, .*, not class"),
        ('["tests", "Acme", "a", "", "method", ""]', "the row names no type"),
        ('["tests", "", "a", "B", "method", ""]', "the row names no framework"),
        ('["tests", "Acme", "a", "B", "method", "run"]', "members is empty where the place is method"),
        ('["tests", "Acme", "a", "B", "named type", ""]', "members names an element where the place is named type"),
        ('["tests", "Acme", "a", "B", "subtype", "(run"]', "members is no regular expression: .*"),
        ('["tests", "Acme", "a", "B", "method"]', "a row of entryPointModel has 6 texts"),
    ],
)
def test_rows_about_entry_points_that_cannot_be_used_are_left_out(tmp_path: Path, row: str, reason: str) -> None:
    good = '["tests", "Acme", "a", "B", "subtype", "(run|stop)"]'
    found = read(written(tmp_path / "models", good, row, head=ENTRIES))
    assert found.rows["EntryPointModel"] == [("tests", "Acme", "a", "B", "subtype", "(run|stop)")]
    ((_, line, said),) = found.left_out
    assert line == 5 and re.fullmatch(reason, said)
