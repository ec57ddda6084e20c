"""Join orders, chosen greedily by the number of rows that a look-up is expected to find.

The estimate is the length of the blocks of equal keys that a probe finds, not the size of the relation. For values of
the relation from which a plan starts, it is the size of the join of the two columns divided by the rows of the first,
from histograms of both where they were measured. Otherwise it is `blocks[c]`, the mean number of rows that share a
row's value in column c, weighted by rows (sum of squares over sum), because earlier joins produce values with many rows
more often.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ladder.language.core import Atom, Const, Term, Var
from ladder.support.tuning import DEFAULT, Planning


@dataclass(frozen=True)
class Statistics:
    """The number of rows of a relation, and for each column the expected length of the block that a probe finds.

    `histograms`: for each column the number of rows in each bucket of hashed values (a power of two of them); empty
    where they were not measured.
    """

    rows: float
    blocks: tuple[float, ...]
    histograms: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    # fan-outs that were asked for: (own column, identity of the other relation's statistics, its column) → (these
    # statistics, the number of rows); plans of one rule ask for the same ones again and again
    fanouts: dict[tuple[int, int, int], tuple[Statistics, float]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    @staticmethod
    def unknown(arity: int, tuning: Planning = DEFAULT.planning) -> Statistics:
        """What is taken for granted of a relation of which nothing is known."""
        return Statistics(tuning.unknown_rows, (tuning.unknown_block,) * arity)

    def close_to(self, other: Statistics, factor: float) -> bool:
        """Whether neither the rows nor a block of others differ from these by more than a factor; numbers
        below 1 count as 1."""
        pairs = zip((self.rows, *self.blocks), (other.rows, *other.blocks), strict=True)
        return all(max(one, two) <= factor * max(1.0, min(one, two)) for one, two in pairs)


def bound_columns(atom: Atom, bound: set[Var]) -> tuple[int, ...]:
    """The columns of an atom whose values are known."""
    return tuple([c for c, t in enumerate(atom.terms) if isinstance(t, Const) or t in bound])


def fanout(source: Statistics, source_column: int, target: Statistics, column: int) -> float | None:
    """The mean number of rows of `target` with the value that a row of `source` has in `source_column`; None where
    there are no histograms."""
    if not source.histograms or not target.histograms or not source.rows:
        return None
    asked = source_column, id(target), column
    if asked not in source.fanouts:
        source.fanouts[asked] = target, _fanout(source, source_column, target, column)
    return source.fanouts[asked][1]


def _fanout(source: Statistics, source_column: int, target: Statistics, column: int) -> float:
    """What `fanout` returns where there are histograms."""
    first, second = source.histograms[source_column], target.histograms[column]
    buckets = min(len(first), len(second))
    first, second = (h if len(h) == buckets else h.reshape(-1, buckets).sum(0) for h in (first, second))
    together = float(first @ second)
    by_chance = source.rows * target.rows / buckets  # pairs of rows that share a bucket, not a value
    return max(together - by_chance, 0.01 * together) / source.rows


Origin = tuple[Statistics, int]  # where a variable's values come from: a relation and its column


def expected_matches(
    statistics: Statistics, columns: Sequence[int], origins: Mapping[int, Origin] | None = None
) -> float:
    """How many rows a look-up by these columns is expected to find, at most one by all columns; `origins`: column →
    where the values that are looked up come from."""
    if statistics.rows == 0:
        return 0.0

    def length(column: int) -> float:
        origin = (origins or {}).get(column)
        found = fanout(*origin, statistics, column) if origin else None
        return statistics.blocks[column] if found is None else found

    if len(columns) == 1:
        return min(statistics.rows, length(columns[0]))
    shares = sorted([min(1.0, length(c) / statistics.rows) for c in columns])
    # Columns of a relation are rarely independent: every further one counts for less.
    found = statistics.rows * math.prod([float(share ** (1 / (1 << place))) for place, share in enumerate(shares)])
    return min(1.0, found) if len(columns) == len(statistics.blocks) else found


@dataclass(frozen=True)
class Costs:
    """Statistics by literal position, because two atoms of one relation may see different windows of it. `tuning`:
    thresholds."""

    of: Mapping[int, Statistics]
    tuning: Planning = DEFAULT.planning

    def matches(self, position: int, atom: Atom, bound: set[Var], origins: Mapping[Var, Origin] | None = None) -> float:
        return self.matches_by(position, atom, bound_columns(atom, bound), origins)

    def matches_by(
        self, position: int, atom: Atom, columns: Sequence[int], origins: Mapping[Var, Origin] | None = None
    ) -> float:
        """How many rows a look-up by these columns is expected to find; `matches` does the same for the columns of
        bound variables."""
        known = {
            c: origin for c in columns if isinstance(t := atom.terms[c], Var) and (origin := (origins or {}).get(t))
        }
        return expected_matches(self.of[position], columns, known)

    def origins(self, position: int, atom: Atom) -> dict[Var, Origin]:
        """Where the values of an atom's variables come from when it is the one that binds them."""
        return origins_in(self.of[position], atom.terms)

    def rows(self, position: int) -> float:
        return self.of[position].rows


def origins_in(statistics: Statistics, terms: Sequence[Term | None]) -> dict[Var, Origin]:
    """The origins of variables that are bound by a row of a relation."""
    return {t: (statistics, c) for c, t in reversed(list(enumerate(terms))) if isinstance(t, Var)}


def next_atom(
    atoms: Mapping[int, Atom], bound: set[Var], costs: Costs, origins: Mapping[Var, Origin] | None = None
) -> int:
    """The atom to be joined next: the one that finds the fewest rows; of equals, the one with more known columns."""

    def merit(position: int) -> tuple[float, int, int]:
        atom = atoms[position]
        known = bound_columns(atom, bound)
        matches = (
            costs.matches_by(position, atom, known, origins)
            if known
            else max(costs.rows(position), 1.0) * costs.tuning.unbound
        )
        return matches, -len(known), position

    return min(atoms, key=merit) if len(atoms) > 1 else next(iter(atoms))


def variables_of(terms: Sequence[Term | None]) -> set[Var]:
    return {t for t in terms if isinstance(t, Var)}
