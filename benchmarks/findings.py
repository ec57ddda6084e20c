"""How much of what public suites of flawed programs mark the analysis `taint` finds, and how much else.

    python benchmarks/findings.py securibench FOLDER
    python benchmarks/findings.py owasp FOLDER

FOLDER is a copy of the suite, which is not part of this repository: Securibench Micro (lines with `/* BAD */`), or the
OWASP Benchmark (`expectedresults-1.2.csv`; of its categories those that are about values from outside).
Printed, by category: what is marked, what of it is found, and what else is found; beside it what others publish.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BAD = re.compile(r"/\*\s*BAD\b|//\s*BAD\b")
OWASP = {
    "cmdi": "command-injection",
    "ldapi": "ldap-injection",
    "pathtraver": "path-injection",
    "sqli": "sql-injection",
    "trustbound": "trust-boundary-violation",
    "xpathi": "xpath-injection",
    "xss": "html-injection",
}
"""The categories of the OWASP Benchmark that are about values from outside → the rule that finds them."""

PUBLISHED = {
    "securibench": "FlowDroid (PLDI 2014, table 2, without predicates, reflection, sanitizers): 117 of 121, 9 others",
    "owasp": "the suite's scorecards, over all categories: FindSecBugs 1.4.0 finds 97 % with 58 % of the sound tests, "
    "SonarQube's Java plugin 3.14 50 % with 17 %",
}


@dataclass
class Score:
    """Of a category: how much is marked, how much of it is found, how much else is found, how much is sound."""

    marked: int = 0
    found: int = 0
    others: int = 0
    sound: int = 0
    missed: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)

    def cells(self, name: str) -> tuple[str, ...]:
        """The cells of the category's line."""
        return name, str(self.marked), str(self.found), str(self.others), *self.rates()

    def rates(self) -> tuple[str, str]:
        """Recall and precision."""
        all_ = self.found + self.others
        return (
            f"{self.found / self.marked:.1%}" if self.marked else "-",
            f"{self.found / all_:.1%}" if all_ else "-",
        )


def main() -> None:
    """Run the analysis over a suite, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("suite", choices=sorted(PUBLISHED))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--report", type=Path, help="a report of `analyze --format json` that is there already")
    parser.add_argument("--all", action="store_true", help="also list what is missed, and what else is found")
    parser.add_argument("analyze", nargs="*", help="options for `analyze`, after --")
    arguments = parser.parse_args()
    text = arguments.report.read_text() if arguments.report else _analysed(arguments.folder, arguments.analyze)
    findings = json.loads(text)["findings"]
    scores = (securibench if arguments.suite == "securibench" else owasp)(arguments.folder, findings)
    print(table(scores))
    print(f"published: {PUBLISHED[arguments.suite]}")
    if arguments.all:
        for name, score in scores.items():
            print(*(f"missed {name} {each}" for each in score.missed), sep="\n")
            print(*(f"extra  {name} {each}" for each in score.extra), sep="\n")


def _analysed(folder: Path, options: Sequence[str]) -> str:
    command = ["analyze", str(folder), "--analysis", "taint", "--no-state", "--quiet", "--format", "json", *options]
    return subprocess.run(
        [str(Path(sys.executable).parent / command[0]), *command[1:]], stdout=subprocess.PIPE, check=True, text=True
    ).stdout


def securibench(folder: Path, findings: Sequence[Mapping[str, Any]]) -> dict[str, Score]:
    """Lines: those marked as bad are to be found, by whatever rule, and no others. What gets into the session is not
    what the suite is about."""
    found = {(each["path"], each["line"]) for each in findings if each["rule"] != "trust-boundary-violation"}
    scores: dict[str, Score] = defaultdict(Score)
    for file in sorted(folder.rglob("*.java")):
        path = file.relative_to(folder).as_posix()
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        bad = {(path, number) for number, line in enumerate(lines, 1) if BAD.search(line)}
        here = {place for place in found if place[0] == path}
        if bad or here:
            _count(scores[file.parent.name], bad, here)
    return scores


def _count(score: Score, bad: set[tuple[str, int]], here: set[tuple[str, int]]) -> None:
    score.marked += len(bad)
    score.found += len(bad & here)
    score.others += len(here - bad)
    score.missed += [f"{Path(path).name}:{line}" for path, line in sorted(bad - here)]
    score.extra += [f"{Path(path).name}:{line}" for path, line in sorted(here - bad)]


def owasp(folder: Path, findings: Sequence[Mapping[str, Any]]) -> dict[str, Score]:
    """Tests: of each that is vulnerable the rule of its category finds something, and of no other."""
    found = {(Path(path).stem, each["rule"]) for each in findings for path in _paths(each)}
    scores: dict[str, Score] = defaultdict(Score)
    (expected,) = folder.glob("expectedresults-*.csv")
    with expected.open(newline="") as rows:
        for row in csv.reader(rows):
            test, category, vulnerable = row[0], row[1], row[2] if len(row) > 2 else ""
            if category not in OWASP or not list(folder.rglob(f"{test}.java")):
                continue
            score, here = scores[category], (test, OWASP[category]) in found
            score.marked += vulnerable == "true"
            score.sound += vulnerable != "true"
            score.found += vulnerable == "true" and here
            score.others += vulnerable != "true" and here
            if here != (vulnerable == "true"):
                (score.extra if here else score.missed).append(test)
    return scores


def _paths(finding: Mapping[str, Any]) -> Iterable[str]:
    """The file of a finding, and those of its steps: its sink may be in a method that several tests call."""
    yield finding["path"]
    for step in finding.get("flow", ()):
        yield step["path"]


def table(scores: Mapping[str, Score]) -> str:
    """The table, by category and in all."""
    total = Score()
    for score in scores.values():
        total.marked, total.found = total.marked + score.marked, total.found + score.found
        total.others, total.sound = total.others + score.others, total.sound + score.sound
    rows: list[tuple[str, ...]] = [("category", "marked", "found", "others", "recall", "precision")]
    rows += [score.cells(name) for name, score in sorted(scores.items())]
    rows.append(total.cells("all"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if not column else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


if __name__ == "__main__":
    main()
