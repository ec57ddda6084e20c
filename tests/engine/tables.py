"""A local engine's state written as tables, as another engine would leave it: rows in any order, in several files."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ladder.engine.canonical import canonical
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved.program import Origin
from ladder.engine.local.saved.tables import Table, begun, published


def write_tables(folder: Path, engine: LocalEngine, origin: Origin, seed: int = 0, note: str = "") -> Path:
    """Leave a state in a folder; the folder of its tables."""
    tables, shuffled = begun(folder), random.Random(seed)
    derived = {name for a in engine.expanded.aggregates.values() for name in (a.name, a.totals)}
    relations, records = {}, {}
    for key, (name, number) in enumerate(engine.numbers.items()):
        cells, first, counts = engine.store.present(number)
        if name in engine.tables:
            records[name] = Table(f"records/{key}", cells.shape[1], len(cells))
            _write(
                tables / records[name].folder, {**_columns(cells), "n": np.arange(1, len(cells) + 1, dtype=np.int32)}, 2
            )
            continue
        has_files = name not in derived and len(cells) > 0
        relations[name] = Table(
            f"relations/t={key}" if has_files else "", cells.shape[1], len(cells), int(first.sum(dtype=np.int64))
        )
        if has_files:
            order = np.array(shuffled.sample(range(len(cells)), len(cells)))
            _write(
                tables / relations[name].folder,
                {**_columns(cells[order]), "first": first[order], "count": counts[order]},
                3,
            )
    symbols, objects = engine.values.symbols, engine.values.objects
    _write(tables / "symbols", {"x": symbols.to_dictionary().cast(pa.large_binary())}, 2)
    _write(tables / "objects", {"x": pa.array([canonical(value) for value in objects.values], pa.binary())}, 1)
    asserted_too = {name: cells.tolist() for name, cells in engine.asserted_program_facts.rows.items()}
    published(
        tables,
        engine.program,
        origin,
        note,
        engine.costs.stored(),
        relations,
        records,
        len(symbols),
        len(objects),
        asserted_too,
    )
    return tables


def _columns(cells: Any) -> dict[str, Any]:
    return {f"c{i}": np.ascontiguousarray(cells[:, i]) for i in range(cells.shape[1])}


def _write(folder: Path, columns: dict[str, Any], parts: int) -> None:
    folder.mkdir(parents=True)
    table = pa.table(columns)
    for part in range(parts):
        start, end = len(table) * part // parts, len(table) * (part + 1) // parts
        pq.write_table(
            table.slice(start, end - start),
            folder / f"part-{part:05}.parquet",
            row_group_size=100,
            write_page_checksum=True,
        )
