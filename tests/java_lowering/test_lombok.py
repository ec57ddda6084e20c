"""Members that Lombok adds."""

from __future__ import annotations

import pytest

from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.lombok_builders import singular_of
from ladder.frontends.protocol import FileFacts
from tests.analyses.annotated import Project, analyse, wrong_objects
from tests.java_lowering.integrity import problems


def facts(source: str) -> FileFacts:
    found = facts_of(("import lombok.*; import lombok.experimental.*; " + source).encode())
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
    "class C { @Builder C(int x) { } @Builder(builderClassName = \"Makes\") static A of(int y) { return null; } }": {
        "<init>(int)", "of(int)", "builder()",
    },
    "@UtilityClass class C { int x; void f() { } }": {"<init>()", "f()"},
    "@SuperBuilder(toBuilder = true) class C { int x; }": {"<init>(CBuilder)", "builder()", "toBuilder()"},
    "@SuperBuilder abstract class C { int x; }": {"<init>(CBuilder)"},
    "@Builder class C { @Builder.Default int x = 1; int y; }": {"<init>(int,int)", "$default$x()", "builder()"},
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


def test_what_is_added_to_a_builder_is_synthetic_and_what_is_written_is_not() -> None:
    found = facts_of(
        b"import lombok.Builder;\n@Builder class C {\n  int x;\n static class CBuilder { void own() { } }\n}\n"
    )
    synthetic = {row[0] for row in found.relations["Method_Modifier"] if row[1] == "synthetic"}
    assert {"C$CBuilder.x(int)", "C$CBuilder.build()"} <= synthetic and "C$CBuilder.own()" not in synthetic
    found = facts_of(b"import lombok.Builder;\n@Builder class C { int x; }\n")
    synthetic = {row[0] for row in found.relations["Method_Modifier"] if row[1] == "synthetic"}
    assert {"C.builder()", "C$CBuilder.x(int)", "C$CBuilder.build()"} <= synthetic


@pytest.mark.slow
def test_hostile_annotations_have_an_end() -> None:
    fields = "".join(f"int f{i};" for i in range(1000))
    assert facts_of(f"import lombok.*; @Data @With @Builder class C {{ {fields} }}".encode()).parser == "javalang"
    more = "".join(f"int f{i};" for i in range(200))
    classes = "".join(f"@With class C{i} {{ {more} }}" for i in range(10))
    assert facts_of(f"import lombok.*; {classes}".encode()).parser in ("javalang", "none")


BUILDERS = {
    "@Builder class C { @Singular List<String> names; @Singular(\"entry\") java.util.Map<String, A> all; }": {
        "<init>()", "name(String)", "names(java.util.Collection)", "clearNames()",
        "entry(String,A)", "all(java.util.Map)", "clearAll()", "build()",
    },
    "@Builder(setterPrefix = \"with\") class C { int x; @Singular Set<A> boxes; }": {
        "<init>()", "withX(int)", "withBox(A)", "withBoxes(java.util.Collection)", "clearBoxes()", "build()",
    },
    "@Builder class C { @Singular com.google.common.collect.ImmutableList<A> parts; }": {
        "<init>()", "part(A)", "parts(java.lang.Iterable)", "clearParts()", "build()",
    },
    "@Builder class C { int x; int y; static class CBuilder { CBuilder x(int x) { return this; } void own() { } } }": {
        "<init>()", "x(int)", "own()", "y(int)", "build()",
    },
    "class C { @Builder(builderClassName = \"CBuilder\", buildMethodName = \"make\") void f(int x, A... y) { } }": {
        "<init>()", "x(int)", "y(A[])", "make()",
    },
    "@SuperBuilder class C extends D { int x; @Builder.Default A y = null; }": {
        "<init>()", "self()", "x(int)", "y(A)", "build()",
    },
}  # fmt: skip


@pytest.mark.parametrize("source", BUILDERS)
def test_builders(source: str) -> None:
    assert methods(source, "C$CBuilder") == BUILDERS[source]


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("names", "name"), ("entries", "entry"), ("boxes", "box"), ("statuses", "status"), ("classes", "class"),
        ("children", "child"), ("innerChildren", "innerChild"), ("news", ""), ("data", ""), ("bus", ""), ("x1", ""),
    ],
)  # fmt: skip
def test_singulars(plural: str, singular: str) -> None:
    assert singular_of(plural) == singular


def test_modifiers_of_fields_and_utility_classes() -> None:
    source = (
        "@FieldDefaults(level = AccessLevel.PRIVATE, makeFinal = true) class C {"
        " int a; @NonFinal public int b; @PackagePrivate int c; static int d; }"
        "@UtilityClass class U { int e; void f() { } class G { } { e = 1; } }"
    )
    relations = facts(source).relations
    fields = {row[0]: set() for row in relations["Field"]}
    for field, modifier in relations["Field_Modifier"]:
        fields[field].add(modifier)
    assert fields == {
        "C.a:field": {"private", "final"},
        "C.b:field": {"public"},
        "C.c:field": {"final"},
        "C.d:field": {"static"},
        "U.e:field": {"static"},
    }
    modifiers = set(relations["Method_Modifier"])
    assert {("U.f()", "static"), ("U.<init>()", "private")} <= modifiers
    assert ("U$G", "static") in relations["Type_Modifier"] and ("U", "final") in relations["Type_Modifier"]
    assert "InnerType" not in relations


def test_bodies() -> None:
    source = """
        class A { void close() { } void end() { } }
        class C extends B {
            C(@NonNull A a, @NonNull int i) { super(a); }
            @Synchronized void f(@NonNull A a) { a.end(); }
            @Synchronized static void g() { }
            @Synchronized("own") void h() { }
            A own;
            @Setter @NonNull A set;
            void i() {
                @Cleanup A one = new A();
                @Cleanup("end") A two = new A();
                one.hashCode();
            }
        }
        class B { B(A a) { } }
    """
    relations = facts(source).relations
    thrown = {row[2] for row in relations["Throw"]}
    assert thrown - {"C.i()"} == {"C.<init>(A,int)", "C.f(A)", "C.setSet(A)"}
    assert {("C.$lock:field", "C"), ("C.$LOCK:field", "C")} <= {row[:2] for row in relations["Field"]}
    calls = [row[2] for row in relations["Invocation"] if row[4] == "C.i()"]
    assert calls.count("close") and calls.count("end")
    handlers = {row[2] for row in relations["ExceptionHandler"]}
    assert handlers >= {"C.i()"}


@pytest.mark.slow
def test_variables_to_close_nest_no_deeper_than_statements_may() -> None:
    start, line = "import lombok.*; class A { void f() { ", "@Cleanup A a = null; "
    found = facts_of(f"{start}{line * 900}}}}}".encode())
    assert found.parser == "javalang" and not found.diagnostics
    assert [row[2] for row in facts_of(f"{start}{line * 1001}}}}}".encode()).diagnostics] == ["limit"]
    assert [row[2] for row in facts_of(f"{start}{line * 20000}}}}}".encode()).diagnostics] == ["limit"]


@pytest.mark.slow
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


@pytest.mark.slow
def test_objects_flow_through_builders() -> None:
    source = """
        import lombok.*;
        import lombok.experimental.SuperBuilder;
        import java.util.*;
        @SuperBuilder class Above<T> { T one; @Builder.Default Thing two = new Thing(); }
        @SuperBuilder(toBuilder = true) class Below extends Above<Thing> { Thing three; }
        @Builder class Many { @Singular List<Thing> things; @Singular("entry") Map<String, Thing> all; }
        class Made {
            @Builder(builderMethodName = "makes")
            static <T> Made of(T part) { ((Runnable) part).run(); return new Made(); }
            @Builder(builderClassName = "Asks", builderMethodName = "asks") Thing ask(Thing thing) { return thing; }
        }
        class Thing implements Runnable { public void run() { } void go() { } }
        class M {
            public static void main(String[] args) {
                Below below = Below.builder().one(new Thing()).three(new Thing()).build();
                Thing one = below.one;             // one = {Thing@16}
                Thing two = below.two;             // two = {Thing@5}
                Thing three = below.three;         // three = {Thing@16}
                Below copy = below.toBuilder().build();
                Many many = Many.builder().thing(new Thing()).entry("a", new Thing()).build();
                Thing first = many.things.get(0);  // first = {Thing@21}
                Thing named = many.all.get("a");   // named = {Thing@21}
                Made made = Made.<Thing>makes().part(new Thing()).build();
                Thing asked = made.asks().thing(new Thing()).build(); // asked = {Thing@25}
            }
        }
    """
    results = analyse("pointsto", Project.of({"M.java": source}))
    wrong = wrong_objects(results)
    assert not wrong
    assert "Thing.run()" in {row[0] for row in results.rows("Reachable")}
