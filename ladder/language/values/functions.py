"""The signatures of built-in functions: the kinds of arguments and results.

Overloads are resolved by the arguments and by the use of the result; of several that remain the first is taken: symbols
before numbers before unsigned before floats.
"""

from __future__ import annotations

from dataclasses import dataclass

ANY = "any"
ITERATION = "recursive_iteration_cnt"


@dataclass(frozen=True)
class Overload:
    """The kinds of the arguments (of a variadic function the one kind of all of them) and of the result."""

    parameters: tuple[str, ...]
    result: str
    variadic: bool = False

    def parameter(self, position: int) -> str:
        return self.parameters[0 if self.variadic else position]

    def takes(self, count: int) -> bool:
        """Whether the function takes this many arguments."""
        return count > 0 if self.variadic else count == len(self.parameters)


_INTEGERS = ("number", "unsigned")
_NUMERIC = ("number", "unsigned", "float")
_ORDERED = ("symbol", *_NUMERIC)
_OF_INTEGERS = ("band", "bor", "bxor", "bshl", "bshr", "bshru", "land", "lor", "lxor", "%")
_OF_NUMBERS = ("-", "*", "/", "^")
SIGNS = {"neg": "-"}
INFIX = frozenset(("+", *_OF_NUMBERS, *_OF_INTEGERS))


def _same(count: int, kinds: tuple[str, ...]) -> tuple[Overload, ...]:
    return tuple(Overload((kind,) * count, kind) for kind in kinds)


def _conversion(result: str) -> tuple[Overload, ...]:
    return tuple(Overload((kind,), result) for kind in _ORDERED)


OVERLOADS: dict[str, tuple[Overload, ...]] = {
    "+": _same(2, _ORDERED),
    **dict.fromkeys(_OF_NUMBERS, _same(2, _NUMERIC)),
    **dict.fromkeys(_OF_INTEGERS, _same(2, _INTEGERS)),
    "bnot": _same(1, _INTEGERS),
    "lnot": _same(1, _INTEGERS),
    "neg": _same(1, ("number", "float")),
    "min": tuple(Overload((kind,), kind, True) for kind in _ORDERED),
    "max": tuple(Overload((kind,), kind, True) for kind in _ORDERED),
    "cat": (Overload(("symbol",), "symbol", True),),
    "range": (*_same(2, _NUMERIC), *_same(3, _NUMERIC)),
    "ord": (Overload((ANY,), "number"),),
    "strlen": (Overload(("symbol",), "number"),),
    "substr": (Overload(("symbol", "number", "number"), "symbol"),),
    "to_number": _conversion("number"),
    "to_unsigned": _conversion("unsigned"),
    "to_float": _conversion("float"),
    "to_string": _conversion("symbol"),
    "itof": (Overload(("number",), "float"),),
    "itou": (Overload(("number",), "unsigned"),),
    "utof": (Overload(("unsigned",), "float"),),
    "utoi": (Overload(("unsigned",), "number"),),
    "ftoi": (Overload(("float",), "number"),),
    "ftou": (Overload(("float",), "unsigned"),),
    ITERATION: (Overload((), "unsigned"),),
}
FUNCTIONS = tuple(
    name for name in OVERLOADS if name.isidentifier() and name not in INFIX and name not in ("neg", "bnot", "lnot")
)


def shown(name: str) -> str:
    """A function's name as programs write it."""
    return SIGNS.get(name, name)


def counts(name: str) -> str:
    """How many arguments a function takes, as text for messages."""
    overloads = OVERLOADS[name]
    if overloads[0].variadic:
        return "at least 1 argument"
    found = sorted({len(o.parameters) for o in overloads})
    return " or ".join(map(str, found)) + (" argument" if found == [1] else " arguments")
