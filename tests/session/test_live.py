"""Analyses that stay in memory find, after each edit, what a run from scratch finds; facts stay in memory meanwhile."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from ladder.project.files import Project
from ladder.session import workspace
from ladder.session.live import Live
from tests.session.projects import FLAWED, FLAWS, analyse, write

CALLS = ("far();", "new B().help();", "new B().oldDone(3);", "int n = 1;", "new E().run();")


def test_after_edits_a_live_session_has_what_a_run_from_scratch_has(tmp_path: Path) -> None:
    root, numbers = tmp_path / "project", random.Random(3)
    write(root, FLAWED)
    with workspace.temporary() as kept:
        live = Live(Project(root), [FLAWS], kept)
        tables = live.facts.tables
        tables.tuning = replace(tables.tuning, files_in_memory=4)
        packs = len(list(tables.folder.glob("*.parquet")))
        for number in range(12):
            name = numbers.choice("CDE")
            calls = "".join(f"    {numbers.choice(CALLS)}\n" for _ in range(numbers.randrange(4)))
            text = f"package p;\nclass {name} {{\n  void run() {{\n{calls}  }}\n  void far() {{ }}\n}}\n"
            if number % 5 == 4 and (root / f"src/p/{name}.java").exists():
                (root / f"src/p/{name}.java").unlink()
            else:
                write(root, {f"src/p/{name}.java": text})
            found = live.now().present
            fresh = analyse(root, analyses=[FLAWS], keep=False).findings.present
            assert [(f.rule, f.message, f.spot, f.flow, f.related, f.fingerprint) for f in found] == [
                (f.rule, f.message, f.spot, f.flow, f.related, f.fingerprint) for f in fresh
            ]
        assert 0 < len(tables.held) <= 4 and len(list(tables.folder.glob("*.parquet"))) < packs + 6
        live.close()
