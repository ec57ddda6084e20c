"""Code of class files in three-address form."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ladder.frontends.bytecode import webs
from ladder.frontends.bytecode.facts import facts_of
from tests.bytecode.assembler import ClassFile, u2
from tests.bytecode.samples import ALT_METAFACTORY, METAFACTORY
from tests.bytecode.shown import code
from tests.work import lines_in

CASES: dict[str, tuple[str, list[str], str]] = {
    "what changes on the stack is copied first": (
        "static f (I)I",
        ["iload_0", "iinc 0 1", "ireturn"],
        "$1 = l0; l0 = l0 + 1; return $1",
    ),
    "a slot with one variable after another": (
        "static f (I)I",
        ["iload_0", "istore_1", "iload_1", "pop", "aconst_null", "astore_1", "aload_1", "pop", "iconst_2", "ireturn"],
        "l1 = l0; l1#2 = null; $1 = 2; return $1",
    ),
    "values that meet": (
        "static f (Z)I",
        ["iload_0", "ifeq a", "iconst_1", "goto b", "a:", "iconst_2", "b:", "iconst_3", "iadd", "ireturn"],
        "if l0 == 0 goto L8 else L4; L4:; $1 = 1; goto L9; L8:; $1 = 2; L9:; $2 = $1 + 3; return $2",
    ),
    "an object and its constructor with a choice between": (
        "static f (Z)LA;",
        ["new A", "dup", "iload_0", "ifeq a", "iconst_1", "goto b", "a:", "iconst_2", "b:",
         "invokespecial A <init> (I)V", "areturn"],
        "if l0 == 0 goto L12 else L8; L8:; $2 = 1; goto L13; L12:; $2 = 2; L13:; $1 = new A($2); return $1",
    ),
    "an object in a local variable before its constructor": (
        "static f ()LA;",
        ["new A", "astore_1", "aload_1", "iconst_1", "invokespecial A <init> (I)V", "aload_1", "areturn"],
        "$2 = 1; $1 = new A($2); l1 = $1; return l1",
    ),
    "comparisons that are false for NaN": (
        "static f (DD)I",
        ["dload_0", "dload_2", "dcmpl", "ifle a", "iconst_1", "ireturn", "a:", "iconst_0", "ireturn"],
        "if l0 > l2 goto L6 else L8; L6:; $1 = 1; return $1; L8:; $2 = 0; return $2",
    ),
    "comparisons that are true for NaN": (
        "static f (DD)I",
        ["dload_0", "dload_2", "dcmpl", "iflt a", "iconst_1", "ireturn", "a:", "iconst_0", "ireturn"],
        "if l0 >= l2 goto L6 else L8; L6:; $1 = 1; return $1; L8:; $2 = 0; return $2",
    ),
    "a comparison by itself": (
        "static f (JJ)I",
        ["lload_0", "lload_2", "lcmp", "ireturn"],
        (
            "if l0 > l2 goto C1 else C2; C2:; if l0 == l2 goto C3 else C4; C1:; $1 = 1; goto C5; C3:; $1 = 0; goto C5; "
            "C4:; $1 = -1; goto C5; C5:; return $1"
        ),
    ),
    "subroutines": (
        "static f ()V",
        ["jsr s", "jsr s", "return", "s:", "astore_1", "iconst_1", "istore_2", "ret 1"],
        "goto L7; L3:; goto L7; L6:; return; L7:; l2 = 1; goto any of L3, L6",
    ),
    "wide": (
        "static f ()I",
        ["wide iinc 0 300", "wide iload 0", "ireturn"],
        "l0 = l0 + 300; return l0",
    ),
    "switches": (
        "static f (I)I",
        ["iload_0", "lookupswitch -1=a 9=b d", "a:", "iconst_1", "ireturn", "b:", "iconst_2", "ireturn", "d:",
         "iload_0", "ireturn"],
        (
            "switch l0 {number -1: L28, number 9: L30} else L32; L28:; $1 = 1; return $1; L30:; $2 = 2; return $2; "
            "L32:; return l0"
        ),
    ),
    "an empty loop": ("static f ()V", ["a:", "goto a"], "L0:; nop; goto L0"),
    "arrays of arrays": (
        "static f (I)[[I",
        ["iload_0", "iconst_3", "multianewarray [[I 2", "areturn"],
        "$1 = new int[][] [l0]; $2 = new int[] [3]; $1[?] = $2; return $1",
    ),
    "stack gymnastics": (
        "static f (IJ)J",
        ["iload_0", "lload_1", "dup2_x1", "pop2", "pop", "lreturn"],
        "return l1",
    ),
    "an array's length and elements": (
        "static f ([B)I",
        ["aload_0", "iconst_0", "baload", "aload_0", "arraylength", "iadd", "i2b", "ireturn"],
        "$1 = l0[0]; $2 = l0.length; $3 = $1 + $2; $4 = (byte) $3; return $4",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_code(name: str) -> None:
    declaration, lines, wanted = CASES[name]
    c = ClassFile("A")
    c.method(declaration, lines)
    parameters = {"(I)": "int", "(Z)": "boolean", "(DD)": "double,double", "(JJ)": "long,long", "(IJ)": "int,long",
                  "([B)": "byte[]", "()": ""}  # fmt: skip
    head = declaration.split()[2]
    assert "; ".join(code(c.bytes(), f"f({parameters[head[: head.index(')') + 1]]})")) == wanted


def test_members_are_named_absolutely() -> None:
    c = ClassFile("A", "B")
    c.method(
        "<init> ()V", ["aload_0", "invokespecial B <init> ()V", "aload_0", "aconst_null", "putfield C f LD;", "return"]
    )
    c.method(
        "m ([I)V",
        ["aload_0", "aload_1", "iconst_0", "iaload", "invokevirtual A n (I)J", "pop2", "aload_0",
         "invokespecial B m ()V", "aload_1", "invokevirtual [I clone ()Ljava/lang/Object;", "checkcast [I", "pop",
         "getstatic A s I", "pop", "return"],
    )  # fmt: skip
    rows = facts_of(c.bytes()).relations
    assert rows["ExactInvocation"] == [
        ("A.<init>()/call <init>#1", "A/name B", "<init>()", "void"),
        ("A.m(int[])/call clone#1", "A/name int[]", "clone()", "A/name java.lang.Object"),
        ("A.m(int[])/call m#1", "A/name B", "m()", "void"),
        ("A.m(int[])/call n#1", "A/name A", "n(int)", "long"),
    ]
    kinds = {row[0]: row[1] for row in rows["Invocation"]}
    assert list(kinds.values()).count("exact") == 2 and kinds["A.m(int[])/call m#1"] == "super"
    assert kinds["A.<init>()/call <init>#1"] == "super-constructor"
    assert rows["ExactMember"] == [
        ("A.<init>()/store#1", "A/name C", "f", "A/name D"),
        ("A.m(int[])/load#2", "A/name A", "s", "int"),
    ]
    assert ("A/name B", "B") in rows["BinaryTypeUse"] and ("A/name int[]", "int") in rows["ArrayTypeUse"]


def test_handlers_are_tried_in_order() -> None:
    c = ClassFile("A")
    c.method(
        "static f ()V",
        ["a:", "invokestatic A g ()V", "b:", "return", "one:", "pop", "return", "two:", "athrow"],
        [("a", "b", "one", "X"), ("a", "b", "one", "Y"), ("a", "b", "two", ""), ("a", "b", "one", "Z")],
    )
    rows = facts_of(c.bytes()).relations
    assert rows["ExceptionEdge"] == [("A.f()/call g#1", "A.f()/catch#1", 0), ("A.f()/call g#1", "A.f()/catch#2", 1)]
    assert rows["ExceptionHandler_Type"] == [
        ("A.f()/catch#1", "A/name X"),
        ("A.f()/catch#1", "A/name Y"),
        ("A.f()/catch#2", "A/name java.lang.Throwable"),
    ]


def test_names_of_the_local_variable_table() -> None:
    c = ClassFile("A")
    entries = [(0, 4, "count", "I", 0), (2, 4, "copy", "I", 1), (5, 7, "text", "I", 1)]
    table = b"".join(
        u2(start) + u2(end - start) + u2(c.text(name)) + u2(c.text(type_)) + u2(slot)
        for start, end, name, type_, slot in entries
    )
    lines = ["iload_0", "istore_1", "iload_1", "pop", "iload_0", "istore_1", "iload_1", "ireturn"]
    c.method("static f (I)I", lines, attributes=[c.attribute("LocalVariableTable", u2(3) + table)])
    assert code(c.bytes(), "f(int)") == ["copy = count", "text = count", "return text"]


def test_methods_that_differ_in_their_results_have_different_ids() -> None:
    c = ClassFile("A")
    c.method("bridge synthetic get ()Ljava/lang/Object;", ["aconst_null", "areturn"])
    c.method("get ()LA;", ["aload_0", "areturn"])
    rows = facts_of(c.bytes()).relations["Method"]
    assert {(row[0], row[4]) for row in rows} == {
        ("A.get()", "A/name A"),
        ("A.get()java.lang.Object", "A/name java.lang.Object"),
    }


def test_defaults_of_annotations_are_those_of_source() -> None:
    """@interface A { Class<?> by() default C.class; int[] n() default {1, 2}; @B B b() default @B; }"""
    a = ClassFile("p/A", flags="public interface abstract annotation", interfaces=["java/lang/annotation/Annotation"])
    for declaration, value in (
        ("by ()Ljava/lang/Class;", a.value("c", "Lp/C;")),
        ("n ()[I", a.value("[", [a.value("I", 1), a.value("I", 2)])),
        ("b ()Lp/B;", a.value("@", a.annotation("p/B"))),
    ):
        a.method(f"public abstract {declaration}", own=[a.attribute("AnnotationDefault", value)])
    facts = facts_of(a.bytes())
    assert not facts.diagnostics
    assert set(facts.relations["AnnotationElement"]) == {
        ("p.A", "by", -1, "class", "p.A/name p.C"),
        ("p.A", "n", 0, "int", "1"),
        ("p.A", "n", 1, "int", "2"),
        ("p.A", "b", -1, "expression", ""),
    }


def test_annotations_are_those_of_source() -> None:
    """@A(n=7, s="x", c=q.C.class, e=E.X, b=@B, bs={@B, @B}) class p.C { @B int y; @B void f(int, @A int) }, where the
    compiler has put a parameter before those of which it keeps annotations."""
    c = ClassFile("p/C")
    b = c.annotation("p/B")
    many = c.value("[", [c.value("@", b), c.value("@", b)])
    enum = b"e" + u2(c.text("Lp/E;")) + u2(c.text("X"))
    whole = c.annotation(
        "p/A", n=c.value("I", 7), s=c.value("s", "x"), c=c.value("c", "Lq/C;"), e=enum, b=c.value("@", b), bs=many
    )
    c.attributes.append(c.attribute("RuntimeVisibleAnnotations", u2(1) + whole))
    c.field("y I", c.annotated("p/B"))
    parameters = b"\x02" + u2(0) + u2(1) + c.annotation("p/A")
    c.method(
        "f (III)V",
        ["return"],
        own=[c.annotated("p/B"), c.attribute("RuntimeInvisibleParameterAnnotations", parameters)],
    )
    facts = facts_of(c.bytes())
    assert not facts.diagnostics
    assert set(facts.relations["Annotation"]) == {
        ("p.C/@A#1", "p.C", "p.C/name p.A"),
        ("p.C/@A#1/@B#1", "p.C/@A#1", "p.C/name p.B"),
        ("p.C/@A#1/@B#2", "p.C/@A#1", "p.C/name p.B"),
        ("p.C/@A#1/@B#3", "p.C/@A#1", "p.C/name p.B"),
        ("p.C.y:field/@B#1", "p.C.y:field", "p.C/name p.B"),
        ("p.C.f(int,int,int)/@B#1", "p.C.f(int,int,int)", "p.C/name p.B"),
        ("p.C.f(int,int,int)/l3/@A#1", "p.C.f(int,int,int)/l3", "p.C/name p.A"),
    }
    assert set(facts.relations["AnnotationElement"]) == {
        ("p.C/@A#1", "n", -1, "int", "7"),
        ("p.C/@A#1", "s", -1, "java.lang.String", '"x"'),
        ("p.C/@A#1", "c", -1, "class", "p.C/name q.C"),
        ("p.C/@A#1", "e", -1, "name", "E.X"),
        ("p.C/@A#1", "b", -1, "annotation", "p.C/@A#1/@B#1"),
        ("p.C/@A#1", "bs", 0, "annotation", "p.C/@A#1/@B#2"),
        ("p.C/@A#1", "bs", 1, "annotation", "p.C/@A#1/@B#3"),
    }


def test_constants_of_fields_are_assigned_by_the_class_initialiser() -> None:
    c = ClassFile("A")
    c.field("static final TEXT Ljava/lang/String;", c.attribute("ConstantValue", u2(c.string('x"y'))))
    assert code(c.bytes(), "<clinit>()") == ['$1 = "x\\"y"', "<A.TEXT:field> = $1", "return"]


# ---- dynamic calls


@pytest.mark.parametrize(
    "kind, member, wanted",
    [
        (6, ("A", "lambda$0", "(LA;LB;)LC;"), ["$1 = exact lambda$0(captured0, p0)", "return $1"]),
        (5, ("A", "m", "(LB;)LC;"), ["$1 = exact captured0.m(p0)", "return $1"]),
        (9, ("I", "m", "(LB;)LC;"), ["$1 = exact captured0.m(p0)", "return $1"]),
        (7, ("A", "m", "(LB;)LC;"), ["$1 = super captured0.m(p0)", "return $1"]),
        (8, ("C", "<init>", "(LA;LB;)V"), ["$1 = new C(captured0, p0)", "return $1"]),
    ],
)
def test_lambdas_call_what_their_handle_names(kind: int, member: tuple[str, str, str], wanted: list[str]) -> None:
    c = ClassFile("A")
    erased, typed = c.method_type("(Ljava/lang/Object;)Ljava/lang/Object;"), c.method_type("(LB;)LC;")
    index = c.dynamic("apply", "(LA;)LF;", c.handle(6, *METAFACTORY), erased, c.handle(kind, *member), typed)
    c.method("static f (LA;)LF;", ["aload_0", f"invokedynamic {index & 255}", "areturn"])
    data = c.bytes().replace(bytes([186, index & 255, 0, 0]), bytes([186, 0, index, 0]))  # the index has two bytes
    c.method("unused ()V")
    assert code(data, "f(A)/lambda#1") == wanted


@pytest.mark.parametrize(
    "flags, further, wanted",
    [
        (0, (), []),
        (1, (), ["java.io.Serializable"]),
        (2, (2, "p/M", "p/N"), ["p.M", "p.N"]),
        (7, (1, "p/M"), ["java.io.Serializable", "p.M"]),
        (3, (9, "p/M"), ["java.io.Serializable", "p.M"]),
        (2, ("p/M",), []),
        ("p/M", (), []),
    ],
)
def test_lambdas_have_the_interfaces_of_an_intersection(
    flags: int | str, further: tuple[int | str, ...], wanted: list[str]
) -> None:
    """`(Runnable & Serializable) () -> …`; what is malformed names none."""
    c = ClassFile("A")
    typed, body = c.method_type("()V"), c.handle(6, "A", "body", "()V")
    others = [c.number(value) if isinstance(value, int) else c.type(value) for value in (flags, *further)]
    index = c.dynamic("run", "()Ljava/lang/Runnable;", c.handle(6, *ALT_METAFACTORY), typed, body, typed, *others)
    c.method("static f ()Ljava/lang/Runnable;", b"\xba" + u2(index) + b"\0\0\xb0")
    rows = facts_of(c.bytes()).relations
    types = dict(rows["BinaryTypeUse"])
    assert {types[use] for _, _, use, _ in rows["FunctionalTarget"]} == {"java.lang.Runnable", *wanted}


def test_an_unknown_bootstrap_method_gets_the_arguments() -> None:
    c = ClassFile("A")
    index = c.dynamic("make", "(LA;)LF;", c.handle(6, "A", "boot", "()V"))
    c.method("static f (LA;)LF;", b"\x2a\xba" + u2(index) + b"\0\0\xb0")
    rows = facts_of(c.bytes()).relations
    assert [row[1:4] for row in rows["Invocation"]] == [("dynamic", "make", 1)]
    assert rows["ExactInvocation"][0][2] == "make(A)"


# ---- work


@pytest.mark.parametrize(
    "code_of",
    [
        lambda n: ["iload 9"] * n + ["pop"] * n,
        lambda n: ["iload 9", "istore 9"] * n,
        lambda n: [line for i in range(n) for line in ("iload_0", f"ifeq l{i}", f"l{i}:")],
        lambda n: ["iload_0"] * 200 + [line for i in range(n) for line in ("iload_0", f"ifeq l{i}", f"l{i}:")],
        lambda n: ["iload_0"] * 200 + [line for i in range(n) for line in ("iinc 0 1", "iload_0", "pop")],
        lambda n: [line for i in range(n) for line in (f"wide istore {i}" if i % 2 else "iconst_0", "nop")],
        lambda n: ["a:", *(line for i in range(n) for line in ("iload_0", "ifeq a", f"wide iload {i}", "pop"))],
    ],
    ids=range(7),
)
def test_work_is_in_proportion_to_the_code(code_of: Callable[[int], list[str]]) -> None:
    def work(size: int) -> int:
        c = ClassFile("A")
        c.method("static f (I)V", [*code_of(size), "return"], locals=2500, stack=2500)
        data = c.bytes()
        return lines_in(lambda: facts_of(data))

    # Four times the code may take four times the work; a quadratic step would take sixteen times.
    assert work(2000) < 6 * work(500)


def test_where_webs_would_take_too_long_each_slot_is_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    _, lines, separate = CASES["a slot with one variable after another"]
    c = ClassFile("A")
    c.method("static f (I)I", lines)
    monkeypatch.setattr(webs, "STEPS_AT_FIRST", 0)
    monkeypatch.setattr(webs, "STEPS_PER_INSTRUCTION", 0)
    assert "; ".join(code(c.bytes(), "f(int)")) == separate.replace("l1#2", "l1")
