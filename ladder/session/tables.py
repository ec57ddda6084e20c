"""Writing of an outcome's result tables: complete ones, and those of what a run changed.

    results/NAME/base/TABLE.parquet        all rows, as of the last run that wrote them
    results/NAME/delta-000N/TABLE.parquet  what a later run changed; a first column `change` holds + or -
    …/run.json                             the snapshot and commit they are of
    results/NAME/SNAPSHOT                  the snapshot that base and deltas together are of

Complete tables are written anew when the changes since then add up to their size, and after a run that was killed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ladder.errors import StateError
from ladder.facts.packs.rows import plain
from ladder.facts.tables import write_table
from ladder.report.results import Naming
from ladder.session.analyze import Outcome
from ladder.session.facts import DIAGNOSTICS, Files
from ladder.session.names import column_types, result_relations
from ladder.support.files import TEMPORARY, write_atomically
from ladder.support.json_text import read_json
from ladder.support.private import read_own, remove_known
from ladder.support.tuning import DEFAULT, Keeping

PARTS = re.compile(rf"[^/]+\.parquet|run\.json|{re.escape(TEMPORARY)}[^/]*")  # files of a folder of tables
DELTA = re.compile(r"delta-\d{4}")


def write_results(
    folder: Path,
    outcome: Outcome,
    naming_of_all: Callable[[], Naming],
    change: Mapping[str, pa.Table] | None,
    made: Made,
    tuning: Keeping = DEFAULT.keeping,
) -> Path | None:
    """Write new results below `folder` → the folder that was written, None if no row changed.

    `change`: rows with names and a `change` column; None if there are no earlier results to which they apply; `made`:
    as in `all_tables`.
    """
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    for leftover in folder.glob(f"{TEMPORARY}*"):
        remove_known(leftover, PARTS, itself=True)
    base, deltas = folder / "base", sorted(path for path in folder.iterdir() if DELTA.fullmatch(path.name))
    target: Path | None = base
    tables: Mapping[str, pa.Table] = {}
    if change is not None and _continues(folder, outcome) and len(deltas) < tuning.deltas:
        size = sum(map(len, change.values()))
        if not size:
            target = None
        elif size + sum(map(_rows, deltas)) <= _rows(base):
            target, tables = folder / f"delta-{len(deltas) + 1:04}", change
    if target is not None:
        _write_folder(target, outcome, tables or all_tables(outcome, naming_of_all(), made))
    if target == base:
        for delta in deltas:
            remove_known(delta, PARTS, itself=True)
    write_atomically(folder / "SNAPSHOT", outcome.files.snapshot.id)
    return target


def write_output(folder: Path, format_: str, tables: Mapping[str, pa.Table]) -> None:
    """Write one file per table into a directory of the user's."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        write_table(table, folder / f"{name}.{format_}", format_)


Made = dict[Hashable, pa.Table]
"""Result tables of analyses that are views of one database, by what tells tables of these apart."""


def all_tables(outcome: Outcome, naming: Naming, made: Made) -> dict[str, pa.Table]:
    """All result tables, with names and with rows in a stable order, and the Diagnostics table.

    `made`: tables that were made for other analyses in the same database, to which those that are made now are added.
    """
    relations = outcome.program.core.relations
    named = frozenset(type_ for type_, name in outcome.display.named.items() if name in relations)
    keys = dict[str, Hashable]()
    for name in result_relations(outcome):
        rows = outcome.db[name]
        keys[name] = rows.relation, rows.column_names, tuple(column_types(outcome, name)), named
    new = [name for name, key in keys.items() if key not in made]
    renamed = naming.rename_all((outcome.table(name), column_types(outcome, name)) for name in new)
    made.update((keys[name], in_order(table)) for name, table in zip(new, renamed, strict=True))
    return {**{name: made[key] for name, key in keys.items()}, "Diagnostics": diagnostics(outcome.files)}


def changes(outcome: Outcome, now: Naming, before: Naming) -> dict[str, pa.Table]:
    """For each result table the rows that went (-) and came (+), with names; rows that went have their former names.

    Rows that went precede those that came: a row may go and come with the same names, for example if its method was
    renamed.
    """
    tables = {}
    for name in result_relations(outcome):
        types = column_types(outcome, name)
        parts = [
            _marked(naming.rename(rows[name], types), sign)
            for sign, rows, naming in (("-", outcome.deleted, before), ("+", outcome.inserted, now))
            if name in rows
        ]
        if parts:
            tables[name] = pa.concat_tables(parts, promote_options="permissive")
    return tables


def diagnostics(files: Files) -> pa.Table:
    """The Diagnostics table of a snapshot."""
    types = (pa.string(), pa.int32(), pa.int32(), pa.string(), pa.string())
    columns = list(zip(*files.diagnostics(), strict=True)) or [()] * len(types)
    return pa.table(
        [pa.array(column, type_) for column, type_ in zip(columns, types, strict=True)], names=list(DIAGNOSTICS)
    )


def _marked(table: pa.Table, sign: str) -> pa.Table:
    return plain(table).add_column(0, "change", pa.array([sign] * len(table), pa.string()))


def in_order(table: pa.Table) -> pa.Table:
    """The rows in an order that depends on the facts alone, not on the order in which the engine derived them."""
    if len(table) < 2:
        return table
    columns = [column.combine_chunks() for column in table.columns]
    if all(map(_is_ranked, columns)) and math.prod(len(column.dictionary) for column in columns) < 1 << 63:
        return pa.table(_sorted_by_key(columns), names=table.column_names)
    ranks = {}
    for i, values in enumerate(columns):
        if pa.types.is_dictionary(values.type):
            rank = pc.rank(values.dictionary, tiebreaker="dense")
            ranks[str(i)] = rank.take(values.indices)
        else:
            ranks[str(i)] = values
    order = pc.sort_indices(pa.table(ranks), sort_keys=[(name, "ascending") for name in ranks])
    return table.take(order)


def _is_ranked(column: pa.Array) -> bool:
    return pa.types.is_dictionary(column.type) and not column.null_count and not column.dictionary.null_count


def _sorted_by_key(columns: Sequence[pa.DictionaryArray]) -> list[pa.DictionaryArray]:
    """The columns with their rows in order, by one number for each row: the ranks of its values, as digits. Numbers are
    sorted several times as fast as an order of rows is found and followed."""
    dictionaries, keys = [], np.zeros(len(columns[0]), np.int64)
    for column in columns:
        ranks = pc.rank(column.dictionary, tiebreaker="dense").to_numpy().astype(np.int64) - 1
        places = np.empty(int(ranks.max()) + 1, np.int64)
        places[ranks] = np.arange(len(ranks))
        dictionaries.append(column.dictionary.take(pa.array(places)))
        keys = keys * len(places) + ranks[column.indices.to_numpy()]
    keys.sort()
    found = []
    for dictionary in reversed(dictionaries):
        keys, digits = np.divmod(keys, len(dictionary))
        found.append(pa.DictionaryArray.from_arrays(pa.array(digits.astype(np.int32)), dictionary))
    return found[::-1]


def _continues(folder: Path, outcome: Outcome) -> bool:
    """Whether the tables below `folder` are those of the snapshot relative to which the outcome's changes are."""
    try:
        snapshot = read_own(folder / "SNAPSHOT", trusted=True).decode()
    except (OSError, UnicodeDecodeError):
        return False
    return outcome.before is not None and snapshot == outcome.before.snapshot.id and _rows(folder / "base") > 0


def _write_folder(target: Path, outcome: Outcome, tables: Mapping[str, pa.Table]) -> None:
    """Write tables and `run.json` into a new folder, which replaces the target when it is complete."""
    (target.parent / "SNAPSHOT").unlink(missing_ok=True)
    part = target.parent / f"{TEMPORARY}{target.name}"
    part.mkdir(mode=0o755)
    for name, table in tables.items():
        write_table(table, part / f"{name}.parquet", "parquet")
    run = {
        "snapshot": outcome.files.snapshot.id,
        "commit": outcome.files.snapshot.commit,
        "rows": sum(map(len, tables.values())),
    }
    write_atomically(part / "run.json", json.dumps(run))
    if left := remove_known(target, PARTS, itself=True):
        raise StateError(
            f"{target / left[0]} was not written by Ladder and is in the way of results.", "Move it elsewhere."
        )
    part.rename(target)


def _rows(folder: Path) -> int:
    try:
        return int(read_json(read_own(folder / "run.json", trusted=True))["rows"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0
