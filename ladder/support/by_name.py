"""Matching of columns by name, in tables, rows and records that have names.

    order_of(names, wanted, whose)      the positions of a relation's columns among the named ones of a table
    row_in_order(row, wanted, whose)    the values of a row with names (a dict, namedtuple, dataclass, …) in a
                                        relation's order
    table_of(rows)                      tables of any library as Arrow tables

Names must be those of the relation, in any order. Data without names is read by position: tuples, lists, arrays, and
tables whose columns a library has only numbered ("0", "1", …; "f0"; "_1"; "column_0"; or all empty).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ladder.errors import LadderError

if TYPE_CHECKING:
    import pyarrow as pa

# pandas and JSON; pyarrow; Spark; Spark's CSV; polars; DuckDB
_NUMBERED = re.compile(r"(|f|_|_c|column_|column)(\d+)")
_PLAIN = (tuple, list)
HINT = "Rename them, or give the rows as tuples, which are read by position."


class Misnamed(LadderError):
    """Raised for names that are not those of the columns."""


def order_of(names: Sequence[str], wanted: Sequence[str], whose: str, hint: str = HINT) -> list[int] | None:
    """The position among `names` of each wanted name; None if they are in the wanted order or only numbered. Raises
    `Misnamed` if they do not fit."""
    if list(names) == list(wanted) or are_numbers(names):
        return None
    if sorted(names) == sorted(wanted):
        return [list(names).index(name) for name in wanted]
    missing = [name for name in wanted if name not in names]
    unknown = [name for name in names if name not in wanted]
    twice = sorted({name for name in names if list(names).count(name) > 1})
    wrong = [
        f"{_listed(those)} {'is' if len(those) == 1 else 'are'} {what}"
        for those, what in ((missing, "missing"), (unknown, "unknown"), (twice, "there twice"))
        if those
    ]
    raise Misnamed(
        f"{whose} has the columns {_listed(wanted)}, but is given {_listed(names)}: {', '.join(wrong)}.", hint
    )


def order_of_header(names: Sequence[str], wanted: Sequence[str], whose: str, hint: str) -> list[int] | None:
    """The same as `order_of` for the header of a file, whose names are only used if they are those of the columns.
    (Soufflé ignores all of them.)

    There may be further columns, and case is ignored. `Misnamed` if some but not all columns are named, and one of them
    at the position of another column.
    """
    if len({name.casefold() for name in wanted}) == len(wanted):
        names, wanted = [name.casefold() for name in names], [name.casefold() for name in wanted]
    places = {name: names.index(name) for name in wanted if name in names}
    if all(name not in places or list(names[i : i + 1]) == [name] for i, name in enumerate(wanted)):
        return None
    if len(places) == len(wanted) and all(names.count(name) == 1 for name in wanted):
        return [*places.values()]
    raise Misnamed(
        f"{whose} has the columns {_listed(wanted)}, but is given {_listed(names)}, where some stand elsewhere and "
        "not all are there, "
        "each once.",
        hint,
    )


def are_numbers(names: Sequence[str]) -> bool:
    """Whether the names are only those that a library gives to columns without names: numbers, or empty names."""
    if not any(names):
        return True
    found = [_NUMBERED.fullmatch(name) for name in names]
    if not all(found):
        return False
    numbers = [int(match[2]) for match in found if match]
    return (
        len({match[1] for match in found if match}) == 1
        and numbers[0] in (0, 1)
        and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    )


def _listed(names: Iterable[str]) -> str:
    shown = [name if name.isidentifier() else repr(name) for name in names]
    return ", ".join(shown[:20] + ["…"] * (len(shown) > 20)) or "(none)"


def named(value: Any) -> tuple[Sequence[str], Sequence[Any]] | None:
    """(names, values) of a value with named parts; None for others."""
    if type(value) in _PLAIN:
        return None
    if isinstance(value, Mapping):
        return [str(name) for name in value], [*value.values()]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field.name for field in dataclasses.fields(value)]
        return fields, [getattr(value, name) for name in fields]
    names = getattr(value, "_fields", None) or getattr(value, "__fields__", None)  # a named tuple; a row of Spark
    if names is None and isinstance(value, Sequence) and callable(keys := getattr(value, "keys", None)):  # of SQLite
        names = keys()
    return None if names is None or not isinstance(value, Sequence) else ([*names], value)


def row_in_order(row: Any, wanted: Sequence[str], whose: str) -> Any:
    """A row's values in the order of a relation's columns; a row without names stays as it is."""
    parts = named(_plain(row) if isinstance(row, np.void) else row)
    if parts is None:
        return row
    names, values = parts
    order = order_of(names, wanted, whose)
    return tuple(values) if order is None else tuple(values[i] for i in order)


def _plain(value: Any) -> Any:
    """An item of a structured array as a dict."""
    if isinstance(value, np.void) and value.dtype.names:
        return {name: _plain(value[name]) for name in value.dtype.names}
    return value.item() if isinstance(value, np.generic) else value


def rows_in_order(rows: Iterable[Any], wanted: Sequence[str], whose: str) -> list[Any]:
    """Rows with their values in the order of a relation's columns; `rows` may have an attribute `column_names` for all
    of them."""
    of_all = getattr(rows, "column_names", None)
    if of_all is None:
        return [row if type(row) in _PLAIN else row_in_order(row, wanted, whose) for row in rows]
    order = order_of(of_all, wanted, whose, "Make a list of them, which is read by position.")
    return [*rows] if order is None else [tuple(row[i] for i in order) for row in rows]


def table_of(rows: Any) -> pa.Table | None:
    """An Arrow table made of a table of pyarrow, pandas, Spark, polars, DuckDB or any other library with Arrow's
    interface; None for other rows."""
    home = type(rows).__module__.partition(".")[0]
    if home == "pandas":
        return _table_of_frame(rows) if hasattr(rows, "columns") else None
    if home == "pyspark" and hasattr(rows, "toArrow"):
        return rows.toArrow()
    if home == "pyarrow":
        for read in ("read_all", "to_table"):  # of a reader, of a data set
            if hasattr(rows, read):
                return getattr(rows, read)()
    if hasattr(rows, "__arrow_c_stream__") or hasattr(rows, "__arrow_c_array__"):
        import pyarrow as pa

        try:
            return pa.table(rows)
        except (pa.ArrowInvalid, pa.ArrowTypeError, ValueError, TypeError) as error:
            raise LadderError(f"The table cannot be read: {error}.") from None
    return None


def _table_of_frame(frame: Any) -> pa.Table:
    """The Arrow table of a DataFrame, whose named index levels become columns."""
    import pyarrow as pa

    levels = [name for name in frame.index.names if name is not None]
    names = [str(name) for name in (*levels, *frame.columns)]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise Misnamed(f"The DataFrame's columns and index have the name {twice[0]} twice.", HINT)
    try:
        return pa.Table.from_pandas(frame.reset_index(level=levels) if levels else frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise LadderError(
            f"The DataFrame cannot be read: {' '.join(map(str, error.args))}.", "A column holds values of one type."
        ) from None
