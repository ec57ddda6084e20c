"""A saved state: one file of arrays that is mapped, not read, and a log of changes after it.

    FOLDER/CURRENT          which base and how many logs are the state, and the user's note; replaced in one step
    FOLDER/base-N           magic, header (JSON: records, arrays with their places, names), arrays
    FOLDER/log-N-K          what the K-th save after base N changed: rows with their states, new symbols, objects, records

A save after an update writes a log in proportion to the change; a new base follows once the logs have grown to a share
of it. Whatever is interrupted, CURRENT names files that are complete. Everything carries checksums.
"""
from __future__ import annotations

import io
import json
import os
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest as checksum

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.functions import join_name
from ladder.engine.local.host_values import Objects
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.aggregation import change_saved_aggregand
from ladder.engine.local.kernels.keeping import CACHE
from ladder.engine.local.planning import EncodedPlans
from ladder.engine.local.mapped import make
from ladder.engine.local.store import ROOMS
from ladder.engine.local.transactions import forget_group_notes
from ladder.engine.plan.order import Statistics
from ladder.engine.strategies import strategy_of
from ladder.engine.switching import Costs
from ladder.errors import StateError
from ladder.language.core import Kind, Program
from ladder.limits import Watch

MAGIC = b"LADDERSTATE1\n"
ALIGN = 64
SLACK = 8                  # a mapped array has room for an eighth more
MOST_LOGS = 40
LOG_SHARE = 0.25           # of the base's size, from which a new base is written
MEND = "Remove it, or run again to rebuild it."
RECORDS = {"relation": L.RELATION, "index": L.INDEX, "aggregate": L.AGGREGATE, "operation": L.OPERATION}
# Arrays whose used part is told by a field of their record; others are saved whole or not at all.
USED = {("relation", "rows"): "row_count", ("relation", "first_iteration"): "row_count", ("relation", "derivation_count"): "row_count",
        ("index", "entries"): "entry_count", ("aggregate", "words"): "word_count", ("aggregate", "group_states"): "state_count"}
WHOLE = {("index", "directory"), ("aggregate", "group_directory"), ("operation", "answers"), ("operation", "results"), ("operation", "asked")}
CAPACITY = {field: room[1] for rooms in ROOMS.values() for room in rooms for field, _ in room[2]}
Array = npt.NDArray[Any]


class SavedState:
    """Where an engine's state is saved, and what has changed since."""

    def __init__(self, folder: Path, base: int = 0, logs: int = 0, base_size: int = 0, log_size: int = 0) -> None:
        self.folder, self.base, self.logs, self.base_size, self.log_size = folder, base, logs, base_size, log_size

    def save(self, engine: LocalEngine, program_key: str, note: str) -> None:
        """Write what changed since the last save, or everything; `StateError` where it cannot be written."""
        try:
            self._save(engine, program_key, note)
        except OSError as error:
            raise StateError(f"The state in {self.folder} cannot be written: {error.strerror or error}.", "The old one stands.") from error

    def _save(self, engine: LocalEngine, program_key: str, note: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.base and engine.unsaved.by_row is not None and self.logs < MOST_LOGS and self.log_size <= LOG_SHARE * self.base_size:
            data = _pack_log(engine)
            if data:
                self.log_size += _write(self.folder / f"log-{self.base}-{self.logs + 1}", [data])
                self.logs += 1
                engine.unsaved.start(engine)
        else:
            self._write_base(engine, program_key)
            engine.unsaved.start(engine)
        self._point_here(engine, note)

    def _write_base(self, engine: LocalEngine, program_key: str) -> None:
        numbers = [int(p.name.split("-")[1]) for p in self.folder.glob("base-*") if p.name.split("-")[1].isdigit()]
        number = max(numbers, default=0) + 1
        size = write_base(self.folder / f"base-{number}", engine, program_key)
        self.base, self.logs, self.base_size, self.log_size = number, 0, size, 0

    def _point_here(self, engine: LocalEngine, note: str) -> None:
        current = {"base": self.base, "logs": self.logs, "note": note, "costs": engine.costs.stored()}
        text = json.dumps(current)
        sealed = json.dumps({"current": text, "checksum": checksum(text.encode())})
        _write(self.folder / "CURRENT", [sealed.encode()])
        wanted = {f"base-{self.base}", *(f"log-{self.base}-{number}" for number in range(1, self.logs + 1))}
        for path in [*self.folder.glob("base-*"), *self.folder.glob("log-*")]:
            if path.name not in wanted:
                path.unlink(missing_ok=True)


def open_state(folder: Path, program: Program, program_key: str, watch: Watch | None = None,
               strategy: str = "elastic") -> tuple[LocalEngine, SavedState, str]:
    """(engine, where it is saved, the note); `StateError` where there is no such state, or a damaged or foreign one."""
    try:
        sealed = json.loads((folder / "CURRENT").read_text())
        if checksum(sealed["current"].encode()) != sealed["checksum"]:
            raise StateError(f"The state in {folder} is damaged: its CURRENT file has another checksum.", MEND)
        current = json.loads(sealed["current"])
        base = folder / f"base-{current['base']}"
        engine = read_base(base, program, program_key, watch, strategy)
        engine.costs = Costs(**current.get("costs", {}))
        log_size = 0
        for number in range(1, current["logs"] + 1):
            log_size += _apply_log(engine, (folder / f"log-{current['base']}-{number}").read_bytes())
    except FileNotFoundError as error:
        raise StateError(f"There is no complete state in {folder} ({Path(error.filename or '').name} is missing).", MEND) from None
    except OSError as error:
        raise StateError(f"The state in {folder} cannot be read: {error.strerror}.", MEND) from error
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise StateError(f"The state in {folder} is damaged ({type(error).__name__}: {error}).", MEND) from error
    engine.unsaved.start(engine)
    # Only now: joins may yield values that no log has, which must get numbers after all those that the logs have.
    for number in range(len(engine.store.aggregates)):
        engine.settle(number)
    forget_group_notes(engine)
    return engine, SavedState(folder, current["base"], current["logs"], base.stat().st_size, log_size), current["note"]


# ---- the base

def write_base(path: Path, engine: LocalEngine, program_key: str) -> int:
    """Write the whole state; its size in bytes."""
    store = engine.store
    for number in range(len(store.relations)):
        store.follow(number)
    arrays: list[tuple[str, Array, int]] = []     # name, used part, length of the file's array
    for (kind, number, field), array in store.bulk.items():
        if kind not in RECORDS or (field == "derivation_count" and store.relations[number].owner != L.NONE):
            continue
        if (kind, field) in USED:
            used = int(store.records(kind)[number][USED[kind, field]])
            arrays.append((f"{kind}.{number}.{field}", array[:used], min(len(array), used + used // SLACK + 16)))
        elif (kind, field) in WHOLE:
            arrays.append((f"{kind}.{number}.{field}", array, len(array)))
    symbols = engine.values.symbols
    known, size = (int(c) for c in symbols.counts)
    arrays += [("symbols.text", symbols.text[:size], size + size // SLACK + 64), ("symbols.slots", symbols.slots, len(symbols.slots)),
               ("symbols.offsets", symbols.offsets[:known + 1], known + known // SLACK + 64), ("symbols.counts", symbols.counts, 2)]
    plans = engine.update_plans
    if plans is not None:
        arrays += [(f"plans.{field}", getattr(plans, field), len(getattr(plans, field))) for field in ("components", "inputs", "plans", "steps")]
    arrays += [(f"records.{kind}", store.records(kind), len(store.records(kind))) for kind in RECORDS]
    table: list[dict[str, Any]] = []
    position = 0
    for name, part, length in arrays:
        item = int(np.prod(part.shape[1:], dtype=np.int64)) * part.dtype.itemsize
        table.append({"name": name, "at": position, "length": length, "used": len(part), "width": item})
        position += -(-length * item // ALIGN) * ALIGN
    pieces = [(entry["at"], memoryview(np.ascontiguousarray(part).reshape(-1).view(np.uint8).data))
              for entry, (_, part, _) in zip(table, arrays, strict=True) if part.size]
    for entry, (_, part, _) in zip(table, arrays, strict=True):
        entry["checksum"] = checksum(np.ascontiguousarray(part).reshape(-1).view(np.uint8).data) if part.size else 0
    objects = pickle.dumps(engine.values.objects.values, protocol=5)
    header = json.dumps({
        "program": program_key, "engine": CACHE.name, "strategy": engine.strategy.state, "arrays": table, "order": engine.expanded.order,
        "functions": [[name, None if kind is None else kind.value, count, number]
                      for (name, kind, count), number in engine.functions.numbers.items()],
        "statistics": {name: [s.rows, list(s.blocks)] for name, s in engine.statistics.items()},
        "objects": objects.hex(),
    }).encode()
    head = MAGIC + len(header).to_bytes(8, "little") + checksum(header).to_bytes(8, "little") + header
    start = -(-len(head) // 4096) * 4096
    temporary = path.with_name(f"{path.name}.new")
    with temporary.open("wb") as file:
        file.write(head)
        for at, data in pieces:
            file.seek(start + at)
            file.write(data)
        file.truncate(start + position)
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(path)
    return start + position


def read_base(path: Path, program: Program, program_key: str, watch: Watch | None = None, strategy: str = "elastic") -> LocalEngine:
    """An engine over a mapped file; changes stay private to the process."""
    with path.open("rb") as file:
        start = file.read(len(MAGIC) + 16)
        if start[:len(MAGIC)] != MAGIC:
            raise StateError(f"{path} is not a state of this version of Ladder.", MEND)
        length = int.from_bytes(start[len(MAGIC):-8], "little")
        header = file.read(min(length, path.stat().st_size))   # a damaged length asks for no memory
    if len(header) != length or checksum(header) != int.from_bytes(start[-8:], "little"):
        raise StateError(f"The state in {path.parent} is damaged: its header has another checksum.", MEND)
    description = json.loads(header)
    if description["engine"] != CACHE.name:
        raise StateError(f"The state in {path.parent} was written by another version of Ladder's engine.", MEND)
    if description["program"] != program_key:
        raise StateError(f"The state in {path.parent} belongs to another program.", MEND)
    if description["strategy"] != strategy_of(strategy).state:
        raise StateError(f"The state in {path.parent} is one of the strategy {description['strategy']}, not of {strategy}.", MEND)
    mapped = np.asarray(np.memmap(path, np.uint8, "c", -(-(len(start) + length) // 4096) * 4096))
    expected = max((e["at"] + e["length"] * e["width"] for e in description["arrays"]), default=0)
    if len(mapped) < expected:
        raise StateError(f"The state in {path.parent} is damaged: {path.name} is too short.", MEND)
    engine = LocalEngine(program, saved_order=description["order"], watch=watch, strategy=strategy)
    _restore(engine, description, mapped, path)
    return engine


def _restore(engine: LocalEngine, description: dict[str, Any], mapped: Array, path: Path) -> None:
    store = engine.store
    arrays: dict[str, Array] = {}
    lengths: dict[str, int] = {}
    for entry in description["arrays"]:
        raw = mapped[entry["at"]:entry["at"] + entry["length"] * entry["width"]]
        if entry["used"] * entry["width"] and checksum(raw[:entry["used"] * entry["width"]].data) != entry["checksum"]:
            raise StateError(f"The state in {path.parent} is damaged: {entry['name']} has another checksum.", MEND)
        arrays[entry["name"]], lengths[entry["name"]] = raw, entry["length"]
    for name, kind, count, number in description["functions"]:
        _restore_function(engine, name, kind, count, number)
    for kind, layout in RECORDS.items():
        setattr(store, {"relation": "relations", "index": "indexes", "aggregate": "aggregates", "operation": "operations"}[kind],
                arrays[f"records.{kind}"].view(layout).copy())
    store.index_numbers = {}
    for number, index in enumerate(store.indexes):
        store.index_numbers[int(index.relation), tuple(index["keys"][:int(index.key_count)].tolist())] = number
    for key in [key for key in store.bulk if key[0] in RECORDS]:
        del store.bulk[key]
    for name, raw in arrays.items():
        kind, _, rest = name.partition(".")
        if kind in RECORDS:
            number, field = int(rest.partition(".")[0]), rest.partition(".")[2]
            store.replace(kind, number, field, _typed(store, kind, number, field, raw))
            _set_capacity(store, kind, number, field, lengths[name])
    _fresh_arrays(store)
    _restore_symbols(engine, arrays)
    engine.values.objects = Objects(_values_of(bytes.fromhex(description["objects"]), engine.program))
    if "plans.plans" in arrays:
        engine.update_plans = EncodedPlans(arrays["plans.components"].view(L.COMPONENT), arrays["plans.inputs"].view(np.int64),
                                          arrays["plans.plans"].view(L.PLAN), arrays["plans.steps"].view(L.STEP))
    engine.statistics = {name: Statistics(rows, tuple(blocks)) for name, (rows, blocks) in description["statistics"].items()}


def _restore_function(engine: LocalEngine, name: str, kind: str | None, count: int, number: int) -> None:
    """Make the operation again, in the order in which it was made, so that it has its old number."""
    key = (name, None if kind is None else Kind(kind), count)
    if name.startswith("join "):
        for aggregate in engine.expanded.aggregates.values():
            if join_name(aggregate.join, aggregate.keyed) == name and engine.relations[aggregate.name].columns[-1].type.kind is key[1]:
                engine.join_of(aggregate)
    elif key not in engine.functions.numbers:
        engine.functions.operation(name, Kind.NUMBER if kind is None else Kind(kind), count)
    if engine.functions.numbers[key] != number:
        raise ValueError(f"function {name}")


def _typed(store: Any, kind: str, number: int, field: str, raw: Array) -> Array:
    if kind == "relation":
        cells = raw.view(np.int32)
        return cells.reshape(-1, int(store.relations[number].arity)) if field == "rows" else cells
    item = {"group_directory": np.int32, "entries": L.ENTRY, "directory": L.KEY, "words": np.int64, "group_states": L.GROUP_STATE, "answers": L.ANSWER,
            "results": np.int32, "asked": np.int32}[field]
    return raw.view(item)


def _set_capacity(store: Any, kind: str, number: int, field: str, length: int) -> None:
    if field in CAPACITY:
        store.records(kind)[number][CAPACITY[field]] = length


def _fresh_arrays(store: Any) -> None:
    """Arrays that hold nothing between transactions."""
    for number in range(len(store.relations)):
        relation = store.relations[number]
        capacity = int(relation.row_capacity)
        store.replace("relation", number, "change_number", *make((capacity,), np.int32, zero=True, sparse=True))
        if relation.owner != L.NONE:
            store.replace("relation", number, "derivation_count", *make((capacity,), np.int32, zero=True, sparse=True))
        relation.changed = relation.lost = relation.departed = relation.arrived = L.END
    for number in range(len(store.indexes)):
        store.replace("index", number, "retired", np.empty(16, L.BLOCK))
        store.indexes[number].retired_capacity, store.indexes[number].retired_count = 16, 0
    for number in range(len(store.aggregates)):
        aggregate = store.aggregates[number]
        store.replace("aggregate", number, "touched", np.empty(int(aggregate.state_capacity), np.int32))
        for field, item in (("events", L.TOTAL_EVENT), ("notes", L.NOTE)):
            store.replace("aggregate", number, field, np.empty(64, item))
        aggregate.event_capacity = aggregate.note_capacity = 64
        aggregate.event_count = aggregate.note_count = 0


def _restore_symbols(engine: LocalEngine, arrays: Mapping[str, Array]) -> None:
    symbols = engine.values.symbols
    symbols.text, symbols.offsets = arrays["symbols.text"], arrays["symbols.offsets"].view(np.int64)
    symbols.slots, symbols.counts = arrays["symbols.slots"].view(np.int32), arrays["symbols.counts"].view(np.int64).copy()


# ---- logs

def _pack_log(engine: LocalEngine) -> bytes:
    """What changed since the last save; empty where nothing did."""
    store, unsaved, symbols = engine.store, engine.unsaved, engine.values.symbols
    assert unsaved.by_row is not None
    relations = {}
    for number, rows in unsaved.by_row.items():
        numbers = np.unique(np.concatenate(rows))
        cells, first, counts = store.columns(number)
        relations[number] = (cells[numbers].tobytes(), first[numbers].tobytes(), counts[numbers].tobytes())
    records = {}
    for table, saved in unsaved.records.items():
        if store.row_count(table) > saved:
            records[table] = store.cells(table)[saved:].tobytes()
    texts = [symbols.text_of(n) for n in range(unsaved.symbols, len(symbols))]
    objects = engine.values.objects.values[unsaved.objects:]
    if not (relations or records):
        return b""
    body = pickle.dumps({"relations": relations, "records": records, "symbols": texts, "first_symbol": unsaved.symbols, "objects": objects,
                         "first_object": unsaved.objects}, protocol=5)
    return MAGIC + checksum(body).to_bytes(8, "little") + body


def _apply_log(engine: LocalEngine, data: bytes) -> int:
    """Bring an engine to the state after a log; the log's size."""
    head = len(MAGIC) + 8
    if data[:len(MAGIC)] != MAGIC or checksum(data[head:]) != int.from_bytes(data[len(MAGIC):head], "little"):
        raise StateError("A log of the saved state is damaged.", MEND)
    log = _values_of(data[head:], engine.program)
    store, values = engine.store, engine.values
    if len(values.symbols) != log["first_symbol"] or len(values.objects) != log["first_object"]:
        raise StateError("The logs of the saved state do not follow each other.", MEND)
    values.symbols.numbers(log["symbols"])
    for value in log["objects"]:
        values.objects.number(value)
    for number, raw in log["records"].items():
        _apply_rows(engine, number, _cells(store, number, raw), None, None)
    for number, (raw, first, counts) in log["relations"].items():
        _apply_rows(engine, number, _cells(store, number, raw), np.frombuffer(first, np.int32), np.frombuffer(counts, np.int32))
    return len(data)


def _cells(store: Any, number: int, raw: bytes) -> Array:
    return np.frombuffer(raw, np.int32).reshape(-1, int(store.relations[number].arity)).copy()


def _apply_rows(engine: LocalEngine, number: int, cells: Array, first: Array | None, counts: Array | None) -> None:
    store = engine.store
    numbers = store.add(number, cells)
    first = np.zeros(len(cells), np.int32) if first is None else first.copy()
    counts = np.ones(len(cells), np.int32) if counts is None else counts.copy()
    aggregate = int(store.relations[number].aggregate)
    if aggregate != L.NONE:
        old = store.first(number)[numbers]
        for row, before, after in zip(numbers.tolist(), old.tolist(), first.tolist(), strict=True):
            while not change_saved_aggregand(store.aggregates[aggregate], store.relations, store.update[0], row, before, after):
                store.make_room()
    store.set_states(number, numbers, first, counts)
    store.list_rows(number)


def _values_of(data: bytes, program: Program) -> Any:
    """What was pickled; ValueError where it cannot be had, or asks for more than values of lattices."""
    try:
        return _Unpickler(io.BytesIO(data), program).load()
    except Exception as error:   # whatever a forged or damaged pickle makes a constructor raise
        raise ValueError(f"{type(error).__name__}: {error}") from error


class _Unpickler(pickle.Unpickler):
    """Reads values of lattices; no class but those defined in the modules of the program's lattices, and plain containers."""

    def __init__(self, file: io.BytesIO, program: Program) -> None:
        super().__init__(file)
        self.modules = set().union(*map(_modules_of, program.lattices.values()))
        self.modules |= {str(getattr(function.call, "__module__", "")) for function in program.functions.values()}

    def find_class(self, module: str, name: str) -> Any:
        if module == "builtins":
            allowed = name in ("frozenset", "set", "complex", "bytearray")
        else:
            allowed = "." not in name and module in self.modules
        if allowed:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:   # not what the module merely imports
                return found
        raise pickle.UnpicklingError(f"a value of {module}.{name}")


def _modules_of(lattice: Any) -> set[str]:
    """Modules of a lattice's class, of those it is derived from, and of the lattices it is made of."""
    parts = [part for value in getattr(lattice, "__dict__", {}).values() for part in (value if isinstance(value, tuple | list) else (value,))]
    inner = [_modules_of(part) for part in parts if hasattr(part, "join") and not isinstance(part, str | bytes)]
    return {base.__module__ for base in type(lattice).__mro__}.difference({"builtins", "typing", "abc"}).union(*inner)


def _write(path: Path, pieces: list[bytes]) -> int:
    """Write a file and put it in its place in one step; its size."""
    temporary = path.with_name(f"{path.name}.new")
    with temporary.open("wb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(path)
    return sum(map(len, pieces))
