"""Java source text → tokens, of the classes of javalang's tokenizer, with one compiled regular expression.

It differs from javalang's tokenizer in this: tokens have a start *and* an end; there are text blocks; each `>` is a
token of its own (the parser joins shift operators, if no blanks are between their characters); unterminated literals
and comments are reported where they begin; it is about ten times as fast. Comments are dropped.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from dataclasses import dataclass

from javalang.parser import JavaSyntaxError
from javalang.tokenizer import (
    Annotation,
    BasicType,
    BinaryInteger,
    Boolean,
    Character,
    DecimalFloatingPoint,
    DecimalInteger,
    EndOfInput,
    HexFloatingPoint,
    HexInteger,
    Identifier,
    JavaToken,
    JavaTokenizer,
    Keyword,
    Modifier,
    Null,
    OctalInteger,
    Operator,
    Separator,
    String,
)

from ladder.frontends.java.limits import TOKENS, LimitReached
from ladder.frontends.java.literals import translate_unicode_escapes
from ladder.frontends.java.tree import Position
from ladder.support.shown import beginning_of


class JavaLexicalError(JavaSyntaxError):  # type: ignore[misc]
    """Raised for text that cannot be split into tokens; it is not Java, even if a more lenient parser reads it."""


class Unreadable(JavaToken):  # type: ignore[misc]
    """Text that is no token, as a class of tokens: what `tokenize_leniently` makes of it; no production takes one."""


class TextBlock(String):  # type: ignore[misc]
    """A text block, between three double quotes, as a class of tokens."""


@dataclass(slots=True)
class Tokens:
    """The tokens of one file as parallel lists; the last token is the end of input, with the value "".

    `kinds` holds javalang's token classes, `values` the text (for literals the text in the source, with escapes
    untranslated), `starts` and `ends` the positions of the first character and after the last one.
    """

    kinds: list[type[JavaToken]]
    values: list[str]
    starts: list[Position]
    ends: list[Position]


class SourceText:
    """Source text with unicode escapes translated, and a map from its offsets to positions in the source.

    `text` is the translated text, `raw` the source; they are the same object if there are no escapes, or if escapes are
    not to be translated. `is_java`: whether the source itself is Java, not what `text` was made of.
    """

    is_java = True

    def __init__(self, raw: str, translate: bool = True) -> None:
        self.raw = raw
        self.text = raw
        self._after: list[int] = []
        self._shift: list[int] = []
        if translate and "\\u" in raw:
            self.text, self._after, self._shift = translate_unicode_escapes(raw)
        self._lines = array("q", [0])
        self._lines.extend(match.end() for match in _NEWLINE.finditer(raw))

    @property
    def line_starts(self) -> array[int]:
        """The offsets in `raw` at which lines begin."""
        return self._lines

    @property
    def translated(self) -> bool:
        """Whether `text` differs from `raw`."""
        return bool(self._after)

    def raw_offset(self, offset: int) -> int:
        """Return the offset in the source of the character at `offset` of `text`."""
        at = bisect_right(self._after, offset)
        return offset + self._shift[at - 1] if at else offset

    def position(self, offset: int) -> Position:
        """Return the line and the column in the source of the character at `offset` of `text`."""
        raw = self.raw_offset(offset)
        line = bisect_right(self._lines, raw)
        return line, raw - self._lines[line - 1] + 1

    def raw_slice(self, start: int, end: int) -> str:
        """Return the source of `text[start:end]`."""
        return self.raw[self.raw_offset(start) : self.raw_offset(end)]


class JavaLexer(JavaTokenizer):  # type: ignore[misc]
    """javalang's tokenizer with its character-by-character loop replaced."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(source.text)
        self.source = source

    def tokenize(self) -> Tokens:
        """Return all tokens; raise JavaLexicalError, whose `at` is a position, at the first text that is no token."""
        kinds: list[type[JavaToken]] = []
        values: list[str] = []
        starts: list[Position] = []
        ends: list[Position] = []
        add_kind, add_value, add_start, add_end = kinds.append, values.append, starts.append, ends.append
        line_starts = self.source.line_starts + array("q", [len(self.source.text) + 1])
        line, line_start, next_line = 1, 0, line_starts[1]
        slow = self.source.translated
        at: int | None = 0
        while at is not None:
            for match in _TOKEN.finditer(self.source.text, at):
                group = match.lastindex or 0
                value = match[group]
                start, end = match.span(group)
                if group == _PUNCTUATION:
                    kind = _PUNCTUATION_KINDS[value]
                elif group == _WORD:
                    kind = _WORD_KINDS.get(value, Identifier)
                    if not value.isascii():
                        self._check_identifier(value, start)
                elif group == _END:
                    kind, value = EndOfInput, ""
                elif group == _MORE:
                    continue
                else:
                    kind = self._literal_kind(group, value, start)
                if slow:
                    if kind is Character or issubclass(kind, String):
                        value = self.source.raw_slice(start, end)
                    add_start(self.source.position(start))
                    add_end(self.source.position(end))
                else:
                    while start >= next_line:
                        line += 1
                        line_start, next_line = next_line, line_starts[line]
                    add_start((line, start - line_start + 1))
                    add_end((line, end - line_start + 1) if kind is not TextBlock else self.source.position(end))
                add_kind(kind)
                add_value(value)
                if len(kinds) > TOKENS:
                    raise LimitReached(f"The file has more than {TOKENS:,} tokens", starts[-1])
                if group >= _END:
                    at = self._after(group, start)
                    break
        return Tokens(kinds, values, starts, ends)

    def _after(self, group: int, start: int) -> int | None:
        """Return where tokens go on after one that ends the file, or that is none; None: nowhere."""
        return None if group == _END else start + 1

    def _literal_kind(self, group: int, value: str, start: int) -> type[JavaToken]:
        kind: type[JavaToken]
        if group == _NUMBER:
            kind = number_kind(value)
        elif group == _STRING:
            kind = TextBlock if value.startswith('"""') else Character if value[0] == "'" else String
        else:
            message = _UNTERMINATED.get(value[0], f"Unexpected character {value!r}")
            raise JavaLexicalError(message, self.source.position(start))
        return kind

    def _check_identifier(self, value: str, start: int) -> None:
        for offset, char in enumerate(value):
            category = unicodedata.category(char)
            allowed = self.IDENT_PART_CATEGORIES if offset else self.IDENT_START_CATEGORIES
            if category not in allowed and not (offset and category == "Cf"):
                raise JavaLexicalError(f"Unexpected character {char!r}", self.source.position(start + offset))


def tokenize_leniently(source: SourceText) -> Tokens:
    """Return the tokens of a file some of whose text is none, with `Unreadable` ones in its place.

    After a literal that is not terminated, that is the rest of the line; if braces are in it, and after a comment or a
    text block that is not terminated, the file ends.
    """
    lexer = _LenientLexer(source)
    tokens = lexer.tokenize()
    tokens.kinds[-1], tokens.values[-1] = EndOfInput, ""
    for i, start in enumerate(tokens.starts):
        if start in lexer.no_identifiers:
            tokens.kinds[i] = Unreadable
    return tokens


class _LenientLexer(JavaLexer):
    """Goes on behind text that is no token."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(source)
        self.no_identifiers: set[Position] = set()

    def _literal_kind(self, group: int, value: str, start: int) -> type[JavaToken]:
        try:
            return super()._literal_kind(group, value, start)
        except JavaLexicalError:
            return Unreadable

    def _after(self, group: int, start: int) -> int | None:
        text, after = self.source.text, super()._after(group, start)
        if after is None or text.startswith(("/", '"""'), start):
            return None
        if text[start] in "\"'":
            rest = _REST_OF_LINE.match(text, start)
            after = rest.end() if rest is not None and not ("{" in rest[0] or "}" in rest[0]) else None
        return after

    def _check_identifier(self, value: str, start: int) -> None:
        try:
            super()._check_identifier(value, start)
        except JavaLexicalError:
            self.no_identifiers.add(self.source.position(start))


def shortened(text: str) -> str:
    """Return a token as messages show it: of a long one only the beginning."""
    return beginning_of(text, _SHOWN)


def number_kind(value: str) -> type[JavaToken]:
    """Return the token class of a number."""
    kind: type[JavaToken]
    prefix = value[:2].lower()
    if prefix == "0x":
        kind = HexFloatingPoint if "p" in value or "P" in value else HexInteger
    elif prefix == "0b":
        kind = BinaryInteger
    elif value[-1] in "fFdD" or "." in value or "e" in value or "E" in value:
        kind = DecimalFloatingPoint
    else:
        kind = OctalInteger if value[0] == "0" and len(value.rstrip("lL")) > 1 else DecimalInteger
    return kind


_UNTERMINATED = {"/": "Unterminated comment", '"': "Unterminated string", "'": "Malformed character literal"}
_SHOWN = 60
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_NEWLINE = re.compile(r"\r\n|\r|\n")

_WORD, _PUNCTUATION, _NUMBER, _STRING, _END, _MORE = range(1, 7)
# Only sets of characters are repeated possessively: Python before 3.11.5 gets groups with alternatives wrong. What is
# repeated otherwise takes memory, so more than a thousand comments in a row are several matches.
_TOKEN = re.compile(
    r"""
    (?: [ \t\n\r\f]+ | // [^\r\n]* | /\* (?s:.*?) \*/ ){0,1000}
    (?:
      ( [A-Za-z_$\x80-\U0010ffff] [\w$\x80-\U0010ffff]* )
    | ( [(){}\[\];,@?~] | \.\.\. | \.(?!\d) | ::? | -> | && | \|\| | \+\+ | -- | >>>= | >>= | <<=? | >=?
        | /(?![*/])=? | [=!+\-*%&|^<]=? )
    | ( 0[xX] (?: [\da-fA-F_]*+ (?: \. [\da-fA-F_]*+ )? [pP] [+-]? [\d_]+ [fFdD]? | [\da-fA-F_]+ [lL]? )
        | 0[bB] [01_]+ [lL]?
        | (?: \d [\d_]* (?: \. (?: \d [\d_]* )? )? | \. \d [\d_]* ) (?: [eE] [+-]? \d [\d_]* )? [fFdDlL]? )
    | ( \"\"\" [ \t\f]* [\r\n] [^\\\"]*+ (?: (?: (?s:\\.) | "(?!"") ) [^\\\"]*+ )* \"\"\"
        | "(?!"") [^"\\\r\n]*+ (?: \\. [^"\\\r\n]*+ )* " | ""(?!")
        | ' (?: [^'\\\r\n] | \\ [0-3]? [0-7]? [0-7] | \\ . ) ' )
    | ( \x1a? \Z )
    | ( (?= [ \t\n\r\f] | // | /\* (?s:.*?) \*/ ) )
    | ( (?s:.) )
    )
    """,
    re.VERBOSE,
)

_PUNCTUATION_KINDS: dict[str, type[JavaToken]] = {
    **dict.fromkeys(Operator.VALUES, Operator),
    **dict.fromkeys(Separator.VALUES, Separator),
    "@": Annotation,
}
_WORD_KINDS: dict[str, type[JavaToken]] = {
    **dict.fromkeys(Keyword.VALUES, Keyword),
    **dict.fromkeys(Modifier.VALUES, Modifier),
    **dict.fromkeys(BasicType.VALUES, BasicType),
    **dict.fromkeys(Boolean.VALUES, Boolean),
    "null": Null,
}
