"""Joins in Python workers: a streaming fold over rows sorted by group, a batch of Arrow at a time.

    in     t  k  c0…  v  x  f  s      tag of the totals, key, group columns, value with its bytes, iteration, what the row is
           7  3  3    12 …  5  NEW    a value that was derived now
           7  3  3    10 …  4  OLD    a total of earlier
    out    t  c0…  x  f               totals that are new; entries of the dictionary and records that new values need

Values are decoded where a group has several; all of a batch at once. The last group of a batch may go on in the next one: its rows
are folded into one, which is put before the next batch, so that no group has to fit into memory.
"""
from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.engine.spark.canonical import Classes, bytes_text, value_of
from ladder.engine.spark.dictionary import NIL
from ladder.engine.spark.shipping import Shipped, failure
from ladder.engine.spark.values import Encoder
from ladder.errors import LadderError
from ladder.language.core import Kind, Type

if TYPE_CHECKING:
    import pyarrow as pa

Longs = npt.NDArray[np.int64]
NEW, OLD = 0, 1
_MASK, _SIGN = 0xFFFFFFFF, 0x80000000


@dataclass(frozen=True)
class Fold:
    """The join of one aggregated relation.

    `name`: of the lattice; `group`: number of group columns; `bag`: every row counts, equal values too, and the rows are all that the
    group ever had; otherwise they are those of now, and the last total of earlier stands for the others. `compiled`: by numba.
    `token`: tells it from all others, also in a worker that gets another copy of the same function with each job.
    """

    name: str
    join: Callable[[Any, Any], Any] = field(compare=False)
    type: Type
    group: int
    bag: bool = False
    compiled: bool = False
    token: str = ""


@dataclass(frozen=True)
class Folding:
    """What a worker needs to know. `folds`: by tag of the totals; `width`: number of cells of rows that go out.

    `texts`: tag of the dictionary; `records`: tags of relations of records by name; the others are for `Encoder` and `value_of`.
    """

    folds: Mapping[int, Fold]
    group: int
    width: int
    texts: int = 0
    records: Mapping[str, int] = field(default_factory=dict)
    types: Mapping[str, Type] = field(default_factory=dict)
    seed: int = 42
    spelled: frozenset[str] = frozenset()
    classes: Classes = field(default_factory=dict)

    def schema_out(self) -> str:
        """Columns that go out, as Spark writes schemas."""
        return f"t INT, {''.join(f'c{i} BIGINT, ' for i in range(self.width))}x BINARY, f INT"

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Fold a partition that is sorted by t, k and the group columns."""
        held: _Rows | None = None
        for batch in batches:
            rows = _Rows.of(batch, self.group)
            rows = rows if held is None else held.followed_by(rows)
            starts = rows.starts()
            last = int(starts[-1]) if len(starts) else 0
            yield from self._folded(rows.part(0, last), starts[:-1])
            held = self._shortened(rows.part(last, len(rows)))
        if held is not None:
            yield from self._folded(held, np.zeros(1, np.int64))

    def _folded(self, rows: _Rows, starts: Longs) -> Iterator[pa.RecordBatch]:
        """Totals of whole groups that begin at these rows."""
        if not len(rows):
            return
        ends = np.append(starts[1:], len(rows))
        out = _Out(self, int(rows.f.max()))
        tags = rows.t[starts]
        for tag in np.unique(tags).tolist():
            of = tags == tag
            _Totals(self, self.folds[tag], rows, out).add(starts[of], ends[of])
        yield from out.batches()

    def _shortened(self, rows: _Rows) -> _Rows:
        """One group's rows with its new values folded into one, and, but for bags, without all totals but the last."""
        fold = self.folds[int(rows.t[0])]
        new, old = np.flatnonzero(rows.s == NEW), np.flatnonzero(rows.s == OLD)
        if not fold.bag and len(old) > 1:
            old = old[[int(rows.f[old].argmax())]]
        if len(new) < 2:
            return rows.take(np.sort(np.concatenate((new, old))))
        cell, content = _Joined(self, fold, rows).one(new)
        kept = rows.take(np.concatenate((new[:1], old)))
        kept.v[0] = cell
        kept.x[0] = content
        kept.f[0] = rows.f[new].max()
        return kept


def on_workers(shipped: Shipped[Folding]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What Spark is to run."""
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            yield from shipped.get()(batches)
        except LadderError as error:
            raise failure(error) from error
    return run


@dataclass
class _Rows:
    """Rows that come in, by column; `x`: an array of bytes or None."""

    t: npt.NDArray[np.int32]
    k: Longs
    group: list[Longs]
    v: Longs
    x: npt.NDArray[Any]
    f: npt.NDArray[np.int32]
    s: npt.NDArray[np.int32]

    @staticmethod
    def of(batch: pa.RecordBatch, group: int) -> _Rows:
        contents = np.empty(len(batch), object)
        contents[:] = batch.column("x").to_pylist()

        def numbers(name: str) -> npt.NDArray[Any]:
            return np.asarray(batch.column(name).to_numpy(zero_copy_only=False))
        return _Rows(numbers("t"), numbers("k"), [numbers(f"c{i}") for i in range(group)], numbers("v").copy(), contents,
                     numbers("f"), numbers("s"))

    def __len__(self) -> int:
        return len(self.t)

    def columns(self) -> tuple[npt.NDArray[Any], ...]:
        return (self.t, self.k, *self.group, self.v, self.x, self.f, self.s)

    @staticmethod
    def made_of(columns: Sequence[npt.NDArray[Any]]) -> _Rows:
        t, k, *group, v, x, f, s = columns
        return _Rows(t, k, group, v, x, f, s)

    def part(self, start: int, end: int) -> _Rows:
        return self.made_of([column[start:end] for column in self.columns()])

    def take(self, rows: npt.NDArray[np.intp]) -> _Rows:
        return self.made_of([column[rows] for column in self.columns()])

    def followed_by(self, others: _Rows) -> _Rows:
        return self.made_of([np.concatenate(pair) for pair in zip(self.columns(), others.columns(), strict=True)])

    def starts(self) -> Longs:
        """The first row of each group."""
        if not len(self):
            return np.zeros(0, np.int64)
        changed = np.zeros(len(self), bool)
        changed[0] = True
        keys: tuple[npt.NDArray[Any], ...] = (self.t, self.k, *self.group)
        for column in keys:
            changed[1:] |= column[1:] != column[:-1]
        return np.flatnonzero(changed)


class _Joined:
    """Values of some rows, decoded as they are asked for, and joined."""

    def __init__(self, folding: Folding, fold: Fold, rows: _Rows) -> None:
        self.folding, self.fold, self.rows = folding, fold, rows
        self.encoder = Encoder(folding.types, folding.seed, folding.spelled)
        self.known: dict[int, Any] = {}

    def value(self, row: int) -> Any:
        cell = int(self.rows.v[row])
        if cell not in self.known:
            self.known[cell] = self._decoded(cell, self.rows.x[row])
        return self.known[cell]

    def _decoded(self, cell: int, content: Any) -> Any:
        kind = self.fold.type.kind
        if kind is Kind.NUMBER or kind is Kind.UNSIGNED:
            return cell
        if kind is Kind.FLOAT:
            return struct.unpack("<f", struct.pack("<i", cell))[0]
        if kind is Kind.SYMBOL:
            return bytes_text(content)
        return None if kind is Kind.RECORD and cell == NIL else value_of(content, self.folding.classes)

    def join(self, a: Any, b: Any) -> Any:
        try:
            return self.fold.join(a, b)
        except Exception as error:
            raise LadderError(f"the join of {self.fold.name}({a!r}, {b!r}) raised {type(error).__name__}: {error}",
                              "A join of a lattice must have a value for every two values of it.") from error

    def fold_of(self, rows: Sequence[int]) -> Any:
        """The join of rows' values."""
        total = self.value(rows[0])
        for row in rows[1:]:
            total = self.join(total, self.value(row))
        return total

    def one(self, rows: npt.NDArray[np.intp]) -> tuple[int, bytes | None]:
        """Cell and bytes of the join of some rows."""
        if self.fold.compiled and not self.fold.bag:
            return int(_compiled(self.fold)(self.rows.v[rows], np.zeros(1, np.int64), np.array([len(rows)]))[0]), None
        cells = self.encoded([self.fold_of(rows.tolist())])
        return int(cells[0]), self.content(int(cells[0]))

    def encoded(self, values: Sequence[Any]) -> Longs:
        try:
            return self.encoder.column(values, self.fold.type)
        except LadderError as error:
            raise LadderError(f"the join of {self.fold.name} returned what it must not: {error.message}", error.mend) from error

    def content(self, cell: int) -> bytes | None:
        """The bytes of a value that was encoded."""
        return None if self.fold.type.kind in (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT) else self.encoder.texts.get(cell)


class _Totals:
    """Finds the new totals of the groups of one relation."""

    def __init__(self, folding: Folding, fold: Fold, rows: _Rows, out: _Out) -> None:
        self.folding, self.fold, self.rows, self.out = folding, fold, rows, out
        self.joined = _Joined(folding, fold, rows)

    def add(self, starts: Longs, ends: Longs) -> None:
        """Groups between these rows: those of one new value and no total as they are, the others joined."""
        single = (ends - starts == 1) & (self.rows.s[starts] == NEW)
        alone = starts[single]
        self.out.rows(self.rows, alone, self.rows.v[alone], self.rows.x[alone], self.fold.group)
        starts, ends = starts[~single], ends[~single]
        if self.fold.compiled and not self.fold.bag and len(starts):
            self._compiled(starts, ends)
        elif len(starts):
            self._asked(starts, ends)

    def _asked(self, starts: Longs, ends: Longs) -> None:
        """Groups whose joins Python makes."""
        totals, groups, known = [], [], []
        cells, is_new, iterations = self.rows.v.tolist(), (self.rows.s == NEW).tolist(), self.rows.f.tolist()
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            values = [row for row in range(start, end) if is_new[row]]
            earlier = [row for row in range(start, end) if not is_new[row]]
            before = {cells[row] for row in earlier}
            if earlier and not self.fold.bag:
                latest = max(earlier, key=iterations.__getitem__)
                values = [latest, *(row for row in values if cells[row] != cells[latest])]
            if not values or len(values) == 1 and cells[values[0]] in before:
                continue
            total = self.joined.fold_of(values)
            if earlier and not self.fold.bag:
                self._check(total, self.joined.value(values[0]))
            totals.append(total)
            groups.append(start)
            known.append(before)
        self._write(totals, groups, known)

    def _check(self, total: Any, before: Any) -> None:
        """A total that another value was joined into must dominate that value."""
        if self.joined.join(total, before) != total:
            raise no_lattice()

    def _write(self, totals: list[Any], groups: list[int], known: list[set[int]]) -> None:
        cells = self.joined.encoded(totals) if totals else np.zeros(0, np.int64)
        fresh = [i for i, cell in enumerate(cells.tolist()) if cell not in known[i]]
        contents = np.empty(len(fresh), object)
        contents[:] = [self.joined.content(int(cells[i])) for i in fresh]
        self.out.rows(self.rows, np.array([groups[i] for i in fresh], np.int64), cells[fresh], contents, self.fold.group)
        self.out.entries(self.joined.encoder)

    def _compiled(self, starts: Longs, ends: Longs) -> None:
        """Groups whose joins numba has compiled; the last total of earlier comes first."""
        order = np.concatenate([np.arange(start, end) for start, end in zip(starts, ends, strict=True)])
        sizes = ends - starts
        group = np.repeat(np.arange(len(starts)), sizes)
        old = self.rows.s[order] == OLD
        latest = np.full(len(starts), -1, np.int64)
        np.maximum.at(latest, group[old], self.rows.f[order[old]])
        kept = ~old | (self.rows.f[order] == latest[group])
        order, group = order[kept], group[kept]
        firsts = np.flatnonzero(np.diff(group, prepend=-1))
        lasts = np.append(firsts[1:], len(order))
        join = _compiled(self.fold)
        totals = join(self.rows.v[order], firsts, lasts)
        had = latest >= 0
        before = np.zeros(len(starts), np.int64)
        is_latest = self.rows.s[order] == OLD
        before[group[is_latest]] = self.rows.v[order[is_latest]]
        changed = ~had | (totals != before)
        pairs = np.stack((totals, before), axis=1)[had & changed].reshape(-1)
        places = np.arange(0, len(pairs), 2)
        if (join(pairs, places, places + 2) != pairs[::2]).any():
            raise no_lattice()
        contents = np.full(int(changed.sum()), None, object)
        self.out.rows(self.rows, starts[changed], totals[changed], contents, self.fold.group)


class _Out:
    """Rows that go out."""

    def __init__(self, folding: Folding, iteration: int) -> None:
        self.folding, self.iteration = folding, iteration
        self.columns: list[list[npt.NDArray[Any]]] = [[] for _ in range(folding.width + 2)]

    def rows(self, rows: _Rows, of: Longs, cells: Longs, contents: npt.NDArray[Any], group: int) -> None:
        """Totals of the groups that have these rows."""
        if not len(of):
            return
        self._add(rows.t[of], [*(column[of] for column in rows.group[:group]), cells], contents)

    def entries(self, encoder: Encoder) -> None:
        """What new values need in the dictionary and in the relations of records."""
        if encoder.texts:
            contents = np.empty(len(encoder.texts), object)
            contents[:] = list(encoder.texts.values())
            self._new(self.folding.texts, [np.array(list(encoder.texts), np.int64)], contents)
        for table, records in encoder.records.items():
            if records:
                cells = np.array([(id_, *row) for id_, row in records.items()], np.int64)
                self._new(self.folding.records[table], list(cells.T), np.full(len(cells), None, object))

    def _new(self, tag: int, cells: list[Longs], contents: npt.NDArray[Any]) -> None:
        count = len(cells[0])
        self._add(np.full(count, tag, np.int32), cells, contents)

    def _add(self, tags: npt.NDArray[np.int32], cells: list[Longs], contents: npt.NDArray[Any]) -> None:
        padding = [np.zeros(len(tags), np.int64)] * (self.folding.width - len(cells))
        added: list[npt.NDArray[Any]] = [tags, *cells, *padding, contents]
        for column, values in zip(self.columns, added, strict=True):
            column.append(values)

    def batches(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        if not self.columns[0]:
            return
        *numbers, contents = (np.concatenate(column) for column in self.columns)
        iterations = np.full(len(contents), self.iteration, np.int32)
        arrays = [*(pa.array(column) for column in numbers), pa.array(contents, pa.binary()), pa.array(iterations)]
        yield pa.RecordBatch.from_arrays(arrays, names=["t", *(f"c{i}" for i in range(self.folding.width)), "x", "f"])


def no_lattice() -> LadderError:
    """The error of a join that is none of a lattice."""
    return LadderError("The values of a group returned to one that they had left: a join is not that of a lattice.",
                       "`ladder check` tells which, with an example.")


@cache
def _compiled(fold: Fold) -> Callable[[Longs, Longs, Longs], Longs]:
    """(values, first place of each group, place behind its last) → joins, by a lattice's compiled join, cut to 32 bits."""
    from numba import njit

    join = njit(error_model="numpy")(getattr(fold.join, "py_func", fold.join))
    signed = fold.type.kind is Kind.NUMBER

    def folded(values: Any, starts: Any, ends: Any) -> Any:
        totals = np.empty(len(starts), np.int64)
        for group in range(len(starts)):
            total = values[starts[group]]
            for place in range(starts[group] + 1, ends[group]):
                total = np.int64(join(total, values[place])) & _MASK
                if signed and total >= _SIGN:
                    total -= _MASK + 1
            totals[group] = total
        return totals

    compiled: Callable[[Longs, Longs, Longs], Longs] = njit(error_model="numpy")(folded)
    return compiled
