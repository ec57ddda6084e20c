"""Abstract values of Java's integral types and of strings for constants and intervals: lattices and functors.

Numbers are Python integers within the range of their type; booleans are 0 and 1. A constant is a number, a string in
the quoted form in which facts have it, `NULL`, `BOTTOM` or `TOP`; a range is (low, high), both inclusive, or
(low, high, stride), if it is only each so many of the numbers, or `BOTTOM`.
All operators wrap around as Java's do; `BOTTOM` means that there is no value: the code does not run, or it throws (a
division by zero).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import gcd

from ladder.lattices import BOTTOM, TOP, Extreme, Strided, flat, stride, strided, within
from ladder.lattices.strided import Stride

Constant = int | str | Extreme
Range = Stride | Extreme

BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
RANGES = {
    "boolean": (0, 1),
    "char": (0, 0xFFFF),
    **{name: (-(1 << bits - 1), (1 << bits - 1) - 1) for name, bits in BITS.items()},
}
THRESHOLDS = tuple(sorted({bound for low_high in RANGES.values() for bound in low_high} | {-1, 0, 1}))
LENGTHS = (0, RANGES["int"][1])  # what a text, or a collection, may have
SIZE = "size"  # the type of variables whose value is how long the text or collection is that they hold
NULL = "null"  # no string: those are quoted
STRING = "java.lang.String"
LONGEST = 2000  # characters of a string that is a constant, so that doubling one in a long program ends

constants = flat
widened_ranges = strided(THRESHOLDS)
ranges = Strided(*widened_ranges.top)  # chains end only where the values that are joined do not depend on the result


def any_object() -> Extreme:
    """Top of the lattices of sets of objects."""
    return TOP


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


def _number(literal: str) -> int | None:
    return int(literal) if re.fullmatch(r"-?\d+", literal) else None


# ---- constants


def constant(literal: str, type_: str) -> Constant:
    """The constant that a literal is in `type_`: an integral number, a quoted string or null; any value for others."""
    if literal == NULL or literal.startswith('"'):
        return TOP if type_ in RANGES else literal
    number = _number(literal)
    return TOP if type_ not in RANGES or number is None else wrap(number, type_)


def any_constant(type_: str) -> Constant:
    """Any value of the type."""
    return NULL if type_ == NULL else TOP


def default_constant(type_: str) -> Constant:
    """What fields and array elements of the type hold at first."""
    return 0 if type_ in RANGES else NULL


def length_constant(given: Constant) -> Constant:
    """The length of an array that is allocated with the given one; a negative one throws."""
    return BOTTOM if isinstance(given, int) and given < 0 else given


def binary_constant(operator: str, type_: str, left: Constant, right: Constant) -> Constant:
    """`left operator right`; a factor or mask 0 decides alone."""
    if left is BOTTOM or right is BOTTOM:
        return BOTTOM
    if operator in _COMPARISONS:
        outcomes = list(outcomes_of_constants(operator, left, right))
        return outcomes[0] if len(outcomes) == 1 else TOP
    if isinstance(left, int) and isinstance(right, int):
        result = compute(operator, type_, left, right)
        return BOTTOM if result is None else result
    return 0 if operator in ("*", "&") and 0 in (left, right) else TOP


def computed_constant(operation: str, type_: str, left: Constant, right: Constant) -> Constant:
    """What an operation gives, which is written as `values.dl` writes it: a binary operator of the language, `swapped`
    and one if its operands stand the other way round, `unary` and an operator, `cast`, `refined` and how the operand
    compares with the other one, `concatenation` of operands of two types (`left+right`), or a method of strings. Those
    of one operand ignore the right one."""
    kind, _, operator = operation.partition(" ")
    if operation.startswith("<java"):
        return string_compared(operation, left, right) if "()" not in operation else string_result(operation, left)
    if kind == "concatenation":
        left_type, _, right_type = type_.partition("+")
        return concatenated(left_type, left, right_type, right)
    if kind in _CONSTANT_OPERATIONS:
        return _CONSTANT_OPERATIONS[kind](operator, type_, left, right)
    return binary_constant(operation, type_, left, right)


def unary_constant(operator: str, type_: str, operand: Constant) -> Constant:
    """`operator operand`."""
    return wrap(_UNARY[operator](operand), type_) if isinstance(operand, int) else operand


def cast_constant(type_: str, value: Constant) -> Constant:
    """`(type) value`."""
    return wrap(value, type_) if isinstance(value, int) and type_ in RANGES else value


def refined_constant(comparison_: str, value: Constant, other: Constant) -> Constant:
    """What is left of `value` if `value comparison other` holds. Strings are compared by identity: equal ones may be
    different objects."""
    if value is BOTTOM or other is BOTTOM:
        return BOTTOM
    if isinstance(other, Extreme):
        return value
    if isinstance(value, Extreme):
        return other if comparison_ == "==" else value
    if isinstance(value, int) and isinstance(other, int):
        return value if _COMPARISONS[comparison_](value, other) else BOTTOM
    if comparison_ == "==":
        return value if value == other else BOTTOM
    return BOTTOM if value == other == NULL else value


def outcomes_of_constants(operator: str, left: Constant, right: Constant) -> Iterator[int]:
    """Whether `left operator right` may be false (0), and whether it may be true (1)."""
    for outcome in (0, 1):
        if refined_constant(comparison(operator, outcome, 1), left, right) is not BOTTOM:
            yield outcome


def constant_may_equal(value: Constant, label: Constant) -> int:
    """Whether a switch on the value may go to the label, 1 or 0."""
    return int(value is not BOTTOM and (value is TOP or value == label))


def constant_text(value: Constant) -> str:
    """The constant as a decimal number, a quoted string or null, "" if it is not one."""
    return "" if isinstance(value, Extreme) else str(value)


# ---- strings


def concatenated(left_type: str, left: Constant, right_type: str, right: Constant) -> Constant:
    """`left + right` as strings, of operands of the given types."""
    if left is BOTTOM or right is BOTTOM:
        return BOTTOM
    head, tail = _text(left_type, left), _text(right_type, right)
    if head is None or tail is None or len(head) + len(tail) > LONGEST:
        return TOP
    joined = head + tail
    return TOP if _SURROGATE.search(joined) else f'"{joined}"'


def string_result(method: str, value: Constant) -> Constant:
    """What a method of `string_methods` without parameters returns; it throws if the string is null."""
    name = _method_name(method)
    if value is BOTTOM or value == NULL:
        return BOTTOM
    if not isinstance(value, str):
        return TOP
    if name in ("intern", "toString"):
        return value
    units = _units(value)
    return len(units) if name == "length" else int(not units)


def string_compared(method: str, value: Constant, argument: Constant) -> Constant:
    """What a method with one parameter returns; it throws if the string is null."""
    if value is BOTTOM or argument is BOTTOM or value == NULL:
        return BOTTOM
    name = _method_name(method)
    if not isinstance(value, str) or isinstance(argument, Extreme):
        return TOP
    if name == "equals":
        return int(value == argument)
    if name == "charAt":
        units = _units(value)
        return TOP if isinstance(argument, str) else units[argument] if 0 <= argument < len(units) else BOTTOM
    if not isinstance(argument, str) or argument == NULL:
        return BOTTOM
    if name == "concat":
        return concatenated(STRING, value, STRING, argument)
    units, other = _units(value), _units(argument)
    return int(units[: len(other)] == other if name == "startsWith" else units[len(units) - len(other) :] == other)


def _method_name(method: str) -> str:
    return method.partition("(")[0].rpartition(" ")[2]


_SURROGATE = re.compile(r"\\ud[89a-f]")  # of an escaped half: two halves side by side are written as one character
_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _text(type_: str, value: Constant) -> str | None:
    """The value of a type as text in a quoted string, if it is known."""
    if isinstance(value, Extreme):
        return None
    if isinstance(value, str):
        return value if value == NULL else value[1:-1]
    if type_ == "boolean":
        return "true" if value else "false"
    if type_ != "char":
        return str(value)
    return {'"': '\\"', "\\": "\\\\"}.get(chr(value), chr(value)) if 32 <= value < 127 else None


def _units(quoted: str) -> list[int]:
    """The UTF-16 code units of a string."""
    plain = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _SHORT.get(m[2], m[2]), quoted[1:-1])
    data = plain.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]


# ---- ranges


def range_of(literal: str, type_: str) -> Range:
    """The range of a literal in `type_`; any value for literals of other types."""
    if type_ == SIZE:
        return size_of(literal)
    number = _number(literal)
    if type_ not in RANGES or number is None:
        return ranges.top
    value = wrap(number, type_)
    return value, value


def any_range(type_: str) -> Range:
    """All values of the type."""
    return LENGTHS if type_ == SIZE else RANGES.get(type_, ranges.top)


def default_range(type_: str) -> Range:
    """What fields and array elements of the type hold at first."""
    return LENGTHS if type_ == SIZE else (0, 0)


def length_range(given: Range) -> Range:
    """The length of an array that is allocated with a given one; a negative one throws."""
    return refined_range(">=", given, (0, 0))


def binary_range(operator: str, type_: str, left: Range, right: Range) -> Range:
    """All values of `left operator right`, or more; all of the type where the result may wrap around."""
    if isinstance(left, Extreme) or isinstance(right, Extreme):
        return BOTTOM
    if operator in _COMPARISONS:
        return _compare(operator, left, right)
    if left[0] == left[1] and right[0] == right[1]:
        result = compute(operator, type_, left[0], right[0])
        return BOTTOM if result is None else (result, result)
    if operator in ("/", "%") and right == (0, 0):
        return BOTTOM
    bounds = _RANGE_OPERATORS[operator](left, right, type_)
    by, of = stride(left), stride(right)
    if by == 1 == of or operator not in _CLASS_OPERATORS:
        return _fit(bounds, type_)
    return _fit(bounds, type_, *_CLASS_OPERATORS[operator](by, left, of, right, type_))


def computed_range(operation: str, type_: str, left: Range, right: Range) -> Range:
    """What an operation gives, which is written as for `computed_constant`; intervals know no strings."""
    kind, _, operator = operation.partition(" ")
    if kind in _RANGE_OPERATIONS:
        return _RANGE_OPERATIONS[kind](operator, type_, left, right)
    return binary_range(operation, type_, left, right)


def unary_range(operator: str, type_: str, operand: Range) -> Range:
    """All values of `operator operand`."""
    if isinstance(operand, Extreme):
        return BOTTOM
    low, high = sorted(_UNARY[operator](bound) for bound in operand[:2])
    return (wrap(low, type_), wrap(high, type_)) if low == high else _fit((low, high), type_, stride(operand), low)


def cast_range(type_: str, value: Range) -> Range:
    """All values of `(type) value`."""
    if isinstance(value, Extreme):
        return BOTTOM
    if type_ == SIZE:
        return value
    low, high = value[:2]
    return (wrap(low, type_), wrap(high, type_)) if low == high else _fit((low, high), type_, stride(value), low)


def refined_range(comparison_: str, value: Range, other: Range) -> Range:
    """What is left of `value` if `value comparison other` holds."""
    if isinstance(value, Extreme) or isinstance(other, Extreme):
        return BOTTOM
    if comparison_ == "==":
        return ranges.meet(value, other)
    low, high = value[:2]
    if comparison_ == "!=":
        if other[0] == other[1]:
            low, high = low + (low == other[0]), high - (high == other[0])
    elif comparison_ in ("<", "<="):
        high = min(high, other[1] - (comparison_ == "<"))
    else:
        low = max(low, other[0] + (comparison_ == ">"))
    return ((low, high) if low <= high else BOTTOM) if len(value) == 2 else within(low, high, value[2], value[0])


def outcomes_of_ranges(operator: str, left: Range, right: Range) -> Iterator[int]:
    """Whether `left operator right` may be false (0), and whether it may be true (1)."""
    for outcome in (0, 1):
        if refined_range(comparison(operator, outcome, 1), left, right) is not BOTTOM:
            yield outcome


def range_may_equal(value: Range, label: Range) -> int:
    """Whether a switch on the value may go to the label, 1 or 0."""
    return int(ranges.meet(value, label) is not BOTTOM)


def lower_bound(value: Range, type_: str) -> str:
    """The low end of a range that says more than the type does, as a decimal number, else ""."""
    return "" if isinstance(value, Extreme) or _says_nothing(value, type_) else str(value[0])


def upper_bound(value: Range, type_: str) -> str:
    """The high end of a range that says more than the type does, as a decimal number, else ""."""
    return "" if isinstance(value, Extreme) or _says_nothing(value, type_) else str(value[1])


def _says_nothing(value: Stride, type_: str) -> bool:
    return value[0] <= RANGES[type_][0] and value[1] >= RANGES[type_][1]


def _fit(bounds: tuple[int, int], type_: str, modulus: int = 1, remainder: int = 0) -> Range:
    """The numbers with the remainder between the bounds if these are of the type; else it may wrap around to any value
    whose low bits are those that all of them have."""
    low, high = RANGES[type_]
    if not low <= bounds[0] <= bounds[1] <= high:
        bounds, modulus = (low, high), min(modulus & -modulus, high - low + 1)
    return bounds if modulus == 1 else within(*bounds, modulus, remainder)


def _compare(operator: str, left: Stride, right: Stride) -> Range:
    holds = refined_range(operator, left, right) is not BOTTOM
    fails = refined_range(_NEGATED[operator], left, right) is not BOTTOM
    return int(not fails), int(holds)


def _corners(left: Stride, right: Stride, operate: Callable[[int, int], int]) -> tuple[int, int]:
    values = [operate(a, b) for a in left[:2] for b in right[:2]]
    return min(values), max(values)


def _quotient(left: Stride, right: Stride, type_: str) -> tuple[int, int]:
    """Divisors of each sign apart; 0 throws."""
    parts = [part for part in ((right[0], min(right[1], -1)), (max(right[0], 1), right[1])) if part[0] <= part[1]]
    found = [_corners(left, part, lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)) for part in parts]
    return min(low for low, _ in found), max(high for _, high in found)


def _remainder(left: Stride, right: Stride, type_: str) -> tuple[int, int]:
    """It has the sign of the dividend, and is smaller than the divisor and no greater than the dividend."""
    most = max(abs(right[0]), abs(right[1])) - 1
    return (max(left[0], -most) if left[0] < 0 else 0), (min(left[1], most) if left[1] > 0 else 0)


def _shift(operator: str) -> Callable[[Stride, Stride, str], tuple[int, int]]:
    def shifted(left: Stride, right: Stride, type_: str) -> tuple[int, int]:
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


def _and(left: Stride, right: Stride, type_: str) -> tuple[int, int]:
    """No greater than an operand that is not negative."""
    bounds = [operand[1] for operand in (left, right) if operand[0] >= 0]
    return (0, min(bounds)) if bounds else RANGES[type_]


def _or(left: Stride, right: Stride, type_: str) -> tuple[int, int]:
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
_CONSTANT_OPERATIONS: dict[str, Callable[[str, str, Constant, Constant], Constant]] = {
    "swapped": lambda operator, type_, a, b: binary_constant(operator, type_, b, a),
    "unary": lambda operator, type_, a, _: unary_constant(operator, type_, a),
    "cast": lambda _, type_, a, __: cast_constant(type_, a),
    "refined": lambda compares, _, a, b: refined_constant(compares, a, b),
}
_RANGE_OPERATIONS: dict[str, Callable[[str, str, Range, Range], Range]] = {
    "swapped": lambda operator, type_, a, b: binary_range(operator, type_, b, a),
    "unary": lambda operator, type_, a, _: unary_range(operator, type_, a),
    "cast": lambda _, type_, a, __: cast_range(type_, a),
    "refined": lambda compares, _, a, b: refined_range(compares, a, b),
    "within": lambda _, __, a, b: ranges.meet(a, b),
    "size": lambda operator, type_, a, b: size_range(operator, type_, a, b),
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
_RANGE_OPERATORS: dict[str, Callable[[Stride, Stride, str], tuple[int, int]]] = {
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


# ---- what remainders results have: operators of (modulus, range) pairs give (modulus, remainder); 1: nothing is known


def _class_of_product(by: int, left: Stride, of: int, right: Stride, type_: str) -> tuple[int, int]:
    return gcd(by * of, by * right[0], of * left[0]), left[0] * right[0]


def _class_of_quotient(by: int, left: Stride, of: int, right: Stride, type_: str) -> tuple[int, int]:
    """That of a division that is exact, or cuts off the same of each number, as none is negative."""
    divisor = right[0]
    if of or not divisor or by % divisor or (left[0] < 0 and left[0] % divisor):
        return 1, 0
    first = abs(left[0]) // abs(divisor)
    return by // abs(divisor), first if (left[0] < 0) == (divisor < 0) else -first


def _class_of_left_shift(by: int, left: Stride, of: int, right: Stride, type_: str) -> tuple[int, int]:
    if not 0 <= right[0] <= right[1] < BITS[type_]:
        return 1, 0
    return (by << right[0], left[0] << right[0]) if not of else (gcd(by, left[0]) << right[0], 0)


def _class_of_right_shift(by: int, left: Stride, of: int, right: Stride, type_: str) -> tuple[int, int]:
    """That of numbers that differ only in bits that stay."""
    if of or not 0 <= right[0] < BITS[type_] or by % (1 << right[0]):
        return 1, 0
    return by >> right[0], left[0] >> right[0]


def _class_of_bits(operator: str) -> Callable[[int, Stride, int, Stride, str], tuple[int, int]]:
    """That of the low bits of the result that are known: those of both operands are, or one of them decides alone."""

    def found(by: int, left: Stride, of: int, right: Stride, type_: str) -> tuple[int, int]:
        mine, other = _low_bits(by), _low_bits(of)
        known = mine & other
        if operator == "&":
            known |= (mine & ~left[0]) | (other & ~right[0])
        elif operator == "|":
            known |= (mine & left[0]) | (other & right[0])
        modulus = (known ^ (known + 1)) + 1 >> 1
        return modulus, _ARITHMETIC[operator](left[0], right[0]) % modulus

    return found


def _low_bits(by: int) -> int:
    """The bits that numbers at this distance from one another have in common, as a mask."""
    return (by & -by) - 1 if by else (1 << BITS["long"]) - 1


_CLASS_OPERATORS: dict[str, Callable[[int, Stride, int, Stride, str], tuple[int, int]]] = {
    "+": lambda by, left, of, right, _: (gcd(by, of), left[0] + right[0]),
    "-": lambda by, left, of, right, _: (gcd(by, of), left[0] - right[0]),
    "*": _class_of_product,
    "/": _class_of_quotient,
    "%": lambda by, left, of, right, _: (gcd(by, of, right[0]), left[0]),
    "<<": _class_of_left_shift,
    ">>": _class_of_right_shift,
    ">>>": lambda by, left, of, right, type_: (
        (1, 0) if left[0] < 0 else _class_of_right_shift(by, left, of, right, type_)
    ),
    "&": _class_of_bits("&"),
    "|": _class_of_bits("|"),
    "^": _class_of_bits("^"),
}


# ---- sizes of texts and collections


def size_of(literal: str) -> Range:
    """The size of a text as facts have it; null has any; a number is one."""
    if literal.startswith('"'):
        size = len(_units(literal))
        return size, size
    number = _number(literal)
    return LENGTHS if number is None else (number, number)


def size_range(operator: str, type_: str, left: Range, right: Range) -> Range:
    """What operations of `sizes.dl` give for two sizes or numbers; `BOTTOM` where they always throw."""
    if isinstance(left, Extreme) or isinstance(right, Extreme):
        return BOTTOM
    return _SIZE_OPERATORS[operator](left, right, type_)


def _within_lengths(low: int, high: int) -> Range:
    low, high = max(low, 0), min(high, LENGTHS[1])
    return (low, high) if low <= high else BOTTOM


def _size_of_texts(left: Stride, right: Stride, type_: str) -> Range:
    first, _, second = type_.partition("+")
    (low, high), (least, most) = _text_size(first, left), _text_size(second, right)
    return _within_lengths(low + least, high + most)


def _text_size(type_: str, value: Stride) -> tuple[int, int]:
    """How many characters a value of the type, or a text of such a size, has in a concatenation."""
    low, high = value[:2]
    if type_ == "char":
        return 1, 1
    if type_ == "boolean":
        return 5 - high, 5 - low
    if type_ not in BITS:
        return low, high
    sizes = [len(str(low)), len(str(high)), *([1] if low <= 0 <= high else [])]
    return min(sizes), max(sizes)


def _size_from(length: Stride, start: Stride, _: str) -> Range:
    """That of the text from a position, which is not beyond the end."""
    if start[1] < 0 or start[0] > length[1]:
        return BOTTOM
    return _within_lengths(length[0] - start[1], length[1] - max(start[0], 0))


def _size_between(start: Stride, end: Stride, _: str) -> Range:
    """That of what is between two positions."""
    if start[1] < 0:
        return BOTTOM
    return _within_lengths(end[0] - start[1], end[1] - max(start[0], 0))


_SIZE_OPERATORS: dict[str, Callable[[Stride, Stride, str], Range]] = {
    "of texts": _size_of_texts,
    "from": _size_from,
    "between": _size_between,
    "times": lambda size, count, _: _within_lengths(size[0] * max(count[0], 0), size[1] * max(count[1], 0)),
    "part": lambda size, _, __: (0, size[1]),
    "place": lambda size, _, __: (-1, size[1]),
}


# ---- what conditions are called


def condition_named(branch: str) -> str:
    """The text of what a branch asks, as messages have it; of one that is too long for a name, no text."""
    text = re.sub(r"#\d+$", "", branch.rpartition("/if: ")[2])
    if re.search(r"~[0-9a-f]+$", text) or "/if: " not in branch:
        return "this condition"
    # What is one name is called with the expression around it, if that says more than that it is negated.
    part = re.fullmatch(r"([\w.$]+) in (.+)", text)
    if part is None:
        return f"`{text}`"
    name, whole = part.groups()
    return f"`{name}`" if whole == f"!{name}" else f"`{name}` in `{whole}`"
