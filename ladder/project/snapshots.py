"""The analysed snapshots of a project in one append-only log: each line is a snapshot as a difference from an earlier
one.

A line is JSON: `{"id", "parent", "commit", "set": {path: hash}, "removed": [path]}`; a line without "set" repeats a
known one. The latest snapshots stay (`Keeping.snapshots`). When more than half of the log is outdated, it is written
anew, so that the cost of a run is in proportion to its change. Lines are authenticated by codes (see `seals`). A
truncated line, one that somebody else wrote, or one whose files do not hash to its id is ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from ladder.project.files import Snapshot
from ladder.support.files import OWN, write_atomically
from ladder.support.json_text import read_json
from ladder.support.private import open_own, read_own
from ladder.support.seals import Seal
from ladder.support.tuning import DEFAULT, Keeping

PURPOSE = "snapshots"


class Snapshots:
    """The log of snapshots of a state directory."""

    def __init__(self, file: Path, seal: Seal | None = None, tuning: Keeping = DEFAULT.keeping) -> None:
        self.file, self.tuning = file, tuning
        self.seal = seal or Seal()
        self.records: dict[str, dict[str, Any]] = {}
        self.order: list[str] = []
        self.size = 0
        try:
            lines, self.whole = self.seal.unblocked(PURPOSE, read_own(file, self.seal.trusted))
        except OSError:
            lines, self.whole = [], True
        for line in lines:
            try:
                record = read_json(line)
            except ValueError:
                continue
            if _is_record(record):
                self.size += 1 + len(record.get("set", ())) + len(record.get("removed", ()))
                self._note(record["id"], record)
        self._files: dict[str, dict[str, str]] = {}

    def __contains__(self, identity: str) -> bool:
        return self.files(identity) is not None

    @property
    def ids(self) -> list[str]:
        """The ids of snapshots that can be restored, the latest last."""
        return [identity for identity in self.order if identity in self]

    def commit(self, identity: str) -> str | None:
        """The commit at which a snapshot was last seen."""
        commit = self.records[identity].get("commit")
        return commit if isinstance(commit, str) else None

    def files(self, identity: str) -> dict[str, str] | None:
        """path → hash of the files of a snapshot; None if it is unknown or its record is damaged."""
        if identity not in self._files:
            chain = self._chain(identity)
            if chain is None:
                return None
            files: dict[str, str] = {}
            for record in reversed(chain):
                files.update(record["set"])
                for path in record["removed"]:
                    files.pop(path, None)
            if Snapshot(tuple(sorted(files.items()))).id != identity:
                return None
            self._files[identity] = files
        return self._files[identity]

    def add(self, snapshot: Snapshot, also: Collection[str] = ()) -> None:
        """Append a snapshot; `also`: snapshots that are kept however old they are."""
        identity, files = snapshot.id, dict(snapshot.files)
        if identity in self:
            if self.order[-1] == identity and self.commit(identity) == snapshot.commit:
                return
            record: dict[str, Any] = {"id": identity, "commit": snapshot.commit}
        else:
            parent = next((known for known in reversed(self.order) if known in self), None)
            record = _record(identity, files, parent, (self.files(parent) if parent else None) or {}, snapshot.commit)
        self._files[identity] = files
        self._note(identity, record)
        self.size += 1 + len(record.get("set", ())) + len(record.get("removed", ()))
        staying = self._staying(also)
        kept = [known for known in self.order if known in staying]
        if not self.whole or self.size > 2 * len(files) + 1000:
            self._rewrite(kept)
        else:
            with os.fdopen(
                open_own(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, OWN, self.seal.trusted), "ab"
            ) as log:
                log.write(self.seal.block(PURPOSE, _line(record)))

    def kept(self, also: Collection[str] = ()) -> list[str]:
        """The ids of snapshots whose facts must stay: the latest and those in `also`."""
        staying = self._staying(also)
        return [identity for identity in self.ids if identity in staying]

    def _staying(self, also: Collection[str]) -> set[str]:
        return {*self.order[-self.tuning.snapshots :], *also}

    def _note(self, identity: str, record: dict[str, Any]) -> None:
        if identity in self.order:
            self.order.remove(identity)
        self.order.append(identity)
        known = self.records.get(identity)
        self.records[identity] = {**known, "commit": record.get("commit")} if known and "set" not in record else record

    def _chain(self, identity: str) -> list[dict[str, Any]] | None:
        """The records from a snapshot to its ancestor without a parent; None if one is missing."""
        chain: list[dict[str, Any]] = []
        following: str | None = identity
        while following is not None:
            record = self.records.get(following)
            if record is None or "set" not in record or len(chain) > len(self.records):
                return None
            chain.append(record)
            following = record["parent"]
        return chain

    def _rewrite(self, kept: Collection[str]) -> None:
        """Write the log anew with the kept snapshots alone, each as the difference from the one before."""
        records: list[dict[str, Any]] = []
        parent: str | None = None
        before: Mapping[str, str] = {}
        for identity in kept:
            files = self.files(identity)
            if files is not None:
                records.append(_record(identity, files, parent, before, self.commit(identity)))
                parent, before = identity, files
        write_atomically(self.file, self.seal.block(PURPOSE, b"".join(map(_line, records))))
        self.whole = True
        self.records = {record["id"]: record for record in records}
        self.order = [record["id"] for record in records]
        self.size = sum(1 + len(record["set"]) + len(record["removed"]) for record in records)


def _record(
    identity: str, files: Mapping[str, str], parent: str | None, before: Mapping[str, str], commit: str | None
) -> dict[str, Any]:
    return {
        "id": identity,
        "parent": parent,
        "commit": commit,
        "set": {path: hash_ for path, hash_ in files.items() if before.get(path) != hash_},
        "removed": [path for path in before if path not in files],
    }


def _is_record(record: Any) -> bool:
    """Whether a line has the form of a record: a repetition, or a record with files."""
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        return False
    if "set" not in record:
        return True
    files, removed, parent = record["set"], record.get("removed"), record.get("parent")
    return (
        isinstance(files, dict)
        and all(isinstance(hash_, str) for hash_ in files.values())
        and isinstance(removed, list)
        and all(isinstance(path, str) for path in removed)
        and (parent is None or isinstance(parent, str))
    )


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"
