"""Profiles for people: as a text table, and as a self-contained HTML page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ladder.api.program import Program
from ladder.engine.local.profile import Cost, PlanCosts, Profile, RuleCosts
from ladder.language.core import Atom, Literal, Not, Place, Relation, Rule
from ladder.language.roles import Role
from ladder.plan.components import role_of
from ladder.plan.steps import Role as PlanRole
from ladder.report import pages
from ladder.support.columns import aligned

LEAST_SHOWN = 0.0001  # seconds, of what is no rule's
SHOWN_RULES, SHOWN_ITERATIONS, WIDEST_RULE = 25, 12, 110
SHOWN_WITH_PLANS, LEAST_OF_PLANS = 8, 0.01  # rules, and seconds of one of them, at least
PARTS = {
    Role.AGGREGATE_INPUTS: "values to join in {of}",
    Role.TOTALS: "totals of {of}",
    Role.FACTS: "facts of {of}",
    Role.UNSPLIT_FACTS: "facts of {of}",
    Role.EDGES: "pairs of {of}",
    Role.AGGREGATE: "{word} {number} in {of}",
    Role.GROUPS: "groups {number} in {of}",
    Role.CONDITION: "condition {number} in {of}",
    Role.JOIN: "join {number} in {of}",
    Role.LATTICE_COLUMN: "lattice column {number} of {of}",
    Role.PROJECTION: "some columns of {of}",
}
BARS, BAR_HEIGHT = 220, 22  # pixels
COLUMNS = (
    ("seconds", "seconds"),
    ("runs", "runs"),
    ("derivations", "derivations"),
    ("new_rows", "new rows"),
    ("matches", "rows looked at"),
    ("batches", "batches"),
)


@dataclass(frozen=True)
class Line:
    """The costs of one rule, or costs that belong to no rule, with their name; `plans`: of a rule, what its plans cost,
    the most expensive first."""

    work: str
    what: str
    place: str
    cost: Cost
    iterations: dict[int, Cost]
    plans: tuple[PlanLine, ...] = ()

    @property
    def numbers(self) -> list[int]:
        """The counts, in the order of `COLUMNS`."""
        return [getattr(self.cost, name) for name, _ in COLUMNS[1:]]

    @property
    def bars(self) -> Bars:
        """The rule's iterations as a chart."""
        return _bars(self.iterations)


@dataclass(frozen=True)
class PlanLine:
    """A plan of a rule: where it starts and its join order, what it cost, what was expected of it and of the best other
    order."""

    starts: str
    order: str
    costs: PlanCosts
    other: str

    @property
    def met(self) -> float | None:
        """Rows looked at in indexes, for each row that the plan started from; None where these were not counted."""
        return self.costs.cost.matches / self.costs.started if self.costs.started else None

    @property
    def cells(self) -> tuple[str, ...]:
        """What stands in a table, by `PLAN_COLUMNS`."""
        expected = self.costs.expected
        return (
            f"{self.costs.cost.seconds:.3f}",
            f"{self.costs.started:,}" if self.costs.started else "",
            f"{self.costs.cost.matches:,}",
            "" if self.met is None else _short(self.met),
            "" if expected is None else _short(expected.matches),
            self.starts,
            self.order,
            self.other,
        )


PLAN_COLUMNS = (
    "seconds",
    "rows started from",
    "looked at",
    "for each",
    "expected",
    "starts",
    "join order",
    "best other",
)
STARTS = {
    PlanRole.ONCE: "iteration 1",
    PlanRole.ITERATED: "new rows",
    PlanRole.FORWARD: "changed rows",
    PlanRole.BACKWARD: "head",
    PlanRole.BEGUN: "intermediate, at first",
    PlanRole.FILLED: "intermediate, new rows",
}


def _plans(costs: RuleCosts, relations: Mapping[str, Relation]) -> tuple[PlanLine, ...]:
    def name(relation: str) -> str:
        return readable(relations[relation], relations) if relation in relations else relation

    def line(plan: PlanCosts) -> PlanLine:
        others = plan.expected.others if plan.expected else ()
        best = f"{' → '.join(map(name, others[0][0]))}: {_short(others[0][1])} expected" if others else ""
        return PlanLine(STARTS[plan.role], " → ".join(map(name, plan.order)), plan, best)

    ranked = sorted(costs.plans.values(), key=lambda plan: -plan.cost.seconds)
    return tuple(line(plan) for plan in ranked if plan.cost.runs)


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2g}"


def lines_of(profile: Profile, program: Program, least: float = LEAST_SHOWN) -> list[Line]:
    """A line for each rule of bootstraps and of updates, the most expensive first; costs that belong to no rule are
    included if they took at least `least` seconds."""
    return [
        Line(
            costs.work,
            _what(costs, profile.relations, program),
            _place(costs),
            costs.total,
            costs.iterations,
            _plans(costs, profile.relations),
        )
        for costs in profile
        if costs.rule is not None or costs.total.seconds >= least
    ]


def as_text(profile: Profile, program: Program, least: float = LEAST_SHOWN) -> str:
    """The most expensive rules, and the iterations of the most expensive components; `least`: see `lines_of`."""
    lines = lines_of(profile, program, least)
    whole = sum(line.cost.seconds for line in lines)
    table: list[tuple[str, ...]] = [
        ("seconds", "share", "runs", "derivations", "new rows", "looked at", "batches", "", "")
    ]
    for line in lines[:SHOWN_RULES]:
        c = line.cost
        numbers = (c.runs, c.derivations, c.new_rows, c.matches, c.batches) if c.runs else ("",) * 5
        table.append(
            (
                f"{c.seconds:.3f}",
                f"{c.seconds / (whole or 1):.0%}",
                *(f"{n:,}" if n != "" else "" for n in numbers),
                line.work,
                f"{line.place}  {_cut(line.what)}".strip(),
            )
        )
    text = [
        f"profile: {whole:.3f} s of processor time in rules and indexes",
        *aligned(table, range(len(table[0]) - 2), "  "),
    ]
    if len(lines) > SHOWN_RULES:
        text.append(
            f"… and {len(lines) - SHOWN_RULES:,} more, {sum(line.cost.seconds for line in lines[SHOWN_RULES:]):.3f} s"
        )
    for line in lines[:3]:
        if len(line.iterations) > 1:
            text += [
                f"{line.place}  {_cut(line.what)}: {len(line.iterations):,} iterations, the most expensive",
                *_iterations(line),
            ]
    for line in lines[:SHOWN_WITH_PLANS]:
        if line.plans and line.cost.seconds >= LEAST_OF_PLANS:
            text += [f"{line.place}  {_cut(line.what)}: plans", *_plan_table(line)]
    return "\n".join(text)


def _plan_table(line: Line) -> Iterable[str]:
    return aligned([PLAN_COLUMNS, *(plan.cells for plan in line.plans)], range(5), "  ")


def _iterations(line: Line) -> Iterable[str]:
    chosen = sorted(line.iterations.items(), key=lambda item: -item[1].seconds)[:SHOWN_ITERATIONS]
    table = [("iteration", "seconds", "derivations", "new rows", "batches")]
    table += [
        (f"{number:,}", f"{c.seconds:.3f}", f"{c.derivations:,}", f"{c.new_rows:,}", f"{c.batches:,}")
        for number, c in sorted(chosen)
    ]
    return aligned(table, range(len(table[0])), "  ")


def _cut(text: str) -> str:
    return text if len(text) <= WIDEST_RULE else text[: WIDEST_RULE - 1] + "…"


# ---- names


def _place(costs: RuleCosts) -> str:
    place = costs.rule.place if costs.rule else None
    return f"{place.file}:{place.line}" if place else ""


def _what(costs: RuleCosts, relations: Mapping[str, Relation], program: Program) -> str:
    """The name of costs: the rule as written in the program, or as the engine has it; for costs of no rule, the
    relations."""
    if costs.rule is None:
        own = [r for r in map(relations.__getitem__, costs.component) if role_of(r) not in (Role.UNIT, Role.SWITCH)]
        chosen = [r for r in own if role_of(r) not in (Role.AGGREGATE_INPUTS, Role.TOTALS)] or own
        names = dict.fromkeys(readable(relation, relations) for relation in chosen)
        return f"indexes, aggregates, events of {', '.join(names) or 'what the engine itself needs'}"
    written = source_text(program, costs.rule.place) if costs.rule.place else ""
    head = relations[costs.rule.head.relation]
    if written:
        return written if head.part is None else f"{readable(head, relations)}, in {written}"
    return str(_shown(costs.rule, relations))


def _shown(rule: Rule, relations: Mapping[str, Relation]) -> Rule:
    """A rule of the engine with readable names for helper relations."""

    def atom(a: Atom) -> Atom:
        relation = relations[a.relation]
        return a if relation.declared else replace(a, relation=f"[{readable(relation, relations)}]")

    def literal(part: Literal) -> Literal:
        return atom(part) if isinstance(part, Atom) else Not(atom(part.atom)) if isinstance(part, Not) else part

    return replace(rule, head=atom(rule.head), body=tuple(map(literal, rule.body)))


def readable(relation: Relation, relations: Mapping[str, Relation]) -> str:
    """A readable name for a stored relation: `R$all` → `totals of R`; `relations`: all of them by name."""
    part = relation.part
    if part is None or part.role not in PARTS:
        return relation.name
    of = readable(relations[part.of], relations) if part.of in relations else part.of
    return PARTS[part.role].format(of=of, word=part.word, number=part.number)


def source_text(program: Program, place: Place) -> str:
    """The clause that begins at a place, on one line; "" if the text is not known."""
    text = program.sources.get(place.file)
    if text is None:
        return ""
    rest = text.split("\n")[place.line - 1 :]
    rest[:1] = [line[place.column - 1 :] for line in rest[:1]]
    clause = re.match(r'(?:"(?:[^"\\]|\\.)*"|/\*.*?\*/|//[^\n]*|\.(?=[\w_])|[^.])*\.', "\n".join(rest[:200]), re.DOTALL)
    return " ".join(re.sub(r"/\*.*?\*/|//[^\n]*", " ", clause[0], flags=re.DOTALL).split()) if clause else ""


# ---- the page


@dataclass(frozen=True)
class Bar:
    """A bar of a chart: one iteration, or several consecutive ones."""

    x: int
    width: int
    height: float
    title: str


@dataclass(frozen=True)
class Bars:
    """A chart: its width, and a bar for each iteration, or for several consecutive ones if there are many; heights are
    seconds."""

    width: int
    bars: tuple[Bar, ...]


def write_page(file: Path, parts: Sequence[tuple[str, Profile, Program]]) -> None:
    """Write a page with a section for each (title, profile, program)."""
    heads = ("", *(head for _, head in COLUMNS), "by iteration", "work", "place", "rule")
    pages.write_page(
        file,
        "profile.html",
        heads=heads,
        plan_heads=PLAN_COLUMNS,
        height=BAR_HEIGHT,
        sections=[_section(*part) for part in parts],
    )


def _section(title: str, profile: Profile, program: Program) -> dict[str, Any]:
    lines = lines_of(profile, program)
    return {
        "title": title,
        "lines": lines,
        "whole": sum(line.cost.seconds for line in lines) or 1.0,
        "most": max((line.cost.seconds for line in lines), default=0.0) or 1.0,
    }


def _bars(iterations: Mapping[int, Cost]) -> Bars:
    last = max(iterations, default=0)
    per_bar = 1 + last // BARS
    seconds: dict[int, float] = {}
    for number, cost in iterations.items():
        seconds[number // per_bar] = seconds.get(number // per_bar, 0.0) + cost.seconds
    most, width = max(seconds.values(), default=0.0) or 1.0, max(1, min(12, BARS // (last // per_bar + 1)))
    bars = (
        Bar(number * width, width, max(0.5, BAR_HEIGHT * found / most), f"{_range(number, per_bar)}: {found:.4f} s")
        for number, found in sorted(seconds.items())
    )
    return Bars((last // per_bar + 1) * width, tuple(bars))


def _range(number: int, per_bar: int) -> str:
    return f"iteration {number}" if per_bar == 1 else f"iterations {number * per_bar} to {(number + 1) * per_bar - 1}"
