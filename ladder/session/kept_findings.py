"""Findings as the last run described them, so that a run after a change describes what the change is about.

What is kept belongs to a state of the engine: `key` says of which program, options and files. Then every finding
follows from what is kept and from the rows that came and went since, and a finding is described anew if

- a row that is the same finding came or went,
- a file that declares an id in it has other contents, or an id is declared elsewhere than before,
- an id in it got another name, or
- a step came or went between the first and the last step of its flow, or, if several rows are the finding, before the
  last one.

    findings/NAME   sealed; a hash of the key, then JSON in which texts are numbers
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ladder.errors import StateError
from ladder.language import core
from ladder.report.findings import Found, Spot
from ladder.session.analyze import Outcome
from ladder.session.describing import Described, Row, Steps, columns_of, fingerprint_of, rows_of
from ladder.session.facts import Files
from ladder.session.names import Owners
from ladder.session.remarks import Remarks
from ladder.support.files import write_atomically
from ladder.support.json_text import read_object
from ladder.support.private import read_own
from ladder.support.seals import Seal

PURPOSE = "described findings"
# the code that says what a finding looks like
DESCRIBING = (
    "report/findings.py",
    "report/results.py",
    "session/describing.py",
    "session/kept_findings.py",
    "session/names.py",
    "session/remarks.py",
)


@dataclass(frozen=True)
class Kept:
    """The findings of a state, and what the files that they are in say about findings (path → blob id, remarks).
    `text`: the same as it was read, None if it was not."""

    described: Sequence[Described] = ()
    remarks: Mapping[str, tuple[str, Remarks]] = field(default_factory=dict)
    text: bytes | None = field(default=None, compare=False, repr=False)


# ---- what still holds


def still_valid(kept: Kept, outcome: Outcome, steps: Steps) -> tuple[dict[str, Described], dict[str, list[Row]]]:
    """(finding by fingerprint, of those that are as they were; by rule, rows that came or went)."""
    moved = {finding.rule: _moved(outcome, finding) for finding in outcome.program.core.findings}
    gone = {fingerprint_of(finding, row) for finding in outcome.program.core.findings for row in moved[finding.rule]}
    stale = _Stale.of(outcome, steps)
    here = {d.found.fingerprint: d for d in kept.described if d.found.fingerprint not in gone and not stale.has(d)}
    return here, moved


def _moved(outcome: Outcome, finding: core.Finding) -> list[Row]:
    return [row for table in outcome.changes(finding.relation) for row in rows_of(outcome, finding, table)]


@dataclass(frozen=True)
class _Stale:
    """What a change affects of the findings before: files with other contents, ids that are declared elsewhere
    (`elsewhere` tells), ids with other names, and for each rule with flows the steps from which and those to which ways
    may be others, each with the number of the column that has the first or the last step."""

    paths: frozenset[str]
    elsewhere: Callable[[str], bool] | None
    ids: frozenset[str]
    ways: Mapping[str, tuple[tuple[int, set[str]], tuple[int, set[str]]]]

    @classmethod
    def of(cls, outcome: Outcome, steps: Steps) -> _Stale:
        """What the change of an outcome since its state was opened affects."""
        assert outcome.opened is not None
        before, now = outcome.opened, outcome.files
        old, new = (Owners(files, outcome.display) for files in (before, now))
        elsewhere = None if old.paths == new.paths else cache(lambda identity: old.path(identity) != new.path(identity))
        ids = {
            str(identity)
            for relation in outcome.display.named.values()
            if relation in outcome.program.core.relations
            for table in outcome.changes(relation)
            for identity in table.column(0).to_pylist()
        }
        around = cache(lambda relation: steps.around(relation, outcome.changes(relation)))
        ways = {}
        for finding in outcome.program.core.findings:
            if finding.flow is not None:
                relation, first, last = finding.flow
                names = columns_of(outcome, finding.relation)
                starts, ends = around(relation)
                ways[finding.rule] = (names.index(first), starts), (names.index(last), ends)
        return cls(frozenset(changed_paths(before, now)), elsewhere, frozenset(ids), ways)

    def has(self, described: Described) -> bool:
        """Whether a finding is affected."""
        found = described.found
        return (
            not self.paths.isdisjoint(described.paths)
            or (found.rule in self.ways and self._has_way(described))
            or not self.ids.isdisjoint(described.ids)
            or (self.elsewhere is not None and any(map(self.elsewhere, described.ids)))
        )

    def _has_way(self, described: Described) -> bool:
        """Whether another way may be the shortest now."""
        (first, starts), (last, ends) = self.ways[described.found.rule]
        row = described.found.row
        return row[last] in ends and (not described.alone or row[first] in starts)


def changed_paths(before: Files, now: Files) -> set[str]:
    """The paths of files that came, went or have other contents."""
    old, new = dict(before.snapshot.files), dict(now.snapshot.files)
    return {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}


# ---- on disk


def read(file: Path, seal: Seal, key: str) -> Kept | None:
    """What is kept in a file, if it belongs to the state with this key; None otherwise."""
    try:
        content = seal.unsealed(PURPOSE, read_own(file, seal.trusted))
        found, _, text = (content or b"").partition(b"\n")
        return _decoded(read_object(text), text) if found == _whole(key) else None
    except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, StateError):
        return None


def write(file: Path, seal: Seal, key: str, kept: Kept, before: Kept | None) -> None:
    """Keep findings in a file, for the state with this key; `before`: what was read."""
    file.parent.mkdir(mode=0o755, exist_ok=True)
    same = before is not None and _is_same(kept, before)
    text = before.text if before is not None and same else None
    if text is None:
        text = json.dumps(_encoded(kept), separators=(",", ":")).encode()
    write_atomically(file, seal.sealed(PURPOSE, _whole(key) + b"\n" + text))


def _is_same(kept: Kept, before: Kept) -> bool:
    """Whether nothing was described anew: findings that still hold are the objects that were read."""
    known = set(map(id, before.described))
    return (
        len(kept.described) == len(known)
        and all(id(one) in known for one in kept.described)
        and kept.remarks == before.remarks
    )


def _whole(key: str) -> bytes:
    return sha256(f"{_version()} {key}".encode()).hexdigest().encode()


@cache
def _version() -> str:
    """A hash of the code that describes findings."""
    digest = sha256()
    for file in DESCRIBING:
        digest.update((Path(__file__).parents[1] / file).read_bytes())
    return digest.hexdigest()[:32]


def _encoded(kept: Kept) -> dict[str, Any]:
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def placed(steps: Iterable[tuple[Spot, str]]) -> list[list[int]]:
        return [[number(spot.path), spot.line, spot.column, number(text)] for spot, text in steps]

    def encoded(described: Described) -> list[Any]:
        found = described.found
        spot = found.spot and [number(found.spot.path), found.spot.line, found.spot.column]
        texts_ = (found.rule, found.level, found.message, found.relation, found.source)
        return [
            [*map(number, texts_)],
            spot,
            [*map(number, found.row)],
            placed(found.related),
            placed(found.flow),
            found.fingerprint,
            found.by_line,
            [*map(number, described.ids)],
            [*map(number, described.paths)],
            described.alone,
        ]

    found = [encoded(described) for described in kept.described]
    remarks = {path: [blob, *remarks.stored()] for path, (blob, remarks) in kept.remarks.items()}
    return {"found": found, "remarks": remarks, "texts": list(texts)}


def _decoded(stored: Mapping[str, Any], text: bytes) -> Kept:
    texts: list[str] = stored["texts"]
    remarks = {path: (blob, Remarks.of_stored(*parts)) for path, (blob, *parts) in stored["remarks"].items()}
    return Kept(list(_all_decoded(stored["found"], texts)), remarks, text)


def _all_decoded(rows: Iterable[Any], texts: Sequence[str]) -> Iterator[Described]:
    known: dict[tuple[int, int, int, int], tuple[Spot, str]] = {}

    def step(part: Sequence[int]) -> tuple[Spot, str]:
        key = (part[0], part[1], part[2], part[3])
        if key not in known:
            known[key] = Spot(texts[key[0]], key[1], key[2]), texts[key[3]]
        return known[key]

    for (rule, level, message, relation, source), spot, row, related, flow, fingerprint, by_line, *rest in rows:
        found = Found(
            texts[rule],
            texts[level],
            texts[message],
            spot and Spot(texts[spot[0]], spot[1], spot[2]),
            texts[relation],
            tuple(texts[n] for n in row),
            tuple(map(step, related)),
            tuple(map(step, flow)),
            fingerprint,
            by_line,
            source=texts[source],
        )
        ids, paths, alone = rest
        yield Described(found, tuple(texts[n] for n in ids), tuple(texts[n] for n in paths), alone)
