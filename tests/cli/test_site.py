"""The documentation as a site: every page is in its navigation, and it builds without a warning, so all links and
anchors in it resolve."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config

ROOT = Path(__file__).parents[2]
FROM_ELSEWHERE = {"index.md", "architecture.md"}


def pages(nav: Any) -> Iterator[str]:
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        else:
            for below in entry.values():
                yield from pages([below] if isinstance(below, str) else below)


def test_the_navigation_holds_every_page_once() -> None:
    found = list(pages(load_config(str(ROOT / "mkdocs.yml"))["nav"]))
    assert sorted(found) == sorted({*(page.name for page in (ROOT / "docs").glob("*.md")), *FROM_ELSEWHERE})


@pytest.mark.slow
def test_it_builds_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    page = (tmp_path / "site/api.html").read_text("utf-8")
    assert "Bring the rows up to date" in page or "ladder.api.database.Database.update" in page
    assert 'href="usage.html"' in (tmp_path / "site/index.html").read_text(
        "utf-8"
    ) and '<span class="filename">toy.py' in (tmp_path / "site/extending.html").read_text("utf-8")
