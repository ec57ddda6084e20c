"""Members that Lombok adds."""

from __future__ import annotations

import pytest

from ladder.frontends.java.facts import facts_of
from ladder.frontends.protocol import FileFacts
from tests.analyses.annotated import Project, analyse
from tests.java_lowering.integrity import problems


def facts(source: str) -> FileFacts:
    found = facts_of(("import lombok.*; import lombok.experimental.Accessors; " + source).encode())
    assert found.parser == "javalang" and not found.diagnostics
    assert not list(problems(found))
    return found


def methods(source: str, type: str = "C") -> set[str]:
    """The methods of a type, without those of Object."""
    found = {str(row[0]).removeprefix(f"{type}.") for row in facts(source).relations["Method"] if row[1] == type}
    return found - {
        "toString()",
        "equals(java.lang.Object)",
        "equals(Object)",
        "hashCode()",
        "<init-block>()",
        "<clinit>()",
    }


CASES = {
    "class C { @Getter int x; @Getter @Setter boolean isOpen, done; int other; }": {
        "<init>()", "getX()", "isOpen()", "setOpen(boolean)", "isDone()", "setDone(boolean)",
    },
    "@Getter @Setter class C { final int x = 1; static int y; @Setter(AccessLevel.NONE) A z; @Getter static int w; }": {
        "<init>()", "getX()", "getZ()", "getW()",
    },
    "@Data class C { final int x; @NonNull String y; int z; final int w = 1; int getX() { return 1; } }": {
        "<init>(int,String)", "getX()", "getY()", "setY(String)", "getZ()", "setZ(int)", "getW()",
    },
    "@Data class C { int x; C(int y) { } }": {"<init>(int)", "getX()", "setX(int)"},
    "@Data(staticConstructor = \"of\") class C<T> { final T x; }": {"<init>(T)", "of(T)", "getX()"},
    "@Value class C { int x; @NonFinal String y; }": {"<init>(int,String)", "getX()", "getY()"},
    "@NoArgsConstructor @AllArgsConstructor(access = AccessLevel.PRIVATE) class C { int x; int[] y[]; }": {
        "<init>()", "<init>(int,int[][])",
    },
    "@Setter @Accessors(fluent = true) class C { int x; }": {"<init>()", "x(int)"},
    "@With @AllArgsConstructor class C { int x; int y; }": {"<init>(int,int)", "withX(int)", "withY(int)"},
    "@Builder class C { int x; }": {"<init>(int)", "builder()"},
    "@Builder(builderMethodName = \"a b\", toBuilder = true) record C(int x) { }": {
        "<init>(int)", "x()", "builder()", "toBuilder()",
    },
    "@Getter enum C { A(1); final int x; C(int x) { this.x = x; } }": {
        "<init>(int)", "getX()", "values()", "valueOf(String)",
    },
    "@Getter interface C { int X = 1; }": set(),
}  # fmt: skip


@pytest.mark.parametrize("source", CASES)
def test_members(source: str) -> None:
    assert methods(source) == CASES[source]


def test_annotations_of_others_mean_nothing() -> None:
    for source in (
        "import other.Getter; class C { @Getter int x; }",
        "import lombok.Setter; class C { @Getter int x; }",
        "class C { @Getter int x; }",
        "import lombok.*; class C { @other.Getter int x; }",
    ):
        assert [row[0] for row in facts_of(source.encode()).relations["Method"]] == ["C.<init>()"]


def test_members_of_a_file_with_errors_are_only_added_where_nothing_is_left_out() -> None:
    found = facts_of(b"import lombok.Data;\n@Data class A { int x; }\n@Data class B {\n int x;\n int ( ;\n}\n")
    assert found.parser == "recovered"
    assert {str(row[0]) for row in found.relations["Method"]} >= {"A.getX()", "A.setX(int)"}
    assert not [row for row in found.relations["Method"] if row[1] == "B"]


def test_what_is_added_stands_at_its_field_and_is_synthetic() -> None:
    found = facts_of(b"import lombok.Getter;\nclass C {\n  @Getter int x;\n}\n")
    assert ("C.getX()", 3, 15) in found.relations["Position"]
    assert {row[1] for row in found.relations["Method_Modifier"] if row[0] == "C.getX()"} == {"public", "synthetic"}
    assert [row[3] for row in found.relations["LoadInstanceField"]] == ["C.x:field"]


def test_hostile_annotations_have_an_end() -> None:
    fields = "".join(f"int f{i};" for i in range(1000))
    assert facts_of(f"import lombok.*; @Data @With @Builder class C {{ {fields} }}".encode()).parser == "javalang"
    more = "".join(f"int f{i};" for i in range(200))
    classes = "".join(f"@With class C{i} {{ {more} }}" for i in range(10))
    assert facts_of(f"import lombok.*; {classes}".encode()).parser in ("javalang", "none")


def test_objects_flow_through_members_that_lombok_adds() -> None:
    source = """
        import lombok.*;
        import lombok.extern.slf4j.Slf4j;
        class M {
            public static void main(String[] args) {
                Box<Thing> box = new Box<>(new Thing());
                val thing = box.getContent();
                Box<Thing> built = Box.<Thing>builder().content(thing).build();
                box.setContent(built.getContent());
                thing.run();               // -> <Thing: void run()>
            }
        }
        @Data @AllArgsConstructor @Builder class Box<T> { T content; }
        @Slf4j class Thing {
            void run() {
                log.info("");              // -> <org.slf4j.Logger: ? info(java.lang.String)>
            }
        }
    """
    results = analyse("pointsto", Project.of({"M.java": source}))
    objects = results.objects()
    assert objects["M.main(String[])/thing"] == {"Thing@6"}
    edges = {(method.partition("(")[0]) for _, method in results.rows("CallGraphEdge")}
    assert {
        "Box.getContent",
        "Box.setContent",
        "Box.builder",
        "Box$BoxBuilder.content",
        "Box$BoxBuilder.build",
    } <= edges
    assert "Thing.run" in edges
