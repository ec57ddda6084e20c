"""The definitions of the built-in functions and comparisons on Python values, with which the engines' kernels are
compared.

Functions on numbers are those of `arithmetic`; lengths and positions in texts count bytes of UTF-8. `NoValue` means
that there is no result, so the rule does not fire. A text that is no valid pattern makes both `match` and its negation
false.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from ladder.errors import LadderWarning
from ladder.language.core import Kind
from ladder.language.values.arithmetic import NARROW, Domain, NoValue, show_number
from ladder.language.values.patterns import BadPattern, Pattern, pattern

__all__ = [
    "NoValue",
    "compiled_pattern",
    "compute",
    "generate_range",
    "holds",
    "show_float",
    "show_number",
    "single",
    "wrap",
]


def wrap(value: int, kind: Kind) -> int:
    """The integer that the low 32 bits of a value represent."""
    return NARROW.wrap(value, kind)


def single(value: float) -> float:
    """The nearest single-precision number; infinite where the value is too large."""
    return NARROW.round(value)


def show_float(value: float, digits: int | None = None) -> str:
    """The text of a float in results, by default with as many significant digits as distinguish all single-precision
    numbers."""
    return NARROW.show(value, digits)


def compute(function: str, arguments: tuple[Any, ...], kind: Kind, domain: Domain = NARROW) -> Hashable:
    """The value of a built-in function; raises `NoValue`."""
    if kind is Kind.SYMBOL and function in ("min", "max"):
        return str(min(*arguments) if function == "min" else max(*arguments))
    if function in _ON_SYMBOLS:
        return _ON_SYMBOLS[function](*arguments)
    if function in ("ord", "bits_number", "bits_unsigned") and kind not in (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT):
        return _ordinal(arguments[0])
    result: Hashable = domain.compute("bits_number" if function == "ord" else function, arguments, kind)
    return result


def holds(operator: str, left: Any, right: Any) -> bool:
    """Whether a comparison of two values of one kind holds; the pattern of `match` and the substring of `contains` are
    `left`."""
    return bool(_COMPARISONS[operator](left, right))


def generate_range(start: Any, end: Any, step: Any = None) -> Iterator[Any]:
    """The values start, start + step, … before end; see `Domain.generate_range`."""
    return NARROW.generate_range(start, end, step)


def _ordinal(value: Hashable) -> int:
    """A different number for each text and record, in the order of the first calls."""
    return _ordinals.setdefault(value, len(_ordinals))


_ordinals: dict[Hashable, int] = {None: 0}


def _encoded(text: str) -> bytes:
    """A text in UTF-8; half a surrogate pair, which a Python text may hold, as three bytes."""
    return text.encode("utf-8", "surrogatepass")


def _length(text: str) -> int:
    return len(text) if text.isascii() else len(_encoded(text))


def _substring(text: str, start: int, length: int) -> str:
    """A part of a text: empty where the start lies outside of it, the rest of the text where the length is negative.

    Each byte of a character that is cut is replaced by a question mark, so that a part has the length asked for.
    """
    if text.isascii():
        if not 0 <= start <= len(text):
            return ""
        return text[start : start + length] if length >= 0 else text[start:]
    encoded = _encoded(text)
    if not 0 <= start <= len(encoded):
        return ""
    part = encoded[start : start + length] if length >= 0 else encoded[start:]
    leads = [i for i in (*range(min(4, len(part))), *range(max(0, len(part) - 4), len(part))) if part[i] & 0xC0 != 0x80]
    begin, last = (leads[0], leads[-1]) if leads else (len(part), len(part))
    cut = leads and last + (
        1 if part[last] < 0x80 else 2 if part[last] < 0xE0 else 3 if part[last] < 0xF0 else 4
    ) > len(part)
    end = last if cut else len(part)
    return "?" * begin + part[begin:end].decode("utf-8", "surrogatepass") + "?" * (len(part) - end)


def _matches(regular: str, text: str) -> bool:
    compiled = compiled_pattern(regular)
    return compiled is not None and compiled.matches(_encoded(text))


def _does_not_match(regular: str, text: str) -> bool:
    compiled = compiled_pattern(regular)
    return compiled is not None and not compiled.matches(_encoded(text))


def compiled_pattern(regular: str) -> Pattern | None:
    """The pattern that a text is; None, with a warning, for a text that is none."""
    try:
        return pattern(regular)
    except BadPattern as error:
        warnings.warn(f"the pattern {regular!r} matches nothing: {error}", LadderWarning, stacklevel=2)
        return None


_ON_SYMBOLS: dict[str, Callable[..., Hashable]] = {
    "cat": lambda *texts: "".join(texts),
    "strlen": _length,
    "substr": _substring,
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
