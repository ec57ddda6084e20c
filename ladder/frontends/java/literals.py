"""The values of Java literals from their source text (JLS 3.10), with unicode escapes already translated."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable


def literal_value(kind: str, text: str) -> int | float | str | bool | None:
    """Return the Python value of a literal of one of the kinds of `ladder.frontends.java.tree.Literal`.

    int and long: hexadecimal, octal and binary literals wrap to two's complement as in Java (`0xFFFFFFFF` is -1); a
    decimal 2147483648 stays as it is, since a minus may stand before it. float is rounded to single precision. char
    gives a string of one UTF-16 unit, a string or text block the string that it denotes; an escaped surrogate without
    its partner stays a lone surrogate, which cannot be encoded as UTF-8.
    """
    if "\\u" in text:
        text = translate_unicode_escapes(text)[0]
    return _READERS[kind](text)


def translate_unicode_escapes(raw: str) -> tuple[str, list[int], list[int]]:
    """Return `raw` with `\\uXXXX` translated (JLS 3.3), and a map from offsets of the result to offsets in `raw`.

    The map is two parallel lists: from the offset `after[i]` of the result on, up to `after[i + 1]`, the offset in
    `raw` is larger by `shift[i]`. Two escapes that form a surrogate pair become one character. Malformed escapes stay
    as they are.
    """
    pieces: list[str] = []
    after: list[int] = []
    shift: list[int] = []
    done = length = 0
    for match in _UNICODE_ESCAPE.finditer(raw):
        if match.lastindex is None:
            continue
        code = int(match[3], 16) if match.lastindex == 3 else _code_point(match[1], match[2])
        pieces += (raw[done : match.start()], chr(code))
        length += match.start() - done + 1
        done = match.end()
        after.append(length)
        shift.append(done - length)
    pieces.append(raw[done:])
    return "".join(pieces), after, shift


def _code_point(high: str, low: str) -> int:
    return 0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF)


_UNICODE_ESCAPE = re.compile(
    r"\\\\|\\u+([dD][89abAB][0-9a-fA-F]{2})\\u+([dD][c-fC-F][0-9a-fA-F]{2})|\\u+([0-9a-fA-F]{4})"
)


def _int(text: str) -> int:
    return _integer(text, 32)


def _long(text: str) -> int:
    return _integer(text[:-1], 64)


def _integer(text: str, bits: int) -> int:
    digits = text.replace("_", "")
    prefix = digits[:2].lower()
    if prefix == "0x":
        value = int(digits, 16)
    elif prefix == "0b":
        value = int(digits, 2)
    elif len(digits) > 1 and digits[0] == "0":
        value = int(digits, 8)
    else:
        return int(digits)
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _double(text: str) -> float:
    digits = text.replace("_", "")
    if digits[:2].lower() == "0x":
        return float.fromhex(re.sub("[dDfF]$", "", digits))
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


_ESCAPE = re.compile(r"\\(?:([0-3]?[0-7]{1,2})|(\r\n|.))", re.DOTALL)
_ESCAPED = {"b": "\b", "s": " ", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "\n": "", "\r": "", "\r\n": ""}


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda m: chr(int(m[1], 8)) if m[1] else _ESCAPED.get(m[2], m[2]), text)


_READERS: dict[str, Callable[[str], int | float | str | bool | None]] = {
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
