"""Small files that steer what Ladder does carry a code that only one key makes, the user's as a rule.

    sealed(purpose, data)      a file as a whole: the code in a line of its own, then the data
    block(purpose, lines)      a part of a file that grows: a line `#CODE`, then the lines it is of
    unblocked(purpose, data)   the lines of all blocks that are whole and ours

What somebody else wrote, or what was cut off by a kill, is as if it were not there.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from ladder.support.private import CODE_BYTES, KEY_BYTES, code_of, is_ours

MARK = b"\n#"


@dataclass(frozen=True)
class Seal:
    """A key (None: the user's) and whether codes of another one are good enough (`trusted`)."""

    key: bytes | None = field(default=None, repr=False)
    trusted: bool = False

    @classmethod
    def of_a_run(cls) -> Seal:
        """One with a key of its own, for what is gone when the run ends, and for processes that shall not have the
        user's."""
        return cls(secrets.token_bytes(KEY_BYTES))

    def sealed(self, purpose: str, data: bytes) -> bytes:
        """The bytes of a file that holds `data`."""
        return code_of(purpose, data, key=self.key).hex().encode() + b"\n" + data

    def unsealed(self, purpose: str, content: bytes) -> bytes | None:
        """The data in a sealed file; None where the code is not of this key or the file was changed."""
        text, _, data = content.partition(b"\n")
        code = _code(text)
        return data if code is not None and (self.trusted or is_ours(code, purpose, data, key=self.key)) else None

    def block(self, purpose: str, lines: bytes) -> bytes:
        """What is appended to a file that grows: each of `lines` ends with a line break, and none begins with `#`."""
        return MARK + self.sealed(purpose, lines)

    def unblocked(self, purpose: str, content: bytes) -> tuple[list[bytes], bool]:
        """(lines of the blocks that are ours, whether all were)."""
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
