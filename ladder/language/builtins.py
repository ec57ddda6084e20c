"""What the built-in functions and comparisons compute, on Python values; engines' kernels are compared with these.

Numbers and unsigned are 32 bits and wrap around; division truncates towards zero, shifts use the low five bits,
floats follow IEEE 754 and are rounded to single precision; lengths and positions in texts count bytes of UTF-8.
Powers and conversions of what does not fit give what a 64-bit processor gives: -2147483648 for numbers; the low 32 bits
of a 64-bit integer for unsigned. `NoValue` means that there is no result, so the rule does not fire: a division of
integers by zero, text that does not start with a number. What is not a pattern matches nothing, and nothing fails to
match it.
"""
from __future__ import annotations

import math
import re
import struct
import warnings
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from ladder.errors import LadderWarning
from ladder.language.core import Kind
from ladder.language.patterns import BadPattern, pattern

NAN = -math.nan   # the sign that processors give it


class NoValue(Exception):
    """A function has no result for its arguments."""


def wrap(value: int, kind: Kind) -> int:
    """The integer that 32 bits hold."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if kind is Kind.NUMBER and value >= 1 << 31 else value


def single(value: float) -> float:
    """The nearest single precision number; infinite where it is too large."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def compute(function: str, arguments: tuple[Any, ...], kind: Kind) -> Hashable:
    """The value of a built-in function; raises `NoValue`."""
    if function in _CONVERSIONS:
        return _CONVERSIONS[function](arguments[0], kind)
    if kind is Kind.SYMBOL and function in ("min", "max"):
        return str(min(*arguments) if function == "min" else max(*arguments))
    if function in _ON_SYMBOLS:
        return _ON_SYMBOLS[function](*arguments)
    if kind is Kind.FLOAT:
        return single(_ON_FLOATS[function](*arguments))
    return wrap(_ON_INTEGERS[function](*arguments, kind), kind)


def holds(operator: str, left: Any, right: Any) -> bool:
    """Whether a comparison of two values of one kind holds; a pattern or needle stands at the left."""
    return bool(_COMPARISONS[operator](left, right))


def order_key(value: Any) -> tuple[Any, ...]:
    """What values of one type are sorted by: numbers by size, text by code points, records field by field and nil first."""
    if isinstance(value, int | float):
        return 1, value
    if isinstance(value, str):
        return 2, value
    if value is None:
        return (0,)
    if isinstance(value, tuple):
        return 3, tuple(map(order_key, value))
    if isinstance(value, frozenset):
        return 4, tuple(sorted(map(order_key, value)))
    return 5, type(value).__name__, repr(value)


def generate_range(start: Any, end: Any, step: Any = None) -> Iterator[Any]:
    """start, start + step, … up to and without end; step is 1 or -1, whichever leads there, unless given.

    A step of zero gives the start alone, unless that is the end. Floats are added in single precision.
    """
    step = (1 if start <= end else -1) if step is None else step
    if step == 0:
        return iter((start,) if start != end else ())
    if isinstance(start, float):
        return _generate_floats(start, end, step)
    return iter(range(start, end, step))


def show_number(value: float) -> str:
    """The text of a number as `to_string` makes it."""
    if isinstance(value, int):
        return str(value)
    return _nan(value) if math.isnan(value) else f"{value:f}"


def show_float(value: float, digits: int = 9) -> str:
    """The text of a float in results: as many significant digits as tell single precision numbers apart."""
    return _nan(value) if math.isnan(value) else f"{value:.{digits}g}"


def parse_number(text: str) -> int:
    """The number that a text starts with: decimal, `0x…` or `0b…`; raises `NoValue`."""
    return _in_range(_integer(text), -(1 << 31), (1 << 31) - 1)


def parse_unsigned(text: str) -> int:
    """The unsigned that a text starts with; raises `NoValue`."""
    if text.startswith("-"):
        raise NoValue
    return _in_range(_integer(text), 0, (1 << 32) - 1)


def parse_float(text: str) -> float:
    """The float that a text starts with, also hexadecimal, infinite or not a number; raises `NoValue`."""
    found = _FLOAT.match(text)
    if found is None:
        raise NoValue
    digits = found.group().strip().lower()
    if "nan" in digits:
        return -math.nan if digits.startswith("-") else math.nan
    value = float.fromhex(digits) if "0x" in digits else float(digits)
    rounded = single(value)
    if math.isinf(rounded) and "inf" not in digits or rounded and abs(rounded) < 2.0 ** -126:
        raise NoValue
    return rounded


_FLOAT = re.compile(r"[ \t-\r]*[+-]?(?:0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?"
                    r"|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN])", re.ASCII)
_BINARY, _HEXADECIMAL = re.compile(r"(-?)0b([01]*)"), re.compile(r"(-?)0x([0-9a-fA-F]*)")
_DECIMAL = re.compile(r"[ \t-\r]*([+-]?)(\d+)", re.ASCII)


def _integer(text: str) -> int:
    for form, base, without_digits in ((_BINARY, 2, ""), (_HEXADECIMAL, 16, "0"), (_DECIMAL, 10, "")):
        if found := form.match(text):
            digits = found[2] or without_digits
            if not digits or len(digits) > 4000:
                break
            return -int(digits, base) if found[1] == "-" else int(digits, base)
    raise NoValue


def _in_range(value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise NoValue
    return value


def _nan(value: float) -> str:
    return "-nan" if math.copysign(1.0, value) < 0 else "nan"


def _generate_floats(start: float, end: float, step: float) -> Iterator[float]:
    while start < end if step > 0 else end < start:
        yield start
        if (following := single(start + step)) == start:
            return
        start = following


def _quotient(a: int, b: int, kind: Kind) -> int:
    if b == 0:
        raise NoValue
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int, kind: Kind) -> int:
    return a - b * _quotient(a, b, kind)


def _power(a: int, b: int, kind: Kind) -> int:
    return _truncated(_float_power(a, b), kind)


def _truncated(value: float, kind: Kind) -> int:
    """A float as an integer, as processors convert it."""
    if kind is Kind.NUMBER:
        return int(value) if -2.0 ** 31 - 1 < value < 2.0 ** 31 else -(1 << 31)
    return int(value) & 0xFFFFFFFF if -2.0 ** 63 <= value < 2.0 ** 63 else 0


def _float_power(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except OverflowError:
        return math.inf if a > 0 or b % 2 == 0 else -math.inf
    except ValueError:
        return (math.copysign(math.inf, a) if b % 2 == 1 else math.inf) if a == 0 else NAN


def _float_quotient(a: float, b: float) -> float:
    if b:
        return a / b
    return NAN if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


def _float(operation: Callable[[float, float], float]) -> Callable[[float, float], float]:
    """An operation whose result, where it is not a number though the arguments are, has the usual sign."""
    def call(a: float, b: float) -> float:
        result = operation(a, b)
        return NAN if math.isnan(result) and not (math.isnan(a) or math.isnan(b)) else result
    return call


def _to_number(value: Any, kind: Kind) -> int:
    if kind is Kind.SYMBOL:
        return parse_number(value)
    return _truncated(value, Kind.NUMBER) if kind is Kind.FLOAT else wrap(value, Kind.NUMBER)


def _to_unsigned(value: Any, kind: Kind) -> int:
    if kind is Kind.SYMBOL:
        return parse_unsigned(value)
    return _truncated(value, Kind.UNSIGNED) if kind is Kind.FLOAT else wrap(value, Kind.UNSIGNED)


def _to_float(value: Any, kind: Kind) -> float:
    return parse_float(value) if kind is Kind.SYMBOL else single(value)


def _to_string(value: Any, kind: Kind) -> str:
    return str(value) if kind is Kind.SYMBOL else show_number(value)


def _ordinal(value: Any, kind: Kind) -> int:
    """The bits of a number; for each text and record a number of its own: which one depends on what was asked before."""
    if kind is Kind.FLOAT:
        return int(struct.unpack("<i", struct.pack("<f", value))[0])
    return wrap(value, Kind.NUMBER) if kind in (Kind.NUMBER, Kind.UNSIGNED) else _ordinals.setdefault(value, len(_ordinals))


_ordinals: dict[Hashable, int] = {None: 0}


def _length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _substring(text: str, start: int, length: int) -> str:
    """Empty where the start lies outside the text; the rest of it where the length is negative."""
    if text.isascii():
        if not 0 <= start <= len(text):
            return ""
        return text[start:start + length] if length >= 0 else text[start:]
    encoded = text.encode()
    if not 0 <= start <= len(encoded):
        return ""
    return (encoded[start:start + length] if length >= 0 else encoded[start:]).decode("utf-8", "replace")


def _matches(regular: str, text: str) -> bool:
    compiled = _compiled(regular)
    return compiled is not None and compiled.fullmatch(text.encode()) is not None


def _does_not_match(regular: str, text: str) -> bool:
    compiled = _compiled(regular)
    return compiled is not None and compiled.fullmatch(text.encode()) is None


def _compiled(regular: str) -> re.Pattern[bytes] | None:
    try:
        return pattern(regular)
    except BadPattern as error:
        warnings.warn(f"the pattern {regular!r} matches nothing: {error}", LadderWarning, stacklevel=2)
        return None


_ON_INTEGERS: dict[str, Callable[..., int]] = {
    "+": lambda a, b, k: a + b,
    "-": lambda a, b, k: a - b,
    "*": lambda a, b, k: a * b,
    "/": _quotient,
    "%": _remainder,
    "^": _power,
    "neg": lambda a, k: -a,
    "band": lambda a, b, k: a & b,
    "bor": lambda a, b, k: a | b,
    "bxor": lambda a, b, k: a ^ b,
    "bnot": lambda a, k: ~a,
    "bshl": lambda a, b, k: a << (b & 31),
    "bshr": lambda a, b, k: a >> (b & 31),
    "bshru": lambda a, b, k: (a & 0xFFFFFFFF) >> (b & 31),
    "land": lambda a, b, k: int(a != 0 and b != 0),
    "lor": lambda a, b, k: int(a != 0 or b != 0),
    "lxor": lambda a, b, k: int((a != 0) != (b != 0)),
    "lnot": lambda a, k: int(a == 0),
    "min": lambda a, b, k: min(a, b),
    "max": lambda a, b, k: max(a, b),
}

_ON_FLOATS: dict[str, Callable[..., float]] = {
    "+": _float(lambda a, b: a + b),
    "-": _float(lambda a, b: a - b),
    "*": _float(lambda a, b: a * b),
    "/": _float(_float_quotient),
    "^": _float(_float_power),
    "neg": lambda a: -a,
    "min": min,
    "max": max,
}

_ON_SYMBOLS: dict[str, Callable[..., Hashable]] = {
    "cat": lambda *texts: "".join(texts),
    "strlen": _length,
    "substr": _substring,
}

_CONVERSIONS: dict[str, Callable[[Any, Kind], Hashable]] = {
    "to_number": _to_number,
    "to_unsigned": _to_unsigned,
    "to_float": _to_float,
    "to_string": _to_string,
    "ord": _ordinal,
}

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "match": _matches,
    "not_match": _does_not_match,
    "contains": lambda needle, text: needle in text,
    "not_contains": lambda needle, text: needle not in text,
}
