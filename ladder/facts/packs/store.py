"""The packs of a state directory: which hashes have facts, reading facts, and the difference of two sets of files.

facts/VERSION/   packs of one layout; those of other versions are deleted by `collect`

A process that looks at a project again and again keeps the facts of the files that changed last in memory (`hold`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from ladder.facts.packs.layout import FileRow, Layout
from ladder.facts.packs.pack import (
    Check,
    Damaged,
    Entry,
    entry_of,
    merge_packs,
    read_groups,
    read_index,
    slices,
    write_rows,
)
from ladder.facts.packs.rows import TextRows, difference
from ladder.frontends.protocol import POSITIONS
from ladder.support.files import TEMPORARY, remove_leftovers
from ladder.support.private import remove_known
from ladder.support.seals import Seal
from ladder.support.tuning import DEFAULT, Extracting

PARTS = re.compile(rf"\w+\.(parquet|index)|{re.escape(TEMPORARY)}.*")  # files of a folder of packs
MEMORY = "memory"  # the pack of files whose facts are in no pack yet; others have names of hexadecimal digits
PLACES = pa.schema(
    [
        ("id", pa.string()),
        ("path", pa.dictionary(pa.int32(), pa.string())),
        ("line", pa.int32()),
        ("column", pa.int32()),
    ]
)


@dataclass(frozen=True)
class Difference:
    """Facts that came and went: relation → table of distinct rows; relations without a change are absent."""

    inserted: dict[str, pa.Table]
    deleted: dict[str, pa.Table]

    def __len__(self) -> int:
        return sum(map(len, (*self.inserted.values(), *self.deleted.values())))


class FactTables:
    """The packs below a folder; `damaged`: those that were found unreadable and therefore count as missing."""

    def __init__(
        self,
        folder: Path,
        layout: Layout,
        seal: Seal | None = None,
        tuning: Extracting = DEFAULT.extracting,
        *,
        looking: bool = False,
    ) -> None:
        """`seal`: by which packs are recognised as ours, by default with the user's key; `looking`: read only, so that
        nothing is written or removed."""
        self.layout, self.tuning = layout, tuning
        self.seal = seal or Seal()
        self.parent = folder
        self.folder = folder / layout.version
        if not looking:
            self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        self.entries: dict[str, Entry] = {}
        self.held: dict[int, pa.Table] = {}  # group of the pack MEMORY → the facts of one file
        self.places: dict[str, pa.Table] = {}  # of files that were looked at last, while facts are held
        self.damaged: list[Damaged] = []
        for index in sorted(self.folder.glob("*.index")):
            self._open(index)
        if not looking:
            for damaged in self.damaged:
                self.discard(damaged.name)

    def missing(self, hashes: Iterable[str]) -> list[str]:
        """Those of the hashes that have no facts, each once, in order."""
        return [hash_ for hash_ in dict.fromkeys(hashes) if hash_ not in self.entries]

    def note(self, entries: Iterable[Entry]) -> None:
        """Add the entries that an extraction wrote."""
        self.entries.update((entry.hash, entry) for entry in entries)

    def hold(self, files: Sequence[FileRow]) -> list[Entry]:
        """Keep the facts of files in memory, and write those that are there, as a pack, where they become many. Returns
        the entries of the files, which are noted."""
        tables = [self.layout.table([file]) for file in files]
        if len(self.held) + len(files) > self.tuning.files_in_memory:
            self.write_held()
        entries = []
        for file, table in zip(files, tables, strict=True):
            group = max(self.held, default=-1) + 1
            self.held[group] = table
            entries.append(entry_of(file, MEMORY, group))
        self.note(entries)
        return entries

    def write_held(self) -> None:
        """Write a pack of what is kept in memory."""
        known = {hash_: entry for hash_, entry in self.entries.items() if entry.pack == MEMORY}
        rows = {hash_: self.held[entry.group] for hash_, entry in known.items()}
        if rows:
            self.note(write_rows(self.folder, self.layout, known, rows, self.seal, self.tuning))
        self.held = {}

    def read(self, hashes: Collection[str], relations: Sequence[str]) -> dict[str, pa.Table]:
        """All rows of these relations in the facts of some files; symbols are dictionary-encoded, with a dictionary per
        chunk."""
        return self._read(hashes, relations, encoded=True)

    def parts(self, hashes: Collection[str], relations: Sequence[str]) -> Iterator[dict[str, pa.Table]]:
        """The rows of these relations in the facts of some files, some files at a time; symbols are
        dictionary-encoded."""
        wanted = set(hashes)
        for pack, groups in self._groups_of(wanted).items():
            mine = {hash_ for hash_ in wanted if self.entries[hash_].pack == pack}
            for group in self._read_groups(pack, groups, relations, encoded=True):
                runs = list(slices(group, mine))
                yield {
                    name: self._table(name, [chunk.flatten() for run in runs for chunk in run[name].chunks], True)
                    for name in relations
                }

    def texts_by_file(self, packs: Collection[str], relation: str) -> Iterator[tuple[str, TextRows]]:
        """The rows of a relation of symbols in whole packs: file by file, its hash and its rows."""
        wanted = [hash_ for hash_, entry in self.entries.items() if entry.pack in packs]
        for pack, groups in self._groups_of(wanted).items():
            for group in self._read_groups(pack, groups, [relation], encoded=True):
                for batch in group.to_batches():
                    lists = batch.column(relation)
                    ends = (lists.offsets.to_numpy() - lists.offsets[0].as_py()).tolist()
                    rows = TextRows.of_columns(lists.flatten().flatten())
                    for number, hash_ in enumerate(batch.column("hash").to_pylist()):
                        yield hash_, rows.part(ends[number], ends[number + 1])

    def difference(self, old: Collection[str], new: Collection[str], relations: Sequence[str]) -> Difference:
        """The difference of the facts of the `new` files from those of the `old` ones; only rows of changed files are
        read."""
        old, new = set(old), set(new)
        gone = self._read(old - new, relations, encoded=False)
        come = self._read(new - old, relations, encoded=False)
        changed = [name for name in relations if not come[name].equals(gone[name])]  # after an edit few of them
        inserted = {name: difference(come[name], gone[name]) for name in changed}
        deleted = {name: difference(gone[name], come[name]) for name in changed}
        return Difference(
            {name: rows for name, rows in inserted.items() if len(rows)},
            {name: rows for name, rows in deleted.items() if len(rows)},
        )

    def positions(self, files: Mapping[str, str]) -> pa.Table:
        """Rows `id, path, line, column` of the files `path → hash`; paths as dictionaries.

        Empty if the front end has no relation of positions.
        """
        if POSITIONS not in self.layout.relations:
            return PLACES.empty_table()
        paths = {hash_: path for path, hash_ in reversed(list(files.items()))}
        places = {hash_: self.places[hash_] for hash_ in paths if hash_ in self.places}
        places |= self._places(paths.keys() - places.keys())
        if self.held:
            self.places = dict([*self.places.items(), *places.items()][-self.tuning.places_in_memory :])
        parts = [PLACES.empty_table()]
        for hash_, table in places.items():
            owner = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), len(table)), [paths[hash_]])
            parts.append(table.add_column(1, PLACES.field("path"), owner))
        return pa.concat_tables(parts)

    def _places(self, hashes: Collection[str]) -> dict[str, pa.Table]:
        """Rows `id, line, column` of files by their hashes."""
        found = {}
        for pack, groups in self._groups_of(hashes).items():
            for group in self._read_groups(pack, groups, [POSITIONS], encoded=False):
                for run in slices(group, hashes):
                    lists = run[POSITIONS].combine_chunks()
                    columns = lists.flatten().flatten()
                    ends = (lists.offsets.to_numpy() - lists.offsets[0].as_py()).tolist()
                    table = pa.table(columns, schema=pa.schema([field for field in PLACES if field.name != "path"]))
                    for number, hash_ in enumerate(run["hash"].to_pylist()):
                        found[hash_] = table.slice(ends[number], ends[number + 1] - ends[number])
        return found

    def discard(self, name: str) -> None:
        """Delete a pack; the files whose facts it had are missing from now on."""
        self.entries = {hash_: entry for hash_, entry in self.entries.items() if entry.pack != name}
        for suffix in (".index", ".parquet"):
            with suppress(OSError):
                (self.folder / (name + suffix)).unlink()

    def collect(self, keep: Collection[str]) -> None:
        """Delete what the files to keep do not need: whole packs, leftovers, other versions; merge small packs if there
        are many."""
        for folder in self.parent.iterdir():
            if folder != self.folder and folder.is_dir() and not folder.is_symlink():
                remove_known(folder, PARTS, itself=True)
        remove_leftovers(self.folder)
        self.write_held()
        keep = set(keep)
        live: dict[str, list[Entry]] = {}
        for entry in self.entries.values():
            if entry.hash in keep:
                live.setdefault(entry.pack, []).append(entry)
        for parquet in list(self.folder.glob("*.parquet")):
            if parquet.stem not in live:
                self.discard(parquet.stem)
        self._merge(live)

    def merge(self) -> None:
        """Merge small packs if there are many."""
        self.write_held()
        live: dict[str, list[Entry]] = {}
        for entry in self.entries.values():
            live.setdefault(entry.pack, []).append(entry)
        self._merge(live)

    def _merge(self, live: Mapping[str, list[Entry]]) -> None:
        small = [name for name, entries in live.items() if len(entries) < self.tuning.small_pack]
        if len(small) > self.tuning.small_packs:
            entries = [entry for name in small for entry in live[name]]
            self.note(merge_packs(self.folder, self.layout, entries, self.seal, self.tuning))
            for name in small:
                self.discard(name)

    def _open(self, index: Path) -> None:
        try:
            self.note(read_index(index, self.layout, self.seal))
        except Damaged as damaged:
            self.damaged.append(damaged)

    def _read(self, hashes: Collection[str], relations: Sequence[str], *, encoded: bool) -> dict[str, pa.Table]:
        wanted = set(hashes)
        structs: dict[str, list[pa.Array]] = {name: [] for name in relations}
        for pack, groups in self._groups_of(wanted).items():
            mine = {hash_ for hash_ in wanted if self.entries[hash_].pack == pack}
            for group in self._read_groups(pack, groups, relations, encoded=encoded):
                for run in slices(group, mine):
                    for name in relations:
                        structs[name] += (chunk.flatten() for chunk in run[name].chunks)
        return {name: self._table(name, chunks, encoded) for name, chunks in structs.items()}

    def _read_groups(
        self, pack: str, groups: Mapping[int, Check], relations: Sequence[str], *, encoded: bool
    ) -> Iterator[pa.Table]:
        if pack == MEMORY:
            return (self.held[group].select(["hash", *relations]) for group in sorted(groups))
        check = next(iter(groups.values()))
        return read_groups(
            self.folder, pack, sorted(groups), relations, check, encoded=encoded, trusted=self.seal.trusted
        )

    def _groups_of(self, hashes: Iterable[str]) -> dict[str, dict[int, Check]]:
        """Pack → its row groups with facts of these files, each with the pack's `Check`."""
        groups: dict[str, dict[int, Check]] = {}
        for entry in sorted((self.entries[hash_] for hash_ in hashes), key=lambda entry: entry.pack):
            groups.setdefault(entry.pack, {})[entry.group] = entry.check
        return groups

    def _table(self, name: str, chunks: list[pa.Array], encoded: bool) -> pa.Table:
        struct = self.layout.struct(name)
        fields = [
            pa.field(
                field.name,
                pa.dictionary(pa.int32(), pa.string()) if encoded and field.type == pa.string() else field.type,
            )
            for field in struct
        ]
        flat = [chunk.flatten() for chunk in chunks if len(chunk)]
        columns = [
            pa.chunked_array([_as_type(parts[i], field.type) for parts in flat], field.type)
            for i, field in enumerate(fields)
        ]
        return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def _as_type(column: pa.Array, type_: pa.DataType) -> pa.Array:
    """A column, whose symbols become a dictionary where that is wanted and they are none."""
    return column.dictionary_encode() if pa.types.is_dictionary(type_) and column.type != type_ else column
