"""What a front end is: which files it reads, what their facts look like, how one file's bytes become facts, and how ids
are shown.

Everything else (files, extraction, packs of facts, runs of `analyze`, reports) knows front ends by this protocol alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

SYMBOL = "symbol"
NUMBER = "number"
POSITIONS = "Position"
"""The relation of a front end's facts, with columns id, line and column, that says where in its file an id stands.

No rule reads it.
"""

Row = tuple[str | int, ...]
Note = tuple[int, int, str, str]
"""A diagnostic: line, column, kind, message."""


@dataclass(frozen=True)
class Column:
    """A column: its name and its type, `symbol` or `number`."""

    name: str
    type: str


@dataclass(frozen=True)
class Relation:
    """A relation of facts: its name, its columns in order, and one sentence on what a row says."""

    name: str
    columns: tuple[Column, ...]
    doc: str

    @property
    def arity(self) -> int:
        """The number of columns."""
        return len(self.columns)


def relation(name: str, columns: str, doc: str) -> Relation:
    """Return the relation with columns written as `"a b n:number"`; a column without a type holds symbols."""
    parts = (column.partition(":") for column in columns.split())
    return Relation(name, tuple(Column(column, kind or SYMBOL) for column, _, kind in parts), doc)


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What one file says: rows by relation, in the schema's column order.

    `unit` names the file's contents and `types` what it declares for all others to see: of files that declare the same
    name, only the first path is analysed. `parser` says who read it, and is `none` for a file without facts. `lines` is
    the number of lines, `source_lines` of those with anything but blanks. `diagnostics` is what was noticed. `final`:
    the same bytes give the same facts at any time; what is not final is reported and not kept.
    """

    unit: str = ""
    types: tuple[str, ...] = ()
    parser: str = ""
    lines: int = 0
    source_lines: int = 0
    relations: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    diagnostics: tuple[Note, ...] = ()
    final: bool = True

    @property
    def count(self) -> int:
        """The number of rows."""
        return sum(map(len, self.relations.values()))


def no_names(identity: str) -> Iterator[str]:
    """Yield nothing: an id that is shown as it is and belongs to no file."""
    return iter(())


@dataclass(frozen=True)
class Display:
    """How results are shown.

    Ids become names by the declared type of their column, here in lower case; columns of other types are shown as they
    are.

    - `named`: type → the output relation of an analysis that has a name for each id, such as `method` → `MethodName`;
    - `parts`: type → the named type whose id stands before the last slash of an id: `var` → `method` shows
      `<id of a method>/x` as `<name of the method>/x`;
    - `sites`: types whose ids stand in the relation of positions: `<id>/call f#3` is shown as `path:line:column/f`;
    - `unsaid`: what is left out at the beginning of a site's last part, such as `call `;
    - `about`: type → rank; a row is about the file of its column with the lowest rank;
    - `declared_in`: the names, nearest first, by one of which (see `FileFacts.types`) a file declares what an id stands
      for.

    `headlines` maps the result tables that a summary counts first to the words it has for their rows. Files whose
    `FileFacts.parser` is `fallback` are counted as read by the second parser.
    """

    named: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    sites: frozenset[str] = frozenset()
    unsaid: tuple[str, ...] = ()
    about: Mapping[str, int] = field(default_factory=dict)
    declared_in: Callable[[str], Iterable[str]] = no_names
    headlines: Mapping[str, str] = field(default_factory=dict)
    fallback: str = ""


class FrontEnd(Protocol):
    """A language that projects are written in.

    Objects of it are sent to other processes, so their class stands in a module that these can import. The module is
    light: what reads files is imported by the methods. A front end is one module, or one folder: facts that were kept
    are used as long as no byte of it changes.
    """

    @property
    def language(self) -> str:
        """The language's name in messages."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """What names of its files end with."""

    @property
    def analyses(self) -> Path | None:
        """The folder with the programs that `--analysis NAME` takes, if it has any."""

    @property
    def display(self) -> Display:
        """How results are shown."""

    def relations(self) -> Sequence[Relation]:
        """Return the schema of the facts."""

    def facts_of(self, data: bytes) -> FileFacts:
        """Return the facts of a file with these bytes, which depend on nothing else; what is wrong with them is a
        diagnostic, no exception."""
