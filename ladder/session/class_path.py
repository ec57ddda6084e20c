"""The class path of a run: what a project depends on, what these libraries declare, and what of that it can reach.

    entries    those that the user names, else what the project's build files say (`ladder.project.dependencies`)
    packs      what the class files of an entry declare, made once per content, in a folder that all projects share
    mentions   what the files of the project name, in numbers that change with its files
    rows       of what they can reach: inputs of the analyses, as facts about libraries are (`protocol.Libraries`)

Of an unchanged project with unchanged entries nothing is read but what the file `classpath` of its state says. Rows are
made anew only where an entry has other content, or the files mention something else than before.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ladder.errors import LadderError, ProjectError, StateError
from ladder.facts.packs.pack import Damaged
from ladder.frontends.protocol import Libraries, Models, Row
from ladder.frontends.registry import libraries_of
from ladder.project.dependencies.contents import Entry
from ladder.project.dependencies.discovery import discovered
from ladder.project.dependencies.found import Found
from ladder.project.dependencies.platform import machine_jdk
from ladder.project.extraction import front_end_version, version_of
from ladder.project.files import Project
from ladder.session.facts import Facts, Files
from ladder.session.library import MODELS, LibraryChoice, within
from ladder.session.mentions import Counts, changed, counted, mentions
from ladder.session.workspace import Workspace
from ladder.support import caches
from ladder.support.console import Console
from ladder.support.files import OWN, write_atomically
from ladder.support.json_text import read_json
from ladder.support.private import (
    CODE_BYTES,
    LIBRARIES_VARIABLE,
    code_of,
    is_ours,
    read_own,
    remove_known,
)
from ladder.support.seals import Seal

FOLDER = "libraries"
PACK = re.compile(r"[0-9a-f]{40}\.pack")
PURPOSE = "class path of a project"
KIND = "class path"  # of diagnostics
SHOWN = 5
Diagnostic = tuple[str, int, int, str, str]


@dataclass(frozen=True)
class Library:
    """An entry of the class path, and the hash of its content."""

    entry: Entry
    content: str

    @property
    def name(self) -> str:
        """What people call it: the name of its file or folder."""
        return self.entry.path.name


@dataclass
class ClassPath:
    """The class path of a project.

    `libraries`: its entries, in order; `said`: what was found, for the summary; `diagnostics`: what could not be read.
    """

    maker: Libraries | None
    libraries: list[Library] = field(default_factory=list)
    said: str = ""
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def relations(self) -> Sequence[str]:
        """The relations of the rows."""
        return () if self.maker is None else self.maker.relations


class Remembered:
    """What the state of a project says of its class path; nothing where it is not ours, or there is none."""

    def __init__(self, file: Path, seal: Seal, version: str) -> None:
        self.file, self.seal, self.version = file, seal, version
        self.looks: dict[str, list[Any]] = {}  # path → look, content, problems
        self.head: dict[str, Any] = {}
        self._rest = self._first = b""
        with suppress(OSError, StateError, ValueError, KeyError, TypeError):
            data = seal.unsealed(PURPOSE, read_own(file, seal.trusted)) or b""
            first, _, rest = data.partition(b"\n")
            head = dict(read_json(first))
            if head["version"] == version:
                self.looks, self.head = dict(head["looks"]), dict(head["of"])
                self._first, self._rest = first, rest

    def counted(self) -> tuple[set[str], Counts]:
        """(hashes of files, what they mention)."""
        try:
            found = read_json(self._rest) if self.head else {}
            return set(found["files"]), {kind: Counter(rows) for kind, rows in found["counts"].items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            return set(), {}

    def save(self, rest: bytes | None = None) -> None:
        """Write what is remembered now, if it is something else than before; without a rest that of before stays."""
        first = json.dumps({"version": self.version, "looks": self.looks, "of": self.head}, sort_keys=True).encode()
        if rest is not None or first != self._first:
            with suppress(PermissionError):
                write_atomically(
                    self.file, self.seal.sealed(PURPOSE, first + b"\n" + (self._rest if rest is None else rest))
                )


# ---- entries and packs


def class_path_of(
    project: Project,
    given: Sequence[Path] | None,
    workspace: Workspace,
    console: Console,
    library: LibraryChoice = MODELS,
) -> tuple[ClassPath, Remembered]:
    """The class path of a project: the `given` entries, or, for None, those that the project's files say. Where bodies
    are looked at that no entry has, the JDK of this machine comes last.

    for each entry: unchanged since the last run → its content is known, else its content is hashed and, if nobody has
        packed it before, its classes are read; one that cannot be read is a diagnostic, and left out
    """
    maker = libraries_of(project.front_end)
    found = ClassPath(maker)
    depends = Found() if maker is None else _found(project, given)
    version = (
        f"{version_of(maker)} {front_end_version(project.front_end)}"
        if maker and (depends.jars or library.bodies)
        else ""
    )
    remembered = Remembered(workspace.class_path, workspace.seal, version)
    if maker is None:
        return found, remembered
    found.diagnostics += [(path, line, column, KIND, message) for path, line, column, message in depends.problems]
    looks: dict[str, list[Any]] = {}

    def add(path: Path) -> None:
        shown = _shown(path, project)
        try:
            library, look, problems = _library(Entry(path), remembered.looks.get(str(path)), maker, shown, console)
        except (LadderError, OSError) as error:
            reason = error.message if isinstance(error, LadderError) else error.strerror or str(error)
            found.diagnostics.append((shown, 1, 1, KIND, f"it is left out: {reason.replace(f'{path} ', 'it ', 1)}"))
            return
        found.libraries.append(library)
        found.diagnostics += [(f"{shown}!/{name}", 1, 1, KIND, reason) for name, reason in problems]
        if look:
            looks[str(path)] = [look, library.content, problems]

    for path in depends.jars:
        add(path)
    read = len(found.libraries)
    if library.bodies and _lacks(found, library) and (platform := machine_jdk()) is not None:
        add(platform)
    found.said = _said(depends, read, given is not None)
    remembered.looks = looks
    return found, remembered


def _lacks(found: ClassPath, library: LibraryChoice) -> bool:
    """Whether no entry of the class path has the bodies that are looked at, and none is a JDK."""
    maker = found.maker
    packs = [] if maker is None else [pack_of(each, maker) for each in found.libraries]
    if maker is None or any(maker.has_platform(pack) for pack in packs):
        return False
    packages = [package for pack in packs for package in maker.packages(pack)]
    return not library.prefixes or any(
        not any(within(package, prefix) or within(prefix, package) for package in packages if package)
        for prefix in library.prefixes
    )


def _found(project: Project, given: Sequence[Path] | None) -> Found:
    if given is not None:
        return Found(list(dict.fromkeys(path.absolute() for path in given)))
    if project.archive or project.bare:
        return Found()
    return discovered(project.root, Path.home())


def _library(
    entry: Entry, known: list[Any] | None, maker: Libraries, shown: str, console: Console
) -> tuple[Library, str, list[list[str]]]:
    """(an entry, what it looks like, "" if it may still change, what of it could not be read)."""
    look, settled = entry.look()
    if known is not None and known[0] == look:
        return Library(entry, known[1]), look, known[2]
    library = Library(entry, entry.content())
    pack = pack_of(library, maker, lambda: console.say(f"Reading {shown}"))
    problems = [[name, reason] for name, reason in maker.problems(pack)]
    return library, look if settled else "", problems


def pack_of(library: Library, maker: Libraries, say: Callable[[], None] = lambda: None) -> bytes:
    """The pack of an entry: one that is kept under its content, else a new one."""
    version = version_of(maker)
    purpose = f"pack of a library {version} {library.content}"
    files = [folder / f"{library.content}.pack" for folder in _folders(version)]
    for file in files:
        with suppress(OSError, StateError):
            data = read_own(file, trusted=True)
            if is_ours(data[:CODE_BYTES], purpose, data[CODE_BYTES:]):
                return data[CODE_BYTES:]
    say()
    pack = maker.packed(library.entry.classes())
    if library.entry.content() != library.content:
        raise ProjectError("it changed while it was being read")
    for file in files:
        with suppress(OSError, StateError):
            write_atomically(file, code_of(purpose, pack) + pack, mode=OWN)
    return pack


def _folders(version: str) -> tuple[Path, ...]:
    """The folders where packs of a version are kept: the one that `LADDER_LIBRARIES_DIR` names, else one of the user's
    cache, from which those of other versions are removed; none where neither can be used."""
    if named := os.environ.get(LIBRARIES_VARIABLE):
        folder = Path(named).absolute() / version
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        return (folder,)
    folder_of_user = caches.folder_if_any(FOLDER, version)
    if folder_of_user is None:
        return ()
    for other in folder_of_user.parent.iterdir():
        if other != folder_of_user:
            remove_known(other, PACK, itself=True)
    return (folder_of_user,)


def _shown(path: Path, project: Project) -> str:
    """The path of an entry in messages."""
    return path.relative_to(project.root).as_posix() if path.is_relative_to(project.root) else str(path)


def _said(depends: Found, read: int, given: bool) -> str:
    """What was found, in a line."""
    if given:
        return f"{read:,} of {len(depends.jars):,} entries that --classpath names" if depends.jars else ""
    if not depends.sources:
        return depends.unknown
    wanted = len(depends.jars) + len(depends.missing)
    missing = ""
    if depends.missing:
        more = f" and {len(depends.missing) - SHOWN:,} more" if len(depends.missing) > SHOWN else ""
        missing = f"; not on this machine: {', '.join(depends.missing[:SHOWN])}{more}{_mend(depends)}"
    unknown = f"; {depends.unknown}" if depends.unknown else ""
    return f"{read:,} of {wanted:,} libraries, by {', '.join(depends.sources[:SHOWN])}{missing}{unknown}"


def _mend(depends: Found) -> str:
    """How to get what is not on this machine."""
    by_gradle = any(Path(source).name.endswith(".lockfile") for source in depends.sources)
    by_maven = any(Path(source).name.endswith("pom.xml") for source in depends.sources)
    commands = ["`mvn dependency:resolve`"] * by_maven + ["`gradle testClasses`"] * by_gradle
    if not commands:
        return ""
    return f" (results are coarser without them; {' or '.join(commands)} gets them)"


# ---- rows


def names_of(found: ClassPath) -> list[str]:
    """What the entries of a class path are called."""
    return [library.name for library in found.libraries]


def no_rows(maker: Libraries | None) -> Models:
    """The rows of an empty class path; `maker`: what the front end has for class paths."""
    return Models() if maker is None else Models(maker.relations, "", lambda: (dict.fromkeys(maker.relations, ()), ()))


def rows_of(found: ClassPath, remembered: Remembered, facts: Facts, files: Files) -> Models:
    """The rows of what the files of a project can reach of its class path.

    the files are those of the last run, and so are the entries  → the rows are, too
    else: what is mentioned, from the numbers of before and the files that differ
          that and the entries are as before                     → the rows are, too
          else they are made anew, and may still be the same
    """
    maker = found.maker
    if maker is None or not found.libraries:
        return no_rows(maker)
    entries = [[library.content, library.name] for library in found.libraries]
    present = _digest(sorted(set(files.active.values())))
    head = remembered.head
    known = (head.get("mentions"), head.get("rows"))

    @cache
    def mentioned() -> tuple[Counts, dict[str, frozenset[str]]]:
        counts = _counts(remembered, facts, files, maker)
        return counts, mentions(counts)

    @cache
    def rows() -> Mapping[str, Sequence[Row]]:
        packs = [pack_of(library, maker) for library in found.libraries]
        return maker.selected(packs, mentioned()[1], names_of(found))

    if head.get("files") == present and known[1] is not None and head.get("entries") == entries:
        version = str(known[1])
        remembered.save()
    else:
        counts, names = mentioned()
        said = _digest(entries, *(f"{kind} {text}" for kind in sorted(names) for text in sorted(names[kind])))
        version = str(known[1]) if said == known[0] and known[1] is not None else _digest(sorted(rows().items()))
        rest = json.dumps({"files": sorted(set(files.active.values())), "counts": counts}).encode()
        remembered.head = {"files": present, "entries": entries, "mentions": said, "rows": version}
        remembered.save(rest)
    return Models(maker.relations, version, lambda: (rows(), ()))


def _counts(remembered: Remembered, facts: Facts, files: Files, maker: Libraries) -> Counts:
    """What the files mention, from what is remembered of those that are the same."""
    old, counts = remembered.counted()
    new = set(files.active.values())
    if counts.keys() == maker.mentioned.keys() and not facts.tables.missing(old - new):
        with suppress(Damaged):  # nobody can extract again what files were
            gone = counted(facts.tables, old - new, maker.mentioned)
            come = facts.reading(lambda: counted(facts.tables, new - old, maker.mentioned), [files])
            return changed(counts, come, gone)
    return facts.reading(lambda: counted(facts.tables, new, maker.mentioned), [files])


def verify(found: ClassPath, facts: Facts, files: Files, rows: Models) -> None:
    """Raise `StateError` if rows differ from those made of the libraries, read again, and of what all files mention."""
    maker = found.maker
    if maker is None or not found.libraries:
        return
    packs = [maker.packed(library.entry.classes()) for library in found.libraries]
    counts = facts.reading(lambda: counted(facts.tables, set(files.active.values()), maker.mentioned), [files])
    if _digest(sorted(maker.selected(packs, mentions(counts), names_of(found)).items())) != rows.version:
        raise StateError(
            "What is kept of the class path differs from what its libraries, read again, and the project's files say.",
            f"This is a defect of Ladder, unless they were changed; without {FOLDER} in the cache directory, and with "
            "--no-state, everything is read anew.",
        )


def _digest(*parts: object) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(part).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()[:32]
