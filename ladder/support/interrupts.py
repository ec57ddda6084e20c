"""What an interrupt does to the process of a command: `KeyboardInterrupt` while the command runs, the end before and
after it, where nothing would catch that and Python would print where it was."""

from __future__ import annotations

import os

try:
    import _signal as raw  # type: ignore[import-not-found]  # loaded already: an interrupt may come at any time
except ImportError:  # another Python than CPython
    import signal as raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130  # an exit code
MESSAGE = "interrupted. What was saved before is as it was."

_owned = False  # whether this process is that of a command, and interrupts are not ignored


def end_at_interrupts() -> None:
    """From now on an interrupt ends this process with a message; one that is ignored stays so."""
    global _owned
    if raw.getsignal(raw.SIGINT) is raw.default_int_handler:
        _owned = True
        raw.signal(raw.SIGINT, _tell_and_end)


def raise_at_interrupts() -> None:
    """From now on an interrupt raises `KeyboardInterrupt`, as usual."""
    if _owned:
        raw.signal(raw.SIGINT, raw.default_int_handler)


def end_silently_at_interrupts() -> None:
    """From now on an interrupt ends this process: the command is over, or it was told that it is interrupted."""
    if _owned:
        raw.signal(raw.SIGINT, _end)


def _tell_and_end(number: int, frame: FrameType | None) -> None:
    try:
        os.write(2, f"ladder: {MESSAGE}\n".encode())
    finally:
        _end(number, frame)


def _end(_number: int, _frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)
