"""Errors for exceeded limits, and amounts of memory as text; it imports little, because the small supervising process
uses it."""

from __future__ import annotations

from ladder.errors import OutOfMemory, TimedOut

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def timed_out(seconds: float) -> TimedOut:
    """The error for an exceeded time limit."""
    return TimedOut(
        f"Not finished within the time limit of {seconds:g} s.",
        "What was saved before is as it was. Allow more with --time-limit (Limits(seconds=…)).",
    )


def out_of_memory(limit: int, used: int, more: int = 0) -> OutOfMemory:
    """The error for an exceeded memory limit; `used`: bytes in use, 0 if unknown; `more`: bytes that were requested."""
    wanted = f" and {size_text(more)} more are needed" if more else ""
    return OutOfMemory(
        f"The memory limit of {size_text(limit)} does not suffice"
        + (f": {size_text(used)} are in use{wanted}." if used else "."),
        "What was saved before is as it was. Allow more with --memory-limit (Limits(memory=…)).",
    )


def size_text(size: int) -> str:
    """A number of bytes as text, such as `3.7G`."""
    unit, scale = next((item for item in reversed(UNITS.items()) if size >= item[1]), ("", 1))
    return f"{size / scale:.3g}{unit}" if size < 1000 * scale else f"{size // scale}{unit}"
