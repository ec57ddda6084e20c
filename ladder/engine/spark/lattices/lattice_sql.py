"""Joins on cells as SQL: aggregate functions that Spark compiles. Joins on bytes are in `lattice_bytes`.

A join is a few *parts*, each a number that a built-in aggregate function (min, max, bit_and) gathers over the values of
a group; the cell of the total is computed from the gathered parts at the end. Parts of totals and of new values are
gathered alike, so idempotent joins need no more than this:

    min, max               the cell; of floats its rank: -0 before 0, NaN after all others
    flat                   least and greatest constant; where they differ, Top
    tables of joins        a bit for each meet-irreducible element that dominates the value; bits of a join are the bits
                           of both

`sum` is the one that is not idempotent: it is made of the distinct summands of a group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.spark.values.shipping import failure
from ladder.errors import LadderError
from ladder.language.core import Kind, Type
from ladder.lattices.shapes import Numbers, shape_of

MOST_BITS = 62  # of a table's values, in one number
MOST_JOINED = 256  # elements of a finite lattice; every two of them are joined to find such bits
PAIRS = {
    "min": "least({}, {})",
    "max": "greatest({}, {})",
    "bit_and": "(({}) & ({}))",
    "collect_set": "array_union({}, {})",
}
OF_TOTALS = {"collect_set": "array(max_by({}, x.f))"}  # aggregates of stored totals, where it is another one
NOT_FINITE = 0x7F800000  # bits of infinity; greater ones, without the sign, are NaN
AFTER_ALL = 1 << 40  # added to the ranks of NaN
NUMBERS = (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT)

Encode = Callable[[Sequence[Any], Type], Iterable[int]]  # values → cells, as on Spark


@dataclass(frozen=True)
class SqlJoin:
    """A join as SQL. `parts`: (aggregate function, SQL of its argument as a function of the value's SQL); `result`: SQL
    of the total as a function of the parts' SQL.

    `contents`: values and totals are canonical bytes instead of cells; `checked`: SQL of a new value, which raises an
    error where this cannot join it. `entries`: how entries of maps are joined; `result` is then only the array of the
    maps that are to be joined.
    """

    parts: tuple[tuple[str, Callable[[str], str]], ...]
    result: Callable[[Sequence[str]], str]
    contents: bool = False
    checked: Callable[[str], str] = lambda value: value
    entries: Entries | None = None

    def of_group(self, value: str) -> str:
        """SQL of the total of a group of such values."""
        return self.result([f"{function}({argument(value)})" for function, argument in self.parts])


@dataclass(frozen=True)
class Entries:
    """How entries of maps are joined. `apart`: SQL of an array of (key, value) from a map; `join`: the join of values;
    `written`: SQL of an entry from its key and total."""

    apart: Callable[[str], str]
    join: SqlJoin
    written: Callable[[str, str], str]


def join_of_cells(name: str, lattice: Any, type_: Type, encode: Encode) -> SqlJoin | None:
    """The join of an aggregate with this name, and with this lattice if the name is a lattice's; None where cells do
    not suffice to compute it.

    `encode` is called for the few values that the lattice itself names.
    """
    if lattice is None:
        return _extreme(name, type_.kind) if name in ("min", "max") and type_.kind in NUMBERS else None
    if not getattr(lattice, "idempotent", True):
        return None
    shape = shape_of(lattice)
    if isinstance(shape, Numbers) and type_.kind in (Kind.NUMBER, Kind.UNSIGNED):
        return _extreme(shape.function, type_.kind)
    if getattr(lattice, "compiled", False):
        return None
    if getattr(lattice, "kernel_join", None) == "flat" and type_.kind is Kind.OBJECT:
        bottom, top = encode([lattice.bottom, lattice.top], type_)
        return _flat(int(bottom), int(top))
    if isinstance(getattr(lattice, "elements", None), Sequence):
        return _table(name, lattice, type_, encode)
    return None


def sum_of(value: str, kind: Kind) -> str:
    """SQL of the sum of a group's summands, wrapped to 32 bits like every number."""
    if kind is Kind.UNSIGNED:
        return f"(sum({value}) & 4294967295L)"
    return f"(((sum({value}) + 2147483648L) & 4294967295L) - 2147483648L)"


def _extreme(name: str, kind: Kind) -> SqlJoin:
    """The join of numbers that is the least (min) or the greatest (max)."""
    if kind is not Kind.FLOAT:
        return SqlJoin(((name, lambda value: value),), lambda parts: parts[0])
    return SqlJoin(((name, rank_of_float),), lambda parts: float_of_rank(parts[0]))


def rank_of_float(cell: str) -> str:
    """SQL of a number that orders cells with floats as the local engine does: a total order of all bit patterns."""
    return (
        f"CASE WHEN ({cell} & 2147483647L) > {NOT_FINITE}L THEN {cell} + {AFTER_ALL}L "
        f"WHEN {cell} >= 0L THEN {cell} ELSE {cell} ^ 2147483647L END"
    )


def float_of_rank(rank: str) -> str:
    """SQL of the cell with a rank."""
    return (
        f"CASE WHEN {rank} > {AFTER_ALL >> 1}L THEN {rank} - {AFTER_ALL}L "
        f"WHEN {rank} >= 0L THEN {rank} ELSE {rank} ^ 2147483647L END"
    )


def _flat(bottom: int, top: int) -> SqlJoin:
    """The join of a flat lattice: the least and the greatest constant are the same one, or the join is Top."""

    def constant(value: str) -> str:
        return f"nullif({value}, {bottom}L)"

    return SqlJoin(
        (("min", constant), ("max", constant)),
        lambda parts: (
            f"CASE WHEN {parts[0]} IS NULL THEN {bottom}L WHEN {parts[0]} = {parts[1]} THEN {parts[0]} ELSE {top}L END"
        ),
    )


def _table(name: str, lattice: Any, type_: Type, encode: Encode) -> SqlJoin | None:
    """The join of a finite lattice; None where it has too many elements, or their table of joins is not that of a
    lattice."""
    elements = list(lattice.elements)
    bits = table_bits(lattice, elements)
    if bits is None:
        return None
    cells = [int(cell) for cell in encode(elements, type_)]
    if len(set(cells)) < len(cells):
        return None
    unknown = raised(
        LadderError(
            f"A value that {name} is to join is not among its elements.",
            "`elements` of a lattice must be all of its values, or be left out.",
        )
    )
    to_bits = sorted((cell, f"{number}L") for cell, number in zip(cells, bits, strict=True))
    to_cell = sorted((number, f"{cell}L") for cell, number in zip(cells, bits, strict=True))
    return SqlJoin(
        (("bit_and", lambda value: chosen(value, to_bits, f"CAST({unknown} AS BIGINT)")),),
        lambda parts: f"CASE WHEN {parts[0]} IS NOT NULL THEN {chosen(parts[0], to_cell, 'CAST(NULL AS BIGINT)')} END",
    )


def table_bits(lattice: Any, elements: list[Any]) -> list[int] | None:
    """The numbers of elements as in `bits_of`; None where there are too many elements, or their table of joins is not
    that of a lattice."""
    places = _places_of_joins(lattice, elements)
    return None if places is None else bits_of(places)


def raised(error: LadderError) -> str:
    """SQL that raises an error when it is evaluated, to be cast to a type."""
    return f"raise_error(CAST(X'{str(failure(error)).encode().hex()}' AS STRING))"


def _places_of_joins(lattice: Any, elements: list[Any]) -> npt.NDArray[np.int64] | None:
    """The table of joins: the index of the join of every two elements; None where there are too many, or a join is not
    among them."""
    count = len(elements)
    if not 0 < count <= MOST_JOINED:
        return None
    table = getattr(lattice, "table", None)
    if table is not None:
        table = np.asarray(table)
        return (
            table.astype(np.int64) if table.shape == (count, count) and ((table >= 0) & (table < count)).all() else None
        )
    place = {element: number for number, element in enumerate(elements)}
    joins = [[place.get(lattice.join(a, b)) for b in elements] for a in elements]
    return None if any(None in row for row in joins) else np.array(joins, np.int64)


def bits_of(joins: npt.NDArray[np.int64]) -> list[int] | None:
    """A number for each element of a table of joins, such that the number of a join is the bitwise AND of the numbers
    of its operands.

    Bit m says that an element is at most the m-th meet-irreducible one: x ∨ y ≤ m ⟺ x ≤ m and y ≤ m. None where there
    are too many meet-irreducible elements, or where the table is not that of a lattice.
    """
    count = len(joins)
    below = joins == np.arange(count)  # below[i, j]: i ≤ j

    def irreducible(m: int) -> bool:
        above = below[m].copy()
        above[m] = False
        return not (below[:, above].all(axis=1) == below[:, m]).all()

    kept = [m for m in range(count) if irreducible(m)]
    if len(kept) > MOST_BITS:
        return None
    dominated = below[:, kept]
    bits = [int(sum(1 << bit for bit in np.flatnonzero(row).tolist())) for row in dominated]
    exact = (dominated[joins] == (dominated[:, None, :] & dominated[None, :, :])).all()
    return bits if exact and len(set(bits)) == count else None


def chosen(value: str, pairs: list[tuple[int, str]], otherwise: str) -> str:
    """SQL that finds the SQL for a number in `pairs` (number, SQL), sorted by number, by a tree of comparisons;
    `otherwise` where it is not among them."""
    if len(pairs) == 1:
        return f"IF({value} = {pairs[0][0]}L, {pairs[0][1]}, {otherwise})"
    middle = len(pairs) // 2
    return (
        f"IF({value} < {pairs[middle][0]}L, {chosen(value, pairs[:middle], otherwise)}, "
        f"{chosen(value, pairs[middle:], otherwise)})"
    )
