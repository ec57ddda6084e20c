"""Sizes of joins, from samples of the rows that relations have.

Histograms of single columns say little of a join of several atoms: columns depend on each other, few values have many
rows, and of a part of a join only what the rest needs is kept. A sample meets all of this. From some rows of one atom,
each next atom is joined by look-ups, and where more rows are found than a sample may have, one of every so many is kept
(Leis, Radke, Gubichev, Kemper, Neumann, "Cardinality Estimation Done Right: Index-Based Join Sampling", CIDR 2017). The
look-ups are binary searches in keys that are sorted once for each set of columns. The same rows have the same samples
in every run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ladder.language.core import Atom, Const, Var
from ladder.plan.order import variables_of

Array = Any
Pattern = tuple[
    tuple[int, bool, int], ...
]  # (column, whether it is to have a constant, this or a column that is equal)
ODD, SHIFT, HALF, LOW = np.uint64(0x9E3779B97F4A7C15), np.uint64(29), np.uint64(32), np.uint64(0xFFFFFFFF)


@dataclass(frozen=True)
class Sample:
    """Some rows of a join. `columns`: values by variable, all of one length; `count`: this length; `scale`: how many
    rows of the join each of them stands for; `made`: rows of the join and of those on the way to it, all together."""

    columns: Mapping[Var, Array]
    count: int
    scale: float
    made: float

    @property
    def rows(self) -> float:
        """How many rows the join is expected to have."""
        return self.count * self.scale

    def distinct(self, variables: Collection[Var]) -> Sample:
        """The rows that differ in these variables, and how many of them the join is expected to have.

        Those that the sample did not meet are estimated from the numbers of those that it met once and twice: Chao,
        "Nonparametric Estimation of the Number of Classes in a Population", Scandinavian Journal of Statistics 11
        (1984). That is a lower bound.
        """
        kept = sorted(variables, key=str)
        keys = keys_of([self.columns[v] for v in kept], self.count)
        _, first, times = np.unique(keys, return_index=True, return_counts=True)
        met, once, twice = len(first), int((times == 1).sum()), int((times == 2).sum())
        unmet = once * (once - 1) / (2 * (twice + 1)) if self.scale > 1 else 0.0
        expected = min(self.rows, met + unmet)
        return Sample({v: self.columns[v][first] for v in kept}, met, expected / max(met, 1), self.made)


class Tables:
    """The rows of relations, with keys that are sorted when they are asked for. `cells`: the rows of a relation, fewer
    than 2 ** 32, as an array of (rows, columns)."""

    def __init__(self, cells: Callable[[str], Array]) -> None:
        self._cells = cells
        self._rows: dict[tuple[str, Pattern], Array] = {}
        self._keys: dict[tuple[str, Pattern, tuple[int, ...]], Array] = {}

    def rows(self, relation: str, pattern: Pattern) -> Array:
        """The rows of a relation that fit a pattern."""
        if (relation, pattern) not in self._rows:
            cells = self._cells(relation)
            fits = np.ones(len(cells), bool)
            for column, constant, wanted in pattern:
                fits &= cells[:, column] == (wanted if constant else cells[:, wanted])
            self._rows[relation, pattern] = cells if fits.all() else cells[fits]
        return self._rows[relation, pattern]

    def keys(self, relation: str, pattern: Pattern, columns: tuple[int, ...]) -> Array:
        """For each of those rows, its key in these columns and its number, in one word; sorted."""
        if (relation, pattern, columns) not in self._keys:
            rows = self.rows(relation, pattern)
            keys = keys_of([rows[:, c] for c in columns], len(rows))
            keys |= np.arange(len(rows), dtype=np.uint64)
            keys.sort()  # a word is sorted in a third of the time that the order of numbers takes
            self._keys[relation, pattern, columns] = keys
        return self._keys[relation, pattern, columns]


class Samples:
    """Samples of the joins of a rule's atoms, which are told by their numbers.

    `constant`: how a constant is stored in rows; `size`: rows of a sample, at most; `few`: atoms of which all orders
    are compared, at most, as their parts grow exponentially.
    """

    def __init__(
        self, atoms: Mapping[int, Atom], tables: Tables, constant: Callable[[Const], int], size: int, few: int
    ) -> None:
        self._atoms, self._tables, self._size, self._few = atoms, tables, size, few
        self._patterns = {n: _pattern(atom, constant) for n, atom in atoms.items()}
        self._of: dict[frozenset[int], Sample | None] = {}

    def of(self, numbers: Collection[int]) -> Sample | None:
        """A sample of the join of these atoms, made in the order that makes the fewest rows on the way; None where
        they share no variables with each other.

        of({a}) = rows of a; of(A) = the one of the joins of of(A \\ {a}) with a, for each a, that made the fewest rows.
        Of many atoms, the order begins with the atom of the fewest rows and goes on with what matches the fewest.
        """
        wanted = frozenset(numbers)
        if wanted not in self._of:
            self._of[wanted] = self._made(wanted)
        return self._of[wanted]

    def _made(self, wanted: frozenset[int]) -> Sample | None:
        if len(wanted) == 1:
            return self._start(*wanted)
        if len(wanted) <= self._few:
            return self._best(wanted)
        if len(list(self.groups(wanted))) > 1:
            return None
        first = min(wanted, key=lambda number: (len(self._rows(number)), number))
        return self.join(self._start(first), wanted - {first})

    def _best(self, wanted: frozenset[int]) -> Sample | None:
        found = [
            self.joined(sample, last)
            for last in sorted(wanted)
            if (sample := self.of(wanted - {last})) is not None and self.touches(sample, last)
        ]
        return min(found, key=lambda sample: sample.made, default=None)

    def groups(self, numbers: Collection[int]) -> Iterator[frozenset[int]]:
        """The largest groups of these atoms that share variables with each other: each atom is in one of them."""
        rest = sorted(numbers)
        while rest:
            group, variables = {rest[0]}, self._variables(rest[0])
            while near := {n for n in rest if n not in group and not variables.isdisjoint(self._variables(n))}:
                group |= near
                variables = variables.union(*(self._variables(n) for n in near))
            yield frozenset(group)
            rest = [n for n in rest if n not in group]

    def touches(self, sample: Sample, number: int) -> bool:
        """Whether a sample binds a variable of an atom."""
        return not self._variables(number).isdisjoint(sample.columns)

    @property
    def numbers(self) -> Iterable[int]:
        """The numbers of all atoms."""
        return self._atoms.keys()

    def relation(self, number: int) -> str:
        """The relation of an atom."""
        return self._atoms[number].relation

    def join(self, sample: Sample, others: Collection[int]) -> Sample:
        """The join of a sample with all of these atoms: always with the one of which it matches the fewest rows, among
        those that share variables with it if there are some."""
        rest = set(others)
        while rest:
            near = [n for n in rest if self.touches(sample, n)] or sorted(rest)
            number = min(near, key=lambda n: (self._found(sample, n)[1].sum(), n)) if len(near) > 1 else near[0]
            sample = self.joined(sample, number)
            rest.discard(number)
        return sample

    def joined(self, sample: Sample, number: int) -> Sample:
        """The join of a sample with one atom."""
        begin, found, keys = self._found(sample, number)
        ends = np.cumsum(found)
        total = int(ends[-1]) if len(ends) else 0
        chosen = self._drawn(total)
        left = np.searchsorted(ends, chosen, "right")
        right = (keys[begin[left] + chosen - (ends[left] - found[left])] & LOW).astype(np.int64)
        columns = {v: values[left] for v, values in sample.columns.items()} | self._bound(number, right)
        scale = sample.scale * total / max(len(chosen), 1)
        return Sample(columns, len(chosen), scale, sample.made + total * sample.scale)

    def _start(self, number: int) -> Sample:
        total = len(self._rows(number))
        chosen = self._drawn(total)
        return Sample(self._bound(number, chosen), len(chosen), total / max(len(chosen), 1), float(total))

    def _drawn(self, total: int) -> Array:
        """So many of the first numbers as a sample may have, at equal distances."""
        return np.arange(total) if total <= self._size else np.arange(self._size) * total // self._size

    def _found(self, sample: Sample, number: int) -> tuple[Array, Array, Array]:
        """(Where the rows of an atom that a row of the sample matches begin among its keys, how many they are, the
        keys)."""
        bound = [(c, t) for c, t in enumerate(self._atoms[number].terms) if isinstance(t, Var) and t in sample.columns]
        relation, pattern = self._atoms[number].relation, self._patterns[number]
        keys = self._tables.keys(relation, pattern, tuple(c for c, _ in bound))
        wanted = keys_of([sample.columns[variable] for _, variable in bound], sample.count)
        begin = np.searchsorted(keys, wanted, "left")
        return begin, np.searchsorted(keys, wanted | LOW, "right") - begin, keys

    def _rows(self, number: int) -> Array:
        return self._tables.rows(self._atoms[number].relation, self._patterns[number])

    def _bound(self, number: int, chosen: Array) -> dict[Var, Array]:
        rows = self._rows(number)[chosen]
        return {t: rows[:, c] for c, t in enumerate(self._atoms[number].terms) if isinstance(t, Var)}

    def _variables(self, number: int) -> set[Var]:
        return variables_of(self._atoms[number].terms)


def _pattern(atom: Atom, constant: Callable[[Const], int]) -> Pattern:
    """What an atom's constants, and variables that it has more than once, ask of its rows."""
    first: dict[Var, int] = {}
    asked: list[tuple[int, bool, int]] = []
    for column, term in enumerate(atom.terms):
        if isinstance(term, Const):
            asked.append((column, True, constant(term)))
        elif isinstance(term, Var) and first.setdefault(term, column) != column:
            asked.append((column, False, first[term]))
    return tuple(asked)


def keys_of(columns: Sequence[Array], count: int) -> Array:
    """One key of 32 bits for the values of each row in these columns, in the upper half of a word. That of one column
    is its value; different values of several ones rarely have the same key."""
    keys = np.zeros(count, np.uint64)
    for column in columns:  # in place, as relations have millions of rows
        added = np.asarray(column).astype(np.uint64)
        added <<= HALF
        keys *= ODD
        keys += added
        if len(columns) > 1:
            np.right_shift(keys, SHIFT, out=added)
            keys ^= added
    keys &= ~LOW
    return keys
