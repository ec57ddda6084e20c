"""Facts and results as text files, in the conventions of Soufflé: one file per relation, one row per line, tabs between columns.

`.input R(filename="…", delimiter="…")` and `.output` likewise override the file (`R.facts`, `R.csv`) and the tab. A record is
written `[a, b]`, an empty one `nil`.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.csv

from ladder.errors import LadderError, Unsupported
from ladder.language.core import Directive, Kind, Program, Relation, Type

ARROW = {Kind.NUMBER: pa.int32(), Kind.UNSIGNED: pa.uint32(), Kind.FLOAT: pa.float32(), Kind.SYMBOL: pa.string()}
BLOCK = 1 << 24


def read_facts(program: Program, folder: Path) -> dict[str, pa.Table | list[tuple[Any, ...]]]:
    """Rows of every `.input` relation from its file; `LadderError` naming file and line where one does not fit."""
    return {directive.relation: _read(program, directive, folder) for directive in program.directives if directive.kind == "input"}


def write_outputs(program: Program, tables: Mapping[str, pa.Table], folder: Path | None, out: IO[str]) -> None:
    """Every `.output` relation into its file in `folder`, or all of them to `out`; sizes of `.printsize` to `out`."""
    for directive in program.directives:
        if directive.kind == "printsize":
            out.write(f"{directive.relation}\t{len(tables[directive.relation])}\n")
        elif directive.kind == "output":
            columns = [column.name for column in program.relations[directive.relation].columns]
            delimiter = _delimiter(directive)
            if folder is None or directive.parameters.get("io") == "stdout":
                out.write(f"---------------\n{directive.relation}\n{delimiter.join(columns)}\n===============\n")
                out.writelines(line + "\n" for line in lines(tables[directive.relation], delimiter))
                out.write("===============\n")
            else:
                _write(folder / directive.parameters.get("filename", f"{directive.relation}.csv"), directive, columns, tables[directive.relation])


def lines(table: pa.Table, delimiter: str = "\t") -> Iterator[str]:
    """Each row as a line of text."""
    for batch in table.to_batches(max_chunksize=100_000):
        columns = [[_text(cell) for cell in column.to_pylist()] for column in batch.columns]
        if columns:
            yield from map(delimiter.join, zip(*columns, strict=True))
        else:
            yield from ["()"] * batch.num_rows


def _read(program: Program, directive: Directive, folder: Path) -> pa.Table | list[tuple[Any, ...]]:
    kind = directive.parameters.get("io", "file")
    if kind != "file":
        raise Unsupported(f"Input of {directive.relation} from {kind} is not supported.", "There is io=file.")
    relation = program.relations[directive.relation]
    file = folder / directive.parameters.get("filename", f"{relation.name}.facts")
    if not file.is_file():
        raise LadderError(f"The facts of {relation.name} are missing: there is no file {file}.", "Name their directory with -F.")
    types = [column.type for column in relation.columns]
    if not types:
        return [()] if file.read_text("utf-8").strip() else []
    if any(type_.kind is Kind.OBJECT for type_ in types):
        raise Unsupported(f"{relation.name} has a column of lattice values, which cannot be read from text.", "Derive them by rules.")
    delimiter = _delimiter(directive)
    if len(delimiter) == 1 and all(type_.kind in ARROW for type_ in types):
        return _read_table(program, file, relation, types, delimiter)
    return [_row(program, types, line, delimiter, f"{file}:{number}") for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)]


def _read_table(program: Program, file: Path, relation: Relation, types: Sequence[Type], delimiter: str) -> pa.Table:
    names = [f"{i}" for i in range(len(types))]
    if not file.stat().st_size:
        return pa.schema([pa.field(name, ARROW[type_.kind]) for name, type_ in zip(names, types, strict=True)]).empty_table()
    try:
        return pyarrow.csv.read_csv(
            file, pyarrow.csv.ReadOptions(column_names=names, block_size=BLOCK),
            pyarrow.csv.ParseOptions(delimiter=delimiter, quote_char=False, double_quote=False, ignore_empty_lines=len(types) > 1),
            pyarrow.csv.ConvertOptions(column_types={n: ARROW[t.kind] for n, t in zip(names, types, strict=True)}, null_values=[],
                                       strings_can_be_null=False))
    except pa.ArrowInvalid as error:
        for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
            if line or len(types) == 1:
                _row(program, types, line, delimiter, f"{file}:{number}")
        raise LadderError(f"{file} does not hold facts of {relation.name}: {error}.") from None


def _row(program: Program, types: Sequence[Type], line: str, delimiter: str, place: str) -> tuple[Any, ...]:
    cells = _split(line, delimiter)
    if len(cells) != len(types):
        raise LadderError(f"{place}: the row has {len(cells)} columns instead of {len(types)}.")
    row = []
    for type_, cell in zip(types, cells, strict=True):
        try:
            row.append(_value(program, type_, cell))
        except ValueError:
            raise LadderError(f"{place}: {cell!r} is not a value of type {type_.name}.") from None
    return tuple(row)


def _split(text: str, delimiter: str) -> list[str]:
    """Cells between delimiters that are not inside brackets."""
    cells, depth, start, i = [], 0, 0, 0
    while i < len(text):
        if depth == 0 and text.startswith(delimiter, i):
            cells.append(text[start:i])
            i += len(delimiter)
            start = i
            continue
        depth += (text[i] == "[") - (text[i] == "]")
        i += 1
    return [*cells, text[start:]]


def _value(program: Program, type_: Type, text: str) -> Any:
    """The Python value that the text stands for; ValueError where it stands for none."""
    if type_.kind is Kind.SYMBOL:
        return text
    if type_.kind is Kind.FLOAT:
        return float(text)
    if type_.kind is not Kind.RECORD:
        return int(text, 0)
    text = text.strip()
    if text == "nil":
        return None
    if not (text.startswith("[") and text.endswith("]")):
        raise ValueError(f"{text!r} is not a record")
    cells = [cell.strip() for cell in _split(text[1:-1], ",")] if type_.fields else []
    if len(cells) != len(type_.fields):
        raise ValueError(f"{text!r} does not have {len(type_.fields)} fields")
    return tuple(_value(program, program.types[name], cell) for (_, name), cell in zip(type_.fields, cells, strict=True))


def _write(file: Path, directive: Directive, columns: Sequence[str], table: pa.Table) -> None:
    from ladder.files import replacing
    file.parent.mkdir(parents=True, exist_ok=True)
    delimiter = _delimiter(directive)
    with replacing(file) as temporary, temporary.open("w", encoding="utf-8") as out:
        if directive.parameters.get("headers") == "true":
            out.write(delimiter.join(columns) + "\n")
        out.writelines(line + "\n" for line in lines(table, delimiter))


def _delimiter(directive: Directive) -> str:
    if directive.parameters.get("rfc4180") == "true":
        raise Unsupported("rfc4180=true is not supported.", "Use a delimiter that the values do not contain.")
    return directive.parameters.get("delimiter", "\t").encode().decode("unicode_escape")


def _text(value: Any) -> str:
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, dict):
        return "[" + ", ".join(map(_text, value.values())) + "]"
    return "nil" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
