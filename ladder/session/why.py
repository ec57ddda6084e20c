"""Why a row of a saved result is there, told as a story: rows as results show them, statements as lines of source.

A row is named by whatever an output prints: the ids or names of its columns, or, of a finding, its rule and place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ladder.errors import LadderError
from ladder.report.findings import Found, Spot
from ladder.report.stories import Step, Teller, story
from ladder.session.describing import Lines, Spots, called
from ladder.session.findings import findings_of
from ladder.session.inspect import Saved, explanation
from ladder.session.names import column_types, naming
from ladder.support.counts import counted

LEVELS = 40  # of reasons that are looked through for a story
SHOWN = 10  # rows that are listed where several are meant


def told(result: Saved, relation: str, cells: Sequence[str]) -> list[Step]:
    """The story of a row of a relation, or of a finding of a rule, whose place is then the one cell: that of a finding
    with steps that lead to it is these steps."""
    finding = _finding(result, relation, cells)
    if finding is not None and finding.flow:
        return _along(finding, Lines(result.facts, result.files))
    relation, row = (finding.relation, finding.row) if finding else meant(result, relation, cells)
    found = explanation(result, relation, row, LEVELS)
    steps = story(found, _teller(result, list(_rows(found))))
    return [replace(steps[0], text=finding.message), *steps[1:]] if finding else steps


def meant(result: Saved, relation: str, cells: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The relation, and the ids of the row, that these texts are the ids or names of; `LadderError` unless it is one
    row."""
    if finding := _finding(result, relation, cells):
        return finding.relation, finding.row
    program = result.program.core
    if relation not in program.relations or len(cells) != len(program.relations[relation].columns):
        return relation, tuple(cells)  # which is told where it is explained
    table = result.outcome.db[relation].to_arrow()
    ids = [_texts(column) for column in table.columns]
    if _matching(ids, ids, cells):
        return relation, tuple(cells)
    named = naming(result.outcome, result.facts, result.outcome.files).rename(
        result.outcome.table(relation), column_types(result.outcome, relation)
    )
    names = [_texts(column) for column in named.columns]
    rows = _matching(ids, names, cells)
    if not rows:
        return relation, tuple(cells)
    if len(rows) > 1:
        listed = "\n".join("  " + "  ".join(column[row].as_py() for column in ids) for row in rows[:SHOWN])
        raise LadderError(
            f"{counted(len(rows), 'row')} of {relation} are shown like this:\n{listed}",
            "Name one by its ids, which `ladder show --ids` prints.",
        )
    return relation, tuple(column[rows[0]].as_py() for column in ids)


def _texts(column: pa.ChunkedArray) -> pa.Array:
    try:
        return column.cast(pa.large_string()).combine_chunks()
    except pa.ArrowNotImplementedError:
        return pa.array([str(cell) for cell in column.to_pylist()], pa.large_string())


def _matching(ids: Sequence[pa.Array], names: Sequence[pa.Array], cells: Sequence[str]) -> list[int]:
    """The rows whose cells are these texts, as ids or as names."""
    chosen: Any = None
    for known, shown, cell in zip(ids, names, cells, strict=True):
        here = pc.or_(pc.equal(known, cell), pc.equal(shown, cell))
        chosen = here if chosen is None else pc.and_(chosen, here)
    found: list[int] = pc.indices_nonzero(chosen).to_pylist() if chosen is not None else []
    return found


def _finding(result: Saved, rule: str, cells: Sequence[str]) -> Found | None:
    """The finding of a rule at a place, `path:line` or `path:line:column`, of whose path the end is enough; None if
    there is no such rule.

    `LadderError` where there is none of the rule."""
    program = result.program.core
    if rule in program.relations or rule not in {finding.rule for finding in program.findings}:
        return None
    kept = [one.found for one in result.kept.described] if result.kept else _all(result)
    found = [f for f in kept if f.rule == rule]
    here = [f for f in found if f.spot and cells[0] in _names_of(f.spot)]
    here = here or [f for f in found if f.spot and any(name.endswith(f"/{cells[0]}") for name in _names_of(f.spot))]
    if len(cells) != 1 or len({f.spot.path for f in here if f.spot}) != 1:
        places = ", ".join(str(f.spot) for f in found[:SHOWN]) or "none"
        raise LadderError(f"There is no finding of {rule} at {' '.join(cells)}.", f"Findings of it are at: {places}.")
    return here[0]


def _names_of(spot: Spot) -> tuple[str, str]:
    return str(spot), f"{spot.path}:{spot.line}"


def _all(result: Saved) -> Sequence[Found]:
    """All findings of a result, described anew."""
    return findings_of(result.outcome, result.facts, "", {})[0].found


def _along(finding: Found, lines: Lines) -> list[Step]:
    """The story of a finding that steps lead to: what is wrong, and the steps in order."""
    steps = [Step(0, finding.message, finding.spot, finding.source)]
    return steps + [Step(1, text, spot, lines.of(spot), on_way=True) for spot, text in finding.flow]


def _rows(reason: Any) -> Any:
    """The relation and row of an explanation and of all that it rests on."""
    waiting = [reason]
    while waiting:
        part = waiting.pop()
        yield part.relation, part.row
        waiting += part.because


def _teller(result: Saved, rows: Sequence[tuple[str, tuple[Any, ...]]]) -> Teller:
    """How rows of a result are told; the first one is told whatever it is."""
    outcome, program = result.outcome, result.outcome.program.core
    display = outcome.display
    derived = {rule.head.relation for rule in program.rules}
    types = {
        name: [column.type.name.lower() for column in relation.columns] for name, relation in program.relations.items()
    }
    told_of = {
        name
        for name in types
        if name in derived and "." not in name and program.declares(name) and set(types[name]) & display.about.keys()
    }

    def is_statement(relation: str) -> bool:
        return bool(types.get(relation)) and types[relation][0] in display.sites and relation not in derived

    rows = [rows[0], *((relation, row) for relation, row in rows if relation in told_of or is_statement(relation))]

    def placed(relation: str, row: tuple[Any, ...]) -> list[str]:
        ranked = sorted(
            (display.about[type_], number) for number, type_ in enumerate(types[relation]) if type_ in display.about
        )
        return [str(row[number]) for _, number in ranked]

    spots = Spots.of(
        display,
        result.facts,
        outcome.files,
        [one for relation, row in rows if relation in types for one in placed(relation, row)],
    )
    lines = Lines(result.facts, outcome.files)
    words: dict[str, dict[Any, str]] = {}
    for type_ in {type_ for relation, _ in rows if relation in types for type_ in types[relation]}:
        cells = {
            cell
            for relation, row in rows
            if relation in types
            for cell, of in zip(row, types[relation], strict=True)
            if of == type_ and isinstance(cell, str | int)
        }
        words[type_] = called(outcome, cells, type_)

    def text(relation: str, row: tuple[Any, ...]) -> str:
        of = types.get(relation, [""] * len(row))
        shown = (
            words.get(t, {}).get(c, str(c)) if isinstance(c, str | int) else str(c)
            for c, t in zip(row, of, strict=True)
        )
        return f"{relation}({', '.join(shown)})"

    def spot(relation: str, row: tuple[Any, ...]) -> Spot | None:
        found = map(spots.find, placed(relation, row) if relation in types else [])
        return next((place for place in found if place is not None), None)

    return Teller(told_of.__contains__, text, spot, is_statement, lines.of)
