"""One pack: an immutable Parquet file with a row per source file, sorted by hash, and an index beside it.

    NAME.parquet   the rows, in row groups of a few dozen files, so that one file's facts are read without the others'
    NAME.index     sealed JSON: where the row groups of the Parquet file are, and digests of them and of the rest of it;
                   per source file its row group and what runs need without the facts

The index is written last: a pack without one does not exist. It is authenticated by a code (see
`ladder.support.seals`), and the parts of the Parquet file that are read are compared with the digests in the index
before they are decoded: facts that somebody else wrote, or that are damaged, count as missing.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from ladder.errors import StateError, TablesError
from ladder.facts.packs import layout as layouts
from ladder.facts.packs.layout import FileRow, Layout, TooMuchText
from ladder.support.arrow_memory import allocated
from ladder.support.files import replacing, write_atomically
from ladder.support.json_text import read_json
from ladder.support.private import open_own, read_own
from ladder.support.seals import Seal
from ladder.support.tuning import DEFAULT, Extracting

WRITING = {
    "compression": "zstd",
    "compression_level": 1,
    "write_page_checksum": True,
    "write_statistics": ["hash"],
    "dictionary_pagesize_limit": 1 << 24,
    "store_schema": True,
}
FOOTER_TAIL, DIGEST_BYTES = 8, 16
PURPOSE = "facts"


class Damaged(TablesError):
    """Raised for a pack that cannot be read; `name` says which."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"The fact table {name} is damaged ({reason}).")
        self.name = name


class Foreign(Damaged):
    """Raised for a pack that was written under another key or changed since."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "it is not as this user's Ladder wrote it")


@dataclass(frozen=True)
class Check:
    """How the Parquet file of a pack is checked: its size in bytes, a digest of the bytes outside of row groups, and
    (start, stop, digest) of each row group."""

    size: int
    rest: str
    groups: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True)
class Entry:
    """The index entry of a file's facts; `pack` and `group` say where they are, `check` how the pack is checked."""

    hash: str
    pack: str
    group: int
    parser: str
    lines: int
    unit: str
    types: tuple[str, ...]
    facts: int
    diagnostics: tuple[tuple[int, int, str, str], ...]
    check: Check = Check(0, "", ())


def entry_of(file: FileRow, pack: str, group: int, check: Check = Entry.check) -> Entry:
    """The index entry of a file whose facts are in this group of a pack."""
    return Entry(
        file.hash,
        pack,
        group,
        file.parser,
        file.lines,
        file.unit,
        tuple(file.types),
        file.facts,
        tuple(tuple(d) for d in file.diagnostics),  # type: ignore[misc]
        check,
    )


def write_pack(
    folder: Path,
    layout: Layout,
    files: Sequence[FileRow],
    seal: Seal | None = None,
    tuning: Extracting = DEFAULT.extracting,
) -> list[Entry]:
    """Write the facts of some files as a new pack; nothing is visible until all of it is on disk."""
    files = sorted({file.hash: file for file in files}.values(), key=lambda file: file.hash)
    groups = _Groups([file.facts for file in files], lambda start, stop: layout.table(files[start:stop]), tuning)
    name = uuid.uuid4().hex
    check = _write_groups(folder / f"{name}.parquet", layout, groups)
    entries = [
        entry_of(file, name, group, check)
        for group, (start, stop) in enumerate(groups.made)
        for file in files[start:stop]
    ]
    _write_index(folder, name, layout, entries, seal or Seal())
    return entries


def merge_packs(
    folder: Path,
    layout: Layout,
    entries: Collection[Entry],
    seal: Seal | None = None,
    tuning: Extracting = DEFAULT.extracting,
) -> list[Entry]:
    """Copy the rows of these entries into one new pack, sorted by hash."""
    checks = {entry.pack: entry.check for entry in entries}
    known = {entry.hash: entry for entry in entries}
    # of each file; sorting or filtering a table would put all of its text into one array
    rows: dict[str, pa.Table] = {}
    for name in sorted(checks):
        for part in read_groups(
            folder,
            name,
            sorted({entry.group for entry in entries if entry.pack == name}),
            None,
            checks[name],
            encoded=False,
        ):
            rows |= {hash_: part.slice(i, 1) for i, hash_ in enumerate(part["hash"].to_pylist()) if hash_ in known}
    return write_rows(folder, layout, known, rows, seal, tuning)


def write_rows(
    folder: Path,
    layout: Layout,
    known: Mapping[str, Entry],
    rows: Mapping[str, pa.Table],
    seal: Seal | None = None,
    tuning: Extracting = DEFAULT.extracting,
) -> list[Entry]:
    """Write tables of one row each, the facts of a file by its hash, as a new pack; `known`: their entries so far."""
    ordered = [known[hash_] for hash_ in sorted(rows)]

    def table(start: int, stop: int) -> pa.Table:
        made = pa.concat_tables([rows[entry.hash] for entry in ordered[start:stop]]).cast(layout.schema)
        if stop - start > 1 and max(column.nbytes for column in made.columns) > layouts.MOST_TEXT:
            raise TooMuchText("These files are too large for one row group.")
        return made

    groups = _Groups([entry.facts for entry in ordered], table, tuning)
    name = uuid.uuid4().hex
    check = _write_groups(folder / f"{name}.parquet", layout, groups)
    merged = [
        Entry(e.hash, name, group, e.parser, e.lines, e.unit, e.types, e.facts, e.diagnostics, check)
        for group, (start, stop) in enumerate(groups.made)
        for e in ordered[start:stop]
    ]
    _write_index(folder, name, layout, merged, seal or Seal())
    return merged


def read_index(file: Path, layout: Layout, seal: Seal | None = None) -> list[Entry]:
    """The entries of a pack; `Damaged` if it is incomplete, of another user or of another layout."""
    seal = seal or Seal()
    try:
        found = seal.unsealed(PURPOSE, read_own(file, seal.trusted))
        if found is None:
            raise Foreign(file.stem)
        index = read_json(found)
        if index["version"] != layout.version:
            raise Damaged(file.stem, "it is of another version")
        check = Check(
            index["size"], index["rest"], tuple((start, stop, digest) for start, stop, digest in index["groups"])
        )
        if file.with_suffix(".parquet").lstat().st_size != check.size:
            raise Damaged(file.stem, "it is not the file that was written")
        return [
            Entry(e[0], file.stem, e[1], e[2], e[3], e[4], tuple(e[5]), e[6], tuple(tuple(d) for d in e[7]), check)
            for e in index["files"]
        ]
    except (OSError, ValueError, KeyError, IndexError, TypeError, StateError) as error:
        raise Damaged(file.stem, str(error)) from None


def adopt(folder: Path, name: str, layout: Layout, seal: Seal, own: Seal) -> list[Entry]:
    """Take over a pack that a process without the user's key wrote under the key of `seal`: its index is authenticated
    by `own` from now on. Returns its entries."""
    entries = read_index(folder / f"{name}.index", layout, seal)
    _write_index(folder, name, layout, entries, own)
    return entries


def read_groups(
    folder: Path,
    name: str,
    groups: Sequence[int],
    relations: Sequence[str] | None,
    check: Check,
    *,
    encoded: bool,
    trusted: bool = False,
) -> Iterator[pa.Table]:
    """The tables of row groups with `hash` and the columns of these relations (None: all columns); symbols are
    dictionary-encoded if `encoded`."""
    columns = None if relations is None else ["hash", *relations]
    try:
        with os.fdopen(open_own(folder / f"{name}.parquet", trusted=trusted), "rb") as stored:
            footer = pq.read_metadata(pa.BufferReader(_footer(stored, name, check)))
            leaves = _symbol_leaves(footer, relations) if encoded and relations is not None else None
            memory, checked = allocated(check.size)
            with pq.ParquetFile(
                pa.BufferReader(memory), metadata=footer, read_dictionary=leaves, pre_buffer=True
            ) as file:
                for group in groups:
                    start, stop, digest = check.groups[group]
                    _read_checked(stored, name, start, checked[start:stop], digest)
                    yield file.read_row_group(group, columns=columns)
    except (pa.ArrowNotImplementedError, pa.ArrowMemoryError):
        raise
    except (OSError, IndexError, StateError, pa.ArrowException) as error:
        raise Damaged(name, str(error).splitlines()[0]) from None


def slices(table: pa.Table, wanted: Collection[str]) -> Iterator[pa.Table]:
    """Slices of a table with the consecutive rows whose hash is wanted, without copying."""
    hashes = table["hash"].to_pylist()
    start = None
    for i, hash_ in enumerate([*hashes, None]):
        if hash_ in wanted:
            start = i if start is None else start
        elif start is not None:
            yield table.slice(start, i - start)
            start = None


class _Groups:
    """Iterates over the tables of a pack's row groups; `made`: for each table so far the files that are in it.

    If the files of a group have too much text for one, the group is split in halves.
    """

    def __init__(self, facts: Sequence[int], table: Callable[[int, int], pa.Table], tuning: Extracting) -> None:
        self._left, self._table = _groups(facts, tuning)[::-1], table
        self.made: list[tuple[int, int]] = []

    def __iter__(self) -> Iterator[pa.Table]:
        while self._left:
            start, stop = self._left.pop()
            try:
                table = self._table(start, stop)
            except TooMuchText:
                if stop - start == 1:
                    raise
                middle = (start + stop) // 2
                self._left += [(middle, stop), (start, middle)]
                continue
            self.made.append((start, stop))
            yield table


def _groups(facts: Sequence[int], tuning: Extracting) -> list[tuple[int, int]]:
    """Ranges (start, stop) of files for row groups, each with limited numbers of files and facts; a single file may
    exceed the latter."""
    groups, start, total = [], 0, 0
    for i, count in enumerate(facts):
        if i > start and (i - start == tuning.group_files or total + count > tuning.group_facts):
            groups.append((start, i))
            start, total = i, 0
        total += count
    return [*groups, (start, len(facts))] if facts else []


def _write_index(folder: Path, name: str, layout: Layout, entries: Sequence[Entry], seal: Seal) -> None:
    check = entries[0].check
    files: list[Any] = [[e.hash, e.group, e.parser, e.lines, e.unit, e.types, e.facts, e.diagnostics] for e in entries]
    index = {"version": layout.version, "size": check.size, "rest": check.rest, "groups": check.groups, "files": files}
    write_atomically(folder / f"{name}.index", seal.sealed(PURPOSE, json.dumps(index, separators=(",", ":")).encode()))


def _write_groups(target: Path, layout: Layout, tables: Iterable[pa.Table]) -> Check:
    """Write a Parquet file with a row group per table."""
    with replacing(target) as temporary:
        with temporary.open("wb") as out, pq.ParquetWriter(out, layout.schema, **WRITING) as writer:
            for table in tables:
                writer.write_table(table, row_group_size=len(table))
        return _check_of(temporary.read_bytes())


def _check_of(data: bytes) -> Check:
    """The `Check` of a Parquet file that was just written; the length of its footer is in its last 8 bytes."""
    footer = pq.ParquetFile(pa.BufferReader(data)).metadata
    first = [footer.row_group(i).column(0) for i in range(footer.num_row_groups)]
    starts = [
        min(column.data_page_offset, column.dictionary_page_offset or column.data_page_offset) for column in first
    ]
    end = len(data) - FOOTER_TAIL - int.from_bytes(data[-FOOTER_TAIL : -FOOTER_TAIL + 4], "little")
    groups = tuple(
        (start, stop, _digest(data[start:stop])) for start, stop in zip(starts, [*starts[1:], end], strict=True)
    )
    return Check(len(data), _digest(data[: starts[0]], data[end:]), groups)


def _footer(stored: BinaryIO, name: str, check: Check) -> bytes:
    """A Parquet file without its row groups, after a comparison with the digest."""
    first, end = check.groups[0][0], check.groups[-1][1]
    head, footer = os.pread(stored.fileno(), first, 0), os.pread(stored.fileno(), check.size - end, end)
    if _digest(head, footer) != check.rest:
        raise Damaged(name, "it is not what was written")
    return head + footer


def _read_checked(stored: BinaryIO, name: str, start: int, into: npt.NDArray[np.uint8], digest: str) -> None:
    """Read a row group after a comparison with its digest: Arrow sees zeros where nothing was checked."""
    stored.seek(start)
    if stored.readinto(into) != len(into) or _digest(into.data) != digest:  # type: ignore[attr-defined]
        raise Damaged(name, "it is not what was written")


def _digest(*parts: bytes | memoryview) -> str:
    hasher = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        hasher.update(part)
    return hasher.hexdigest()


def _symbol_leaves(footer: pq.FileMetaData, relations: Sequence[str]) -> list[str]:
    """Column paths of the symbols of these relations, as Parquet spells them."""
    chosen = set(relations)
    leaves = (footer.schema.column(i) for i in range(len(footer.schema)))
    return [
        leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY" and leaf.path.partition(".")[0] in chosen
    ]
