"""The values of Java literals from their source text (JLS 3.10), with unicode escapes already translated."""

from __future__ import annotations

import re
import struct


def literal_value(kind: str, text: str) -> int | float | str | bool | None:
    """The Python value of a literal of the kinds of `ladder.frontends.java.tree.Literal`.

    int and long: hexadecimal, octal and binary ones wrap to two's complement as in Java (`0xFFFFFFFF` is -1); a decimal
    2147483648 stays as it is, for the minus before it. float is rounded to single precision. char gives a string of one
    UTF-16 unit, string and text blocks the string they denote.
    """
    return _READERS[kind](text)


def _int(text: str) -> int:
    return _integer(text, 32)


def _long(text: str) -> int:
    return _integer(text[:-1], 64)


def _integer(text: str, bits: int) -> int:
    digits = text.replace("_", "")
    prefix = digits[:2].lower()
    if prefix == "0x":
        value = int(digits[2:], 16)
    elif prefix == "0b":
        value = int(digits[2:], 2)
    elif len(digits) > 1 and digits[0] == "0":
        value = int(digits, 8)
    else:
        return int(digits)
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _double(text: str) -> float:
    digits = text.replace("_", "")
    if digits[:2].lower() == "0x":
        return float.fromhex(digits.rstrip("dDfF") if "p" not in digits.lower() else re.sub("[dDfF]$", "", digits))
    return float(digits.rstrip("dDfF"))


def _float(text: str) -> float:
    value = _double(text)
    try:
        single: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return float("inf")
    return single


def _quoted(text: str) -> str:
    return _unescape(text[1:-1])


def _text_block(text: str) -> str:
    lines = re.split(r"\r\n|\r|\n", text[3:-3])[1:]
    last = len(lines) - 1
    indents = [len(line) - len(line.lstrip()) for i, line in enumerate(lines) if line.strip() or i == last]
    indent = min(indents, default=0)
    stripped = [line[indent:].rstrip(" \t\f") if line.strip() else "" for line in lines]
    return _unescape("\n".join(stripped))


_ESCAPE = re.compile(r"\\(?:([0-3]?[0-7]{1,2}|[0-7])|(\r\n|.|\n|\r))", re.DOTALL)
_ESCAPED = {"b": "\b", "s": " ", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "\n": "", "\r": "", "\r\n": ""}


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda m: chr(int(m[1], 8)) if m[1] else _ESCAPED.get(m[2], m[2]), text)


_READERS = {
    "int": _int,
    "long": _long,
    "float": _float,
    "double": _double,
    "char": _quoted,
    "string": _quoted,
    "text": _text_block,
    "boolean": lambda text: text == "true",
    "null": lambda text: None,
}
