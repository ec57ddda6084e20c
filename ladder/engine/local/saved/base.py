"""The base of a saved state: everything that an engine holds, as mapped arrays (see `parts`) and numbers in JSON.

Records are not read from the file: they are made anew for the program, and take over numbers, each of which is checked.
Memo tables of functions are not saved: results are computed again when they are needed. The plans of updates decide
what kernels do, so that they count as code: they are taken only from a state that this user's own Ladder has saved with
the same kernels. Otherwise they are made anew, and all arrays are checked.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.object_cache import CACHE
from ladder.engine.local.mapped import arbitrary, make
from ladder.engine.local.owners import row_owners
from ladder.engine.local.planning import EncodedPlans
from ladder.engine.local.saved.format import HINT
from ladder.engine.local.saved.indexes import WrittenIndexes, described, listed, part_of
from ladder.engine.local.saved.parts import Laid, Named, Parts, damaged
from ladder.engine.local.saved.program import Opener, Origin, SavedProgram
from ladder.engine.local.saved.values import objects_of, parts_of_objects, parts_of_symbols, symbols_of
from ladder.engine.local.store import MOST_ROWS, Store, directory_items
from ladder.engine.local.strategies import strategy_of
from ladder.errors import StateError
from ladder.language.core import Kind, Program, dependencies
from ladder.plan.components import component_order
from ladder.plan.order import Statistics
from ladder.support.limits import Watch
from ladder.support.tuning import DEFAULT, Tuning

SMALLEST_DIRECTORY = 4
RETIRED = 16  # blocks for which an index has room when it is opened
PLANS = (("components", L.COMPONENT), ("inputs", np.int64), ("plans", L.PLAN), ("steps", L.STEP))
Array = npt.NDArray[Any]


# ---- writing


def laid_base(engine: LocalEngine, origin: Origin) -> Laid:
    """The whole state, laid out as a file; `LadderError` if it has values that cannot be saved."""
    store = engine.store
    for number in range(len(store.relations)):
        store.follow(number)
    numbers = _numbers_of(engine)
    saved = SavedProgram.of(engine.program, origin, numbers)
    header, tuning = _header(engine, saved, numbers), engine.tuning.saving
    indexes = WrittenIndexes(store, set(numbers.values()), tuning.slack)
    there = [*_arrays(engine, saved, numbers), *indexes.with_rows()]
    return Laid(lambda: {**header, "index records": indexes.described}, _groups(there, indexes), tuning)


def _groups(there: Sequence[Named], indexes: WrittenIndexes) -> Generator[Sequence[Named], None, None]:
    """The arrays that are there, then those of indexes that are made to be written."""
    yield there
    yield from indexes.without_rows()


def _header(engine: LocalEngine, saved: SavedProgram, numbers: Mapping[str, int]) -> dict[str, Any]:
    """What the header says, but for the records of indexes."""
    store, plans = engine.store, engine.update_plans
    return {
        "kernels": CACHE.name,
        "strategy": engine.strategy.state,
        "order": engine.expanded.order,
        **saved.description(),
        "numbers": numbers,
        "aggregates": engine.aggregate_numbers,
        "statistics": {name: [s.rows, list(s.blocks)] for name, s in engine.statistics.items() if name in numbers},
        "given too": engine.asserted_program_facts.stored(),
        "functions": [
            [name, None if kind is None else kind.value, count, number]
            for (name, kind, count), number in engine.functions.numbers.items()
        ],
        "operations": len(store.operations),
        "counts": plans.counts if plans is not None else [],
        "relation records": [
            described(record, ("row_count", "primary_index", "absent_rows"))
            | {"indexes": store.secondary_indexes(number)}
            for number, record in enumerate(store.relations)
        ],
        "aggregate records": [
            described(record, ("used_slots", "state_count", "free_state", "word_count"))
            | {"free_block": listed(record["free_block"])}
            for record in store.aggregates
        ],
    }


def _arrays(engine: LocalEngine, saved: SavedProgram, numbers: Mapping[str, int]) -> list[Named]:
    """All arrays but those of indexes."""
    plans, slack = engine.update_plans, engine.tuning.saving.slack
    arrays = [
        *_bulk(engine.store, numbers, slack),
        *parts_of_symbols(engine.values.symbols, slack),
        *parts_of_objects(engine.values.objects.values),
    ]
    if plans is not None:
        for field, _ in PLANS:
            array = getattr(plans, field)
            arrays.append((f"plans.{field}", array, len(array) + len(array) // slack))
    arrays += [(f"strategy.{name}", array, 0) for name, array in engine.strategy.saved().items()]
    arrays.append(("program", np.frombuffer(saved.packed, np.uint8), 0))
    return arrays


def _numbers_of(engine: LocalEngine) -> dict[str, int]:
    """The numbers of the program's relations. Tables of records that only an earlier program had are not saved, for
    nothing that is saved refers to them."""
    return {name: number for name, number in engine.numbers.items() if name in engine.relations}


def _bulk(store: Store, numbers: Mapping[str, int], slack: int) -> Iterator[Named]:
    """The arrays of relations in use and of aggregates."""
    for number in sorted(numbers.values()):
        count = store.row_count(number)
        yield part_of(store, "relation", number, "first_iteration", count, slack)
        if store.relations[number].owner == L.NONE:
            yield part_of(store, "relation", number, "rows", count, slack)
            yield part_of(store, "relation", number, "derivation_count", count, slack)
    for number, aggregate in enumerate(store.aggregates):
        directory = store.bulk["aggregate", number, "group_directory"]
        yield f"aggregate.{number}.group_directory", directory, len(directory)
        yield part_of(store, "aggregate", number, "group_states", int(aggregate.state_count), slack)
        yield part_of(store, "aggregate", number, "words", int(aggregate.word_count), slack)


# ---- reading


def of_these_kernels(parts: Parts) -> bool:
    """Whether a base was written with the kernels that run now, compared by their sources."""
    return bool(parts.header["kernels"] == CACHE.name)


def read_base(
    parts: Parts,
    ours: bool,
    program_of: Opener,
    watch: Watch | None = None,
    strategy: str = "elastic",
    tuning: Tuning = DEFAULT,
) -> LocalEngine:
    """The engine whose state is in a file. `ours`: whether this user's Ladder has written the file; unless it has, and
    with the same kernels, all arrays are checked.

    `program_of` returns the core program of the state, or raises `StateError`. Malformed headers raise ValueError and
    the like.
    """
    header, folder = parts.header, parts.folder
    if header["strategy"] != strategy_of(strategy).state:
        raise StateError(f"The state in {folder} is one of the strategy {header['strategy']}, not of {strategy}.", HINT)
    saved = SavedProgram.described(header, header["numbers"], parts.used("program", np.uint8).tobytes(), ours, folder)
    program = program_of(saved)
    if not _is_order(header["order"], program):
        damaged(folder, "its components are not those of its program")
    engine = LocalEngine(program, saved_order=header["order"], watch=watch, strategy=strategy, tuning=tuning)
    restorer = _Restorer(engine, parts)
    believed = ours and of_these_kernels(parts)
    restorer.restore(believed)
    if not believed:
        from ladder.engine.local.saved.checks import check_base  # rarely needed

        check_base(engine, folder)
    engine.strategy.restore(
        {
            name.partition(".")[2]: part.raw[: part.used]
            for name, part in parts.parts.items()
            if name.startswith("strategy.")
        }
    )
    return engine


def _is_order(order: Any, program: Program) -> bool:
    """Whether these are the components of a program: each relation once, and those that others depend on first."""
    if sorted(map(sorted, order)) != sorted(map(sorted, component_order(program))):
        return False
    place = {name: number for number, members in enumerate(order) for name in members}
    return all(place[read] <= place[derived] for read, derived in dependencies(program))


class _Restorer:
    """Gives an engine without relations those of a file; every number is checked."""

    def __init__(self, engine: LocalEngine, parts: Parts) -> None:
        self.engine, self.store, self.parts, self.header = engine, engine.store, parts, parts.header
        self.believed = False

    def fail(self, reason: str) -> None:
        damaged(self.parts.folder, reason)

    def number(self, value: Any, least: int, below: int, what: str) -> int:
        """A number of the header, which must be within bounds."""
        if type(value) is not int or not least <= value < below:
            self.fail(f"{what} is {value!r}")
        return int(value)

    def restore(self, believed: bool) -> None:
        """Restore numbers, values, arrays and records; if `believed`, plans and free lists, too."""
        engine, header, self.believed = self.engine, self.header, believed
        self._place()
        engine.values.symbols = symbols_of(self.parts, believed, engine.tuning.evaluating)
        engine.values.objects = objects_of(self.parts, engine.program)
        if believed:
            engine.functions.restored(
                [
                    (str(name), None if kind is None else Kind(kind), count, number)
                    for name, kind, count, number in header["functions"]
                ],
                header["operations"],
                engine.expanded,
            )
        self._relations()
        self._indexes(believed)
        self._aggregates(believed)
        engine.functions.renew()
        engine.asserted_program_facts.restore(header["given too"], engine.relations)
        engine.statistics.update(
            {name: self._statistics(name, rows, blocks) for name, (rows, blocks) in header["statistics"].items()}
        )
        if believed and "plans.plans" in self.parts.parts:
            components, inputs, plans, steps = (self.parts.used(f"plans.{field}", item) for field, item in PLANS)
            room = self.parts.array("plans.plans", L.PLAN), self.parts.array("plans.steps", L.STEP)
            engine.update_plans = EncodedPlans(components, inputs, plans, steps, [], header["counts"], room)

    def _place(self) -> None:
        """Restore the numbers of relations and aggregates; those of a component are consecutive."""
        engine, header = self.engine, self.header
        numbers, aggregates = dict(header["numbers"]), dict(header["aggregates"])
        for what, found, names, below in (
            ("relations", numbers, engine.relations.keys(), len(header["relation records"])),
            ("aggregates", aggregates, engine.expanded.aggregates.keys(), len(header["aggregate records"])),
        ):
            if found.keys() != set(names):
                self.fail(f"its {what} are not those of its program")
            for name, number in found.items():
                self.number(number, 0, below, f"the number of {name}")
            if len(set(found.values())) != len(found):
                self.fail(f"two of its {what} have the same number")
        if len(aggregates) != len(header["aggregate records"]):
            self.fail("it has aggregates without a name")
        for component in engine.expanded.components:
            for run in (
                [numbers[name] for name in component.names],
                [aggregates[a.name] for a in component.aggregates],
            ):
                if run and max(run) - min(run) != len(run) - 1:
                    self.fail("numbers of a component are no run")
        engine.place(numbers, aggregates)

    def _statistics(self, name: str, rows: Any, blocks: Any) -> Statistics:
        arity = self.engine.relations[name].arity
        if len(blocks) != arity or not all(type(n) in (int, float) and 0 <= n < float("inf") for n in (rows, *blocks)):
            self.fail(f"the statistics of {name} are none")
        return Statistics(rows, tuple(blocks))

    # ---- relations

    def _relations(self) -> None:
        """Restore the relations: those that hold rows all at once, since there are many, then those that share them."""
        engine, store, records = self.engine, self.store, self.header["relation records"]
        store.relations = np.zeros(self.number(len(records), 1, MOST_ROWS, "the number of relations"), L.RELATION)
        store.relations["owner"] = store.relations["aggregate"] = L.NONE
        owners = row_owners(engine.expanded, engine.program)
        store.relations["arity"][[*engine.numbers.values()]] = [engine.relations[n].arity for n in engine.numbers]
        views = sorted(engine.numbers[name] for name in owners)
        for number in views:
            owner = engine.numbers[owners[engine.names[number]]]
            store.relations["place"][number] = len(store.views(owner))
            store.set_owner(number, owner)
        self._own_rows([number for name, number in engine.numbers.items() if name not in owners])
        for number in views:
            self._view(number)

    def _own_rows(self, numbers: Sequence[int]) -> None:
        """Restore relations that hold their rows."""
        store, counts, rows, first, derivations = self.store, dict[int, int](), {}, {}, {}
        for number in numbers:
            arity = int(store.relations["arity"][number])
            counts[number] = count = self.number(
                self.header["relation records"][number]["row_count"], 0, MOST_ROWS, "a number of rows"
            )
            rows[number] = self._column(f"relation.{number}.rows", count, arity).reshape(-1, arity)
            first[number] = self._column(f"relation.{number}.first_iteration", count)
            derivations[number] = self._column(f"relation.{number}.derivation_count", count)
            if not len(rows[number]) == len(first[number]) == len(derivations[number]):
                self.fail(f"the columns of relation {number} differ in length")
        store.adopt("relation", "rows", rows)
        store.adopt("relation", "first_iteration", first)
        store.adopt("relation", "derivation_count", derivations)
        self._set_rows(counts, {number: len(rows[number]) for number in numbers})

    def _view(self, number: int) -> None:
        """Restore a relation that shares the rows of another one."""
        store = self.store
        owner = store.relations[int(store.relations[number].owner)]
        count = self.number(
            self.header["relation records"][number]["row_count"],
            int(owner.row_count),
            int(owner.row_count) + 1,
            "a number of rows",
        )
        first = self._column(f"relation.{number}.first_iteration", count)
        if len(first) != owner.row_capacity:
            self.fail(f"relation {number} has not the rows of the one that it shares them with")
        store.replace("relation", number, "first_iteration", first)
        store.replace(
            "relation",
            number,
            "derivation_count",
            *make((len(first),), np.int32, zero=True, sparse=True, tuning=store.tuning),
        )
        self._set_rows({number: count}, {number: len(first)})
        store.relations[number].rows = owner.rows

    def _column(self, name: str, count: int, columns: int = 1) -> Array:
        if self.parts.part(name, np.int32, columns).items != count:
            self.fail(f"{name} has not {count:,} items")
        return self.parts.array(name, np.int32, columns)

    def _set_rows(self, counts: dict[int, int], capacities: dict[int, int]) -> None:
        """Set how many rows these relations have, and have room for."""
        relations, numbers = self.store.relations, [*counts]
        for field in ("row_count", "settled_rows", "before_rows"):
            relations[field][numbers] = [*counts.values()]
        relations["row_capacity"][numbers] = [capacities[number] for number in numbers]
        relations["absent_rows"][numbers] = [self._absent(number, count) for number, count in counts.items()]
        shapes: dict[int, tuple[int, ...]] = {number: (capacity,) for number, capacity in capacities.items()}
        self.store.adopt_new("relation", "change_number", shapes, np.int32, zero=True)

    def _absent(self, number: int, count: int) -> int:
        """How many rows of a relation are absent."""
        absent = self.header["relation records"][number].get("absent_rows")
        if absent is None or not self.believed:
            return int(np.count_nonzero(self.store.first(number) == L.ABSENT))
        return self.number(absent, 0, count + 1, "a number of absent rows")

    # ---- indexes

    def _indexes(self, believed: bool) -> None:
        """Restore the indexes, all at once, since there are thousands."""
        store, descriptions, engine = self.store, self.header["index records"], self.engine
        store.indexes, store.index_numbers = np.zeros(len(descriptions), L.INDEX), {}
        used = [number for number, index in enumerate(descriptions) if index["relation"] != L.NONE]
        store.indexes["relation"], store.indexes["entry_count"] = L.NONE, 1
        self._described_indexes(used, [descriptions[number] for number in used])
        self._index_arrays(used)
        if believed:
            self._index_memory(used, [descriptions[number] for number in used])
        for number in engine.numbers.values():
            self._indexes_of(number)
        relations = store.relations
        listed = [
            n for some, count in zip(relations["indexes"], relations["index_count"]) for n in some[:count].tolist()
        ]
        own = [number for number in engine.numbers.values() if relations["owner"][number] == L.NONE]
        if sorted(listed + relations["primary_index"][own].tolist()) != used:
            self.fail("an index belongs to no relation, or to two")

    def _described_indexes(self, used: Sequence[int], descriptions: Sequence[Mapping[str, Any]]) -> None:
        """Set what indexes are, and check it."""
        store, indexes, relations = self.store, self.store.indexes, self.store.relations
        for number, description in zip(used, descriptions, strict=True):
            relation = self.number(description["relation"], 0, len(relations), "the relation of an index")
            arity, rows = int(relations["arity"][relation]), int(relations["row_count"][relation])
            kind = self.number(description["kind"], L.HASHED, L.LISTED + 1, "the kind of an index")
            keys = tuple(self.number(key, 0, arity, "a column of an index") for key in description["keys"])
            if (len(keys) != 1 if kind == L.HASHED else len(keys) > L.MAX_KEYS) or len(set(keys)) != len(keys):
                self.fail(f"index {number} has no key")
            self.number(description["value_column"], L.NONE, arity, "a column of an index")
            self.number(description["row_count"], 0, rows + 1 if kind == L.LISTED else 1, "the rows of an index")
            self.number(description["entry_count"], 1, MOST_ROWS, "the entries of an index")
            indexes["keys"][number, : len(keys)] = keys
            store.index_numbers[relation, keys] = number
        for field in ("relation", "kind", "value_column", "row_count", "entry_count"):
            indexes[field][used] = [description[field] for description in descriptions]
        indexes["key_count"][used] = [len(description["keys"]) for description in descriptions]

    def _index_arrays(self, used: Sequence[int]) -> None:
        """Give indexes their arrays."""
        store, directories, entries, counts = self.store, {}, {}, self.store.indexes["entry_count"].tolist()
        slot_counts = list[int]()
        for number in used:
            directory = self.parts.part(f"index.{number}.directory", L.KEY)
            slots = directory.items * L.LEAST_SLOTS // directory_items(L.LEAST_SLOTS)
            if directory_items(slots) != directory.items or directory.capacity != directory.items:
                self.fail(f"the directory of index {number} has no marks for its slots")
            self._power(slots, slots, L.LEAST_SLOTS, f"the directory of index {number}")
            own = self.parts.part(f"index.{number}.entries", L.ENTRY)
            if own.items != counts[number]:
                self.fail(f"index {number} has not so many entries")
            directories[number], entries[number] = directory.raw.view(L.KEY), own.raw.view(L.ENTRY)
            slot_counts.append(slots)
        retired = arbitrary((len(used) * RETIRED,), L.BLOCK).reshape(-1, RETIRED)
        store.adopt("index", "directory", directories)
        store.adopt("index", "entries", entries)
        store.adopt("index", "retired", dict(zip(used, retired, strict=True)))
        store.indexes["slot_count"][used] = slot_counts
        store.indexes["entry_capacity"][used] = [len(entries[number]) for number in used]
        store.indexes["retired_capacity"][used] = RETIRED

    def _index_memory(self, used: Sequence[int], descriptions: Sequence[Mapping[str, Any]]) -> None:
        """Set which entries and slots of indexes are free."""
        indexes = self.store.indexes
        indexes["free_entries"][used] = [description["free_entries"] for description in descriptions]
        if used:
            indexes["used_slots"][used] = [description["used_slots"] for description in descriptions]
        for number, description in zip(used, descriptions, strict=True):
            if description["free_block"]:
                self._set_free(indexes[number], description["free_block"])

    def _power(self, count: int, capacity: int, least: int, what: str) -> None:
        if count != capacity or count < least or count & (count - 1):
            self.fail(f"{what} has {count:,} slots")

    def _set_free(self, record: Any, heads: Any) -> None:
        for place, head in heads:
            record["free_block"][place] = head

    def _indexes_of(self, number: int) -> None:
        """Let a relation have the indexes that the header names for it; the primary index of a view is that of its
        owner."""
        store, description = self.store, self.header["relation records"][number]
        relations, indexes = store.relations, store.indexes
        primary = self.number(description["primary_index"], 0, len(indexes), "a primary index")
        if indexes["relation"][primary] != store.owner(number) or indexes["kind"][primary] != L.HASHED:
            self.fail(f"relation {number} has no primary index")
        relations["primary_index"][number] = primary
        store.index_numbers[number, (int(indexes["keys"][primary, 0]),)] = primary
        numbers = [self.number(n, 0, len(indexes), "an index") for n in description["indexes"]]
        if len(numbers) > L.MAX_INDEXES or any(
            indexes["relation"][n] != number or indexes["kind"][n] != L.LISTED for n in numbers
        ):
            self.fail(f"relation {number} has indexes of another one")
        relations["index_count"][number] = len(numbers)
        relations["indexes"][number, : len(numbers)] = numbers

    # ---- aggregates

    def _aggregates(self, believed: bool) -> None:
        engine = self.engine
        for name, number in sorted(engine.aggregate_numbers.items(), key=lambda item: item[1]):
            if engine.add_aggregate(engine.expanded.aggregates[name]) != number:
                self.fail("its aggregates are not numbered in order")
            self._aggregate(number, self.header["aggregate records"][number], believed)

    def _aggregate(self, number: int, description: Mapping[str, Any], believed: bool) -> None:
        store, aggregate = self.store, self.store.aggregates[number]
        directory = self.parts.part(f"aggregate.{number}.group_directory", np.int32)
        states, words = (
            self.parts.part(f"aggregate.{number}.group_states", L.GROUP_STATE),
            self.parts.part(f"aggregate.{number}.words", np.int64),
        )
        self._power(directory.items, directory.capacity, SMALLEST_DIRECTORY, f"the groups of aggregate {number}")
        aggregate.state_count = self.number(description["state_count"], 0, MOST_ROWS, "a number of groups")
        aggregate.word_count = self.number(description["word_count"], 1, MOST_ROWS, "a number of words")
        if states.items != aggregate.state_count or words.items != aggregate.word_count or not states.capacity:
            self.fail(f"aggregate {number} has not so many groups, or words")
        store.replace("aggregate", number, "group_directory", directory.raw.view(np.int32))
        store.replace("aggregate", number, "group_states", states.raw.view(L.GROUP_STATE))
        store.replace("aggregate", number, "words", words.raw.view(np.int64))
        store.replace("aggregate", number, "touched", arbitrary((states.capacity,), np.int32))
        aggregate = store.aggregates[number]
        aggregate.slot_count, aggregate.state_capacity, aggregate.word_capacity = (
            directory.items,
            states.capacity,
            words.capacity,
        )
        if believed:
            aggregate.used_slots, aggregate.free_state = description["used_slots"], description["free_state"]
            self._set_free(aggregate, description["free_block"])
