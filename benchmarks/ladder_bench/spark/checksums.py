"""Rows of both engines told by one number: XXH64 of each row's cells, first iteration and count, combined by exclusive
or.

Cells are those of Spark's side, so symbols count by their text. Spark computes the same by `bit_xor(xxhash64(…))`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]
SEED = np.uint64(42)  # Spark's for xxhash64
PRIMES = tuple(
    np.uint64(p)
    for p in (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
)
BLOCK = 1 << 20


def checksum(columns: Sequence[Longs]) -> int:
    """Return the checksum of rows, which are given by their columns; without rows it is 0."""
    total = np.uint64(0)
    for begin in range(0, len(columns[0]) if columns else 0, BLOCK):
        total ^= np.bitwise_xor.reduce(row_hashes([column[begin : begin + BLOCK] for column in columns]))
    return int(total.astype(np.int64))


def row_hashes(columns: Sequence[Longs]) -> npt.NDArray[np.uint64]:
    """xxhash64 of each row as Spark computes it for BIGINT columns: the hash of a column is the seed of the next."""
    hashes = np.full(len(columns[0]), SEED)
    with np.errstate(over="ignore"):
        for column in columns:
            hashes = _hash(column.astype(np.int64).view(np.uint64), hashes)
    return hashes


def _hash(words: npt.NDArray[np.uint64], seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """XXH64 of eight bytes each."""
    one, two, three, four, five = PRIMES
    mixed = seeds + five + np.uint64(8)
    mixed ^= _rotated(words * two, 31) * one
    mixed = _rotated(mixed, 27) * one + four
    mixed ^= mixed >> np.uint64(33)
    mixed *= two
    mixed ^= mixed >> np.uint64(29)
    mixed *= three
    return mixed ^ mixed >> np.uint64(32)


def _rotated(words: npt.NDArray[np.uint64], bits: int) -> npt.NDArray[np.uint64]:
    return words << np.uint64(bits) | words >> np.uint64(64 - bits)


def checksum_sql(columns: Sequence[str]) -> str:
    """SQL of the same over a relation with these columns; NULL for no rows."""
    return f"bit_xor(xxhash64({', '.join(f'CAST({column} AS BIGINT)' for column in columns)}))"
