"""The arrays behind the records: relations, indexes, aggregates, operations and the running update.

Python owns every bulk array and keeps its address in a record; kernels ask for more capacity through the records and
are called again once `grant_capacity` has granted it. Nothing here knows names or Python values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.blocks import clear_index, list_relation, recycle, rehash_directory
from ladder.engine.local.kernels.directory import rehash_groups
from ladder.engine.local.kernels.host_calls import add_rows, find_rows, reserve_tables, second_moments, set_states
from ladder.engine.local.kernels.operations import fill_places
from ladder.engine.local.kernels.values import rehash_answers
from ladder.engine.local.mapped import Mapping, address_of, arbitrary, copy_beginning, grown, make, make_many, zeros
from ladder.support.signals import Undisturbed
from ladder.support.tuning import DEFAULT, Evaluating

Array = npt.NDArray[Any]

# the field that asks for a capacity, the field of the capacity, the arrays that grow with it: (field, item type)
Growing = tuple[str, str, tuple[tuple[str, Any], ...]]
CAPACITIES: dict[str, tuple[Growing, ...]] = {  # by kind of record
    "relation": (
        (
            "rows_wanted",
            "row_capacity",
            (
                ("rows", None),
                ("first_iteration", np.int32),
                ("derivation_count", np.int32),
                ("change_number", np.int32),
            ),
        ),
    ),
    "index": (
        ("entries_wanted", "entry_capacity", (("entries", L.ENTRY),)),
        ("retired_wanted", "retired_capacity", (("retired", L.BLOCK),)),
    ),
    "aggregate": (
        ("events_wanted", "event_capacity", (("events", L.TOTAL_EVENT),)),
        ("notes_wanted", "note_capacity", (("notes", L.NOTE),)),
        ("words_wanted", "word_capacity", (("words", np.int64),)),
        ("states_wanted", "state_capacity", (("group_states", L.GROUP_STATE), ("touched", np.int32))),
    ),
    "update": (
        ("changes_wanted", "change_capacity", (("changes", L.CHANGE),)),
        ("events_wanted", "event_capacity", (("events", L.EVENT),)),
        ("iterations_wanted", "iteration_capacity", (("first_event", np.int32), ("first_total", np.int32))),
    ),
    "workspace": (("flags_wanted", "flag_capacity", (("entry_flags", np.uint8),)),),
}
RECORDS = {  # kind of record → attribute of a store
    "relation": "relations",
    "index": "indexes",
    "aggregate": "aggregates",
    "operation": "operations",
    "update": "update",
    "workspace": "workspace",
}
MUST_BE_ZERO = frozenset({"first_event", "first_total", "change_number"})
SPARSE = frozenset({"change_number", "derivation_count"})  # mostly 0, and 0 takes no memory until it is written over
MOST_ROWS = (1 << 31) - 4  # so that kernels have some numbers left for what is no row


@dataclass(frozen=True)
class AtWork:
    """The numbers of the relations and aggregates that some work is about."""

    relations: range
    aggregates: range = range(0)


class TooLarge(Exception):
    """Raised when a relation or an index has outgrown 32-bit row numbers."""


def _extended(records: Any, more: int) -> Any:
    """The records, followed by this many that are all zero: the beginning of a larger array, made here, of which the
    rest is zero, too. Bytes are copied, since numpy copies records of many fields a field at a time."""
    wanted, room = len(records) + more, records.base
    if room is None or len(room) < wanted:
        room = np.zeros(wanted + wanted // 2, records.dtype)
        room.view(np.uint8)[: records.nbytes] = records.view(np.uint8)
    return room[:wanted]


def slots_for(keys: Array) -> Array:
    """The number of slots of a directory that holds so many keys, for each: a power of two."""
    slots: Array = np.maximum(L.LEAST_SLOTS, 1 << np.frexp(keys * 4 // 3)[1].astype(np.int64))
    return slots


def slots_that_fit(keys: Array) -> Array:
    """The least number of slots of a directory of which so many keys take 5 of 8 at most, for each: they may take 6
    before it grows."""
    slots: Array = np.maximum(L.LEAST_SLOTS, 1 << np.frexp(keys * 8 // 5)[1].astype(np.int64))
    return slots


def directory_items(slots: int) -> int:
    """The number of items of a directory with so many slots: the marks lie behind the slots."""
    return slots + (slots << L.MARK_BITS >> 3) // int(L.KEY.itemsize)


def bounds_of(rows: Array) -> tuple[Array, Array]:
    """(the least cell of each column, the greatest one) of rows: int64[columns], int64[columns]."""
    columns = range(rows.shape[1])  # one by one: numpy takes many times as long for several of them together
    return (
        np.array([rows[:, c].min() for c in columns], np.int64),
        np.array([rows[:, c].max() for c in columns], np.int64),
    )


class Store:
    """Records and their bulk arrays; relations are numbered in the order of `arities`.

    `owners`: for a relation that shares the rows and the primary index of an earlier one, the earlier one's number,
    else NONE. Such a *view* has first iterations of its own; each of its rows has one derivation.
    """

    grant: Callable[[int], None] = staticmethod(lambda size: None)  # raises if this many more bytes are not allowed
    look: Callable[[], None] = staticmethod(lambda: None)  # raises if a limit is reached
    # does some work for each part of an index in threads, where there are any
    in_parts: Callable[[Callable[[int], Any]], None] | None = None

    def __init__(
        self,
        arities: Sequence[int],
        keys: Sequence[int],
        owners: Sequence[int] | None = None,
        tuning: Evaluating = DEFAULT.evaluating,
    ) -> None:
        self.tuning = tuning
        self.bulk: dict[tuple[str, int, str], Array] = {}
        self._mappings: dict[tuple[str, int, str], Mapping] = {}  # of the large arrays
        self.relations = np.zeros(len(arities), L.RELATION)
        self.relations["owner"] = L.NONE
        self._views: dict[int, list[int]] = {}  # of relations that have some
        self.indexes = np.zeros(0, L.INDEX)
        self.aggregates = np.zeros(0, L.AGGREGATE)
        self.operations = np.zeros(0, L.OPERATION)
        self.update = np.zeros(1, L.UPDATE)
        self.workspace = np.zeros(1, L.WORKSPACE)
        self.index_numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        self.without_rows: set[int] = set()  # the numbers of indexes that lack the rows of their relations
        self._postponing = False
        for growing in CAPACITIES["update"]:
            self._grow("update", 0, growing, 64)
        self._make_workspace(tuning.batch_size)
        self.new_relations(0, arities, keys, owners or [L.NONE] * len(arities))

    def _make_view(self, number: int) -> None:
        """Let a relation share the rows of its owner."""
        record = self.relations[number]
        owner = self.relations[int(record.owner)]
        record.place, record.primary_index = len(self.views(int(record.owner))) - 1, owner.primary_index
        self._grow("relation", number, CAPACITIES["relation"][0], int(owner.row_capacity))
        self.relations["rows"][number] = address_of(self.bulk["relation", int(record.owner), "rows"])
        primary = self.indexes[int(record.primary_index)]
        self.index_numbers[number, (int(primary["keys"][0]),)] = int(record.primary_index)

    def owner(self, relation: int) -> int:
        """The relation that holds the rows of a relation: itself, unless it is a view."""
        owner = int(self.relations["owner"][relation])  # by column: a record's attributes take microseconds
        return relation if owner == L.NONE else owner

    def views(self, relation: int) -> list[int]:
        """The views of a relation: the relations that share its rows, in the order in which they came to."""
        return self._views.get(relation, [])

    def set_owner(self, relation: int, owner: int) -> None:
        """Say which relation holds the rows of another one; NONE: that one itself."""
        former = int(self.relations["owner"][relation])
        if former in self._views:
            self._views[former] = [view for view in self._views[former] if view != relation]
        if owner != L.NONE:
            self._views[owner] = [*self.views(owner), relation]
        self.relations["owner"][relation] = owner

    def _larger(self, has: int, wanted: int) -> int:
        """The new capacity where `has` is not enough for `wanted`."""
        return max(wanted, min(self._factor(has) * has, max(MOST_ROWS, wanted)))

    def _factor(self, has: int) -> int:
        """By how much an array of this many rows, or slots, grows: stopping to grow takes longer than copying a few."""
        tuning = self.tuning
        return 16 if has < tuning.tiny else 8 if has < tuning.small else 4 if has < tuning.doubled else 2

    def _more_slots(self, has: int) -> int:
        """How many slots a directory gets where those that it has are not enough: by less than other arrays grow, since
        all of them are written."""
        return has * max(2, self._factor(has) // 2)

    def _make_workspace(self, batch_size: int) -> None:
        workspace, tuning = self.workspace[0], self.tuning
        workspace.batch_size, workspace.known_repeats = batch_size, tuning.known_repeats
        workspace.large_pool, workspace.waste = tuning.large_pool, tuning.waste
        self.replace("workspace", 0, "batches", arbitrary((L.MAX_LEVELS, L.MAX_REGISTERS, batch_size), np.int32))
        self.replace("workspace", 0, "scratch", arbitrary((4, batch_size), np.int32))

    # ---- arrays

    def records(self, kind: str) -> Array:
        """The array of records of a kind."""
        records: Array = getattr(self, RECORDS[kind])
        return records

    def replace(self, kind: str, number: int, field: str, array: Array, mapping: Mapping | None = None) -> None:
        """Make `array` the data of a record's field."""
        key = (kind, number, field)
        places, address = self._places(key), address_of(array)
        # The record must never keep the address of an array that is gone: nothing is called here that may fail.
        with Undisturbed():
            self._mappings.pop(key, None)
            if mapping is not None:
                self._mappings[key] = mapping
            self.bulk[key] = array
            for field_of, place in places:
                field_of[place] = address

    def adopt(self, kind: str, field: str, arrays: dict[int, Array]) -> None:
        """Make arrays (number of a record → array) the data of a field of records that had none; no view is among
        them."""
        field_of, addresses = self.records(kind)[field], [address_of(array) for array in arrays.values()]
        with Undisturbed():  # as in `replace`: nothing is called that may fail
            self.bulk.update({(kind, number, field): array for number, array in arrays.items()})
            field_of[[*arrays]] = addresses

    def adopt_new(
        self, kind: str, field: str, shapes: dict[int, tuple[int, ...]], item: Any, zero: bool = False
    ) -> None:
        """The same with new arrays of these shapes, of arbitrary content, or zero if `zero`."""
        made = make_many([*shapes.values()], item, zero, field in SPARSE, self.tuning)
        small: dict[int, Array] = {}
        for number, (array, mapping) in zip(shapes, made, strict=True):
            if mapping is None:
                small[number] = array
            else:
                self.replace(kind, number, field, array, mapping)
        self.adopt(kind, field, small)

    def _places(self, key: tuple[str, int, str]) -> list[tuple[Array, Any]]:
        """Where records keep the address of an array: a field of all records, and for which of them, for each."""
        kind, number, field = key
        places: list[tuple[Array, Any]] = [(self.records(kind)[field], number)]
        if kind == "relation" and field == "rows":
            places.append((self.relations["rows"], self.views(number)))
        elif kind == "relation" and field == "first_iteration" and self.owner(number) != number:
            places.append((self.relations["view_first"], (self.owner(number), int(self.relations["place"][number]))))
        return places

    def resize(self, kind: str, number: int, field: str, shape: tuple[int, ...], item: Any, zero: bool = False) -> None:
        """Change the shape of a record's array, keeping its contents; new cells are arbitrary, or zero if `zero`
        (always zero in MUST_BE_ZERO)."""
        key, zero = (kind, number, field), zero or field in MUST_BE_ZERO
        with Undisturbed():
            mapping = self._mappings.get(key)
            if mapping is not None:
                old_shape = self.bulk[key].shape
                if self._moved(key, mapping, shape, item):
                    mapping.advise()
                    if not zero:
                        grown(self.bulk[key], old_shape[0])
                    return
            array, larger = make(shape, item, zero, field in SPARSE, self.tuning)
            if key in self.bulk:
                self.grant(min(self.bulk[key].nbytes, array.nbytes))
                copy_beginning(self.bulk[key], array)
            self.replace(kind, number, field, array, larger)

    def _moved(self, key: tuple[str, int, str], mapping: Mapping, shape: tuple[int, ...], item: Any) -> bool:
        """Give an array another shape where its memory can be given the size; whether it can. Wherever this ends, the
        record has the address of an array over the memory as it is then."""
        places, moved = self._places(key), False
        old_shape = self.bulk.pop(key).shape  # the memory moves only when no array is over it
        try:
            moved = mapping.resize(math.prod(shape) * np.dtype(item).itemsize)
        finally:  # as in `replace`: nothing is called that may fail
            over = shape if moved else old_shape
            self.bulk[key] = array = np.frombuffer(mapping.memory, item, math.prod(over)).reshape(over)
            for field_of, place in places:
                field_of[place] = array.__array_interface__["data"][0]
        address_of(array)  # which a build that checks addresses notes
        return moved

    def _grow(self, kind: str, number: int, growing: Growing, capacity: int) -> None:
        if capacity > MOST_ROWS:
            raise TooLarge(f"{kind} {number}")
        records = self.records(kind)
        is_view = kind == "relation" and records["owner"][number] != L.NONE
        for view in self.views(number) if kind == "relation" else ():
            self._grow(kind, view, growing, capacity)
        for field, item in growing[2]:
            if item is None and is_view:
                continue
            shape = (capacity, int(records["arity"][number])) if item is None else (capacity,)
            self.resize(kind, number, field, shape, np.int32 if item is None else item, zero=is_view)
        records[growing[1]][number] = capacity

    def grant_capacity(self, at_work: AtWork | None = None) -> None:
        """Grant the capacity that kernels asked for when they stopped: at least double, and more where arrays are
        small.

        `at_work`: relations and aggregates that the work at hand is about. They and their indexes are looked at first,
        and all others only if none of them asks, since a large program has thousands.
        """
        if at_work is None or not self._grant_among(self._records_of(at_work)):
            self._grant_among({})

    def _records_of(self, work: AtWork) -> dict[str, Array]:
        """The numbers of the records that belong to relations and aggregates, by kind, each once: views have the
        primary index of their owner."""
        relations = self.relations[work.relations.start : work.relations.stop]
        secondary = relations["indexes"][np.arange(L.MAX_INDEXES) < relations["index_count"][:, None]]
        return {
            "relation": np.arange(work.relations.start, work.relations.stop),
            "index": np.concatenate([relations["primary_index"][relations["owner"] == L.NONE], secondary]),
            "aggregate": np.arange(work.aggregates.start, work.aggregates.stop),
        }

    def _grant_among(self, some: dict[str, Array]) -> bool:
        """Grant what records ask for → whether any does. `some`: the numbers of those to look at, of a kind; of any
        other kind all are looked at."""
        asked = False
        for kind, capacities in CAPACITIES.items():
            for growing in capacities:
                wanted, has = growing[:2]
                for number in self._asking(kind, wanted, has, some.get(kind)):
                    record, asked = self.records(kind), True
                    capacity = self._larger(int(record[has][number]), int(record[wanted][number]))
                    self._grow(kind, number, growing, capacity)
        for kind, resize in (("index", self._resize_directory), ("aggregate", self._resize_groups)):
            for number in self._asking(kind, "slots_wanted", "slot_count", some.get(kind)):
                slots, asked = int(self.records(kind)["slot_count"][number]), True
                resize(number, self._more_slots(slots))
        for number in self._asking("relation", "known_wanted", None, some.get("relation")):
            self._make_bitmap(number)
            asked = True
        return asked

    def _asking(self, kind: str, wanted: str, has: str | None, some: Array | None) -> list[int]:
        """The numbers of the records of a kind, or of some of them, in which one field is greater than another one, or
        than 0."""
        records = self.records(kind)
        if some is not None and not len(some):
            return []
        which = slice(None) if some is None else some
        found: list[int] = (records[wanted][which] > (records[has][which] if has else 0)).nonzero()[0].tolist()
        return found if some is None else [int(some[at]) for at in found]

    def _make_bitmap(self, number: int) -> None:
        """Give a relation a bitmap of known rows, unless that would be too large for the rows that it has."""
        self.drop_bitmap(number)
        record = self.relations[number]
        count, arity = int(record.row_count), int(record.arity)
        low, high = bounds_of(self.bulk["relation", number, "rows"][:count])
        bits = math.prod((high - low + 1).tolist())
        if bits > min(self.tuning.known_bits_per_row * count, MOST_ROWS):
            record.known_after = 4 * int(record.repeated)
            return
        self.grant(bits // 8)
        record.known_bits, record["known_low"][:arity], record["known_width"][:arity] = bits, low, high - low + 1
        self.replace("relation", number, "known", zeros(((bits + 7) // 8,), np.uint8))

    def drop_bitmap(self, number: int) -> None:
        """Drop the bitmap of a relation, if it has one."""
        record = self.relations[number]
        with Undisturbed():
            record.known = record.known_wanted = record.known_rows = record.known_outside = 0
            self.bulk.pop(("relation", number, "known"), None)

    def drop_bitmaps(self) -> None:
        """Drop the bitmaps of all relations: a bootstrap has ended."""
        for number in self.relations["known"].nonzero()[0].tolist():
            self.drop_bitmap(number)
        self.relations["repeated"] = self.relations["known_after"] = 0

    def release_notes(self) -> None:
        """Release the memory that a large transaction, which has ended, took for its changes and events."""
        record = self.update[0]
        for wanted, has, fields in CAPACITIES["update"][:2]:
            if record[has] > self.tuning.kept_notes:
                record[wanted] = 0
                self._grow("update", 0, (wanted, has, fields), self.tuning.kept_notes)

    def reserve_rows(self, relation: int, rows: int, more_follow: bool = False) -> None:
        """Ensure that a relation has capacity for this many rows, or for as many as are possible; `more_follow`: and
        for some of those that will be asked for next."""
        has = int(self.relations[relation].row_capacity)
        if rows > has:
            wanted = self._larger(has, rows) if more_follow else rows
            self._grow("relation", relation, CAPACITIES["relation"][0], min(wanted, MOST_ROWS))

    def reserve_entries(self, number: int, more: int) -> None:
        """Ensure that an index has capacity for this many more entries, or for as many as are possible."""
        index = self.indexes[number]
        if index.entry_count + more > index.entry_capacity:
            wanted = self._larger(int(index.entry_capacity), int(index.entry_count) + 2 * more)
            self._grow("index", number, CAPACITIES["index"][0], min(wanted, MOST_ROWS))

    def reserve_slots(self, number: int, slots: int) -> None:
        """Ensure that a directory has this many slots, a power of two."""
        if slots > self.indexes["slot_count"][number]:
            self._resize_directory(number, slots)

    def _resize_directory(self, number: int, slots: int) -> None:
        items = directory_items(slots)
        self.grant(items * L.KEY.itemsize)
        new, (directory, mapping) = self.indexes[number].copy(), make((items,), L.KEY, zero=True, tuning=self.tuning)
        new.directory, new.slot_count = address_of(directory), slots
        rehash = partial(rehash_directory, self.indexes[number], new)
        if self.in_parts is None or slots < self.tuning.many_slots:
            rehash(0, L.PARTS)
        else:
            self.in_parts(lambda part: rehash(part, part + 1))
        with Undisturbed():
            self.replace("index", number, "directory", directory, mapping)
            self.indexes["slot_count"][number], self.indexes["slots_wanted"][number] = slots, 0

    def _resize_groups(self, number: int, slots: int) -> None:
        self.grant(4 * slots)
        new, (directory, mapping) = (
            self.aggregates[number].copy(),
            make((slots,), np.int32, zero=True, tuning=self.tuning),
        )
        new.group_directory, new.slot_count = address_of(directory), slots
        rehash_groups(self.aggregates[number], new, self.relations)
        with Undisturbed():
            self.replace("aggregate", number, "group_directory", directory, mapping)
            self.aggregates["slot_count"][number], self.aggregates["slots_wanted"][number] = slots, 0

    def fit_directories(self, work: AtWork | None = None) -> None:
        """Give directories that are much larger than their keys need, since they grow by large factors, as many slots
        as leave room for some more keys: those of the relations and aggregates that some work was about, or all."""
        some = {} if work is None else self._records_of(work)
        for kind, resize in (("index", self._resize_directory), ("aggregate", self._resize_groups)):
            records, numbers = self.records(kind), some.get(kind)
            numbers = np.arange(len(records)) if numbers is None else numbers
            numbers = numbers[records["slot_count"][numbers] >= self.tuning.fitted_slots]
            used = records["used_slots"][numbers]
            fitting = slots_that_fit(used.max(1) * L.PARTS if used.ndim > 1 else used)
            for number, slots in zip(numbers.tolist(), fitting.tolist(), strict=True):
                if slots < records["slot_count"][number]:
                    resize(number, slots)

    def fit_arrays(self, work: AtWork) -> None:
        """Give back the capacity that relations which are complete, and their indexes, do not need: they keep some for
        rows of updates. Views have the capacity of their owners."""
        some = self._records_of(work)
        for kind, place, used in (
            ("relation", 0, "row_count"),
            ("index", 0, "entry_count"),
            ("index", 1, "retired_count"),
        ):
            growing, records, numbers = CAPACITIES[kind][place], self.records(kind), some[kind]
            if kind == "relation":
                numbers = numbers[records["owner"][numbers] == L.NONE]
            filled = records[used][numbers]
            enough = filled + filled // self.tuning.spare + self.tuning.capacity
            fits = records[growing[1]][numbers] - enough < self.tuning.unneeded
            for number, capacity in zip(numbers[~fits].tolist(), enough[~fits].tolist(), strict=True):
                records[growing[0]][number] = 0
                self._grow(kind, number, growing, capacity)

    # ---- making and dropping relations, indexes, aggregates, operations

    def new_relations(self, first: int, arities: Sequence[int], keys: Sequence[int], owners: Sequence[int]) -> None:
        """Add empty relations with numbers from `first` on, which no relation has yet; see the class for `owners`."""
        missing = first + len(arities) - len(self.relations)
        if missing > 0:
            self.relations = _extended(self.relations, missing)
        for field, value in (("arity", arities), ("aggregate", L.NONE), ("owner", L.NONE)):
            self.relations[field][first : first + len(arities)] = value
        own = [number for number, owner in enumerate(owners, first) if owner == L.NONE]
        with Undisturbed():  # once for all of their arrays
            self._make_arrays("relation", own, CAPACITIES["relation"][0], self.tuning.capacity)
            indexes = self._new_indexes([(n, L.HASHED, (keys[n - first],), L.NONE) for n in own])
            self.relations["primary_index"][own] = indexes
            for number, owner in enumerate(owners, first):
                if owner != L.NONE:
                    self.set_owner(number, owner)
                    self._make_view(number)

    def _make_arrays(self, kind: str, numbers: Sequence[int], growing: Growing, capacity: int) -> None:
        """Make the arrays of records that have none, all at once."""
        records = self.records(kind)
        for field, item in growing[2]:
            widths = records["arity"][numbers].tolist() if item is None else [None] * len(numbers)
            shapes: dict[int, tuple[int, ...]] = {
                n: (capacity,) if width is None else (capacity, width) for n, width in zip(numbers, widths, strict=True)
            }
            self.adopt_new(kind, field, shapes, np.int32 if item is None else item, zero=field in MUST_BE_ZERO)
        records[growing[1]][numbers] = capacity

    def renumber_aggregate(self, old: int, new: int) -> None:
        """Move the arrays of an aggregate to another number."""
        known: tuple[dict[tuple[str, int, str], Any], ...] = (self.bulk, self._mappings)
        for arrays in known:
            for key in [key for key in arrays if key[:2] == ("aggregate", old)]:
                arrays["aggregate", new, key[2]] = arrays.pop(key)

    def forget(self, kind: str, number: int) -> None:
        """Drop the arrays of a record, and set all of its fields to zero."""
        for field in self.records(kind).dtype.names or ():
            if self.bulk.pop((kind, number, field), None) is not None:
                self._mappings.pop((kind, number, field), None)
        self.records(kind)[number] = np.zeros(1, self.records(kind).dtype)[0]

    def _new_indexes(self, wanted: Sequence[tuple[int, int, tuple[int, ...], int]]) -> list[int]:
        """Make empty indexes, each given by its relation, kind, columns and value column; returns their numbers, first
        those of indexes that were dropped."""
        if not wanted:
            return []
        numbers: list[int] = np.flatnonzero(self.indexes["relation"] == L.NONE)[: len(wanted)].tolist()
        for number in numbers:
            self.forget("index", number)
        if missing := len(wanted) - len(numbers):
            numbers += range(len(self.indexes), len(self.indexes) + missing)
            self.indexes = _extended(self.indexes, missing)
        for number, (relation, _, keys, _) in zip(numbers, wanted, strict=True):
            self.indexes["keys"][number, : len(keys)] = keys
            self.index_numbers[relation, keys] = number
        relations, kinds, columns, values = zip(*wanted, strict=True)
        for field, value in (
            ("relation", relations),
            ("kind", kinds),
            ("key_count", [len(keys) for keys in columns]),
            ("value_column", values),
            ("entry_count", 1),  # entry 0 ends free lists
            ("slot_count", L.LEAST_SLOTS),
        ):
            self.indexes[field][numbers] = value
        self.adopt_new(
            "index", "directory", {number: (directory_items(L.LEAST_SLOTS),) for number in numbers}, L.KEY, zero=True
        )
        self._make_arrays("index", numbers, CAPACITIES["index"][0], 2 * self.tuning.capacity)
        self._make_arrays("index", numbers, CAPACITIES["index"][1], self.tuning.capacity)
        return numbers

    def index_on(self, relation: int, keys: tuple[int, ...]) -> int:
        """The number of the index on these columns, which is created if it does not exist, and has the rows of the
        relation, unless that is postponed."""
        known = self.index_numbers.get((relation, keys))
        if known is not None:
            if known in self.without_rows and not self._postponing:
                self.list_rows(relation, fitted=True)
            return known
        record = self.relations[relation]
        if record.index_count == L.MAX_INDEXES:
            raise TooLarge(f"more than {L.MAX_INDEXES} indexes on relation {relation}")
        others = [c for c in range(int(record.arity)) if c not in keys]
        with Undisturbed():  # from here on it is known that it lacks rows, wherever entering them stops
            [number] = self._new_indexes([(relation, L.LISTED, keys, others[0] if others else L.NONE)])
            record = self.relations[relation]
            record["indexes"][int(record.index_count)] = number
            record.index_count += 1
            self.without_rows.add(number)
        if not self._postponing or self.row_count(relation) < self.tuning.dropped_from:
            self.list_rows(relation, fitted=True)
        return number

    @contextmanager
    def postponing(self) -> Iterator[None]:
        """A block in which new indexes of relations with many rows stay without them."""
        before, self._postponing = self._postponing, True
        try:
            yield
        finally:
            self._postponing = before

    def list_all_rows(self) -> None:
        """Enter the rows of relations into the indexes that lack them."""
        for relation in self.relations_to_list():
            self.list_rows(relation, fitted=True)

    def relations_to_list(self) -> list[int]:
        """The relations whose rows some of their indexes lack."""
        numbers: list[int] = np.unique(self.indexes["relation"][list(self.without_rows)]).tolist()
        return numbers

    def secondary_indexes(self, relation: int) -> list[int]:
        """The numbers of a relation's indexes, except for the primary one."""
        count = int(self.relations["index_count"][relation])
        numbers: list[int] = self.relations["indexes"][relation, :count].tolist()
        return numbers

    def drop_index(self, number: int) -> None:
        """Drop an index; a primary one is dropped only with its relation. Its record stays until another index takes
        it, since numbers of indexes never change."""
        index = self.indexes[number]
        relation = self.relations[int(index.relation)]
        kept = [n for n in self.secondary_indexes(int(index.relation)) if n != number]
        relation["indexes"][: len(kept)] = kept
        relation.index_count = len(kept)
        del self.index_numbers[int(index.relation), tuple(index["keys"][: int(index.key_count)].tolist())]
        self.take_rows(number)
        self.without_rows.discard(number)
        self.indexes["relation"][number], self.indexes["key_count"][number] = L.NONE, 0

    def take_rows(self, number: int) -> None:
        """Let an index, not a primary one, lack the rows of its relation, and give back its memory."""
        directory = zeros((directory_items(L.LEAST_SLOTS),), L.KEY)
        entries, retired = make((1,), L.ENTRY, tuning=self.tuning)[0], arbitrary((1,), L.BLOCK)
        index = self.indexes[number]
        with Undisturbed():  # half of it would be an index that seems to have all rows, or has blocks that are gone
            self.without_rows.add(number)
            index.entry_capacity, index.retired_capacity, index.slot_count = 1, 1, L.LEAST_SLOTS
            index.entry_count, index.retired_count, index.row_count, index.free_entries = 1, 0, 0, 0
            index.counted_rows = index.slots_wanted = index.entries_wanted = index.retired_wanted = 0
            for several in ("free_block", "used_slots", "range_from", "range_to"):
                index[several] = 0
            self.replace("index", number, "directory", directory)
            self.replace("index", number, "entries", entries)
            self.replace("index", number, "retired", retired)

    def list_rows(self, relation: int, fitted: bool = False) -> None:
        """Enter all rows of a relation into its indexes; `fitted`: and leave no directory much larger than it need
        be."""
        work = AtWork(range(relation, relation + 1))
        while not list_relation(self.relations[relation], self.indexes):
            self.grant_capacity(work)
            self.look()
        recycle(self.relations[relation : relation + 1], self.indexes)
        if fitted:
            self.fit_directories(work)
        if self.without_rows:
            self.without_rows.difference_update(self.secondary_indexes(relation))

    def new_operation(self, kind: int, argument_count: int) -> int:
        """Add a function or join, and return its number; the kind ASK means that Python computes the results."""
        number = len(self.operations)
        self.operations = _extended(self.operations, 1)
        operation = self.operations[number]
        operation.kind, operation.argument_count = kind, argument_count
        self.set_capacity_of_answers(number, 64)
        self.replace("operation", number, "results", zeros((2,), np.int32))
        operation.result_capacity = 2
        return number

    def set_capacity_of_answers(self, number: int, slots: int) -> None:
        """Give a memo table this many slots, a power of two, keeping its answers; no question may be unanswered."""
        self.resize("operation", number, "asked", (slots // 2,), np.int32)
        self.operations[number].asked_capacity = slots // 2
        new, (answers, mapping) = (
            self.operations[number].copy(),
            make((slots,), L.ANSWER, zero=True, tuning=self.tuning),
        )
        new.answers, new.slot_count = address_of(answers), slots
        if ("operation", number, "answers") in self.bulk:
            rehash_answers(self.operations[number], new)
        with Undisturbed():
            self.replace("operation", number, "answers", answers, mapping)
            self.operations[number] = new

    def set_table(self, number: int, cells: Array, joins: Array) -> None:
        """Give an operation the table of joins of these values; joins[i, j] is the cell of the join of the i-th and the
        j-th."""
        slots = 1 << max(1, 2 * len(cells) - 1).bit_length()
        places = zeros((slots,), L.PLACE)
        places["place"] = L.NONE
        self.replace("operation", number, "places", places)
        self.replace("operation", number, "table", np.ascontiguousarray(joins, np.int32))
        operation = self.operations[number]
        operation.value_count, operation.place_count = len(cells), slots
        fill_places(operation, np.ascontiguousarray(cells, np.int32))

    def new_aggregate(
        self, operation: int, inputs: int, totals: int, finals: int, group_width: int, by_row: bool
    ) -> int:
        """Add an aggregate, made of three relations, and return its number; `by_row`: each row of inputs counts,
        whatever its value."""
        number = len(self.aggregates)
        self.aggregates = _extended(self.aggregates, 1)
        aggregate = self.aggregates[number]
        aggregate.operation, aggregate.aggregands, aggregate.totals, aggregate.finals = (
            operation,
            inputs,
            totals,
            finals,
        )
        aggregate.holder, aggregate.shared = self.owner(finals), self.owner(finals) == inputs
        aggregate.group_width, aggregate.by_row = group_width, by_row
        aggregate.word_count, aggregate.free_state = 1, L.NONE  # word 0 ends free lists
        for growing in CAPACITIES["aggregate"]:
            self._grow("aggregate", number, growing, 64)
        self.replace("aggregate", number, "group_directory", zeros((16,), np.int32))
        self.aggregates[number].slot_count = 16
        self.relations[inputs].aggregate = number
        return number

    # ---- rows

    def row_count(self, relation: int) -> int:
        return int(self.relations["row_count"][relation])

    def cells(self, relation: int) -> Array:
        """All stored rows, absent ones included."""
        return self.bulk["relation", self.owner(relation), "rows"][: self.row_count(relation)]

    def slots(self, index: int) -> Array:
        """The slots of the directory of an index, empty ones included."""
        return self.bulk["index", index, "directory"][: int(self.indexes["slot_count"][index])]

    def first(self, relation: int) -> Array:
        """The first iteration of each stored row; ABSENT where it is not in the relation."""
        return self.bulk["relation", relation, "first_iteration"][: self.row_count(relation)]

    def counts(self, relation: int, numbers: Array | slice = slice(None)) -> Array:
        """The derivation count of each stored row, or of the rows with these numbers; the array stores the count minus
        1."""
        return self.bulk["relation", relation, "derivation_count"][: self.row_count(relation)][numbers] + np.int32(1)

    def columns(self, relation: int) -> tuple[Array, Array, Array]:
        """(rows, first iteration, derivation count) of all stored rows, absent ones included."""
        return self.cells(relation), self.first(relation), self.counts(relation)

    def present_cells(self, relation: int) -> Array:
        """The rows that are in the relation."""
        cells = self.cells(relation)
        return cells if self.relations[relation].absent_rows == 0 else cells[self.first(relation) != L.ABSENT]

    def present(self, relation: int) -> tuple[Array, Array, Array]:
        """(rows, first iteration, derivation count) of the rows that are in the relation."""
        rows, first, counts = self.columns(relation)
        if self.relations[relation].absent_rows == 0:
            return rows, first, counts
        here = first != L.ABSENT
        return rows[here], first[here], counts[here]

    def find(self, relation: int, cells: Array) -> Array:
        """The number of each of these rows; -1 for rows that are not stored."""
        numbers = arbitrary((len(cells),), np.int64)
        find_rows(
            self.relations[relation],
            self.indexes[self.relations["primary_index"][relation]],
            np.ascontiguousarray(cells, np.int32),
            numbers,
        )
        return numbers

    def holds(self, relation: int, cells: Array) -> Array:
        """Whether each of these rows is in the relation."""
        there: npt.NDArray[np.bool_] = self.first_of(relation, cells) != L.ABSENT
        return there

    def compared(self, relation: int, cells: Array) -> tuple[Array, Array]:
        """(those of `cells` that are not rows of the relation, the rows of the relation that are not among `cells`);
        `cells` must be distinct rows."""
        first, came = self.first(relation), [cells[:0]]
        there = first != L.ABSENT
        # what is found out about all rows at once would take more than they do
        for start in range(0, len(cells), self.tuning.compared_rows):
            block = cells[start : start + self.tuning.compared_rows]
            numbers = self.find(relation, block)
            stored = (numbers >= 0) & (numbers < len(first))
            stored[stored] = first[numbers[stored]] != L.ABSENT
            there[numbers[stored]] = False
            if not stored.all():
                came.append(block[~stored])
        return np.concatenate(came), self.cells(relation)[there] if there.any() else cells[:0]

    def first_of(self, relation: int, cells: Array) -> Array:
        """The first iteration of each of these rows."""
        numbers, found = self.find(relation, cells), np.full(len(cells), L.ABSENT, np.int32)
        stored = (numbers >= 0) & (numbers < self.row_count(relation))  # a view may not have followed its owner yet
        found[stored] = self.first(relation)[numbers[stored]]
        return found

    def reserve_for(self, relation: int, cells: Array) -> None:
        """Make room for rows that will be added to a relation; where it has none yet, its index is laid out for
        them."""
        relation = self.owner(relation)
        if len(cells) <= self.tuning.small:
            return
        self.reserve_rows(relation, self.row_count(relation) + len(cells))
        number, cells = int(self.relations["primary_index"][relation]), np.ascontiguousarray(cells, np.int32)
        if self.row_count(relation) or self.indexes["used_slots"][number].any():
            return
        try:
            while not reserve_tables(self.indexes[number], cells):
                self.grant_capacity(AtWork(range(relation, relation + 1)))
                self.look()
            self._resize_directory(number, int(self.indexes["slot_count"][number]))
        except BaseException:
            clear_index(self.indexes[number])  # else keys would have blocks that are not there
            raise

    def add(self, relation: int, cells: Array) -> Array:
        """The numbers of rows; rows that were not stored are stored as absent ones. Indexes are not updated."""
        numbers, done, cells = arbitrary((len(cells),), np.int64), 0, np.ascontiguousarray(cells, np.int32)
        relation = self.owner(relation)
        if len(cells) > self.tuning.small:
            self.reserve_rows(relation, self.row_count(relation) + len(cells))
        while done < len(cells):
            done = add_rows(
                self.relations[relation], self.indexes[self.relations["primary_index"][relation]], cells, numbers, done
            )
            if done < len(cells):
                self.grant_capacity(AtWork(range(relation, relation + 1)))
        recycle(self.relations[relation : relation + 1], self.indexes)
        self.follow(relation)
        return numbers

    def follow(self, relation: int) -> None:
        """Let the views of a relation see all of its rows."""
        for view in self.views(relation):
            record, count = self.relations[view], self.row_count(relation)
            record.absent_rows += count - record.row_count
            record.row_count = count

    def set_states(self, relation: int, numbers: Array, first: Array, counts: Array) -> None:
        """Set the first iterations and derivation counts of stored rows."""
        set_states(self.relations[relation], numbers, first, counts)

    def block_lengths(self, relation: int) -> tuple[float, tuple[float, ...], tuple[Array, ...]]:
        """(number of present rows, for each column the mean number of rows that share a row's value, weighted by rows,
        for each column a histogram).

        A histogram is the number of rows in each bucket of hashed values.
        """
        record, lengths, histograms, seen = self.relations[relation], [], [], 0
        if not self.row_count(relation):
            arity, none = int(record["arity"]), np.zeros(min(256, self.tuning.buckets))
            return 0.0, (0.0,) * arity, (none,) * arity
        size = 1 << max(8, min(18, int(record.row_count).bit_length()))
        for column in range(int(record.arity)):
            buckets, moments = np.zeros(size, np.int32), np.zeros(1)
            seen = second_moments(record, column, buckets, moments)
            histograms.append(buckets.reshape(-1, min(size, self.tuning.buckets)).sum(0).astype(np.float64))
            moment, chance = float(moments[0]), seen * (seen - 1) / size  # pairs that share a bucket by chance alone
            lengths.append(max(1.0, (moment - min(chance, moment)) / seen) if seen else 0.0)
        return float(seen), tuple(lengths), tuple(histograms)
