"""Conformance cases: one file each, which says what any engine must compute.

A file is a program, and in a comment behind it sections, which begin with a line `--- KIND [STEP] [RELATION]` and are
parted by empty lines; a row is a line, its cells separated by tabs:

    --- facts REL            rows of an input relation
    --- delete N REL         what the Nth change takes away and
    --- insert N REL         … adds: one transaction
    --- rows N REL           visible rows after N changes
    --- state N REL          plain relation: cells, first, count
    --- inputs N REL         aggregated relation: cells, timestamp, count
    --- totals N REL         aggregated relation: cells, first
    --- errors               instead: the program is refused with these errors

What a file expects is compared, all of it; relations that it does not name after a step are not.
Cells of lattices are in the lattice's text form, records are `[a, b]` or `nil`, variants `$Branch(a, b)`.
Python modules that programs name stand beside them.
`python -m tests.conformance.cases CASE REL …` prints what the naive evaluator computes, in this form, to be reviewed by
hand.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ladder.api.program import Program
from ladder.engine.reference.evaluate import State, evaluate
from ladder.language.core import Kind, Type
from ladder.language.objects.lattice_tables import value_text

HERE = Path(__file__).parent
BEGIN, SECTION, END = "\n/*\n--- ", "\n\n--- ", "\n*/\n"
FORMS = ("rows", "state", "inputs", "totals")
Row = tuple[Hashable, ...]
Rows = dict[str, list[Row]]
Change = dict[str, Rows]  # "insert" and "delete"
Expected = dict[tuple[str, str], list[str]]  # relation and form → lines


@dataclass(frozen=True)
class Case:
    """One file, read."""

    name: str
    program: Program
    facts: Rows
    changes: list[Change]
    expected: list[Expected]  # after the facts and after each change


def case_names() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.dl"))


def load(name: str) -> Case:
    """The case of a file; raises `ProgramError` where its program is refused, `ValueError` for a section
    that is none."""
    program = Program.load(HERE / f"{name}.dl")
    facts: Rows = {}
    changes: list[Change] = []
    expected: list[Expected] = [{}]
    for title, lines in sections(name):
        match title.split(" "):
            case ["facts", relation]:
                facts[relation] = rows_of(program, relation, lines)
            case [("delete" | "insert") as side, number, relation]:
                if int(number) == len(expected):
                    changes.append({})
                    expected.append({})
                if int(number) != len(changes):
                    raise ValueError(f"{name}.dl: --- {title}: steps are numbered 1, 2, … in their order")
                changes[-1].setdefault(side, {})[relation] = rows_of(program, relation, lines)
            case [form, number, relation] if form in FORMS and int(number) == len(changes):
                expected[-1][relation, form] = lines
            case _:
                raise ValueError(f"{name}.dl: --- {title}: there is no such section, or not here")
    return Case(name, program, facts, changes, expected)


def text_of(name: str) -> str:
    """The program of a case without its sections."""
    return (HERE / f"{name}.dl").read_text(encoding="utf-8").partition(BEGIN)[0] + "\n"


def sections(name: str) -> list[tuple[str, list[str]]]:
    """The sections of a case: what their first lines say, and the lines behind."""
    text = (HERE / f"{name}.dl").read_text(encoding="utf-8").partition(BEGIN)[2]
    if text and not text.endswith(END):
        raise ValueError(f"{name}.dl: the comment with the sections must be closed in the last line")
    found = [section.split("\n") for section in text.removesuffix(END).split(SECTION) if section]
    return [(title, lines) for title, *lines in found]


def expected_errors(name: str) -> list[str] | None:
    """The errors with which a program is refused; None: it must not be."""
    found = [lines for title, lines in sections(name) if title == "errors"]
    return found[0] if found else None


REFUSED = [name for name in case_names() if expected_errors(name) is not None]
ACCEPTED = [name for name in case_names() if name not in REFUSED]


def states(case: Case) -> Iterator[Rows]:
    """The asserted facts at first and after each change."""
    current = {name: dict.fromkeys(rows) for name, rows in case.facts.items()}
    yield {name: list(rows) for name, rows in current.items()}
    for change in case.changes:
        for name, rows in change.get("delete", {}).items():
            for row in rows:
                del current[name][row]
        for name, rows in change.get("insert", {}).items():
            current.setdefault(name, {}).update(dict.fromkeys(rows))
        yield {name: list(rows) for name, rows in current.items()}


def rows_of(program: Program, relation: str, lines: list[str]) -> list[Row]:
    """Rows of Python values from lines of cells; the row of a relation without columns is an empty line."""
    types = [column.type for column in program.core.relations[relation].columns]
    return [
        tuple(value_of(cell, type_) for cell, type_ in zip(line.split("\t") if types else (), types, strict=True))
        for line in lines
    ]


def value_of(cell: str, type_: Type) -> Hashable:
    match type_.kind:
        case Kind.NUMBER | Kind.UNSIGNED:
            return int(cell)
        case Kind.FLOAT:
            return float(cell)
        case Kind.RECORD | Kind.OBJECT:
            raise ValueError(f"facts of type {type_.name} cannot be written in a file: give them in the program")
    return cell


def lines(case: Case, state: State, relation: str, form: str) -> list[str]:
    """A relation's rows in one of the forms that a case may expect, sorted."""
    rows: Iterable[Row]
    match form:
        case "rows":
            rows = state.visible(relation)
        case "state":
            rows = [(*row, *numbers) for row, numbers in state.rows[relation].items()]
        case "inputs":
            rows = [(*row, *numbers) for row, numbers in state.aggregate_inputs[relation].items()]
        case "totals":
            rows = [(*row, first) for row, first in state.totals[relation].items()]
        case _:
            raise ValueError(f"--- {form} {relation}: there is no such form")
    types = [column.type for column in case.program.core.relations[relation].columns]
    return sorted(
        "\t".join(shown(case, cell, types[i] if i < len(types) else None) for i, cell in enumerate(row)) for row in rows
    )


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
            for form in ("inputs", "totals", "rows") if relation in state.totals else ("state",):
                print(f"--- {form} {step} {relation}", *lines(case, state, relation, form), "", sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
