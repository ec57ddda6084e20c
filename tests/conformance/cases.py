"""Conformance cases: folders that say what any engine must compute.

    CASE/program.dl
    CASE/facts/REL.facts              rows of input relations: cells separated by tabs
    CASE/changes/1.json, 2.json, …    {"insert": {"rel": [[…], …]}, "delete": {…}}, each one transaction
    CASE/expected/N/REL.rows          visible rows after N changes
    CASE/expected/N/REL.state         plain relation: cells, first, count
    CASE/expected/N/REL.aggregands    aggregated relation: cells, timestamp, count
    CASE/expected/N/REL.totals        aggregated relation: cells, first
    CASE/expected/errors              instead: the program is refused with these errors

What stands in `expected` is compared, all of it; relations and steps that do not stand there are not.
Cells of lattices are in the lattice's text form, records are `[a, b]` or `nil`, variants `$Branch(a, b)`.
`python cases.py CASE REL …` prints what the naive evaluator computes, in these forms, to be reviewed by hand.
"""
from __future__ import annotations

import json
import sys
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ladder.engine.naive import State, evaluate
from ladder.language.core import Kind, Type
from ladder.language.lattice_tables import value_text
from ladder.program import Program

HERE = Path(__file__).parent
Row = tuple[Hashable, ...]
Rows = dict[str, list[Row]]
Change = dict[str, Rows]   # "insert" and "delete"


@dataclass(frozen=True)
class Case:
    """One folder, read."""

    name: str
    program: Program
    facts: Rows
    changes: list[Change]


def case_names() -> list[str]:
    return sorted(path.parent.name for path in HERE.glob("*/program.dl"))


def load(name: str) -> Case:
    """The case of a folder; raises `ProgramError` where its program is refused."""
    folder = HERE / name
    program = Program.load(folder / "program.dl")
    facts = {path.stem: [row_of(program, path.stem, line.split("\t")) for line in path.read_text().splitlines()]
             for path in sorted((folder / "facts").glob("*.facts"))}
    changes = [{side: {relation: [row_of(program, relation, row) for row in rows] for relation,
                       rows in relations.items()}
                for side, relations in json.loads(path.read_text()).items()}
               for path in sorted((folder / "changes").glob("*.json"), key=lambda path: int(path.stem))]
    return Case(name, program, facts, changes)


def states(case: Case) -> Iterator[Rows]:
    """The given facts at first and after each change."""
    current = {name: dict.fromkeys(rows) for name, rows in case.facts.items()}
    yield {name: list(rows) for name, rows in current.items()}
    for change in case.changes:
        for name, rows in change.get("delete", {}).items():
            for row in rows:
                del current[name][row]
        for name, rows in change.get("insert", {}).items():
            current.setdefault(name, {}).update(dict.fromkeys(rows))
        yield {name: list(rows) for name, rows in current.items()}


def row_of(program: Program, relation: str, cells: Iterable[Any]) -> Row:
    """A row of Python values from text cells or JSON values."""
    columns = program.core.relations[relation].columns
    return tuple(value_of(cell, column.type) for cell, column in zip(cells, columns, strict=True))


def value_of(cell: Any, type_: Type) -> Hashable:
    match type_.kind:
        case Kind.NUMBER | Kind.UNSIGNED:
            return int(cell)
        case Kind.FLOAT:
            return float(cell)
        case Kind.RECORD | Kind.OBJECT:
            raise ValueError(f"facts of type {type_.name} cannot be written in a file: give them in the program")
    return str(cell)


def lines(case: Case, state: State, relation: str, form: str) -> list[str]:
    """A relation's rows in one of the forms of `expected`, sorted."""
    rows: Iterable[Row]
    match form:
        case "rows":
            rows = state.visible(relation)
        case "state":
            rows = [(*row, *numbers) for row, numbers in state.rows[relation].items()]
        case "aggregands":
            rows = [(*row, *numbers) for row, numbers in state.aggregands[relation].items()]
        case "totals":
            rows = [(*row, first) for row, first in state.totals[relation].items()]
        case _:
            raise ValueError(f"expected/…/{relation}.{form}: no such form")
    types = [column.type for column in case.program.core.relations[relation].columns]
    return sorted("\t".join(shown(case, cell, types[i] if i < len(types) else None) for i, cell in enumerate(row))
                  for row in rows)


def shown(case: Case, cell: Any, type_: Type | None) -> str:
    """The text of a cell; numbers that stand after the columns have no type."""
    if type_ is None:
        return str(cell)
    if type_.kind is Kind.RECORD:
        return value_text(cell, type_, case.program.core.types)
    lattice = case.program.core.lattices.get(type_.name)
    return str(cell) if lattice is None else str(lattice.show(cell))


def main(name: str, *relations: str) -> None:
    case = load(name)
    for step, facts in enumerate(states(case)):
        state = evaluate(case.program.core, facts)
        for relation in relations or case.program.outputs:
            for form in ("aggregands", "totals", "rows") if relation in state.totals else ("state",):
                print(f"--- expected/{step}/{relation}.{form}", *lines(case, state, relation, form), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
