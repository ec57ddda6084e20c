"""The folders from which a state was opened and to which it was saved, and what is known of each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ladder.engine.local.saved.state import SavedState


@dataclass
class Places:
    """`last`: the folder from which the state was opened, or to which it was saved, last; `others`: earlier ones."""

    last: SavedState | None = None
    others: dict[Path, SavedState] = field(default_factory=dict)

    def known(self, folder: Path) -> SavedState:
        """What is known of the state in a folder, from which it was opened or to which it was saved; nothing for other
        folders."""
        from ladder.engine.local.saved.state import SavedState  # most runs neither open nor save a state

        if self.last is not None and self.last.folder == folder:
            return self.last
        if self.last is not None:
            self.others[self.last.folder.resolve()] = self.last
        known = self.others.get(folder.resolve())
        return SavedState(folder) if known is None else replace(known.renewed(), folder=folder)

    def renew(self) -> None:
        """Note that the state was replaced, so that the next save writes everything."""
        self.last = None if self.last is None else self.last.renewed()
