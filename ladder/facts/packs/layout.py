"""The columns of a pack, and the conversion of a file's facts to its row, which checks them once, when they are
written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain
from typing import Any

import pyarrow as pa

from ladder.errors import TablesError
from ladder.frontends.protocol import NUMBER, POSITIONS, SYMBOL, Relation

TYPES = {SYMBOL: pa.string(), NUMBER: pa.int32()}
PLACE = (("id", SYMBOL), ("line", NUMBER), ("column", NUMBER))  # columns of the relation of positions
MOST_TEXT = 1 << 30  # bytes in a column of a row group; Arrow's arrays of strings end at 2 GiB
DIAGNOSTIC = pa.struct(
    [
        pa.field("line", pa.int32()),
        pa.field("column", pa.int32()),
        pa.field("kind", pa.string()),
        pa.field("message", pa.string()),
    ]
)
OF_THE_FILE = (
    ("hash", pa.string()),
    ("parser", pa.string()),
    ("lines", pa.int32()),
    ("unit", pa.string()),
    ("types", pa.list_(pa.string())),
    ("diagnostics", pa.list_(DIAGNOSTIC)),
)


class TooMuchText(TablesError):
    """Raised for files whose facts have more text than a row group can hold."""


@dataclass(frozen=True)
class FileRow:
    """A row of a pack: the facts of the file content with this `hash`.

    `diagnostics`: rows `(line, column, kind, message)`; `relations`: name → rows, where missing relations are empty.
    `final`: whether the same bytes always give these facts; others, for example where memory was lacking, are reported
    but not stored.
    """

    hash: str
    parser: str
    lines: int
    unit: str
    types: tuple[str, ...]
    diagnostics: tuple[tuple[int, int, str, str], ...]
    relations: Mapping[str, Sequence[tuple[Any, ...]]] = field(repr=False)
    final: bool = True

    @property
    def facts(self) -> int:
        """The number of facts, without positions."""
        return sum(len(rows) for name, rows in self.relations.items() if name != POSITIONS)


@dataclass(frozen=True)
class Layout:
    """The relations of packs: name → ((column, "symbol" or "number"), …); packs with another `version` are never
    read."""

    relations: Mapping[str, tuple[tuple[str, str], ...]]
    version: str

    @cached_property
    def schema(self) -> pa.Schema:
        """The Arrow schema of a pack."""
        return pa.schema(
            [
                *(pa.field(*column) for column in OF_THE_FILE),
                *(pa.field(name, pa.list_(self.struct(name))) for name in self.relations),
            ],
            metadata={"ladder.version": self.version},
        )

    def struct(self, relation: str) -> pa.StructType:
        """The Arrow type of a row of a relation."""
        return pa.struct([pa.field(column, TYPES[kind]) for column, kind in self.relations[relation]])

    def table(self, files: Sequence[FileRow]) -> pa.Table:
        """The Arrow table of a row group; `TablesError` where facts do not fit the relation's columns, `TooMuchText`
        where they do not fit into one row group."""
        for file in files:
            if unknown := file.relations.keys() - self.relations.keys():
                raise TablesError(f"Facts of an unknown relation {min(unknown)} were extracted.")
        columns = [_column([getattr(file, name) for file in files], type_) for name, type_ in OF_THE_FILE]
        columns += [self._relation(name, [file.relations.get(name, ()) for file in files]) for name in self.relations]
        return pa.Table.from_arrays(columns, schema=self.schema)

    def _relation(self, name: str, files: list[Sequence[tuple[Any, ...]]]) -> pa.ListArray:
        """A column with the rows of a relation as one `list<struct>` per file, without duplicates within a file."""
        width = len(self.relations[name])
        distinct = [list(dict.fromkeys(rows)) for rows in files]
        rows = list(chain.from_iterable(distinct))
        if any(len(row) != width for row in rows):
            wrong = next(row for row in rows if len(row) != width)
            raise TablesError(f"A fact of {name} has {len(wrong)} columns instead of {width}: {wrong!r}.")
        try:
            cells = [
                _within_limit(name, _column([row[i] for row in rows], TYPES[kind]))
                for i, (_, kind) in enumerate(self.relations[name])
            ]
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
            raise TablesError(f"A fact of {name} does not fit its columns: {error}.") from None
        if any(cell.null_count for cell in cells):
            raise TablesError(f"A fact of {name} has an empty cell.")
        struct = pa.StructArray.from_arrays(cells, fields=list(self.struct(name)))
        offsets = pa.array([0, *accumulate(map(len, distinct))], pa.int32())
        return pa.ListArray.from_arrays(offsets, struct)


def layout_of(relations: Iterable[Relation], version: str) -> Layout:
    """The layout of a front end's relations; `TablesError` if the relation of positions lacks columns by which it is
    read."""
    found = {relation.name: tuple((column.name, column.type) for column in relation.columns) for relation in relations}
    if found.get(POSITIONS, PLACE) != PLACE:
        raise TablesError(
            f"The relation {POSITIONS} of a front end has the columns id, line: number and column: number."
        )
    return Layout(found, version)


def _column(values: list[Any], type_: pa.DataType) -> pa.Array:
    if pa.types.is_nested(type_) and pa.types.is_struct(type_.value_type):
        names = [type_.value_type.field(i).name for i in range(type_.value_type.num_fields)]
        values = [[dict(zip(names, value, strict=True)) for value in items] for items in values]
    try:
        return pa.array(values, type_)
    except UnicodeEncodeError:
        return pa.array(_encodable(values), type_)


def _within_limit(relation: str, column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column as one array; `TooMuchText` where one array cannot hold it."""
    if isinstance(column, pa.ChunkedArray) or column.nbytes > MOST_TEXT:
        raise TooMuchText(f"A column of {relation} holds more than {MOST_TEXT:,} bytes.")
    return column


def _encodable(value: Any) -> Any:
    """The value with lone surrogates written as escapes: source text can contain them, but UTF-8 cannot."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {key: _encodable(item) for key, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list | tuple) else value
