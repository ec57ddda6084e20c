"""The summary of a run, as text for people and as JSON."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ladder.api.rows import Work
from ladder.frontends.protocol import Display
from ladder.report.findings import Findings, Found, Spot, Style, as_lines, merged, plain
from ladder.support.columns import aligned
from ladder.support.counts import counted
from ladder.support.terminal import as_json as shown_json
from ladder.support.terminal import visible

if TYPE_CHECKING:
    from ladder.api.program import Program
    from ladder.engine.local.profile import Profile
    from ladder.engine.spark.report import RunReport

JSON_VERSION = 2  # of the form of `as_json`
SHOWN_ROWS, SHOWN_DIAGNOSTICS, SHOWN_FILES = 40, 10, 20
SIZES = (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))
LITTLE, WIDEST = 0.5, "public"  # less than this share reached is little; the policy that reaches more
Diagnostic = tuple[str, int, int, str, str]  # path, line, column, kind, message
PHANTOMS = ("PhantomClass", "PhantomType")


@dataclass(frozen=True)
class Scope:
    """How much of a program an analysis is about; None where it does not say.

    `entries`: why entry points are some → how many there are. `reached`: (how many methods with a body they reach, how
    many there are). `unsound`: what is left out at a place → how many such places there are.
    """

    entries: Mapping[str, int] | None = None
    reached: tuple[int, int] | None = None
    unsound: Mapping[str, int] | None = None

    @property
    def share(self) -> float:
        """The share of the methods that is reached; 1 where there are none."""
        return self.reached[0] / self.reached[1] if self.reached and self.reached[1] else 1.0


@dataclass(frozen=True)
class AnalysisReport:
    """The results of one analysis: the number of rows of each table, what they are about, and the rows that came and
    went, with names (first column `change`), by table and by file (`owners`); `temporary` says which of these rows are
    about temporaries. `unlisted`: how many rows came and went, if these are too many to be told."""

    name: str
    mode: str
    relations: Mapping[str, int]
    scope: Scope = field(default_factory=Scope)
    changes: Mapping[str, pa.Table] = field(default_factory=dict)
    owners: Mapping[str, Sequence[str]] = field(default_factory=dict)
    temporary: Mapping[str, Sequence[bool]] = field(default_factory=dict)
    since: str = ""
    verified: bool = False
    written: str = ""
    work: Work | None = None
    profile: tuple[Profile, Program] | None = None
    on_spark: RunReport | None = None
    findings: Findings = field(default_factory=Findings)
    unlisted: int = 0

    @property
    def phantoms(self) -> int:
        """The number of phantom classes."""
        return next((self.relations[name] for name in PHANTOMS if name in self.relations), 0)

    def counts(self) -> dict[str, tuple[int, int]]:
        """table → (how many rows came, how many went)."""
        return {
            name: (signs.count("+"), signs.count("-"))
            for name, signs in ((name, table["change"].to_pylist()) for name, table in self.changes.items())
        }


@dataclass(frozen=True)
class Report:
    """The results of a run; `temporaries` says whether rows about temporaries are listed, too; `class_path`, which
    libraries were found; `new_diagnostics`: those that the baseline did not have, None if there is none; `unread`: how
    many files that exist, or folders, cannot be read or have names that are not UTF-8."""

    project: str
    at: str
    files: int
    lines: int
    changed_files: int
    extracted_files: int
    extracted_where: str
    facts: int
    parsers: Mapping[str, int]
    diagnostics: Sequence[Diagnostic]
    seconds: Mapping[str, float]
    memory: tuple[int, int]
    analyses: Sequence[AnalysisReport]
    display: Display = field(default_factory=Display)
    output: str = ""
    generated: int = 0
    skipped: int = 0
    excluded: int = 0
    temporaries: bool = False
    class_path: str = ""
    bodies: str = ""
    new_diagnostics: Sequence[Diagnostic] | None = None
    unread: int = 0

    @property
    def findings(self) -> Findings:
        """The findings of all analyses."""
        return merged([analysis.findings for analysis in self.analyses])

    @property
    def parse_failures(self) -> int:
        """The number of files that have no facts because they could not be read, or not be understood."""
        return self.parsers.get("none", 0) + self.unread


def as_text(report: Report, style: Style = plain) -> str:
    """The summary as text for people; `style`: how colours are shown."""
    analyses = (line for group in _alike(report.analyses) for line in _analysis(group, report))
    before, after = [*_files(report), *analyses], [*_diagnostics(report), *_costs(report)]
    findings = as_lines(report.findings, style)
    return "\n".join([*map(visible, before), *findings, *map(visible, after)])


def as_json(report: Report) -> str:
    """The summary as a JSON object, in the form that `docs/report.schema.json` describes."""
    summary: dict[str, Any] = {
        "version": JSON_VERSION,
        "project": report.project,
        "commit": report.at,
        "files": report.files,
        "lines": report.lines,
        "changed_files": report.changed_files,
        "extracted_files": report.extracted_files,
        "extracted_on": report.extracted_where,
        "generated_files": report.generated,
        "skipped_repositories": report.skipped,
        "excluded_files": report.excluded,
        "class_path": report.class_path,
        "bodies": report.bodies,
        "parse_failures": report.parse_failures,
        "parsers": dict(report.parsers),
        "facts": report.facts,
        "diagnostics": [_diagnostic(row) for row in report.diagnostics],
        "new_diagnostics": None
        if report.new_diagnostics is None
        else [_diagnostic(row) for row in report.new_diagnostics],
        "seconds": {name: round(seconds, 3) for name, seconds in report.seconds.items()},
        "peak_memory_bytes": report.memory[0],
        "peak_memory_bytes_of_children": report.memory[1],
        "output": report.output,
    }
    parts = [
        {
            "analysis": a.name,
            "mode": a.mode,
            "verified": a.verified,
            "relations": dict(a.relations),
            "phantom_classes": a.phantoms,
            "entry_points": None if a.scope.entries is None else dict(a.scope.entries),
            "reached": None if a.scope.reached is None else dict(zip(("reached", "of"), a.scope.reached, strict=True)),
            "left_out": None if a.scope.unsound is None else dict(a.scope.unsound),
            "since": a.since,
            "tables": a.written,
            "engine": _work(a.work),
            "delta": {name: {"inserted": came, "deleted": went} for name, (came, went) in a.counts().items()},
            "changes": {name: table.to_pylist() for name, table in a.changes.items()},
            "unlisted_changes": a.unlisted,
        }
        for a in report.analyses
    ]
    return shown_json(summary | {"analyses": parts} | _findings(report.findings), indent=2, default=str)


def _findings(findings: Findings) -> dict[str, Any]:
    """The part of the JSON summary about findings."""
    return {
        "findings_since": findings.since,
        "findings_counts": findings.counts(),
        "rules": [
            {"rule": r.name, "level": r.level, "title": r.title, "tags": list(r.tags), "help": r.help}
            for r in findings.rules.values()
        ],
        "findings": [_finding(f) for f in findings.present],
        "fixed": [_finding(f) for f in findings.gone],
        "idle_suppressions": [
            {"message": text} | ({"path": spot.path, "line": spot.line, "column": spot.column} if spot else {})
            for spot, text in findings.idle
        ],
    }


def _finding(found: Found) -> dict[str, Any]:
    spot = found.spot
    return {
        "rule": found.rule,
        "level": found.level,
        "message": found.message,
        **({"path": spot.path, "line": spot.line, "column": spot.column} if spot else {}),
        "state": found.state,
        "suppressed": found.suppressed,
        "related": _spots(found.related),
        "flow": _spots(found.flow),
        "fingerprint": found.fingerprint,
        "line_fingerprint": found.by_line,
        "relation": found.relation,
        "row": list(found.row),
    }


def _diagnostic(row: Diagnostic) -> dict[str, Any]:
    return dict(zip(("path", "line", "column", "kind", "message"), row, strict=True))


def _spots(places: Sequence[tuple[Spot, str]]) -> list[dict[str, Any]]:
    return [{"path": at.path, "line": at.line, "column": at.column, "message": text} for at, text in places]


def _work(work: Work | None) -> dict[str, Any] | None:
    """How the engine made a change, for the JSON summary; None if nothing had changed."""
    if work is None:
        return None
    return {
        "mode": work.mode,
        "on": work.engine,
        "reason": work.reason,
        "seconds": round(work.seconds, 6),
        "impact": work.impact,
        "timings": {part: round(seconds, 6) for part, seconds in work.timings.items()},
    }


def as_table(table: pa.Table, most: int | None = None) -> str:
    """A table as aligned text, with at most `most` rows."""
    shown = table if most is None else table.slice(0, min(most, len(table)))
    rows = [[visible(str(cell), layout=False) for cell in row.values()] for row in shown.to_pylist()]
    lines = aligned([table.column_names, *rows])
    more = len(table) - len(rows)
    return "\n".join(lines + ([f"… {counted(more, 'more row')}"] if more else []))


def _files(report: Report) -> Iterable[str]:
    fallback, partial = (report.parsers.get(name, 0) for name in (report.display.fallback, report.display.partial))
    yield visible(f"{report.project} ({report.at})", layout=False)
    yield (
        f"  files {report.files:,}{_of_which(report)}, lines {report.lines:,}, facts {report.facts:,}; "
        f"{counted(report.parse_failures, 'file')} could not be read"
        + (f", {partial:,} in part" if partial else "")
        + (f", {fallback:,} by the second parser" if fallback else "")
    )
    where = {"process": "in this process", "local": "on all cores", "spark": "on Spark"}.get(report.extracted_where, "")
    yield (
        f"  changed since the last run: {counted(report.changed_files, 'file')}; "
        f"extracted: {counted(report.extracted_files, 'file')} {where}"
    ).rstrip()
    if report.class_path:
        yield visible(f"  class path: {report.class_path}", layout=False)
    if report.bodies:
        yield visible(f"  bodies: {report.bodies}", layout=False)


def _of_which(report: Report) -> str:
    parts = [f"generated {report.generated:,}"] if report.generated else []
    parts += [f"repositories skipped {report.skipped:,}"] if report.skipped else []
    parts += [f"excluded {report.excluded:,}"] if report.excluded else []
    return f" ({', '.join(parts)})" if parts else ""


def left_out(rows: int, signs: str = "") -> str:
    """The line that says how many rows about temporaries are not listed."""
    shown = f"{counted(rows, 'row')}{signs} about temporaries"
    return f"{shown} {'is' if rows == 1 else 'are'} left out; --temporaries lists them"


def _alike(analyses: Sequence[AnalysisReport]) -> list[list[AnalysisReport]]:
    """The analyses in groups that were evaluated together, and of which one text can tell all: what two of them say of
    the same thing is the same."""
    groups: list[list[AnalysisReport]] = []
    for analysis in analyses:
        group = next((group for group in groups if all(_agree(other, analysis) for other in group)), None)
        if group is None:
            groups.append([analysis])
        else:
            group.append(analysis)
    return groups


def _agree(one: AnalysisReport, two: AnalysisReport) -> bool:
    return (
        one.work is two.work
        and (one.mode, one.verified, one.since) == (two.mode, two.verified, two.since)
        and bool(one.findings.rules) == bool(two.findings.rules)
        and all(one.relations[name] == two.relations[name] for name in one.relations.keys() & two.relations.keys())
        and all(one.changes[name].equals(two.changes[name]) for name in one.changes.keys() & two.changes.keys())
        and all(
            not of_one or not of_two or of_one == of_two
            for of_one, of_two in (
                (one.scope.entries, two.scope.entries),
                (one.scope.reached, two.scope.reached),
                (one.scope.unsound, two.scope.unsound),
            )
        )
    )


def _together(group: Sequence[AnalysisReport]) -> AnalysisReport:
    """Analyses that agree, as one."""
    parts: dict[str, Any] = {"relations": {}, "changes": {}, "owners": {}, "temporary": {}}
    for analysis in group:
        for name, part in parts.items():
            part.update(getattr(analysis, name))
    scopes = [analysis.scope for analysis in group]
    scope = Scope(
        next((scope.entries for scope in scopes if scope.entries is not None), None),
        next((scope.reached for scope in scopes if scope.reached), None),
        next((scope.unsound for scope in scopes if scope.unsound), None),
    )
    return replace(group[0], name=", ".join(analysis.name for analysis in group), scope=scope, **parts)


def _analysis(group: Sequence[AnalysisReport], report: Report) -> Iterable[str]:
    analysis, display = _together(group), report.display
    headlines = display.headlines
    yield f"{analysis.name}: {analysis.mode}" + (", equal to a run from scratch" if analysis.verified else "")
    earlier = takewhile(lambda other: other is not group[0], report.analyses)
    first = next((other.name for other in earlier if other.work is analysis.work), "")
    if analysis.work:
        yield f"  evaluated together with {first}" if first else f"  {how(analysis.work)}"
    headed = [
        f"{label} {analysis.relations[name]:,}" for name, label in headlines.items() if name in analysis.relations
    ]
    yield f"  {', '.join(headed) or 'no results'}"
    others = [
        f"{name} {rows:,}"
        for name, rows in analysis.relations.items()
        if rows and name not in headlines and name not in display.told and name != "Diagnostics"
    ]
    if others and not analysis.findings.rules:  # which are told below
        yield f"  {', '.join(others)}"
    yield from _scope(analysis.scope, display)
    if analysis.since and not analysis.findings.rules:
        yield from _delta(analysis, report.temporaries)
    yield from _written([Path(part.written) for part in group if part.written])


def _written(folders: Sequence[Path]) -> Iterable[str]:
    """Where the tables are: of several folders the one that they are in, and then the way to each."""
    if len(folders) > 1:
        common = Path(os.path.commonpath(folders))
        yield f"  tables in {common}: {', '.join(str(folder.relative_to(common)) for folder in folders)}"
    elif folders:
        yield f"  tables: {folders[0]}"


def _scope(scope: Scope, display: Display) -> Iterable[str]:
    """Where the program starts and what that reaches; what to do if it is little; what is left out."""
    if scope.entries is not None:
        reaches = ""
        if scope.reached:
            reached, all_ = scope.reached
            reaches = f"; they reach {reached:,} of {all_:,} {display.declarations} ({100 * scope.share:.0f} %)"
        yield f"  entry points: {_kinds(scope.entries) or 'none'}{reaches}"
        if scope.share < LITTLE and WIDEST not in scope.entries:
            yield (
                f"  That is little: --entry {WIDEST} starts in all {WIDEST} {display.declarations}, --entry PATTERN in "
                "those that it names."
            )
    if scope.unsound:
        yield f"  left out: {_kinds(scope.unsound)} (Unsound has the places)"


def _kinds(numbers: Mapping[str, int]) -> str:
    """Numbers by kind, the largest first."""
    return ", ".join(
        f"{kind} {number:,}" for kind, number in sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    )


def how(work: Work) -> str:
    """How the engine made a change, in one line."""
    timings = ", ".join(f"{part} {seconds:.3f} s" for part, seconds in work.timings.items())
    changed = f"; {counted(work.impact, 'row')} came or went" if work.mode == "update" or work.impact else ""
    return (
        f"{work.mode}{' on Spark' if work.engine == 'spark' else ''} in {work.seconds:.3f} s ({timings}){changed}. "
        f"{work.reason}"
    )


def _delta(analysis: AnalysisReport, temporaries: bool) -> Iterable[str]:
    """What came and went: all rows, counted by table; then by file the rows that are listed."""
    counts = analysis.counts()
    if analysis.unlisted:
        yield f"  since {analysis.since}: {analysis.unlisted:,} rows of the tables came or went, too many to be listed"
        return
    if not counts:
        yield f"  since {analysis.since}: no row of the tables came or went"
        return
    yield f"  since {analysis.since}: " + ", ".join(
        f"{name} +{came:,} -{went:,}" for name, (came, went) in counts.items()
    )
    changes, owners, hidden, same = _listed(analysis, temporaries)
    files: dict[str, list[tuple[str, str]]] = {}
    for name, table in changes.items():
        rows = table.slice(0, SHOWN_ROWS * SHOWN_FILES).to_pylist()
        for path, row in zip(owners[name], rows, strict=False):
            change, *cells = row.values()
            files.setdefault(path, []).append(
                (change, f"{name}  " + "  ".join(visible(str(cell), layout=False) for cell in cells))
            )
    totals: dict[str, list[str]] = {}
    for name, table in changes.items():
        for path, sign in zip(owners[name], table["change"].to_pylist(), strict=True):
            totals.setdefault(path, []).append(sign)
    shown = 0
    for path in sorted(totals)[:SHOWN_FILES]:
        yield (
            f"  {visible(path, layout=False) or '(no file)'}: +{totals[path].count('+'):,} -{totals[path].count('-'):,}"
        )
        for sign, text in files.get(path, ())[: max(SHOWN_ROWS - shown, 0)]:
            yield f"    {sign} {text}"
            shown += 1
    rest = sum(map(len, totals.values())) - shown
    if rest > 0:
        yield f"    … and {counted(rest, 'more row')}"
    if same:
        yield f"  {counted(same, 'row')} went and {counted(same, 'row')} came under the same names"
    if hidden:
        signs = f" (+{hidden['+']:,} -{hidden['-']:,})"
        yield f"  {left_out(hidden.total(), signs)}"


def _listed(
    analysis: AnalysisReport, temporaries: bool
) -> tuple[dict[str, pa.Table], dict[str, Sequence[str]], Counter[str], int]:
    """The rows that came and went without those about temporaries, unless these are asked for, and those that went and
    came under the same names; the files that they are about; how many are left out, by their signs; and how many
    because of their names."""
    changes: dict[str, pa.Table] = {}
    owners: dict[str, Sequence[str]] = {}
    hidden: Counter[str] = Counter()
    same = 0
    for name, table in analysis.changes.items():
        listed = np.ones(len(table), bool)
        if not temporaries and name in analysis.temporary:
            listed = ~np.array(analysis.temporary[name], bool)
            hidden.update(compress(table["change"].to_pylist(), ~listed))
        again = _again(table.filter(pa.array(listed)))
        same += int(again.sum()) // 2
        listed[np.flatnonzero(listed)[again]] = False
        rows, paths = table.filter(pa.array(listed)), list(compress(analysis.owners[name], listed))
        order = _order(rows)
        changes[name], owners[name] = rows.take(order), [paths[row] for row in order.to_pylist()]
    return changes, owners, hidden, same


def _order(table: pa.Table) -> pa.Array:
    """An order of rows that went or came that depends on them alone, not on when the engine derived them."""
    columns = pa.table({str(i): column for i, column in enumerate(table.columns)})
    keys = [(name, "descending" if name == "0" else "ascending") for name in columns.column_names]
    return pc.sort_indices(columns, sort_keys=keys)


def _again(table: pa.Table) -> np.ndarray:
    """For each row whether it is one of two with the same names, of which one went and one came: after an edit a call
    is another one inside, and may stand where the former one stood."""
    rows: dict[tuple[int, ...], list[int]] = {}
    codes = [pc.dictionary_encode(column.combine_chunks()).indices.to_pylist() for column in table.columns[1:]]
    signs = table["change"].to_pylist()
    again = np.zeros(len(table), bool)
    for row, key in enumerate(zip(*codes, strict=True)):
        waiting = rows.setdefault(key, [])
        if waiting and signs[waiting[-1]] != signs[row]:
            again[[waiting.pop(), row]] = True
        else:
            waiting.append(row)
    return again


def _diagnostics(report: Report) -> Iterable[str]:
    if report.diagnostics:
        yield f"diagnostics: {len(report.diagnostics):,}"
        for path, line, column, kind, message in report.diagnostics[:SHOWN_DIAGNOSTICS]:
            yield visible(f"  {path}:{line}:{column}: {kind}: {message}", layout=False)
        if len(report.diagnostics) > SHOWN_DIAGNOSTICS:
            yield f"  … and {len(report.diagnostics) - SHOWN_DIAGNOSTICS:,} more"


def _costs(report: Report) -> Iterable[str]:
    yield "seconds: " + ", ".join(f"{name} {seconds:.2f}" for name, seconds in report.seconds.items())
    own, children = report.memory
    yield f"peak memory: {_size(own)}" + (f", largest helper process {_size(children)}" if children else "")


def _size(number: int) -> str:
    return next((f"{number / size:.1f} {unit}" for unit, size in SIZES if number >= size), f"{number} B")
