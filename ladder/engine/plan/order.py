"""Join orders: greedy by the number of rows a look-up is expected to find.

What counts is not the size of a relation but the length of the blocks that a probe meets: `block(c)` is the mean number of rows
that share a row's value in column c, weighted by rows (sum of squares over sum), measured, not guessed, wherever the
relation is complete.
"""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ladder.language.core import Atom, Const, Term, Var

UNKNOWN_ROWS = 1e6
UNKNOWN_BLOCK = 12.0


@dataclass(frozen=True)
class Statistics:
    """Number of rows of a relation, and per column the expected length of the block that a probe meets."""

    rows: float
    blocks: tuple[float, ...]

    @staticmethod
    def unknown(arity: int) -> Statistics:
        return Statistics(UNKNOWN_ROWS, (UNKNOWN_BLOCK,) * arity)


def bound_columns(atom: Atom, bound: set[Var]) -> tuple[int, ...]:
    """Columns of an atom whose value is known."""
    return tuple(c for c, t in enumerate(atom.terms) if isinstance(t, Const) or (isinstance(t, Var) and t in bound))


def expected_matches(statistics: Statistics, columns: Sequence[int]) -> float:
    """How many rows a look-up by these columns is expected to find."""
    if statistics.rows == 0:
        return 0.0
    shares = sorted(min(1.0, statistics.blocks[c] / statistics.rows) for c in columns)
    # Columns of a relation are rarely independent: every further one counts for less.
    return statistics.rows * math.prod([float(share ** (1 / (1 << place))) for place, share in enumerate(shares)])


@dataclass(frozen=True)
class Costs:
    """Statistics by literal position: of one relation two atoms may see different windows."""

    of: Mapping[int, Statistics]

    def matches(self, position: int, atom: Atom, bound: set[Var]) -> float:
        return expected_matches(self.of[position], bound_columns(atom, bound))

    def rows(self, position: int) -> float:
        return self.of[position].rows


def next_atom(atoms: Mapping[int, Atom], bound: set[Var], costs: Costs) -> int:
    """The atom to be joined next: the one that finds the fewest rows; of equals, the one with more known columns."""
    def merit(position: int) -> tuple[float, int, int]:
        atom = atoms[position]
        known = bound_columns(atom, bound)
        matches = costs.matches(position, atom, bound) if known else max(costs.rows(position), 1.0) * 4
        return matches, -len(known), position

    return min(atoms, key=merit)


def variables_of(terms: Sequence[Term | None]) -> set[Var]:
    return {t for t in terms if isinstance(t, Var)}
