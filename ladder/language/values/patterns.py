"""Patterns of `match`: ECMAScript's regular expressions on bytes, translated into those of Python and RE2.

[[:alpha:]]+\\d{2}?.   →   [a-zA-Z]+[0-9]{2}?[^\\n\\r]

RE2 takes time in proportion to the text, whatever the pattern. Only features that RE2 lacks go to Python's `re`, which
may take exponential time: references to groups, look-ahead, and repetitions of more than 1,000.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    import re2

CLASSES = {
    b"alpha": b"a-zA-Z",
    b"digit": b"0-9",
    b"alnum": b"a-zA-Z0-9",
    b"upper": b"A-Z",
    b"lower": b"a-z",
    b"space": rb" \t-\r",
    b"xdigit": b"0-9a-fA-F",
    b"w": b"a-zA-Z0-9_",
    b"d": b"0-9",
    b"s": rb" \t-\r",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"punct": rb"!-/:-@\[-`{-~",
    b"graph": b"!-~",
    b"print": b" -~",
}
ESCAPES = {
    b"d": b"[0-9]",
    b"D": b"[^0-9]",
    b"w": b"[a-zA-Z0-9_]",
    b"W": b"[^a-zA-Z0-9_]",
    b"s": rb"[ \t-\r]",
    b"S": rb"[^ \t-\r]",
}
OTHERS = {b"D": rb"\x00-/:-\xff", b"W": rb"\x00-/:-@\[-^`{-\xff", b"S": rb"\x00-\x08\x0e-\x1f!-\xff"}  # in sets
CONTROLS = {b"f": 12, b"n": 10, b"r": 13, b"t": 9, b"v": 11, b"0": 0}
INTERVAL = re.compile(rb"\{(\d+)(,?)(\d*)\}")
QUANTIFIERS = b"*+?{"


class BadPattern(ValueError):
    """Raised for a text that is no regular expression."""


@dataclass(frozen=True)
class Pattern:
    """A regular expression. `matches`: whether the whole of a text matches it; `linear`: the same for RE2, None where
    RE2 lacks something that is in it."""

    matches: Callable[[bytes], bool]
    linear: bytes | None

    def matches_each(self, texts: pa.LargeBinaryArray) -> list[bool]:
        """Whether each text matches. RE2 is called once for all of them, without a Python object for each."""
        if self.linear is not None:
            import pyarrow as pa
            import pyarrow.compute as pc

            with suppress(pa.ArrowInvalid):  # another version of RE2, which may refuse what is too large for it
                found: list[bool] = pc.match_substring_regex(texts, rb"\A(?:%s)\z" % self.linear).to_pylist()
                return found
        return [self.matches(text) for text in texts.to_pylist()]


@lru_cache(4096)
def pattern(text: str) -> Pattern:
    """The regular expression that a text is; raises `BadPattern`."""
    import re2  # here, since few programs have patterns and all import this module

    source = text.encode("utf-8", "surrogatepass")
    translated = _Translation(source).alternatives(0)
    try:
        compiled = re.compile(translated)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadPattern(str(error)) from error
    try:
        linear = re2.compile(_Translation(source, rb"\z", rb"\B").alternatives(0), _options())
    except re2.error:
        return Pattern(lambda text: compiled.fullmatch(text) is not None, None)
    return Pattern(lambda text: linear.fullmatch(text) is not None, linear.pattern)


def _options() -> re2.Options:
    """The options of RE2: bytes are characters, and unsupported patterns are not logged."""
    import re2

    options = re2.Options()
    options.encoding, options.log_errors, options.never_capture = re2.Options.Encoding.LATIN1, False, True
    return options


class _Translation:
    """Translates a pattern from left to right; `end`: the translation of the end of the text, `inside`: that of a place
    that is no boundary of a word, which an empty text has (but not by Python before 3.14)."""

    def __init__(self, source: bytes, end: bytes = rb"\Z", inside: bytes = rb"(?:\B|\A\Z)") -> None:
        self.source, self.end, self.inside, self.at = source, end, inside, 0

    def alternatives(self, depth: int) -> bytes:
        """The alternatives up to the end or the closing bracket."""
        if depth > 200:
            raise BadPattern("it is nested too deeply")
        parts = []
        while self.at < len(self.source) and not (depth and self._peek() == b")"):
            parts.append(self._next() if self._peek() == b"|" else self._repeated(depth))
        return b"".join(parts)

    def _peek(self) -> bytes:
        return self.source[self.at : self.at + 1]

    def _next(self) -> bytes:
        self.at += 1
        return self.source[self.at - 1 : self.at]

    def _repeated(self, depth: int) -> bytes:
        """One item with its quantifiers; each further quantifier repeats the item with those before it."""
        item, repeatable = self._item(depth)
        count = 0
        while (char := self._peek()) and char in QUANTIFIERS:
            if not repeatable:
                raise BadPattern(f"nothing to repeat at byte {self.at}")
            quantifier = self._quantifier()
            item = (b"(?:" + item + b")" if count else item) + quantifier
            count += 1
        return item

    def _quantifier(self) -> bytes:
        if self._peek() == b"{":
            found = INTERVAL.match(self.source, self.at)
            if found is None:
                raise BadPattern(f"a brace at byte {self.at} holds no numbers")
            self.at = found.end()
            quantifier = found.group()
        else:
            quantifier = self._next()
        if self._peek() == b"?":
            quantifier += self._next()
        return quantifier

    def _item(self, depth: int) -> tuple[bytes, bool]:
        """(an item, whether it can be repeated)."""
        char = self._next()
        if char in QUANTIFIERS:
            raise BadPattern(f"nothing to repeat at byte {self.at - 1}")
        if char == b"(":
            return self._group(depth)
        if char == b")":
            raise BadPattern(f"the bracket at byte {self.at - 1} closes nothing")
        if char == b"[":
            return self._set(), True
        if char == b"\\":
            return self._escape()
        if char == b".":
            return rb"[^\n\r]", True
        if char in b"^$":
            return (rb"\A" if char == b"^" else self.end), False
        return re.escape(char), True

    def _group(self, depth: int) -> tuple[bytes, bool]:
        opening, repeatable = b"(", True
        if self._peek() == b"?":
            self._next()
            kind = self._next()
            if kind not in (b":", b"=", b"!"):
                raise BadPattern(f"an unknown kind of group at byte {self.at - 1}")
            opening, repeatable = b"(?" + kind, kind == b":"
        inner = self.alternatives(depth + 1)
        if self._next() != b")":
            raise BadPattern("a bracket is not closed")
        return opening + inner + b")", repeatable

    def _escape(self) -> tuple[bytes, bool]:
        char = self._next()
        if not char:
            raise BadPattern("it ends with a backslash")
        if char in ESCAPES:
            return ESCAPES[char], True
        if char in (b"b", b"B"):
            return rb"\b" if char == b"b" else self.inside, False
        if char in b"123456789":
            start = self.at - 1
            while self._peek().isdigit():
                self._next()
            return b"(?:\\" + self.source[start : self.at] + b")", True
        return re.escape(bytes((self._code(char),))), True

    def _code(self, char: bytes) -> int:
        """The byte that an escape stands for, read after its first character."""
        if char in CONTROLS:
            return CONTROLS[char]
        if char == b"c":
            return (self._next() or b"c")[0]
        if char in (b"x", b"u"):
            digits = self.source[self.at : self.at + (2 if char == b"x" else 4)]
            self.at += len(digits)
            try:
                return int(digits, 16) & 0xFF
            except ValueError:
                raise BadPattern(f"an escape at byte {self.at} needs hexadecimal digits") from None
        return char[0]

    def _set(self) -> bytes:
        """A set `[…]`, read after its opening bracket."""
        negated = self._peek() == b"^"
        if negated:
            self._next()
        members: list[bytes] = []
        while (char := self._next()) != b"]":
            if not char:
                raise BadPattern("a set of characters is not closed")
            members.append(self._member(char))
        if not members:
            return rb"[\x00-\xff]" if negated else rb"[^\x00-\xff]"
        return b"[" + (b"^" if negated else b"") + b"".join(members) + b"]"

    def _member(self, char: bytes) -> bytes:
        """A class, a character or a range of a set."""
        named = re.compile(rb"\[([:.=])(.*?)\1\]", re.DOTALL).match(self.source, self.at - 1) if char == b"[" else None
        if named is not None and named[1] == b":":
            self.at = named.end()
            if named[2].lower() not in CLASSES:
                raise BadPattern(f"there is no class of characters {named[2].decode('utf-8', 'replace')}")
            return CLASSES[named[2].lower()]
        if char == b"\\" and self._peek() in ESCAPES:
            escaped = self._next()
            return OTHERS.get(escaped) or ESCAPES[escaped][1:-1]
        low = self._single(char, named)
        if self._peek() == b"-" and self.source[self.at + 1 : self.at + 2] not in (b"]", b""):
            self._next()
            char = self._next()
            named = (
                re.compile(rb"\[([.=])(.*?)\1\]", re.DOTALL).match(self.source, self.at - 1) if char == b"[" else None
            )
            high = self._single(char, named)
            if high < low:
                raise BadPattern("a range of characters is empty")
            return _hexadecimal(low) + b"-" + _hexadecimal(high)
        return _hexadecimal(low)

    def _single(self, char: bytes, named: re.Match[bytes] | None) -> int:
        if named is not None:
            if len(named[2]) != 1:
                raise BadPattern("a collating element is one character")
            self.at = named.end()
            return int(named[2][0])
        if char == b"\\":
            escaped = self._next()
            return 8 if escaped == b"b" else self._code(escaped) if escaped else 92
        return char[0]


def _hexadecimal(code: int) -> bytes:
    return b"\\x%02x" % code
