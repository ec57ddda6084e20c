"""Tokens against javalang's own tokenizer, and the values of literals."""

from __future__ import annotations

import struct
from pathlib import Path

import javalang
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.frontends.java.lexer import JavaLexer, SourceText, tokenize_leniently
from ladder.frontends.java.literals import literal_value, translate_unicode_escapes

SAMPLES = sorted(
    path
    for folder in ("tests/java_parser/snippets", "corpora/bookshop")
    for path in Path(__file__, "../../..").resolve().glob(f"{folder}/**/*.java")
    if '"""' not in path.read_text(encoding="utf-8")  # javalang knows no text blocks
)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_tokens_are_those_of_javalang(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    ours = JavaLexer(SourceText(text)).tokenize()
    theirs = list(javalang.tokenizer.tokenize(text))
    if "\\u" not in text:
        assert ours.values[:-1] == [token.value for token in theirs]
    assert len(ours.values) == len(theirs) + 1
    assert [kind.__name__ for kind in ours.kinds[:-1]] == [
        "Character" if token.value[0] == "'" else type(token).__name__ for token in theirs
    ]
    if "\r" not in text and "\\u" not in text:
        assert ours.starts[:-1] == [tuple(token.position) for token in theirs]


def lex(text: str) -> list[str]:
    return JavaLexer(SourceText(text)).tokenize().values[:-1]


def test_operators_and_separators() -> None:
    text = "a>>>=b>>=c>=d>>>e>>f->g::h...i.j@k<<=l<<m<=n&&o||p++--q!==r"
    parts = "a >>>= b >>= c >= d > > > e > > f -> g :: h ... i . j @ k <<= l << m <= n && o || p ++ -- q != = r"
    assert lex(text) == parts.split()


def test_comments_and_blanks() -> None:
    assert lex("/**/a/***/b// c */ d\r/* e\n// */\ff\x1a") == ["a", "b", "f"]


def test_thousands_of_comments_in_a_row() -> None:
    assert lex("a" + "/**/\n" * 2500 + "b" + "// c\n" * 1000 + "d" + "/**/" * 999 + "/ e") == ["a", "b", "d", "/", "e"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a /* b /* c", ["a"]),
        ('a """\n b "" \\""" c', ["a"]),
        ('a "b /* c\nd', ["a", '"', "d"]),
        ("a 'bc\" d\ne", ["a", "'", "e"]),
        ('a "b { c\nd', ["a"]),
        ("a # b\nc", ["a", "#", "b", "c"]),
        ('a "b', ["a", '"']),
    ],
)
def test_text_that_is_no_token(text: str, values: list[str]) -> None:
    tokens = tokenize_leniently(SourceText(text))
    assert tokens.values == [*values, ""]
    assert tokens.kinds[-1].__name__ == "EndOfInput"


def test_unterminated_text_is_read_once() -> None:
    """Were the rest looked through at each of these, tokens would take hours."""
    for text in ("/* " * 1_000_000, '\\"' * 1_000_000, '"""\n' + '""" \n' * 1_000_001, "' /* " * 1_000_000):
        assert len(tokenize_leniently(SourceText(text)).values) < 1_100_000


LITERALS = {
    ("int", "0"): 0,
    ("int", "1_000"): 1000,
    ("int", "2147483648"): 2147483648,
    ("int", "0xFFFF_FFFF"): -1,
    ("int", "0x7fffffff"): 2147483647,
    ("int", "017"): 15,
    ("int", "0_17"): 15,
    ("int", "0b1000_0000_0000_0000_0000_0000_0000_0000"): -2147483648,
    ("long", "0xFFFFFFFFl"): 4294967295,
    ("long", "0xFFFFFFFFFFFFFFFFL"): -1,
    ("long", "9L"): 9,
    ("double", "1e3"): 1000.0,
    ("double", ".5d"): 0.5,
    ("double", "0x1.8p1"): 3.0,
    ("double", "0xdp0d"): 13.0,
    ("double", "1_0."): 10.0,
    ("float", "0.1f"): struct.unpack("f", struct.pack("f", 0.1))[0],
    ("float", "1e39f"): float("inf"),
    ("char", "'a'"): "a",
    ("char", r"'\''"): "'",
    ("char", r"'\u0041'"): "A",
    ("char", r"'\101'"): "A",
    ("char", r"'\\'"): "\\",
    ("char", r"'\uD800'"): "\ud800",
    ("string", r'"a\tb\0\377\477\"\s"'): "a\tb\0\xff'7\" ",
    ("string", r'"\uD83D\uDE00"'): "\U0001f600",
    ("string", r'"\\u0041"'): r"\u0041",
    ("string", '""'): "",
    ("text", '"""\n  a\n    b\n  """'): "a\n  b\n",
    ("text", '"""  \r\n  a  \r\n\r\n  b"""'): "a\n\nb",
    ("text", '"""\n  a \\\n  b\\n\\"""\\s\n"""'): '  a   b\n""" \n',
    ("boolean", "true"): True,
    ("boolean", "false"): False,
    ("null", "null"): None,
}


@pytest.mark.parametrize("kind, text", LITERALS)
def test_literal(kind: str, text: str) -> None:
    assert literal_value(kind, text) == LITERALS[kind, text]
    if kind not in ("boolean", "null"):
        assert lex(text) == [text]


@given(st.lists(st.sampled_from(["a", "\\\\", "\\n", "\\u0041", "\\uu00e9", "\\ud83d\\ude00", "\\ud800", "\\u12"])))
def test_offsets_lead_back_to_the_source(pieces: list[str]) -> None:
    raw = "".join(pieces)
    text, after, shift = translate_unicode_escapes(raw)
    source = SourceText(raw)
    assert source.text == text and len(after) == len(shift)
    offsets = [source.raw_offset(offset) for offset in range(len(text) + 1)]
    assert offsets[0] == 0 and offsets[-1] == len(raw) and offsets == sorted(set(offsets))
    for offset, char in enumerate(text):
        piece = raw[offsets[offset] : offsets[offset + 1]]
        assert piece == char or translate_unicode_escapes(piece)[0] == char
