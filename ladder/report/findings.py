"""Findings as people read them: what is wrong, where, since when, and by which steps; grouped by file, each with its
source line and a caret."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ladder.language.core import LEVELS, Place
from ladder.language.errors import excerpt
from ladder.support.counts import counted
from ladder.support.terminal import visible

State = Literal["", "new", "unchanged", "absent"]
SHOWN, SHOWN_BEFORE, SHOWN_STEPS, SHOWN_RELATED = 50, 20, 12, 4
FEW = 5  # findings that are not counted by rule
COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
KNOWN = "known by"  # how suppressions by a log of an earlier run begin
GENERATED = "generated code"  # how those of what a generator wrote do
NO_FILE = "(no file)"


@dataclass(frozen=True)
class Rule:
    """What a rule finds: its name, level, title, tags and page of help."""

    name: str
    level: str
    title: str = ""
    tags: tuple[str, ...] = ()
    help: str = ""


@dataclass(frozen=True, order=True)
class Spot:
    """A place in a file of the project; lines and columns count from 1."""

    path: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Found:
    """A finding. `relation` and `row`: where it comes from, for `ladder explain`; the row has ids.

    `fingerprint` follows from the rule and from ids that do not change as lines move; `by_line` from the rule and the
    text of the line, so that one of the two stays after most edits. `state`: relative to the baseline, "" if there is
    none; `suppressed`: by whom, and why, "" if it is not.
    """

    rule: str
    level: str
    message: str
    spot: Spot | None = None
    relation: str = ""
    row: tuple[str, ...] = ()
    related: tuple[tuple[Spot, str], ...] = ()
    flow: tuple[tuple[Spot, str], ...] = ()
    fingerprint: str = ""
    by_line: str = ""
    state: State = ""
    suppressed: str = ""
    source: str = ""

    def as_of(self, state: State) -> Found:
        """The finding in another state."""
        return self if self.state == state else replace(self, state=state)

    @property
    def key(self) -> tuple[str, int, int, str, str, tuple[str, ...]]:
        """The order in which findings are listed: by place, then by rule."""
        spot = self.spot or Spot("", 0, 0)
        return spot.path, spot.line, spot.column, self.rule, self.message, self.row


@dataclass(frozen=True)
class Logged:
    """A finding in a SARIF log of an earlier run: the name of the file, and the finding's rule."""

    file: str
    rule: str


@dataclass(frozen=True)
class Findings:
    """All findings of a run in order, those that the baseline had and that are gone included (`absent`); the rules
    that they are of; what is said of suppressions that suppress nothing; `used`: what would be said so of others, which
    suppress something."""

    found: Sequence[Found] = ()
    rules: Mapping[str, Rule] = field(default_factory=dict)
    idle: Sequence[tuple[Spot | None, str]] = ()
    since: str = ""
    used: frozenset[tuple[Spot | None, str]] = frozenset()

    @property
    def present(self) -> list[Found]:
        """Those that are there, suppressed ones included."""
        return [finding for finding in self.found if finding.state != "absent"]

    @property
    def gone(self) -> list[Found]:
        """Those that the baseline had and that are not there any more."""
        return [finding for finding in self.found if finding.state == "absent"]

    @property
    def shown(self) -> list[Found]:
        """Those that are there and not suppressed."""
        return [finding for finding in self.present if not finding.suppressed]

    def counts(self) -> dict[str, int]:
        """How many there are in all, and how many are new, unchanged, fixed and suppressed."""
        states = Counter(finding.state for finding in self.shown)
        return {
            "findings": len(self.shown),
            "new": states["new"],
            "unchanged": states["unchanged"],
            "fixed": len(self.gone),
            "suppressed": len(self.present) - len(self.shown),
        }


def merged(parts: Sequence[Findings]) -> Findings:
    """The findings of several analyses in one order; of those that two of them have, one. A comment suppresses nothing
    if it does so in none of them."""
    first: dict[tuple[str, State], Found] = {}
    for part in parts:
        for finding in part.found:
            first.setdefault((finding.fingerprint, finding.state), finding)
    rules = {name: rule for part in parts for name, rule in part.rules.items()}
    used = frozenset[tuple[Spot | None, str]]().union(*(part.used for part in parts))
    idle = [line for line in dict.fromkeys(line for part in parts for line in part.idle) if line not in used]
    since = next((part.since for part in parts if part.since), "")
    return Findings(sorted(first.values(), key=lambda finding: finding.key), rules, idle, since, used)


Style = Callable[[str, str], str]


def plain(text: str, style: str) -> str:
    """The text without any style."""
    return text


def coloured(text: str, style: str) -> str:
    """The text in a colour, or bold or dim, for a terminal."""
    import click

    if style in ("bold", "dim"):
        return click.style(text, **{style: True})
    return click.style(text, fg=style)


def as_lines(findings: Findings, style: Style = plain) -> Iterator[str]:
    """The section of a summary; nothing for a run whose analyses declare no findings."""
    if not findings.rules:
        return
    yield style(summary(findings), "bold")
    told = [finding for finding in findings.shown if finding.state != "unchanged"]
    yield from _by_rule(told, style)
    listed = _gravest(told, SHOWN)
    for path, group in _by_file(listed):
        yield style(visible(path, layout=False) or NO_FILE, "bold")
        for finding in group:
            yield from _one(finding, style)
    if len(told) > SHOWN:
        yield _not_listed(Counter(finding.level for finding in told) - Counter(finding.level for finding in listed))
    yield from _in_short([finding for finding in findings.shown if finding.state == "unchanged"], style)
    gone = findings.gone
    for finding in gone[:SHOWN]:
        yield style(f"fixed  {_shown(finding)}", "green")
    if len(gone) > SHOWN:
        yield f"… and {counted(len(gone) - SHOWN, 'more')} fixed"
    yield from _suppressed(findings, style)


def _by_rule(told: Sequence[Found], style: Style) -> Iterator[str]:
    """How many findings there are of each rule, a line for each level."""
    if len(told) <= FEW:
        return
    for level in LEVELS:
        rules = Counter(finding.rule for finding in told if finding.level == level)
        if rules:
            numbers = ", ".join(f"{rule} {number:,}" for rule, number in rules.most_common())
            yield f"  {style(counted(rules.total(), level), COLOURS[level])}: {visible(numbers, layout=False)}"


def _gravest(told: Sequence[Found], most: int) -> list[Found]:
    """At most so many of the findings, the gravest, in the order in which they are listed."""
    ranks = _ranks(told)
    chosen = sorted(range(len(told)), key=lambda number: ranks[number])[:most]
    return [told[number] for number in sorted(chosen)]


def _ranks(told: Sequence[Found]) -> list[tuple[int, int]]:
    """The rank of each finding, by its level, and as which one of its rule it comes: those with the shortest ways,
    which are the easiest to judge, first."""
    before: Counter[tuple[str, str]] = Counter()
    ranks = {}
    for number in sorted(range(len(told)), key=lambda number: len(told[number].flow)):
        level, rule = told[number].level, told[number].rule
        ranks[number] = LEVELS.index(level), before[level, rule]
        before[level, rule] += 1
    return [ranks[number] for number in range(len(told))]


def _by_file(listed: Sequence[Found]) -> list[tuple[str, list[Found]]]:
    """The findings of each file, those with graver ones first."""
    groups: dict[str, list[tuple[tuple[int, int], Found]]] = {}
    for rank, finding in zip(_ranks(listed), listed, strict=True):
        groups.setdefault(finding.spot.path if finding.spot else "", []).append((rank, finding))
    ordered = sorted(groups.items(), key=lambda item: min(rank for rank, _ in item[1]))
    return [(path, [finding for _, finding in group]) for path, group in ordered]


def _not_listed(left: Counter[str]) -> str:
    """How many findings of each level are not listed."""
    return f"… {_by_level(left)} {'is' if left.total() == 1 else 'are'} not shown; --format json or sarif has all"


def _by_level(numbers: Counter[str]) -> str:
    """So many findings of each level, in words."""
    *others, last = [counted(numbers[level], level) for level in LEVELS if numbers[level]]
    return f"{', '.join(others)} and {last}" if others else last


def _in_short(unchanged: Sequence[Found], style: Style) -> Iterator[str]:
    """A line for each finding that was there before, the gravest of many."""
    listed = _gravest(unchanged, SHOWN_BEFORE)
    for finding in listed:
        yield style(f"unchanged  {_shown(finding)}", "dim")
    if len(unchanged) > SHOWN_BEFORE:
        left = Counter(finding.level for finding in unchanged) - Counter(finding.level for finding in listed)
        yield style(f"… and {_by_level(left)} more unchanged; --format json or sarif has all", "dim")


def summary(findings: Findings) -> str:
    """How many findings there are, in one line."""
    counts = findings.counts()
    changes = [f"{counts[name]:,} {name}" for name in ("new", "fixed", "unchanged") if findings.since]
    changes += [f"{counts['suppressed']:,} suppressed"] if counts["suppressed"] else []
    since = f" since {findings.since}" if findings.since else ""
    return f"findings: {counts['findings']:,}" + (f" ({', '.join(changes)}{since})" if changes else "")


def _one(finding: Found, style: Style) -> Iterator[str]:
    """A finding: its place, level, message and rule, its source line with a caret, and the places that belong to it."""
    at = f"{finding.spot.line}:{finding.spot.column}" if finding.spot else "-"
    new = f" {style('new', 'magenta')}" if finding.state == "new" else ""
    level = style(finding.level, COLOURS[finding.level])
    yield (
        f"  {at}  {level}{new}  {visible(finding.message, layout=False)}  "
        f"{style(visible(f'[{finding.rule}]', layout=False), 'dim')}"
    )
    if finding.spot and finding.source:
        yield from _excerpt(finding.spot, finding.source)
    on_the_way = {spot for spot, _ in finding.flow}
    related = [(spot, text) for spot, text in finding.related if spot not in on_the_way]
    for spot, text in (*_steps(finding.flow), *related[:SHOWN_RELATED]):
        yield f"      {style(visible(str(spot), layout=False), 'dim')}  {visible(text, layout=False)}"
    if len(related) > SHOWN_RELATED:
        yield f"      … and {counted(len(related) - SHOWN_RELATED, 'more place')}"


def _excerpt(spot: Spot, line: str) -> Iterable[str]:
    """The source line, and a caret below the column."""
    shown = excerpt(Place(spot.path, 1, spot.column), line).split("\n    ")
    return (f"      {part}" for part in shown if part)


def _steps(flow: Sequence[tuple[Spot, str]]) -> list[tuple[Spot, str]]:
    """The steps of a flow, without those in the middle of a long one."""
    if len(flow) <= SHOWN_STEPS:
        return list(flow)
    half = SHOWN_STEPS // 2
    left_out = len(flow) - 2 * half
    spot, text = flow[half - 1]
    return [*flow[: half - 1], (spot, f"{text}; … {counted(left_out, 'more step')} …"), *flow[-half:]]


def _shown(finding: Found) -> str:
    spot = str(finding.spot) if finding.spot else NO_FILE
    return visible(f"{spot}  {finding.level}  {finding.message}  [{finding.rule}]", layout=False)


def _suppressed(findings: Findings, style: Style) -> Iterator[str]:
    """Suppressed findings are listed, with who says so, those in generated code counted; so are suppressions that
    suppress nothing."""
    everything = [finding for finding in findings.present if finding.suppressed]
    suppressed = [finding for finding in everything if not finding.suppressed.startswith(GENERATED)]
    if written := [f.spot.path for f in everything if f.spot and f.suppressed.startswith(GENERATED)]:
        files = counted(len(set(written)), "file")
        yield style(f"suppressed  {counted(len(written), 'finding')} in {files} of generated code", "dim")
    for finding in suppressed[:SHOWN]:
        yield style(f"suppressed  {_shown(finding)}: {visible(finding.suppressed, layout=False)}", "dim")
    if len(suppressed) > SHOWN:
        yield f"… and {counted(len(suppressed) - SHOWN, 'more')} suppressed"
    for spot, text in findings.idle[:SHOWN]:
        yield visible(f"{f'{spot}: ' if spot else ''}{text}", layout=False)
