"""Values and exceptions of users' code in messages: in one line, of a bounded length, whatever their classes do when
they are asked for a text.

    shown(value)     like repr
    told(error)      ValueError: no such thing
    FAULTS           what users' code raises when it is imported that is its own fault
"""

from __future__ import annotations

from typing import Any

from ladder.support.terminal import visible

FAULTS = (Exception, GeneratorExit, SystemExit)
MOST, MOST_OF_ERROR = 200, 1000  # characters


def shown(value: Any) -> str:
    """A value as a message has it."""
    try:
        text = repr(value[: MOST + 1]) if type(value) is str else repr(value)
    except FAULTS:
        return f"<{type(value).__name__}>"
    return text if len(text) <= MOST else text[:MOST] + "…"


def told(error: BaseException) -> str:
    """What an exception is and says."""
    try:
        text = str(error)
    except FAULTS:
        text = ""
    text = visible(text[:MOST_OF_ERROR].strip(), layout=False) + "…" * (len(text) > MOST_OF_ERROR)
    return f"{type(error).__name__}: {text}".removesuffix(": ")
