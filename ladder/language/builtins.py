"""What the built-in functions and comparisons compute, on Python values; engines' kernels are compared with these.

Numbers and unsigned are 32 bits and wrap around; division truncates towards zero, shifts use the low five bits,
floats are rounded to single precision. `NoValue` means that there is no result, so the rule does not fire: a division
by zero, text that is not a number, a power that is not real. Patterns are regular expressions of the whole text; what
is not one matches nothing, and nothing fails to match it.
"""
from __future__ import annotations

import re
import struct
import warnings
from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from typing import Any

from ladder.language.core import Kind


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
    if function in _ON_SYMBOLS:
        return _ON_SYMBOLS[function](*arguments)
    if function == "to_string":
        return show_number(arguments[0])
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


def generate_range(start: int, end: int, step: int | None = None) -> Iterator[int]:
    """start, start + step, … up to and without end; step is 1 or -1, whichever leads there, unless given."""
    step = (1 if start <= end else -1) if step is None else step
    return iter(range(start, end, step)) if step else iter(())


def show_number(value: int | float) -> str:
    return str(value) if isinstance(value, int) else f"{value:f}"


def _quotient(a: int, b: int, kind: Kind) -> int:
    if b == 0:
        raise NoValue
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int, kind: Kind) -> int:
    return a - b * _quotient(a, b, kind)


def _power(a: int, b: int, kind: Kind) -> int:
    if b >= 0:
        return pow(a, b, 1 << 32)
    if a == 0:
        raise NoValue
    return {1: 1, -1: 1 if b % 2 == 0 else -1}.get(a, 0)


def _float_power(a: float, b: float) -> float:
    try:
        result: float | complex = a ** b
    except (ZeroDivisionError, OverflowError) as error:
        raise NoValue from error
    if isinstance(result, complex):
        raise NoValue
    return result


def _float_quotient(a: float, b: float) -> float:
    if b == 0:
        raise NoValue
    return a / b


def _to_number(text: str) -> int:
    try:
        value = int(text, 0) if re.fullmatch(r"[+-]?(?:\d+|0[xX][0-9a-fA-F]+|0[bB][01]+)", text) else None
    except ValueError:
        value = int(text)   # leading zeros
    if value is None or not -(1 << 31) <= value < 1 << 31:
        raise NoValue
    return value


def _substring(text: str, start: int, length: int) -> str:
    """Empty where the start lies outside the text; the rest of it where the length is negative."""
    if not 0 <= start <= len(text):
        return ""
    return text[start:start + length] if length >= 0 else text[start:]


def _ordinal(text: str) -> int:
    """A number of its own for each text; which one depends on what was asked for before."""
    return _ordinals.setdefault(text, len(_ordinals))


_ordinals: dict[str, int] = {}
_CLASSES = {"alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s",
            "xdigit": "0-9a-fA-F", "w": r"\w", "d": r"\d", "s": r"\s", "blank": r" \t", "punct": r"!-/:-@\[-`{-~"}


@lru_cache(4096)
def _pattern(text: str) -> re.Pattern[str] | None:
    """The regular expression of a text, with POSIX's classes of characters; None where it is not one."""
    known = re.sub(r"\[:(\w+):\]", lambda found: _CLASSES.get(found.group(1), found.group()), text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        try:
            return re.compile(known)
        except (re.error, OverflowError, RecursionError):
            return None


def _matches(pattern: str, text: str) -> bool:
    compiled = _pattern(pattern)
    return compiled is not None and compiled.fullmatch(text) is not None


def _does_not_match(pattern: str, text: str) -> bool:
    compiled = _pattern(pattern)
    return compiled is not None and compiled.fullmatch(text) is None


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
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _float_quotient,
    "^": _float_power,
    "neg": lambda a: -a,
    "min": min,
    "max": max,
}

_ON_SYMBOLS: dict[str, Callable[..., Hashable]] = {
    "cat": lambda a, b: a + b,
    "strlen": len,
    "substr": _substring,
    "to_number": _to_number,
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
