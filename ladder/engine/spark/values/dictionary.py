"""Ids of symbols, objects and records, the same in SQL, in Python and in numpy; and the dictionary: what an id stands
for.

    symbol    xxhash64 of its text in UTF-8
    object    xxhash64 of those of its canonical bytes that decide equality (see `canonical`)
    record    xxhash64 of (a hash of its table's name, its cells)

A hash in the range of numbers, unsigned numbers and nil (0) has one bit flipped, so that a cell alone tells whether it
is an id. A seed other than 42, which is Spark's own, is hashed before the rest. A dictionary is rows (id, bytes): texts
of symbols, canonical bytes of objects and, in programs whose functions take records, of the tuples that records stand
for. Two contents with one id are an error that names both: another seed helps, but not where a program's functions give
equal values of different types (1 and True), which have one id.

Records are rows (id, cells) of the relations that plans have for them (`[]2`, see `plan.components`); unsigned cells
inside of records are folded to signed ones of the same bits, as 32-bit cells are.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xxhash

from ladder.engine.canonical import KEY, KEY_AND_WHOLE, RECORD, bytes_text, key_of, text_bytes, value_of
from ladder.engine.spark.values.canonical_sql import literal, size_at
from ladder.errors import LadderError
from ladder.language.core import Kind, Program
from ladder.plan.components import record_relation, record_width

Ids = npt.NDArray[np.int64]

NIL = 0
ANOTHER_SEED = "Use another seed: --spark-conf spark.ladder.seed=7 (spark_conf={…}), or any other number but 42."
SEED = 42  # where Spark's xxhash64 starts
LEAST, MOST = -(1 << 31), (1 << 32) - 1  # cells within are numbers, those outside ids
_APART = 1 << 62
_LONG = struct.Struct("<q")
_MASK = (1 << 64) - 1


# ---- ids in Python


def symbol_id(text: str, seed: int = SEED) -> int:
    """The id of a symbol."""
    return bytes_id(text_bytes(text), seed)


def object_id(data: bytes, seed: int = SEED) -> int:
    """The id of an object with these canonical bytes."""
    return bytes_id(key_of(data), seed)


def bytes_id(data: bytes, seed: int = SEED) -> int:
    """The id of a text with these bytes."""
    return _apart(xxhash.xxh64_intdigest(data, _start(seed)))


def record_id(table: str, cells: Iterable[int], seed: int = SEED) -> int:
    """The id of a record; `table`: its relation."""
    hashed = SEED
    for cell in (_table_number(table, seed), *cells):
        hashed = xxhash.xxh64_intdigest(_LONG.pack(cell), hashed)
    return _apart(hashed)


def text_ids(texts: Iterable[Any], seed: int = SEED) -> Ids:
    """The ids of texts: an Arrow array of strings or binaries, or any number of str or bytes."""
    values = texts.to_pylist() if hasattr(texts, "to_pylist") else texts
    start, digest = _start(seed), xxhash.xxh64_intdigest
    hashed = [digest(value if type(value) is bytes else text_bytes(value), start) for value in values]
    return _all_apart(np.array(hashed, np.uint64))


def record_ids(table: str, cells: npt.ArrayLike, seed: int = SEED) -> Ids:
    """The ids of records; `cells`: one row each."""
    rows = np.asarray(cells, np.int64)
    hashed = np.full(len(rows), SEED, np.uint64)
    hashed = _hash_longs(np.full(len(rows), _table_number(table, seed), np.int64), hashed)
    for column in rows.T:
        hashed = _hash_longs(column, hashed)
    return _all_apart(hashed)


# ---- ids in SQL


def text_id_sql(text: str, seed: int = SEED) -> str:
    """SQL of the id of a text (BINARY or STRING)."""
    return _apart_sql(f"xxhash64({_seeded(seed)}{text})")


def object_id_sql(data: str, seed: int = SEED) -> str:
    """SQL of the id of an object with canonical bytes (BINARY)."""
    return _apart_sql(f"xxhash64({_seeded(seed)}{key_sql(data)})")


def key_sql(data: str) -> str:
    """SQL of what decides the equality of objects with canonical bytes (see `canonical.key_of`)."""
    key = f"concat({literal(KEY)}, substring({data}, 6, {size_at(data, '2')}))"
    return f"CASE WHEN {_has_whole(data)} THEN {key} ELSE {data} END"


def whole_sql(data: str) -> str:
    """SQL of an object's bytes as part of a record's tuple (see `canonical.content_of`)."""
    return (
        f"CASE WHEN {_has_whole(data)} THEN substring({data}, 6 + {size_at(data, '2')}) ELSE substring({data}, 2) END"
    )


def _has_whole(data: str) -> str:
    return f"substring({data}, 1, 1) = {literal(KEY_AND_WHOLE)}"


def record_id_sql(table: str, cells: Sequence[str], seed: int = SEED) -> str:
    """SQL of the id of a record with these cells (BIGINT)."""
    return _apart_sql(f"xxhash64({', '.join((f'{_table_number(table, seed)}L', *cells))})")


def collision_sql(dictionary: str) -> str:
    """SQL of (id, one content, another) for each id whose entries (c0, x) differ; `dictionary`: a FROM text."""
    return f"SELECT c0, min(x) AS one, max(x) AS other FROM {dictionary} GROUP BY c0 HAVING min(x) <> max(x)"


def collision(one: bytes, other: bytes) -> LadderError:
    """The error for two contents with the same id."""
    first, second = sorted(map(shown_content, (one, other)))
    if one[:1] in (KEY, KEY_AND_WHOLE) and key_of(one) == key_of(other):
        return LadderError(
            f"{first} and {second} are equal, but of different types.",
            "On Spark the functors and lattices of a program must make equal values of one type.",
        )
    return LadderError(f"{first} and {second} have the same hash.", ANOTHER_SEED)


def shown_content(content: bytes) -> str:
    """A content of the dictionary as text for a message, shortened."""
    if content[:1] in (KEY, KEY_AND_WHOLE, RECORD):
        try:
            return repr(value_of(content, {}))[:200]
        except LadderError:  # a value of a class that is not known here
            return f"the object {content[:100].hex()}"
    return repr(bytes_text(content))[:200]


def record_tables(program: Program) -> dict[str, int]:
    """The tables of a program's records → the number of cells of a record."""
    return dict(
        sorted({record_relation(t): record_width(t) for t in program.types.values() if t.kind is Kind.RECORD}.items())
    )


# ---- hashing


def _seeded(seed: int) -> str:
    return "" if seed == SEED else f"{seed}L, "


def _start(seed: int) -> int:
    return SEED if seed == SEED else xxhash.xxh64_intdigest(_LONG.pack(seed), SEED)


def _table_number(table: str, seed: int) -> int:
    return bytes_id(table.encode(), seed)


def _apart(hashed: int) -> int:
    """An unsigned hash as an id outside the range of numbers."""
    id_ = hashed - (1 << 64) if hashed >> 63 else hashed
    return id_ ^ _APART if LEAST <= id_ <= MOST else id_


def _all_apart(hashed: npt.NDArray[np.uint64]) -> Ids:
    ids = hashed.view(np.int64)
    return np.where((ids >= LEAST) & (ids <= MOST), ids ^ _APART, ids)


def _apart_sql(hashed: str) -> str:
    return f"CASE WHEN {hashed} BETWEEN {LEAST}L AND {MOST}L THEN {hashed} ^ {_APART}L ELSE {hashed} END"


_P1, _P2, _P3, _P4, _P5 = map(
    np.uint64, (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
)


def _hash_longs(values: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """XXH64 of integers of 8 bytes, each with a seed of its own."""
    with np.errstate(over="ignore"):
        mixed = _rotated(values.view(np.uint64) * _P2, 31) * _P1
        hashed = _rotated((seeds + _P5 + np.uint64(8)) ^ mixed, 27) * _P1 + _P4
        hashed = (hashed ^ (hashed >> np.uint64(33))) * _P2
        hashed = (hashed ^ (hashed >> np.uint64(29))) * _P3
        return hashed ^ (hashed >> np.uint64(32))


def _rotated(values: npt.NDArray[np.uint64], bits: int) -> npt.NDArray[np.uint64]:
    return (values << np.uint64(bits)) | (values >> np.uint64(64 - bits))
