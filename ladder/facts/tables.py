"""Arrow tables written as files that other programs read."""
from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from ladder.errors import Unsupported
from ladder.facts.packs.rows import plain
from ladder.support.files import FOR_OTHERS, replacing

FORMATS = ("csv", "json", "parquet")


def write_table(table: pa.Table, target: Path, format_: str) -> None:
    """Write a table as csv (with a header row), json (an array of objects) or parquet; the file appears when it is whole."""
    with replacing(target, mode=FOR_OTHERS) as temporary:
        if format_ == "csv":
            import pyarrow.csv
            pyarrow.csv.write_csv(plain(table), temporary, pyarrow.csv.WriteOptions(quoting_style="needed"))
        elif format_ == "parquet":
            import pyarrow.parquet
            pyarrow.parquet.write_table(table, temporary, compression="zstd", compression_level=1)
        elif format_ == "json":
            _write_json(table, temporary)
        else:
            raise Unsupported(f"Tables cannot be written as {format_}.", f"There are {', '.join(FORMATS)}.")


def _write_json(table: pa.Table, target: Path) -> None:
    with target.open("w", encoding="utf-8") as out:
        out.write("[")
        for i, batch in enumerate(plain(table).to_batches(max_chunksize=10_000)):
            rows = batch.to_pylist()
            out.write(("" if i == 0 else ",\n") + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
        out.write("]\n")
