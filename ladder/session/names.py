"""Names for the ids in an outcome's rows, from the positions in the files concerned and from names that the analysis
derives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ladder.frontends.protocol import Display
from ladder.report.results import Naming, Places, names_of
from ladder.session.analyze import Outcome
from ladder.session.facts import Facts, Files
from ladder.support.tuning import DEFAULT, Keeping


def column_types(outcome: Outcome, relation: str) -> list[str]:
    """The names of the declared types of a relation's columns."""
    return [column.type.name for column in outcome.program.core.relations[relation].columns]


def result_relations(outcome: Outcome) -> list[str]:
    """The output relations that are result tables."""
    names = set(outcome.display.named.values())
    return [name for name in outcome.program.outputs if name not in names]


def naming(
    outcome: Outcome,
    facts: Facts,
    files: Files,
    tables: Mapping[str, pa.Table] | None = None,
    tuning: Keeping = DEFAULT.keeping,
    places: Places | None = None,
) -> Naming:
    """The names of the ids in `tables` (None: of all ids) as of the snapshot `files`; `places`: those of all sites,
    where they are known."""
    wanted = files.active
    if tables is not None:
        ids = _ids(outcome, tables, tuning.few_ids)
        if len(ids) <= tuning.few_ids:
            owner = Owners(files, outcome.display)
            wanted = {path: files.active[path] for path in dict.fromkeys(map(owner.path, ids)) if path}
    names = {type_: named_things(outcome, relation) for type_, relation in outcome.display.named.items()}
    return Naming(places or places_in(wanted, outcome.display, facts, files), names, outcome.display)


def places_in(wanted: Mapping[str, str], display: Display, facts: Facts, files: Files) -> Places:
    """The places of the sites in files of a snapshot: path → hash."""
    return Places.of(facts.reading(lambda: facts.tables.positions(wanted), [files]), display)


class Owners:
    """Finds the file that declares what an id names."""

    def __init__(self, files: Files, display: Display) -> None:
        self.display = display
        self.paths = {
            name: path
            for path, hash_ in files.active.items()
            for name in (*files.entries[hash_].types, files.entries[hash_].unit)
        }

    def path(self, identity: str) -> str | None:
        """The path of the file that declares what an id names (in Java, its top-level type); None if no file does."""
        return next((self.paths[name] for name in self.display.declared_in(identity) if name in self.paths), None)

    def of_rows(self, table: pa.Table, types: Iterable[str]) -> list[str]:
        """For each row the path of the file that it is about, "" for none. It is that of the first column, in the front
        end's order of types, whose id is declared in a file (in Java instructions and calls, then variables, methods,
        fields and objects)."""
        order = self.display.about
        columns = sorted((order[type_.lower()], i) for i, type_ in enumerate(types) if type_.lower() in order)
        paths = [""] * len(table)
        known: dict[str, str] = {}
        for _, i in reversed(columns):
            for row, identity in enumerate(table.column(i).to_pylist()):
                if identity not in known:
                    known[identity] = self.path(identity) or ""
                paths[row] = known[identity] or paths[row]
        return paths


def _ids(outcome: Outcome, tables: Mapping[str, pa.Table], few: int) -> set[str]:
    """The distinct ids that name something in a file; the search ends when there are more than `few`."""
    ids: set[str] = set()
    for relation, table in tables.items():
        for type_, column in zip(column_types(outcome, relation), table.columns, strict=True):
            if len(ids) <= few and (type_.lower() in outcome.display.about or pa.types.is_list(column.type)):
                ids.update(pc.unique(pc.list_flatten(column) if pa.types.is_list(column.type) else column).to_pylist())
    return ids


def named_things(outcome: Outcome, relation: str) -> tuple[pa.Array, pa.Array]:
    """(present names, names of what was deleted) of an outcome's relation."""
    if relation not in outcome.program.core.relations:
        return names_of(None)
    parts: list[Any] = [outcome.db[relation].to_arrow(), outcome.deleted.get(relation)]
    arrays = [names_of(part) for part in parts if part is not None]
    return pa.concat_arrays([ids for ids, _ in arrays]), pa.concat_arrays([names for _, names in arrays])
