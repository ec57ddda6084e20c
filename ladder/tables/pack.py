"""One pack: an immutable Parquet file with a row per source file, sorted by hash, and an index beside it.

    NAME.parquet   the rows, in row groups of a few dozen files, so that one file's facts are read without the others'
    NAME.index     JSON: size and footer checksum of the Parquet file; per file its row group and what runs need without the facts

The index is written last: a pack without one does not exist. Pages carry checksums, so damage is noticed where it is read.
"""
from __future__ import annotations

import json
import uuid
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ladder.errors import TablesError
from ladder.files import replacing, write_atomically
from ladder.tables.layout import FileRow, Layout

GROUP_FILES, GROUP_FACTS = 64, 150_000
WRITING = {"compression": "zstd", "compression_level": 1, "write_page_checksum": True, "write_statistics": ["hash"],
           "dictionary_pagesize_limit": 1 << 24, "store_schema": True}
FOOTER_TAIL = 8


class Damaged(TablesError):
    """A pack cannot be read; `name` says which."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"The fact table {name} is damaged ({reason}).")
        self.name = name


@dataclass(frozen=True)
class Entry:
    """What the index knows of one file's facts; `pack` and `group` say where they are."""

    hash: str
    pack: str
    group: int
    parser: str
    lines: int
    unit: str
    types: tuple[str, ...]
    facts: int
    diagnostics: tuple[tuple[int, int, str, str], ...]


def write_pack(folder: Path, layout: Layout, files: Sequence[FileRow]) -> list[Entry]:
    """Write the facts of some files as a new pack; nothing is visible until all of it is on disk."""
    files = sorted({file.hash: file for file in files}.values(), key=lambda file: file.hash)
    groups = _groups([file.facts for file in files])
    name = uuid.uuid4().hex
    with replacing(folder / f"{name}.parquet") as temporary, pq.ParquetWriter(temporary, layout.schema, **WRITING) as writer:
        for start, stop in groups:
            writer.write_table(layout.table(files[start:stop]), row_group_size=stop - start)
    entries = [Entry(file.hash, name, group, file.parser, file.lines, file.unit, tuple(file.types), file.facts,
                     tuple(tuple(d) for d in file.diagnostics))  # type: ignore[misc]
               for group, (start, stop) in enumerate(groups) for file in files[start:stop]]
    _write_index(folder, name, layout, entries)
    return entries


def merge_packs(folder: Path, layout: Layout, entries: Collection[Entry]) -> list[Entry]:
    """Copy the rows of these entries into one new pack, sorted by hash."""
    names = sorted({entry.pack for entry in entries})
    wanted = pa.array([entry.hash for entry in entries])
    table = pa.concat_tables(part for name in names for part in read_groups(
        folder, name, sorted({entry.group for entry in entries if entry.pack == name}), None, encoded=False))
    table = table.filter(pa.compute.is_in(table["hash"], value_set=wanted)).sort_by("hash")
    known = {entry.hash: entry for entry in entries}
    ordered = [known[hash_] for hash_ in table["hash"].to_pylist()]
    groups = _groups([entry.facts for entry in ordered])
    name = uuid.uuid4().hex
    with replacing(folder / f"{name}.parquet") as temporary, pq.ParquetWriter(temporary, layout.schema, **WRITING) as writer:
        for start, stop in groups:
            writer.write_table(table.slice(start, stop - start).cast(layout.schema), row_group_size=stop - start)
    merged = [Entry(e.hash, name, group, e.parser, e.lines, e.unit, e.types, e.facts, e.diagnostics)
              for group, (start, stop) in enumerate(groups) for e in ordered[start:stop]]
    _write_index(folder, name, layout, merged)
    return merged


def read_index(file: Path, layout: Layout) -> list[Entry]:
    """The entries of a pack that is whole; `Damaged` when it is not, or is of another layout."""
    try:
        index = json.loads(file.read_bytes())
        parquet = file.with_suffix(".parquet")
        if index["version"] != layout.version:
            raise Damaged(file.stem, "it is of another version")
        if parquet.stat().st_size != index["size"] or _footer_checksum(parquet) != index["footer"]:
            raise Damaged(file.stem, "it is not the file that was written")
        return [Entry(e[0], file.stem, e[1], e[2], e[3], e[4], tuple(e[5]), e[6], tuple(tuple(d) for d in e[7]))
                for e in index["files"]]
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise Damaged(file.stem, str(error)) from None


def read_groups(folder: Path, name: str, groups: Sequence[int], relations: Sequence[str] | None, *,
                encoded: bool) -> Iterator[pa.Table]:
    """Row group by row group: `hash` and the relations' columns (None: all columns); symbols as dictionaries if `encoded`."""
    path = folder / f"{name}.parquet"
    columns = None if relations is None else ["hash", *relations]
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            footer = file.metadata
            leaves = _symbol_leaves(footer, relations) if encoded and relations is not None else None
        with pq.ParquetFile(path, metadata=footer, read_dictionary=leaves, page_checksum_verification=True, pre_buffer=True) as file:
            for group in groups:
                yield file.read_row_group(group, columns=columns)
    except (pa.ArrowNotImplementedError, pa.ArrowMemoryError):
        raise
    except (OSError, pa.ArrowException) as error:
        raise Damaged(name, str(error).splitlines()[0]) from None


def slices(table: pa.Table, wanted: Collection[str]) -> Iterator[pa.Table]:
    """Runs of consecutive rows whose hash is wanted, without copying."""
    hashes = table["hash"].to_pylist()
    start = None
    for i, hash_ in enumerate([*hashes, None]):
        if hash_ in wanted:
            start = i if start is None else start
        elif start is not None:
            yield table.slice(start, i - start)
            start = None


def _groups(facts: Sequence[int]) -> list[tuple[int, int]]:
    """[start, stop) of row groups that hold at most so many files and, unless one file alone has more, facts."""
    groups, start, total = [], 0, 0
    for i, count in enumerate(facts):
        if i > start and (i - start == GROUP_FILES or total + count > GROUP_FACTS):
            groups.append((start, i))
            start, total = i, 0
        total += count
    return [*groups, (start, len(facts))] if facts else []


def _write_index(folder: Path, name: str, layout: Layout, entries: Sequence[Entry]) -> None:
    parquet = folder / f"{name}.parquet"
    files: list[Any] = [[e.hash, e.group, e.parser, e.lines, e.unit, e.types, e.facts, e.diagnostics] for e in entries]
    index = {"version": layout.version, "size": parquet.stat().st_size, "footer": _footer_checksum(parquet), "files": files}
    write_atomically(folder / f"{name}.index", json.dumps(index, separators=(",", ":")))


def _footer_checksum(file: Path) -> int:
    """CRC of the Parquet footer: its length stands in the 8 bytes at the end."""
    with file.open("rb") as parquet:
        size = parquet.seek(0, 2)
        parquet.seek(max(size - FOOTER_TAIL, 0))
        length = int.from_bytes(parquet.read(4), "little")
        parquet.seek(max(size - FOOTER_TAIL - length, 0))
        return zlib.crc32(parquet.read())


def _symbol_leaves(footer: pq.FileMetaData, relations: Sequence[str]) -> list[str]:
    """Column paths of the symbols of these relations, as Parquet spells them."""
    chosen = set(relations)
    leaves = (footer.schema.column(i) for i in range(len(footer.schema)))
    return [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY" and leaf.path.partition(".")[0] in chosen]
