"""Effects: what the comments of the sample say of each method, and properties that hold for any."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from tests.analyses.annotated import Project, Results, analyse

from tests.analyses.annotated import CASES

SAMPLE = CASES / "findings" / "effects"
PURITY = re.compile(r"// purity (\w+)(?:: ([\w ,]+?))?(?: // found .*)?$")


@pytest.fixture(scope="module")
def sample() -> Results:
    return analyse("effects", Project.of({path.name: path.read_text("utf-8") for path in SAMPLE.glob("*.java")}))


def by_line(results: Results, rows: dict[str, str]) -> dict[int, str]:
    """What rows say of methods, by the line on which each is declared."""
    return {results.project.places[method][1]: value for method, value in rows.items() if method in results.project.places}


def test_purity(sample: Results) -> None:
    levels = by_line(sample, dict(sample.rows("Purity")))
    reasons: dict[str, list[str]] = defaultdict(list)
    for method, reason in sorted(sample.rows("Impure")):
        reasons[method].append(reason)
    found = {}
    for line, level in levels.items():
        found[line] = level, ""
    for line, why in by_line(sample, {method: ", ".join(all_) for method, all_ in reasons.items()}).items():
        found[line] = levels[line], why
    expected = {}
    for (_, line), match in sample.project.comments(r"purity (\w+)(?:: ([\w ,]+?))?(?: // found .*)?"):
        expected[line] = match[1], match[2] or ""
    assert {line: found.get(line) for line in expected} == expected
