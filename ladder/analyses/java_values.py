"""Abstract values of Java's integral types for constant propagation and interval analysis: lattices and functors.

Numbers are Python integers within the range of their type; booleans are 0 and 1. A constant is a number, `BOTTOM` or
`TOP`; a range is (low, high), both inclusive, or `BOTTOM`. All operators wrap around as Java's do; `BOTTOM` means that
there is no value: the code does not run, or it throws (a division by zero).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from ladder.lattices import BOTTOM, TOP, Extreme, Interval, flat, interval

Constant = int | Extreme
Range = tuple[int, int] | Extreme

BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
RANGES = {
    "boolean": (0, 1),
    "char": (0, 0xFFFF),
    **{name: (-(1 << bits - 1), (1 << bits - 1) - 1) for name, bits in BITS.items()},
}
THRESHOLDS = tuple(sorted({bound for low_high in RANGES.values() for bound in low_high} | {-1, 0, 1, 15, 63, 255}))

constants = flat
widened_ranges = interval(THRESHOLDS)
ranges = Interval(*widened_ranges.top)  # chains end only where the values that are joined do not depend on the result


def any_object() -> Extreme:
    """Top of the lattices of sets of objects."""
    return TOP


def same(value: Hashable) -> Hashable:
    """The value itself, as one of the lattice with the other join."""
    return value


def wrap(value: int, type_: str) -> int:
    """The number of the type that an integer becomes by a narrowing conversion."""
    if type_ == "char":
        return value & 0xFFFF
    if type_ == "boolean":
        return value & 1
    bits = BITS[type_]
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def compute(operator: str, type_: str, left: int, right: int) -> int | None:
    """`left operator right` computed in `type_` (int, long or boolean); None where it throws."""
    if operator in _COMPARISONS:
        return int(_COMPARISONS[operator](left, right))
    if operator in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return wrap(quotient if operator == "/" else left - right * quotient, type_)
    if operator in ("<<", ">>", ">>>"):
        distance = right & (63 if type_ == "long" else 31)
        if operator == ">>>":
            left &= (1 << BITS[type_]) - 1
        return wrap(left << distance if operator == "<<" else left >> distance, type_)
    return wrap(_ARITHMETIC[operator](left, right), type_)


def comparison(operator: str, outcome: int, position: int) -> str:
    """How the operand at `position` compares with the other one if `left operator right` has this outcome."""
    operator = operator if outcome else _NEGATED[operator]
    return operator if position == 1 else _MIRRORED[operator]


# ---- constants


def constant(decimal: str, type_: str) -> Constant:
    """The constant that a literal of any integral type is in `type_`; any value for other literals."""
    return wrap(int(decimal), type_) if type_ in RANGES else TOP


def any_constant(type_: str) -> Constant:
    """Any value of the type."""
    return TOP


def length_constant() -> Constant:
    """The length of some array."""
    return TOP


def binary_constant(operator: str, type_: str, left: Constant, right: Constant) -> Constant:
    """`left operator right`; a factor or mask 0 decides alone."""
    if left is BOTTOM or right is BOTTOM:
        return BOTTOM
    if isinstance(left, int) and isinstance(right, int):
        result = compute(operator, type_, left, right)
        return BOTTOM if result is None else result
    return 0 if operator in ("*", "&") and 0 in (left, right) else TOP


def unary_constant(operator: str, type_: str, operand: Constant) -> Constant:
    """`operator operand`."""
    return wrap(_UNARY[operator](operand), type_) if isinstance(operand, int) else operand


def cast_constant(type_: str, value: Constant) -> Constant:
    """`(type) value`."""
    return wrap(value, type_) if isinstance(value, int) else value


def refined_constant(comparison_: str, value: Constant, other: Constant) -> Constant:
    """What is left of `value` if `value comparison other` holds."""
    if value is BOTTOM or other is BOTTOM:
        return BOTTOM
    if not isinstance(other, int):
        return value
    if isinstance(value, int):
        return value if _COMPARISONS[comparison_](value, other) else BOTTOM
    return other if comparison_ == "==" else value


def constant_text(value: Constant) -> str:
    """The constant as a decimal number, "" if it is not one."""
    return str(value) if isinstance(value, int) else ""


# ---- ranges


def range_of(decimal: str, type_: str) -> Range:
    """The range of a literal in `type_`; any value for literals of other types."""
    if type_ not in RANGES:
        return ranges.top
    value = wrap(int(decimal), type_)
    return value, value


def any_range(type_: str) -> Range:
    """All values of the type."""
    return RANGES.get(type_, ranges.top)


def length_range() -> Range:
    """The lengths of arrays."""
    return 0, RANGES["int"][1]


def binary_range(operator: str, type_: str, left: Range, right: Range) -> Range:
    """All values of `left operator right`, or more; all of the type where the result may wrap around."""
    if isinstance(left, Extreme) or isinstance(right, Extreme):
        return BOTTOM
    if operator in _COMPARISONS:
        return _compare(operator, left, right)
    if left[0] == left[1] and right[0] == right[1]:
        result = compute(operator, type_, left[0], right[0])
        return BOTTOM if result is None else (result, result)
    return _fit(_RANGE_OPERATORS[operator](left, right, type_), type_)


def unary_range(operator: str, type_: str, operand: Range) -> Range:
    """All values of `operator operand`."""
    if isinstance(operand, Extreme):
        return BOTTOM
    low, high = sorted(_UNARY[operator](bound) for bound in operand)
    return (wrap(low, type_), wrap(high, type_)) if low == high else _fit((low, high), type_)


def cast_range(type_: str, value: Range) -> Range:
    """All values of `(type) value`."""
    if isinstance(value, Extreme):
        return BOTTOM
    low, high = value
    return (wrap(low, type_), wrap(high, type_)) if low == high else _fit(value, type_)


def refined_range(comparison_: str, value: Range, other: Range) -> Range:
    """What is left of `value` if `value comparison other` holds."""
    if isinstance(value, Extreme) or isinstance(other, Extreme):
        return BOTTOM
    low, high = value
    if comparison_ == "==":
        low, high = max(low, other[0]), min(high, other[1])
    elif comparison_ == "!=":
        if other[0] == other[1]:
            low, high = low + (low == other[0]), high - (high == other[0])
    elif comparison_ in ("<", "<="):
        high = min(high, other[1] - (comparison_ == "<"))
    else:
        low = max(low, other[0] + (comparison_ == ">"))
    return (low, high) if low <= high else BOTTOM


def lower_bound(value: Range, type_: str) -> str:
    """The low end of a range that says more than the type does, as a decimal number, else ""."""
    return "" if isinstance(value, Extreme) or _says_nothing(value, type_) else str(value[0])


def upper_bound(value: Range, type_: str) -> str:
    """The high end of a range that says more than the type does, as a decimal number, else ""."""
    return "" if isinstance(value, Extreme) or _says_nothing(value, type_) else str(value[1])


def _says_nothing(value: tuple[int, int], type_: str) -> bool:
    return value[0] <= RANGES[type_][0] and value[1] >= RANGES[type_][1]


def _fit(bounds: tuple[int, int], type_: str) -> Range:
    """The bounds if they are of the type; else it may wrap around to any value."""
    low, high = RANGES[type_]
    return bounds if low <= bounds[0] <= bounds[1] <= high else (low, high)


def _compare(operator: str, left: tuple[int, int], right: tuple[int, int]) -> Range:
    holds = refined_range(operator, left, right) is not BOTTOM
    fails = refined_range(_NEGATED[operator], left, right) is not BOTTOM
    return int(not fails), int(holds)


def _corners(left: tuple[int, int], right: tuple[int, int], operate: Callable[[int, int], int]) -> tuple[int, int]:
    values = [operate(a, b) for a in left for b in right]
    return min(values), max(values)


def _quotient(left: tuple[int, int], right: tuple[int, int], type_: str) -> tuple[int, int]:
    """Divisors of each sign apart; 0 throws."""
    parts = [part for part in ((right[0], min(right[1], -1)), (max(right[0], 1), right[1])) if part[0] <= part[1]]
    if not parts:
        return RANGES[type_]
    found = [_corners(left, part, lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)) for part in parts]
    return min(low for low, _ in found), max(high for _, high in found)


def _remainder(left: tuple[int, int], right: tuple[int, int], type_: str) -> tuple[int, int]:
    """It has the sign of the dividend, and is smaller than the divisor and no greater than the dividend."""
    most = max(abs(right[0]), abs(right[1])) - 1
    return (max(left[0], -most) if left[0] < 0 else 0), (min(left[1], most) if left[1] > 0 else 0)


def _shift(operator: str) -> Callable[[tuple[int, int], tuple[int, int], str], tuple[int, int]]:
    def shifted(left: tuple[int, int], right: tuple[int, int], type_: str) -> tuple[int, int]:
        if not 0 <= right[0] <= right[1] < BITS[type_]:
            if operator == "<<" or (operator == ">>>" and left[0] < 0):
                return RANGES[type_]
            return min(left[0], 0), max(left[1], -1 if left[1] < 0 else 0)  # towards 0 or -1, however far
        if operator == "<<":
            return _corners(left, right, lambda a, b: a << b)
        if operator == ">>" or left[0] >= 0:
            return _corners(left, right, lambda a, b: a >> b)
        return (0, ((1 << BITS[type_]) - 1) >> right[0]) if right[0] > 0 else RANGES[type_]

    return shifted


def _and(left: tuple[int, int], right: tuple[int, int], type_: str) -> tuple[int, int]:
    """No greater than an operand that is not negative."""
    bounds = [high for low, high in (left, right) if low >= 0]
    return (0, min(bounds)) if bounds else RANGES[type_]


def _or(left: tuple[int, int], right: tuple[int, int], type_: str) -> tuple[int, int]:
    """Operands that are not negative: no bit above their highest."""
    if left[0] < 0 or right[0] < 0:
        return RANGES[type_]
    return 0, (1 << max(left[1], right[1]).bit_length()) - 1


_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
_UNARY: dict[str, Callable[[int], int]] = {"-": lambda a: -a, "~": lambda a: ~a, "+": lambda a: a, "!": lambda a: 1 - a}
_RANGE_OPERATORS: dict[str, Callable[[tuple[int, int], tuple[int, int], str], tuple[int, int]]] = {
    "+": lambda a, b, _: (a[0] + b[0], a[1] + b[1]),
    "-": lambda a, b, _: (a[0] - b[1], a[1] - b[0]),
    "*": lambda a, b, _: _corners(a, b, lambda x, y: x * y),
    "/": _quotient,
    "%": _remainder,
    "<<": _shift("<<"),
    ">>": _shift(">>"),
    ">>>": _shift(">>>"),
    "&": _and,
    "|": _or,
    "^": _or,
}
