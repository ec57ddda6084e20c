"""What a summary says of entry points, of how much they reach, and of what is left out."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ladder.api.rows import Work
from ladder.frontends.protocol import Display
from ladder.report.findings import Findings, Rule
from ladder.report.sarif import as_sarif
from ladder.report.summary import AnalysisReport, Report, Scope, as_json, as_text


def report(scope: Scope) -> Report:
    analysis = AnalysisReport("pointsto", "bootstrap", {"EntryPoint": 123}, scope)
    return Report("p", "r", 1, 1, 1, 1, "process", 1, {}, [], {}, (1, 1), [analysis], Display())


def lines(scope: Scope) -> list[str]:
    """The lines of the summary after those with numbers of rows."""
    return as_text(report(scope)).partition("  EntryPoint 123\n")[2].splitlines()[:-2]


def test_entry_points_by_kind_and_what_they_reach() -> None:
    scope = Scope({"main": 3, "servlets": 40, "JUnit 5": 1_200}, (8_000, 8_804), {})
    assert lines(scope) == [
        "  entry points: JUnit 5 1,200, servlets 40, main 3; they reach 8,000 of 8,804 methods (91 %)"
    ]


LITTLE = "  That is little: --entry public starts in all public methods, --entry PATTERN in those that it names."


@pytest.mark.parametrize(
    ("entries", "reached", "said"),
    [
        ({"main": 3}, (812, 8_804), ["main 3; they reach 812 of 8,804 methods (9 %)", LITTLE]),
        ({"main": 3}, (4_402, 8_804), ["main 3; they reach 4,402 of 8,804 methods (50 %)"]),
        ({"main": 3, "public": 9}, (812, 8_804), ["public 9, main 3; they reach 812 of 8,804 methods (9 %)"]),
        ({}, (0, 8_804), ["none; they reach 0 of 8,804 methods (0 %)", LITTLE]),
        ({}, (0, 0), ["none; they reach 0 of 0 methods (100 %)"]),
        ({"main": 1}, None, ["main 1"]),
    ],
)
def test_what_to_do_where_little_is_reached(
    entries: dict[str, int], reached: tuple[int, int] | None, said: list[str]
) -> None:
    assert lines(Scope(entries, reached)) == [f"  entry points: {said[0]}", *said[1:]]


def test_what_is_left_out_is_counted_by_kind() -> None:
    scope = Scope(None, None, {"forName": 2, "native": 11})
    assert lines(scope) == ["  left out: native 11, forName 2 (Unsound has the places)"]
    assert not lines(Scope())


def test_the_summary_as_json_and_sarif() -> None:
    scope = Scope({"main": 3}, (812, 8_804), {"forName": 2})
    [found] = json.loads(as_json(report(scope)))["analyses"]
    assert found["entry_points"] == {"main": 3} and found["left_out"] == {"forName": 2}
    assert found["reached"] == {"reached": 812, "of": 8_804}
    [nothing] = json.loads(as_json(report(Scope())))["analyses"]
    assert nothing["entry_points"] is nothing["reached"] is nothing["left_out"] is None
    assert json.loads(as_sarif(report(scope)))["version"] == "2.1.0"


def test_analyses_that_agree_are_told_once() -> None:
    work = Work("bootstrap", "No state.", 1.5, {})
    rules = Findings(rules={"r": Rule("r", "note")})

    def analysis(name: str, relations: dict[str, int], scope: Scope, findings: Findings = rules) -> AnalysisReport:
        return AnalysisReport(name, "bootstrap", relations, scope, written=f"/{name}", work=work, findings=findings)

    entries, reached = {"main": 3}, (8, 10)
    analyses = [
        analysis("one", {"A": 1, "B": 2}, Scope(entries, reached)),
        analysis("two", {"B": 2, "C": 3}, Scope(entries)),
        analysis("three", {"B": 4}, Scope(entries)),
        analysis("four", {"B": 2}, Scope(entries), Findings()),
    ]
    said = as_text(replace(report(Scope()), analyses=analyses)).splitlines()
    assert said[said.index("one, two: bootstrap") : said.index("findings: 0")] == [
        "one, two: bootstrap",
        "  bootstrap in 1.500 s (). No state.",
        "  no results",
        "  entry points: main 3; they reach 8 of 10 methods (80 %)",
        "  tables in /: one, two",
        "three: bootstrap",
        "  evaluated together with one",
        "  no results",
        "  entry points: main 3",
        "  tables: /three",
        "four: bootstrap",
        "  evaluated together with one",
        "  no results",
        "  B 2",
        "  entry points: main 3",
        "  tables: /four",
    ]
