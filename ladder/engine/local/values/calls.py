"""What functions and comparisons return, for cells: each call is made by Python, and nothing is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ladder.engine.local.values.encoding import Values
from ladder.errors import LadderError, OutOfMemory, TimedOut
from ladder.language.core import COMPARISONS, ON_SYMBOLS, Kind, Program, Type
from ladder.language.faults import call_text, located, raised, returned
from ladder.language.values import builtins

SYMBOL = Type("symbol", Kind.SYMBOL)
NUMBER = Type("number", Kind.NUMBER)
OF_KIND = {
    Kind.NUMBER: NUMBER,
    Kind.UNSIGNED: Type("unsigned", Kind.UNSIGNED),
    Kind.FLOAT: Type("float", Kind.FLOAT),
    Kind.SYMBOL: SYMBOL,
    Kind.OBJECT: Type("object", Kind.OBJECT),
}
ARGUMENTS = {"substr": (SYMBOL, NUMBER, NUMBER)}
RESULTS = {
    "cat": SYMBOL,
    "strlen": NUMBER,
    "substr": SYMBOL,
    "to_number": NUMBER,
    "to_unsigned": OF_KIND[Kind.UNSIGNED],
    "to_float": OF_KIND[Kind.FLOAT],
    "to_string": SYMBOL,
}


@dataclass(frozen=True)
class Answerer:
    """A Python function with the types of its arguments and result; `several`: it returns a list of results."""

    name: str
    arguments: tuple[Type, ...]
    result: Type
    call: Callable[..., Any]
    several: bool = False


NO_RESULT = object()
# functions whose result is the cell of their argument, whatever its kind
SAME_CELL = frozenset(("ord", "bits_number", "bits_unsigned", "bits_float"))


class Calls:
    """Calls of the functions of a program and of built-in ones. `look` raises where a limit is reached; it is called
    whenever so many results of one function were taken."""

    def __init__(self, program: Program, values: Values, results_between_looks: int) -> None:
        self.program, self.values, self.results_between_looks = program, values, results_between_looks
        self.look: Callable[[], None] = lambda: None

    def apply(self, name: str, kind: Kind, cells: tuple[int, ...]) -> Any:
        """The result of a function or comparison on cells (a list if it has several), None where there is none."""
        if name in SAME_CELL:
            return cells[0]
        answerer = self._answerer(name, kind, len(cells))
        arguments = [self.values.decode(cell, type_) for cell, type_ in zip(cells, answerer.arguments, strict=True)]
        result = self._value(answerer, tuple(arguments))
        if result is NO_RESULT:
            return None
        try:
            if answerer.several:
                return [self.values.encode(value, answerer.result) for value in result]
            return self.values.encode(result, answerer.result)
        except LadderError as error:
            raise self._misfit(answerer, [tuple(arguments)], [result], error) from error

    def _answerer(self, name: str, kind: Kind, count: int) -> Answerer:
        declared = self.program.functions.get(name)
        if declared is not None:
            return Answerer(name, declared.arguments, declared.result, declared.call, declared.several)
        if name == "range":
            return Answerer(name, (OF_KIND[kind],) * count, OF_KIND[kind], builtins.generate_range, True)
        if name in COMPARISONS:
            sides = OF_KIND[kind]
            return Answerer(name, (sides, sides), NUMBER, lambda a, b: int(builtins.holds(name, a, b)))
        sides = SYMBOL if name in ON_SYMBOLS else OF_KIND[kind]
        arguments = ARGUMENTS.get(name) or (sides,) * count
        return Answerer(name, arguments, RESULTS.get(name, OF_KIND[kind]), lambda *a: builtins.compute(name, a, kind))

    def _value(self, answerer: Answerer, arguments: tuple[Any, ...]) -> Any:
        """What the function returns (a list of several results), or NO_RESULT."""
        try:
            result = answerer.call(*arguments)
            return self._listed(result) if answerer.several else result
        except builtins.NoValue:
            return NO_RESULT
        except (TimedOut, OutOfMemory):
            raise
        except MemoryError:
            wanted = OutOfMemory(
                f"{call_text(answerer.name, arguments)} asked for more memory than there is.",
                "Let it make smaller values.",
            )
            raise located(wanted, self.program, answerer.name) from None
        except BaseException as error:
            raise located(raised(answerer.name, arguments, error), self.program, answerer.name) from error

    def _listed(self, results: Iterable[Any]) -> Any:
        """Results as a list; the limits are checked while they are computed."""
        found, left, most = list[Any](), iter(results), self.results_between_looks
        while chunk := list(islice(left, most)):
            found += chunk
            self.look()
        return found

    def _misfit(
        self, answerer: Answerer, rows: Sequence[tuple[Any, ...]], found: Sequence[Any], error: LadderError
    ) -> LadderError:
        """The error for the first result that is not of its type; `error`: the error for the results as a whole."""
        for arguments, value in zip(rows, found, strict=True):
            try:
                if value is not NO_RESULT:
                    self.values.encode_many(value if answerer.several else [value], answerer.result)
            except LadderError as misfit:
                return located(returned(answerer.name, arguments, misfit), self.program, answerer.name)
        return error
