"""Joins in Python workers: a streaming fold over rows sorted by group, a batch of Arrow at a time.

    in     t  k  c0…  v  x  f  s      tag of the totals, key, group columns, value with its bytes, iteration, what the
           row is
           7  3  3    12 …  5  NEW    a value that was derived now
           7  3  3    10 …  4  OLD    a total of earlier
    out    t  c0…  x  f               totals that are new; entries of the dictionary and records that new values need

Values are decoded only for groups with several, for a whole batch at once. The last group of a batch may continue in
the next one: its rows are folded into one, which is put before the next batch, so that no group has to fit into memory.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ladder.engine.canonical import NIL_CONTENT, RECORD, Classes, bytes_text, value_of
from ladder.engine.spark.aggregation.fold_rows import Longs, Out, Rows, objects
from ladder.engine.spark.lowering.values import Encoder
from ladder.engine.spark.values.dictionary import NIL
from ladder.engine.spark.values.shipping import Shipped, failure, out_of_memory
from ladder.engine.spark.worker_calls import Call, clear_call, note_call
from ladder.errors import LadderError
from ladder.language.core import Kind, Type
from ladder.language.faults import JOIN, raised
from ladder.support.tuning import DEFAULT

if TYPE_CHECKING:
    import pyarrow as pa

NEW, OLD = 0, 1
_MASK, _SIGN = 0xFFFFFFFF, 0x80000000


@dataclass(frozen=True)
class Fold:
    """The join of one aggregated relation.

    `name`: of the lattice; `call`: its joins, in messages; `group`: number of group columns; `bag`: every row counts,
    equal values too, and the rows are all that the group ever had; otherwise they are those of now, and the last total
    of earlier stands for the others. `compiled`: by numba. `token`: tells it from all others, also in a worker that
    gets another copy of the same function with each job.
    """

    name: str
    join: Callable[[Any, Any], Any] = field(compare=False)
    type: Type
    group: int
    bag: bool = False
    compiled: bool = False
    token: str = ""
    call: Call = field(default=Call("a join"), compare=False)


@dataclass(frozen=True)
class Folding:
    """The fold that a worker makes. `folds`: tag of the totals → fold; `width`: number of cells of output rows.

    `values`: name → tag of the dictionary and of relations of records; `remembered`: how many values of each lattice
    are cached at most; the other fields are parameters of `Encoder` and `value_of`.
    """

    folds: Mapping[int, Fold]
    group: int
    width: int
    values: Mapping[str, int] = field(default_factory=dict)
    types: Mapping[str, Type] = field(default_factory=dict)
    seed: int = 42
    tuple_types: frozenset[str] = frozenset()
    classes: Classes = field(default_factory=dict)
    remembered: int = DEFAULT.distributing.remembered

    def schema_out(self) -> str:
        """The schema of the output, as Spark writes schemas."""
        return f"t INT, {''.join(f'c{i} BIGINT, ' for i in range(self.width))}x BINARY, f INT"

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Fold a partition that is sorted by t, k and the group columns."""
        return _Partition(self, {tag: _Joins(self, fold) for tag, fold in self.folds.items()}).folded(batches)


def on_workers(shipped: Shipped[Folding]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function that Spark runs in its workers."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            yield from shipped.get()(batches)
        except LadderError as error:
            raise failure(error) from error

    return run


class _Joins:
    """Joins values of one relation in a partition: from cells and bytes to cells and bytes."""

    def __init__(self, folding: Folding, fold: Fold) -> None:
        self.folding, self.fold = folding, fold
        self.known: dict[int, Any] = {}
        self.made: dict[Any, tuple[int, bytes | None]] = {}
        self.encoder = self._new_encoder()

    def _new_encoder(self) -> Encoder:
        return Encoder(self.folding.types, self.folding.seed, self.folding.tuple_types)

    def entries(self) -> Encoder:
        """The entries that values made since the last call need in the dictionary and in the relations of records."""
        encoder, self.encoder = self.encoder, self._new_encoder()
        return encoder

    def value(self, cell: int, content: Any) -> Any:
        """The value of a cell; `content`: its bytes, of kinds that have them."""
        if cell not in self.known:
            if len(self.known) >= self.folding.remembered:
                self.known.clear()
            self.known[cell] = self._decoded(cell, content)
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

    def all(self, values: Sequence[Any]) -> Any:
        """The join of one or more values."""
        join, total = self.fold.join, values[0]
        for value in values[1:]:
            try:
                total = join(total, value)
            except MemoryError as error:
                raise out_of_memory(self.fold.call.what).at(self.fold.call.place) from error
            except BaseException as error:
                raise raised(f"{JOIN}{self.fold.name}", (total, value), error).at(self.fold.call.place) from error
        return total

    def code(self, value: Any) -> tuple[int, bytes | None]:
        """(cell, bytes) of a value."""
        found = self.made.get(value)
        if found is None:
            if len(self.made) >= self.folding.remembered:
                self.made.clear()
            try:
                cell = self.encoder.cell(value, self.fold.type)
            except LadderError as error:
                problem = LadderError(
                    f"the join of {self.fold.name} returned what it must not: {error.message}", error.hint
                )
                raise problem.at(self.fold.call.place) from error
            nil = self.fold.type.kind is Kind.RECORD and cell == NIL
            found = self.made[value] = cell, RECORD + NIL_CONTENT if nil else self.encoder.texts.get(cell)
        return found


@dataclass
class _Partition:
    """The fold of a partition; `joins`: tag of the totals → joins."""

    folding: Folding
    joins: Mapping[int, _Joins]

    def folded(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        held: Rows | None = None
        for batch in batches:
            rows = Rows.of(batch, self.folding.group)
            rows = rows if held is None else held.followed_by(rows)
            starts = rows.starts()
            last = int(starts[-1]) if len(starts) else 0
            yield from self.whole(rows.part(0, last), starts[:-1])
            held = self.shortened(rows.part(last, len(rows)))
        if held is not None:
            yield from self.whole(held, np.zeros(1, np.int64))

    def whole(self, rows: Rows, starts: Longs) -> Iterator[pa.RecordBatch]:
        """The new totals of complete groups, which begin at these rows."""
        if not len(rows):
            return
        ends = np.append(starts[1:], len(rows))
        out = Out(self.folding.values, self.folding.width, int(rows.f.max()))
        tags = rows.t[starts]
        for tag in np.unique(tags).tolist():
            of = tags == tag
            note_call(self.joins[tag].fold.call)
            _Totals(self.joins[tag], rows, out).add(starts[of], ends[of])
            clear_call()
        yield from out.batches()

    def shortened(self, rows: Rows) -> Rows:
        """The rows of one group with its new values folded into one; except for bags, only the last of its totals is
        kept."""
        joins = self.joins[int(rows.t[0])]
        new, old = np.flatnonzero(rows.s == NEW), np.flatnonzero(rows.s == OLD)
        if not joins.fold.bag and len(old) > 1:
            old = old[[int(rows.f[old].argmax())]]
        if len(new) < 2:
            return rows.take(np.concatenate((new, old)))
        kept = rows.take(np.concatenate((new[:1], old)))
        note_call(joins.fold.call)
        if joins.fold.compiled:
            kept.v[0] = _compiled(joins.fold)(rows.v[new], np.zeros(1, np.int64), np.array([len(new)]))[0]
        else:
            values = [
                joins.value(cell, content) for cell, content in zip(rows.v[new].tolist(), rows.x[new], strict=True)
            ]
            kept.v[0], kept.x[0] = joins.code(joins.all(values))
        clear_call()
        kept.f[0] = rows.f[new].max()
        return kept


class _Totals:
    """Finds the new totals of the groups of one relation."""

    def __init__(self, joins: _Joins, rows: Rows, out: Out) -> None:
        self.joins, self.fold, self.rows, self.out = joins, joins.fold, rows, out

    def add(self, starts: Longs, ends: Longs) -> None:
        """Add the totals of groups between these rows: the value itself for groups with one new value and no total,
        joins for others."""
        single = (ends - starts == 1) & (self.rows.s[starts] == NEW)
        alone = starts[single]
        self.out.rows(self.rows, alone, self.rows.v[alone], self.rows.x[alone], self.fold.group)
        starts, ends = starts[~single], ends[~single]
        if self.fold.compiled and len(starts):
            self._compiled(starts, ends)
        elif len(starts):
            self._asked(starts, ends)
        self.out.entries(self.joins.entries())

    def _asked(self, starts: Longs, ends: Longs) -> None:
        """Add the totals of groups whose joins Python makes."""
        cells, contents = self.rows.v.tolist(), self.rows.x.tolist()
        before = np.append(0, np.cumsum(self.rows.s == OLD))
        had_others, value = (before[ends] > before[starts]).tolist(), self.joins.value
        found: list[tuple[int, int, bytes | None]] = []
        for start, end, had in zip(starts.tolist(), ends.tolist(), had_others, strict=True):
            values = list(map(value, cells[start:end], contents[start:end]))
            total = (
                self._after_others(start, cells[start:end], values) if had else self.joins.code(self.joins.all(values))
            )
            if total is not None:
                found.append((start, *total))
        if found:
            groups, totals, made = zip(*found, strict=True)
            self.out.rows(self.rows, np.array(groups), np.array(totals, np.int64), objects(made), self.fold.group)

    def _after_others(self, start: int, cells: list[int], values: list[Any]) -> tuple[int, bytes | None] | None:
        """Cell and bytes of the total of a group that had others, if it is a new one; `cells`, `values`: of its rows,
        from `start`."""
        olds = (self.rows.s[start : start + len(cells)] == OLD).tolist()
        earlier = {cell for cell, old in zip(cells, olds, strict=True) if old}
        joined = [row for row, old in enumerate(olds) if not old]
        if self.fold.bag:
            found = self.joins.code(self.joins.all([values[row] for row in joined]))
            return found if found[0] not in earlier else None
        iterations = np.where(olds, self.rows.f[start : start + len(cells)], -1)
        latest = int(iterations.argmax())
        joined = [row for row in joined if cells[row] != cells[latest]]
        if not joined:
            return None
        total = self.joins.all([values[latest], *(values[row] for row in joined)])
        if self.joins.all((total, values[latest])) != total:
            raise no_lattice(self.fold.call.place)
        found = self.joins.code(total)
        return found if found[0] not in earlier else None

    def _compiled(self, starts: Longs, ends: Longs) -> None:
        """Add the totals of groups whose joins numba has compiled; only the last of the earlier totals is joined."""
        sizes = ends - starts
        group = np.repeat(np.arange(len(starts)), sizes)
        order = np.arange(len(group)) + np.repeat(starts - np.append(0, np.cumsum(sizes)[:-1]), sizes)
        old, iterations = self.rows.s[order] == OLD, self.rows.f[order]
        latest = np.full(len(starts), -1, np.int64)
        np.maximum.at(latest, group[old], iterations[old])
        kept = ~old | (iterations == latest[group])
        order, group, old = order[kept], group[kept], old[kept]
        firsts = np.flatnonzero(np.diff(group, prepend=-1))
        join = _compiled(self.fold)
        totals = join(self.rows.v[order], firsts, np.append(firsts[1:], len(order)))
        before = np.zeros(len(starts), np.int64)
        before[group[old]] = self.rows.v[order[old]]
        changed = (latest < 0) | (totals != before)
        grown = np.stack((totals, before), axis=1)[(latest >= 0) & changed].reshape(-1)
        places = np.arange(0, len(grown), 2)
        if (join(grown, places, places + 2) != grown[::2]).any():
            raise no_lattice(self.fold.call.place)
        self.out.rows(
            self.rows, starts[changed], totals[changed], np.full(int(changed.sum()), None, object), self.fold.group
        )


def no_lattice(place: str) -> LadderError:
    """The error for a join that violates the laws of a lattice."""
    return LadderError(
        "The values of a group returned to one that they had left: a join is not that of a lattice.",
        "`ladder check` tells which, with an example.",
    ).at(place)


@cache
def _compiled(fold: Fold) -> Callable[[Longs, Longs, Longs], Longs]:
    """(values, first place of each group, place behind its last) → joins, by a lattice's compiled join, cut
    to 32 bits."""
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
