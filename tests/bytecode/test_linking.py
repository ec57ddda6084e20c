"""What class files name, resolved as the JVM does, and analysed as source is (JVMS 5.4.3)."""

from __future__ import annotations

import pytest

from ladder.frontends.bytecode.facts import facts_of
from tests.analyses.annotated import Project, Results, analyse
from tests.bytecode.assembler import ClassFile
from tests.bytecode.samples import METAFACTORY

pytestmark = pytest.mark.slow
BODY = ["return"]


def project(*classes: ClassFile) -> Project:
    found = Project()
    for c in classes:
        facts = facts_of(c.bytes())
        assert not facts.diagnostics, facts.diagnostics
        for relation, rows in facts.relations.items():
            found.facts[relation] += rows
        found.places |= {id_: (facts.unit, line, column) for id_, line, column in facts.relations["Position"]}
    return found


def targets(results: Results) -> dict[str, str]:
    """Call, as `caller/name#n` → the name of the method that it names."""
    names = results.names
    return {i: names.get(m, m) for i, m in results.rows("MethodInvocation_Method")}


def hierarchy() -> list[ClassFile]:
    """I: default d, k, static s; J extends I: default d; A implements I: f, g; B extends A implements J: g."""
    i = ClassFile("p/I", flags="public interface abstract")
    i.method("public d ()V", BODY)
    i.method("public k ()V", BODY)
    i.method("public static s ()V", BODY)
    j = ClassFile("p/J", flags="public interface abstract", interfaces=["p/I"])
    j.method("public d ()V", BODY)
    a = ClassFile("p/A", interfaces=["p/I"])
    a.field("x I")
    a.field("private y I")
    a.method("f (I)V", BODY)
    a.method("f (J)V", BODY)
    a.method("g ()Ljava/lang/Object;", ["aconst_null", "areturn"])
    b = ClassFile("p/B", "p/A", interfaces=["p/J"])
    b.field("x J")
    b.method("bridge synthetic g ()Ljava/lang/Object;", ["aconst_null", "areturn"])
    b.method("g ()Lp/B;", ["aconst_null", "areturn"])
    return [i, j, a, b]


CALLS = {
    "invokevirtual p/B f (I)V": "<p.A: void f(int)>",
    "invokevirtual p/B f (J)V": "<p.A: void f(long)>",
    "invokevirtual p/B g ()Lp/B;": "<p.B: p.B g()>",
    "invokevirtual p/B g ()Ljava/lang/Object;": "<p.B: java.lang.Object g()>",
    "invokevirtual p/A g ()Ljava/lang/Object;": "<p.A: java.lang.Object g()>",
    "invokevirtual p/B d ()V": "<p.J: void d()>",
    "invokevirtual p/A d ()V": "<p.I: void d()>",
    "invokevirtual p/B k ()V": "<p.I: void k()>",
    "invokeinterface p/J k ()V": "<p.I: void k()>",
    "invokeinterface p/J hashCode ()I": "<java.lang.Object: int hashCode()>",
    "invokevirtual p/B toString ()Ljava/lang/String;": "<java.lang.Object: java.lang.String toString()>",
    "invokevirtual p/B f (Z)V": "<p.B: void f(boolean)>",
    "invokevirtual p/B f (I)I": "<p.B: int f(int)>",
    "invokestatic p/A s ()V": "<p.A: void s()>",
    "invokestatic p/I s ()V": "<p.I: void s()>",
    "invokevirtual q/X f (Lp/A;)Lq/Y;": "<q.X: q.Y f(p.A)>",
    "invokeinterface java/util/List add (Ljava/lang/Object;)Z": "<java.util.List: boolean add(java.lang.Object)>",
    "invokevirtual java/lang/invoke/MethodHandle invokeExact (Lp/A;)Lq/Y;": (
        "<java.lang.invoke.MethodHandle: java.lang.Object invokeExact(java.lang.Object[])>"
    ),
    "invokevirtual java/lang/invoke/VarHandle get (Lp/A;)Lp/B;": (
        "<java.lang.invoke.VarHandle: java.lang.Object get(java.lang.Object[])>"
    ),
    "invokevirtual java/lang/invoke/VarHandle weakCompareAndSetPlain ()Z": (
        "<java.lang.invoke.VarHandle: boolean weakCompareAndSetPlain(java.lang.Object[])>"
    ),
    "invokevirtual java/lang/invoke/VarHandle setRelease (Lp/A;)V": (
        "<java.lang.invoke.VarHandle: void setRelease(java.lang.Object[])>"
    ),
    "invokevirtual java/lang/invoke/VarHandle varType ()Ljava/lang/Class;": (
        "<java.lang.invoke.VarHandle: java.lang.Class varType()>"
    ),
    "invokevirtual [I clone ()Ljava/lang/Object;": "<java.lang.Object: java.lang.Object clone()>",
}


def test_methods() -> None:
    main = ClassFile("p/Main")
    for number, call in enumerate(CALLS):
        descriptor = call.split()[-1]
        arguments = {"I": "iconst_0", "J": "lconst_0", "Z": "iconst_0", "L": "aconst_null", ")": ""}[descriptor[1]]
        lines = ["aconst_null"] * (not call.startswith("invokestatic")) + ([arguments] if arguments else []) + [call]
        result = descriptor[descriptor.index(")") + 1 :]
        lines += {"V": [], "J": ["pop2"]}.get(result, ["pop"])
        main.method(f"static m{number} ()V", [*lines, "return"])
    results = analyse("linking", project(*hierarchy(), main))
    found = {call.partition("(")[0]: target for call, target in targets(results).items()}
    assert {call: found.get(f"p.Main.m{number}", "") for number, call in enumerate(CALLS)} == CALLS
    phantoms = {row[0] for row in results.rows("PhantomMethod")}
    assert {"<q.X: q.Y f(p.A)>", "<p.B: int f(int)>"} <= phantoms
    assert {"q.X", "q.Y"} <= {row[0] for row in results.rows("PhantomClass")}


def test_overloads_are_never_chosen() -> None:
    """The most specific method would be another one."""
    a = ClassFile("p/A")
    a.method("static f (Ljava/lang/Object;)V", BODY)
    a.method("static f (Ljava/lang/String;)V", BODY)
    a.method("static m ()V", ["ldc 99", "invokestatic p/A f (Ljava/lang/Object;)V", "return"])
    index = a.string("text")
    data = a.bytes().replace(b"\x12\x63\xb8", bytes([0x12, index, 0xB8]))
    found = Project()
    for relation, rows in facts_of(data).relations.items():
        found.facts[relation] += rows
    assert list(targets(analyse("linking", found)).values()) == ["<p.A: void f(java.lang.Object)>"]


@pytest.mark.parametrize(
    "access, wanted",
    [
        ("getfield p/B x J", "p.B.x:field"),
        ("getfield p/B x I", ""),
        ("getfield p/A x I", "p.A.x:field"),
        ("getfield p/A y I", "p.A.y:field"),
        ("getfield q/X z I", ""),
    ],
)
def test_fields(access: str, wanted: str) -> None:
    main = ClassFile("p/Main")
    main.method("static m ()V", ["aconst_null", access, "pop2" if access.endswith("J") else "pop", "return"])
    results = analyse("pointsto", project(*hierarchy(), main))
    assert [field for _, field in results.rows("linking.ExactField")] == ([wanted] if wanted else [])
    unknown = [row[1] for row in results.rows("linking.UnknownExactField")]
    owner, name, type_ = access.split()[1:]
    spoken = {"I": "int", "J": "long"}[type_]
    assert unknown == ([] if wanted else [f"<{owner.replace('/', '.')}: {spoken} {name}>"])


def test_objects_flow_through_fields_calls_casts_and_handlers() -> None:
    box = ClassFile("p/Box")
    box.field("content Ljava/lang/Object;")
    box.method("<init> (Ljava/lang/Object;)V", [
        "aload_0", "invokespecial java/lang/Object <init> ()V", "aload_0", "aload_1",
        "putfield p/Box content Ljava/lang/Object;", "return",
    ])  # fmt: skip
    box.method("get ()Ljava/lang/Object;", ["aload_0", "getfield p/Box content Ljava/lang/Object;", "areturn"])
    oops = ClassFile("p/Oops", "java/lang/RuntimeException")
    oops.method("<init> ()V", ["aload_0", "invokespecial java/lang/RuntimeException <init> ()V", "return"])
    main = ClassFile("p/Main")
    main.method("static main ([Ljava/lang/String;)V", [
        "new p/Box", "dup", "new p/Main", "dup", "invokespecial p/Main <init> ()V",
        "invokespecial p/Box <init> (Ljava/lang/Object;)V", "astore_1",
        "aload_1", "invokevirtual p/Box get ()Ljava/lang/Object;", "checkcast p/Main", "astore_2",
        "aload_1", "invokevirtual p/Box get ()Ljava/lang/Object;", "checkcast p/Box", "astore_3",
        "try:", "invokestatic p/Main fail ()V", "end:", "return", "caught:", "astore 4", "return",
    ], [("try", "end", "caught", "p/Oops")])  # fmt: skip
    main.method("static fail ()V", ["new p/Oops", "dup", "invokespecial p/Oops <init> ()V", "athrow"])
    main.method("<init> ()V", ["aload_0", "invokespecial java/lang/Object <init> ()V", "return"])
    results = analyse("pointsto", project(box, oops, main))
    points: dict[str, set[str]] = {}
    for heap, var in results.rows("VarPointsTo"):
        points.setdefault(var.rpartition("/")[2] if "Main.main" in var else var, set()).add(heap.rpartition("/")[2])
    assert points["l1"] == {"new Box#1"} and points["l2"] == {"new Main#1"} and points["l4"] == {"new Oops#1"}
    assert "l3" not in points  # the cast fails
    assert points["p.Box.<init>(java.lang.Object)/@this"] == {"new Box#1"}


@pytest.mark.parametrize("known", [True, False], ids=["of the project", "unknown"])
def test_calls_reach_lambdas(known: bool) -> None:
    """Whether or not anything is known of the interface."""
    f = ClassFile("p/F", flags="public interface abstract")
    f.method("public abstract apply (Ljava/lang/Object;)Ljava/lang/Object;")
    main = ClassFile("p/Main")
    erased = main.method_type("(Ljava/lang/Object;)Ljava/lang/Object;")
    body = main.handle(6, "p/Main", "body", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;")
    index = main.dynamic("apply", "(Ljava/lang/Object;)Lp/F;", main.handle(6, *METAFACTORY), erased, body, erased)
    assert index < 256
    main.method("static main ([Ljava/lang/String;)V", [
        "new p/A", "dup", "invokespecial p/A <init> ()V", "invokedynamic 0",
        "new p/B", "dup", "invokespecial p/B <init> ()V",
        "invokeinterface p/F apply (Ljava/lang/Object;)Ljava/lang/Object;", "astore_1", "return",
    ])  # fmt: skip
    main.method("static body (Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;", ["aload_0", "areturn"])
    main.methods = [each.replace(b"\xba\x00\x00\x00", bytes([0xBA, 0, index, 0])) for each in main.methods]
    classes = [f, main] if known else [main]
    for name in ("p/A", "p/B"):
        c = ClassFile(name)
        c.method("<init> ()V", ["aload_0", "invokespecial java/lang/Object <init> ()V", "return"])
        classes.append(c)
    results = analyse("pointsto", project(*classes))
    found = {
        var: heap
        for heap, var in results.rows("VarPointsTo")
        if ("body" in var or var.endswith("/l1")) and not heap.startswith("opaque ")
    }
    main_id = "p.Main.main(java.lang.String[])"
    assert found == {
        "p.Main.body(java.lang.Object,java.lang.Object)/l0": f"{main_id}/new A#1",
        "p.Main.body(java.lang.Object,java.lang.Object)/l1": f"{main_id}/new B#1",
        f"{main_id}/l1": f"{main_id}/new A#1",
    }


def test_annotations_say_what_frameworks_call() -> None:
    tests = ClassFile("p/Tests")
    tests.method("public <init> ()V", ["aload_0", "invokespecial java/lang/Object <init> ()V", "return"])
    tests.method("public check ()V", BODY, own=[tests.annotated("org/junit/Test")])
    tests.method("public other ()V", BODY)
    found = analyse("pointsto", project(tests), "tests")
    entries = {found.names[method] for (method,) in found.rows("EntryPoint")}
    assert "<p.Tests: void check()>" in entries and "<p.Tests: void other()>" not in entries


ODD = ["<", ">", ",", "{", "}", "(", ")", ":", "#", "%", "|", "\x01", '"', "-"]


def test_names_that_java_does_not_have() -> None:
    """The virtual machine allows nearly all characters in the names of classes, and most in those of members."""
    classes, code = [], []
    for local, odd in enumerate(ODD):
        box, kept = f"{odd}p/Bo{odd}x$In{odd}ner", f"ke{odd}pt"
        made = "made" if odd in "<>" else f"ma{odd}de"
        c = ClassFile(box)
        c.field(f"{kept} Ljava/lang/Object;")
        c.method("<init> ()V", ["aload_0", "invokespecial java/lang/Object <init> ()V", "return"])
        c.method(f"{made} ()L{box};", [
            "aload_0", "aload_0", f"putfield {box} {kept} Ljava/lang/Object;",
            "aload_0", f"getfield {box} {kept} Ljava/lang/Object;", f"checkcast {box}", "areturn",
        ])  # fmt: skip
        classes.append(c)
        code += [f"new {box}", "dup", f"invokespecial {box} <init> ()V", f"invokevirtual {box} {made} ()L{box};"]
        code.append(f"astore {local + 1}")
    main = ClassFile("p/Main")
    main.method("static main ([Ljava/lang/String;)V", [*code, "return"], locals=20)
    results = analyse("pointsto", project(*classes, main))
    held = [(var, heap) for heap, var in results.rows("VarPointsTo") if "Main.main" in var and "/l" in var]
    held = [(var, heap) for var, heap in held if not var.endswith("/l0")]
    assert sorted(int(var.rpartition("/l")[2]) for var, _ in held) == list(range(1, len(ODD) + 1))
    assert len({heap for _, heap in held}) == len(ODD)
