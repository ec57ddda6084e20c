"""What terminals are shown: text in which no character steers them, whatever names, symbols and messages hold.

visible(text)     the text with control characters and invisible ones as escapes: \\x1b, \\u202e
as_json(value)    JSON in which they are escapes that mean the same
safely()          while it lasts, all that is printed to sys.stdout and sys.stderr is visible
data_out()        standard output for data: exact where it goes to a file or pipe, visible on a terminal
steered(stream)   what progress bars are drawn on
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, TextIO

# Controls of C0 and C1, DEL; soft hyphens, marks of direction, embeddings, overrides and isolates; characters without
# width; tags; lone surrogates
_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f"
)
_STEERING = re.compile(f"[{_HIDDEN}]")
_STEERING_IN_LINES = re.compile(f"[{_HIDDEN}\t\n]")
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def visible(text: str, layout: bool = True) -> str:
    """A text as terminals may be shown it; `layout`: line breaks and tabs stay what they are."""
    return (_STEERING if layout else _STEERING_IN_LINES).sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    character = found.group()
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a file's name that is not UTF-8
        number -= 0xDC00
    return _SHORT.get(character) or (
        f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
    )


def as_json(value: Any, indent: int | None = None, default: Any = None) -> str:
    """A value as JSON that can be shown; readers get the value as it is."""
    import json  # here, since every command imports this module

    return _STEERING.sub(
        lambda found: json.dumps(found.group())[1:-1],
        json.dumps(value, indent=indent, ensure_ascii=False, default=default),
    )


class Shown:
    """A stream to which all text is written as `visible` has it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text, also where the stream's encoding lacks a character."""
        if not isinstance(text, str):
            raise TypeError(text)
        shown, encoding = visible(text), self.stream.encoding or "utf-8"
        if not shown.isascii():
            shown = shown.encode(encoding, "backslashreplace").decode(encoding)
        self.stream.write(shown)
        return len(text)

    def writelines(self, texts: Any) -> None:
        """Write several texts."""
        for text in texts:
            self.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def safely() -> Iterator[None]:
    """Let nothing that is printed steer a terminal."""
    before = sys.stdout, sys.stderr
    shown: list[Any] = [stream if isinstance(stream, Shown) or stream is None else Shown(stream) for stream in before]
    sys.stdout, sys.stderr = shown
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def data_out() -> IO[str]:
    """Where data goes that is written to standard output."""
    stream = steered(sys.stdout)
    if stream.isatty():
        return sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.flush()
        stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    found: IO[str] = stream
    return found


def steered(stream: Any) -> Any:
    """The stream itself, for what draws on a terminal and holds no names."""
    return stream.stream if isinstance(stream, Shown) else stream
