"""How much of what the Juliet suite for Java marks the analyses find, and how much else.

    python benchmarks/juliet.py FOLDER [WEAKNESS …]

FOLDER is `src/testcases` in a copy of the suite, which is not part of this repository; WEAKNESS is a name such as
`CWE369`. Each test is a group of files: what a method with `bad` in its name, or in a file that ends in `_bad`, is
reported for is found, what one with `good` is, is a false alarm. A test whose flaw is found counts once, and so does
each of its good methods that is reported.
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
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from findings import Score

NULL_RULES = (
    "null-dereference",
    "null-dereference-on-path",
    "null-dereference-of-checked",
    "nullable-result",
    "nullable-argument",
    "nullable-annotated",
    "check-after-dereference",
)
WEAKNESSES: dict[str, tuple[str, tuple[str, ...]]] = {
    "CWE23": ("taint", ("path-injection",)),
    "CWE36": ("taint", ("path-injection",)),
    "CWE78": ("taint", ("command-injection",)),
    "CWE80": ("taint", ("html-injection",)),
    "CWE81": ("taint", ("html-injection",)),
    "CWE83": ("taint", ("html-injection",)),
    "CWE89": ("taint", ("sql-injection",)),
    "CWE90": ("taint", ("ldap-injection",)),
    "CWE113": ("taint", ("response-splitting",)),
    "CWE129": (
        "ranges",
        ("index-out-of-bounds", "index-out-of-bounds-always", "negative-array-size", "negative-array-size-always"),
    ),
    "CWE134": ("taint", ("format-string",)),
    "CWE190": ("ranges", ("integer-overflow",)),
    "CWE191": ("ranges", ("integer-overflow",)),
    "CWE193": ("ranges", ("off-by-one", "index-out-of-bounds", "index-out-of-bounds-always")),
    "CWE197": ("ranges", ("numeric-truncation",)),
    "CWE369": ("ranges", ("division-by-zero", "division-by-zero-always")),
    "CWE404": ("resources", ("unclosed-resource", "unclosed-on-exception", "lock-not-released", "locked-on-exception")),
    "CWE470": ("taint", ("unsafe-reflection",)),
    "CWE476": ("nullness", NULL_RULES),
    "CWE601": ("taint", ("url-redirection",)),
    "CWE643": ("taint", ("xpath-injection",)),
    "CWE690": ("nullness", NULL_RULES),
    "CWE667": ("resources", ("lock-not-released", "locked-on-exception")),
    "CWE772": ("resources", ("unclosed-resource", "unclosed-on-exception")),
    "CWE775": ("resources", ("unclosed-resource", "unclosed-on-exception")),
}
"""Weakness → the analysis that looks for it, and its rules."""

ENTRIES = ("testcases.*.bad", "testcases.*.good", "testcases.*.<init>")  # what runs the tests calls
SUPPORT = "testcasesupport"  # beside the tests: the classes that they use

TEST = re.compile(r"(?P<test>.+_\d\d)(?P<part>[a-z]?|_\w+)\.java")
METHOD = re.compile(r"^    (?:\w+ )*(?P<name>\w+)\((?:[^;]*)$")


def methods(text: str) -> dict[int, str]:
    """Line, from 1, where a method begins → its name."""
    return {n: m["name"] for n, line in enumerate(text.splitlines(), 1) if (m := METHOD.match(line))}


def method_at(begins: Mapping[int, str], line: int) -> str:
    """The method that a line belongs to."""
    before = [n for n in begins if n <= line]
    return begins[max(before)] if before else ""


def verdict(file: str, method: str) -> str:
    """`bad` or `good`, by the names of the method and of its file; "" for what helps both."""
    name = f"{file.rpartition('.')[0].rpartition('_')[2]} {method}".lower()
    return "good" if "good" in name else "bad" if "bad" in name else ""


def findings(folder: Path, analysis: str, state: Path) -> list[Mapping[str, Any]]:
    """What `analyze` finds in the folder."""
    command = [sys.executable, "-m", "ladder", "analyze", str(folder), "--analysis", analysis, "--format", "json"]
    command += ["--quiet", "--state", str(state), *(option for entry in ENTRIES for option in ("--entry", entry))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[Mapping[str, Any]] = json.loads(done.stdout)["findings"]
    return found


def score(folders: Iterable[Path], support: Path, weakness: str) -> Score:
    """Analyse each folder of a weakness by itself, with the classes that all tests use: tests share no other code.

    for each folder: for each finding of the weakness's rules: the test and the method that it is in
    for each test: its flaw is found if a bad method is reported; each good method that is reported is an alarm
    """
    analysis, rules = WEAKNESSES[weakness]
    result = Score()
    for folder in folders:
        reported: dict[str, set[tuple[str, str]]] = defaultdict(set)
        sound: dict[str, set[str]] = defaultdict(set)
        texts = {path.name: methods(path.read_text("utf-8")) for path in folder.rglob("*.java")}
        with tempfile.TemporaryDirectory() as state:
            project = Path(state) / "project"
            shutil.copytree(folder, project / folder.name)
            shutil.copytree(support, project / support.name)
            found = findings(project, analysis, Path(state) / "state")
        for finding in found:
            file = Path(finding["path"]).name
            match = TEST.fullmatch(file)
            if finding["rule"] in rules and match:
                method = method_at(texts[file], finding["line"])
                reported[match["test"]].add((verdict(file, method), f"{file} {method}"))
        for file, begins in texts.items():
            if match := TEST.fullmatch(file):
                sound[match["test"]] |= {f"{file} {m}" for m in begins.values() if verdict(file, m) == "good"}
        for test, good in sound.items():
            result.marked += 1
            result.sound += len(good)
            alarms = sorted(where for kind, where in reported[test] if kind == "good")
            result.others += len(alarms)
            result.extra += alarms
            if any(kind == "bad" for kind, _ in reported[test]):
                result.found += 1
            else:
                result.missed.append(test)
    return result


def folders_of(suite: Path, weakness: str) -> list[Path]:
    """The folders of a weakness that are analysed one by one."""
    (top,) = suite.glob(f"{weakness}_*")
    parts = sorted(path for path in top.glob("s*") if path.is_dir())
    return parts or [top]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each weakness, and the tests that are missed or reported wrongly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=Path, metavar="FOLDER")
    parser.add_argument("weaknesses", nargs="*", metavar="WEAKNESS", default=[])
    parser.add_argument("--list", action="store_true", help="name what is missed, and what is reported wrongly")
    parser.add_argument("--parts", type=int, default=None, help="of a weakness's folders, so many")
    options = parser.parse_args(arguments)
    print("weakness  flaws  found  good methods  alarms  recall  precision")
    for weakness in options.weaknesses or WEAKNESSES:
        result = score(folders_of(options.suite, weakness)[: options.parts], options.suite.parent / SUPPORT, weakness)
        counts = (result.marked, result.found, result.sound, result.others)
        print("  ".join((weakness, *map(str, counts), *result.rates())), flush=True)
        for name, cases in (("missed", result.missed), ("alarm", result.extra)) if options.list else ():
            for case in sorted(cases):
                print(f"  {name}  {case}")


if __name__ == "__main__":
    main()
