"""What is wrong with a class file is said with its place, and ends nothing else."""

from __future__ import annotations

import struct

import pytest

from ladder.frontends.bytecode.classfile import Problem, read_class
from ladder.frontends.bytecode.errors import Malformed
from ladder.frontends.bytecode.facts import facts_of
from ladder.frontends.bytecode.pool import decoded
from tests.bytecode.assembler import ClassFile, u2, u4
from tests.bytecode.samples import example
from tests.java_lowering.integrity import problems


def test_everything_is_read() -> None:
    found = read_class(example().bytes())
    assert not found.problems
    assert (found.name, found.superclass, found.interfaces) == ("shop.A$B", "shop.Base", ("java.lang.Runnable",))
    assert [(each.name, each.type) for each in found.fields] == [("LIMIT", "int"), ("name", "java.lang.String")]
    assert found.fields[0].value is not None and found.fields[0].value.value == 7
    assert [(each.name, each.parameters, each.result) for each in found.methods] == [
        ("f", ("int",), "int"),
        ("g", ("long[]",), "void"),
    ]
    assert found.source == "A.java" and found.nest_host == "shop.A"
    facts = facts_of(example().bytes())
    assert facts.unit == "shop.A$B" and facts.types == ("shop.A$B",) and not list(problems(facts))
    assert ("shop.A$B.f(int)/return#1", 12, found.methods[0].code.offset + 2) in facts.relations["Position"]  # type: ignore[union-attr]
    assert ("shop.A$B", "shop.A", "B") in facts.relations["MemberType"]


def test_every_beginning_is_refused_with_a_place() -> None:
    data = example().bytes()
    for size in range(len(data)):
        facts = facts_of(data[:size])
        assert facts.parser == "none" and not facts.relations and facts.diagnostics
        line, column, kind, message = facts.diagnostics[-1]
        assert (line, kind) == (1, "class file") and 1 <= column <= size + 1 and message[0].isupper(), facts.diagnostics


@pytest.mark.slow
def test_every_changed_byte_ends_in_facts_that_hold_together_or_in_a_diagnostic() -> None:
    data = bytearray(example().bytes())
    for place in range(len(data)):
        for value in (0, 1, 0x7F, 0xFF):
            old, data[place] = data[place], value
            facts = facts_of(bytes(data))
            data[place] = old
            assert facts.parser != "none" or facts.diagnostics
            assert not [note for note in facts.diagnostics if note[2] == "lowering"], facts.diagnostics
            assert not next(problems(facts), None) if facts.parser != "none" else True


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "the magic number of a class file needs 4 bytes, and there are 0 left"),
        (b"PK\3\4" + bytes(20), "does not begin with the magic number"),
        (u4(0xCAFEBABE) + u2(0) + u2(70) + u2(1) + bytes(20), "version 70.0; those from 45 to 69 are read"),
        (u4(0xCAFEBABE) + u2(0) + u2(69) + u2(2) + b"\x02", "constant 1 has the unknown kind 2"),
        (u4(0xCAFEBABE) + u2(0) + u2(69) + u2(2) + b"\x05" + bytes(8), "constant 1 needs two places"),
        (example().bytes() + b"x", "the class is followed by 1 bytes that belong to nothing"),
    ],
)
def test_what_is_no_class_file(data: bytes, message: str) -> None:
    with pytest.raises(Malformed) as error:
        read_class(data)
    assert message in error.value.description


def test_indexes_that_go_round_are_followed_once() -> None:
    """A class whose name is itself, a method handle of a method handle: entries must be of the kinds they need."""
    for entry in (b"\x07" + u2(1), b"\x0c" + u2(1) + u2(1), b"\x0f\x06" + u2(1), b"\x08" + u2(1)):
        body = u2(0x21) + u2(1) + u2(0) + bytes(8)
        with pytest.raises(Malformed) as error:
            read_class(u4(0xCAFEBABE) + u2(0) + u2(52) + u2(2) + entry + body)
        assert "where" in error.value.description and "is needed" in error.value.description


def test_what_is_wrong_with_one_member_leaves_the_others() -> None:
    c = example()
    c.method("static broken ()V", b"\xff")
    c.method("static cut ()V", b"\x11\x00")
    c.method("static empty ()V", ["pop", "return"])
    c.method("nothing ()V")
    c.field("static final odd I", c.attribute("ConstantValue", u2(c.type("x/Y"))))
    c.methods.append(c._member(["static"], "long", "()V", [c.attribute("Code", bytes(8))]))
    facts = facts_of(c.bytes())
    messages = [message for *_, message in facts.diagnostics]
    assert len(messages) == 6
    for text in ("no instruction 255", "ends within an instruction", "no value on the stack", "neither abstract nor"):
        assert any(text in message for message in messages), text
    assert any("neither a number nor a string" in message for message in messages)
    assert any("has 0 bytes" in message for message in messages)
    bodies = {row[0] for row in facts.relations["Method_HasBody"]}
    assert {"shop.A$B.f(int)", "shop.A$B.g(long[])"} < bodies and "shop.A$B.empty()" not in bodies


@pytest.mark.parametrize(
    "lines, message",
    [
        (["iconst_0"], "control runs off the end"),
        (["goto_w away", "return"], ""),
        (["iadd", "return"], "no value on the stack"),
        (["aconst_null", "iconst_1", "iadd", "return"], "a value of category A is on the stack instead of I"),
        (["iload_0", "ifeq x", "iconst_0", "x:", "return"], "the stack differs from what it is elsewhere"),
        (["lconst_0", "pop", "return"], "half a value"),
        (["iload 200", "pop", "return"], "there are 10 locals"),
        (["a:", "iconst_0", "goto a"], "the stack differs"),
        (["ldc 255", "pop", "return"], "constant 255 is nothing"),
        (["ldc2_w 1", "return"], "constant 1 is"),
        (
            ["new java/lang/Object", "invokespecial java/lang/String <init> ()V", "return"],
            "is called on something else",
        ),
        (["iconst_1", "ireturn"], "returns otherwise"),
        (["iconst_1", "newarray 99", "pop", "return"], "no arrays of kind 99"),
        (["invokedynamic 1", "return"], "where a dynamic call is needed"),
        (["ret 1"], "no subroutine to return from"),
        (["iconst_0"] * 11 + ["return"], "more than 10 values on the stack"),
    ],
)
def test_code_that_is_wrong(lines: list[str], message: str) -> None:
    c = ClassFile("A")
    c.method("static f (I)V", lines)
    facts = facts_of(c.bytes())
    if message:
        assert [message in note[3] for note in facts.diagnostics] == [True], facts.diagnostics
        assert "Method_HasBody" not in facts.relations and facts.relations["FormalParam"]
    else:
        assert not facts.diagnostics


def test_a_switch_with_more_cases_than_there_is_room_for() -> None:
    for code in (
        b"\x03\xaa\0\0" + struct.pack(">iii", 0, 0, 2**31 - 1),
        b"\x03\xaa\0\0" + struct.pack(">iii", 0, 5, 1),
        b"\x03\xab\0\0" + struct.pack(">ii", 0, 2**31 - 1),
    ):
        c = ClassFile("A")
        c.method("static f ()V", code + b"\xb1")
        facts = facts_of(c.bytes())
        assert "which the code has no room for" in facts.diagnostics[0][3] or code[1] == 0xAA


@pytest.mark.parametrize(
    "descriptor",
    ["", "I", "(I", "()", "(V)V", "(L;)V", "([" + "[" * 300 + "I)V", "(Lx;", "()VV", "(" + "J" * 200 + ")V"],
)
def test_descriptors_that_are_none(descriptor: str) -> None:
    c = ClassFile("A")
    c.method(f"static abstract f {descriptor or '?'}")
    assert facts_of(c.bytes()).parser == "none"


def test_modified_utf_8() -> None:
    assert decoded(b"\xc0\x80\xed\xa0\xbd\xed\xb8\x80\xe2\x82\xac", 0) == "\0\U0001f600€"
    assert decoded(b"\xed\xa0\xbd", 0) == "\ud83d"  # half a pair
    for wrong in (b"\0\x80", b"\xc0", b"\xf0\x9f\x98\x80", b"\xe2\x28\xa1", b"\x80"):
        with pytest.raises(Malformed):
            decoded(wrong, 5)


def test_annotations_in_one_another() -> None:
    c = ClassFile("A")
    name = u2(c.text("LB;"))
    nested = b"@" + name + u2(0)
    for _ in range(150):
        nested = b"@" + name + u2(1) + name + nested
    c.attributes.append(c.attribute("RuntimeVisibleAnnotations", u2(1) + name + u2(1) + name + nested))
    (problem,) = read_class(c.bytes()).problems
    assert isinstance(problem, Problem) and "more than 100 levels deep" in problem.description


def test_the_place_of_a_problem_is_that_of_its_byte() -> None:
    c = ClassFile("A")
    c.method("static f ()V", ["nop", "nop", "pop", "return"])
    data = c.bytes()
    ((line, column, kind, message),) = facts_of(data).diagnostics
    assert data[column - 1] == 0x57 and (line, kind) == (1, "class file") and message.startswith("A.f(): ")
