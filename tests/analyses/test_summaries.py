"""Models proposed from bytecode: for each construct, the rows that must be there, and no others of the methods."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from ladder.analyses import access_paths, library_models
from ladder.errors import LadderError, ProjectError
from ladder.frontends.bytecode import FRONT_END
from ladder.project.files import Project
from ladder.session import workspace
from ladder.session.models import Proposal, Request, as_yaml, infer
from ladder.support.console import Console
from tests.analyses.annotated import Project as Sources
from tests.analyses.annotated import analyse, wrong_objects
from tests.bytecode.assembler import ClassFile
from tests.bytecode.samples import METAFACTORY

pytestmark = pytest.mark.slow
O = "Ljava/lang/Object;"
INIT = "invokespecial java/lang/Object <init> ()V"
EMPTY = ("public <init> ()V", ["aload_0", INIT, "return"])
PUBLIC_INTERFACE = "public interface abstract"


def library(folder: Path, *classes: ClassFile) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "some.jar"
    with zipfile.ZipFile(path, "w") as file:
        for number, each in enumerate(classes):
            file.writestr(f"C{number}.class", each.bytes())
    return path


def proposed(path: Path, *packages: str, models: Sequence[Path] = ()) -> Proposal:
    with workspace.temporary() as used:
        return infer(Project(path, FRONT_END), Request(packages, models, jobs=1), used, Console(quiet=True))


def flows(found: Proposal) -> set[str]:
    """`A.f: Argument[0] -> ReturnValue` for each row."""
    return {f"{row[1]}.{row[3]}: {row[6]} -> {row[7]}" for row in found.summaries}


def neutral(found: Proposal) -> set[str]:
    return {f"{row[1]}.{row[2]}" for row in found.neutral}


def left(found: Proposal) -> dict[str, set[str]]:
    reasons: dict[str, set[str]] = {}
    for method, reason in found.left:
        reasons.setdefault(method.removeprefix("p.").partition("(")[0], set()).add(reason)
    return reasons


def bean(name: str = "p/Bean") -> ClassFile:
    c = ClassFile(name)
    c.field(f"private x {O}")
    c.field("private n I")
    c.method(*EMPTY)
    c.method(f"public get (){O}", ["aload_0", f"getfield {name} x {O}", "areturn"])
    c.method(f"public set ({O})V", ["aload_0", "aload_1", f"putfield {name} x {O}", "return"])
    c.method("public getN ()I", ["aload_0", f"getfield {name} n I", "ireturn"])
    return c


X = "SyntheticField[p.Bean.x]"
SET_GET = {f"Bean.set: Argument[0] -> Argument[this].{X}", f"Bean.get: Argument[this].{X} -> ReturnValue"}


def test_a_setter_and_a_getter(tmp_path: Path) -> None:
    found = proposed(library(tmp_path, bean()))
    assert flows(found) == SET_GET and not found.left
    assert neutral(found) == {"Bean.Bean", "Bean.getN"}
    assert {row[9] for row in found.summaries} == {"df-generated"} == {row[5] for row in found.neutral}


def test_a_builder(tmp_path: Path) -> None:
    """Methods that return their receiver, and a result that holds what they got."""
    b = ClassFile("p/Builder")
    b.field(f"private x {O}")
    b.method(f"public with ({O})Lp/Builder;", ["aload_0", "aload_1", f"putfield p/Builder x {O}", "aload_0", "areturn"])
    load = ["aload_1", "aload_0", f"getfield p/Builder x {O}", f"invokevirtual p/Bean set ({O})V"]
    make = ["new p/Bean", "dup", "invokespecial p/Bean <init> ()V", "astore_1"]
    b.method("public build ()Lp/Bean;", [*make, *load, "aload_1", "areturn"])
    found = proposed(library(tmp_path, bean(), b))
    assert flows(found) - SET_GET == {
        "Builder.with: Argument[0] -> Argument[this].SyntheticField[p.Builder.x]",
        "Builder.with: Argument[this] -> ReturnValue",
        f"Builder.build: Argument[this].SyntheticField[p.Builder.x] -> ReturnValue.{X}",
    }


def test_a_wrapper(tmp_path: Path) -> None:
    """What it passes on gets into the object that it was given, which others may have, too."""
    w = ClassFile("p/Wrapper")
    w.field("private b Lp/Bean;")
    w.method(
        "public <init> (Lp/Bean;)V", ["aload_0", INIT, "aload_0", "aload_1", "putfield p/Wrapper b Lp/Bean;", "return"]
    )
    inner = ["aload_0", "getfield p/Wrapper b Lp/Bean;"]
    w.method(f"public get (){O}", [*inner, f"invokevirtual p/Bean get (){O}", "areturn"])
    w.method(f"public set ({O})V", [*inner, "aload_1", f"invokevirtual p/Bean set ({O})V", "return"])
    found = flows(proposed(library(tmp_path, bean(), w))) - SET_GET
    inner_path = "SyntheticField[p.Wrapper.b]"
    assert found == {
        f"Wrapper.Wrapper: Argument[0] -> Argument[this].{inner_path}",
        f"Wrapper.get: Argument[this].{X} -> ReturnValue",
        f"Wrapper.get: Argument[this].{inner_path}.{X} -> ReturnValue",
        f"Wrapper.set: Argument[0] -> Argument[this].{X}",
        f"Wrapper.set: Argument[0] -> Argument[this].{inner_path}.{X}",
    }


def chain() -> list[ClassFile]:
    """A list of nodes with an iterator: its elements are what the iterator returns."""
    node = ClassFile("p/Node", flags="super")
    node.field(f"item {O}")
    node.field("next Lp/Node;")
    node.method("<init> ()V", ["aload_0", INIT, "return"])
    it = ClassFile("p/It", flags="super", interfaces=["java/util/Iterator"])
    it.field("at Lp/Node;")
    it.method("<init> (Lp/Node;)V", ["aload_0", INIT, "aload_0", "aload_1", "putfield p/It at Lp/Node;", "return"])
    it.method(
        "public hasNext ()Z",
        ["aload_0", "getfield p/It at Lp/Node;", "ifnull no", "iconst_1", "ireturn", "no:", "iconst_0", "ireturn"],
    )
    at = ["aload_0", "getfield p/It at Lp/Node;"]
    it.method(
        f"public next (){O}",
        [*at, f"getfield p/Node item {O}", "astore_1", "aload_0", *at, "getfield p/Node next Lp/Node;",
         "putfield p/It at Lp/Node;", "aload_1", "areturn"],
    )  # fmt: skip
    c = ClassFile("p/Chain", interfaces=["java/lang/Iterable"])
    c.method(*EMPTY)
    c.field("first Lp/Node;")
    c.field("last Lp/Node;")
    c.method(
        "public iterator ()Ljava/util/Iterator;",
        [
            "new p/It",
            "dup",
            "aload_0",
            "getfield p/Chain first Lp/Node;",
            "invokespecial p/It <init> (Lp/Node;)V",
            "areturn",
        ],
    )
    c.method(
        f"public put ({O})V",
        ["new p/Node", "dup", "invokespecial p/Node <init> ()V", "astore_2", "aload_2", "aload_1",
         f"putfield p/Node item {O}", "aload_0", "getfield p/Chain last Lp/Node;", "ifnull empty",
         "aload_0", "getfield p/Chain last Lp/Node;", "aload_2", "putfield p/Node next Lp/Node;", "goto end",
         "empty:", "aload_0", "aload_2", "putfield p/Chain first Lp/Node;",
         "end:", "aload_0", "aload_2", "putfield p/Chain last Lp/Node;", "return"],
    )  # fmt: skip
    c.method(
        f"public newest (){O}", ["aload_0", "getfield p/Chain last Lp/Node;", f"getfield p/Node item {O}", "areturn"]
    )
    loop = ["aload_1", "invokevirtual p/Chain iterator ()Ljava/util/Iterator;", "astore_2", "again:", "aload_2",
            "invokeinterface java/util/Iterator hasNext ()Z", "ifeq end", "aload_0", "aload_2",
            f"invokeinterface java/util/Iterator next (){O}", f"invokevirtual p/Chain put ({O})V",
            "goto again", "end:", "return"]  # fmt: skip
    c.method("public putAll (Lp/Chain;)V", loop)
    return [node, it, c]


def test_a_list_with_nodes(tmp_path: Path) -> None:
    found = proposed(library(tmp_path, *chain()))
    assert flows(found) == {
        "Chain.iterator: Argument[this].Element -> ReturnValue.Element",
        "Chain.put: Argument[0] -> Argument[this].Element",
        "Chain.newest: Argument[this].Element -> ReturnValue",
        "Chain.putAll: Argument[0].Element -> Argument[this].Element",
    }


def test_a_static_holder(tmp_path: Path) -> None:
    """Rows cannot say it: no row, and no neutral one; but two calls in a row are followed."""
    c = ClassFile("p/Holder")
    c.field(f"static x {O}")
    c.method(f"public static put ({O})V", ["aload_0", f"putstatic p/Holder x {O}", "return"])
    c.method(f"public static held (){O}", [f"getstatic p/Holder x {O}", "areturn"])
    c.field(f"static final EMPTY {O}")
    c.method(f"public static empty (){O}", [f"getstatic p/Holder EMPTY {O}", "areturn"])
    found = proposed(library(tmp_path, c))
    assert not found.summaries and neutral(found) == {"Holder.empty"}
    assert left(found) == {
        "Holder.put": {"it stores what it gets in a static field"},
        "Holder.held": {"it uses what a static field holds"},
    }


def test_recursive_methods(tmp_path: Path) -> None:
    c = ClassFile("p/R")
    swapped = ["aload_1", "aload_0", "iload_2", "iconst_1", "isub", f"invokestatic p/R swap ({O}{O}I){O}", "areturn"]
    c.method(f"public static swap ({O}{O}I){O}", ["iload_2", "ifne more", "aload_0", "areturn", "more:", *swapped])
    c.method(
        f"public static even ({O}I){O}",
        [
            "iload_1",
            "ifne more",
            "aload_0",
            "areturn",
            "more:",
            "aload_0",
            "iload_1",
            f"invokestatic p/R odd ({O}I){O}",
            "areturn",
        ],
    )
    c.method(
        f"private static odd ({O}I){O}",
        ["aload_0", "iload_1", "iconst_1", "isub", f"invokestatic p/R even ({O}I){O}", "areturn"],
    )
    c.method(f"public static never ({O}){O}", ["aload_0", f"invokestatic p/R never ({O}){O}", "areturn"])
    found = proposed(library(tmp_path, c))
    assert flows(found) == {
        "R.swap: Argument[0] -> ReturnValue",
        "R.swap: Argument[1] -> ReturnValue",
        "R.even: Argument[0] -> ReturnValue",
    }
    assert neutral(found) == {"R.never"}


def test_calls_through_an_interface(tmp_path: Path) -> None:
    """Every implementation counts; and a caller's own, which is a function, since the interface is a functional one."""
    shape = ClassFile("p/Shape", flags=PUBLIC_INTERFACE)
    shape.method(f"public abstract label ({O}){O}")
    a = ClassFile("p/A", interfaces=["p/Shape"])
    a.method(f"public label ({O}){O}", ["aload_1", "areturn"])
    b = ClassFile("p/B", interfaces=["p/Shape"])
    b.method(f"public label ({O}){O}", ["aconst_null", "areturn"])
    use = ClassFile("p/Use")
    use.method(
        f"public static any (Lp/Shape;{O}){O}",
        ["aload_0", "aload_1", f"invokeinterface p/Shape label ({O}){O}", "areturn"],
    )
    b.method("public <init> ()V", ["aload_0", INIT, "return"])
    use.method(
        f"public static none ({O}){O}",
        [
            "new p/B",
            "dup",
            "invokespecial p/B <init> ()V",
            "aload_0",
            f"invokeinterface p/Shape label ({O}){O}",
            "areturn",
        ],
    )
    found = proposed(library(tmp_path, shape, a, b, use))
    assert flows(found) == {
        "A.label: Argument[0] -> ReturnValue",
        "Shape.label: Argument[0] -> ReturnValue",
        "Use.any: Argument[1] -> ReturnValue",
        "Use.any: Argument[1] -> Argument[0].Parameter[0]",
        "Use.any: Argument[0].ReturnValue -> ReturnValue",
    }
    assert {"B.label", "Use.none"} <= neutral(found) and not found.left


def stores() -> list[ClassFile]:
    """An interface with two implementations, one of them hidden, an abstract class between, and who makes them."""
    store = ClassFile("p/Store", flags=PUBLIC_INTERFACE)
    store.method(f"public abstract put ({O})V")
    store.method(f"public abstract get (){O}")
    store.method(f"public abstract size ({O})I")
    base = ClassFile("p/Base", flags="public abstract super", interfaces=["p/Store"])
    base.method("protected <init> ()V", ["aload_0", INIT, "return"])
    base.method(f"public size ({O})I", ["iconst_0", "ireturn"])
    a = keeper("p/A", "public super")
    hidden = keeper("p/Hidden", "super")
    makers = ClassFile("p/Makers")
    made = ["new p/Hidden", "dup", "invokespecial p/Hidden <init> ()V", "areturn"]
    makers.method("public static some ()Lp/Store;", made)
    return [store, base, a, hidden, makers]


def keeper(name: str, flags: str) -> ClassFile:
    c = ClassFile(name, above="p/Base", flags=flags)
    c.field(f"private x {O}")
    c.method("public <init> ()V", ["aload_0", "invokespecial p/Base <init> ()V", "return"])
    c.method(f"public put ({O})V", ["aload_0", "aload_1", f"putfield {name} x {O}", "return"])
    c.method(f"public get (){O}", ["aload_0", f"getfield {name} x {O}", "areturn"])
    return c


def test_an_abstract_method_does_what_its_implementations_do(tmp_path: Path) -> None:
    found = proposed(library(tmp_path, *stores()))
    a, hidden = "Argument[this].SyntheticField[p.A.x]", "Argument[this].SyntheticField[p.Hidden.x]"
    assert {flow for flow in flows(found) if flow.startswith("Store.")} == {
        f"Store.put: Argument[0] -> {a}",
        f"Store.put: Argument[0] -> {hidden}",
        f"Store.get: {a} -> ReturnValue",
        f"Store.get: {hidden} -> ReturnValue",
    }
    assert {"Store.size", "Base.size"} <= neutral(found) and not found.left
    assert {row[2] for row in found.summaries if row[1] == "Store"} == {"True"}


THROUGH_AN_INTERFACE = """
    import p.*;
    class A { }
    class Own implements Store {
        public void put(Object o) { }
        public Object get() { return "own"; }
        public int size(Object o) { return 0; }
    }
    class M { public static void main(String[] args) {
        Store store = Makers.some(), other = new p.A(), own = new Own();
        store.put(new A()); other.put(new A());
        Object a = store.get();          // a = {opaque java.lang.Object}
        Object b = other.get();          // b = {A@11}
        Object c = own.get();            // c = {opaque java.lang.String}
    } }
"""


def test_rows_of_abstract_methods_are_read_again(tmp_path: Path) -> None:
    found = proposed(library(tmp_path / "jar", *stores()))
    (tmp_path / "rows.yml").write_text(as_yaml(found, "some.jar"), "utf-8")
    project = Sources.of({"M.java": THROUGH_AN_INTERFACE})
    assert not wrong_objects(analyse("pointsto", project, "main", tmp_path / "rows.yml"))


def test_a_method_that_others_override_does_what_these_do(tmp_path: Path) -> None:
    base = ClassFile("p/Base")
    base.method(*EMPTY)
    base.method(f"public same ({O}){O}", ["aconst_null", "areturn"])
    base.method(f"public equals ({O})Z", ["iconst_0", "ireturn"])
    sub = ClassFile("p/Sub", above="p/Base", flags="super")
    sub.method("public <init> ()V", ["aload_0", "invokespecial p/Base <init> ()V", "return"])
    sub.method(f"public same ({O}){O}", ["aload_1", "areturn"])
    found = proposed(library(tmp_path, base, sub))
    assert flows(found) == {"Base.same: Argument[0] -> ReturnValue"} and neutral(found) == {"Base.Base", "Base.equals"}


def test_abstract_methods_without_rows(tmp_path: Path) -> None:
    alone = ClassFile("p/Alone", flags=PUBLIC_INTERFACE)
    alone.method(f"public abstract same ({O}){O}")
    shape = ClassFile("p/Shape", flags=PUBLIC_INTERFACE)
    shape.method(f"public abstract same ({O}){O}")
    shape.method(f"public abstract other ({O}){O}")
    native = ClassFile("p/N", flags="super", interfaces=["p/Shape"])
    native.method(f"public same ({O}){O}", ["aload_1", "areturn"])
    native.method(f"public native other ({O}){O}")
    many = [ClassFile("p/Many", flags=PUBLIC_INTERFACE)]
    many[0].method(f"public abstract some ({O}){O}")
    for number in range(25):
        c = ClassFile(f"p/M{number}", flags="super", interfaces=["p/Many"])
        c.method(f"public some ({O}){O}", ["aload_1", "areturn"])
        many.append(c)
    found = proposed(library(tmp_path, alone, shape, native, *many))
    assert flows(found) == {"Shape.same: Argument[0] -> ReturnValue"} and not found.neutral
    assert left(found) == {
        "Alone.same": {"abstract, and nothing in the library implements it"},
        "Shape.other": {"native"},
        "Many.some": {"abstract, with many implementations"},
    }


def test_arrays(tmp_path: Path) -> None:
    c = ClassFile("p/Arrays")
    A = f"[{O}"
    c.method(f"public static first ({A}){O}", ["aload_0", "iconst_0", "aaload", "areturn"])
    c.method(
        f"public static wrap ({O}){A}",
        ["iconst_1", "anewarray java/lang/Object", "dup", "iconst_0", "aload_0", "aastore", "areturn"],
    )
    c.method(
        f"public static copy ({A}{A})V",
        [
            "aload_0",
            "iconst_0",
            "aload_1",
            "iconst_0",
            "iconst_1",
            f"invokestatic java/lang/System arraycopy ({O}I{O}II)V",
            "return",
        ],
    )
    c.method(f"public static twin ({A}){A}", ["aload_0", f"invokevirtual {A} clone (){O}", f"checkcast {A}", "areturn"])
    c.method("public static sum ([I)I", ["aload_0", "iconst_0", "iaload", "ireturn"])
    found = proposed(library(tmp_path, c))
    assert flows(found) == {
        "Arrays.first: Argument[0].ArrayElement -> ReturnValue",
        "Arrays.wrap: Argument[0] -> ReturnValue.ArrayElement",
        "Arrays.copy: Argument[0].ArrayElement -> Argument[1].ArrayElement",
        "Arrays.twin: Argument[0].ArrayElement -> ReturnValue.ArrayElement",
    }
    assert neutral(found) == {"Arrays.sum"}


def test_calls_into_other_libraries_are_taken_from_models(tmp_path: Path) -> None:
    c = ClassFile("p/C")
    made = ["new java/util/ArrayList", "dup", "invokespecial java/util/ArrayList <init> ()V", "astore_1"]
    put = ["aload_1", "aload_0", f"invokevirtual java/util/ArrayList add ({O})Z", "pop"]
    through = [*made, *put, "aload_1", "iconst_0", f"invokevirtual java/util/ArrayList get (I){O}", "areturn"]
    c.method(f"public static through ({O}){O}", through)
    c.method(f"public static other ({O}){O}", ["aload_0", f"invokestatic q/Q same ({O}){O}", "areturn"])
    path = library(tmp_path / "jar", c)
    found = proposed(path)
    assert flows(found) == {"C.through: Argument[0] -> ReturnValue"}
    assert left(found) == {"C.other": {"it calls a method of another library"}}
    row = '["q", "Q", False, "same", "(Object)", "", "Argument[0]", "ReturnValue", "value", "manual"]'
    models = tmp_path / "q.yml"
    models.write_text(f"extensions:\n  - addsTo: {{pack: q, extensible: summaryModel}}\n    data:\n      - {row}\n")
    assert flows(proposed(path, models=[models])) == {
        "C.through: Argument[0] -> ReturnValue",
        "C.other: Argument[0] -> ReturnValue",
    }


def test_a_function_that_keeps_what_the_method_gets_is_nothing_that_rows_say(tmp_path: Path) -> None:
    c = ClassFile("p/F")
    f = "Ljava/util/function/Function;"
    call = f"invokeinterface java/util/function/Function apply ({O}){O}"
    c.method(f"static synthetic lambda ({f}{O}){O}", ["aload_0", "aload_1", call, "areturn"])
    handle, kind = c.handle(6, *METAFACTORY), f"({O}){O}"
    made = c.dynamic(
        "apply",
        f"({f}){f}",
        handle,
        c.method_type(kind),
        c.handle(6, "p/F", "lambda", f"({f}{O}){O}"),
        c.method_type(kind),
    )
    c.method(f"public static later ({f}){f}", ["aload_0", f"invokedynamic {made}", "areturn"])
    c.method(f"public static now ({f}{O}){O}", ["aload_0", f"invokedynamic {made}", "aload_1", call, "areturn"])
    found = proposed(library(tmp_path, c))
    assert left(found) == {"F.later": {"a function keeps what it gets"}}
    assert flows(found) == {
        "F.now: Argument[1] -> Argument[0].Parameter[0]",
        "F.now: Argument[0].ReturnValue -> ReturnValue",
    }


def test_what_is_hidden_has_no_rows(tmp_path: Path) -> None:
    hidden = ClassFile("p/Hidden", flags="super")
    hidden.method(f"public static same ({O}){O}", ["aload_0", "areturn"])
    c = ClassFile("p/C")
    c.method(f"static same ({O}){O}", ["aload_0", "areturn"])
    c.method(f"protected mine ({O}){O}", ["aload_1", "areturn"])
    c.method(f"public native unknown ({O}){O}")
    found = proposed(library(tmp_path, hidden, c))
    assert flows(found) == {"C.mine: Argument[0] -> ReturnValue"}
    assert left(found) == {"C.unknown": {"native"}}


def test_packages(tmp_path: Path) -> None:
    other = ClassFile("p/q/C")
    other.method(f"public static same ({O}){O}", ["aload_0", "areturn"])
    near = ClassFile("pq/C")
    near.method(f"public static same ({O}){O}", ["aload_0", "areturn"])
    path = library(tmp_path, bean(), other, near)
    assert {row[0] for row in proposed(path, "p").summaries} == {"p", "p.q"}
    assert {row[0] for row in proposed(path, "p.q", "pq").summaries} == {"p.q", "pq"}
    with pytest.raises(LadderError, match=r"some.jar has no package p\.r\. It has p, p\.q, pq\."):
        proposed(path, "p", "p.r")


def test_a_library_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.jar").write_bytes(b"PK\x03\x04 and nothing else")
    with pytest.raises(ProjectError, match="broken.jar is not an archive that can be read"):
        proposed(tmp_path / "broken.jar")
    with zipfile.ZipFile(tmp_path / "empty.jar", "w") as file:
        file.writestr("readme.txt", "nothing")
    with pytest.raises(ProjectError, match=r"has no Java bytecode files \(\*\.class\)"):
        proposed(tmp_path / "empty.jar")


def test_the_rows_are_read_as_they_are_written(tmp_path: Path) -> None:
    found = proposed(library(tmp_path / "jar", bean(), *chain()))
    text = as_yaml(found, "some.jar")
    assert text == as_yaml(proposed(tmp_path / "jar" / "some.jar"), "some.jar")
    file = tmp_path / "rows.yml"
    file.write_text(text, "utf-8")
    read = library_models.read(library_models.files([file]))
    assert not read.left_out
    assert read.rows["SummaryModel"] == list(found.summaries) and read.rows["NeutralModel"] == list(found.neutral)


USE = """
    import p.*;
    class A { }
    class M { public static void main(String[] args) {
        Bean bean = new Bean(), other = new Bean();
        bean.set(new A()); other.set("other");
        Object a = bean.get();          // a = {A@6}
        Chain chain = new Chain();
        chain.put(new A());
        Object b = chain.newest();      // b = {A@9}
    } }
"""


def test_the_rows_say_what_the_library_does(tmp_path: Path) -> None:
    found = proposed(library(tmp_path / "jar", bean(), *chain()))
    (tmp_path / "rows.yml").write_text(as_yaml(found, "some.jar"), "utf-8")
    assert not wrong_objects(analyse("pointsto", Sources.of({"M.java": USE}), "main", tmp_path / "rows.yml"))


def test_words() -> None:
    assert access_paths.extend("", "", "Field[a.B.f]", "N", 0, 2) == "Field[a.B.f]"
    assert access_paths.extend("Field[a.B.f]", "N", "Field[a.N.next]", "N", 1, 2) == "Field[a.B.f]"
    assert access_paths.extend("Field[a.B.f]", "M", "Field[a.N.next]", "N", 1, 2) == "Field[a.B.f].Field[a.N.next]"
    assert access_paths.extend("Element.Element", "", "Element", "", 0, 2) == "?"
    assert access_paths.extend("*", "", "Element", "", 0, 2) == "*"
    word = "Field[a.B.f].ArrayElement.Field[a.N.x].Element"
    assert access_paths.synthetic(word) == "SyntheticField[a.N.x.Element]"
    assert list(access_paths.fronts("Element.MapKey")) == ["Element"]
    assert access_paths.first_class(word) == "a.B" and access_paths.first_class("Element") == ""
    assert access_paths.short_signature("f(java.util.Map$Entry,int[])") == "(Entry,int[])"
    assert access_paths.covers("Argument[0]", "ReturnValue", "Argument[0].Element", "ReturnValue.Element") == 1
    assert access_paths.covers("Argument[0]", "ReturnValue", "Argument[0].Element", "ReturnValue") == 0
