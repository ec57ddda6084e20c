"""What built-in functions and comparisons compute, in particular at the edges of 32 bits."""
from __future__ import annotations

from typing import Any

import pytest

from ladder.language.builtins import NoValue, compute, generate_range, holds, single, wrap
from ladder.language.core import Kind

N, U, F, S = Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT, Kind.SYMBOL
LEAST, MOST = -(2**31), 2**31 - 1


@pytest.mark.parametrize(("function", "arguments", "kind", "expected"), [
    ("+", (MOST, 1), N, LEAST), ("-", (LEAST, 1), N, MOST), ("*", (65536, 65536), N, 0), ("*", (MOST, 2), N, -2),
    ("neg", (LEAST,), N, LEAST), ("/", (-7, 2), N, -3), ("/", (7, -2), N, -3), ("/", (LEAST, -1), N, LEAST),
    ("%", (-7, 2), N, -1), ("%", (7, -2), N, 1), ("%", (LEAST, -1), N, 0), ("^", (2, 31), N, LEAST),
    ("^", (2, 32), N, 0),
    ("^", (-2, 3), N, -8), ("^", (2, -1), N, 0), ("^", (-1, -3), N, -1), ("^", (1, -5), N, 1),
    ("band", (-1, 255), N, 255), ("bor", (5, 2), N, 7), ("bxor", (-1, 1), N, -2), ("bnot", (0,), N, -1),
    ("bshl", (1, 31), N, LEAST), ("bshl", (1, 32), N, 1), ("bshr", (-8, 1), N, -4), ("bshru", (-1, 28), N, 15),
    ("land", (2, 0), N, 0), ("lor", (2, 0), N, 1), ("lxor", (2, 3), N, 0), ("lnot", (0,), N, 1),
    ("min", (-1, 3), N, -1), ("max", (-1, 3), N, 3),
    ("+", (2**32 - 1, 2), U, 1), ("-", (0, 1), U, 2**32 - 1), ("/", (2**32 - 1, 2), U, MOST),
    ("bnot", (0,), U, 2**32 - 1),
    ("bshr", (2**32 - 1, 31), U, 1), ("neg", (1,), U, 2**32 - 1),
    ("+", (0.1, 0.2), F, 0.30000001192092896), ("*", (3e38, 10.0), F, float("inf")),
    ("^", (2.0, 0.5), F, single(2**0.5)),
    ("cat", ("a", "b"), S, "ab"), ("strlen", ("äb",), S, 2), ("substr", ("hello", 1, 3), S, "ell"),
    ("substr", ("hello", 4, 9), S, "o"), ("substr", ("hello", 6, 1), S, ""), ("substr", ("hello", -1, 1), S, ""),
    ("substr", ("hello", 2, -1), S, "llo"),
    ("to_number", ("-12",), S, -12), ("to_number", ("0x1f",), S, 31), ("to_number", ("0b11",), S, 3),
    ("to_number", ("007",), S, 7),
    ("to_string", (-5,), N, "-5"), ("to_string", (0.5,), F, "0.500000"),
])
def test_values(function: str, arguments: tuple[Any, ...], kind: Kind, expected: Any) -> None:
    assert compute(function, arguments, kind) == expected


@pytest.mark.parametrize(("function", "arguments", "kind"), [
    ("/", (1, 0), N), ("%", (1, 0), N), ("/", (1, 0), U), ("/", (1.0, 0.0), F), ("^", (0, -1), N),
    ("^", (-8.0, 0.5), F),
    ("^", (0.0, -1.0), F), ("to_number", ("x",), S), ("to_number", ("",), S), ("to_number", ("2147483648",), S)])
def test_what_has_no_value(function: str, arguments: tuple[Any, ...], kind: Kind) -> None:
    with pytest.raises(NoValue):
        compute(function, arguments, kind)


@pytest.mark.parametrize(("operator", "left", "right", "expected"), [
    ("<", "B", "a", True), ("<=", 3, 3, True), ("!=", 3, 3, False), ("=", None, None, True),
    ("match", "a.*", "abc", True), ("match", "b", "abc", False), ("not_match", "b", "abc", True),
    ("match", "[[:digit:]]+", "42", True), ("match", "[", "[", False), ("not_match", "[", "[", False),
    ("contains", "b", "abc", True), ("not_contains", "b", "abc", False)])
def test_comparisons(operator: str, left: Any, right: Any, expected: bool) -> None:
    assert holds(operator, left, right) is expected


def test_ranges() -> None:
    assert list(generate_range(1, 4)) == [1, 2, 3] and list(generate_range(3, 0)) == [3, 2, 1]
    assert list(generate_range(0, 5, 2)) == [0, 2,
                                             4] and list(generate_range(0, 5, -1)) == [] == list(generate_range(0, 5,
                                                                                                                0))


def test_wrapping_keeps_bits() -> None:
    assert [wrap(v, N) for v in (2**31, 2**32, -1)] == [LEAST, 0, -1] and wrap(-1, U) == 2**32 - 1


def test_ordinals_tell_texts_apart() -> None:
    numbers = [compute("ord", (text,), S) for text in ("one", "two", "one")]
    assert numbers[0] == numbers[2] != numbers[1]
