"""The wide table of a component: which replicas of its relations there are, and how a row of one is written.

    t    INT      tag: a replica of a relation (not the relation: every replica has its own)
    k    BIGINT   what the rows of the replica are partitioned by: its key column, or the hash of several
    c0…  BIGINT   cells; 0 where the relation has fewer columns than the table
    n    BIGINT   number of derivations
    f    INT      iteration at which the row appeared
    x    BINARY   only where a component makes new values: the bytes that a new entry of the dictionary stands for

Replica 0 of a relation holds every row and answers whether a row is new; the others hold the same rows, spread by other
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
class Replica:
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
    replicas: tuple[Replica, ...]
    texts: frozenset[str] = frozenset()
    most: int = 0

    @staticmethod
    def of(arities: Mapping[str, int], keys: Mapping[str, Iterable[Key]], texts: Iterable[str] = ()) -> Layout:
        """Tags are numbers from 1; relations without keys are spread by their first column."""
        pairs = [(name, key) for name in arities for key in (tuple(keys.get(name, ())) or ((0,),))]
        return Layout(
            dict(arities),
            tuple(Replica(name, key, tag) for tag, (name, key) in enumerate(pairs, 1)),
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

    def replicas_of(self, relation: str) -> tuple[Replica, ...]:
        """Replica 0 first."""
        return self._replicas[relation]

    @cached_property
    def _replicas(self) -> dict[str, tuple[Replica, ...]]:
        found: dict[str, list[Replica]] = {name: [] for name in self.arities}
        for replica in self.replicas:
            found[replica.relation].append(replica)
        return {name: tuple(replicas) for name, replicas in found.items()}

    def replica(self, relation: str, columns: Sequence[int] | None = None) -> Replica:
        """The replica to look rows up in by these columns: of the longest key among them, or else replica 0."""
        replicas = self.replicas_of(relation)
        fitting = [replica for replica in replicas if columns is not None and set(replica.key) <= set(columns)]
        return max(fitting, key=lambda replica: len(replica.key), default=replicas[0])

    def replica_by(self, relation: str, key: Key) -> Replica:
        """The replica with this key."""
        return next(replica for replica in self.replicas_of(relation) if replica.key == key)

    def tag(self, relation: str) -> int:
        """Tag of replica 0."""
        return self.replicas_of(relation)[0].tag

    def metrics(self) -> dict[str, str]:
        """The number of rows of each relation, to be observed."""
        return {
            f"t{replicas[0].tag}": f"count_if(t = {replicas[0].tag})"
            for replicas in map(self.replicas_of, self.arities)
        }

    def counted(self, observed: Mapping[str, int]) -> dict[int, int]:
        """What was observed → rows per tag."""
        return {replica.tag: observed[f"t{self.tag(replica.relation)}"] for replica in self.replicas}

    def key(self, replica: Replica, cells: Sequence[str]) -> str:
        """SQL of what a row with these cells is spread by in a replica."""
        return key_sql(replica.key, cells)

    def place(self, replica: Replica, cells: Sequence[str]) -> str:
        """SQL of a struct (t, k) that says where a row with these cells stands in a replica."""
        return f"named_struct('t', {replica.tag}, 'k', {key_sql(replica.key, cells)})"

    def with_replicas(self, keys: Mapping[str, Iterable[Key]]) -> Layout:
        """With just these further replicas of the relations named, and replica 0 of each; a tag is never used again for
        another replica."""
        replicas, most = [], self.most
        for name in self.arities:
            first, *others = self.replicas_of(name)
            replicas.append(first)
            there = {replica.key: replica for replica in others}
            for key in keys.get(name, there):
                if key != first.key:
                    most += key not in there
                    replicas.append(there.get(key) or Replica(name, key, most))
        return replace(self, replicas=tuple(replicas), most=most)

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
        replica: Replica | None = None,
    ) -> str:
        """SELECT list of a row of replica 0, or another one, all columns named; `cells`, `n`, `f`, `x`: SQL."""
        return ", ".join(f"{value} AS {name}" for name, value in self._values(relation, cells, n, f, x, replica))

    def _values(
        self, relation: str, cells: Sequence[str], n: str, f: str, x: str | None, replica: Replica | None = None
    ) -> list[tuple[str, str]]:
        replica = replica or self.replicas_of(relation)[0]
        padded = [*cells, *(["0L"] * (self.width - len(cells)))]
        values = [str(replica.tag), key_sql(replica.key, cells), *padded, n, f, *([x or NO_TEXT] if self.texts else [])]
        return list(zip(self.columns, values, strict=True))
