"""Arithmetic of numbers, unsigned and floats of 32 or 64 bits, on Python values.

Integers wrap around; division truncates towards zero, shifts use the low five or six bits; floats follow IEEE 754.
Powers and conversions whose result does not fit give what a 64-bit processor gives: the least number, and for unsigned
the low bits of a 64-bit integer. `NoValue` means that there is no result: a division of integers by zero, text that
does not start with a number.
"""

from __future__ import annotations

import math
import numbers
import re
import struct
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from ladder.language.core import Kind

NAN = -math.nan  # the sign that processors give it
_LONGEST = 4000  # digits of an integer in text


class NoValue(Exception):
    """A function has no result for its arguments."""


@dataclass(frozen=True)
class Domain:
    """Numbers with this many bits, and the functions on them."""

    bits: int

    @property
    def least(self) -> int:
        return -(1 << self.bits - 1)

    def wrap(self, value: int, kind: Kind) -> int:
        """The integer that the low bits of a value represent."""
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if kind is Kind.NUMBER and value >= 1 << self.bits - 1 else value

    def range(self, kind: Kind) -> tuple[int, int]:
        """(the least, the greatest) value of the kind, number or unsigned."""
        return (self.least, -self.least - 1) if kind is Kind.NUMBER else (0, (1 << self.bits) - 1)

    def round(self, value: float) -> float:
        """The nearest float of the domain; infinite where the value is too large."""
        try:
            return float(struct.unpack("<f", struct.pack("<f", value))[0]) if self.bits == 32 else float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf

    def show(self, value: float, digits: int | None = None) -> str:
        """The text of a float in results, by default with as many significant digits as distinguish all floats."""
        return _nan(value) if math.isnan(value) else f"{value:.{digits or (9 if self.bits == 32 else 17)}g}"

    def compute(self, function: str, arguments: tuple[Any, ...], kind: Kind) -> Any:
        """The value of a function on numbers or of a conversion between numbers and text; raises `NoValue`."""
        if function in _CONVERSIONS:
            return _CONVERSIONS[function](self, arguments[0], kind)
        if kind is Kind.FLOAT:
            return self.round(_ON_FLOATS[function](*arguments))
        if function in ("^", "bshl", "bshr", "bshru"):
            return self.wrap(_ON_BITS[function](self, *arguments, kind), kind)
        return self.wrap(_ON_INTEGERS[function](*arguments), kind)

    def generate_range(self, start: Any, end: Any, step: Any = None) -> Iterator[Any]:
        """The values start, start + step, … before end; the default step is 1 or -1, whichever leads to the end. A step
        of zero gives the start alone, unless that is the end. Floats are added one by one."""
        step = (1 if start <= end else -1) if step is None else step
        if step == 0:
            return iter((start,) if start != end else ())
        if isinstance(start, float):
            return self._generate_floats(start, end, step)
        return iter(range(start, end, step))

    def parse_number(self, text: str) -> int:
        """The number at the start of a text: decimal, `0x…` or `0b…`; raises `NoValue`."""
        return self._within(_integer(text), Kind.NUMBER)

    def parse_unsigned(self, text: str) -> int:
        """The unsigned number at the start of a text; raises `NoValue`."""
        if text.startswith("-"):
            raise NoValue
        return self._within(_integer(text), Kind.UNSIGNED)

    def parse_float(self, text: str) -> float:
        """The float at the start of a text, which may be hexadecimal, infinite or not a number; raises `NoValue`."""
        found = _FLOAT.match(text)
        if found is None:
            raise NoValue
        digits = found.group().strip().lower()
        if "nan" in digits:
            return -math.nan if digits.startswith("-") else math.nan
        try:
            value = float.fromhex(digits) if "0x" in digits else float(digits)
        except OverflowError:
            raise NoValue from None
        rounded = self.round(value)
        tiny = 2.0 ** (-126 if self.bits == 32 else -1022)
        if (
            math.isinf(rounded)
            and "inf" not in digits
            or abs(rounded) < tiny
            and re.search("[1-9a-f]", re.split("[ep]", digits)[0])
        ):
            raise NoValue
        return rounded

    def to_number(self, value: Any, kind: Kind) -> int:
        if kind is Kind.SYMBOL:
            return self.parse_number(value)
        return self._truncated(value, Kind.NUMBER) if kind is Kind.FLOAT else self.wrap(value, Kind.NUMBER)

    def to_unsigned(self, value: Any, kind: Kind) -> int:
        if kind is Kind.SYMBOL:
            return self.parse_unsigned(value)
        return self._truncated(value, Kind.UNSIGNED) if kind is Kind.FLOAT else self.wrap(value, Kind.UNSIGNED)

    def to_float(self, value: Any, kind: Kind) -> float:
        return self.parse_float(value) if kind is Kind.SYMBOL else self.round(value)

    def bits_of(self, value: Any, kind: Kind) -> int:
        """The bits of a float, as an integer of the kind."""
        if kind is Kind.FLOAT:
            return int(
                struct.unpack("<i", struct.pack("<f", value))[0]
                if self.bits == 32
                else struct.unpack("<q", struct.pack("<d", value))[0]
            )
        return self.wrap(value, Kind.NUMBER)

    def float_of_bits(self, value: Any, kind: Kind) -> float:
        """The float that has the bits of an integer."""
        bits = self.bits_of(value, kind)
        return float(
            struct.unpack("<f", struct.pack("<i", bits))[0]
            if self.bits == 32
            else struct.unpack("<d", struct.pack("<q", bits))[0]
        )

    def power(self, a: int, b: int, kind: Kind) -> int:
        return self._truncated(_float_power(float(a), float(b)), kind)

    def _truncated(self, value: float, kind: Kind) -> int:
        """A float converted to an integer, as processors do it."""
        if kind is Kind.NUMBER:
            whole = math.trunc(value) if math.isfinite(value) else self.least
            return whole if self.least <= whole <= -self.least - 1 else self.least
        if -(2.0**63) <= value < 2.0**63 or self.bits == 64 and 0 <= value < 2.0**64:
            return self.wrap(int(value), kind)
        return 1 << 63 if self.bits == 64 and not value >= 2.0**64 else 0

    def _within(self, value: int, kind: Kind) -> int:
        least, most = self.range(kind)
        if not least <= value <= most:
            raise NoValue
        return value

    def _generate_floats(self, start: float, end: float, step: float) -> Iterator[float]:
        while start < end if step > 0 else end < start:
            yield start
            if (following := self.round(start + step)) == start:
                return
            start = following


NARROW, WIDE = Domain(32), Domain(64)


def show_number(value: float) -> str:
    """The text that `to_string` gives for a number."""
    if isinstance(value, int):
        return str(value)
    return _nan(value) if math.isnan(value) else f"{value:f}"


def held(value: Any, kind: Kind | None) -> Any:
    """A number of 64 bits as a Python object of its kind. (Python's equal int and float values are one interned object,
    so each use converts it.)"""
    if kind is Kind.FLOAT:
        value = float(value)
        return value if not math.isnan(value) else NAN if math.copysign(1.0, value) < 0 else math.nan
    return WIDE.wrap(int(value), kind) if kind is Kind.NUMBER or kind is Kind.UNSIGNED else value


def expect_wide(value: Any, kind: Kind) -> Any:
    """A value from outside as a number of 64 bits of the kind; TypeError or OverflowError where it is none."""
    expected = numbers.Real if kind is Kind.FLOAT else numbers.Integral
    if type(value) is bool or not issubclass(type(value), expected):
        raise TypeError(value)
    if kind is not Kind.FLOAT:
        least, most = WIDE.range(kind)
        if not least <= value <= most:
            raise OverflowError(value)
    return held(value, kind)


_FLOAT = re.compile(
    r"[ \t-\r]*[+-]?(?:0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?"
    r"|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?|[nN][aA][nN])",
    re.ASCII,
)
_BINARY, _HEXADECIMAL = re.compile(r"(-?)0b([01]*)"), re.compile(r"(-?)0x([0-9a-fA-F]*)")
_DECIMAL = re.compile(r"[ \t-\r]*([+-]?)(\d+)", re.ASCII)


def _integer(text: str) -> int:
    for form, base, without_digits in ((_BINARY, 2, ""), (_HEXADECIMAL, 16, "0"), (_DECIMAL, 10, "")):
        if found := form.match(text):
            digits = found[2] or without_digits
            if not digits or len(digits) > _LONGEST:
                break
            return -int(digits, base) if found[1] == "-" else int(digits, base)
    raise NoValue


def _nan(value: float) -> str:
    return "-nan" if math.copysign(1.0, value) < 0 else "nan"


def _quotient(a: int, b: int) -> int:
    if b == 0:
        raise NoValue
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


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
    return a if math.isnan(a) else NAN if a == 0 else math.copysign(math.inf, a) * math.copysign(1.0, b)


def _float(operation: Callable[[float, float], float]) -> Callable[[float, float], float]:
    """The operation with the usual sign of results that are not a number (NaN) although the arguments are numbers."""

    def call(a: float, b: float) -> float:
        result = operation(a, b)
        return NAN if math.isnan(result) and not (math.isnan(a) or math.isnan(b)) else result

    return call


_ON_INTEGERS: dict[str, Callable[..., int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
    "neg": lambda a: -a,
    "band": lambda a, b: a & b,
    "bor": lambda a, b: a | b,
    "bxor": lambda a, b: a ^ b,
    "bnot": lambda a: ~a,
    "land": lambda a, b: int(a != 0 and b != 0),
    "lor": lambda a, b: int(a != 0 or b != 0),
    "lxor": lambda a, b: int((a != 0) != (b != 0)),
    "lnot": lambda a: int(a == 0),
    "min": min,
    "max": max,
}

_ON_BITS: dict[str, Callable[..., int]] = {
    "^": Domain.power,
    "bshl": lambda domain, a, b, kind: a << (b & domain.bits - 1),
    "bshr": lambda domain, a, b, kind: a >> (b & domain.bits - 1),
    "bshru": lambda domain, a, b, kind: domain.wrap(a, Kind.UNSIGNED) >> (b & domain.bits - 1),
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

_CONVERSIONS: dict[str, Callable[[Domain, Any, Kind], Hashable]] = {
    "to_number": Domain.to_number,
    "to_unsigned": Domain.to_unsigned,
    "to_float": Domain.to_float,
    "to_string": lambda domain, value, kind: str(value) if kind is Kind.SYMBOL else show_number(value),
    "bits_number": Domain.bits_of,
    "bits_unsigned": lambda domain, value, kind: domain.wrap(domain.bits_of(value, kind), Kind.UNSIGNED),
    "bits_float": Domain.float_of_bits,
}
ON_NUMBERS = frozenset((*_ON_INTEGERS, *_ON_BITS, *_ON_FLOATS))
CONVERSIONS = frozenset(_CONVERSIONS)
