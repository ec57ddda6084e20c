"""Rules that are added and removed while a database lives, beside starting over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ladder_bench import live
from ladder_bench.bench import Bench
from ladder_bench.report import Section
from ladder_bench.workloads import facts_of, points_to, published

TITLE = "Rules that come and go"
LIMIT = 200.0
Steps = tuple[tuple[str, str, str], ...]
CLONEABLE = 'Subtype(s, t) :- ArrayType(s), InterfaceType(t), Type(t), t = "java.lang.Cloneable".'
STATIC_LOADS = "VarPointsTo(h, to) :- Reachable(m), LoadStaticField(f, to, m), StaticFieldPointsTo(h, f)."
STEPS: dict[str, Steps] = {
    "points-to": (
        ("a rule that derives few rows, added", "add", "vpt(v, o) :- assign(0, v), vpt(0, o)."),
        ("the same, removed", "remove", "vpt(v, o) :- assign(0, v), vpt(0, o)."),
        ("a relation that others do not read, added", "add", ".decl pointed(o: number)\npointed(o) :- vpt(_, o)."),
        ("its rule removed", "remove", "pointed(o) :- vpt(_, o)."),
        ("the rule of loads, removed", "remove", "vpt(v, o) :- load(v, y, f), vpt(y, b), hpt(b, f, o)."),
        ("the same, added", "add", "vpt(v, o) :- load(v, y, f), vpt(y, b), hpt(b, f, o)."),
    ),
    "Doop": (
        ("a rule of subtypes, removed", "remove", CLONEABLE),
        ("the same, added", "add", CLONEABLE),
        ("the rule of static loads, removed: a component falls apart", "remove", STATIC_LOADS),
        ("the same, added", "add", STATIC_LOADS),
    ),
}


def run(bench: Bench, section: Section) -> None:
    section.notes.append("`Database.add_rules` and `remove_rules`, CPU seconds, reading the rules included.")
    table = section.table("work", "change", "mode", "CPU s", "÷ bootstrap", "rows that came and went")
    doop = next(w for w in published(bench) if w.name == "doop")
    for workload, steps in ((points_to(bench.size(100_000, 1_000_000)), "points-to"), (doop, "Doop")):
        facts = facts_of(bench, workload)
        if facts is None:
            section.notes.append(f"{workload.title}: skipped, its archive is not there.")
            continue
        measured = bench.measure(changes, LIMIT, program=str(workload.path), facts=str(facts), steps=steps)
        if measured.failure:
            section.notes.append(f"{workload.title}: {measured.failure}")
        for line in measured.lines:
            table.add(
                workload.title,
                line["what"],
                line["mode"],
                line["cpu"],
                f"{line['cpu'] / measured.lines[0]['cpu']:.2f}x",
                line["impact"],
            )
        if len(measured.lines) == 1 + len(STEPS[steps]) and measured.lines[0]["rows"] != measured.last["rows"]:
            section.notes.append(
                f"**WRONG ROWS**: {measured.lines[0]['rows']} before, {measured.last['rows']} after all rules are as "
                "they were"
            )


def changes(program: str, facts: str, steps: str) -> Iterator[dict[str, Any]]:
    """The bootstrap, then a line for each change."""
    live.warmed()
    database = live.loaded(live.program_of(program), facts)
    clock = live.Clock()
    database.bootstrap({})
    yield {
        "what": "bootstrap",
        "mode": "bootstrap",
        **clock.lap(),
        "impact": sum(live.row_counts(database).values()),
        "rows": live.row_counts(database),
    }
    for what, kind, text in STEPS[steps]:
        change = database.add_rules if kind == "add" else database.remove_rules
        line = live.timed(lambda change=change, text=text: change(text))  # type: ignore[misc]
        yield {"what": what, **line, "rows": live.row_counts(database)}
