"""A state in tables, as an engine that computes elsewhere leaves it: Parquet files, a manifest, and CURRENT, which makes it count.

    FOLDER/CURRENT                  names the tables and the checksum of their manifest; replaced in one step
    FOLDER/tables-N/MANIFEST        JSON: program, tables with their rows and files with their sizes, stated facts that were given, too
    FOLDER/tables-N/program         the core program (see `SavedProgram`)
    FOLDER/tables-N/relations/t=K/  rows of relation number K: c0, c1, … as the engine's cells, first, count
    FOLDER/tables-N/records/K/      a table of records, in the order of their numbers: n, c0, c1, … (numbers may be left out)
    FOLDER/tables-N/symbols/        x: the texts, in the order of their numbers, the empty one first
    FOLDER/tables-N/objects/        x: the values of lattices (see `ladder.engine.canonical`), in the order of their numbers

Files of a table follow each other in the order of their names. Relations that follow from others have no files: totals and
final totals of aggregated relations, of which the manifest tells how many there are. Parquet's pages carry checksums.
"""
from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from xxhash import xxh3_64_intdigest as checksum

from ladder.engine.local.saved_program import Origin, SavedProgram, without_objects
from ladder.errors import StateError
from ladder.files import sync, write_atomically
from ladder.language.core import Program
from ladder.language.identity import identities

TABLES = "tables-"
VERSION = 1
MEND = "Remove it, or run again to rebuild it."


@dataclass(frozen=True)
class Table:
    """A relation, or a table of records: where its files are ("": it has none), its cells per row, its rows.

    `firsts`: the sum of the first iterations of its rows.
    """

    folder: str
    width: int
    rows: int
    firsts: int = 0


@dataclass(frozen=True)
class Manifest:
    """What a folder of tables holds; `files`: path in the folder → size in bytes; `given_too`: see `GivenToo`, in cells."""

    fingerprint: str
    rules: Mapping[str, Any]
    identities: Mapping[str, str]
    program: int                                   # the checksum of its file
    relations: Mapping[str, Table]
    records: Mapping[str, Table]
    symbols: int
    objects: int
    given_too: Mapping[str, list[list[int]]] = field(default_factory=dict)
    files: Mapping[str, int] = field(default_factory=dict)
    strategy: str = "elastic"
    version: int = VERSION

    def text(self) -> str:
        """As it is stored."""
        return json.dumps(asdict(self))

    @staticmethod
    def parse(text: str) -> Manifest:
        """ValueError, KeyError or TypeError for what is none."""
        raw = json.loads(text)
        tables = {part: {name: Table(**table) for name, table in raw[part].items()} for part in ("relations", "records")}
        return Manifest(**{**raw, **tables})


def begun(folder: Path) -> Path:
    """An empty folder for the tables of a new state; what an earlier attempt left half-written is removed."""
    folder.mkdir(parents=True, exist_ok=True)
    named = _named(folder)
    for old in folder.glob(f"{TABLES}*"):
        if old.name != named:
            shutil.rmtree(old, ignore_errors=True)
    number = 1 + max((int(p.name.removeprefix(TABLES)) for p in folder.glob(f"{TABLES}*")), default=0)
    tables = folder / f"{TABLES}{number}"
    tables.mkdir()
    return tables


def published(tables: Path, program: Program, origin: Origin, note: str, costs: Mapping[str, Any], relations: Mapping[str, Table],
              records: Mapping[str, Table], symbols: int, objects: int, given_too: Mapping[str, list[list[int]]]) -> None:
    """Make complete tables the state of the folder that they lie in, in one step; what it had before goes."""
    pickled = without_objects(program)
    write_atomically(tables / "program", pickled, durable=True)
    _remove_marks(tables)
    for path in tables.rglob("*"):
        sync(path)
    files = {str(path.relative_to(tables)): path.stat().st_size for path in sorted(tables.rglob("*")) if path.is_file()}
    manifest = Manifest(origin.fingerprint, origin.rules, identities(program), checksum(pickled), relations, records, symbols, objects,
                        given_too, files).text()
    write_atomically(tables / "MANIFEST", manifest, durable=True)
    text = json.dumps({"tables": tables.name, "manifest": checksum(manifest.encode()), "note": note, "costs": dict(costs)})
    write_atomically(tables.parent / "CURRENT", json.dumps({"current": text, "checksum": checksum(text.encode())}), durable=True)
    remove_others(tables.parent, {tables.name})


def remove_others(folder: Path, wanted: Collection[str]) -> None:
    """Remove every part of a state that is not wanted any more."""
    for path in [*folder.glob("base-*"), *folder.glob("log-*")]:
        if path.name not in wanted:
            path.unlink(missing_ok=True)
    for path in folder.glob(f"{TABLES}*"):
        if path.name not in wanted:
            shutil.rmtree(path, ignore_errors=True)


def opened_tables(folder: Path, current: Mapping[str, Any]) -> tuple[Path, Manifest, SavedProgram]:
    """The tables that CURRENT names, all of whose files are there; `StateError` where they are not."""
    tables = folder / current["tables"]
    text = (tables / "MANIFEST").read_text()
    if checksum(text.encode()) != current["manifest"]:
        raise StateError(f"The state in {folder} is damaged: its MANIFEST has another checksum.", MEND)
    if json.loads(text).get("version") != VERSION:
        raise StateError(f"The state in {folder} was written by another version of Ladder.", MEND)
    manifest = Manifest.parse(text)
    for name, size in manifest.files.items():
        if (tables / name).stat().st_size != size:
            raise StateError(f"The state in {folder} is damaged: {name} is not the file that was written.", MEND)
    pickled = (tables / "program").read_bytes()
    if checksum(pickled) != manifest.program:
        raise StateError(f"The state in {folder} is damaged: its program has another checksum.", MEND)
    return tables, manifest, SavedProgram(Origin(manifest.fingerprint, manifest.rules), manifest.relations, manifest.identities, pickled)


def _named(folder: Path) -> str:
    """The tables that count now, "" where there are none."""
    try:
        return str(json.loads(json.loads((folder / "CURRENT").read_text())["current"]).get("tables", ""))
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _remove_marks(tables: Path) -> None:
    """Remove what Spark's and Hadoop's writers put beside the data: marks of success, checksums of their own."""
    for path in tables.rglob("*"):
        if path.is_file() and (path.name.startswith((".", "_")) or path.suffix == ".crc"):
            path.unlink()
