"""The folders that a state was opened from and saved in, and what is known of each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from ladder.engine.local.saved.state import SavedState


@dataclass
class Places:
    """`last`: where the state was opened from, or saved, last; `others`: folders before that."""

    last: SavedState | None = None
    others: dict[Path, SavedState] = field(default_factory=dict)

    def known(self, folder: Path) -> SavedState:
        """What is known of the state in a folder: since it was opened from there or saved there, if it was."""
        if self.last is not None and self.last.folder == folder:
            return self.last
        if self.last is not None:
            self.others[self.last.folder.resolve()] = self.last
        known = self.others.get(folder.resolve())
        return SavedState(folder) if known is None else replace(known.renewed(), folder=folder)

    def renew(self) -> None:
        """The state is another one: the next save writes everything."""
        self.last = None if self.last is None else self.last.renewed()
