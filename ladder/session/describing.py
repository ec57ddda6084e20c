"""Rows of the relations of findings as people read them: words, places, source lines, flows.

What is said of a finding follows from its row, from the files in which the ids that it names are declared, from names
that the analysis derives, and from the steps that lead to it: `Described` has the ids and the files, by which
`kept_findings` tells what still holds after a change.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ladder.errors import LadderError
from ladder.frontends.protocol import Display
from ladder.language import core
from ladder.report.findings import Found, Spot
from ladder.report.results import TEXT, looked_up, what_of
from ladder.session.analyze import Outcome
from ladder.session.facts import Facts, Files
from ladder.session.names import Owners, column_types, named_things

MOST_OTHERS = 32  # rows that are the same finding, of which related places are told
LONG_WAY = 20  # steps; of 40 errors with longer ways in public projects, 36 were none
Cell = Any
Flow = tuple[tuple[str, str], ...]
_Graph = Mapping[Cell, Sequence[tuple[Cell, str, str]]]


# ---- rows


@dataclass(frozen=True)
class Row:
    """A row of a relation of findings: its ids by column, and the same in order; `others`: the rows that are the same
    finding, of rules that tell of these."""

    cells: Mapping[str, Cell]
    order: tuple[Cell, ...]
    others: tuple[Mapping[str, Cell], ...] = ()


def rows_of(outcome: Outcome, finding: core.Finding, table: pa.Table | None = None) -> list[Row]:
    """The rows of a relation of findings: all, or those of a table; of several that are the same finding, in different
    contexts for example, the first of the worst level, with others that have further related places."""
    rows = _all_rows(outcome, finding, outcome.table(finding.relation) if table is None else table)
    rows.sort(key=lambda row: (core.LEVELS.index(finding.level_of(row.cells)), tuple(map(str, row.order))))
    found: dict[str, list[Row]] = {}
    for row in rows:
        same = found.setdefault(fingerprint_of(finding, row), [])
        if not same or finding.related or finding.flow:
            same.append(row)
    return [replace(first, others=tuple(other.cells for other in others)) for first, *others in found.values()]


def _all_rows(outcome: Outcome, finding: core.Finding, table: pa.Table) -> list[Row]:
    names = columns_of(outcome, finding.relation)
    columns = [_texts(column) for column in table.columns]
    return [Row(dict(zip(names, order, strict=True)), order) for order in zip(*columns, strict=True)]


def came_whole(outcome: Outcome, finding: core.Finding, inserted: pa.Table) -> set[str]:
    """The fingerprints of which all rows are among those that came: of the others, one was there before."""
    came = _all_rows(outcome, finding, inserted)
    counts = Counter(fingerprint_of(finding, row) for row in came)
    now = _all_rows(outcome, finding, _table_like(outcome, finding, came)) if came else []
    counts.subtract(fingerprint for row in now if (fingerprint := fingerprint_of(finding, row)) in counts)
    return {fingerprint for fingerprint, surplus in counts.items() if surplus >= 0}


def _table_like(outcome: Outcome, finding: core.Finding, others: Sequence[Row]) -> pa.Table:
    """The rows that have the first column of the identity in common with others."""
    table, names = outcome.table(finding.relation), columns_of(outcome, finding.relation)
    column = names.index(next((name for name in finding.identity if name in names), names[0]))
    wanted = pa.array(sorted({str(row.order[column]) for row in others}), TEXT)
    return table.filter(pc.is_in(_as_text(table.column(column)), value_set=wanted))


def rows_like(outcome: Outcome, finding: core.Finding, others: Sequence[Row]) -> list[Row]:
    """The rows that are the same findings as others, as `rows_of` returns them."""
    if not others:
        return []
    table = _table_like(outcome, finding, others)
    fingerprints = {fingerprint_of(finding, row) for row in others}
    return [row for row in rows_of(outcome, finding, table) if fingerprint_of(finding, row) in fingerprints]


def _texts(column: pa.ChunkedArray) -> list[Cell]:
    """The cells of a column as numbers and texts; sets as `{…}`."""
    return [
        cell if isinstance(cell, str | int) else "{" + ", ".join(cell) + "}" if isinstance(cell, list) else str(cell)
        for cell in column.to_pylist()
    ]


def fingerprint_of(finding: core.Finding, row: Row) -> str:
    """A hash of the rule and the ids that tell its findings apart."""
    identity = [row.cells[name] for name in finding.identity if name in row.cells] or list(row.order)
    return _hash(finding.rule, *map(str, identity))


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


# ---- words and places


@dataclass(frozen=True)
class Described:
    """A finding without what became of it and who suppresses it. `ids`: those whose places, names and steps it was
    described by; `paths`: the files that declare them; `alone`: no other row is the same finding."""

    found: Found
    ids: tuple[str, ...]
    paths: tuple[str, ...]
    alone: bool


def described(
    outcome: Outcome, lines: Lines, parts: Sequence[tuple[core.Finding, Sequence[Row], Sequence[Flow]]]
) -> list[Described]:
    """Findings for rows of each rule and their flows, with places and source lines as of the snapshot of `lines`."""
    if not any(rows for _, rows, _ in parts):
        return []
    ids = {
        identity
        for finding, rows, flows in parts
        for row, flow in zip(rows, flows, strict=True)
        for identity in _placed(finding, row, flow)
    }
    spots = Spots.of(outcome.display, lines.facts, lines.files, ids)
    return [found for part in parts for found in _of_rule(outcome, lines, spots, *part)]


def _placed(finding: core.Finding, row: Row, flow: Flow) -> Iterator[str]:
    """Yield the ids of a row and its flow that have places."""
    cells = [row.cells.get(name) for name in finding.at[:1]]
    cells += [some.get(name) for some in _told_of(row) for name, _ in finding.related]
    yield from (cell for cell in cells if isinstance(cell, str))
    yield from (identity for identity, _ in flow)


def _of_rule(
    outcome: Outcome,
    lines: Lines,
    spots: Spots,
    finding: core.Finding,
    rows: Sequence[Row],
    flows: Sequence[Flow],
) -> Iterator[Described]:
    types = dict(zip(columns_of(outcome, finding.relation), column_types(outcome, finding.relation), strict=True))
    said = _Said(outcome, [row.cells for row in rows], types, finding)
    for row, flow in zip(rows, flows, strict=True):
        spot = _spot(finding, row, spots)
        line = lines.of(spot)
        steps = _steps(flow, spots)
        found = Found(
            finding.rule,
            _level(finding, row.cells, steps),
            said.message(row.cells),
            spot,
            finding.relation,
            tuple(map(str, row.order)),
            tuple(_related(finding, row, spots)),
            steps,
            fingerprint_of(finding, row),
            _hash(finding.rule, re.sub(r"\s+", "", line)) if line.strip() else "",
            source=line,
        )
        ids = dict.fromkeys((*_placed(finding, row, flow), *said.ids(row.cells)))
        paths = dict.fromkeys(filter(None, (*map(spots.owner, ids), spot.path if spot else "")))
        yield Described(found, tuple(ids), tuple(paths), not row.others)


def _level(finding: core.Finding, cells: Mapping[str, Cell], steps: Sequence[tuple[Spot, str]]) -> str:
    """The level of a finding with such steps: at the end of a long way it is a note, unless the rule has one level for
    all its findings."""
    level = finding.level_of(cells)
    return "note" if finding.level not in core.LEVELS and len(steps) > LONG_WAY else level


def _told_of(row: Row) -> tuple[Mapping[str, Cell], ...]:
    """The rows of which related places are told: a row, and some of those that are the same finding."""
    return row.cells, *row.others[:MOST_OTHERS]


def _related(finding: core.Finding, row: Row, spots: Spots) -> dict[tuple[Spot, str], None]:
    """The related places of a row, and then those of other rows that are the same finding; each once."""
    cells = ((some.get(name), text) for some in _told_of(row) for name, text in finding.related)
    return dict.fromkeys((place, text) for cell, text in cells if (place := spots.find(cell)) is not None)


def _steps(flow: Flow, spots: Spots) -> tuple[tuple[Spot, str], ...]:
    """The steps of a flow that have a text, with their places; steps one after the other that say the same of one
    place are one, as those of the parts of `a + b + c`."""
    told = [(place, text) for identity, text in flow if text and (place := spots.find(identity)) is not None]
    return tuple(step for step, _ in groupby(told))


def columns_of(outcome: Outcome, relation: str) -> list[str]:
    return [column.name for column in outcome.program.core.relations[relation].columns]


def _spot(finding: core.Finding, row: Row, spots: Spots) -> Spot | None:
    """The place of a finding: of an id, or by a path, a line and a column."""
    cells = [row.cells.get(name) for name in finding.at]
    if len(cells) == 1:
        return spots.find(cells[0])
    path, line, *column = cells
    return Spot(str(path), max(int(line or 1), 1), max(int(column[0] or 1), 1) if column else 1)


@dataclass(frozen=True)
class Spots:
    """The places of ids, and of the things that they belong to; `owners`: the files that declare them."""

    places: Mapping[str, Spot]
    owners: Owners

    @classmethod
    def of(cls, display: Display, facts: Facts, files: Files, ids: Iterable[Any]) -> Spots:
        """The places of these ids in a snapshot; only the files that declare them are looked at."""
        texts = {identity for identity in ids if isinstance(identity, str)}
        owners = Owners(files, display)
        wanted = {path: files.active[path] for path in sorted({owners.path(text) or "" for text in texts} - {""})}
        table = facts.reading(lambda: facts.tables.positions(wanted), [files])
        around = {part for text in texts for part in wholes(text)}
        table = table.filter(pc.is_in(table["id"], value_set=pa.array(sorted(around), table["id"].type)))
        rows = zip(*(table[name].to_pylist() for name in ("id", "path", "line", "column")), strict=True)
        return cls({identity: Spot(path, line, column) for identity, path, line, column in rows}, owners)

    def owner(self, identity: str) -> str | None:
        """The path of the file that declares what an id names; None if no file does."""
        return self.owners.path(identity)

    def find(self, identity: Any) -> Spot | None:
        """The place of an id, or else of the nearest thing that it belongs to."""
        if not isinstance(identity, str):
            return None
        return next((self.places[part] for part in wholes(identity) if part in self.places), None)


def wholes(identity: str) -> list[str]:
    """An id, and the ids before each of its slashes, nearest first."""
    parts = identity.split("/")
    return ["/".join(parts[:number]) for number in range(len(parts), 0, -1)]


class _Said:
    """Writes messages: ids in them as people call the things."""

    def __init__(
        self, outcome: Outcome, rows: Sequence[Mapping[str, Cell]], types: Mapping[str, str], finding: core.Finding
    ) -> None:
        self.finding = finding
        self.texts: dict[str, dict[Cell, str]] = {}
        for part in finding.message:
            if not isinstance(part, str) and part[0] in types:
                (column,) = part
                self.texts[column] = called(outcome, {row[column] for row in rows}, types[column].lower())

    def ids(self, cells: Mapping[str, Cell]) -> list[str]:
        """The ids in the message of a row."""
        return [cell for column in self.texts if isinstance(cell := cells.get(column), str)]

    def message(self, cells: Mapping[str, Cell]) -> str:
        """The message of a row."""
        return "".join(
            part if isinstance(part, str) else self.texts.get(part[0], {}).get(cells.get(part[0]), "")
            for part in self.finding.message
        )


def called(outcome: Outcome, cells: set[Cell], type_: str) -> dict[Cell, str]:
    """What people call the things with ids of a type."""
    display = outcome.display
    ids = sorted(cell for cell in cells if isinstance(cell, str))
    names = pa.array(ids, TEXT)
    if type_ in display.sites:
        names = what_of(names, display)
    elif type_ in display.named:
        names = looked_up(names, *named_things(outcome, display.named[type_]))
    said = {i: display.said(type_, name or i) for i, name in zip(ids, names.to_pylist(), strict=True)}
    return {cell: said[cell] if isinstance(cell, str) else str(cell) for cell in cells}


class Lines:
    """Source lines of a snapshot's files; "" for what is no text, or is gone."""

    def __init__(self, facts: Facts, files: Files) -> None:
        self.facts, self.files = facts, files
        self.read: dict[str, list[str]] = {}

    def of(self, spot: Spot | None) -> str:
        """The line of a place."""
        lines = self.all(spot.path) if spot else []
        return lines[spot.line - 1] if spot and 0 < spot.line <= len(lines) else ""

    def all(self, path: str) -> list[str]:
        """The lines of a file."""
        if path not in self.read:
            self.read[path] = self._lines(path)
        return self.read[path]

    def blob(self, path: str) -> str | None:
        """The id of the content of a file; None if it is not there."""
        return dict(self.files.snapshot.files).get(path) if path not in self.files.active else self.files.active[path]

    def _lines(self, path: str) -> list[str]:
        blob = self.blob(path)
        if blob is None:
            return []
        try:
            data = self.facts.project.source.read(path, blob)
        except LadderError:
            return []
        return [] if b"\0" in data else data.decode("utf-8", "replace").splitlines()


# ---- flows


class Steps:
    """The relations of steps of an outcome.

    nearest: breadth first search from all first steps at once, each step with the first step that is nearest to it
    flows: for each first step, the steps on shortest ways to all last steps of its rows; breadth first search among
    these, and a walk back from each
    """

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.tables: dict[str, _Table] = {}

    def nearest(self, finding: core.Finding, rows: Sequence[Row]) -> list[Row]:
        """Each row, or that one of those which are the same finding, of the same level, from whose first step the way
        is the shortest: what is told of where something comes from should be near. Of several the one whose first step
        is the least."""
        if finding.flow is None or not any(row.others for row in rows):
            return list(rows)
        relation, first, last = finding.flow
        table = self._table(relation)
        options = [{str(cells[first]): cells for cells in reversed(_as_bad(finding, row))} for row in rows]
        ends = [str(row.cells[last]) for row in rows]
        chosen = table.nearest(sorted(set().union(*options)), ends)
        apart: dict[tuple[str, ...], list[int]] = {}
        for number, (start, some) in enumerate(zip(chosen, options, strict=True)):
            if start is not None and start not in some:
                apart.setdefault(tuple(sorted(some)), []).append(number)
        for starts, numbers in apart.items():
            found = table.nearest(starts, [ends[number] for number in numbers])
            for number, start in zip(numbers, found, strict=True):
                chosen[number] = start
        return [
            row if start is None else _from(row, some[start])
            for row, start, some in zip(rows, chosen, options, strict=True)
        ]

    def flows(self, finding: core.Finding, rows: Sequence[Row]) -> list[Flow]:
        """For each row the shortest way from its first to its last step, as ids with texts; () where there is none."""
        if finding.flow is None or not rows:
            return [()] * len(rows)
        relation, first, last = finding.flow
        ends: dict[Cell, set[Cell]] = {}
        for row in rows:
            ends.setdefault(row.cells[first], set()).add(row.cells[last])
        table = self._table(relation)
        ways = {start: _ways(start, wanted, table.graph(start, wanted)) for start, wanted in ends.items()}
        types = dict(zip(columns_of(self.outcome, relation), column_types(self.outcome, relation), strict=True))
        kind, worded = types["to"].lower(), "text" in types
        return [_told(ways[row.cells[first]].get(row.cells[last], ()), self.outcome, kind, worded) for row in rows]

    def around(self, relation: str, changed: Sequence[pa.Table]) -> tuple[set[str], set[str]]:
        """The steps from which, now or before, one of these steps that came or went can be reached, and those that can
        be reached from one: only ways from the former to the latter may be others than before."""
        if not any(map(len, changed)):
            return set(), set()
        names = columns_of(self.outcome, relation)
        starts, ends = (
            {cell for table in changed for cell in _as_text(table.column(names.index(end))).to_pylist()}
            for end in ("from", "to")
        )
        table = self._table(relation).with_steps(changed)
        return table.before(starts), table.behind(ends)

    def _table(self, relation: str) -> _Table:
        if relation not in self.tables:
            self.tables[relation] = _Table.of(self.outcome.table(relation), columns_of(self.outcome, relation))
        return self.tables[relation]


@dataclass(frozen=True)
class _Table:
    """Steps by number. `ends`: what the numbers stand for; `source`, `target`: from which to which each step leads."""

    table: pa.Table
    ends: pa.Array
    source: npt.NDArray[np.int64]
    target: npt.NDArray[np.int64]

    @classmethod
    def of(cls, table: pa.Table, names: Sequence[str]) -> _Table:
        """The steps of a table with these columns."""
        table = table.rename_columns(list(names))
        chunks = [chunk for name in ("from", "to") for chunk in _as_text(table[name]).chunks]
        encoded = pa.chunked_array(chunks, TEXT).combine_chunks().dictionary_encode()
        numbers = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        return cls(table, encoded.dictionary, numbers[: len(table)], numbers[len(table) :])

    def with_steps(self, others: Sequence[pa.Table]) -> _Table:
        """These steps and others."""
        ends = ["from", "to"]
        tables = [self.table, *(other.rename_columns(self.table.column_names) for other in others)]
        texts = [pa.table({end: _as_text(table[end]) for end in ends}) for table in tables]
        return _Table.of(pa.concat_tables(texts), ends)

    def before(self, ends: Iterable[str]) -> set[str]:
        """What these ends can be reached from, themselves included."""
        return self._along(ends, self.target, self.source)

    def behind(self, starts: Iterable[str]) -> set[str]:
        """What can be reached from these ends, themselves included."""
        return self._along(starts, self.source, self.target)

    def _along(self, ends: Iterable[str], out: npt.NDArray[np.int64], into: npt.NDArray[np.int64]) -> set[str]:
        """What can be reached from these ends by steps from `out` to `into`."""
        found = _reached(self._numbers(ends), out, into, len(self.ends))
        return set(self.ends.take(pa.array(np.flatnonzero(found))).to_pylist())

    def nearest(self, starts: Sequence[str], ends: Sequence[str]) -> list[str | None]:
        """For each end the start that is nearest to it, the first of several; None where no way leads to it."""
        known = pc.index_in(pa.array([*starts, *ends], TEXT), value_set=self.ends).fill_null(-1).to_numpy()
        numbers, wanted = known[: len(starts)], known[len(starts) :]
        found = np.flatnonzero(numbers >= 0)
        rank = _nearest(numbers[found], found, self._order, self._first, self.target)
        chosen = np.where(wanted >= 0, rank[wanted], -1) if len(rank) else np.full(len(ends), -1)
        return [starts[one] if one >= 0 else None for one in chosen.tolist()]

    def graph(self, start: Cell, ends: Iterable[Cell]) -> _Graph:
        """A step → the steps after it, each with its place and text, in an order of their own; those alone that lie on
        a shortest way from `start` to one of `ends`, which are few of all."""
        wanted = self._numbers(map(str, ends))
        distance = _distances(self._numbers([str(start)]), self._order, self._first, self.target)
        nearer = (distance[self.source] >= 0) & (distance[self.source] + 1 == distance[self.target])
        leading = _reached(wanted, self.target[nearer], self.source[nearer], len(self.ends))
        table = self.table.filter(pa.array(nearer & leading[self.target]))
        columns = {name: _texts(column) for name, column in zip(table.column_names, table.columns, strict=True)}
        places, texts = (columns.get(name, [""] * len(table)) for name in ("at", "text"))
        successors: dict[Cell, list[tuple[Cell, str, str]]] = {}
        for source, target, place, text in zip(columns["from"], columns["to"], places, texts, strict=True):
            successors.setdefault(source, []).append((target, str(place), str(text)))
        for targets in successors.values():
            targets.sort(key=str)
        return successors

    @cached_property
    def _order(self) -> npt.NDArray[np.int64]:
        """The steps in the order of where they start, …"""
        return np.argsort(self.source, kind="stable")

    @cached_property
    def _first(self) -> npt.NDArray[np.int64]:
        """… and the first of them that starts at each end."""
        return np.searchsorted(self.source[self._order], np.arange(len(self.ends) + 1))

    def _numbers(self, ends: Iterable[str]) -> npt.NDArray[np.int64]:
        found = pc.index_in(pa.array(sorted(set(ends)), TEXT), value_set=self.ends).drop_null()
        numbers: npt.NDArray[np.int64] = found.to_numpy(zero_copy_only=False).astype(np.int64)
        return numbers


def _as_bad(finding: core.Finding, row: Row) -> list[Mapping[str, Cell]]:
    """The rows that are the same finding as one, itself included, and have its level."""
    level = finding.level_of(row.cells)
    return [cells for cells in (row.cells, *row.others) if finding.level_of(cells) == level]


def _from(row: Row, cells: Mapping[str, Cell]) -> Row:
    """That one of the rows that are the same finding which has these cells, with the others as they were in order."""
    others = tuple(other for other in (row.cells, *row.others) if other is not cells)
    return Row(cells, tuple(cells.values()), others)


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return (
        pa.chunked_array([list(map(str, _texts(column)))], TEXT) if pa.types.is_list(column.type) else column.cast(TEXT)
    )


def _reached(
    starts: npt.NDArray[np.int64], source: npt.NDArray[np.int64], target: npt.NDArray[np.int64], count: int
) -> npt.NDArray[np.bool_]:
    """For each of so many nodes whether it can be reached from the starts, themselves included."""
    order = np.argsort(source, kind="stable")
    first = np.searchsorted(source[order], np.arange(count + 1))
    return _distances(starts, order, first, target) >= 0


def _distances(
    starts: npt.NDArray[np.int64],
    order: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    target: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """For each node how many steps it is away from the starts, -1 for those that cannot be reached; the steps from a
    node are those at `first` of it and after, in `order`.

    frontier = starts; while there is one: its successors that were not reached before are the next
    """
    distance = np.full(len(first) - 1, -1, np.int64)
    frontier, steps = starts, 0
    distance[starts] = 0
    while len(frontier):
        steps += 1
        after = np.unique(target[order[_after(frontier, first)[1]]])
        frontier = after[distance[after] < 0]
        distance[frontier] = steps
    return distance


def _nearest(
    starts: npt.NDArray[np.int64],
    ranks: npt.NDArray[np.int64],
    order: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    target: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """For each node the least rank of those starts that are nearest to it, -1 for nodes that cannot be reached; steps
    as for `_distances`.

    frontier = starts, each with its rank; while there is one: its successors that were not reached before are the next,
    each with the least rank of those in the frontier that lead to it
    """
    none = np.iinfo(np.int64).max
    rank = np.full(len(first) - 1, none, np.int64)
    rank[starts] = ranks
    frontier = starts
    while len(frontier):
        origin, steps = _after(frontier, first)
        targets = target[order[steps]]
        new = rank[targets] == none
        np.minimum.at(rank, targets[new], rank[origin[new]])
        frontier = np.unique(targets[new])
    return np.where(rank == none, -1, rank)


def _after(
    frontier: npt.NDArray[np.int64], first: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Of each step from a node of the frontier: the node, and the number of the step in the order of nodes."""
    many = first[frontier + 1] - first[frontier]
    within = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    return np.repeat(frontier, many), np.repeat(first[frontier], many) + within


def _ways(start: Cell, wanted: set[Cell], successors: _Graph) -> dict[Cell, tuple[tuple[Cell, str, str], ...]]:
    """The shortest ways from `start` to each of the wanted ends that can be reached: (step, place, text) in order."""
    before: dict[Cell, tuple[Cell, str, str] | None] = {start: None}
    open_, missing = deque([start]), set(wanted) - {start}
    while open_ and missing:
        at = open_.popleft()
        for target, place, text in successors.get(at, ()):
            if target not in before:
                before[target] = at, place, text
                missing.discard(target)
                open_.append(target)
    found: dict[Cell, tuple[tuple[Cell, str, str], ...]] = {}
    for end in wanted & before.keys():
        way: list[tuple[Cell, str, str]] = []
        at = end
        while (step := before[at]) is not None:
            way.append((at, step[1], step[2]))
            at = step[0]
        way.append((start, "", ""))
        found[end] = tuple(reversed(way))
    return found


def _told(way: Sequence[tuple[Cell, str, str]], outcome: Outcome, kind: str, worded: bool) -> Flow:
    """The steps of a way: (id of the place, text). What the second one says of the place of the first is not said
    twice. A step without a text is called by its name; if the relation has texts (`worded`), only the first one is, and
    others have none."""
    if len(way) > 1 and not way[0][1] and way[1][1] == str(way[0][0]) and way[1][2]:
        way = way[1:]
    named = way[:1] if worded else way
    names = called(outcome, {step for step, _, text in named if not text}, kind)
    return tuple((place or str(step), text or names.get(step, "")) for step, place, text in way)
