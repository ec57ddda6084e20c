"""What built-in functions and comparisons compute, in particular at the edges of 32 bits."""

from __future__ import annotations

from typing import Any

import pytest

from ladder.errors import LadderWarning
from ladder.language.core import Kind
from ladder.language.values.builtins import NoValue, compute, generate_range, holds, show_float, single, wrap

N, U, F, S = Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT, Kind.SYMBOL
LEAST, MOST = -(2**31), 2**31 - 1


@pytest.mark.parametrize(
    ("function", "arguments", "kind", "expected"),
    [
        ("+", (MOST, 1), N, LEAST),
        ("-", (LEAST, 1), N, MOST),
        ("*", (65536, 65536), N, 0),
        ("*", (MOST, 2), N, -2),
        ("neg", (LEAST,), N, LEAST),
        ("/", (-7, 2), N, -3),
        ("/", (7, -2), N, -3),
        ("/", (LEAST, -1), N, LEAST),
        ("%", (-7, 2), N, -1),
        ("%", (7, -2), N, 1),
        ("%", (LEAST, -1), N, 0),
        ("^", (2, 31), N, LEAST),
        ("^", (2, 32), N, LEAST),
        ("^", (3, 21), N, LEAST),
        ("^", (0, -1), N, LEAST),
        ("^", (2, 30), N, 2**30),
        ("^", (2, 31), U, 2**31),
        ("^", (2, 32), U, 0),
        ("^", (3, 21), U, 1870418611),
        ("^", (3, 39), U, 3093297152),
        ("^", (3, 41), U, 0),
        ("^", (-2, 3), N, -8),
        ("^", (2, -1), N, 0),
        ("^", (-1, -3), N, -1),
        ("^", (1, -5), N, 1),
        ("band", (-1, 255), N, 255),
        ("bor", (5, 2), N, 7),
        ("bxor", (-1, 1), N, -2),
        ("bnot", (0,), N, -1),
        ("bshl", (1, 31), N, LEAST),
        ("bshl", (1, 32), N, 1),
        ("bshr", (-8, 1), N, -4),
        ("bshru", (-1, 28), N, 15),
        ("land", (2, 0), N, 0),
        ("lor", (2, 0), N, 1),
        ("lxor", (2, 3), N, 0),
        ("lnot", (0,), N, 1),
        ("min", (-1, 3), N, -1),
        ("max", (-1, 3), N, 3),
        ("+", (2**32 - 1, 2), U, 1),
        ("-", (0, 1), U, 2**32 - 1),
        ("/", (2**32 - 1, 2), U, MOST),
        ("bnot", (0,), U, 2**32 - 1),
        ("bshr", (2**32 - 1, 31), U, 1),
        ("neg", (1,), U, 2**32 - 1),
        ("+", (0.1, 0.2), F, 0.30000001192092896),
        ("*", (3e38, 10.0), F, float("inf")),
        ("^", (2.0, 0.5), F, single(2**0.5)),
        ("/", (1.0, 0.0), F, float("inf")),
        ("/", (1.0, -0.0), F, float("-inf")),
        ("^", (0.0, -1.0), F, float("inf")),
        ("^", (2.0, 1000.0), F, float("inf")),
        ("^", (-2.0, 1001.0), F, float("-inf")),
        ("^", (-0.0, -3.0), F, float("-inf")),
        ("cat", ("a", "b", "c"), S, "abc"),
        ("strlen", ("äb",), S, 3),
        ("substr", ("äbc", 2, 1), S, "b"),
        ("substr", ("äb", 3, 1), S, ""),
        ("substr", ("a€b", 0, 3), S, "a??"),
        ("substr", ("a€b", 2, 3), S, "??b"),
        ("substr", ("a€b", 2, 1), S, "?"),
        ("substr", ("€ä", 1, -1), S, "??ä"),
        ("min", ("b", "a", "B"), S, "B"),
        ("max", ("b", "ä"), S, "ä"),
        ("substr", ("hello", 1, 3), S, "ell"),
        ("substr", ("hello", 4, 9), S, "o"),
        ("substr", ("hello", 6, 1), S, ""),
        ("substr", ("hello", -1, 1), S, ""),
        ("substr", ("hello", 2, -1), S, "llo"),
        ("to_number", ("-12",), S, -12),
        ("to_number", ("0x1f",), S, 31),
        ("to_number", ("0b11",), S, 3),
        ("to_number", ("007",), S, 7),
        ("to_number", ("12abc",), S, 12),
        ("to_number", (" +5",), S, 5),
        ("to_number", ("-0x1f",), S, -31),
        ("to_number", ("0x1fg",), S, 31),
        ("to_number", ("12.5",), S, 12),
        ("to_number", (" 0x1f",), S, 0),
        ("to_number", ("0x",), S, 0),
        ("to_unsigned", ("4294967295",), S, 2**32 - 1),
        ("to_unsigned", ("0b101",), S, 5),
        ("to_unsigned", (-1,), N, 2**32 - 1),
        ("to_float", ("1.5abc",), S, 1.5),
        ("to_float", (" 12",), S, 12.0),
        ("to_float", ("+5e3",), S, 5000.0),
        ("to_float", ("0x1p4",), S, 16.0),
        ("to_float", ("INFINITY",), S, float("inf")),
        ("to_float", ("1e",), S, 1.0),
        ("to_float", (16777217,), N, 16777216.0),
        ("to_number", (-1.5,), F, -1),
        ("to_number", (3e9,), F, LEAST),
        ("to_unsigned", (-1.5,), F, 2**32 - 1),
        ("to_unsigned", (-3e9,), F, 1294967296),
        ("to_unsigned", (1e20,), F, 0),
        ("to_number", (2**32 - 1,), U, -1),
        ("to_string", (-5,), N, "-5"),
        ("to_string", (0.5,), F, "0.500000"),
        ("to_string", ("x",), S, "x"),
        ("to_string", (1e10,), F, "10000000000.000000"),
        ("to_string", (2**32 - 1,), U, "4294967295"),
        ("ord", (1.5,), F, 1069547520),
        ("ord", (-1,), N, -1),
        ("ord", (2**32 - 1,), U, -1),
    ],
)
def test_values(function: str, arguments: tuple[Any, ...], kind: Kind, expected: Any) -> None:
    assert compute(function, arguments, kind) == expected


@pytest.mark.parametrize(
    ("function", "arguments", "kind"),
    [
        ("/", (1, 0), N),
        ("%", (1, 0), N),
        ("/", (1, 0), U),
        ("to_number", ("x",), S),
        ("to_number", ("",), S),
        ("to_number", ("0b2",), S),
        ("to_number", ("2147483648",), S),
        ("to_number", ("9" * 5000,), S),
        ("to_unsigned", ("-1",), S),
        ("to_unsigned", ("4294967296",), S),
        ("to_float", ("x",), S),
        ("to_float", ("1e39",), S),
        ("to_float", ("1e-40",), S),
        ("to_float", (".",), S),
    ],
)
def test_what_has_no_value(function: str, arguments: tuple[Any, ...], kind: Kind) -> None:
    with pytest.raises(NoValue):
        compute(function, arguments, kind)


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        ("<", "B", "a", True),
        ("<=", 3, 3, True),
        ("!=", 3, 3, False),
        ("=", None, None, True),
        ("match", "a.*", "abc", True),
        ("match", "b", "abc", False),
        ("not_match", "b", "abc", True),
        ("match", "[[:digit:]]+", "42", True),
        ("match", "[", "[", False),
        ("not_match", "[", "[", False),
        ("contains", "b", "abc", True),
        ("not_contains", "b", "abc", False),
    ],
)
@pytest.mark.filterwarnings("ignore::ladder.errors.LadderWarning")
def test_comparisons(operator: str, left: Any, right: Any, expected: bool) -> None:
    assert holds(operator, left, right) is expected


def test_ranges() -> None:
    assert list(generate_range(1, 4)) == [1, 2, 3] and list(generate_range(3, 0)) == [3, 2, 1]
    assert list(generate_range(0, 5, 2)) == [0, 2, 4] and list(generate_range(0, 5, -1)) == []
    assert list(generate_range(3, 0)) == [3, 2, 1] and list(generate_range(5, 0, -2)) == [5, 3, 1]
    assert list(generate_range(0, 5, 0)) == [0] and list(generate_range(5, 5, 0)) == []


def test_ranges_of_floats_add_in_single_precision() -> None:
    assert list(generate_range(1.5, 0.0)) == [1.5, 0.5]
    found = list(generate_range(0.0, 1.0, single(0.1)))
    assert len(found) == 10 and found[7] == single(0.70000005)
    assert list(generate_range(1e10, 2e10)) == [1e10]  # adding 1 changes nothing: it would never end


def test_what_is_not_a_number_has_a_sign() -> None:
    for function, arguments in (("/", (0.0, 0.0)), ("^", (-8.0, 0.5)), ("-", (float("inf"), float("inf")))):
        assert show_float(compute(function, arguments, F)) == "-nan"
    assert (
        show_float(compute("neg", (compute("/", (0.0, 0.0), F),), F))
        == "nan"
        == show_float(compute("to_float", ("nan",), S))
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.100000001"),
        (1e10, "1e+10"),
        (16777216.0, "16777216"),
        (1e-5, "9.99999975e-06"),
        (1.0, "1"),
        (float("-inf"), "-inf"),
    ],
)
def test_texts_of_floats(value: float, text: str) -> None:
    assert show_float(single(value)) == text


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("fo{2}b.*", "foobar", True),
        ("a.b", "a\nb", False),
        ("a.b", "aäb", False),
        ("a..b", "aäb", True),
        ("a$", "a\n", False),
        ("^a$", "a", True),
        ("[[:alpha:]_]+", "ab_", True),
        ("[^[:space:]]*", "a b", False),
        ("[]", "", False),
        ("[^]+", "]\n", True),
        ("[a\\]b]+", "]ab", True),
        ("(a|b)\\1", "aa", True),
        ("(a|b)\\1", "ab", False),
        ("(?:ab)+", "abab", True),
        ("a(?!b).", "ac", True),
        ("a++", "aaa", True),
        ("a{2}{2}", "aaaa", True),
        ("a*?b", "aab", True),
        ("\\d+\\.\\d+", "3.14", True),
        ("\\d", "٣", False),
        ("\\q\\-", "q-", True),
        ("\\x41", "A", True),
        ("a||b", "", True),
        ("", "", True),
        ("[[.-.]-]", "-", True),
        ("[a-c-e]", "-", True),
        ("}", "}", True),
        ("\\ba\\b", "a", True),
        ("[\\d\\W]", "!", True),
    ],
)
def test_patterns_are_those_of_ecmascript(pattern: str, text: str, expected: bool) -> None:
    assert holds("match", pattern, text) is expected and holds("not_match", pattern, text) is not expected


@pytest.mark.parametrize(
    "pattern",
    [
        "fo{x}",
        "*a",
        "a|*",
        "(a",
        "a)",
        "[a",
        "[b-a]",
        "(?P<n>a)",
        "(?i)a",
        "(?<=a)b",
        "a\\",
        "[[:no:]]",
        "\\1",
        "a{2,1}",
        "^*",
        "\\xg",
        "(" * 300 + ")" * 300,
    ],
)
@pytest.mark.filterwarnings("ignore::ladder.errors.LadderWarning")
def test_what_is_not_a_pattern_matches_nothing(pattern: str) -> None:
    assert not holds("match", pattern, pattern) and not holds("not_match", pattern, pattern)


def test_a_bad_pattern_is_told() -> None:
    with pytest.warns(LadderWarning, match="nothing to repeat at byte 0"):
        holds("match", "*", "a")


def test_wrapping_keeps_bits() -> None:
    assert [wrap(v, N) for v in (2**31, 2**32, -1)] == [LEAST, 0, -1] and wrap(-1, U) == 2**32 - 1


def test_ordinals_tell_texts_apart() -> None:
    numbers = [compute("ord", (text,), S) for text in ("one", "two", "one")]
    assert numbers[0] == numbers[2] != numbers[1]
