"""The interface of a lattice, the values `BOTTOM` and `TOP`, dual lattices and widening."""

from __future__ import annotations

import enum
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ladder.lattices.shapes import Shape, shape_of, upside_down, widened_shape_of

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Value = TypeVar("Value", bound=Hashable)

MEANING = 1
"""A number that is raised on purpose, when a supplied lattice or function gives another result than before: states that
were saved with it do not serve any more. `tests/lattices/test_meaning.py` fails when results change without it."""


class Extreme(enum.Enum):
    """The least and the greatest value, for lattices that have none among their other values."""

    BOTTOM = "Bottom"
    TOP = "Top"

    def __repr__(self) -> str:
        return self.value


BOTTOM, TOP = Extreme.BOTTOM, Extreme.TOP


class Lattice(Generic[Value]):
    """A set of hashable Python values with a join, by which the last column of a relation can be aggregated.

    `join` must be associative, commutative and idempotent, and its result the least value that dominates both
    arguments. Joins may be made in any order and remembered, so equal arguments must give equal results. `ladder check`
    and `ladder.lattices.laws` test these laws.

    A subclass may also have
    - `bottom` and `top`, its least and its greatest value;
    - `meet(a, b)`, the greatest value below both; together with `bottom` it defines the value of a variable that occurs
      in several lattice columns of a body;
    - `widen(a, b)`, a value above both, for lattices with infinite (or very long) ascending chains: relations that
      depend on themselves are aggregated by it. Like `join` it must be associative, commutative and idempotent, and its
      chains must be finite;
    - `inject(value)`, which turns a plain value (a number, a symbol) into one of the lattice; aggregator heads then
      take plain values: `PointsTo(v, lub(heap)) :- …`;
    - `elements`, all of its values, if they are few: their joins are then looked up in a table. The table is computed
      by joining each two of them (up to 256 elements) or provided as `table` (up to 4,096): `table[i][j]` is the
      position of the join;
    - `compiled = True`, if `join` is a static method of two numbers that numba can compile: it is then called by
      compiled code. The carrier is "number" (32 bits, signed) or an unsigned type; a result is truncated to 32 bits; it
      must not raise;
    - `shape()`, a description of its values and their join, as one of `ladder.lattices.shapes`: Spark then joins them
      in SQL instead of Python; `widened_shape()` describes `widen`. Both hold for the class that defines them, not for
      subclasses.

    Values are of any hashable type. If a program declares a type with the lattice's name (a record, an ADT, a subtype
    of number or symbol), they are values of that type: records are tuples, `$Branch(x)` is ("Branch", x), nil is None.
    """

    carrier: str = "object"  # "number" or "symbol" where the values are plain numbers or symbols

    def join(self, a: Value, b: Value) -> Value:
        """The least value that dominates both."""
        raise NotImplementedError

    def leq(self, a: Value, b: Value) -> bool:
        """Whether `b` dominates `a`."""
        return self.join(a, b) == b

    def values(self) -> SearchStrategy[Value]:
        """A hypothesis strategy for values on which the laws are tested; by default it draws from `examples`."""
        from hypothesis import strategies

        return strategies.sampled_from(list(self.examples()))

    def examples(self) -> Sequence[Value]:
        """Values on which the laws are tested; they should cover every case of `join`."""
        raise NotImplementedError

    def show(self, value: Value) -> str:
        """The text of a value in results, which must be the same in every run, and differ for different values."""
        return text_of(value)


class _SameValues(Lattice[Any]):
    """A lattice with the values of another one, in another order or with another join."""

    def __init__(self, of: Any) -> None:
        self.of = of
        self.carrier = getattr(of, "carrier", "object")

    def values(self) -> SearchStrategy[Any]:
        strategy: SearchStrategy[Any] = self.of.values()
        return strategy

    def examples(self) -> Sequence[Any]:
        examples: Sequence[Any] = self.of.examples()
        return examples

    def show(self, value: Any) -> str:
        return str(self.of.show(value))


class Dual(_SameValues):
    """The dual of a lattice, whose join is the other's meet; `glb(x)` in a head aggregates by it.

    a ⊑ b in the dual ⟺ b ⊑ a in the lattice; bottom and top, join and meet are exchanged.
    """

    def __init__(self, of: Any) -> None:
        if not callable(getattr(of, "meet", None)):
            raise TypeError(f"{of!r} has no meet, so it cannot be turned around")
        super().__init__(of)
        if hasattr(of, "bottom"):
            self.top = of.bottom
        if hasattr(of, "top"):
            self.bottom = of.top
        if hasattr(of, "inject"):
            self.inject = of.inject

    def join(self, a: Any, b: Any) -> Any:
        return self.of.meet(a, b)

    def meet(self, a: Any, b: Any) -> Any:
        return self.of.join(a, b)

    def leq(self, a: Any, b: Any) -> bool:
        return below(self.of, b, a)

    def shape(self) -> Shape | None:
        """The shape of the other lattice's values under its meet."""
        return upside_down(shape_of(self.of), Dual)


class Widening(_SameValues):
    """A lattice with the values of another one, joined by its `widen`; relations that depend on themselves are
    aggregated by it."""

    def __init__(self, of: Any) -> None:
        super().__init__(of)
        self.join = of.widen  # type: ignore[method-assign]

    def leq(self, a: Any, b: Any) -> bool:
        return below(self.of, a, b)

    def shape(self) -> Shape | None:
        """The shape of the other lattice's values under its `widen`."""
        return widened_shape_of(self.of)


def text_of(value: object) -> str:
    """A value of whatever lattice as text, the same in every run: sets are sorted, tuples are written as records."""
    if value is None:
        return "nil"
    if isinstance(value, Extreme):
        return value.value
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return f"[{', '.join(map(text_of, value))}]"
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(map(text_of, value))) + "}"
    return str(value)


def below(lattice: Any, a: Any, b: Any) -> bool:
    """Whether `b` dominates `a`; computed by `join` if the lattice has no `leq`."""
    leq = getattr(lattice, "leq", None)
    return bool(lattice.join(a, b) == b if leq is None else leq(a, b))


def dual(of: Any) -> Dual:
    """The dual of a lattice."""
    return Dual(of)
