"""The Juliet suite for Java: what its good and bad methods are reported for.

Each test is a group of files: what a method with `bad` in its name, or in a file that ends in `_bad`, is reported for
is found, what one with `good` is, is a false alarm. A test whose flaw is found counts once, and so does each of its
good methods that is reported. Each folder of a weakness is analysed by itself, with the classes that all tests use:
tests share no other code.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from ladder_bench.findings.analysed import report_of
from ladder_bench.findings.score import Score

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
    "CWE681": ("ranges", ("numeric-truncation",)),
    "CWE789": ("ranges", ("uncontrolled-allocation",)),
    "CWE193": ("ranges", ("off-by-one", "index-out-of-bounds", "index-out-of-bounds-always")),
    "CWE197": ("ranges", ("numeric-truncation",)),
    "CWE327": ("taint", ("weak-cipher",)),
    "CWE328": ("taint", ("weak-hash",)),
    "CWE369": ("ranges", ("division-by-zero", "division-by-zero-always")),
    "CWE404": ("resources", ("unclosed-resource", "unclosed-on-exception", "lock-not-released", "locked-on-exception")),
    "CWE470": ("taint", ("unsafe-reflection",)),
    "CWE476": ("nullness", NULL_RULES),
    "CWE614": ("taint", ("insecure-cookie",)),
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


def graded(folders: Iterable[Path], support: Path, weakness: str) -> Score:
    """Analyse the folders of a weakness, and grade its tests.

    for each folder: for each finding of the weakness's rules: the test and the method that it is in
    for each test: its flaw is found if a bad method is reported; each good method that is reported is an alarm
    """
    analysis, rules = WEAKNESSES[weakness]
    result = Score()
    for folder in folders:
        texts = {path.name: methods(path.read_text("utf-8")) for path in folder.rglob("*.java")}
        with tempfile.TemporaryDirectory() as place:
            shutil.copytree(folder, Path(place) / folder.name)
            shutil.copytree(support, Path(place) / support.name)
            entries = (option for entry in ENTRIES for option in ("--entry", entry))
            found = report_of(Path(place), [analysis], *entries)["findings"]
        reported: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for finding in found:
            file = Path(finding["path"]).name
            match = TEST.fullmatch(file)
            if finding["rule"] in rules and match:
                method = method_at(texts[file], finding["line"])
                reported[match["test"]].add((verdict(file, method), f"{file} {method}"))
        for test, good in _good_methods(texts).items():
            alarms = sorted(where for kind, where in reported[test] if kind == "good")
            hit = any(kind == "bad" for kind, _ in reported[test])
            result += Score(1, int(hit), len(alarms), len(good), [] if hit else [test], alarms)
    return result


def _good_methods(texts: Mapping[str, Mapping[int, str]]) -> dict[str, set[str]]:
    """Test → its good methods, in files and the methods that these have."""
    found: dict[str, set[str]] = defaultdict(set)
    for file, begins in texts.items():
        if match := TEST.fullmatch(file):
            found[match["test"]] |= {f"{file} {m}" for m in begins.values() if verdict(file, m) == "good"}
    return found


def folders_of(suite: Path, weakness: str) -> list[Path]:
    """The folders of a weakness that are analysed one by one."""
    (top,) = suite.glob(f"{weakness}_*")
    parts = sorted(path for path in top.glob("s*") if path.is_dir())
    return parts or [top]
