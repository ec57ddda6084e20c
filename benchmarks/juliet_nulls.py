"""How much of what the Juliet test suite for Java marks the analyses find, weakness by weakness, and how much else.

    python benchmarks/juliet_nulls.py FOLDER nullness

FOLDER is a copy of the suite (version 1.2 or 1.3), which is not part of this repository; of its test cases only those
of the named table of WEAKNESSES are copied, with the support classes, and analysed: entry points are each case's
constructor, `bad()` and `good()`. A case is one flaw, in one or more files that share its name and number. It is found
if a rule of its weakness finds a line of a flawed method below a comment that says FLAW; what the same rules find in a
method of the sound variants (`goodG2B`, `goodB2GSink`, …) counts, once for each method, as something else.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from findings import Score, table

NULL_RULES = (
    "null-dereference",
    "null-dereference-on-path",
    "null-dereference-of-checked",
    "nullable-result",
    "nullable-argument",
    "nullable-annotated",
    "check-after-dereference",
)


@dataclass(frozen=True)
class Weaknesses:
    """Weaknesses that one analysis finds: folders of the suite → the rules that are about them."""

    analysis: str
    rules: Mapping[str, tuple[str, ...]]


WEAKNESSES = {
    "nullness": Weaknesses(
        "nullness",
        {"CWE476_NULL_Pointer_Dereference": NULL_RULES, "CWE690_NULL_Deref_From_Return": NULL_RULES},
    ),
}
"""What is graded, by name. Another analysis adds an entry."""

CASE = re.compile(r"(CWE\d+_.+_\d\d)(?:[a-e]|_(?:bad|base|goodG2B|goodB2G))?\.java")
METHOD = re.compile(r"^    (?!\s)(?:\w[\w<>\[\], ]*\s)(\w+)\s*\([^;]*$")
FLAW = re.compile(r"/\*.*\bFLAW\b")
NEAR = 8  # lines from a comment that says FLAW to what it is about
ENTRIES = ("testcases.*.bad", "testcases.*.good", "testcases.*.<init>")


def main() -> None:
    """Analyse the test cases of a table, and print how they are found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("weaknesses", choices=sorted(WEAKNESSES))
    parser.add_argument("--report", type=Path, help="a report of `analyze --format json` that is there already")
    parser.add_argument("--all", action="store_true", help="also list what is missed, and what else is found")
    parser.add_argument("analyze", nargs="*", help="options for `analyze`, after --")
    arguments = parser.parse_args()
    chosen = WEAKNESSES[arguments.weaknesses]
    with tempfile.TemporaryDirectory() as name:
        root = copied(arguments.folder, chosen, Path(name))
        text = arguments.report.read_text() if arguments.report else analysed(root, chosen, arguments.analyze)
        scores = graded(root, chosen, json.loads(text)["findings"])
    print(table(scores))
    if arguments.all:
        for name, score in scores.items():
            print(*(f"missed {name} {each}" for each in score.missed), sep="\n")
            print(*(f"extra  {name} {each}" for each in score.extra), sep="\n")


def copied(suite: Path, chosen: Weaknesses, root: Path) -> Path:
    """A project of the support classes and the test cases of the weaknesses."""
    (support,) = (path for path in suite.rglob("testcasesupport") if path.is_dir())
    shutil.copytree(support, root / "testcasesupport")
    for weakness in chosen.rules:
        folders = [path for path in suite.rglob(weakness) if path.is_dir()]
        if not folders:
            raise SystemExit(f"{suite} has no folder {weakness}: it is not the Juliet test suite for Java.")
        for file in folders[0].rglob("*.java"):
            if file.name not in ("Main.java", "ServletMain.java"):
                target = root / "testcases" / weakness / file.relative_to(folders[0])
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, target)
    return root


def analysed(root: Path, chosen: Weaknesses, options: Sequence[str]) -> str:
    """The report of the analysis as JSON."""
    command = ["analyze", str(root), "--analysis", chosen.analysis, "--no-state", "--quiet", "--format", "json"]
    entries = [option for entry in ENTRIES for option in ("--entry", entry)]
    return subprocess.run(
        [str(Path(sys.executable).parent / command[0]), *command[1:], *entries, *options],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    ).stdout


def graded(root: Path, chosen: Weaknesses, findings: Sequence[Mapping[str, Any]]) -> dict[str, Score]:
    """The score of each weakness: its cases, and the methods of sound variants."""
    flawed: dict[str, set[str]] = defaultdict(set)
    sound: dict[str, set[str]] = defaultdict(set)
    for each in findings:
        weakness = next((part for part in Path(each["path"]).parts if part in chosen.rules), None)
        if weakness is None or each["rule"] not in chosen.rules[weakness]:
            continue
        file = root / each["path"]
        case, method = _case(file), _method(file, each["line"])
        if _is_flawed(file, method):
            if _near_flaw(file, each["line"]):
                flawed[weakness].add(case)
        else:
            sound[weakness].add(f"{case} {file.stem}.{method}")
    scores = {}
    for weakness in chosen.rules:
        cases = {_case(file) for file in (root / "testcases" / weakness).rglob("*.java") if CASE.fullmatch(file.name)}
        good = sum(1 for _ in _sound_methods(root / "testcases" / weakness))
        found = flawed[weakness] & cases
        scores[weakness] = Score(
            len(cases), len(found), len(sound[weakness]), good, sorted(cases - found), sorted(sound[weakness])
        )
    return scores


def _case(file: Path) -> str:
    match = CASE.fullmatch(file.name)
    return match[1] if match else file.stem


@cache
def _lines(file: Path) -> tuple[str, ...]:
    return tuple(file.read_text(encoding="utf-8", errors="replace").splitlines())


def _method(file: Path, line: int) -> str:
    """The name of the method that the line is in, by the last line before it that begins one."""
    names = (match[1] for text in reversed(_lines(file)[:line]) if (match := METHOD.match(text)))
    return next(names, "")


def _is_flawed(file: Path, method: str) -> bool:
    """Whether a method belongs to the flawed variant, by its name or, where all variants share that, its class's."""
    if re.match(r"bad|good", method, re.IGNORECASE):
        return method.lower().startswith("bad")
    return bool(re.search(r"_bad$|_Bad$", file.stem))


def _near_flaw(file: Path, line: int) -> bool:
    return any(FLAW.search(text) for text in _lines(file)[max(0, line - 1 - NEAR) : line])


def _sound_methods(folder: Path) -> Iterator[str]:
    for file in folder.rglob("*.java"):
        for text in _lines(file):
            if (match := METHOD.match(text)) and match[1] != "good" and not _is_flawed(file, match[1]):
                yield f"{file.stem}.{match[1]}"


if __name__ == "__main__":
    main()
