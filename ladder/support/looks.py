"""What a file looks like from outside: its size, times and number. A file that looks as it did is as it was: whoever
writes to it changes its times, and nobody can set the time of that (`st_ctime`) back but the administrator.

A file may change twice within one tick of the clock that stamps it, without the second change showing: so a look is
taken for granted only if it was taken well after the last change.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

# A file written this recently may be written again without its time changing, whatever the file system.
UNSETTLED = 2_000_000_000
# The same where times have fractions of a second: some ticks of a kernel's clock.
_TICKS = 20_000_000


def look_of(status: os.stat_result) -> str:
    """A text that is another one once the file has changed."""
    return f"{status.st_size},{status.st_mtime_ns},{status.st_ctime_ns},{status.st_ino}"


def is_settled(status: os.stat_result) -> bool:
    """Whether a change from now on would show."""
    return max(status.st_mtime_ns, status.st_ctime_ns) < time.time_ns() - UNSETTLED


def settled_look(path: Path) -> str:
    """The look of a file that was just written; waits some milliseconds until a later change would show. "" where times
    are whole seconds, or by another clock than ours."""
    status = os.lstat(path)
    missing = status.st_ctime_ns + _TICKS - time.time_ns()
    if status.st_ctime_ns % 1_000_000_000 == 0 or missing > _TICKS:
        return ""
    if missing > 0:
        time.sleep(missing / 1e9)
    return look_of(os.lstat(path))
