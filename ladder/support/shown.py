"""Values and exceptions of users' code as text for messages: in one line of bounded length, even if their `repr` or
`str` fails.

    shown(value)        the value, like `repr`
    error_text(error)   the exception, such as `ValueError: no such thing`
    FAULTS              exceptions that are faults of users' code when it raises them during import
"""

from __future__ import annotations

from typing import Any

from ladder.support.terminal import visible

FAULTS = (Exception, GeneratorExit, SystemExit)
MOST, MOST_OF_ERROR = 200, 1000  # characters


def shown(value: Any) -> str:
    """A value as text for a message."""
    try:
        text = repr(value[: MOST + 1]) if type(value) is str else repr(value)
    except FAULTS:
        return f"<{type(value).__name__}>"
    return beginning_of(text, MOST)


def beginning_of(text: str, most: int) -> str:
    """A text, of a long one only so many characters."""
    return text if len(text) <= most else text[:most] + "…"


def error_text(error: BaseException) -> str:
    """An exception's class and message as text."""
    try:
        text = str(error)
    except FAULTS:
        text = ""
    text = visible(text[:MOST_OF_ERROR].strip(), layout=False) + "…" * (len(text) > MOST_OF_ERROR)
    return f"{type(error).__name__}: {text}".removesuffix(": ")
