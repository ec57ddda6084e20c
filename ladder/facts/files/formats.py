"""The file formats of facts and results: one entry for each `IO` parameter of `.input` and `.output` directives.

Functions are named by `"module:function"` and imported when they are called. Their argument is a `Channel`, which has
the directive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

HERE = "ladder.facts.files"


@dataclass(frozen=True)
class Format:
    """How rows with one `IO` parameter are read and written, and in which files they are.

    - `read`: `(channel) → rows`, a list of tuples of Python values or an Arrow table; "" where nothing is read so;
    - `write`: `(channel, rows, standard output)`, to `channel.output_file()` or to standard output; "" where nothing is
      written so;
    - `extensions`: what the names of files for input and output end with, if directives do not name others; None: it
      needs no file;
    - `named_by`: the parameters that name the file; `compressed`: what is appended to its name with `compress=true`;
    - `check`: `(channel)`, which raises `LadderError`, before anything is evaluated, where results may not be written
      to the file;
    - `lines`: whether a line of a file is a fact, by which their number is estimated; `in_tasks`: whether tasks of
      Spark read large files.
    """

    read: str = ""
    write: str = ""
    extensions: tuple[str, str] | None = None
    named_by: tuple[str, ...] = ("filename",)
    compressed: str = ""
    check: str = f"{HERE}.channels:check_output"
    lines: bool = False
    in_tasks: bool = False


FORMATS = {
    "file": Format(
        f"{HERE}.delimited:read_file",
        f"{HERE}.delimited:write_file",
        (".facts", ".csv"),
        compressed=".gz",
        lines=True,
        in_tasks=True,
    ),
    "stdin": Format(read=f"{HERE}.delimited:read_standard_input"),
    "stdout": Format(write=f"{HERE}.delimited:write_standard_output"),
    "json": Format(f"{HERE}.json_rows:read_standard_input", f"{HERE}.json_rows:write_standard_output"),
    "jsonfile": Format(
        f"{HERE}.json_rows:read_file", f"{HERE}.json_rows:write_file", (".json", ".json"), in_tasks=True
    ),
    "sqlite": Format(
        f"{HERE}.databases:read",
        f"{HERE}.databases:write",
        (".sqlite", ".sqlite"),
        ("filename", "dbname"),
        check=f"{HERE}.databases:check_output",
    ),
    "stdoutprintsize": Format(write=f"{HERE}.delimited:write_size"),
}


def function(place: str) -> Callable[..., Any]:
    """The function that `"module:function"` names."""
    module, _, name = place.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


def readable() -> list[str]:
    """The values of `IO` that `.input` directives may have."""
    return [name for name, form in FORMATS.items() if form.read]


def writable() -> list[str]:
    """The values of `IO` that `.output` directives may have."""
    return [name for name, form in FORMATS.items() if form.write]
