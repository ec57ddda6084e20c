"""Bodies of libraries: which methods of the class path a project may run, and the facts of their code.

    needs      what the project calls, makes and extends of libraries: rows of `java/library_needs.dl`, which have a
               state of their own
    reached    the methods that these lead to (`frontends/libraries/reach.py`), and the classes that declare them
    facts      of these classes, made once for each class of an entry of the class path, in a folder that all projects
               share; of them the rows of what is reached are facts of the project's databases
    kept       in `bodies/` of the state directory, by a digest of needs, class path and choice: what was reached

So of an unchanged project nothing is searched or read. An edit that changes what the project needs is an update by the
rows of methods that came and went.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ladder.errors import LadderError, ProjectError, StateError
from ladder.facts.packs.pack import Damaged
from ladder.facts.packs.rows import TextRows, difference
from ladder.facts.packs.store import Difference, FactTables
from ladder.frontends.protocol import Libraries, Models, Row
from ladder.project.dependencies.contents import Entry
from ladder.project.extraction import NOWHERE, extract, layout, version_of
from ladder.session.class_path import ClassPath, names_of, pack_of
from ladder.session.library import LibraryChoice, within
from ladder.support import caches
from ladder.support.console import Console
from ladder.support.files import write_atomically
from ladder.support.json_text import read_json
from ladder.support.private import LIBRARIES_VARIABLE, read_own, remove_known
from ladder.support.seals import Seal
from ladder.support.tuning import DEFAULT

FOLDER = "bodies"
PURPOSE = "bodies of a class path"
NEEDS = Path("java/library_needs.dl")
NEED = "LibraryNeed"
NEEDED = "needs"  # what its states are called by
CODE = "ClassPathCode"
OWNER, DECIDES = "owner", "Code"  # a column, and the relation that says what is reached
PARTS = re.compile(r"[0-9a-f]{32}")
KEPT = 8  # versions that are remembered
TUNING = replace(DEFAULT.extracting, in_process=64)
"""A search reads classes in many small rounds, and class files are read faster than sources."""


# ---- facts of code


@dataclass(frozen=True)
class ClassFiles:
    """Reads the class files of entries; it can be sent to another process. Paths are `NUMBER!path`."""

    entries: tuple[Entry, ...]
    root: str = ""

    def read(self, path: str, _hash: str) -> bytes:
        """The bytes of a class file; `ProjectError` if it cannot be read."""
        number, _, inside = path.partition("!")
        try:
            return self.entries[int(number)].read(inside)
        except OSError as error:
            raise ProjectError(
                f"{inside} of {self.entries[int(number)].path} cannot be read: {error.strerror}."
            ) from None


@dataclass
class Code:
    """The facts of the class files of a class path, kept for all projects of the machine."""

    path: ClassPath
    maker: Libraries
    jobs: int
    console: Console
    made: set[str] = field(default_factory=set)  # packs that this run has written
    deciding: dict[str, TextRows] = field(default_factory=dict)  # hash → rows of `Code`, of the packs that were read

    @cached_property
    def tables(self) -> FactTables:
        """The packs."""
        folder = _folder()
        found = FactTables(folder, layout(self.maker.bodies), Seal())
        for other in folder.iterdir():
            if other != found.folder:
                remove_known(other, re.compile(r"\w+\.(parquet|index)"), itself=True)
        return found

    def schema(self, relation: str) -> pa.Schema:
        """The columns of a relation, without the owner."""
        return pa.schema(
            [
                pa.field(each.name, pa.dictionary(pa.int32(), pa.string()) if each.type == pa.string() else each.type)
                for each in self.tables.layout.struct(relation)
                if each.name != OWNER
            ]
        )

    def hash_of(self, number: int, path: str) -> str:
        """What the facts of a class file are kept under."""
        return hashlib.sha256(f"{self.path.libraries[number].content} {path}".encode()).hexdigest()[:40]

    def parts(self, paths: Mapping[str, str], relations: Sequence[str]) -> Iterator[dict[str, pa.Table]]:
        """The rows of these relations in the facts of class files, hash → path, some files at a time. Facts that are
        damaged are made again; `Damaged` is raised where some of the others have been read."""
        while True:
            self._extract(paths)
            number = 0
            try:
                for part in self.tables.parts(list(paths), relations):
                    number += 1
                    yield part
                return
            except Damaged as damaged:
                if number:
                    self.tables.discard(damaged.name)
                    raise
                self._make_again(damaged)

    def decisions(self, paths: Mapping[str, str]) -> Iterator[Row]:
        """The rows of `Code` in the facts of class files, hash → path. A search asks for classes of the same packs
        again and again, so these rows of a pack are read once, and those of a class decoded when they are asked for.
        Facts that are damaged are made again."""
        while unread := paths.keys() - self.deciding.keys():
            self._extract({hash_: paths[hash_] for hash_ in unread})
            for pack in sorted({self.tables.entries[hash_].pack for hash_ in unread}):
                try:
                    self.deciding.update(self.tables.texts_by_file((pack,), DECIDES))
                except Damaged as damaged:
                    self._make_again(damaged)
        for hash_ in sorted(paths):
            yield from self.deciding[hash_]

    def _make_again(self, damaged: Damaged) -> None:
        """Forget facts that are damaged, so that they are made when they are asked for."""
        self.tables.discard(damaged.name)
        self.console.warn(f"{damaged.message} Its classes are read again.")

    def _extract(self, paths: Mapping[str, str]) -> None:
        """Make the facts of class files that have none yet; `ProjectError` where no entry has them any more."""
        missing = self.tables.missing(paths)
        if not missing:
            return
        wanted = [(self._place(hash_, paths[hash_]), hash_) for hash_ in missing]
        source: Any = ClassFiles(tuple(library.entry for library in self.path.libraries))
        with self.console.stage("bodies"), self.console.progress("Reading classes", len(missing)) as advance:
            done = extract(
                wanted, source, self.maker.bodies, self.tables.folder, "local", jobs=self.jobs, progress=advance,
                seal=self.tables.seal, tuning=TUNING,
            )  # fmt: skip
        for entry in done.entries:
            if entry.pack == NOWHERE:
                raise LadderError(f"{paths[entry.hash]} cannot be read: {entry.diagnostics[0][3]}.", "Run it again.")
        self.tables.note(done.entries)
        self.made.update(entry.pack for entry in done.entries)

    def _place(self, hash_: str, path: str) -> str:
        """Where a class file is, as `ClassFiles` takes it."""
        for number in range(len(self.path.libraries)):
            if self.hash_of(number, path) == hash_:
                return f"{number}!{path}"
        raise ProjectError(f"No entry of the class path has the file {path} any more.")

    def check(self) -> None:
        """Raise `ProjectError`, and forget what was made, if an entry of the class path has changed meanwhile."""
        for library in self.path.libraries if self.made else ():
            if library.entry.content() != library.content:
                for pack in self.made:
                    self.tables.discard(pack)
                raise ProjectError(f"{library.entry.path} changed while it was being read.", "Run it again.")


def _folder() -> Path:
    """The folder of facts of libraries: below the one that `LADDER_LIBRARIES_DIR` names, else in the user's cache."""
    if named := os.environ.get(LIBRARIES_VARIABLE):
        folder = Path(named).absolute() / FOLDER
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            return folder
    found = caches.folder_if_any(FOLDER)
    if found is None:
        raise LadderError(
            "The facts of libraries cannot be kept: there is no cache directory that can be written.",
            f"Name a folder for them with {LIBRARIES_VARIABLE}.",
        )
    return found


# ---- what is reached

Reached = tuple[str, str, frozenset[str]]
"""A class, its path in its entry, and its methods that are reached."""


@dataclass(frozen=True)
class Kept:
    """Where a project's bodies are remembered."""

    folder: Path
    seal: Seal


@dataclass(frozen=True)
class Bodies:
    """The bodies that a project may run. `version`: changes with them; `classes`: hash of its facts → a class, its
    path in its entry and its methods with code; `mentions`: what they need of other classes."""

    version: str
    code: Code
    classes: Mapping[str, Reached]
    mentions: Mapping[str, frozenset[str]]
    kept: Kept

    def before(self, version: str) -> Bodies | None:
        """Those of another version; None if they are not remembered."""
        return remembered(version, self.code, self.kept)

    @property
    def types(self) -> list[Row]:
        """The rows of the relation of classes whose code is looked at."""
        return sorted((name,) for name, *_ in self.classes.values())

    @property
    def said(self) -> str:
        """How many there are, and what could not be read."""
        methods = sum(len(methods) for *_, methods in self.classes.values())
        lost = sorted(
            f"{self.classes[hash_][0]}: {diagnostic[3]}"
            for hash_ in self.classes.keys() & self.code.tables.entries.keys()
            for diagnostic in self.code.tables.entries[hash_].diagnostics
        )
        told = f"; not read in part: {', '.join(lost[:3])}{', …' if len(lost) > 3 else ''}" if lost else ""
        return f"{methods:,} methods of {len(self.classes):,} classes of libraries{told}"

    def read(self, relations: Sequence[str]) -> dict[str, pa.Table]:
        """The rows of these relations."""
        return self._rows(self.classes, relations)

    def difference(self, old: Bodies, relations: Sequence[str]) -> Difference:
        """The rows that came and went since `old`."""
        come, gone = (
            self._rows(_without(self.classes, old.classes), relations),
            self._rows(_without(old.classes, self.classes), relations),
        )
        inserted = {name: difference(come[name], gone[name]) for name in come}
        deleted = {name: difference(gone[name], come[name]) for name in gone}
        return Difference(
            {name: rows for name, rows in inserted.items() if len(rows)},
            {name: rows for name, rows in deleted.items() if len(rows)},
        )

    def _rows(self, classes: Mapping[str, Reached], relations: Sequence[str]) -> dict[str, pa.Table]:
        """The rows of the classes and methods, of those of the relations that code has."""
        known = [name for name in relations if name in self.code.tables.layout.relations]
        owners = {owner for _, _, methods in classes.values() for owner in methods}
        owners.update(name for name, *_ in classes.values() if name)
        found: dict[str, list[pa.RecordBatch]] = {name: [] for name in known}
        for part in self.code.parts({hash_: path for hash_, (_, path, _) in classes.items()}, known):
            for name, table in part.items():
                found[name] += (_owned(batch, owners) for batch in table.to_batches())
        return {name: pa.Table.from_batches(rows, self.code.schema(name)) for name, rows in found.items()}


def _without(
    classes: Mapping[str, Reached],
    others: Mapping[str, Reached],
) -> dict[str, Reached]:
    """What classes have beyond others: the name of one that both have is empty, its methods are those that differ."""
    found = {}
    for hash_, (name, path, methods) in classes.items():
        if hash_ not in others:
            found[hash_] = (name, path, methods)
        elif more := methods - others[hash_][2]:
            found[hash_] = ("", path, more)
    return found


def _owned(rows: pa.RecordBatch, wanted: Collection[str]) -> pa.RecordBatch:
    """The rows whose owner is wanted, without it; texts that they do not have are dropped."""
    owners = rows.column(OWNER)
    chosen = pa.array([owner in wanted for owner in owners.dictionary.to_pylist()], pa.bool_())
    kept = rows.drop_columns([OWNER]).filter(chosen.take(owners.indices))
    return pa.RecordBatch.from_arrays(list(map(_compact, kept.columns)), schema=kept.schema)


def _compact(column: pa.Array) -> pa.Array:
    if not pa.types.is_dictionary(column.type):
        return column
    used, indices = np.unique(column.indices.to_numpy(), return_inverse=True)
    return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), column.dictionary.take(pa.array(used)))


def bodies_of(
    library: LibraryChoice, needs: Iterable[Row], path: ClassPath, code: Code, kept: Kept, anew: bool = False
) -> Bodies:
    """The bodies that a project with these needs may run; `anew`: without what is remembered."""
    needs = sorted(needs)
    entries = [each.content for each in path.libraries]
    version = _digest(needs, entries, library.text, version_of(code.maker), code.tables.layout.version)
    found = None if anew else remembered(version, code, kept)
    if found is None:
        with code.console.stage("bodies", "Searching the methods of libraries that may run"):
            found = _searched(version, library, needs, path, code, kept)
        if not anew:
            _keep(found)
    return found


def _searched(
    version: str, library: LibraryChoice, needs: Sequence[Row], path: ClassPath, code: Code, kept: Kept
) -> Bodies:
    packs = [pack_of(each, code.maker) for each in path.libraries]
    located = code.maker.located(packs, [each.entry.listed()[0] for each in path.libraries])
    for prefix in library.prefixes:
        if not any(within(name, prefix) for name in located):
            raise LadderError(
                f"No class of the class path is in {prefix}, which --library {library.text} names.",
                f"{path.said or 'The class path is empty.'}",
            )

    def read(names: Sequence[str]) -> Iterator[Row]:
        paths = {code.hash_of(*located[name]): located[name][1] for name in names if name in located}
        yield from code.decisions(paths)

    reached = code.maker.reached(needs, packs, library.has, read)
    code.deciding.clear()
    code.check()
    if code.made:  # by a round of the search each
        code.tables.merge()
    classes = {
        code.hash_of(*located[name]): (name, located[name][1], methods)
        for name, methods in sorted(reached.methods.items())
    }
    return Bodies(version, code, classes, reached.mentions, kept)


# ---- what is remembered


def remembered(version: str, code: Code, kept: Kept) -> Bodies | None:
    """The bodies of a version; None if they are not remembered."""
    with suppress(OSError, StateError, ValueError, KeyError, TypeError):
        data = read_own(kept.folder / version, kept.seal.trusted)
        found = read_json(kept.seal.unsealed(f"{PURPOSE} {version}", data) or b"")
        classes = {hash_: (name, path, frozenset(methods)) for hash_, name, path, methods in found["classes"]}
        mentions = {kind: frozenset(names) for kind, names in found["mentions"].items()}
        return Bodies(version, code, classes, mentions, kept)
    return None


def _keep(found: Bodies) -> None:
    """Remember bodies, and forget those of long ago."""
    content = {
        "classes": [[hash_, *rest, sorted(methods)] for hash_, (*rest, methods) in found.classes.items()],
        "mentions": {kind: sorted(names) for kind, names in found.mentions.items()},
    }
    with suppress(PermissionError):
        data = json.dumps(content, separators=(",", ":")).encode()
        folder, seal = found.kept.folder, found.kept.seal
        folder.mkdir(mode=0o755, exist_ok=True)
        write_atomically(folder / found.version, seal.sealed(f"{PURPOSE} {found.version}", data))
        files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
        for file in files[:-KEPT]:
            if PARTS.fullmatch(file.name):
                file.unlink()


def with_bodies(rows: Models, bodies: Bodies, path: ClassPath) -> Models:
    """The rows of the class path, and of what bodies need of it besides."""
    maker = bodies.code.maker

    def read() -> tuple[Mapping[str, Sequence[Row]], Sequence[str]]:
        found, left_out = rows.read()
        more = maker.selected([pack_of(each, maker) for each in path.libraries], bodies.mentions, names_of(path))
        return {name: sorted({*found.get(name, ()), *more.get(name, ())}) for name in maker.relations}, left_out

    return replace(rows, version=f"{rows.version} {bodies.version}", read=read)


def _digest(*parts: object) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(part).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()[:32]
