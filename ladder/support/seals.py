"""Seals: codes that authenticate small files on which later runs depend, under one key, usually the user's.

    sealed(purpose, data)      a whole file: a line with the code, then the data
    block(purpose, lines)      a part of a file that grows: a line `#CODE`, then the lines that it authenticates
    unblocked(purpose, data)   the lines of all blocks that are complete and ours

What somebody else wrote, or what a kill has truncated, is ignored.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from ladder.support.private import CODE_BYTES, KEY_BYTES, code_of, is_ours

MARK = b"\n#"


@dataclass(frozen=True)
class Seal:
    """A key (None: the user's); `trusted`: codes of other keys are accepted as well."""

    key: bytes | None = field(default=None, repr=False)
    trusted: bool = False

    @classmethod
    def of_a_run(cls) -> Seal:
        """A seal with a new key, for what is removed when the run ends, and for processes that must not have the user's
        key."""
        return cls(secrets.token_bytes(KEY_BYTES))

    def sealed(self, purpose: str, data: bytes) -> bytes:
        """The bytes of a sealed file with `data`."""
        return code_of(purpose, data, key=self.key).hex().encode() + b"\n" + data

    def unsealed(self, purpose: str, content: bytes) -> bytes | None:
        """The data of a sealed file; None if the code is of another key or the file was changed."""
        text, _, data = content.partition(b"\n")
        code = _code(text)
        return data if code is not None and (self.trusted or is_ours(code, purpose, data, key=self.key)) else None

    def block(self, purpose: str, lines: bytes) -> bytes:
        """The bytes of a block that is appended to a file; each of `lines` ends with a line break, and none begins with
        `#`."""
        return MARK + self.sealed(purpose, lines)

    def unblocked(self, purpose: str, content: bytes) -> tuple[list[bytes], bool]:
        """(lines of the blocks that are ours, whether all blocks are)."""
        found: list[bytes] = []
        head, *blocks = content.split(MARK)
        whole = not head
        for part in blocks:
            lines = self.unsealed(purpose, part)
            whole &= lines is not None
            found += (lines or b"").split(b"\n")[:-1]
        return found, whole


def _code(text: bytes) -> bytes | None:
    try:
        return bytes.fromhex(text.decode("ascii")) if len(text) == 2 * CODE_BYTES else None
    except ValueError:
        return None
