"""The work of one task: read a batch of files, extract the facts of each, write one pack.

No content of a file ends a batch: errors become rows of the file's diagnostics.
"""

from __future__ import annotations

import hashlib
import inspect
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ladder.errors import TablesError
from ladder.facts.packs.layout import FileRow, Layout, layout_of
from ladder.facts.packs.pack import Entry, write_pack
from ladder.frontends.protocol import FileFacts, FrontEnd, Libraries
from ladder.project.files import MOST_BYTES, Source, TooLarge
from ladder.support.seals import Seal
from ladder.support.supervision import doing
from ladder.support.tuning import DEFAULT, Extracting

Writing = Callable[[Sequence[FileRow]], list[Entry]]
NOWHERE = ""  # the pack of a file that was not read, for a reason that may be gone the next time


def front_end_version(front_end: FrontEnd) -> str:
    """The version of the facts that a front end makes: a hash of the sources of all files in its folder and in those of
    the packages that it `builds_on`, and of the layout."""
    return _version(type(front_end))


def version_of(libraries: Libraries) -> str:
    """The version of the packs of libraries, likewise."""
    return _version(type(libraries))


@cache
def _version(class_: type) -> str:
    import ladder.facts.packs.layout

    others = [import_module(name) for name in getattr(class_, "builds_on", ())]
    digest = hashlib.sha256()
    for module in map(Path, [inspect.getfile(class_), *(str(other.__file__) for other in others)]):
        for file in _sources(module):
            digest.update(file.relative_to(module.parent).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(Path(ladder.facts.packs.layout.__file__).read_bytes())
    return digest.hexdigest()[:16]


def _sources(module: Path) -> list[Path]:
    """A module's file, or all files of its package."""
    if module.name != "__init__.py":
        return [module]
    return [file for file in sorted(module.parent.rglob("*")) if file.is_file() and "__pycache__" not in file.parts]


@dataclass(frozen=True)
class Job:
    """What every batch of an extraction needs; it can be sent to another process.

    Packs have the sender's layout and are authenticated by its `seal`.
    """

    source: Source
    folder: str
    front_end: FrontEnd
    layout: Layout
    seal: Seal = field(default_factory=Seal)
    tuning: Extracting = DEFAULT.extracting

    def run(
        self,
        files: Sequence[tuple[str, str]],
        progress: Callable[[int], None] = lambda done: None,
        writing: Writing | None = None,
    ) -> list[Entry]:
        """Extract files, pairs `(path, hash)`, and write packs of up to `files_held` files or `facts_held` facts;
        `writing`: what does that, in place of a new file for each.

        Results that do not depend on the file's content alone, for example where memory was lacking, are in no pack:
        their entries say `NOWHERE`.
        """
        entries: list[Entry] = []
        rows: list[FileRow] = []
        held = 0
        for number, (path, hash_) in enumerate(files, 1):
            doing(f"reading {path}")
            row = self.row(path, hash_)
            if row.final:
                rows.append(row)
                held += row.facts
            else:
                entries.append(left_out(row))
            progress(1)
            if number == len(files) or len(rows) == self.tuning.files_held or held > self.tuning.facts_held:
                doing("")
                entries += self.write(rows, writing) if rows else []
                rows, held = [], 0
        return entries

    def row(self, path: str, hash_: str) -> FileRow:
        """The facts of one file; for a file that cannot be read or parsed, only diagnostics."""
        try:
            data = self.source.read(path, hash_)
            if len(data) > MOST_BYTES:
                raise TooLarge(len(data))
        except TooLarge as error:
            return unread(hash_, error.message)
        try:
            with _limited(self.tuning.file_seconds):
                found = self.facts_of(path, data)
        except (KeyboardInterrupt, SystemExit):
            raise
        except MemoryError:
            return unread(hash_, "there was not enough memory to read it", final=False)
        except TimeoutError as error:
            return unread(hash_, f"the front end {error}", final=False)
        except BaseException as error:  # noqa: BLE001 - whatever one file does, the others count
            return unread(hash_, f"the front end failed: {type(error).__name__}: {error}", data.count(b"\n") + 1)
        return FileRow(
            hash_,
            found.parser,
            found.lines,
            found.unit,
            tuple(found.types),
            found.diagnostics,
            found.relations,
            found.final,
        )

    def facts_of(self, path: str, data: bytes) -> FileFacts:
        """What the front end makes of a file, or of a page."""
        pages: tuple[str, ...] = getattr(self.front_end, "pages", ())
        if pages and path.endswith(pages):
            found: FileFacts = self.front_end.facts_of_page(data, path)  # type: ignore[attr-defined]
            return found
        return self.front_end.facts_of(data)

    def write(self, rows: Sequence[FileRow], writing: Writing | None = None) -> list[Entry]:
        """Write a pack; a file whose facts do not fit the schema gets a diagnostic instead."""
        try:
            return (writing or self._pack)(rows)
        except TablesError:
            return (writing or self._pack)([self._fitting(row) for row in rows])

    def _pack(self, rows: Sequence[FileRow]) -> list[Entry]:
        return write_pack(Path(self.folder), self.layout, rows, self.seal, self.tuning)

    def _fitting(self, row: FileRow) -> FileRow:
        try:
            self.layout.table([row])
        except TablesError as error:
            return unread(row.hash, f"its facts do not fit the schema: {error.message}", row.lines)
        return row


def layout(front_end: FrontEnd) -> Layout:
    """The layout of a front end's facts, whose version changes with the front end."""
    return layout_of(front_end.relations(), front_end_version(front_end))


def unread(hash_: str, message: str, lines: int = 0, final: bool = True) -> FileRow:
    """The row of a file without facts, with a diagnostic."""
    return FileRow(hash_, "none", lines, "", (), ((1, 1, "unreadable", message),), {}, final)


def left_out(row: FileRow) -> Entry:
    """The entry of a file that could not be read this time and is in no pack."""
    return Entry(row.hash, NOWHERE, 0, row.parser, row.lines, "", (), 0, row.diagnostics)


def balanced(files: Sequence[tuple[str, str]], sizes: Sequence[int], tasks: int) -> list[list[tuple[str, str]]]:
    """Batches of about equal size, none of them empty; large files are assigned first."""
    batches: list[list[tuple[str, str]]] = [[] for _ in range(min(tasks, len(files)))]
    loads = [0] * len(batches)
    for i in sorted(range(len(files)), key=lambda i: (-sizes[i], files[i])):
        lightest = loads.index(min(loads))
        batches[lightest].append(files[i])
        loads[lightest] += sizes[i] + 2000
    return batches


def sizes_of(source: Source, files: Sequence[tuple[str, str]]) -> list[int]:
    """The size of each file in the work tree in bytes; 0 for files that are only in git."""
    sizes = []
    for path, _ in files:
        try:
            sizes.append(Path(source.root, path).lstat().st_size if source.root else 0)
        except OSError:
            sizes.append(0)
    return sizes


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in the block after this many seconds (in the main thread of systems with alarm signals)."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def expired(number: int, frame: Any) -> None:
        raise TimeoutError(f"gave up after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
