"""The findings of an outcome: rows of the relations that `.finding` names, with words, places, flows, what became of
them since the baseline, and who suppresses them."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ladder.errors import LadderError
from ladder.frontends.protocol import Display, Suppressions
from ladder.language import core
from ladder.report.findings import KNOWN, Findings, Found, Rule, Spot
from ladder.report.results import TEXT, looked_up, what_of
from ladder.session.analyze import Outcome
from ladder.session.facts import Facts, Files
from ladder.session.names import Owners, column_types, named_things
from ladder.support.counts import counted

COMMENT = re.compile(r"(?://|/\*|#)\s*ladder:\s*ignore\b[ \t]*(?P<rule>[\w./*-]*)[ \t]*(?P<reason>.*?)\s*(?:\*/.*)?$")
Cell = Any
_Flow = tuple[tuple[str, str], ...]
_Graph = Mapping[Cell, Sequence[tuple[Cell, str, str]]]


def findings_of(outcome: Outcome, facts: Facts, since: str, known: Mapping[str, str]) -> Findings:
    """The findings of an outcome; `since`: what they are compared with, "" for nothing; `known`: fingerprints of
    findings that are suppressed → by which file."""
    declared = outcome.program.core.findings
    if not declared:
        return Findings()
    lines, steps = Lines(facts, outcome.files), _Steps(outcome)
    now = [(finding, _rows(outcome, finding, None)) for finding in declared]
    went = [(finding, _rows(outcome, finding, outcome.deleted)) for finding in declared]
    inserted = {_fingerprint(f, row) for f in declared for row in _rows(outcome, f, outcome.inserted)}
    present = _described(outcome, lines, [(f, rows, steps.flows(f, rows)) for f, rows in now if rows])
    gone: list[Found] = []
    if outcome.before is not None:
        earlier = Lines(facts, outcome.before)
        gone = _described(outcome, earlier, [(f, rows, [()] * len(rows)) for f, rows in went if rows])
    found = compared(present, gone, inserted) if outcome.before is not None else present
    suppressed, idle = _suppressed(found, outcome, lines, known)
    rules = {f.rule: Rule(f.rule, f.level, f.title, f.tags, f.help) for f in declared}
    return Findings(sorted(suppressed, key=lambda finding: finding.key), rules, idle, since)


# ---- rows


@dataclass(frozen=True)
class _Row:
    """A row of a relation of findings: its ids by column, and the same in order."""

    cells: Mapping[str, Cell]
    order: tuple[Cell, ...]


def _rows(outcome: Outcome, finding: core.Finding, side: Mapping[str, pa.Table] | None) -> list[_Row]:
    """The rows of a relation of findings: all, or those of one side of a change; of several that are the same finding,
    in different contexts for example, the first."""
    if side is not None and finding.relation not in side:
        return []
    table = outcome.table(finding.relation) if side is None else side[finding.relation]
    names = [column.name for column in outcome.program.core.relations[finding.relation].columns]
    columns = [_texts(column) for column in table.columns]
    rows = sorted(zip(*columns, strict=True), key=lambda row: tuple(map(str, row)))
    first: dict[str, _Row] = {}
    for order in rows:
        row = _Row(dict(zip(names, order, strict=True)), order)
        first.setdefault(_fingerprint(finding, row), row)
    return list(first.values())


def _texts(column: pa.ChunkedArray) -> list[Cell]:
    """The cells of a column as numbers and texts; sets as `{…}`."""
    return [
        cell if isinstance(cell, str | int) else "{" + ", ".join(cell) + "}" if isinstance(cell, list) else str(cell)
        for cell in column.to_pylist()
    ]


def _fingerprint(finding: core.Finding, row: _Row) -> str:
    """A hash of the rule and the ids that tell its findings apart."""
    identity = [row.cells[name] for name in finding.identity if name in row.cells] or list(row.order)
    return _hash(finding.rule, *map(str, identity))


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


# ---- words and places


def _described(
    outcome: Outcome, lines: Lines, parts: Sequence[tuple[core.Finding, Sequence[_Row], Sequence[_Flow]]]
) -> list[Found]:
    """Findings for rows of each rule and their flows, with places and source lines as of the snapshot of `lines`."""
    if not parts:
        return []
    ids = {
        row.cells[name]
        for finding, rows, _ in parts
        for name in (*finding.at[:1], *(name for name, _ in finding.related))
        for row in rows
        if name in row.cells
    }
    steps = {str(identity) for _, _, flows in parts for flow in flows for identity, _ in flow}
    spots = Spots.of(outcome.display, lines.facts, lines.files, ids | steps)
    return [found for part in parts for found in _of_rule(outcome, lines, spots, *part)]


def _of_rule(
    outcome: Outcome,
    lines: Lines,
    spots: Spots,
    finding: core.Finding,
    rows: Sequence[_Row],
    flows: Sequence[_Flow],
) -> Iterator[Found]:
    types = dict(zip(_columns(outcome, finding.relation), column_types(outcome, finding.relation), strict=True))
    said = _Said(outcome, [row.cells for row in rows], types, finding)
    for row, flow in zip(rows, flows, strict=True):
        spot = _spot(finding, row, spots)
        line = lines.of(spot)
        yield Found(
            finding.rule,
            finding.level,
            said.message(row.cells),
            spot,
            finding.relation,
            tuple(map(str, row.order)),
            tuple(
                (place, text)
                for name, text in finding.related
                if (place := spots.find(row.cells.get(name))) is not None
            ),
            tuple((place, text) for identity, text in flow if (place := spots.find(identity)) is not None),
            _fingerprint(finding, row),
            _hash(finding.rule, re.sub(r"\s+", "", line)) if line.strip() else "",
            source=line,
        )


def _columns(outcome: Outcome, relation: str) -> list[str]:
    return [column.name for column in outcome.program.core.relations[relation].columns]


def _spot(finding: core.Finding, row: _Row, spots: Spots) -> Spot | None:
    """The place of a finding: of an id, or by a path, a line and a column."""
    cells = [row.cells.get(name) for name in finding.at]
    if len(cells) == 1:
        return spots.find(cells[0])
    path, line, *column = cells
    return Spot(str(path), max(int(line or 1), 1), max(int(column[0] or 1), 1) if column else 1)


@dataclass(frozen=True)
class Spots:
    """The places of ids, and of the things that they belong to."""

    places: Mapping[str, Spot]

    @classmethod
    def of(cls, display: Display, facts: Facts, files: Files, ids: Iterable[Any]) -> Spots:
        """The places of these ids in a snapshot; only the files that declare them are looked at."""
        texts = {identity for identity in ids if isinstance(identity, str)}
        owners = Owners(files, display)
        wanted = {path: files.active[path] for path in sorted({owners.path(text) or "" for text in texts} - {""})}
        table = facts.reading(lambda: facts.tables.positions(wanted), [files])
        around = {part for text in texts for part in _wholes(text)}
        table = table.filter(pc.is_in(table["id"], value_set=pa.array(sorted(around), table["id"].type)))
        rows = zip(*(table[name].to_pylist() for name in ("id", "path", "line", "column")), strict=True)
        return cls({identity: Spot(path, line, column) for identity, path, line, column in rows})

    def find(self, identity: Any) -> Spot | None:
        """The place of an id, or else of the nearest thing that it belongs to."""
        if not isinstance(identity, str):
            return None
        return next((self.places[part] for part in _wholes(identity) if part in self.places), None)


def _wholes(identity: str) -> list[str]:
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

    def _lines(self, path: str) -> list[str]:
        blob = dict(self.files.snapshot.files).get(path) if path not in self.files.active else self.files.active[path]
        if blob is None:
            return []
        try:
            data = self.facts.project.source.read(path, blob)
        except LadderError:
            return []
        return [] if b"\0" in data else data.decode("utf-8", "replace").splitlines()


# ---- flows


class _Steps:
    """The relations of steps of an outcome, each as a graph that is made once for all rules that have it.

    flows: for each first step, breadth first search to all last steps of its rows; walk back from each
    """

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.graphs: dict[str, _Graph] = {}

    def flows(self, finding: core.Finding, rows: Sequence[_Row]) -> list[_Flow]:
        """For each row the shortest way from its first to its last step, as ids with texts; () where there is none."""
        if finding.flow is None or not rows:
            return [()] * len(rows)
        relation, first, last = finding.flow
        if relation not in self.graphs:
            self.graphs[relation] = self._graph(relation)
        ends: dict[Cell, set[Cell]] = {}
        for row in rows:
            ends.setdefault(row.cells[first], set()).add(row.cells[last])
        ways = {start: _ways(start, wanted, self.graphs[relation]) for start, wanted in ends.items()}
        types = dict(zip(_columns(self.outcome, relation), column_types(self.outcome, relation), strict=True))
        kind = types["to"].lower()
        return [_told(ways[row.cells[first]].get(row.cells[last], ()), self.outcome, kind) for row in rows]

    def _graph(self, relation: str) -> _Graph:
        """A step → the steps after it, each with its place and text, in an order of their own."""
        table = self.outcome.table(relation)
        names = _columns(self.outcome, relation)
        columns = {name: _texts(column) for name, column in zip(names, table.columns, strict=True)}
        places, texts = (columns.get(name, [""] * len(table)) for name in ("at", "text"))
        successors: dict[Cell, list[tuple[Cell, str, str]]] = {}
        for source, target, place, text in zip(columns["from"], columns["to"], places, texts, strict=True):
            successors.setdefault(source, []).append((target, str(place), str(text)))
        for targets in successors.values():
            targets.sort(key=str)
        return successors


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


def _told(way: Sequence[tuple[Cell, str, str]], outcome: Outcome, kind: str) -> _Flow:
    """The steps of a way: (id of the place, text)."""
    names = called(outcome, {step for step, _, text in way if not text}, kind)
    return tuple((place or str(step), text or names[step]) for step, place, text in way)


# ---- what became of them


def compared(present: Sequence[Found], gone: Sequence[Found], inserted: set[str]) -> list[Found]:
    """The findings with their states, those that are gone included.

    A finding is the same as one before if it has the same fingerprint; or else if it is of the same rule and its line
    has the same text, but for blanks: what was renamed or moved to another file around it is no change of its own.
    """
    here = {finding.fingerprint for finding in present}
    left = [finding for finding in gone if finding.fingerprint not in here]
    fingerprints = {finding.fingerprint for finding in gone}
    lines = Counter(finding.by_line for finding in left if finding.by_line)
    found: list[Found] = []
    for finding in present:
        new = finding.fingerprint in inserted and finding.fingerprint not in fingerprints
        if new and lines[finding.by_line]:
            lines[finding.by_line] -= 1
            new = False
        found.append(replace(finding, state="new" if new else "unchanged"))
    for finding in left:
        if lines[finding.by_line] or not finding.by_line:
            lines[finding.by_line] -= bool(finding.by_line)
            found.append(replace(finding, state="absent"))
    return found


# ---- who suppresses them


def _suppressed(
    found: Sequence[Found], outcome: Outcome, lines: Lines, known: Mapping[str, str]
) -> tuple[list[Found], list[tuple[Spot | None, str]]]:
    """(the findings with who suppresses them, suppressions that suppress nothing)."""
    by_annotation = _annotated(outcome, lines.facts, [f for f in found if f.state != "absent"])
    used_comments: set[tuple[str, int]] = set()
    used_known: set[str] = set()
    result = []
    for finding in found:
        reason = ""
        if finding.state != "absent":
            comment = _comment(finding, lines)
            if comment is not None:
                used_comments.add((finding.spot.path if finding.spot else "", comment[0]))
                reason = f"comment in line {comment[0]}" + (f": {comment[1]}" if comment[1] else "")
            elif finding in by_annotation:
                reason = f"annotation of {by_annotation[finding]}"
            elif finding.fingerprint in known:
                reason = f"{KNOWN} {known[finding.fingerprint]}"
            used_known |= {finding.fingerprint} & known.keys()
        result.append(replace(finding, suppressed=reason))
    idle = _idle_comments(outcome, lines, used_comments)
    idle += [
        (None, f"{counted(number, 'finding')} of {file} {'is' if number == 1 else 'are'} not there any more")
        for file, number in sorted(Counter(known[key] for key in known.keys() - used_known).items())
    ]
    return result, idle


def _comment(finding: Found, lines: Lines) -> tuple[int, str] | None:
    """(line, reason) of the comment that suppresses a finding: at its line, or alone in the line before."""
    if finding.spot is None:
        return None
    text, number = lines.all(finding.spot.path), finding.spot.line
    for at in (number, number - 1):
        if not 0 < at <= len(text):
            continue
        match = COMMENT.search(text[at - 1])
        alone = match is not None and not text[at - 1][: match.start()].strip()
        if match and (at == number or alone) and match["rule"] in (finding.rule, "*"):
            return at, match["reason"]
    return None


def _idle_comments(outcome: Outcome, lines: Lines, used: set[tuple[str, int]]) -> list[tuple[Spot | None, str]]:
    """Comments that suppress nothing, in files that have findings or that changed; the others are not read for it."""
    rules = {finding.rule for finding in outcome.program.core.findings}
    idle: list[tuple[Spot | None, str]] = []
    before = outcome.before.active if outcome.before else {}
    changed = {path for path, blob in outcome.files.active.items() if before.get(path) != blob}
    for path in sorted(lines.read.keys() | changed):
        for number, line in enumerate(lines.all(path), start=1):
            match = COMMENT.search(line) if "ladder:" in line else None
            if match is None or (path, number) in used:
                continue
            spot = Spot(path, number, match.start() + 1)
            if not match["rule"]:
                idle.append((spot, "this comment names no rule: // ladder: ignore RULE reason, or * for all"))
            elif match["rule"] in rules | {"*"}:
                idle.append((spot, f"this comment suppresses nothing: there is no finding of {match['rule']} here"))
    return idle


def _annotated(outcome: Outcome, facts: Facts, found: Sequence[Found]) -> dict[Found, str]:
    """Findings → the declaration with the annotation that suppresses them."""
    reader: Suppressions | None = getattr(facts.front_end, "suppressions", None)
    files = outcome.files
    paths = {finding.spot.path for finding in found if finding.spot and finding.spot.path in files.active}
    if reader is None or not paths:
        return {}
    blobs = [files.active[path] for path in sorted(paths)]
    tables = facts.reading(lambda: facts.tables.read(blobs, list(reader.relations)), [files])
    rules = reader.of({name: list(zip(*(c.to_pylist() for c in t.columns), strict=True)) for name, t in tables.items()})
    result: dict[Found, str] = {}
    if not rules:
        return result
    at = {finding.relation: finding.at[0] for finding in outcome.program.core.findings if len(finding.at) == 1}
    for finding in found:
        names = _columns(outcome, finding.relation)
        if finding.relation in at:
            identity = finding.row[names.index(at[finding.relation])]
            for declaration in (*_wholes(identity), *outcome.display.declared_in(identity)):
                if rules.get(declaration, frozenset()) & {finding.rule, "*"}:
                    result[finding] = declaration
                    break
    return result
