"""The present facts of a project's files: snapshot, extraction of new files, and the files that are analysed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pyarrow as pa

from ladder.errors import ExtractionError, StateError, TablesError
from ladder.facts.packs.pack import Damaged, Entry, Foreign
from ladder.facts.packs.rows import same_rows
from ladder.facts.packs.shadow import CHOICE, Shadowed, active
from ladder.facts.packs.store import FactTables
from ladder.project.extraction import NOWHERE, Mode, extract, layout
from ladder.project.files import Project, Snapshot
from ladder.project.snapshots import Snapshots
from ladder.project.stat_cache import StatCache
from ladder.session.workspace import Workspace, temporary
from ladder.support.console import Console

T = TypeVar("T")
AGAIN = "Its files are extracted again."
DIAGNOSTICS = ("path", "line", "column", "kind", "message")


@dataclass(frozen=True)
class Files:
    """A snapshot all of whose facts are extracted: the files that are analysed, those that are left out, and the entry
    of each; `others`: diagnostics that are about none of them."""

    snapshot: Snapshot
    active: dict[str, str]
    shadowed: list[Shadowed]
    entries: dict[str, Entry]
    others: tuple[tuple[str, int, int, str, str], ...] = ()

    def of_active(self) -> list[Entry]:
        """The entries of the files that are analysed."""
        return [self.entries[hash_] for hash_ in self.active.values()]

    def diagnostics(self) -> list[tuple[str, int, int, str, str]]:
        """The rows of the Diagnostics table, sorted: what could not be read, and what was left out."""
        rows = [(path, *found) for path, hash_ in self.snapshot.files for found in self.entries[hash_].diagnostics]
        rows += [(path, 1, 1, "unreadable", reason) for path, reason in self.snapshot.unreadable]
        rows += [(path, 1, 1, "skipped", reason) for path, reason in self.snapshot.skipped]
        rows += [
            (left.path, 1, 1, "duplicate", f"{left.name} is declared by {left.first} too; this file is not analysed")
            for left in self.shadowed
        ]
        rows += self.others
        return sorted(rows)


class Facts:
    """The facts of one project in one workspace."""

    def __init__(
        self,
        project: Project,
        workspace: Workspace,
        console: Console,
        mode: Mode,
        jobs: int,
        *,
        looking: bool = False,
        staying: bool = False,
    ) -> None:
        """`looking`: read only, so that nothing is extracted, written or removed; `staying`: the facts of files that
        change are kept in memory, for who looks again and again."""
        self.project = project
        self.front_end = project.front_end
        self.console = console
        self.mode = mode
        self.jobs = jobs
        self.looking, self.staying = looking, staying
        self.stat = workspace.stat
        self.seal = workspace.seal
        self.tables = FactTables(workspace.facts, layout(self.front_end), self.seal, looking=looking)
        self.snapshots = Snapshots(workspace.snapshots, self.seal)
        self.extracted = 0
        self.unread: dict[str, str] = {}  # hash → why no facts of it could be had this time
        self.where = ""
        foreign = [damaged for damaged in self.tables.damaged if isinstance(damaged, Foreign)]
        for damaged in self.tables.damaged:
            if damaged not in foreign[1:]:
                more = (
                    f" So {'are' if len(foreign) > 2 else 'is'} {len(foreign) - 1} more."
                    if damaged in foreign[:1] and len(foreign) > 1
                    else ""
                )
                console.warn(f"{damaged.message}{more} {'`analyze` extracts its files again.' if looking else AGAIN}")

    def now(self) -> Snapshot:
        """The snapshot of the present project."""
        cache = StatCache(self.stat, self.seal)
        snapshot = self.project.snapshot(cache)
        with suppress(PermissionError):
            cache.save([path for path, _ in snapshot.files])
        return snapshot

    @property
    def version(self) -> str:
        """What a state that holds facts of some snapshot is made by: the form of facts, and which files count."""
        return f"{self.tables.layout.version} {CHOICE}"

    def of(self, snapshot: Snapshot) -> Files:
        """Extract the missing facts of a snapshot and record it.

        Files that cannot be read this time are left out; a later run treats them as new.
        """
        self._extract(snapshot.files)
        snapshot = self._without_unread(snapshot)
        kept, shadowed = active(snapshot.files, self.tables.entries)
        return Files(snapshot, kept, shadowed, {hash_: self.tables.entries[hash_] for _, hash_ in snapshot.files})

    def _without_unread(self, snapshot: Snapshot) -> Snapshot:
        left = [(path, self.unread[hash_]) for path, hash_ in snapshot.files if hash_ in self.unread]
        if not left:
            return snapshot
        paths = {path for path, _ in left}
        return replace(
            snapshot,
            files=tuple(file for file in snapshot.files if file[0] not in paths),
            unreadable=tuple(sorted((*snapshot.unreadable, *left))),
        )

    def remembered(self, identity: str) -> Files | None:
        """The snapshot of an earlier run; None if it, or facts of its files, are gone."""
        files = self.snapshots.files(identity)
        if files is None or self.tables.missing(files.values()):
            return None
        return self.of(Snapshot(tuple(sorted(files.items())), self.snapshots.commit(identity)))

    def reading(self, work: Callable[[], T], needed: Sequence[Files]) -> T:
        """Run a function that reads facts. If it finds damaged packs, their files are extracted again, if they still
        exist, and the function is run again."""
        while True:
            for files in needed:
                self._extract(files.snapshot.files)
                self._refuse_unread(files)
            try:
                return work()
            except Damaged as damaged:
                if self.looking:
                    raise
                self.console.warn(f"{damaged.message} {AGAIN}")
                self.tables.discard(damaged.name)

    def _refuse_unread(self, files: Files) -> None:
        """Raise `ExtractionError` if a file that was read once cannot be read now."""
        for path, hash_ in files.snapshot.files:
            if hash_ in self.unread:
                raise ExtractionError(
                    f"{path} cannot be read again: {self.unread[hash_]}.",
                    "Run it again; with less memory in use, or `-j 1`, if that was it.",
                )

    @contextmanager
    def extracted_again(self, files: Files) -> Iterator[tuple[Facts, Files]]:
        """Yield the facts of the same files, extracted anew from their bytes; `StateError` if the stored facts
        differ."""
        with temporary() as workspace:
            fresh = Facts(self.project, workspace, Console(quiet=True), self.mode, self.jobs)
            left_out = {path for path, _ in files.snapshot.unreadable}
            if files.snapshot.files != tuple(file for file in self.project.snapshot().files if file[0] not in left_out):
                raise StateError(
                    f"The files of {self.project.root} are not those that were analysed: they changed meanwhile, or "
                    "what is kept of them is wrong.",
                    "Run it again; if this comes again, `ladder state PROJECT --remove` and run it once more.",
                )
            found = fresh.of(files.snapshot)
            fresh._refuse_unread(files)
            wrong = sorted(
                path
                for path, hash_ in files.snapshot.files
                if _known(files.entries[hash_]) != _known(found.entries[hash_])
            )
            kept, made = self._rows(files), fresh._rows(found)
            wrong = wrong or [name for name, rows in kept.items() if not same_rows(rows, made[name])]
            if wrong:
                raise StateError(
                    "The facts that are kept differ from those extracted again: "
                    f"{', '.join(wrong[:5])}{', …' if len(wrong) > 5 else ''}.",
                    "This is a defect of Ladder, unless its files were changed; "
                    "`ladder state PROJECT --remove` starts anew.",
                )
            yield fresh, found

    def _rows(self, files: Files) -> dict[str, pa.Table]:
        """All facts of the files that are analysed."""
        return self.reading(
            lambda: self.tables.read(list(files.active.values()), list(self.tables.layout.relations)), [files]
        )

    def collect(self, also: Sequence[str]) -> None:
        """Delete facts that no kept snapshot needs, nor one in `also`."""
        kept = (self.snapshots.files(identity) for identity in self.snapshots.kept(also))
        try:
            self.tables.collect({hash_ for files in kept if files for hash_ in files.values()})
        except TablesError as error:
            self.console.warn(error.message)

    def _extract(self, files: Sequence[tuple[str, str]]) -> None:
        missing = set(self.tables.missing(hash_ for _, hash_ in files)) - self.unread.keys()
        wanted = [(path, hash_) for path, hash_ in files if hash_ in missing]
        if not wanted:
            return
        with self.console.stage("extract"), self.console.progress("Reading files", len(missing)) as advance:
            done = extract(
                wanted,
                self.project.source,
                self.front_end,
                self.tables.folder,
                self.mode,
                jobs=self.jobs,
                progress=advance,
                seal=self.seal,
                writing=self.tables.hold if self.staying else None,
            )
        if done.remark:
            self.console.warn(done.remark)
        self.unread |= {entry.hash: entry.diagnostics[0][3] for entry in done.entries if entry.pack == NOWHERE}
        kept = [entry for entry in done.entries if entry.pack != NOWHERE]
        self.tables.note(kept)
        self.extracted += len(kept)
        self.where = done.where


def _known(entry: Entry) -> tuple[object, ...]:
    """An index entry for comparison, without where the facts are stored."""
    return entry.parser, entry.lines, entry.unit, entry.types, entry.facts, entry.diagnostics


def inputs_of(program: Any, facts: Facts) -> tuple[list[str], list[str]]:
    """(inputs of the program that the front end extracts, its other inputs)."""
    known = facts.tables.layout.relations
    return [name for name in program.inputs if name in known], [name for name in program.inputs if name not in known]
