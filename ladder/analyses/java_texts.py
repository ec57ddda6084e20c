"""Texts of programs that name classes, fields and methods: functors of `java/texts.dl` and `java/name_parts.dl`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from zlib import crc32

SPECIFIER = re.compile(r"%(?:(\d+)\$)?([-#+ 0,(<]*+)(\d*+)(\.\d+)?([tT]?[a-zA-Z%])")
ESCAPED_SIGN = re.compile(r"\\([^\w\s])")
ESCAPE = re.compile(r"\\.")
QUALIFIED = re.compile(r"(?<![\w.$/-])[^\W\d]\w*(?:[.$]\w+)+(?![\w$/-]|\.\w)")
ESCAPED = r"\\\\.|\\."  # in a literal
GROUP_SIGN = re.compile(
    rf"{ESCAPED}|\[\^?\]?(?:{ESCAPED}|[^\]\\])*\]|\((?:\?(?:<(?P<name>[a-zA-Z]\w*)>|<?[=!:>]?))?|\)"
)
SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")


def inside(literal: str) -> str:
    """A string constant without its quotes."""
    return literal[1:-1]


def names_inside(literal: str) -> Iterator[str]:
    """The dotted names, and those of member types, in a string constant that is more than a name: in lines of
    configuration, for example."""
    text = ESCAPE.sub(" ", literal[1:-1])
    return (name for name in dict.fromkeys(QUALIFIED.findall(text)) if name != text)


def group_of(pattern: str, group: str) -> Iterator[str]:
    """What a group of a regular expression matches, by its number or its name, both as literals write them."""
    wanted, opened, number = inside(group) if group.startswith('"') else group, list[tuple[bool, int]](), 0
    if wanted == "0":
        yield pattern
    for sign in GROUP_SIGN.finditer(pattern):
        if sign[0].startswith("("):
            captures = sign[0] == "(" or sign["name"] is not None
            number += captures
            opened.append((captures and wanted in (str(number), sign["name"]), sign.end()))
        elif sign[0] == ")" and opened:
            is_wanted, start = opened.pop()
            if is_wanted:
                yield f'"{pattern[start : sign.start()]}"'


def begins(name: str, begin: str) -> int:
    """1 if a name begins like this, 0 otherwise."""
    return int(name.startswith(begin))


def ends(name: str, end: str) -> int:
    """1 if a name ends like this, 0 otherwise."""
    return int(name.endswith(end))


def code(text: str) -> int:
    """A number that equal texts have in common, and few others."""
    return _signed(crc32(_bytes(text)))


def code_backward(text: str) -> int:
    """The same of the text read backward."""
    return code(text[::-1])


def codes_of_beginnings(name: str) -> Iterator[int]:
    """The codes of all beginnings of a name that are not empty."""
    value = 0
    for character in name:
        value = crc32(_bytes(character), value)
        yield _signed(value)


def codes_of_ends(name: str) -> Iterator[int]:
    """The codes, read backward, of all ends of a name that are not empty."""
    return codes_of_beginnings(name[::-1])


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _signed(value: int) -> int:
    """32 bits as a number of the language."""
    return value - (1 << 32) if value >> 31 else value


def of_value(type_: str, value: str) -> str:
    """What a literal of a primitive type is written as in a text; "" if that is not known."""
    if type_ == "char":
        return chr(int(value))
    return value if type_ in ("byte", "short", "int", "long", "boolean", "null") else ""


# ---- changes of texts


def changed(method: str, text: str, first: str, second: str) -> str:
    """What a method of String makes of a text, with its arguments as texts; "" if it throws or that is not known."""
    change = _CHANGES.get(method.partition(": java.lang.String ")[2].removesuffix(">"))
    return "" if change is None else change(text, first, second)


def _substring(text: str, begin: str, end: str) -> str:
    if not begin.isdecimal() or not (end.isdecimal() or end == ""):
        return ""
    return text[int(begin) : int(end) if end else len(text)]


def _replaced_everywhere(text: str, pattern: str, replacement: str) -> str:
    """As `replaceAll` with a pattern that stands for itself, and a replacement without signs of its own."""
    if SPECIAL.search(ESCAPED_SIGN.sub("", pattern)) or re.search(r"[\\$]", ESCAPED_SIGN.sub("", replacement)):
        return ""
    return _replaced(text, ESCAPED_SIGN.sub(r"\1", pattern), ESCAPED_SIGN.sub(r"\1", replacement))


def _replaced(text: str, old: str, new: str) -> str:
    """No text grows by it beyond what a name may have."""
    return text.replace(old, new) if old and len(text) * max(len(new), 1) < 100_000 else ""


_CHANGES: dict[str, Callable[[str, str, str], str]] = {
    "replace(char,char)": _replaced,
    "replace(java.lang.CharSequence,java.lang.CharSequence)": _replaced,
    "replaceAll(java.lang.String,java.lang.String)": _replaced_everywhere,
    "toLowerCase()": lambda text, *_: text.lower(),
    "toUpperCase()": lambda text, *_: text.upper(),
    "toLowerCase(java.util.Locale)": lambda text, *_: text.lower(),
    "toUpperCase(java.util.Locale)": lambda text, *_: text.upper(),
    "substring(int)": _substring,
    "substring(int,int)": _substring,
    "trim()": lambda text, *_: text.strip("".join(map(chr, range(33)))),
    "strip()": lambda text, *_: text.strip(),
    "intern()": lambda text, *_: text,
    "toString()": lambda text, *_: text,
}


# ---- formats


def format_index(method: str) -> int:
    """The argument that is the format; -1: the receiver."""
    return -1 if " formatted(" in method else int("(java.util.Locale," in method)


def format_begin(method: str, format_: str) -> str:
    """The text before the first value in a format of `String.format` or `MessageFormat.format`."""
    return _literals(method, format_)[0]


def format_end(method: str, format_: str) -> str:
    """The text after the last value in a format."""
    return _literals(method, format_)[-1]


def format_first(method: str, format_: str) -> int:
    """The argument, counted from 0 after the format, with which a text begins as it is; -1: with no argument."""
    return _argument(method, format_, 0)


def format_last(method: str, format_: str) -> int:
    """The argument with which a text ends as it is; -1: with no argument."""
    return _argument(method, format_, -1)


def _argument(method: str, format_: str, at: int) -> int:
    """The first (`at` 0) or last (-1) value of a format, if the format begins or ends with it, and it is an argument
    as it is."""
    if _literals(method, format_)[at]:
        return -1
    if _is_message(method):
        found = re.match(r"\{(\d{1,3})\}", format_) if at == 0 else re.search(r"\{(\d{1,3})\}$", format_)
        return int(found[1]) if found else -1
    values = [value for value in SPECIFIER.finditer(format_) if value[5] not in "%n"]
    if not values or values[at][5] != "s" or values[at][2] or values[at][3] or values[at][4]:
        return -1
    counted = [value for value in values if value[1] is None and "<" not in value[2]]
    return int(values[at][1][:4]) - 1 if values[at][1] else counted.index(values[at])


def _is_message(method: str) -> bool:
    return method.startswith("<java.text.MessageFormat")


def _literals(method: str, format_: str) -> list[str]:
    return _message_literals(format_) if _is_message(method) else _format_literals(format_)


def _format_literals(format_: str) -> list[str]:
    """The texts around the values of a format of `java.util.Formatter`."""
    found, at = [""], 0
    for specifier in SPECIFIER.finditer(format_):
        found[-1] += format_[at : specifier.start()]
        at = specifier.end()
        if specifier[5] in "%n":
            found[-1] += "%" if specifier[5] == "%" else "\n"
        else:
            found.append("")
    found[-1] += format_[at:]
    return found


def _message_literals(format_: str) -> list[str]:
    """The texts around the values of a pattern of `java.text.MessageFormat`: a quote begins or ends a quoted part, two
    are a quote."""
    found, depth, quoted, at = [""], 0, False, 0
    while at < len(format_):
        sign = format_[at]
        if sign == "'" and format_[at + 1 : at + 2] == "'":
            at += 1
        elif sign == "'":
            quoted, sign = not quoted, ""
        elif sign == "{" and not quoted:
            depth += 1
        elif sign == "}" and not quoted and depth:
            depth -= 1
            found += [""] if depth == 0 else []
            sign = ""
        if depth == 0:
            found[-1] += sign
        at += 1
    return found


# ---- classes


def class_name(method: str, class_: str) -> str:
    """What a method of Class that gives a name of the class returns."""
    package, dot, last = class_.rpartition(".")
    simple = last.rpartition("$")[2].lstrip("0123456789")
    if method == "getSimpleName":
        return simple
    if method == "getPackageName":
        return package
    return package + dot + last.replace("$", ".") if method == "getCanonicalName" else class_
