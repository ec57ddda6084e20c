"""Which facts a project's files have now: snapshot, extraction of what is new, and the files that count."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from ladder.console import Console
from ladder.errors import TablesError
from ladder.extraction import Mode, extract, layout
from ladder.project import Project, Snapshot
from ladder.session.workspace import Workspace
from ladder.stat_cache import StatCache
from ladder.tables.pack import Damaged, Entry
from ladder.tables.shadow import Shadowed, active
from ladder.tables.snapshots import Snapshots
from ladder.tables.store import FactTables

T = TypeVar("T")
DIAGNOSTICS = ("path", "line", "column", "kind", "message")


@dataclass(frozen=True)
class Files:
    """A snapshot whose facts are all there: the files that count, those that do not, and what is known of each."""

    snapshot: Snapshot
    active: dict[str, str]
    shadowed: list[Shadowed]
    entries: dict[str, Entry]

    def of_active(self) -> list[Entry]:
        """The entries of the files that count."""
        return [self.entries[hash_] for hash_ in self.active.values()]

    def diagnostics(self) -> list[tuple[str, int, int, str, str]]:
        """Rows of the Diagnostics table, sorted: what could not be read, and what was left out."""
        rows = [(path, *found) for path, hash_ in self.snapshot.files for found in self.entries[hash_].diagnostics]
        rows += [(path, 1, 1, "unreadable", reason) for path, reason in self.snapshot.unreadable]
        rows += [(left.path, 1, 1, "duplicate", f"{left.name} is declared by {left.first} too; this file is not analysed")
                 for left in self.shadowed]
        return sorted(rows)


class Facts:
    """The facts of one project in one workspace."""

    def __init__(self, project: Project, workspace: Workspace, console: Console, mode: Mode, jobs: int) -> None:
        self.project = project
        self.console = console
        self.mode = mode
        self.jobs = jobs
        self.stat = workspace.stat
        self.tables = FactTables(workspace.facts, layout())
        self.snapshots = Snapshots(workspace.snapshots)
        self.extracted = 0
        self.where = ""
        for damaged in self.tables.damaged:
            console.warn(f"{damaged.message} Its files are extracted again.")

    def now(self) -> Snapshot:
        """The project as it stands."""
        cache = StatCache(self.stat)
        snapshot = self.project.snapshot(cache)
        with suppress(PermissionError):
            cache.save([path for path, _ in snapshot.files])
        return snapshot

    def of(self, snapshot: Snapshot) -> Files:
        """Extract what is missing of a snapshot and remember it."""
        self._extract(snapshot.files)
        kept, shadowed = active(snapshot.files, self.tables.entries)
        return Files(snapshot, kept, shadowed, {hash_: self.tables.entries[hash_] for _, hash_ in snapshot.files})

    def remembered(self, identity: str) -> Files | None:
        """A snapshot of an earlier run; None when it, or facts of its files, are gone."""
        files = self.snapshots.files(identity)
        if files is None or self.tables.missing(files.values()):
            return None
        return self.of(Snapshot(tuple(sorted(files.items())), self.snapshots.commit(identity)))

    def reading(self, work: Callable[[], T], needed: Sequence[Files]) -> T:
        """Do work that reads facts; packs found damaged are extracted again, if their files still exist, and the work repeated."""
        while True:
            try:
                return work()
            except Damaged as damaged:
                self.console.warn(f"{damaged.message} Its files are extracted again.")
                self.tables.discard(damaged.name)
                for files in needed:
                    self._extract(files.snapshot.files)

    def collect(self, also: Sequence[str]) -> None:
        """Delete facts that no kept snapshot, and none of those in `also`, has."""
        kept = (self.snapshots.files(identity) for identity in self.snapshots.kept(also))
        try:
            self.tables.collect({hash_ for files in kept if files for hash_ in files.values()})
        except TablesError as error:
            self.console.warn(error.message)

    def _extract(self, files: Sequence[tuple[str, str]]) -> None:
        missing = set(self.tables.missing(hash_ for _, hash_ in files))
        wanted = [(path, hash_) for path, hash_ in files if hash_ in missing]
        if not wanted:
            return
        with self.console.stage("extract"), self.console.progress("Reading files", len(missing)) as advance:
            done = extract(wanted, self.project.source, self.tables.folder, self.mode, jobs=self.jobs, progress=advance)
        if done.remark:
            self.console.warn(done.remark)
        self.tables.note(done.entries)
        self.extracted += len(done.entries)
        self.where = done.where


def inputs_of(program: Any, facts: Facts) -> tuple[list[str], list[str]]:
    """The program's inputs: (those the front end extracts, the others)."""
    known = facts.tables.layout.relations
    return [name for name in program.inputs if name in known], [name for name in program.inputs if name not in known]
