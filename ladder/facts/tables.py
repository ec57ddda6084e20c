"""Arrow tables written as files that other programs read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.errors import Unsupported
from ladder.support.files import FOR_OTHERS, replacing

if TYPE_CHECKING:
    import pyarrow as pa


def write_table(table: pa.Table, target: Path, format_: str) -> None:
    """Write a table in one of the `FORMATS`; the file appears when it is complete."""
    if format_ not in FORMATS:
        raise Unsupported(f"Tables cannot be written as {format_}.", f"There are {', '.join(FORMATS)}.")
    with replacing(target, mode=FOR_OTHERS) as temporary:
        FORMATS[format_](table, temporary)


def write_csv(table: pa.Table, target: Path) -> None:
    """Write a header row and a line per row."""
    import pyarrow.csv

    from ladder.facts.packs.rows import plain

    with target.open("wb") as out:  # by Python, since Arrow opens no file whose name is not UTF-8
        pyarrow.csv.write_csv(plain(table), out, pyarrow.csv.WriteOptions(quoting_style="needed"))


def write_json(table: pa.Table, target: Path) -> None:
    """Write an array of objects."""
    from ladder.facts.packs.rows import plain

    with target.open("w", encoding="utf-8") as out:
        out.write("[")
        for i, batch in enumerate(plain(table).to_batches(max_chunksize=10_000)):
            rows = batch.to_pylist()
            out.write(("" if i == 0 else ",\n") + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
        out.write("]\n")


def write_parquet(table: pa.Table, target: Path) -> None:
    """Write a Parquet file with compressed columns."""
    import pyarrow.parquet

    with target.open("wb") as out:
        pyarrow.parquet.write_table(table, out, compression="zstd", compression_level=1)


FORMATS = {"csv": write_csv, "json": write_json, "parquet": write_parquet}
