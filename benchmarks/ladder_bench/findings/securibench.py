"""Securibench Micro: the lines that are marked with `/* BAD */` are to be found, by whatever rule of `taint`, and no
others.

What gets into the session is not what the suite is about. A finding tells of further lines where it is about several
calls that one value harms.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ladder_bench.findings.score import Score

BAD = re.compile(r"/\*\s*BAD\b|//\s*BAD\b")
LEFT_OUT = "trust-boundary-violation"
FURTHER = "the value gets here, too"


def graded(folder: Path, findings: Sequence[Mapping[str, Any]]) -> dict[str, Score]:
    """Score by group of tests, the folders of the suite."""
    told = [each for each in findings if each["rule"] != LEFT_OUT]
    told += [place for each in told for place in each.get("related", ()) if place["message"] == FURTHER]
    found = {(each["path"], each["line"]) for each in told}
    scores: dict[str, Score] = defaultdict(Score)
    for file in sorted(folder.rglob("*.java")):
        path = file.relative_to(folder).as_posix()
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        bad = {(path, number) for number, line in enumerate(lines, 1) if BAD.search(line)}
        here = {place for place in found if place[0] == path}
        if bad or here:
            scores[file.parent.name] += Score(
                len(bad),
                len(bad & here),
                len(here - bad),
                missed=[f"{file.name}:{line}" for _, line in sorted(bad - here)],
                extra=[f"{file.name}:{line}" for _, line in sorted(here - bad)],
            )
    return scores
