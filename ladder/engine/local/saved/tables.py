"""A state in tables, as an engine other than the local one writes it: Parquet files, a manifest, and CURRENT, which
makes them the state.

    FOLDER/CURRENT                  names the tables and the digest of their manifest; replaced in one step
    FOLDER/tables-N/MANIFEST        JSON: program, tables with their rows and files with their digests, program facts
                                    that were asserted as well
    FOLDER/tables-N/program         the core program (see `SavedProgram`)
    FOLDER/tables-N/relations/t=K/  rows of relation number K: c0, c1, … as the engine's cells, first, count
    FOLDER/tables-N/records/K/      a table of records, in the order of their numbers: n, c0, c1, … (numbers may be left
                                    out)
    FOLDER/tables-N/symbols/        x: the texts, in the order of their numbers, the empty one first
    FOLDER/tables-N/objects/        x: the values of lattices (see `ladder.engine.canonical`), in the order of their
                                    numbers

The files of a table are read in the order of their names. Totals and final totals of aggregated relations have no
files, since they follow from other relations; the manifest says how many there are. Parquet's pages carry checksums.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from ladder.engine.local.saved.format import FORMAT, refuse_other_format
from ladder.engine.local.saved.parts import Array, damaged, digest_of, mapped, read_small
from ladder.engine.local.saved.program import Origin, SavedProgram
from ladder.errors import NotOurs
from ladder.language.core import Program
from ladder.support.files import make_folder, sync, write_atomically
from ladder.support.json_text import read_object
from ladder.support.private import code_of, is_ours, remove_known

CURRENT = "CURRENT"
TRUST = (
    "If those who wrote it are trusted, open it with --trust-state (trust=True); "
    "otherwise remove it, or run again to rebuild it."
)
PURPOSE = "state"
TABLES = "tables-"
NAME = re.compile(rf"{TABLES}\d+")
IN_TABLES = re.compile(r"MANIFEST|program|\.part-[^/]*|(relations|records|symbols|objects)/.+")
PART = re.compile(r"base-\d+|log-\d+-\d+")


@dataclass(frozen=True)
class Table:
    """A relation or a table of records: the folder of its files ("" if it has none), the cells in a row, the number of
    rows.

    `firsts`: the sum of the first iterations of its rows.
    """

    folder: str
    width: int
    rows: int
    firsts: int = 0


@dataclass(frozen=True)
class Manifest:
    """The contents of a folder of tables; `files`: path in the folder → digest; `given_too`: the program facts that
    were asserted as well, as cells by EDB relation."""

    fingerprint: str
    rules: Mapping[str, Any]
    identities: Mapping[str, str]
    core: str  # the version of the core program (see `SavedProgram`), …
    program: str  # … and the digest of its file
    relations: Mapping[str, Table]
    records: Mapping[str, Table]
    symbols: int
    objects: int
    given_too: Mapping[str, list[list[int]]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    strategy: str = "elastic"

    def text(self) -> str:
        """Return the text of the manifest as it is stored."""
        return json.dumps(asdict(self))

    @staticmethod
    def parse(text: str) -> Manifest:
        """The manifest with this text; ValueError, KeyError or TypeError if it is malformed."""
        raw = read_object(text)
        tables = {
            part: {name: Table(**table) for name, table in raw[part].items()} for part in ("relations", "records")
        }
        return Manifest(**{**raw, **tables})


def current_text(**entries: Any) -> str:
    """The text of a CURRENT file, with a checksum, which reveals damage, and an authentication code under the user's
    key."""
    text = json.dumps(entries)
    data = text.encode()
    return json.dumps({"current": text, "checksum": sha256(data).hexdigest(), "code": code_of(PURPOSE, data).hex()})


def believed(folder: Path, text: str, trust: bool) -> tuple[dict[str, Any], bool]:
    """(what CURRENT says, whether this user's Ladder has written it); `StateError` where it is damaged, or foreign and
    not trusted."""
    sealed = read_object(text)
    data = sealed["current"].encode()
    if sha256(data).hexdigest() != sealed["checksum"]:
        damaged(folder, "its CURRENT file has another checksum")
    code = bytes.fromhex(sealed["code"])
    if code.hex() != sealed["code"]:  # digits may be written in several ways
        damaged(folder, "the code in its CURRENT file is not as it was written")
    ours = is_ours(code, PURPOSE, data)
    if not ours and not trust:
        raise NotOurs(f"The state in {folder} was not written by this user's Ladder, or with another key.", TRUST)
    current = read_object(data)
    refuse_other_format(folder, current.get("format"))
    return current, ours


def begun(folder: Path) -> Path:
    """Create an empty folder for the tables of a new state, and return it; what earlier attempts left is removed."""
    make_folder(folder)
    named = _named(folder)
    for old in _tables_in(folder):
        if old.name != named:
            remove_known(old, IN_TABLES, itself=True)
    number = 1 + max((int(p.name.removeprefix(TABLES)) for p in _tables_in(folder)), default=0)
    tables = folder / f"{TABLES}{number}"
    tables.mkdir()
    return tables


def published(
    tables: Path,
    program: Program,
    origin: Origin,
    note: str,
    costs: Mapping[str, Any],
    relations: Mapping[str, Table],
    records: Mapping[str, Table],
    symbols: int,
    objects: int,
    given_too: Mapping[str, list[list[int]]],
    telling: Callable[[str], object] = lambda current: None,
) -> None:
    """Make complete tables the state of the folder that they lie in, in one step; the earlier state is removed.

    `telling` is called with the new text of CURRENT before it is written.
    """
    saved = SavedProgram.of(program, origin, relations)
    write_atomically(tables / "program", saved.packed, durable=True)
    _remove_writers_files(tables)
    for path in tables.rglob("*"):
        sync(path)
    files = {
        str(path.relative_to(tables)): digest_of(mapped(path, trusted=True)[0].data).hex()
        for path in sorted(tables.rglob("*"))
        if path.is_file()
    }
    manifest = Manifest(
        origin.fingerprint,
        origin.rules,
        saved.identities,
        saved.version,
        files.pop("program"),
        relations,
        records,
        symbols,
        objects,
        given_too,
        files,
    ).text()
    write_atomically(tables / "MANIFEST", manifest, durable=True)
    sync(tables)
    sync(tables.parent)
    current = current_text(
        format=FORMAT, tables=tables.name, manifest=digest_of(manifest.encode()).hex(), note=note, costs=dict(costs)
    )
    telling(current)
    write_atomically(tables.parent / CURRENT, current, durable=True)
    remove_others(tables.parent, {tables.name})


def remove_others(folder: Path, wanted: Collection[str]) -> None:
    """Remove every part of a state that is not in `wanted`."""
    for path in folder.iterdir():
        if PART.fullmatch(path.name) and path.name not in wanted and not path.is_dir():
            path.unlink(missing_ok=True)
    for path in _tables_in(folder):
        if path.name not in wanted:
            remove_known(path, IN_TABLES, itself=True)


def opened_tables(
    folder: Path, current: Mapping[str, Any], ours: bool
) -> tuple[Mapping[str, Array], Manifest, SavedProgram]:
    """(the bytes of the files by their names, the manifest, the program) of the tables that CURRENT names; `StateError`
    if they are damaged."""
    if not NAME.fullmatch(current["tables"]):
        damaged(folder, "its CURRENT file names no tables")
    tables = folder / current["tables"]
    text = read_small(tables / "MANIFEST", trusted=not ours)
    if digest_of(text).hex() != current["manifest"]:
        damaged(folder, "its MANIFEST has another checksum")
    manifest = Manifest.parse(text.decode())
    files = {}
    for name, digest in manifest.files.items():
        if name.startswith("/") or {"", ".", ".."}.intersection(name.split("/")):
            damaged(folder, "its MANIFEST names files elsewhere")
        files[name], _ = mapped(tables / name, trusted=not ours)
        if digest_of(files[name].data).hex() != digest:
            damaged(folder, f"{name} is not the file that was written")
    data = read_small(tables / "program", trusted=not ours)
    if digest_of(data).hex() != manifest.program:
        damaged(folder, "its program has another checksum")
    described = {
        "program": manifest.fingerprint,
        "rules": manifest.rules,
        "identities": manifest.identities,
        "version": manifest.core,
    }
    return files, manifest, SavedProgram.described(described, manifest.relations, data, ours, folder)


def _tables_in(folder: Path) -> list[Path]:
    """The folders of tables, including those that CURRENT does not name."""
    return [path for path in folder.glob(f"{TABLES}*") if NAME.fullmatch(path.name)]


def _named(folder: Path) -> str:
    """The name of the tables that CURRENT names, "" where there are none."""
    try:
        return str(read_object(read_object((folder / CURRENT).read_text())["current"]).get("tables", ""))
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _remove_writers_files(tables: Path) -> None:
    """Remove the files that Spark's and Hadoop's writers put next to the data: `_SUCCESS` files and checksums."""
    for path in tables.rglob("*"):
        if path.is_file() and (path.name.startswith((".", "_")) or path.suffix == ".crc"):
            path.unlink()
