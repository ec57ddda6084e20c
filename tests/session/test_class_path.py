"""Libraries beside source and class files: what of them is found, read and linked, and what a change changes."""

from __future__ import annotations

import os
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ladder.cli.analyze import _class_path as class_path_option
from ladder.errors import LadderError, StateError
from ladder.frontends.bytecode.errors import Malformed
from ladder.frontends.libraries import LIBRARIES, pack
from ladder.frontends.libraries.declarations import declared
from ladder.frontends.libraries.pack import Pack, packed
from ladder.frontends.libraries.schema import MENTIONED, NAMES, TYPES
from ladder.frontends.libraries.selection import selected
from ladder.frontends.libraries.signatures import classes_in
from ladder.project.dependencies import gradle, maven
from ladder.project.dependencies.discovery import discovered
from ladder.project.dependencies.xml import read_xml
from ladder.report.summary import Report, as_text
from ladder.session import class_path
from tests.bytecode.assembler import ClassFile
from tests.session.projects import alone, analyse, changes, state_of, write

BODY = ["aconst_null", "areturn"]


def jar(path: Path, *classes: ClassFile, **others: bytes) -> Path:
    """A jar of classes, and of other entries."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as file:
        for each in classes:
            file.writestr(f"{name_of(each)}.class", each.bytes())
        for name, data in others.items():
            file.writestr(name, data)
    return path


def name_of(each: ClassFile) -> str:
    """The internal name of a class."""
    return next(part[3:].decode() for part in each.pool if part[:1] == b"\x01")


def box(result: str = "TT;") -> ClassFile:
    """q.Box<T extends Comparable>: T get(); <S> Box<S> of(S); static int max; nested Key."""
    c = ClassFile("q/Box")
    c.attributes.append(c.signature("<T::Ljava/lang/Comparable;>Ljava/lang/Object;"))
    c.method("public <init> ()V", ["return"])
    c.method("public get ()Ljava/lang/Comparable;", BODY, own=[c.signature(f"(){result}")])
    c.method(
        "public static of (Ljava/lang/Comparable;)Lq/Box;", BODY,
        own=[c.signature("<S::Ljava/lang/Comparable;>(TS;)Lq/Box<TS;>;")],
    )  # fmt: skip
    c.method("public add (Ljava/lang/Object;)V", ["return"])
    c.method("public add (Ljava/lang/String;)V", ["return"])
    c.method("public varargs all ([Ljava/lang/Object;)I", ["iconst_0", "ireturn"])
    c.method("public unused ()Lq/Unused;", BODY)
    c.method("private hidden ()Lq/Unused;", BODY)
    c.field("public static final max I", c.constant_value(c.number(7)))
    c.inner(("q/Box$Key", "q/Box", "Key", "public static"))
    return c


def others() -> list[ClassFile]:
    """q.Box$Key: up() of the superclass q.Base; q.Action, a functional interface; q.Unused."""
    key = ClassFile("q/Box$Key", "q/Base")
    key.inner(("q/Box$Key", "q/Box", "Key", "public static"))
    key.method("public <init> ()V", ["return"])
    base = ClassFile("q/Base", flags="public abstract super")
    base.method("public up ()Ljava/lang/String;", BODY)
    base.method("protected abstract step (Lq/Box;)Lq/Base;")
    action = ClassFile("q/Action", flags="public interface abstract")
    action.attributes.append(action.signature("<A:Ljava/lang/Object;>Ljava/lang/Object;"))
    action.method("public abstract run (Ljava/lang/Object;)V", own=[action.signature("(TA;)V")])
    unused = ClassFile("q/Unused")
    return [key, base, action, unused]


SOURCE = """package p;
import q.*;
class A extends Box.Key {
    static void use(Action<String> a) { a.run("x"); }
    protected Base step(Box b) { return this; }
    void main(Box<String> b, A other) {
        b.get().length();
        Box.of("s").get().trim();
        b.add("s");
        b.add(this);
        b.all(1, 2);
        other.up().isEmpty();
        new Box.Key().up();
        use(s -> s.concat("y"));
        b.missing();
        int n = Box.max;
    }
}
"""
CALLS = {
    "<q.Action: void run(java.lang.Object)>",
    "<q.Box: java.lang.Comparable get()>",
    "<java.lang.String: int length()>",
    "<q.Box: q.Box of(java.lang.Comparable)>",
    "<java.lang.String: java.lang.String trim()>",
    "<q.Box: void add(java.lang.String)>",
    "<q.Box: void add(java.lang.Object)>",
    "<q.Box: int all(java.lang.Object[])>",
    "<q.Base: java.lang.String up()>",
    "<java.lang.String: boolean isEmpty()>",
    "<q.Box$Key: void <init>()>",
    "<p.A: void use(q.Action)>",
    "<java.lang.String: java.lang.String concat(java.lang.String)>",
    "<q.Box: ? missing()>",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one file, with state, cache and home of its own."""
    return alone(monkeypatch, tmp_path, Path("src/p/A.java"), SOURCE)


def run(root: Path, *entries: Path, analysis: str = "linking", **wishes: Any) -> Report:
    """Link the project with a class path: compared with a run from scratch."""
    given = {"class_path": entries} if entries else {}
    return analyse(root, **({"analyses": [analysis], "verify": True} | given | wishes))


def table(root: Path, name: str, analysis: str = "linking") -> list[dict[str, Any]]:
    """The rows of a complete result table."""
    (folder,) = (state_of(root) / "results").glob(f"{analysis}-*/base")
    return pq.read_table(folder / f"{name}.parquet").to_pylist()


def calls(root: Path) -> set[str]:
    return {row["method"] for row in table(root, "MethodInvocation_Method")}


def phantoms(root: Path) -> set[str]:
    return {row["type"] for row in table(root, "PhantomClass")}


@pytest.mark.slow
def test_calls_of_libraries_are_linked(root: Path, tmp_path: Path) -> None:
    report = run(root, jar(tmp_path / "q.jar", box(), *others()))
    assert calls(root) == CALLS
    assert not {name for name in phantoms(root) if name.startswith("q.")}
    assert report.class_path == "1 of 1 entries that --classpath names" and not report.diagnostics


@pytest.mark.slow
def test_what_comes_from_which_library(root: Path, tmp_path: Path) -> None:
    key, *rest = others()
    one, two = jar(tmp_path / "box-1.jar", box(), key), jar(tmp_path / "base-2.jar", *rest)
    run(root, one, two, analysis="dependencies", entry="all")
    found = {row["type"]: (row["kind"], row["dependency"]) for row in table(root, "TypeOrigin", "dependencies")}
    assert found["q.Box"] == ("library", "box-1.jar") and found["q.Action"] == ("library", "base-2.jar")
    assert found["java.lang.String"] == ("module", "java.base")
    assert {kind for kind, _ in found.values()} == {"library", "module"}
    reached = {row["method"] for row in table(root, "DependencyMethod", "dependencies")}
    assert "<q.Base: java.lang.String up()>" in reached and not any("unused" in method for method in reached)
    one.rename(tmp_path / "box-1.1.jar")
    report = run(root, tmp_path / "box-1.1.jar", two, analysis="dependencies", entry="all")
    assert report.analyses[0].verified
    found = {row["type"]: row["dependency"] for row in table(root, "TypeOrigin", "dependencies")}
    assert found["q.Box"] == "box-1.1.jar" and found["q.Action"] == "base-2.jar"


# ---- where libraries come from

KNOWN = """
.decl ClassPathType(type: symbol, kind: symbol, self: symbol)
.input ClassPathType
.decl ClassPathMethod(method: symbol, type: symbol, name: symbol, arity: number, result: symbol, generic: symbol)
.input ClassPathMethod
.decl Method(method: symbol, type: symbol, name: symbol, arity: number, use: symbol)
.input Method
.decl Known(type: symbol)
.output Known
Known(t) :- ClassPathType(t, _, _).
.decl Has(method: symbol)
.output Has
Has(m) :- ClassPathMethod(m, _, _, _, _, _).
.decl Own(name: symbol)
.output Own
Own(n) :- Method(_, _, n, _, _).
"""


@pytest.fixture
def known(root: Path, tmp_path: Path) -> Callable[..., Report]:
    """Runs a program that shows the rows about the class path."""
    program = tmp_path / "known.dl"
    program.write_text(KNOWN)

    def again(*entries: Path, **wishes: Any) -> Report:
        return run(root, *entries, analysis=str(program), **wishes)

    return again


def types(root: Path) -> set[str]:
    return {row["type"] for row in table(root, "Known", "known")}


def in_repository(home: Path, coordinates: str, *classes: ClassFile, pom: str = "") -> None:
    """An artifact in the local Maven repository."""
    group, name, version = coordinates.split(":")
    folder = home / ".m2" / "repository" / group.replace(".", "/") / name / version
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-{version}.pom").write_text(pom or project_of(coordinates))
    if classes:
        jar(folder / f"{name}-{version}.jar", *classes)


def dependency(coordinates: str, more: str = "") -> str:
    names = ("groupId", "artifactId", "version")
    parts = zip(names, coordinates.split(":"), strict=False)
    return f"<dependency>{''.join(f'<{name}>{text}</{name}>' for name, text in parts)}{more}</dependency>"


def project_of(coordinates: str, *dependencies: str, more: str = "") -> str:
    names = ("groupId", "artifactId", "version")
    own = "".join(f"<{name}>{text}</{name}>" for name, text in zip(names, coordinates.split(":"), strict=False))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<project xmlns="http://maven.apache.org/POM/4.0.0">'
        f"{own}{more}<dependencies>{''.join(dependencies)}</dependencies></project>"
    )


def test_only_what_the_project_reaches_has_rows(root: Path, tmp_path: Path, known: Callable[..., Report]) -> None:
    known(jar(tmp_path / "q.jar", box(), *others()))
    assert types(root) == {"q.Box", "q.Box$Key", "q.Base", "q.Action"}
    methods = {row["method"] for row in table(root, "Has", "known")}
    assert "<q.Box: void add(java.lang.String)>" in methods
    assert not any("unused" in method or "hidden" in method for method in methods)


def test_a_maven_project(root: Path, tmp_path: Path, known: Callable[..., Report]) -> None:
    home = tmp_path / "home"
    in_repository(
        home,
        "g:box:2.0",
        box(),
        others()[0],
        pom=project_of("g:box:2.0", dependency("g:base:1.0"), dependency("g:gone:1")),
    )
    in_repository(
        home, "g:base:1.0", *others()[1:], pom=project_of("g:base:1.0", dependency("g:never:1", "<scope>test</scope>"))
    )
    in_repository(
        home, "g:parent:1",
        pom=project_of("g:parent:1", more=f"<properties><v>2.0</v></properties><dependencyManagement><dependencies>"
                       f"{dependency('g:box:${v}')}</dependencies></dependencyManagement>"),
    )  # fmt: skip
    module = project_of(
        "", dependency("g:box"), dependency("g:absent:3"), dependency("g:sibling:1"),
        more="<parent><groupId>g</groupId><artifactId>top</artifactId><version>1</version></parent>"
             "<artifactId>module</artifactId>",
    ).replace("<groupId></groupId>", "")  # fmt: skip
    top = project_of(
        "g:top:1", more="<parent><groupId>g</groupId><artifactId>parent</artifactId><version>1</version></parent>"
        "<modules><module>module</module><module>sibling</module><module>../outside</module></modules>",
    )  # fmt: skip
    sibling = project_of("g:sibling:1")
    write(root, {"pom.xml": top, "module/pom.xml": module, "sibling/pom.xml": sibling})
    report = known()
    assert types(root) == {"q.Box", "q.Box$Key", "q.Base", "q.Action"}
    assert report.class_path == (
        "2 of 4 libraries, by 3 pom.xml; not on this machine: g:absent:3, g:gone:1 "
        "(results are coarser without them; `mvn dependency:resolve` gets them)"
    )
    assert not report.diagnostics and "  class path: 2 of 4 libraries," in as_text(report)


def test_without_the_class_path(root: Path, known: Callable[..., Report]) -> None:
    jar(root / "lib" / "q.jar", box(), *others())
    assert known().class_path == "1 of 1 libraries, by lib/*.jar"
    assert types(root) >= {"q.Box"}
    report = known(class_path=())
    assert not types(root) and not report.class_path and report.analyses[0].mode == "update"


def test_locked_versions_of_a_gradle_project(root: Path, tmp_path: Path, known: Callable[..., Report]) -> None:
    cache = tmp_path / "home" / ".gradle" / "caches" / "modules-2" / "files-2.1"
    jar(cache / "g" / "box" / "2.0" / "0a1b" / "box-2.0.jar", box(), others()[0])
    in_repository(tmp_path / "home", "g:base:1.0", *others()[1:])
    write(root, {"build.gradle.kts": "plugins { java }\n"})
    report = known()
    assert report.class_path.startswith("what build.gradle.kts says is not known without gradle.lockfile")
    assert not report.diagnostics and not types(root)
    lock = "# This is a Gradle generated file\ng:box:2.0=compileClasspath\ng:base:1.0=a,b\ng:no:1=a\n../x:y=a\nempty=\n"
    write(root, {"app/gradle.lockfile": lock})
    report = known()
    assert types(root) == {"q.Box", "q.Box$Key", "q.Base", "q.Action"}
    assert report.class_path == (
        "2 of 3 libraries, by app/gradle.lockfile; not on this machine: g:no:1 "
        "(results are coarser without them; `gradle testClasses` gets them)"
    )
    assert [(path, line) for path, line, *_ in report.diagnostics] == [("app/gradle.lockfile", 5)]


def test_a_lock_file_is_looked_at_up_to_a_number_of_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "project", {"gradle.lockfile": "g:a:1=a\ng:a:1=b\ng:b:1=a\ng:c:1=a\n"})
    monkeypatch.setattr(gradle, "MOST_LINES", 3)
    found = discovered(tmp_path / "project", tmp_path / "home")
    assert found.missing == ["g:a:1", "g:b:1"]
    assert found.problems == [("gradle.lockfile", 3, 1, "lines after the first 3 are not looked at")]


def test_properties_parents_and_cycles(tmp_path: Path) -> None:
    root, home = tmp_path / "project", tmp_path / "home"
    in_repository(home, "g:a:1", box(), pom=project_of("g:a:1", dependency("g:b:1"), more=parent("g:a:1")))
    in_repository(home, "g:b:1", box(), pom=project_of("g:b:1", dependency("g:a:1"), dependency("g:c:1")))
    in_repository(home, "g:c:1", box())
    in_repository(home, "g:c:2", box())
    in_repository(home, "g:bom:1", pom=project_of("g:bom:1", more=managed(dependency("g:d:5"))))
    in_repository(home, "g:d:5", box())
    loop = "<properties><x>${y}</x><y>${x}</y><n>g</n><z>1</z></properties>"
    imported = dependency("g:bom:1", "<type>pom</type><scope>import</scope>")
    write(
        root,
        {
            "pom.xml": project_of(
                "g:top:1", dependency("${n}:a:${z}"), dependency("g:c:2"), dependency("g:d"), dependency("g:e:${x}"),
                dependency("../../etc:passwd:1"),
                more=loop + managed(imported) + "<modules><module>.</module></modules>",
            )
        },
    )  # fmt: skip
    found = discovered(root, home)
    assert [path.name for path in found.jars] == ["a-1.jar", "c-2.jar", "d-5.jar", "b-1.jar"]
    assert found.missing == ["g:e:${x}", "../../etc:passwd:1"] or len(found.missing) == 2


def parent(coordinates: str) -> str:
    group, name, version = coordinates.split(":")
    return f"<parent><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></parent>"


def managed(*dependencies: str) -> str:
    return f"<dependencyManagement><dependencies>{''.join(dependencies)}</dependencies></dependencyManagement>"


def test_exclusions_and_optional_ones(tmp_path: Path) -> None:
    root, home = tmp_path / "project", tmp_path / "home"
    needs = [dependency("g:b:1"), dependency("g:c:1"), dependency("h:d:1", "<optional>true</optional>")]
    in_repository(home, "g:a:1", box(), pom=project_of("g:a:1", *needs))
    for name in ("g:b:1", "g:c:1", "h:d:1"):
        in_repository(home, name, box())
    excluded = "<exclusions><exclusion><groupId>g</groupId><artifactId>b</artifactId></exclusion></exclusions>"
    write(root, {"pom.xml": project_of("g:top:1", dependency("g:a:1", excluded))})
    assert [path.name for path in discovered(root, home).jars] == ["a-1.jar", "c-1.jar"]


def test_the_repository_of_the_settings(tmp_path: Path) -> None:
    root, home = tmp_path / "project", tmp_path / "home"
    jar(tmp_path / "elsewhere" / "g" / "a" / "1" / "a-1.jar", box())
    write(home, {".m2/settings.xml": f"<settings><localRepository>{tmp_path}/elsewhere</localRepository></settings>"})
    write(root, {"pom.xml": project_of("g:top:1", dependency("g:a:1"))})
    assert [path.name for path in discovered(root, home).jars] == ["a-1.jar"]


# ---- what is wrong with libraries and build files

EXPANDING = (
    '<?xml version="1.0"?><!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY x SYSTEM "file:///etc/passwd">]><project><dependencies>&b;&x;</dependencies></project>'
)
POMS = {
    EXPANDING: (1, "document types and entities are not read"),
    "<project>\n  <dependencies>\n</project>": (3, "no XML: mismatched tag"),
    "not at all": (1, "no XML: "),
    "\n" + "<a>" * 200 + "</a>" * 200: (2, "too many elements, or too many inside one another"),
    "": (1, "no XML: no element found"),
}


@pytest.mark.parametrize("pom", POMS)
def test_a_pom_that_is_none(tmp_path: Path, pom: str) -> None:
    write(tmp_path, {"pom.xml": pom})
    ((path, line, _, message),) = discovered(tmp_path, tmp_path / "home").problems
    assert (path, line) == ("pom.xml", POMS[pom][0]) and POMS[pom][1] in message


def test_text_in_many_pieces_takes_time_in_proportion() -> None:
    start = time.process_time()
    assert len(read_xml(b"<a>" + b"\n" * 3_000_000 + b"</a>").text) == 3_000_000
    assert time.process_time() - start < 10


@pytest.mark.parametrize(("limit", "most"), [("MOST_READ", 20), ("MOST_ELEMENTS", 40)])
def test_poms_are_looked_at_up_to_a_number_of_elements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    """Of a large parent that many modules inherit from, one pom is read, and the dependencies of all are looked at."""
    modules = "<modules><module>m</module><module>n</module></modules>"
    children = {f"{name}/pom.xml": project_of(f":{name}:", more=parent("g:top:1")) for name in "mn"}
    write(tmp_path, {"pom.xml": project_of("g:top:1", dependency("g:a:1"), more=modules), **children})
    assert not discovered(tmp_path, tmp_path / "home").problems
    monkeypatch.setattr(maven, limit, most)
    found = discovered(tmp_path, tmp_path / "home")
    assert found.missing == ["g:a:1"]
    ((path, line, _, message),) = found.problems
    assert line == 1 and path in ("m/pom.xml", "n/pom.xml") and f"more than {most} elements" in message


def test_poms_are_looked_at_up_to_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = "".join(f"<module>{name}</module>" for name in "lmno")
    children = {f"{name}/pom.xml": project_of(f"g:{name}:1", dependency(f"g:of-{name}:1")) for name in "lmno"}
    write(tmp_path, {"pom.xml": project_of("g:top:1", more=f"<modules>\n{modules}</modules>"), **children})
    monkeypatch.setattr(maven, "MOST_POMS", 3)
    found = discovered(tmp_path, tmp_path / "home")
    assert found.missing == ["g:of-l:1", "g:of-m:1"]
    assert found.problems == [("pom.xml", 3, 1, "poms after the first 3 are not looked at")]


def test_nothing_outside_of_the_project_is_read(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "project"
    write(tmp_path, {"secret/pom.xml": project_of("g:x:1", dependency("g:a:1"))})
    jar(tmp_path / "secret" / "q.jar", box())
    in_repository(home, "g:a:1", box())
    write(
        root, {"pom.xml": project_of("g:top:1", more="<modules><module>../secret</module><module>/</module></modules>")}
    )
    (root / "lib").symlink_to(tmp_path / "secret")
    (root / "libs").mkdir()
    (root / "libs" / "q.jar").symlink_to(tmp_path / "secret" / "q.jar")
    (root / "gradle.lockfile").symlink_to(tmp_path / "secret" / "pom.xml")
    assert not discovered(root, home).jars and not discovered(root, home).problems
    (root / "pom.xml").unlink()
    (root / "pom.xml").symlink_to(tmp_path / "secret" / "pom.xml")
    assert not discovered(root, home).jars


def test_archives_that_are_none(root: Path, tmp_path: Path, known: Callable[..., Report]) -> None:
    good = jar(tmp_path / "q.jar", box(), *others())
    cut = tmp_path / "cut.jar"
    cut.write_bytes(good.read_bytes()[:300])
    tricky = jar(
        tmp_path / "tricky.jar",
        **{"../q/Evil.class": box().bytes(), "r/Other.class": box().bytes(), "r/No.class": b"no"},
    )
    text = tmp_path / "text.txt"
    text.write_text("no archive")
    os.mkfifo(tmp_path / "pipe.jar")
    entries = (cut, tricky, tmp_path / "none.jar", tmp_path / "pipe.jar", text, good)
    huge = tmp_path / "huge.jar"
    with huge.open("wb") as file:
        file.truncate(1 << 40)
    entries = (*entries, huge)
    report = known(*entries)
    assert types(root) == {"q.Box", "q.Box$Key", "q.Base", "q.Action"}
    assert report.class_path == "2 of 7 entries that --classpath names"
    said = {
        path.removeprefix(f"{tmp_path}/"): message
        for path, _, _, kind, message in report.diagnostics
        if kind == "class path"
    }
    assert len(said) == len(report.diagnostics) == 8
    assert "archives of more than 2,147,483,648 are not read" in said["huge.jar"]
    assert said["pipe.jar"] == "it is left out: it is neither a file nor a folder"
    assert "is not an archive that can be read" in said["cut.jar"] and "cannot be read" in said["none.jar"]
    assert "is not an archive" in said["text.txt"]
    assert said["tricky.jar!/../q/Evil.class"] == "its path leads elsewhere"
    assert "declares q.Box" in said["tricky.jar!/r/Other.class"] and "left out" in said["tricky.jar!/r/No.class"]
    assert known(*entries).diagnostics == report.diagnostics


def test_a_directory_of_classes(root: Path, tmp_path: Path, known: Callable[..., Report]) -> None:
    for each in (box(), *others()):
        write_class(tmp_path / "classes", each)
    (tmp_path / "classes" / "link.class").symlink_to(tmp_path / "classes" / "q" / "Box.class")
    report = known(tmp_path / "classes")
    assert types(root) == {"q.Box", "q.Box$Key", "q.Base", "q.Action"}
    assert [row[0].rpartition("!/")[2] for row in report.diagnostics] == ["link.class"]


def write_class(folder: Path, each: ClassFile) -> None:
    path = folder / f"{name_of(each)}.class"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(each.bytes())


# ---- what a change costs, and what is kept


def test_a_changed_jar_changes_its_rows(root: Path, tmp_path: Path, known: Callable[..., Report]) -> None:
    path = jar(tmp_path / "q.jar", box(), *others())
    assert known(path).analyses[0].mode == "bootstrap"
    assert known(path).analyses[0].mode == "unchanged"
    more = others()
    more[1].method("public up (I)V", ["return"])
    jar(path, box(), *more)
    report = known(path)
    assert report.analyses[0].mode == "update" and changes(report) == {"Has": {("+", "<q.Base: void up(int)>")}}
    write(root, {"src/p/A.java": SOURCE.replace("b.missing()", "b.unused()")})
    report = known(path)
    assert changes(report) == {"Has": {("+", "<q.Box: q.Unused unused()>")}, "Known": {("+", "q.Unused")}}
    write(root, {"src/p/A.java": SOURCE.replace("b.missing()", "b.lacking()")})
    assert {sign for rows in changes(known(path)).values() for sign, *_ in rows} == {"-"}
    write(root, {"src/p/A.java": SOURCE})
    report = known(path)
    assert report.analyses[0].mode == "unchanged" and not changes(report)


def test_packs_are_made_once(
    root: Path, tmp_path: Path, known: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    packed = LIBRARIES.packed
    monkeypatch.setattr(class_path, "verify", lambda *given: None)  # it makes packs of its own
    monkeypatch.setattr(type(LIBRARIES), "packed", lambda self, classes: made.append("") or packed(classes))
    path = jar(tmp_path / "q.jar", box(), *others())
    known(path)
    assert len(made) == 1
    copy = tmp_path / "copy.jar"
    copy.write_bytes(path.read_bytes())
    known(copy, class_path=(copy,), keep=False)
    assert len(made) == 1, "another project, or another path, has the same content"
    (kept,) = (tmp_path / "libraries").rglob("*.pack")
    kept.write_bytes(kept.read_bytes()[:-1] + b"x")
    known(copy, class_path=(copy,), keep=False)
    assert len(made) == 2, "a damaged pack is made anew"
    forged = kept.read_bytes()
    monkeypatch.setenv("LADDER_KEY", "another key, which is long")
    known(copy, class_path=(copy,), keep=False)
    assert len(made) == 3, "a pack of somebody else is not believed"
    assert kept.read_bytes() != forged


def test_verification_reads_libraries_again(
    root: Path, tmp_path: Path, known: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = jar(tmp_path / "q.jar", box(), *others())
    monkeypatch.setattr(class_path, "pack_of", lambda *given: packed([("q/Box.class", box().bytes())]))
    with pytest.raises(StateError, match="differs from what its libraries, read again"):
        known(path)


# ---- what analyses make of it


def listener() -> ClassFile:
    """q.Listener, an interface: on(String); q.Source calls it."""
    c = ClassFile("q/Listener", flags="public interface abstract")
    c.attributes.append(c.signature("<E:Ljava/lang/Object;>Ljava/lang/Object;"))
    c.method("public abstract on (Ljava/lang/Object;)V", own=[c.signature("(TE;)V")])
    return c


def source_of_events() -> ClassFile:
    c = ClassFile("q/Source")
    c.method("public <init> ()V", ["return"])
    c.method("public listen (Lq/Listener;)V", ["return"])
    c.method("protected changed (Ljava/lang/Object;)V", ["return"])
    return c


ENTRIES = """package p;
import q.*;
class Main {
    public static void main(String[] a) {
        Source s = new Mine();
        s.listen(new Ear());
        s.listen(e -> heard());
        Object o = a;
        if (o instanceof Source) { Source t = (Source) o; t.listen(null); }
    }
    static void heard() { }
}
class Mine extends Source {
    protected void changed(Object o) { called(); }
    public void helper() { never(); }
    void called() { }
    void never() { }
}
class Ear implements Listener<String> {
    public void on(String s) { s.length(); called(); }
    void called() { }
}
"""


@pytest.mark.slow
def test_libraries_call_what_overrides_their_methods_and_nothing_else(root: Path, tmp_path: Path) -> None:
    write(root, {"src/p/A.java": ENTRIES})
    run(root, jar(tmp_path / "q.jar", listener(), source_of_events()), analysis="pointsto", entry="main")
    reached = {row["method"] for row in table(root, "Reachable", "pointsto")}
    assert {"<p.Mine: void called()>", "<p.Ear: void called()>", "<p.Main: void heard()>"} <= reached
    assert "<p.Mine: void never()>" not in reached, "nobody calls a public method that overrides none"
    run(root, class_path=(), analysis="pointsto", entry="main")
    assert "<p.Mine: void never()>" in {row["method"] for row in table(root, "Reachable", "pointsto")}


@pytest.mark.slow
def test_annotations_of_annotations_say_what_frameworks_call(root: Path, tmp_path: Path) -> None:
    mine = ClassFile(
        "q/Check", flags="public interface abstract annotation", interfaces=["java/lang/annotation/Annotation"]
    )
    mine.attributes.append(mine.annotated("org/junit/jupiter/api/Test"))
    write(root, {"src/p/A.java": "package p;\nclass A { @q.Check void check() { } void other() { } }\n"})
    run(root, jar(tmp_path / "q.jar", mine), analysis="pointsto", entry="tests")
    assert {row["method"] for row in table(root, "EntryPoint", "pointsto")} >= {"<p.A: void check()>"}
    assert "<p.A: void other()>" not in {row["method"] for row in table(root, "EntryPoint", "pointsto")}


@pytest.mark.slow
def test_constants_of_libraries_have_their_values(root: Path, tmp_path: Path) -> None:
    c = ClassFile("q/K")
    c.field("public static final size I", c.constant_value(c.number(7)))
    c.field("public static changes I")
    write(
        root,
        {
            "src/p/A.java": "package p;\nclass A { public static void main(String[] a) {\n  int i = q.K.size + 1;\n"
            "  int j = q.K.changes;\n  if (i > 7) a(); else b(); }\n  static void a() { }\n  static void b() { } }\n"
        },
    )
    run(root, jar(tmp_path / "q.jar", c), analysis="constprop", entry="main")
    values = {row["var"].rpartition("/")[2]: row["value"] for row in table(root, "ConstantAfter", "constprop")}
    assert values["i"] == "8" and values.get("j") in (None, "any")
    assert [row["outcome"] for row in table(root, "DecidedBranch", "constprop")] == [1]


@pytest.mark.slow
def test_class_files_are_linked_with_libraries(root: Path, tmp_path: Path) -> None:
    sub = ClassFile("p/Sub", "q/Source")
    sub.method(
        "public run (Lp/Sub;Lq/Listener;)V",
        ["aload_1", "aload_2", "invokevirtual p/Sub listen (Lq/Listener;)V", "aload_1", "aconst_null",
         "invokevirtual p/Sub changed (Ljava/lang/Object;)V", "aload_1", "invokevirtual p/Sub lacking ()V", "return"],
    )  # fmt: skip
    project = jar(tmp_path / "p.jar", sub)
    libraries = (jar(tmp_path / "q.jar", listener(), source_of_events()),)
    analyse(project, analyses=["linking"], class_path=libraries, output=tmp_path / "tables", format_="parquet")
    rows = pq.read_table(tmp_path / "tables" / "MethodInvocation_Method.parquet").to_pylist()
    assert {row["method"] for row in rows} == {
        "<q.Source: void listen(q.Listener)>",
        "<q.Source: void changed(java.lang.Object)>",
        "<p.Sub: void lacking()>",
    }


# ---- class files that say something odd


def test_odd_signatures_are_as_if_they_were_not_there() -> None:
    odd = (
        "", "(", "<T>()V", "(TX;)TX;", "()Lq/A<", "(" + "[" * 300 + "I)V", "()" + "Lq/A<" * 200 + ">;" * 200,
        "()Lq/<script>;", "(II)V", "()Lq/Other;", "<T:TT;>()TT;", "()I extra",
    )  # fmt: skip
    for text in odd:
        c = ClassFile("q/A")
        c.attributes.append(c.signature(text))
        c.method("public f ()Lq/B;", BODY, own=[c.signature(text)])
        c.field("public x Ljava/util/List;", c.signature(text))
        found = declared(c.bytes()).description
        assert found is not None
        (method,), (field,) = found[6:8]
        assert method[:6] == ["f", 1, [], "q.B", None, None] and field[2:4] == ["java.util.List", None], text
        assert found[4:6] == [[], ["java.lang.Object"]], text


def test_what_signatures_say() -> None:
    c = ClassFile("q/A", interfaces=["java/util/List"])
    c.attributes.append(c.signature("<T:TU;U:Lq/B<TT;>;>Ljava/lang/Object;Ljava/util/List<-TT;>;"))
    c.method(
        "public f (Lq/B;[ILjava/util/Map$Entry;)Ljava/lang/Object;", BODY,
        own=[
            c.signature("<R::Ljava/lang/Runnable;>(TT;[ILjava/util/Map$Entry<*TU;>;)Ljava/lang/Object;^Lq/E;"),
            c.throws("q/E"),
        ],
    )  # fmt: skip
    found = declared(c.bytes()).description
    assert found is not None
    assert found[4] == ["{0 q.A q.B}", "{1 q.A q.B}"] and found[5][1] == "java.util.List<-{0 q.A q.B}>"
    (method,) = found[6]
    assert method[4] == ["{0 q.A q.B}", "int[]", "java.util.Map$Entry<+java.lang.Object,{1 q.A q.B}>"]
    assert method[6] == ["{0 q.A.f(q.B,int[],java.util.Map$Entry) java.lang.Runnable}"] and method[7] == ["q.E"]
    assert classes_in(method[4]) == {"q.B", "java.util.Map$Entry", "java.lang.Object"}


def test_names_that_are_none_are_left_out() -> None:
    c = ClassFile("q/A")
    c.method("public <b> ()V", ["return"])
    c.method("public f (Lq/X<Y;)V", ["return"])
    c.field("public a|b I")
    found = declared(c.bytes()).description
    assert found is not None and found[6:8] == [[], []]
    assert declared(ClassFile("q/A{B").bytes()).description is None
    with pytest.raises(Malformed, match="supertype"):
        declared(ClassFile("q/A", "q/B<C>").bytes())


def test_a_jdk_hides_what_is_known_of_one(tmp_path: Path) -> None:
    mentioned = {kind: frozenset[str]() for kind in MENTIONED} | {NAMES: frozenset(("length", "String", "size"))}
    text, object_ = ClassFile("java/lang/String"), ClassFile("java/lang/Object", "")
    text.method("public length ()I", ["iconst_0", "ireturn"])
    alone = selected([Pack(packed([("java/lang/String.class", text.bytes())]))], mentioned, ["a.jar"])
    assert not alone["ClassPathType"], "a package of the JDK, in a jar that is none"
    jdk = packed([("java/lang/String.class", text.bytes()), ("java/lang/Object.class", object_.bytes())])
    rows = selected([Pack(jdk)], mentioned, ["modules"])
    assert ("java.lang.String", "class", "java.lang.String") in rows["ClassPathType"]
    assert ("java.lang.String", "modules") in rows["ClassPathOrigin"]


def test_texts_that_members_share_are_counted_for_each() -> None:
    """A class file has a text once, whatever names it: what is made of it takes time and memory for each of them."""
    shared: list[tuple[str, str, Callable[[ClassFile], list[bytes]]]] = [
        ("its signatures have more than", "q/A", lambda c: [c.signature(f"Lq/A<{'Lq/B;' * 12_000}>;")]),
        ("what it declares has more than", "p/" * 900 + "E", lambda _: []),
    ]
    for message, type_, attributes in shared:
        c = ClassFile("q/A")
        for number in range(10_000):
            c.field(f"public f{number} L{type_};", *attributes(c))
        data = c.bytes()
        start = time.process_time()
        with pytest.raises(Malformed, match=message):
            declared(data)
        assert time.process_time() - start < 60


def test_names_that_are_too_long_are_left_out() -> None:
    long = "p/" * 30_000 + "E"
    c = ClassFile("q/A")
    c.field(f"public f L{long};")
    c.field("public g Lq/B;", c.annotated(long, "q/C"))
    c.method("public abstract h ()V", own=[c.throws(long)])
    found = declared(c.bytes()).description
    assert found is not None and found[6] == [] and [(field[0], field[5]) for field in found[7]] == [("g", ["q.C"])]


def test_a_pack_has_so_many_characters_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    classes = [(f"q/{name}.class", ClassFile(f"q/{name}").bytes()) for name in "ABC"]
    monkeypatch.setattr(pack, "MOST", 2 * declared(classes[0][1]).size)
    found = Pack(packed(classes))
    assert found.package("q").keys() == {"A", "B"}
    ((path, reason),) = found.problems
    assert path == "q/C.class" and reason.startswith("it and what comes after it are left out")


def test_large_declarations_end() -> None:
    wide = "Lq/" + "x" * 600 + ";"
    c = ClassFile("q/" + "A" * 1500)
    descriptor = f"({wide * 100})V"
    c.method(f"public f {descriptor}", ["return"])
    c.method("public g (I)V", ["return"], own=[c.signature(f"<T::Lq/{'B' * 1000};>(Lq/A<{'TT;' * 20_000}>;)V")])
    found = declared(c.bytes()).description
    assert found is not None and [method[:5] for method in found[6]] == [["g", 1, ["int"], "void", None]]
    assert declared(ClassFile("q/" + "A" * 3000).bytes()).description is None


def test_every_cut_and_changed_byte_ends_as_a_class_or_a_problem() -> None:
    whole = box()
    whole.attributes.append(whole.annotated("q/Note"))
    data = whole.bytes()
    for at in range(len(data)):
        for changed in (data[:at], data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :]):
            try:
                found = declared(changed)
            except Malformed:
                continue
            selected([Pack(packed([(f"{found.name.replace('.', '/')}.class", changed)]))], EVERYTHING, ["q.jar"])


EVERYTHING = {kind: frozenset(("q.Box", "get", "of", "add", "max", "Key")) for kind in MENTIONED} | {
    TYPES: frozenset[str]()
}


def test_what_the_option_says(tmp_path: Path) -> None:
    assert class_path_option(None) is None and class_path_option("none") == []
    entries = [tmp_path / "a.jar", tmp_path / "classes"]
    with pytest.raises(LadderError, match=f"There is no {entries[0]} and no {entries[1]}"):
        class_path_option(os.pathsep.join(map(str, entries)))
    entries[0].touch()
    entries[1].mkdir()
    assert class_path_option(os.pathsep.join((str(entries[0]), "", str(entries[1])))) == entries
