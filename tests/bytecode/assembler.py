"""A small assembler of class files, so that tests need no JDK: constants, fields, methods, and code with labels.

C = ClassFile("shop/A")
C.method("static f (I)I", ["iload_0", "ifeq end", "iinc 0 1", "end:", "iload_0", "ireturn"])
C.bytes()
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

FLAGS = {
    "public": 1, "private": 2, "protected": 4, "static": 8, "final": 16, "super": 32, "bridge": 64, "varargs": 128,
    "native": 256, "interface": 512, "abstract": 1024, "synthetic": 4096, "annotation": 8192, "enum": 16384,
}  # fmt: skip


def _words(text: str) -> list[str]:
    return text.split()


_PLAIN = _words(
    "nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1 fconst_0 "
    "fconst_1 fconst_2 dconst_0 dconst_1"
)
_LOCALS = [f"{kind}{what}_{n}" for what in ("load", "store") for kind in "ilfda" for n in range(4)]
_ARITHMETIC = [f"{kind}{what}" for what in ("add", "sub", "mul", "div", "rem", "neg") for kind in "ilfd"]
_BITS = [f"{kind}{what}" for what in ("shl", "shr", "ushr", "and", "or", "xor") for kind in "il"]
_CONVERSIONS = _words("i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg")
_BRANCHES = _words(
    "ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne "
    "goto jsr"
)
OPCODES = {
    **{name: code for code, name in enumerate(_PLAIN)},
    "bipush": 16, "sipush": 17, "ldc": 18, "ldc_w": 19, "ldc2_w": 20,
    **{f"{kind}load": 21 + i for i, kind in enumerate("ilfda")},
    **{name: 26 + i for i, name in enumerate(_LOCALS[:20])},
    **{f"{kind}aload": 46 + i for i, kind in enumerate("ilfdabcs")},
    **{f"{kind}store": 54 + i for i, kind in enumerate("ilfda")},
    **{name: 59 + i for i, name in enumerate(_LOCALS[20:])},
    **{f"{kind}astore": 79 + i for i, kind in enumerate("ilfdabcs")},
    **{name: 87 + i for i, name in enumerate(_words("pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap"))},
    **{name: 96 + i for i, name in enumerate(_ARITHMETIC)},
    **{name: 120 + i for i, name in enumerate(_BITS)},
    "iinc": 132,
    **{name: 133 + i for i, name in enumerate(_CONVERSIONS)},
    **{name: 153 + i for i, name in enumerate(_BRANCHES)},
    "ret": 169, "tableswitch": 170, "lookupswitch": 171,
    **{f"{kind}return": 172 + i for i, kind in enumerate("ilfda")}, "return": 177,
    "getstatic": 178, "putstatic": 179, "getfield": 180, "putfield": 181, "invokevirtual": 182, "invokespecial": 183,
    "invokestatic": 184, "invokeinterface": 185, "invokedynamic": 186, "new": 187, "newarray": 188, "anewarray": 189,
    "arraylength": 190, "athrow": 191, "checkcast": 192, "instanceof": 193, "monitorenter": 194, "monitorexit": 195,
    "wide": 196, "multianewarray": 197, "ifnull": 198, "ifnonnull": 199, "goto_w": 200, "jsr_w": 201,
}  # fmt: skip
_MEMBERS = {name: (9 if "field" in name or "static" in name[:9] and name[:3] != "inv" else 10) for name in OPCODES}
_MEMBERS["invokeinterface"] = 11


def u2(number: int) -> bytes:
    return struct.pack(">H", number)


def u4(number: int) -> bytes:
    return struct.pack(">I", number)


class ClassFile:
    """A class file that is being put together; names are internal ones (`a/b/C`)."""

    def __init__(
        self, name: str, above: str = "java/lang/Object", flags: str = "public super", interfaces: Sequence[str] = (),
        major: int = 69,
    ) -> None:  # fmt: skip
        self.pool: list[bytes] = []
        self.size = 1
        self.known: dict[bytes, int] = {}
        self.major = major
        self.flags = _flags(flags.split())
        self.this, self.above = self.type(name), self.type(above) if above else 0
        self.interfaces = [self.type(each) for each in interfaces]
        self.fields: list[bytes] = []
        self.methods: list[bytes] = []
        self.attributes: list[bytes] = []
        self.bootstraps: list[bytes] = []

    # Constants

    def constant(self, content: bytes, places: int = 1) -> int:
        if content not in self.known:
            self.known[content] = self.size
            self.pool.append(content)
            self.size += places
        return self.known[content]

    def text(self, value: str | bytes) -> int:
        data = value if isinstance(value, bytes) else value.encode()
        return self.constant(b"\x01" + u2(len(data)) + data)

    def type(self, name: str) -> int:
        return self.constant(b"\x07" + u2(self.text(name)))

    def string(self, value: str | bytes) -> int:
        return self.constant(b"\x08" + u2(self.text(value)))

    def number(self, value: int) -> int:
        return self.constant(b"\x03" + struct.pack(">i", value))

    def double(self, value: float) -> int:
        return self.constant(b"\x06" + struct.pack(">d", value), 2)

    def long(self, value: int) -> int:
        return self.constant(b"\x05" + struct.pack(">q", value), 2)

    def named(self, name: str, descriptor: str) -> int:
        return self.constant(b"\x0c" + u2(self.text(name)) + u2(self.text(descriptor)))

    def member(self, tag: int, owner: str, name: str, descriptor: str) -> int:
        return self.constant(bytes([tag]) + u2(self.type(owner)) + u2(self.named(name, descriptor)))

    def handle(self, kind: int, owner: str, name: str, descriptor: str) -> int:
        tag = 9 if kind <= 4 else 11 if kind == 9 else 10
        return self.constant(b"\x0f" + bytes([kind]) + u2(self.member(tag, owner, name, descriptor)))

    def method_type(self, descriptor: str) -> int:
        return self.constant(b"\x10" + u2(self.text(descriptor)))

    def dynamic(self, name: str, descriptor: str, handle: int, *arguments: int) -> int:
        """A dynamic call with a bootstrap method of its own."""
        self.bootstraps.append(u2(handle) + u2(len(arguments)) + b"".join(map(u2, arguments)))
        return self.constant(b"\x12" + u2(len(self.bootstraps) - 1) + u2(self.named(name, descriptor)))

    # Members and attributes

    def attribute(self, name: str, content: bytes) -> bytes:
        return u2(self.text(name)) + u4(len(content)) + content

    def signature(self, text: str) -> bytes:
        """A Signature attribute."""
        return self.attribute("Signature", u2(self.text(text)))

    def throws(self, *types: str) -> bytes:
        """An Exceptions attribute."""
        return self.attribute("Exceptions", u2(len(types)) + b"".join(u2(self.type(each)) for each in types))

    def annotated(self, *types: str) -> bytes:
        """Annotations without elements, given as internal names."""
        content = b"".join(u2(self.text(f"L{each};")) + u2(0) for each in types)
        return self.attribute("RuntimeVisibleAnnotations", u2(len(types)) + content)

    def annotation(self, type_: str, **elements: bytes) -> bytes:
        """An annotation with values of elements, which `value` makes."""
        content = b"".join(u2(self.text(name)) + value for name, value in elements.items())
        return u2(self.text(f"L{type_};")) + u2(len(elements)) + content

    def value(self, kind: str, content: str | int | bytes | Sequence[bytes]) -> bytes:
        """The value of an element: a number, a text, the name of a type (`c`), an annotation, or values (`[`)."""
        if isinstance(content, bytes):
            return b"@" + content
        if isinstance(content, (str, int)):
            index = self.number(content) if isinstance(content, int) else self.text(content)
            return kind.encode() + u2(index)
        return b"[" + u2(len(content)) + b"".join(content)

    def inner(self, *entries: tuple[str, str, str, str]) -> None:
        """The InnerClasses: inner, outer, name and flags of each."""
        content = b"".join(
            u2(self.type(inner)) + u2(self.type(outer) if outer else 0) + u2(self.text(name) if name else 0)
            + u2(_flags(flags.split()))
            for inner, outer, name, flags in entries
        )  # fmt: skip
        self.attributes.append(self.attribute("InnerClasses", u2(len(entries)) + content))

    def constant_value(self, index: int) -> bytes:
        """A ConstantValue attribute."""
        return self.attribute("ConstantValue", u2(index))

    def field(self, declaration: str, *attributes: bytes) -> None:
        """A field: `static final x I`."""
        *flags, name, descriptor = declaration.split()
        self.fields.append(self._member(flags, name, descriptor, attributes))

    def method(
        self,
        declaration: str,
        code: Sequence[str] | bytes | None = None,
        catches: Sequence[tuple[str, str, str, str]] = (),
        locals: int = 10,
        stack: int = 10,
        attributes: Sequence[bytes] = (),
        own: Sequence[bytes] = (),
    ) -> None:
        """A method: `static f (I)I`, with code as lines or bytes; `catches`: (start, end, handler, type or "");
        `attributes` are those of the code, `own` those of the method."""
        *flags, name, descriptor = declaration.split()
        own = list(own)
        if code is not None:
            data, labels = (code, {}) if isinstance(code, bytes) else self.assembled(code)
            table = b"".join(
                u2(labels[start]) + u2(labels[end]) + u2(labels[handler]) + u2(self.type(type_) if type_ else 0)
                for start, end, handler, type_ in catches
            )
            content = u2(stack) + u2(locals) + u4(len(data)) + data + u2(len(catches)) + table
            own.append(self.attribute("Code", content + u2(len(attributes)) + b"".join(attributes)))
        self.methods.append(self._member(flags, name, descriptor, own))

    def _member(self, flags: Sequence[str], name: str, descriptor: str, attributes: Sequence[bytes]) -> bytes:
        head = u2(_flags(flags)) + u2(self.text(name)) + u2(self.text(descriptor))
        return head + u2(len(attributes)) + b"".join(attributes)

    # Code

    def assembled(self, lines: Sequence[str]) -> tuple[bytes, dict[str, int]]:
        """The bytes of code, and the places of its labels."""
        labels: dict[str, int] = {}
        for _ in range(2):  # the first time, to find the labels
            data = bytearray()
            for line in lines:
                if line.endswith(":"):
                    labels[line[:-1]] = len(data)
                else:
                    data += self._instruction(line.split(), len(data), labels)
            labels["end of code"] = len(data)
        return bytes(data), labels

    def _instruction(self, words: list[str], at: int, labels: dict[str, int]) -> bytes:
        name, *operands = words
        opcode = OPCODES[name]
        head = bytes([opcode])
        to = lambda label: labels.get(label, at) - at
        if name == "tableswitch":  # low label … label default
            low, *targets, default = operands
            pad = b"\0" * (-(at + 1) % 4)
            bounds = struct.pack(">iii", to(default), int(low), int(low) + len(targets) - 1)
            return head + pad + bounds + b"".join(struct.pack(">i", to(each)) for each in targets)
        if name == "lookupswitch":  # value=label … default
            *cases, default = operands
            pairs = [case.split("=") for case in cases]
            body = b"".join(struct.pack(">ii", int(value), to(label)) for value, label in pairs)
            return head + b"\0" * (-(at + 1) % 4) + struct.pack(">ii", to(default), len(pairs)) + body
        if name in ("goto_w", "jsr_w"):
            return head + struct.pack(">i", to(operands[0]))
        if 153 <= opcode <= 168 or opcode in (198, 199):
            return head + struct.pack(">h", to(operands[0]))
        if 178 <= opcode <= 185:  # owner name descriptor
            index = u2(self.member(_MEMBERS[name], *operands))
            return head + index + (b"\x01\0" if opcode == 185 else b"")
        if opcode == 186:
            return head + u2(int(operands[0])) + b"\0\0"
        if opcode in (187, 189, 192, 193):
            return head + u2(self.type(operands[0]))
        if opcode == 197:
            return head + u2(self.type(operands[0])) + bytes([int(operands[1])])
        if name == "wide":
            inner, slot, *more = operands
            return head + bytes([OPCODES[inner]]) + u2(int(slot)) + b"".join(struct.pack(">h", int(m)) for m in more)
        if name in ("sipush",):
            return head + struct.pack(">h", int(operands[0]))
        if name in ("ldc_w", "ldc2_w"):
            return head + u2(int(operands[0]))
        return head + b"".join(bytes([int(operand) & 0xFF]) for operand in operands)

    def bytes(self) -> bytes:
        """The class file."""
        attributes = list(self.attributes)
        if self.bootstraps:
            content = u2(len(self.bootstraps)) + b"".join(self.bootstraps)
            attributes.append(self.attribute("BootstrapMethods", content))
        body = u2(self.flags) + u2(self.this) + u2(self.above)
        for parts in ([u2(each) for each in self.interfaces], self.fields, self.methods, attributes):
            body += u2(len(parts)) + b"".join(parts)
        return u4(0xCAFEBABE) + u2(0) + u2(self.major) + u2(self.size) + b"".join(self.pool) + body


def _flags(names: Sequence[str]) -> int:
    return sum(FLAGS[name] for name in names)
