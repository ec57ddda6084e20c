"""Ids of symbols, objects and records, the same in SQL, in Python and in numpy; and the dictionary: what an id stands for.

    symbol    xxhash64 of its text in UTF-8
    object    xxhash64 of its canonical bytes, of those that decide equality (see `canonical`)
    record    xxhash64 of (a hash of its table's name, its cells); never 0, which is nil

A seed other than 42, which is Spark's own, is hashed before all that. A dictionary is rows (id, bytes): texts of symbols, canonical bytes of objects and, in
programs whose functions take records, of the tuples that records stand for. Two contents with one id are an error that names both.

Records lie in relations like those of plans (`[]2`), told apart by what their cells are: `[]2:ns` holds a number and a symbol.
Rows are (id, cells); unsigned cells inside of records are folded to signed ones of the same bits, as 32-bit cells are.
"""
from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xxhash

from ladder.engine.plan.components import branch_number, record_relation, record_width
from ladder.engine.spark.canonical import KEY, KEY_AND_WHOLE, RECORD, bytes_text, key_of, text_bytes
from ladder.errors import LadderError
from ladder.language.core import Kind, Program, Type

Ids = npt.NDArray[np.int64]

NIL = 0
SEED = 42       # where Spark's xxhash64 starts
_LETTERS = {Kind.NUMBER: "n", Kind.UNSIGNED: "n", Kind.FLOAT: "n", Kind.SYMBOL: "s", Kind.OBJECT: "o", Kind.RECORD: "r"}
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
    """The id of a text of these bytes."""
    return _signed(xxhash.xxh64_intdigest(data, _start(seed)))


def record_id(table: str, cells: Iterable[int], seed: int = SEED) -> int:
    """The id of a record; `table`: its relation, with or without the letters of its cells."""
    hashed = SEED
    for cell in (_table_number(table, seed), *cells):
        hashed = xxhash.xxh64_intdigest(_LONG.pack(cell), hashed)
    return _signed(hashed) or 1


def text_ids(texts: Iterable[Any], seed: int = SEED) -> Ids:
    """The ids of texts: an Arrow array of strings or binaries, or any number of str or bytes."""
    values = texts.to_pylist() if hasattr(texts, "to_pylist") else texts
    start, digest = _start(seed), xxhash.xxh64_intdigest
    hashed = [digest(value if type(value) is bytes else text_bytes(value), start) for value in values]
    return np.array(hashed, np.uint64).view(np.int64)


def record_ids(table: str, cells: npt.ArrayLike, seed: int = SEED) -> Ids:
    """The ids of records; `cells`: one row each."""
    rows = np.asarray(cells, np.int64)
    hashed = np.full(len(rows), SEED, np.uint64)
    hashed = _hash_longs(np.full(len(rows), _table_number(table, seed), np.int64), hashed)
    for column in rows.T:
        hashed = _hash_longs(column, hashed)
    ids = hashed.view(np.int64)
    return np.where(ids == NIL, 1, ids)


# ---- ids in SQL


def text_id_sql(text: str, seed: int = SEED) -> str:
    """SQL of the id of a text (BINARY or STRING)."""
    return f"xxhash64({_seeded(seed)}{text})"


def object_id_sql(data: str, seed: int = SEED) -> str:
    """SQL of the id of an object with canonical bytes (BINARY)."""
    return f"xxhash64({_seeded(seed)}{key_sql(data)})"


def key_sql(data: str) -> str:
    """SQL of what decides the equality of dictionary entries: of a symbol's text all of it, of a record's tuple nothing."""
    size = f"CAST(conv(hex(substring({data}, 2, 4)), 16, 10) AS INT)"
    return (f"CASE substring({data}, 1, 1) WHEN X'{KEY_AND_WHOLE.hex()}' THEN concat(X'{KEY.hex()}', substring({data}, 6, {size})) "
            f"WHEN X'{RECORD.hex()}' THEN X'{RECORD.hex()}' ELSE {data} END")


def record_id_sql(table: str, cells: Sequence[str], seed: int = SEED) -> str:
    """SQL of the id of a record with these cells (BIGINT)."""
    return f"coalesce(nullif(xxhash64({', '.join((f'{_table_number(table, seed)}L', *cells))}), 0L), 1L)"


def collision_sql(dictionary: str) -> str:
    """SQL of (id, one content, another) wherever entries (id, x) with one id are not equal; `dictionary`: what stands behind FROM."""
    keyed = f"SELECT id, {key_sql('x')} AS x FROM {dictionary}"
    return f"SELECT id, min(x) AS one, max(x) AS other FROM ({keyed}) GROUP BY id HAVING min(x) <> max(x)"


def collision(id_: int, one: bytes, other: bytes, seed: int = SEED) -> LadderError:
    """The error of two contents with one id."""
    shown = " and ".join(sorted(map(shown_content, (one, other))))
    return LadderError(f"{shown} have the same hash {id_ & _MASK:016x}.",
                       f"Use another seed: --spark-conf spark.ladder.seed={seed + 1}")


def shown_content(content: bytes) -> str:
    """A dictionary's content in a message."""
    try:
        return repr(bytes_text(content)[:200])
    except UnicodeDecodeError:
        return f"the value of the bytes {content[:100].hex()}"


# ---- tables of records


def record_table(type_: Type, branch: str | None, types: Mapping[str, Type]) -> str:
    """The relation of a type's records, of a branch where it is an algebraic data type: one for each sequence of kinds of cells."""
    return f"{record_relation(type_)}:{''.join(map(_LETTERS.__getitem__, record_kinds(type_, branch, types)))}"


def record_kinds(type_: Type, branch: str | None, types: Mapping[str, Type]) -> tuple[Kind, ...]:
    """What the cells of a record are: of an algebraic data type the number of the branch first; numbers where there is nothing."""
    fields = type_.fields if branch is None else dict(type_.branches)[branch]
    head = (Kind.NUMBER,) if branch is not None else ()
    kinds = (*head, *(types[name].kind for _, name in fields))
    return (*kinds, *(Kind.NUMBER,) * (record_width(type_) - len(kinds)))


def record_tables(program: Program) -> tuple[str, ...]:
    """All relations of records of a program, sorted."""
    return tuple(sorted({record_table(type_, branch, program.types) for type_ in program.types.values()
                         if type_.kind is Kind.RECORD for branch in branches_of(type_)}))


def branches_of(type_: Type) -> tuple[str | None, ...]:
    """The branches of an algebraic data type; None, its only form, of a record type."""
    return tuple(branch for branch, _ in type_.branches) or (None,)


def table_kinds(table: str) -> tuple[Kind, ...]:
    """What the cells of a relation of records are, NUMBER for all that are numeric."""
    kinds = {"n": Kind.NUMBER, "s": Kind.SYMBOL, "o": Kind.OBJECT, "r": Kind.RECORD}
    return tuple(kinds[letter] for letter in table.partition(":")[2])


def branch_cells(type_: Type, branch: str | None, cells: Sequence[Any], zero: Any) -> tuple[Any, ...]:
    """The cells of a record's fields as its row has them: behind the number of its branch, and padded."""
    head = () if branch is None else (branch_number(type_, branch),)
    return (*head, *cells, *(zero,) * (record_width(type_) - len(head) - len(cells)))


# ---- hashing


def _seeded(seed: int) -> str:
    return "" if seed == SEED else f"{seed}L, "


def _start(seed: int) -> int:
    return SEED if seed == SEED else xxhash.xxh64_intdigest(_LONG.pack(seed), SEED)


def _table_number(table: str, seed: int) -> int:
    return bytes_id(table.partition(":")[0].encode(), seed)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


_P1, _P2, _P3, _P4, _P5 = map(np.uint64, (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5))


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
