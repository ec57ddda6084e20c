"""Dense numbers of ids: the same however the rows are cut; nothing that refers to a number is left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ladder.engine.canonical import canonical
from ladder.engine.spark.facts.interning import Interned
from ladder.engine.spark.values.dictionary import object_id, record_id, symbol_id
from ladder.support.tuning import Distributing

TEXTS = ["b", "", "a", "ä", "zebra", "\x00", "ab", "Ω", "c"]
OBJECTS = [(1, "x"), frozenset(("a",)), 7]


def entries() -> list[tuple[int, bytes]]:
    symbols = [(symbol_id(text), text.encode()) for text in TEXTS]
    return [*symbols, *((object_id(canonical(value)), canonical(value)) for value in OBJECTS)]


def dictionary(spark: Any, rows: list[tuple[int, bytes]], parts: int) -> Any:
    table = pa.table(
        {"c0": pa.array([id_ for id_, _ in rows], pa.int64()), "x": pa.array([x for _, x in rows], pa.binary())}
    )
    return spark.createDataFrame(table).repartition(parts)


def lists() -> dict[int, tuple[int, int]]:
    """id → (symbol or number, list behind it), among them records that are alike once ids are numbers."""
    known: dict[int, tuple[int, int]] = {}
    for head in (symbol_id("b"), symbol_id(""), 0, 4):  # the numbers of "b" and "" will be 4 and 0
        behind = 0
        for _ in range(2):
            row = (head, behind)
            behind = record_id("[]2", row)
            known[behind] = row
    return known


@pytest.mark.parametrize(
    "per_file, few, parts", [(2, 0, 3), pytest.param(500_000, 200_000, 1, marks=pytest.mark.nightly)]
)
def test_numbers_follow_the_order_of_contents(per_file: int, few: int, parts: int, spark: Any, tmp_path: Path) -> None:
    interned = Interned(spark, tmp_path, 42, Distributing(rows_per_file=per_file, broadcast_ids=few))
    interned.contents(dictionary(spark, entries(), parts), len(entries()), True)
    in_order = sorted(TEXTS, key=str.encode)
    assert interned.numbers_of([symbol_id(text) for text in TEXTS]) == {
        symbol_id(text): in_order.index(text) for text in TEXTS
    }
    assert interned.counts == {"symbols": len(TEXTS), "objects": len(OBJECTS)}
    assert sorted(interned.numbers_of([object_id(canonical(value)) for value in OBJECTS]).values()) == [0, 1, 2]

    records = lists()
    frame = spark.createDataFrame(
        pa.table(
            [pa.array(column, pa.int64()) for column in zip(*((i, *row) for i, row in records.items()), strict=True)],
            names=["c0", "c1", "c2"],
        )
    )
    found = interned.records({"[]2": (frame, 2, len(records))})["[]2"]
    rows = {row["n"]: (row["c0"], row["c1"]) for row in found.collect()}
    assert len(set(rows.values())) == len(rows) == 4  # "b" and 4, "" and 0 begin the same lists
    numbers = interned.numbers_of(list(records))
    heads = {symbol_id("b"): in_order.index("b"), symbol_id(""): 0}
    assert heads[symbol_id("b")] == 4
    for id_, (head, behind) in records.items():
        assert rows[numbers[id_]] == (heads.get(head, head), numbers[behind] if behind else 0)

    cells = np.array([[symbol_id("ä"), -5, (1 << 32) - 1, next(iter(records)), 0]], np.int64)
    wide = spark.createDataFrame(pa.table({f"c{i}": cells[:, i] for i in range(5)}))
    assert [tuple(row) for row in interned.dense(wide, [f"c{i}" for i in range(5)]).collect()] == [
        (in_order.index("ä"), -5, -1, numbers[next(iter(records))], 0)
    ]


def test_an_id_without_an_entry_is_an_error(spark: Any, tmp_path: Path) -> None:
    interned = Interned(spark, tmp_path, 42)
    interned.contents(dictionary(spark, entries(), 1), len(entries()), False)
    with pytest.raises(Exception, match="no entry for the id"):
        interned.dense(spark.sql(f"SELECT {symbol_id('nobody knows')}L AS c0"), ["c0"]).collect()
