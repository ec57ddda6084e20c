"""Random changes of the facts of a project, as in LADDDER's evaluation: allocations that go, literals and reads of
fields that become 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from ladder.api.database import Database
from ladder.api.rows import Rows

Row = tuple[Any, ...]
LITERALS = {"AssignNumConstant": 1, "AssignOperFromConstant": 2, "IfConstant": 2}  # relation → column of the literal
STORES = {"StoreInstanceField": 3, "StoreStaticField": 2}  # relation → column of the field; the source is in column 1
READS = ("LoadInstanceField", "LoadStaticField", "LoadMember", "LoadSimpleName")  # instruction, target, …, method
INTEGRAL = frozenset({"byte", "short", "char", "int", "long"})


@dataclass(frozen=True)
class Edit:
    """What is done to one instruction: facts that come and go, by relation."""

    kind: str
    place: str
    gone: Mapping[str, tuple[Row, ...]]
    come: Mapping[str, tuple[Row, ...]]


def allocations(db: Database) -> Iterator[Edit]:
    """The allocations of objects, each of which goes."""
    for row in db["AssignHeapAllocation"]:
        yield Edit("allocation", row[0], {"AssignHeapAllocation": (row,)}, {})


def zeros(db: Database) -> Iterator[Edit]:
    """The literals of integral types that are not 0, each of which becomes 0, also where it is said once more as the
    initial value of a field, and the reads of fields of these types, each of which becomes an assignment of 0."""
    initial = dict(_initial_values(db))
    for relation, column in LITERALS.items():
        for row in db[relation]:
            if row[column] != "0" and row[column + 1] in INTEGRAL:
                gone, come = {relation: (row,)}, {relation: ((*row[:column], "0", *row[column + 1 :]),)}
                value = initial.get(row[-2]) if relation == "AssignNumConstant" else None
                if value is not None:
                    gone["FieldInitialValue"], come["FieldInitialValue"] = (value,), ((value[0], "0", value[2]),)
                yield Edit("literal", row[0], gone, come)
    types = {var: type_ for var, type_ in _own(db, "ValueVar") if type_ in INTEGRAL}
    fields = {instruction for instruction, _, _ in _own(db, "ReadsField")}
    for relation in READS:
        for row in db[relation]:
            instruction, target, method = row[0], row[1], row[-1]
            if target in types and instruction in fields:
                zero = (instruction, "0", types[target], target, method)
                yield Edit("field read", instruction, {relation: (row,)}, {"AssignNumConstant": (zero,)})


def _initial_values(db: Database) -> Iterator[tuple[str, Row]]:
    """(the variable that an initialiser stores into a field, the row about the field's literal)."""
    values = {row[0]: row for row in db["FieldInitialValue"]}
    initialisers = {row[0] for row in db["Method"] if row[2] in ("<clinit>", "<init-block>")}
    for relation, column in STORES.items():
        for row in db[relation]:
            if row[column] in values and row[-1] in initialisers:
                yield row[1], values[row[column]]


def _own(db: Database, relation: str) -> Rows:
    """The rows of a relation of the analysis' own component, which is named after the analysis."""
    [name] = [name for name in db.relations if name.rpartition(".")[2] == relation]
    return db[name]


KINDS: Mapping[str, Callable[[Database], Iterator[Edit]]] = {f.__name__: f for f in (allocations, zeros)}


def drawn(db: Database, kind: str, count: int, seed: int) -> tuple[list[Edit], list[Edit]]:
    """(an edit of each kind, by which what updates need is made ready; so many others), at random, the same for the
    same facts and seed."""
    # in an order of their own: rows come in that of their numbers, which threads of the extraction may decide
    found = sorted(KINDS[kind](db), key=lambda edit: (edit.kind, edit.place, sorted(edit.gone.items())))
    edits = Random(seed).sample(found, len(found))
    first = {relation: edit for edit in reversed(edits) for relation in edit.gone}
    ready = [edit for edit in edits if edit in first.values()]
    return ready, [edit for edit in edits if edit not in ready][:count]
