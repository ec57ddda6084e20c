"""The wide table of a component: which copies of its relations there are, and how a row of one is written.

    t    INT      tag: a copy of a relation (not the relation: every copy has its own)
    k    BIGINT   what the rows of the copy are partitioned by: its key column, or the hash of several
    c0…  BIGINT   cells; 0 where the relation has fewer columns than the table
    n    BIGINT   number of derivations
    f    INT      iteration at which the row appeared
    x    BINARY   only where a component makes new values: the bytes that a new entry of the dictionary stands for

Copy 0 of a relation holds every row and answers whether a row is new; the others hold the same rows, spread by other keys.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

TEXTS = "$texts"      # the dictionary as a relation of one column, the id, with its bytes as x

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
    """The wide table of one component. `arities`: of its relations; `keys`: per relation the keys of its copies."""

    arities: Mapping[str, int]
    copies: tuple[Copy, ...]
    texts: bool = False

    @staticmethod
    def of(arities: Mapping[str, int], keys: Mapping[str, Iterable[Key]], texts: bool = False) -> Layout:
        """Tags are numbers from 1; relations without keys are spread by their first column."""
        pairs = [(name, key) for name in arities for key in (tuple(keys.get(name, ())) or ((0,),))]
        return Layout(dict(arities), tuple(Copy(name, key, tag) for tag, (name, key) in enumerate(pairs, 1)), texts)

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
        return tuple(copy for copy in self.copies if copy.relation == relation)

    def copy(self, relation: str, columns: Sequence[int] | None = None) -> Copy:
        """The copy to look rows up in by these columns: of the longest key among them; copy 0 where there is none."""
        copies = self.copies_of(relation)
        fitting = [copy for copy in copies if columns is not None and set(copy.key) <= set(columns)]
        return max(fitting, key=lambda copy: len(copy.key), default=copies[0])

    def tag(self, relation: str) -> int:
        """Tag of copy 0."""
        return self.copies_of(relation)[0].tag

    def row(self, relation: str, cells: Sequence[str], n: str = "1L", f: str = "0", x: str | None = None) -> str:
        """SELECT list of a row of copy 0, all columns named; `cells`, `n`, `f`, `x`: SQL."""
        copy = self.copies_of(relation)[0]
        padded = [*cells, *(["0L"] * (self.width - len(cells)))]
        values = [str(copy.tag), key_sql(copy.key, cells), *padded, n, f, *([x or "CAST(NULL AS BINARY)"] if self.texts else [])]
        return ", ".join(f"{value} AS {name}" for value, name in zip(values, self.columns, strict=True))
