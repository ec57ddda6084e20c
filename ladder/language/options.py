"""Options that are set outside of a program's text and affect how it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Options:
    """How a program is read. `include`: further directories in which included files are looked up; `instead`: pairs
    of an included file and the file that is read in its place, both absolute; `preprocess`: whether the preprocessor
    runs, with `macros`, name → text; `domain`: bits of numbers, 32 or 64, None for what the program says; `legacy`:
    heads take any value of their primitive type, and there are no warnings about old spellings; `trust`: whether Python
    code that the program names is imported, so that it can be run, or only read."""

    include: tuple[Path, ...] = ()
    instead: tuple[tuple[Path, Path], ...] = ()
    macros: tuple[tuple[str, str], ...] = ()
    preprocess: bool = True
    domain: int | None = None
    legacy: bool = False
    trust: bool = field(default=True, repr=False, compare=False)


DEFAULT = Options()
DOMAINS = (32, 64)
LIBRARY = Path(__file__).parents[1] / "analyses"
"""The directory in which `.include <name>` looks: the analyses of this package."""


def own_file(name: str) -> str:
    """The name of an included file that is not of the library, which looks like none of it."""
    return f"./{name}" if name.startswith("<") else name
