"""Functions and comparisons of numbers as SQL over BIGINT cells, with the results of `language.arithmetic` in 32 bits.

Cells: a number with its sign, an unsigned number as 0…2^32-1, a float as its bits, read as a signed number. No
expression overflows 64 bits or divides by zero, so that it does not matter whether Spark's ANSI mode is on. NULL means
that there is no result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ladder.language.core import Kind

MASK = "4294967295L"
_INFINITY = "2139095040L"  # the bits of a float that is infinite; greater ones are NaN
OPERATORS = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def calculated(function: str, arguments: Sequence[str], kind: Kind) -> str | None:
    """SQL of a built-in function of numbers of a kind; None where SQL cannot compute it exactly."""
    table = {Kind.NUMBER: _ON_NUMBERS, Kind.UNSIGNED: _ON_UNSIGNED, Kind.FLOAT: _ON_FLOATS}.get(kind, {})
    made = table.get(function)
    return None if made is None else made(*(f"({argument})" for argument in arguments))


def compared(operator: str, left: str, right: str, kind: Kind) -> str:
    """SQL of a comparison of two numbers of a kind; = and != compare cells of any kind."""
    if kind is not Kind.FLOAT:
        return f"{left} {OPERATORS[operator]} {right}"
    ordered = f"{_float_order(left)} {OPERATORS[operator]} {_float_order(right)}"
    if operator == "!=":
        return f"{_no_number(left)} OR {_no_number(right)} OR {ordered}"
    return f"NOT {_no_number(left)} AND NOT {_no_number(right)} AND {ordered}"


def generated(start: str, end: str, step: str | None) -> str:
    """SQL of the array of integers from `start` (included) to `end` (excluded); without `step` it is 1 or -1, towards
    the end."""
    step = step or f"CASE WHEN {start} <= {end} THEN 1L ELSE -1L END"
    return (
        f"CASE WHEN {start} = {end} THEN array() WHEN ({step}) = 0L THEN array({start}) "
        f"WHEN ({start} < {end}) <> (({step}) > 0L) THEN array() "
        f"ELSE sequence({start}, {end} - CASE WHEN ({step}) > 0L THEN 1L ELSE -1L END, {step}) END"
    )


def signed(cell: str) -> str:
    """SQL of an integer wrapped to 32 bits, signed."""
    return f"((({cell}) + 2147483648L) & {MASK}) - 2147483648L"


def unsigned(cell: str) -> str:
    """SQL of an integer wrapped to 32 bits, unsigned."""
    return f"({cell}) & {MASK}"


# ---- floats


def _no_number(cell: str) -> str:
    return f"({cell} & 2147483647L) > {_INFINITY}"


def _float_order(cell: str) -> str:
    """SQL of an integer that orders floats by their values; both zeros have the same."""
    return f"(CASE WHEN {cell} >= 0L THEN {cell} ELSE -2147483648L - {cell} END)"


def _value_of_float(cell: str) -> str:
    """SQL of a finite float as a DOUBLE."""
    exponent, mantissa = f"(shiftright({cell}, 23) & 255L)", f"({cell} & 8388607L)"
    magnitude = (
        f"(CASE WHEN {exponent} = 0L THEN {mantissa} ELSE {mantissa} + 8388608L END) * "
        f"pow(2.0D, greatest({exponent}, 1L) - 150L)"
    )
    return f"(CASE WHEN {cell} < 0L THEN -1.0D ELSE 1.0D END) * {magnitude}"


def _is_finite(cell: str) -> str:
    return f"({cell} & {_INFINITY}) <> {_INFINITY}"


def _as_number(double: str) -> str:
    """SQL of a DOUBLE converted to a number as processors do."""
    return (
        f"CASE WHEN {double} > -2147483649.0D AND {double} < 2147483648.0D THEN CAST({double} AS BIGINT) ELSE "
        "-2147483648L END"
    )


def _float_to_number(cell: str) -> str:
    return f"CASE WHEN {_is_finite(cell)} THEN {_as_number(_value_of_float(cell))} ELSE -2147483648L END"


def _float_to_unsigned(cell: str) -> str:
    value = _value_of_float(cell)
    fits = f"{_is_finite(cell)} AND {value} >= -9223372036854775808.0D AND {value} < 9223372036854775808.0D"
    return f"CASE WHEN {fits} THEN CAST({value} AS BIGINT) & {MASK} ELSE 0L END"


# ---- integers


def _shift(cell: str) -> str:
    return f"CAST({cell} & 31L AS INT)"


def _flag(condition: str) -> str:
    return f"CAST({condition} AS BIGINT)"


def _unsigned_product(a: str, b: str) -> str:
    """Multiply by the two halves of b, because the full product may need all 64 bits, which leaves none for a sign."""
    return f"shiftleft(({a} * shiftright({b}, 16)) & 65535L, 16) + {a} * ({b} & 65535L)"


def _power(a: str, b: str) -> str:
    return _as_number(f"pow(CAST({a} AS DOUBLE), CAST({b} AS DOUBLE))")


def _same(a: str) -> str:
    return a


_Table = Mapping[str, Callable[..., str]]
_ON_INTEGERS: dict[str, Callable[..., str]] = {
    "%": lambda a, b: f"{a} % nullif({b}, 0L)",
    "band": lambda a, b: f"{a} & {b}",
    "bor": lambda a, b: f"{a} | {b}",
    "bxor": lambda a, b: f"{a} ^ {b}",
    "bshr": lambda a, b: f"shiftright({a}, {_shift(b)})",
    "land": lambda a, b: _flag(f"{a} <> 0L AND {b} <> 0L"),
    "lor": lambda a, b: _flag(f"{a} <> 0L OR {b} <> 0L"),
    "lxor": lambda a, b: _flag(f"({a} <> 0L) <> ({b} <> 0L)"),
    "lnot": lambda a: _flag(f"{a} = 0L"),
    "min": lambda *arguments: f"least({', '.join((*arguments, arguments[0]))})",
    "max": lambda *arguments: f"greatest({', '.join((*arguments, arguments[0]))})",
}
_ON_NUMBERS: _Table = {
    **_ON_INTEGERS,
    "+": lambda a, b: signed(f"{a} + {b}"),
    "-": lambda a, b: signed(f"{a} - {b}"),
    "*": lambda a, b: signed(f"{a} * {b}"),
    "/": lambda a, b: signed(f"{a} DIV nullif({b}, 0L)"),
    "^": _power,
    "neg": lambda a: signed(f"-{a}"),
    "bnot": lambda a: f"~{a}",
    "bshl": lambda a, b: signed(f"shiftleft({a}, {_shift(b)}) & {MASK}"),
    "bshru": lambda a, b: signed(f"shiftright({a} & {MASK}, {_shift(b)})"),
    "to_number": _same,
    "to_unsigned": unsigned,
    "bits_number": _same,
    "bits_unsigned": unsigned,
    "bits_float": _same,
    "ord": _same,
}
_ON_UNSIGNED: _Table = {
    **_ON_INTEGERS,
    "+": lambda a, b: unsigned(f"{a} + {b}"),
    "-": lambda a, b: unsigned(f"{a} - {b}"),
    "*": lambda a, b: unsigned(_unsigned_product(a, b)),
    "/": lambda a, b: f"{a} DIV nullif({b}, 0L)",
    "neg": lambda a: unsigned(f"-{a}"),
    "bnot": lambda a: unsigned(f"~{a}"),
    "bshl": lambda a, b: unsigned(f"shiftleft({a}, {_shift(b)})"),
    "bshru": lambda a, b: f"shiftright({a}, {_shift(b)})",
    "to_number": signed,
    "to_unsigned": _same,
    "bits_number": signed,
    "bits_unsigned": _same,
    "bits_float": signed,
    "ord": signed,
}
_ON_FLOATS: _Table = {
    "neg": lambda a: f"{a} ^ -2147483648L",
    "min": lambda a, b: f"CASE WHEN {compared('<', b, a, Kind.FLOAT)} THEN {b} ELSE {a} END",
    "max": lambda a, b: f"CASE WHEN {compared('>', b, a, Kind.FLOAT)} THEN {b} ELSE {a} END",
    "to_number": _float_to_number,
    "to_unsigned": _float_to_unsigned,
    "to_float": _same,
    "bits_number": _same,
    "bits_unsigned": unsigned,
    "bits_float": _same,
    "ord": _same,
}
