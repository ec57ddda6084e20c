"""The findings of an outcome: rows of the relations that `.finding` names, with words, places, flows, what became of
them since the baseline, and who suppresses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ladder.language import core
from ladder.language.errors import did_you_mean
from ladder.report.findings import GENERATED, KNOWN, Findings, Found, Logged, Rule, Spot
from ladder.session.analyze import Outcome
from ladder.session.describing import (
    Described,
    Flow,
    Lines,
    Row,
    Steps,
    came_whole,
    columns_of,
    described,
    rows_like,
    rows_of,
    wholes,
)
from ladder.session.facts import Facts
from ladder.session.kept_findings import Kept, still_valid
from ladder.session.remarks import Comment, Remarks, annotations_of, comments_of, generated_line, shipped_rules
from ladder.support.counts import counted

Idle = tuple[Spot | None, str]  # a suppression that suppresses nothing: where it is, and what is said of it


def findings_of(
    outcome: Outcome, facts: Facts, since: str, known: Mapping[str, Logged], kept: Kept | None = None
) -> tuple[Findings, Kept]:
    """(the findings of an outcome, what of them is worth keeping for the next run).

    `since`: what they are compared with, "" for nothing; `known`: fingerprints of findings that are suppressed → by
    which file; `kept`: the findings of the state that was opened.
    """
    declared = outcome.program.core.findings
    if not declared:
        return Findings(), Kept()
    lines = Lines(facts, outcome.files)
    now = sorted(_present(outcome, lines, kept), key=lambda one: one.found.key)
    inserted = {
        fingerprint
        for f in declared
        if f.relation in outcome.inserted
        for fingerprint in came_whole(outcome, f, outcome.inserted[f.relation])
    }
    present = [one.found for one in now]  # in their order, so that nothing depends on which of them were kept
    if outcome.before is not None:
        went = [(f, rows, [()] * len(rows)) for f in declared if (rows := _side(outcome, f, outcome.deleted))]
        gone = [one.found for one in described(outcome, Lines(facts, outcome.before), went)]
        found = compared(present, gone, inserted)
    else:
        found = present
    remarks = _remarks(present, outcome, lines, kept)
    suppressed, idle, used = _suppressed(found, outcome, lines, remarks, known)
    rules = {f.rule: Rule(f.rule, f.usual_level, f.title, f.tags, f.help) for f in declared}
    keeping = Kept(now, {path: (blob, said) for path, said in remarks.items() if (blob := lines.blob(path))})
    return Findings(sorted(suppressed, key=lambda finding: finding.key), rules, idle, since, used), keeping


def _side(outcome: Outcome, finding: core.Finding, side: Mapping[str, object]) -> list[Row]:
    """The rows of a relation of findings on one side of the change."""
    return rows_of(outcome, finding, side[finding.relation]) if finding.relation in side else []


def _present(outcome: Outcome, lines: Lines, kept: Kept | None) -> list[Described]:
    """All findings that are there: those of before that are as they were, and the others described.

    without findings that are kept: describe every row
    else: describe the rows that are findings which came or went, and those of which something else changed
    """
    declared, steps = outcome.program.core.findings, Steps(outcome)
    if kept is None:
        return described(outcome, lines, _with_flows(steps, [(f, rows_of(outcome, f)) for f in declared]))
    here, moved = still_valid(kept, outcome, steps)
    stale: dict[str, list[Row]] = {}
    for one in kept.described:
        if one.found.fingerprint not in here:
            order = one.found.row
            stale.setdefault(one.found.rule, []).append(
                Row(dict(zip(columns_of(outcome, one.found.relation), order, strict=True)), order)
            )
    again = [(f, rows_like(outcome, f, [*moved[f.rule], *stale.get(f.rule, [])])) for f in declared]
    return [*here.values(), *described(outcome, lines, _with_flows(steps, again))]


def _with_flows(
    steps: Steps, parts: Sequence[tuple[core.Finding, Sequence[Row]]]
) -> list[tuple[core.Finding, Sequence[Row], Sequence[Flow]]]:
    """Rows of each rule, those of which the shortest flow is told, and their flows."""
    nearest = [(finding, steps.nearest(finding, rows)) for finding, rows in parts if rows]
    return [(finding, rows, steps.flows(finding, rows)) for finding, rows in nearest]


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
        found.append(finding.as_of("new" if new else "unchanged"))
    for finding in left:
        if lines[finding.by_line] or not finding.by_line:
            lines[finding.by_line] -= bool(finding.by_line)
            found.append(finding.as_of("absent"))
    return found


# ---- who suppresses them


def _remarks(present: Iterable[Found], outcome: Outcome, lines: Lines, kept: Kept | None) -> dict[str, Remarks]:
    """What is said about findings in the files that have some, or comments about some; of files that are as they were
    it is known."""
    files, before = outcome.files.active, kept.remarks if kept else {}
    read = outcome.opened.active if kept and outcome.opened else {}
    known = {path: remarks for path, (blob, remarks) in before.items() if blob == lines.blob(path)}
    paths = {finding.spot.path for finding in present if finding.spot}
    paths.update(path for path, remarks in known.items() if remarks.comments and path in files)
    paths.update(path for path in files if files[path] != read.get(path) and comments_of(lines.all(path)))
    annotations = annotations_of(lines.facts, lines.files, sorted(paths - known.keys()))
    found = {path: known[path] for path in sorted(paths) if path in known}
    for path in sorted(paths - known.keys()):
        text = lines.all(path)
        found[path] = Remarks(comments_of(text), annotations.get(path, {}), generated_line(text))
    return found


def _suppressed(
    found: Sequence[Found], outcome: Outcome, lines: Lines, remarks: Mapping[str, Remarks], known: Mapping[str, Logged]
) -> tuple[list[Found], list[Idle], frozenset[Idle]]:
    """(the findings with who suppresses them, suppressions that suppress nothing, others)."""
    by_annotation = _annotated(outcome, remarks, [f for f in found if f.state != "absent"])
    used_comments: set[Idle] = set()
    used_known: set[str] = set()
    result = []
    for finding in found:
        reason = ""
        if finding.state != "absent":
            comment = _comment(finding, remarks)
            if comment is not None:
                used_comments.add(_nothing(finding.spot.path if finding.spot else "", comment))
                reason = f"comment in line {comment.line}" + (f": {comment.reason}" if comment.reason else "")
            elif finding in by_annotation:
                reason = f"annotation of {by_annotation[finding]}"
            elif finding.fingerprint in known:
                reason = f"{KNOWN} {known[finding.fingerprint].file}"
            elif finding.spot is not None and (line := remarks[finding.spot.path].generated):
                reason = f"{GENERATED}: {line}"
            if finding.fingerprint in known:
                used_known.add(finding.fingerprint)
        result.append(replace(finding, suppressed=reason) if reason else finding)
    rules = {finding.rule for finding in outcome.program.core.findings}
    idle = _idle_comments(remarks, used_comments, rules)
    gone = [known[key] for key in known.keys() - used_known if known[key].rule in rules]
    idle += [
        (None, f"{counted(number, 'finding')} of {file} {'is' if number == 1 else 'are'} not there any more: {rule}")
        for (file, rule), number in sorted(Counter((one.file, one.rule) for one in gone).items())
    ]
    return result, idle, frozenset(used_comments)


def _comment(finding: Found, remarks: Mapping[str, Remarks]) -> Comment | None:
    """The comment that suppresses a finding: at its line, or alone in the line before."""
    if finding.spot is None or not (comments := remarks[finding.spot.path].comments):
        return None
    line = finding.spot.line
    here = [
        c for c in comments if c.rule in (finding.rule, "*") and (c.line == line or (c.line == line - 1 and c.alone))
    ]
    return max(here, key=lambda comment: comment.line, default=None)


def _nothing(path: str, comment: Comment) -> Idle:
    """What is said of a comment that suppresses nothing."""
    text = f"this comment suppresses nothing: there is no finding of {comment.rule} here"
    return Spot(path, comment.line, comment.column), text


def _idle_comments(remarks: Mapping[str, Remarks], used: set[Idle], rules: set[str]) -> list[Idle]:
    """Comments that suppress nothing; `rules`: those of the analysis."""
    idle: list[Idle] = []
    for path in sorted(remarks):
        for comment in remarks[path].comments:
            spot = Spot(path, comment.line, comment.column)
            if not comment.rule:
                idle.append((spot, "this comment names no rule: // ladder: ignore RULE reason, or * for all"))
            elif comment.rule in rules | {"*"}:
                idle += [] if (line := _nothing(path, comment)) in used else [line]
            elif comment.rule not in (known := rules | shipped_rules()) and (hint := did_you_mean(comment.rule, known)):
                text = f"this comment suppresses nothing: neither this run nor Ladder has a rule {comment.rule}, {hint}"
                idle.append((spot, text))
    return idle


def _annotated(outcome: Outcome, remarks: Mapping[str, Remarks], found: Sequence[Found]) -> dict[Found, str]:
    """Findings → the declaration with the annotation that suppresses them."""
    rules = {declaration: names for said in remarks.values() for declaration, names in said.annotations.items()}
    result: dict[Found, str] = {}
    if not rules:
        return result
    at = {finding.relation: finding.at[0] for finding in outcome.program.core.findings if len(finding.at) == 1}
    for finding in found:
        names = columns_of(outcome, finding.relation)
        if finding.relation in at:
            identity = finding.row[names.index(at[finding.relation])]
            for declaration in (*wholes(identity), *outcome.display.declared_in(identity)):
                if rules.get(declaration, frozenset()) & {finding.rule, "*"}:
                    result[finding] = declaration
                    break
    return result
