"""The base of a saved state: magic, header (JSON: records, arrays with their places, names), arrays that are mapped, not read."""
from __future__ import annotations

import json
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
from ladder.engine.local.kernels.keeping import CACHE
from ladder.engine.local.mapped import make
from ladder.engine.local.planning import EncodedPlans
from ladder.engine.local.saved_program import Opener, Origin, SavedProgram, without_objects
from ladder.engine.local.saved_values import values_of
from ladder.engine.local.store import ROOMS
from ladder.engine.plan.order import Statistics
from ladder.engine.strategies import strategy_of
from ladder.errors import StateError
from ladder.files import replacing
from ladder.language.core import Kind
from ladder.language.identity import identities
from ladder.limits import Watch

MAGIC = b"LADDERSTATE1\n"
ALIGN = 64
SLACK = 8                  # a mapped array has room for an eighth more
MEND = "Remove it, or run again to rebuild it."
RECORDS = {"relation": L.RELATION, "index": L.INDEX, "aggregate": L.AGGREGATE, "operation": L.OPERATION}
# Arrays whose used part is told by a field of their record; others are saved whole or not at all.
USED = {("relation", "rows"): "row_count", ("relation", "first_iteration"): "row_count", ("relation", "derivation_count"): "row_count",
        ("index", "entries"): "entry_count", ("aggregate", "words"): "word_count", ("aggregate", "group_states"): "state_count"}
WHOLE = {("index", "directory"), ("aggregate", "group_directory"), ("operation", "answers"), ("operation", "results"), ("operation", "asked")}
CAPACITY = {field: room[1] for rooms in ROOMS.values() for room in rooms for field, _ in room[2]}
Array = npt.NDArray[Any]


def write_base(path: Path, engine: LocalEngine, origin: Origin) -> tuple[int, int]:
    """Write the whole state: (its size in bytes, its seal)."""
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
    arrays += [(f"strategy.{name}", array, 0) for name, array in engine.strategy.saved().items()]
    arrays.append(("program", np.frombuffer(without_objects(engine.program), np.uint8), 0))
    table: list[dict[str, Any]] = []
    position = 0
    for name, part, length in arrays:
        item = int(np.prod(part.shape[1:], dtype=np.int64)) * part.dtype.itemsize
        length = max(length, len(part))
        table.append({"name": name, "at": position, "length": length, "used": len(part), "width": item})
        position += -(-length * item // ALIGN) * ALIGN
    pieces = [(entry["at"], memoryview(np.ascontiguousarray(part).reshape(-1).view(np.uint8).data))
              for entry, (_, part, _) in zip(table, arrays, strict=True) if part.size]
    for entry, (_, part, _) in zip(table, arrays, strict=True):
        entry["checksum"] = checksum(np.ascontiguousarray(part).reshape(-1).view(np.uint8).data) if part.size else 0
    objects = pickle.dumps(engine.values.objects.values, protocol=5)
    header = json.dumps({
        "program": origin.fingerprint, "rules": origin.rules, "identities": identities(engine.program), "engine": CACHE.name, "strategy": engine.strategy.state, "arrays": table, "order": engine.expanded.order,
        "functions": [[name, None if kind is None else kind.value, count, number]
                      for (name, kind, count), number in engine.functions.numbers.items()],
        "statistics": {name: [s.rows, list(s.blocks)] for name, s in engine.statistics.items()},
        "numbers": engine.numbers, "aggregates": engine.aggregate_numbers, "counts": plans.counts if plans is not None else [],
        "given too": {name: cells.tolist() for name, cells in engine.given_too.rows.items()}, "objects": objects.hex(),
    }).encode()
    seal = checksum(header)
    head = MAGIC + len(header).to_bytes(8, "little") + seal.to_bytes(8, "little") + header
    start = -(-len(head) // 4096) * 4096
    with replacing(path, durable=True) as temporary, temporary.open("wb") as file:
        file.write(head)
        for at, data in pieces:
            file.seek(start + at)
            file.write(data)
        file.truncate(start + position)
    return start + position, seal


def read_base(path: Path, program_of: Opener, watch: Watch | None = None, strategy: str = "elastic") -> tuple[LocalEngine, int]:
    """An engine over a mapped file, and the file's seal; changes stay private to the process.

    `program_of` finds the core program of what is saved, or raises `StateError`.
    """
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
    if description["strategy"] != strategy_of(strategy).state:
        raise StateError(f"The state in {path.parent} is one of the strategy {description['strategy']}, not of {strategy}.", MEND)
    mapped = np.asarray(np.memmap(path, np.uint8, "c", -(-(len(start) + length) // 4096) * 4096))
    expected = max((e["at"] + e["length"] * e["width"] for e in description["arrays"]), default=0)
    if len(mapped) < expected:
        raise StateError(f"The state in {path.parent} is damaged: {path.name} is too short.", MEND)
    entry = next(e for e in description["arrays"] if e["name"] == "program")
    pickled = mapped[entry["at"]:entry["at"] + entry["used"]].tobytes()
    if checksum(pickled) != entry["checksum"]:
        raise StateError(f"The state in {path.parent} is damaged: its program has another checksum.", MEND)
    saved = SavedProgram(Origin(description["program"], description["rules"]), description["numbers"], description["identities"], pickled)
    engine = LocalEngine(program_of(saved), saved_order=description["order"], watch=watch, strategy=strategy)
    _restore(engine, description, mapped, path)
    return engine, int.from_bytes(start[-8:], "little")


def _restore(engine: LocalEngine, description: dict[str, Any], mapped: Array, path: Path) -> None:
    store = engine.store
    arrays: dict[str, Array] = {}
    lengths: dict[str, int] = {}
    for entry in description["arrays"]:
        raw = mapped[entry["at"]:entry["at"] + entry["length"] * entry["width"]]
        if entry["used"] * entry["width"] and checksum(raw[:entry["used"] * entry["width"]].data) != entry["checksum"]:
            raise StateError(f"The state in {path.parent} is damaged: {entry['name']} has another checksum.", MEND)
        arrays[entry["name"]], lengths[entry["name"]] = raw, entry["length"]
    for kind, layout in RECORDS.items():
        setattr(store, {"relation": "relations", "index": "indexes", "aggregate": "aggregates", "operation": "operations"}[kind],
                arrays[f"records.{kind}"].view(layout).copy())
    engine.place(description["numbers"], description["aggregates"])
    for name, kind, count, number in description["functions"]:
        _restore_function(engine, name, kind, count, number)
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
    engine.strategy.restore({name.partition(".")[2]: raw for name, raw in arrays.items() if name.startswith("strategy.")})
    _restore_symbols(engine, arrays)
    engine.values.objects = Objects(values_of(bytes.fromhex(description["objects"]), engine.program))
    engine.functions.renew()
    if "plans.plans" in arrays:
        engine.update_plans = EncodedPlans(arrays["plans.components"].view(L.COMPONENT), arrays["plans.inputs"].view(np.int64),
                                          arrays["plans.plans"].view(L.PLAN), arrays["plans.steps"].view(L.STEP), [], description["counts"])
    engine.given_too.rows = {name: np.array(rows, np.int32).reshape(-1, engine.relations[name].arity) for name, rows in description["given too"].items()}
    engine.statistics = {name: Statistics(rows, tuple(blocks)) for name, (rows, blocks) in description["statistics"].items()}


def _restore_function(engine: LocalEngine, name: str, kind: str | None, count: int, number: int) -> None:
    """Let an operation that was saved be asked again."""
    key = (name, None if kind is None else Kind(kind), count)
    joined = next((a for a in engine.expanded.aggregates.values() if join_name(a.join, a.keyed) == name
                   and engine.relations[a.name].columns[-1].type.kind is key[1]), None)
    engine.functions.restore(key, number, None if joined is None else (joined.join, engine.relations[joined.name].columns[-1].type))


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
    symbols.slots, symbols.counts = arrays["symbols.slots"].view(np.int64), arrays["symbols.counts"].view(np.int64).copy()
