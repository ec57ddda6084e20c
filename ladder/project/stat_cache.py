"""A cache (path, size, times, inode) → blob id, kept between runs so that unmodified files are not read again.

It is a text file with a line per file, in which later lines override earlier ones. A run appends new lines,
authenticated by a code (see `seals`); when more than half of the file is outdated, it is written anew. Damaged lines,
and those of somebody else, are skipped: the files are hashed again.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from ladder.support.files import OWN, write_atomically
from ladder.support.looks import is_settled, look_of
from ladder.support.private import open_own, read_own
from ladder.support.seals import Seal

PURPOSE = "what files looked like"


class StatCache:
    """The cache of blob ids of the files of a project."""

    def __init__(self, file: Path, seal: Seal | None = None) -> None:
        self.file = file
        self.seal = seal or Seal()
        self.known: dict[str, tuple[str, str]] = {}
        self.added: dict[str, tuple[str, str]] = {}
        self.lines = 0
        try:
            lines, self.whole = self.seal.unblocked(PURPOSE, read_own(file, self.seal.trusted))
        except OSError:
            lines, self.whole = [], True
        for line in lines:
            fields = line.decode("utf-8", "replace").split("\t")
            self.lines += 1
            if len(fields) == 3 and len(fields[0]) == 40:
                self.known[fields[2]] = (fields[0], fields[1])

    def get(self, path: str, status: os.stat_result) -> str | None:
        """The blob id of a file whose status is unchanged; None otherwise."""
        known = self.known.get(path)
        return known[0] if known and known[1] == look_of(status) else None

    def put(self, path: str, status: os.stat_result, blob: str) -> None:
        """Enter a file that was just read, unless it was modified in the last two seconds: it might change again with
        the same times."""
        if is_settled(status) and not set(path) & set("\t\n\r"):
            self.added[path] = (blob, look_of(status))

    def save(self, live: Collection[str]) -> None:
        """Save new entries; `live`: the paths that the project has now."""
        if not self.added:
            return
        self.known |= self.added
        if not self.whole or self.lines + len(self.added) > 2 * len(live) + 100:
            write_atomically(
                self.file,
                self.seal.block(PURPOSE, _text({path: self.known[path] for path in live if path in self.known})),
            )
        else:
            with os.fdopen(
                open_own(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, OWN, self.seal.trusted), "ab"
            ) as out:
                out.write(self.seal.block(PURPOSE, _text(self.added)))
        self.added = {}


def _text(entries: dict[str, tuple[str, str]]) -> bytes:
    return "".join(f"{blob}\t{look}\t{path}\n" for path, (blob, look) in entries.items()).encode()
