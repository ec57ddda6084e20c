"""Class files and archives that several tests use."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from tests.bytecode.assembler import ClassFile, u2

METAFACTORY = (
    "java/lang/invoke/LambdaMetafactory",
    "metafactory",
    (
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
        "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)"
        "Ljava/lang/invoke/CallSite;"
    ),
)
ALT_METAFACTORY = (
    "java/lang/invoke/LambdaMetafactory",
    "altMetafactory",
    (
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)"
        "Ljava/lang/invoke/CallSite;"
    ),
)


def example() -> ClassFile:
    """A class with something of everything."""
    c = ClassFile("shop/A$B", "shop/Base", interfaces=["java/lang/Runnable"])
    c.field("static final LIMIT I", c.attribute("ConstantValue", u2(c.number(7))))
    c.field("private name Ljava/lang/String;", c.attribute("Signature", u2(c.text("TT;"))))
    lines = c.attribute("LineNumberTable", u2(1) + u2(0) + u2(12))
    variables = c.attribute("LocalVariableTable", u2(1) + u2(0) + u2(2) + u2(c.text("it")) + u2(c.text("I")) + u2(1))
    c.method("public f (I)I", ["iload_1", "ireturn"], attributes=[lines, variables])
    c.method(
        "static g ([J)V",
        ["start:", "aload_0", "iconst_0", "laload", "pop2", "end:", "return", "handler:", "athrow"],
        [("start", "end", "handler", "java/lang/RuntimeException"), ("start", "end", "handler", "")],
    )
    c.attributes += [
        c.attribute("SourceFile", u2(c.text("A.java"))),
        c.attribute(
            "InnerClasses", u2(1) + u2(c.type("shop/A$B")) + u2(c.type("shop/A")) + u2(c.text("B")) + u2(0x0009)
        ),
        c.attribute("NestHost", u2(c.type("shop/A"))),
        c.attribute("Unknown", b"whatever"),
    ]
    return c


def calling(name: str, *callees: str) -> bytes:
    """A class with a method that calls others."""
    c = ClassFile(name)
    c.method("static f ()V", [*(f"invokestatic {name} {callee} ()V" for callee in callees), "return"])
    return c.bytes()


def image(entries: Mapping[str, bytes], order: str = "<", compressed: int = 0) -> bytes:
    """A runtime image with entries `module/package/Name.class`."""
    strings = bytearray(b"\0")
    known = {"": 0}

    def text(value: str) -> int:
        if value not in known:
            known[value] = len(strings)
            strings.extend(value.encode() + b"\0")
        return known[value]

    locations, offsets, content = bytearray(b"\0"), [], bytearray()
    for name, data in entries.items():
        module, _, rest = name.partition("/")
        parent, _, file = rest.rpartition("/")
        base, _, extension = file.rpartition(".")
        offsets.append(len(locations))
        values = [text(module), text(parent), text(base), text(extension), len(content), compressed, len(data)]
        for kind, value in enumerate(values, 1):
            if value:
                locations += bytes([kind << 3 | 3]) + struct.pack(">I", value)
        locations.append(0)
        content += data
    head = [0xCAFEDADA, 1 << 16, 0, len(entries), len(entries), len(locations), len(strings)]
    tables = struct.pack(f"{order}{len(entries)}i", *[0] * len(entries)) + struct.pack(
        f"{order}{len(offsets)}I", *offsets
    )
    return struct.pack(f"{order}7I", *head) + tables + locations + strings + content
