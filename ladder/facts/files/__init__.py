"""Facts and results in files, in the conventions of Soufflé: one relation per `.input` or `.output` directive.

| IO | input | output | default name |
|---|---|---|---|
| `file` | a row per line, plain or compressed with gzip | the same; `compress=true` compresses | `R.facts`, `R.csv` |
| `stdin`, `stdout` | the same | the same, between lines that name the relation | |
| `jsonfile` | an array of rows, each an array or an object | the same; `format=object` | `R.json` |
| `json` | that on standard input | that on standard output | |
| `sqlite` | a table or view named like the relation | tables of cells and symbols, a view of both | `R.sqlite` |
| `stdoutprintsize` | | the number of rows (`.printsize`) | |

Parameters of files: `filename`, `name` (instead of the relation's), `delimiter` (a tab), `headers=true`, `rfc4180=true`
(quoted cells, the comma as delimiter), `columns="0:2"` (which ones are read). Numbers are decimal, hexadecimal or
binary; a record is written `[a, b]` or `nil`, a branch of an algebraic data type `$Branch(a, b)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from ladder.errors import LadderError
from ladder.facts.files.channels import Channel, Written
from ladder.facts.files.formats import function, readable, writable
from ladder.facts.files.plain import Rows
from ladder.language.core import Directive, Kind, Program
from ladder.support.tuning import DEFAULT, Reading

__all__ = ["input_channel", "read_facts", "read_input", "refuse_outside", "write_outputs"]


def read_facts(
    program: Program, folder: Path, missing_is_empty: bool = False, tuning: Reading = DEFAULT.reading
) -> Iterator[tuple[str, Rows]]:
    """Iterate over (relation, its rows) for every `.input` directive; `LadderError` names the place of an error in a
    file.

    `missing_is_empty`: a missing file counts as empty.
    """
    for directive in program.directives:
        if directive.kind == "input":
            yield directive.relation, read_input(input_channel(program, directive, folder, tuning), missing_is_empty)


def refuse_outside(program: Program, folder: Path, anywhere: bool = False) -> None:
    """Raise `LadderError` where `.output` directives name files to which results cannot be written or, unless
    `anywhere`, must not be."""
    for directive in program.directives:
        channel = Channel(program, directive, folder, anywhere)
        if directive.kind == "output" and channel.format is not None and channel.format.extensions is not None:
            function(channel.format.check)(channel)


def write_outputs(
    program: Program, results: Mapping[str, Written], folder: Path | None, out: IO[str], anywhere: bool = False
) -> None:
    """Write the results of `.output` and `.printsize` directives to files below a folder or, without a folder, to
    `out`.

    `anywhere`: files that directives name may be outside of the folder (see `refuse_outside`).
    """
    for directive in program.directives:
        if directive.kind in ("output", "printsize"):
            _write(program, directive, results[directive.relation], folder, out, anywhere)


def input_channel(program: Program, directive: Directive, folder: Path, tuning: Reading = DEFAULT.reading) -> Channel:
    """The channel of an `.input` directive; `LadderError` where its form is unknown or cannot be read."""
    channel = Channel(program, directive, folder, tuning=tuning)
    for column in channel.relation.columns:
        if column.type.written is Kind.OBJECT:
            raise LadderError(
                f"{channel.relation.name} has a column of lattice values, which cannot be read from a file.",
                "Derive them by rules.",
            )
    return channel


def read_input(channel: Channel, missing_is_empty: bool = False) -> Rows:
    """The rows of a channel; errors and `missing_is_empty` are as for `read_facts`."""
    if channel.format is None or not channel.format.read:
        raise channel.unknown(readable())
    try:
        rows: Rows = function(channel.format.read)(channel)
        return rows
    except FileNotFoundError:
        if missing_is_empty:
            return []
        raise LadderError(
            f"The facts of {channel.relation.name} are missing: there is no file {channel.input_file()}.",
            "Name their directory with -F.",
        ) from None


def _write(
    program: Program, directive: Directive, rows: Written, folder: Path | None, out: IO[str], anywhere: bool
) -> None:
    from ladder.facts.files import delimited

    channel = Channel(program, directive, folder or Path(), anywhere)
    if directive.kind == "printsize" or channel.io == "stdoutprintsize":
        delimited.write_size(channel, rows, out)
    elif folder is None:
        delimited.write_table(channel, rows, out, headers=True)
    elif channel.format is None or not channel.format.write:
        raise channel.unknown(writable())
    else:
        function(channel.format.write)(channel, rows, out)
