"""The OWASP Benchmark: of each test that is vulnerable the rule of its category finds something, of no other it does.

The figures of other tools are those of the score cards that the suite itself brings,
`scorecard/Benchmark_v1.2_Scorecard_for_*.html`.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ladder_bench.findings.score import Score

CATEGORIES = {
    "crypto": ("weak-cipher", "Weak Encryption Algorithm"),
    "cmdi": ("command-injection", "Command Injection"),
    "hash": ("weak-hash", "Weak Hash Algorithm"),
    "ldapi": ("ldap-injection", "LDAP Injection"),
    "pathtraver": ("path-injection", "Path Traversal"),
    "securecookie": ("insecure-cookie", "Insecure Cookie"),
    "sqli": ("sql-injection", "SQL Injection"),
    "trustbound": ("trust-boundary-violation", "Trust Boundary Violation"),
    "weakrand": ("predictable-random", "Weak Random Number"),
    "xpathi": ("xpath-injection", "XPath Injection"),
    "xss": ("html-injection", "Cross-Site Scripting"),
}
"""The category of a test → the rule that finds it, and what score cards call it."""
CARD = re.compile(r"Benchmark_v1\.2_Scorecard_for_(?P<tool>.+)\.html")
ROW = re.compile(r"<td>([^<]+)</td>" + r"\s*<td>(\d+)</td>" * 6)  # category, CWE, TP, FN, TN, FP, total


def graded(folder: Path, findings: Sequence[Mapping[str, Any]]) -> dict[str, Score]:
    """Score by category."""
    found = {(Path(path).stem, each["rule"]) for each in findings for path in _paths(each)}
    tests = {file.stem for file in folder.rglob("*.java")}
    scores: dict[str, Score] = defaultdict(Score)
    (expected,) = folder.glob("expectedresults-*.csv")
    with expected.open(newline="") as rows:
        for test, category, vulnerable, *_ in (row for row in csv.reader(rows) if len(row) > 2):
            if category not in CATEGORIES or test not in tests:
                continue
            marked, here = vulnerable == "true", (test, CATEGORIES[category][0]) in found
            scores[category] += Score(
                int(marked),
                int(marked and here),
                int(here and not marked),
                int(not marked),
                [test] if marked and not here else [],
                [test] if here and not marked else [],
            )
    return scores


def _paths(finding: Mapping[str, Any]) -> Iterable[str]:
    """The file of a finding, and those of its steps: its sink may be in a method that several tests call."""
    yield finding["path"]
    for step in finding.get("flow", ()):
        yield step["path"]


def published(folder: Path) -> dict[str, dict[str, str]]:
    """Tool → category → its recall and precision, counted from its score card in the suite."""
    found: dict[str, dict[str, str]] = {}
    for file in sorted(folder.glob("scorecard/*.html")):
        if card := CARD.fullmatch(file.name):
            rows = {name: tuple(map(int, rest)) for name, *rest in ROW.findall(file.read_text("utf-8"))}
            scores = {
                category: Score(rows[name][1] + rows[name][2], rows[name][1], rows[name][4])
                for category, (_, name) in CATEGORIES.items()
                if name in rows
            }
            if scores:
                scores["all"] = sum(scores.values(), Score())
                found[card["tool"].replace("_", " ")] = {k: " / ".join(each.rates()) for k, each in scores.items()}
    return found
