"""Names for the ids in an outcome's rows: which files' positions are needed, and the method and field names the analysis derives."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ladder.report.results import FIELD_NAMES, METHOD_NAMES, NAME_TABLES, SITES, Naming, Places, names_of
from ladder.session.analyze import Outcome
from ladder.session.facts import Facts, Files

FEW_IDS = 50_000
OF_FILES = SITES | {"method", "field", "var"}


def column_types(outcome: Outcome, relation: str) -> list[str]:
    """The declared types of a relation's columns."""
    return [column.type.name for column in outcome.program.core.relations[relation].columns]


def result_relations(outcome: Outcome) -> list[str]:
    """Output relations that are result tables."""
    return [name for name in outcome.program.outputs if name not in NAME_TABLES]


def naming(outcome: Outcome, facts: Facts, files: Files, tables: Mapping[str, pa.Table] | None = None) -> Naming:
    """Names as of `files`, enough for the ids in `tables` (None: for all ids)."""
    wanted = files.active
    if tables is not None:
        ids = _ids(outcome, tables)
        if len(ids) <= FEW_IDS:
            owner = Owners(files)
            wanted = {path: files.active[path] for path in dict.fromkeys(map(owner.path, ids)) if path}
    positions = facts.reading(lambda: facts.tables.positions(wanted), [files])
    return Naming(Places.of(positions), _names(outcome, METHOD_NAMES), _names(outcome, FIELD_NAMES))


class Owners:
    """Which file declares what an id names: the one with the id's top-level type."""

    def __init__(self, files: Files) -> None:
        self.paths = {name: path for path, hash_ in files.active.items()
                      for name in (*files.entries[hash_].types, files.entries[hash_].unit)}

    def path(self, identity: str) -> str | None:
        """`a.b.Outer$Inner.m(int)/x` → the path of the file that declares a.b.Outer; None for what no file declares."""
        head = identity.partition("(")[0].partition("/")[0].partition(":")[0]
        if identity.startswith('"'):
            return None
        while head:
            name = head
            while name:
                if name in self.paths:
                    return self.paths[name]
                name = name.rpartition("$")[0]
            head = head.rpartition(".")[0]
        return None

    def of_rows(self, table: pa.Table, types: Iterable[str]) -> list[str]:
        """For each row the path of the file that it is about: that of its instruction or invocation, else of its variable,
        method, field or heap, whichever comes first in this order and is declared in a file; "" where there is none."""
        order = {"instruction": 0, "invocation": 0, "var": 1, "method": 2, "field": 3, "heap": 4}
        columns = sorted((order[type_.lower()], i) for i, type_ in enumerate(types) if type_.lower() in order)
        paths = [""] * len(table)
        known: dict[str, str] = {}
        for _, i in reversed(columns):
            for row, identity in enumerate(table.column(i).to_pylist()):
                if identity not in known:
                    known[identity] = self.path(identity) or ""
                paths[row] = known[identity] or paths[row]
        return paths


def _ids(outcome: Outcome, tables: Mapping[str, pa.Table]) -> set[str]:
    """Distinct ids that name something in a file; the search ends once there are more than a few."""
    ids: set[str] = set()
    for relation, table in tables.items():
        for type_, column in zip(column_types(outcome, relation), table.columns, strict=True):
            if len(ids) <= FEW_IDS and (type_.lower() in OF_FILES or pa.types.is_list(column.type)):
                ids.update(pc.unique(pc.list_flatten(column) if pa.types.is_list(column.type) else column).to_pylist())
    return ids


def _names(outcome: Outcome, relation: str) -> tuple[pa.Array, pa.Array]:
    """Names of now, and of what was deleted."""
    if relation not in outcome.program.core.relations:
        return names_of(None)
    parts: list[Any] = [outcome.db[relation].to_arrow(), outcome.deleted.get(relation)]
    arrays = [names_of(part) for part in parts if part is not None]
    return pa.concat_arrays([ids for ids, _ in arrays]), pa.concat_arrays([names for _, names in arrays])
