"""Channels: an `.input` or `.output` directive with everything that depends on its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ladder.errors import LadderError, Unsupported
from ladder.facts.files.formats import FORMATS, Format
from ladder.language.core import Directive, Program, Relation, Type
from ladder.support.files import without_links
from ladder.support.tuning import DEFAULT, Reading

if TYPE_CHECKING:
    import pyarrow as pa


class Written(Protocol):
    """The rows of a relation that is written."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[tuple[Any, ...]]: ...

    def tables(self) -> Iterator[pa.Table]: ...

    def lines(self, delimiter: bytes) -> Iterator[memoryview]: ...


ANYWHERE = "Let the program write below the directory of -D; --output-anywhere lets it write wherever it says."


def below(folder: Path, file: Path, what: str) -> None:
    """Raise `LadderError` where a file that a program names is not below a folder, after following links, or is a pipe
    or device; `what`: what would be written there."""
    there, within = without_links(file), without_links(folder)
    if there.is_symlink():
        raise LadderError(f"{what} cannot be written to {file}: it is a chain of links without an end.", ANYWHERE)
    if not there.is_relative_to(within):
        leads = "" if there == file.absolute() else f", that is, to {there}"
        raise LadderError(f"{what} would be written to {file}{leads}, which is not below {folder}.", ANYWHERE)
    if there.exists() and not there.is_file() and not there.is_dir():
        raise LadderError(f"{what} would be written to {file}, which is a pipe or a device.", ANYWHERE)


@dataclass(frozen=True)
class Channel:
    """Where the rows of a relation are read from or written to, and in which form.

    `anywhere`: results may be written to files outside of the folder; `tuning`: thresholds.
    """

    program: Program
    directive: Directive
    folder: Path
    anywhere: bool = False
    tuning: Reading = DEFAULT.reading

    @property
    def relation(self) -> Relation:
        return self.program.relations[self.directive.relation]

    @property
    def types(self) -> Sequence[Type]:
        return [column.type for column in self.relation.columns]

    @property
    def io(self) -> str:
        return self.directive.parameters.get("io", "file")

    @property
    def format(self) -> Format | None:
        """The form of the directive's `IO` parameter; None if it is unknown."""
        return FORMATS.get(self.io)

    @property
    def name(self) -> str:
        return self.directive.parameters.get("name", self.relation.name)

    @property
    def rfc4180(self) -> bool:
        return self._is_set("rfc4180")

    @property
    def headers(self) -> bool:
        return self._is_set("headers")

    @property
    def compress(self) -> bool:
        return "compress" in self.directive.parameters

    @property
    def delimiter(self) -> str:
        delimiter = self.directive.parameters.get("delimiter", "," if self.rfc4180 else "\t")
        if not delimiter or self.rfc4180 and '"' in delimiter:
            raise LadderError(
                f"{self._place()}the delimiter of {self.relation.name} is empty or a quotation mark.",
                "Give another one.",
            )
        return delimiter

    @property
    def header(self) -> str:
        """The header line with the names of the columns."""
        if "attributenames" in self.directive.parameters:
            return self.directive.parameters["attributenames"]
        return self.delimiter.join(column.name for column in self.relation.columns)

    def positions(self) -> list[int]:
        """For each column of the relation its position in the file."""
        text = self.directive.parameters.get("columns", "")
        if not text:
            return list(range(len(self.types)))
        positions = text.split(":")
        if len(positions) < len(self.types) or not all(position.isdecimal() for position in positions):
            raise LadderError(
                f'{self._place()}columns="{text}" does not name {len(self.types)} columns.',
                'Write their positions, as in columns="0:2".',
            )
        return [int(position) for position in positions[: len(self.types)]]

    def reading(self, positions: Sequence[int]) -> Channel:
        """The same channel, reading the columns at these positions of the file."""
        parameters = {**self.directive.parameters, "columns": ":".join(map(str, positions))}
        return replace(self, directive=replace(self.directive, parameters=parameters))

    def input_file(self) -> Path:
        return self.folder / self._file_name(0)

    def output_file(self) -> Path:
        file = self.output_path()
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def output_path(self) -> Path:
        """The path of the file for results, whose folder need not exist yet; `LadderError` where results may not be
        written there."""
        file = self.folder / self._file_name(1)
        if not self.anywhere:
            below(self.folder, file, f"{self._place()}the results of {self.relation.name}")
        if file.is_dir():
            raise LadderError(
                f"{self._place()}the results of {self.relation.name} go to {file}, which is a directory.",
                "Name a file.",
            )
        return file

    def _file_name(self, direction: int) -> str:
        form = self.format
        assert form is not None and form.extensions is not None
        extension = form.extensions[direction] + (form.compressed if direction and self.compress else "")
        given = self.directive.parameters
        name = next(filter(None, (given.get(parameter) for parameter in form.named_by)), f"{self.name}{extension}")
        if "\0" in name:
            raise LadderError(
                f"{self._place()}the name of a file of {self.relation.name} has a character that no file's name has.",
                "Give another one.",
            )
        return name

    def unknown(self, known: Sequence[str]) -> Unsupported:
        """The error for an unknown `IO` parameter; `known`: the names that are supported."""
        return Unsupported(
            f"{self._place()}IO={self.io} of {self.relation.name} is not supported for .{self.directive.kind}.",
            f"There are {', '.join(known[:-1])} and {known[-1]}.",
        )

    def _is_set(self, parameter: str) -> bool:
        return self.directive.parameters.get(parameter) == "true"

    def _place(self) -> str:
        place = self.directive.place
        return f"{place.file}:{place.line}:{place.column}: " if place else ""


def check_output(channel: Channel) -> None:
    """Raise `LadderError` where results may not be written to a channel's file."""
    channel.output_path()
