"""Safe output to terminals: names, symbols and messages are shown without control characters.

visible(text)     the text with control and invisible characters as escapes: \\x1b, \\u202e
as_json(value)    JSON in which such characters are escapes with the same meaning
safely()          a block in which everything printed to sys.stdout and sys.stderr is made visible
data_out()        standard output for data: exact for files and pipes, made visible on a terminal
steered(stream)   the unfiltered stream, for progress bars
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
    """The text with control and invisible characters as escapes; `layout`: line breaks and tabs stay as they are."""
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
    """A value as JSON in which control characters are escaped, so that it can be shown and parsed."""
    import json  # here, since every command imports this module

    return _STEERING.sub(
        lambda found: json.dumps(found.group())[1:-1],
        json.dumps(value, indent=indent, ensure_ascii=False, default=default),
    )


class Shown:
    """A stream that writes all text through `visible`."""

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
    """A block in which everything that is printed is made visible."""
    before = sys.stdout, sys.stderr
    shown: list[Any] = [stream if isinstance(stream, Shown) or stream is None else Shown(stream) for stream in before]
    sys.stdout, sys.stderr = shown
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def data_out() -> IO[str]:
    """The stream for data on standard output: exact for files and pipes, made visible on a terminal."""
    stream = steered(sys.stdout)
    if stream.isatty():
        return sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.flush()
        stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    found: IO[str] = stream
    return found


def steered(stream: Any) -> Any:
    """The underlying stream without the filter, for progress bars, which contain no names."""
    return stream.stream if isinstance(stream, Shown) else stream
