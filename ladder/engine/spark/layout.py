"""The wide table of a component: which copies of its relations there are, and how a row of one is written.

    t    INT      tag: a copy of a relation (not the relation: every copy has its own)
    k    BIGINT   what the rows of the copy are partitioned by: its key column, or the hash of several
    c0…  BIGINT   cells; 0 where the relation has fewer columns than the table
    n    BIGINT   number of derivations
    f    INT      iteration at which the row appeared
    x    BINARY   only where a component makes new values: the bytes that a new entry of the dictionary stands for

Copy 0 of a relation holds every row and answers whether a row is new; the others hold the same rows, spread by other
keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

NO_TEXT = "CAST(NULL AS BINARY)"
TEXTS = "$texts"  # the dictionary as a relation of one column, the id, with its bytes as x

Key = tuple[int, ...]


def key_sql(key: Key, cells: Sequence[str]) -> str:
    """What a row with these cells is partitioned by."""
    if len(key) == 1:
        return cells[key[0]]
    return f"xxhash64({', '.join(cells[column] for column in key)})" if key else "0L"


@dataclass(frozen=True)
class Copy:
    """All rows of a relation, spread by the key columns."""

    relation: str
    key: Key
    tag: int


@dataclass(frozen=True)
class Layout:
    """The wide table of one component.

    `arities`: of its relations; `texts`: relations whose rows have x; `most`: the highest tag so far.
    """

    arities: Mapping[str, int]
    copies: tuple[Copy, ...]
    texts: frozenset[str] = frozenset()
    most: int = 0

    @staticmethod
    def of(arities: Mapping[str, int], keys: Mapping[str, Iterable[Key]], texts: Iterable[str] = ()) -> Layout:
        """Tags are numbers from 1; relations without keys are spread by their first column."""
        pairs = [(name, key) for name in arities for key in (tuple(keys.get(name, ())) or ((0,),))]
        return Layout(
            dict(arities),
            tuple(Copy(name, key, tag) for tag, (name, key) in enumerate(pairs, 1)),
            frozenset(texts),
            len(pairs),
        )

    @property
    def width(self) -> int:
        """Number of columns for cells."""
        return max(self.arities.values())

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return ("t", "k", *self.cells(self.width), "n", "f", *(("x",) if self.texts else ()))

    @staticmethod
    def cells(arity: int) -> tuple[str, ...]:
        """Names of the columns of a relation's cells."""
        return tuple(f"c{i}" for i in range(arity))

    def copies_of(self, relation: str) -> tuple[Copy, ...]:
        """Copy 0 first."""
        return self._copies[relation]

    @cached_property
    def _copies(self) -> dict[str, tuple[Copy, ...]]:
        found: dict[str, list[Copy]] = {name: [] for name in self.arities}
        for copy in self.copies:
            found[copy.relation].append(copy)
        return {name: tuple(copies) for name, copies in found.items()}

    def copy(self, relation: str, columns: Sequence[int] | None = None) -> Copy:
        """The copy to look rows up in by these columns: of the longest key among them; copy 0 where there is none."""
        copies = self.copies_of(relation)
        fitting = [copy for copy in copies if columns is not None and set(copy.key) <= set(columns)]
        return max(fitting, key=lambda copy: len(copy.key), default=copies[0])

    def copy_by(self, relation: str, key: Key) -> Copy:
        """The copy with this key."""
        return next(copy for copy in self.copies_of(relation) if copy.key == key)

    def tag(self, relation: str) -> int:
        """Tag of copy 0."""
        return self.copies_of(relation)[0].tag

    def metrics(self) -> dict[str, str]:
        """The number of rows of each relation, to be observed."""
        return {f"t{copies[0].tag}": f"count_if(t = {copies[0].tag})" for copies in map(self.copies_of, self.arities)}

    def counted(self, observed: Mapping[str, int]) -> dict[int, int]:
        """What was observed → rows per tag."""
        return {copy.tag: observed[f"t{self.tag(copy.relation)}"] for copy in self.copies}

    def key(self, copy: Copy, cells: Sequence[str]) -> str:
        """SQL of what a row with these cells is spread by in a copy."""
        return key_sql(copy.key, cells)

    def place(self, copy: Copy, cells: Sequence[str]) -> str:
        """SQL of a struct (t, k) that says where a row with these cells stands in a copy."""
        return f"named_struct('t', {copy.tag}, 'k', {key_sql(copy.key, cells)})"

    def with_copies(self, keys: Mapping[str, Iterable[Key]]) -> Layout:
        """With just these further copies of the relations named, and copy 0 of each; a tag is never used again for
        another copy."""
        copies, most = [], self.most
        for name in self.arities:
            first, *others = self.copies_of(name)
            copies.append(first)
            there = {copy.key: copy for copy in others}
            for key in keys.get(name, there):
                if key != first.key:
                    most += key not in there
                    copies.append(there.get(key) or Copy(name, key, most))
        return replace(self, copies=tuple(copies), most=most)

    def struct(self, relation: str, cells: Sequence[str], n: str = "1L", f: str = "0", x: str | None = None) -> str:
        """Return SQL of a row as a struct, with the fields that `row` puts into a SELECT list."""
        fields = (f"'{name}', {value}" for name, value in self._values(relation, cells, n, f, x))
        return f"named_struct({', '.join(fields)})"

    def row(
        self,
        relation: str,
        cells: Sequence[str],
        n: str = "1L",
        f: str = "0",
        x: str | None = None,
        copy: Copy | None = None,
    ) -> str:
        """SELECT list of a row of copy 0, or another one, all columns named; `cells`, `n`, `f`, `x`: SQL."""
        return ", ".join(f"{value} AS {name}" for name, value in self._values(relation, cells, n, f, x, copy))

    def _values(
        self, relation: str, cells: Sequence[str], n: str, f: str, x: str | None, copy: Copy | None = None
    ) -> list[tuple[str, str]]:
        copy = copy or self.copies_of(relation)[0]
        padded = [*cells, *(["0L"] * (self.width - len(cells)))]
        values = [str(copy.tag), key_sql(copy.key, cells), *padded, n, f, *([x or NO_TEXT] if self.texts else [])]
        return list(zip(self.columns, values, strict=True))
