"""The protocol of front ends: which files they read, the schema of facts, how the bytes of a file become facts, and how
ids are shown.

All other code (files, extraction, packs of facts, runs of `analyze`, reports) uses front ends through this protocol
alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    """A relation of facts: its name, its columns in order, and a sentence about the meaning of a row."""

    name: str
    columns: tuple[Column, ...]
    doc: str

    @property
    def arity(self) -> int:
        """The number of columns."""
        return len(self.columns)


def relation(name: str, columns: str, doc: str) -> Relation:
    """The relation with columns written as `"a b n:number"`; a column without a type has symbols."""
    parts = (column.partition(":") for column in columns.split())
    return Relation(name, tuple(Column(column, kind or SYMBOL) for column, _, kind in parts), doc)


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The facts of one file: rows by relation, in the schema's column order.

    `unit`: the name of the file's contents; `types`: the names that it declares for other files: of files that declare
    the same name, only the first by path is analysed. `parser`: which parser read it, `none` for a file without facts.
    `lines`: the number of lines; `source_lines`: of those that are not blank. `diagnostics`: what could not be read, or
    was left out. `final`: whether the same bytes always give the same facts; other facts are reported but not stored.
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


def as_named(type_: str, name: str) -> str:
    """Return the name itself."""
    return name


def no_names(identity: str) -> Iterator[str]:
    """Yield nothing: an id that is shown as it is and belongs to no file."""
    return iter(())


@dataclass(frozen=True)
class Display:
    """How results are shown.

    Ids are shown as names according to the declared type of their column, here in lower case; columns of other types
    are shown unchanged.

    - `named`: type → the output relation of an analysis that has a name for each id, such as `method` → `MethodName`;
    - `parts`: type → the named type whose id stands before the last slash of an id: `var` → `method` shows
      `<id of a method>/x` as `<name of the method>/x`;
    - `sites`: types whose ids stand in the relation of positions: `<id>/call f: a.f(x)#3` is shown as
      `path:line:column/f`;
    - `unsaid`: what is left out at the beginning of a site's last part, such as `call `;
    - `detail`: what begins, in a site's last part, that which tells it from others and is not shown, such as `: `;
    - `temporaries`: type → a regular expression (of RE2) that is found in the ids of temporaries: what the source has
      no name for. Rows about them are in all tables and counts, and are listed only where a user asks for them;
    - `about`: type → rank; a row is about the file of its column with the lowest rank;
    - `said`: (type, name, or id where there is no name) → what a sentence calls it, such as `List.add(Object)`;
    - `declared_in`: the names, nearest first, by one of which (see `FileFacts.types`) a file declares what an id stands
      for.

    `headlines`: the result tables that a summary counts first → words for their rows. Of the analyses that have such a
    relation, it also tells from `entries` (kind, number) how many entry points there are of each kind, from `reached`
    (reached, all) how many of the project's `declarations` they reach, and from `unsound` (kind, number) at how many
    places the analysis leaves something out; the tables in `told` it does not count besides. Files whose
    `FileFacts.parser` is `fallback` are counted as read by the second parser, those of which it is `partial` as read in
    part.
    """

    named: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    sites: frozenset[str] = frozenset()
    unsaid: tuple[str, ...] = ()
    detail: str = ""
    temporaries: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, int] = field(default_factory=dict)
    said: Callable[[str, str], str] = as_named
    declared_in: Callable[[str], Iterable[str]] = no_names
    headlines: Mapping[str, str] = field(default_factory=dict)
    entries: str = "EntryKinds"
    reached: str = "ReachedMethods"
    unsound: str = "UnsoundKinds"
    declarations: str = "methods"
    told: frozenset[str] = frozenset(("EntryKind", "Unsound"))
    fallback: str = ""
    partial: str = ""


@dataclass(frozen=True)
class Models:
    """Facts about libraries, of which a project has no files, for the analyses that have such a relation as an input.

    `relations`: the relations of these facts. `version`: changes whenever the facts may have changed. `read`: (rows by
    relation, what was found in the user's files and not understood, each a text with its place); called only where the
    version is a new one, because reading may take longer than most updates.
    """

    relations: Sequence[str] = ()
    version: str = ""
    read: Callable[[], tuple[Mapping[str, Sequence[Row]], Sequence[str]]] = lambda: ({}, ())


@dataclass(frozen=True)
class Resources:
    """Files of a project beside its sources that name what these declare, such as configuration.

    `relation`: an input of analyses. `suffixes`, and `folders`, which end with a slash: by which the files are found.
    `rows`: the path and the bytes of a file → rows of the relation. `policies`: of reflection, in which the files are
    read.
    """

    relation: str
    suffixes: tuple[str, ...]
    folders: tuple[str, ...]
    rows: Callable[[str, bytes], Iterable[Row]]
    policies: frozenset[str]

    def has(self, path: str) -> bool:
        """Whether the file at a path below the project is one."""
        return path.endswith(self.suffixes) or any(f"/{folder}" in f"/{path}" for folder in self.folders)


class Suppressions(Protocol):
    """What in a language's own syntax, such as annotations, says that findings in a declaration are not to be told."""

    @property
    def relations(self) -> Sequence[str]:
        """The relations of facts that say it."""

    def of(self, facts: Mapping[str, Sequence[Row]]) -> Mapping[str, frozenset[str]]:
        """The rules, or `*` for all, that each declaration suppresses, by rows of these relations."""


@dataclass(frozen=True)
class ReachedCode:
    """What of the code of libraries a project may run.

    `methods`: for each class whose declarations are needed, those of its methods whose code is. `mentions`: what that
    code needs of other classes, as `Libraries.selected` takes it.
    """

    methods: Mapping[str, frozenset[str]]
    mentions: Mapping[str, frozenset[str]]


class Libraries(Protocol):
    """Libraries of which a project has no files, known by what their own files declare.

    What one archive or folder declares is a pack: bytes that depend on the contents of the files alone, and of which
    rows are made for each project. Versions are found as those of front ends are: by the sources in the object's
    folder, and in the packages that its class names in `builds_on`.
    """

    @property
    def relations(self) -> Sequence[str]:
        """The relations of the rows, inputs of analyses."""

    @property
    def mentioned(self) -> Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]:
        """What of a project's facts decides what is reached: kind → relations, and the columns of texts, of which
        several are joined by dots."""

    def packed(self, files: Iterable[tuple[str, bytes | str]]) -> bytes:
        """Pack what files, given as path and content, declare; a text is why there is no content."""

    def problems(self, pack: bytes) -> Sequence[tuple[str, str]]:
        """The paths of what could not be packed, and why."""

    def selected(
        self, packs: Sequence[bytes], mentions: Mapping[str, frozenset[str]], names: Sequence[str]
    ) -> Mapping[str, Sequence[Row]]:
        """The rows of what a project that mentions this, by kind, can reach of packs, of which earlier ones hide later
        ones; `names`: what people call each."""

    def has_platform(self, pack: bytes) -> bool:
        """Whether a pack is that of the language's own library."""

    def packages(self, pack: bytes) -> Collection[str]:
        """The packages that a pack has types of."""

    @property
    def bodies(self) -> FrontEnd:
        """The front end for files of libraries: its facts have a last column, `owner`, that says which row belongs to
        which method, or to a class, and a relation `Code`, of what decides which are reached."""

    def located(self, packs: Sequence[bytes], paths: Sequence[Sequence[str]]) -> Mapping[str, tuple[int, str]]:
        """Class → the number of its pack and its path there, by the paths of the files of each."""

    def reached(
        self,
        needs: Iterable[Row],
        packs: Sequence[bytes],
        chosen: Callable[[str], bool],
        read: Callable[[Sequence[str]], Iterable[Row]],
    ) -> ReachedCode:
        """What a project may run that needs this, rows of the program for needs; `chosen`: whether code of a class is
        looked at, if the language's analyses have no other rules for it; `read`: rows of `Code` of such classes."""


class FrontEnd(Protocol):
    """The front end of a language in which projects are written.

    Its objects are sent to other processes, so that their class must be in a module that these can import. Importing
    the module must be fast; methods import what reads files. A front end is one module or one folder; stored facts are
    used as long as its sources do not change, nor those of the packages that its class names in `builds_on`, if it has
    that attribute. Archives with the suffixes in an attribute `archives` may be projects, too; an attribute `resources`
    is a `Resources`, an attribute `suppressions` a `Suppressions`, and an attribute `libraries` names a `Libraries`, as
    `module:object`. An attribute `findings` names the analyses that are run where none is named, an attribute `tests`
    the folders in which tests usually are, an attribute `of_tools` those in which build tools keep files of their own,
    which are not read, and an attribute `usual_contexts` the contexts of those of its analyses that have others, where
    none are named, than the file `contexts` says. Files with the suffixes in an attribute `pages` are text with code in
    it: their facts are those of its method `facts_of_page(data, path)`, and depend on the path, too.
    """

    @property
    def language(self) -> str:
        """The language's name in messages."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of the names of its files."""

    @property
    def generated(self) -> tuple[str, ...]:
        """The folders, such as `target/generated-sources`, in which builds leave files of it that are compiled with the
        others: they are read even if git ignores them."""

    @property
    def analyses(self) -> Path | None:
        """The folder with the programs of `--analysis NAME`; None if there are none."""

    @property
    def contexts(self) -> Path | None:
        """The file that analyses include for what contexts of methods and objects are. Each of the other files of its
        folder can be read in its place (`--context NAME`). In a folder beside it, a file of the same name and others
        are what analyses of another kind include. None if there is no choice."""

    @property
    def display(self) -> Display:
        """How results are shown."""

    def relations(self) -> Sequence[Relation]:
        """The schema of the facts."""

    def models(self, folders: Sequence[Path]) -> Models:
        """What is known of libraries: by the files that come with the analyses, and by those of the user, in these
        folders. `LadderError` where they cannot be read; that of `Models()` if the language has no such files."""

    def facts_of(self, data: bytes) -> FileFacts:
        """The facts of a file with these bytes, on which they must depend alone; errors in the file are diagnostics,
        not exceptions."""
