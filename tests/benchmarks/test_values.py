"""What constants and intervals find, and what changed literals cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from values import costs, measure, quantile, results


def test_quantiles() -> None:
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([3.0, 1.0, 2.0], 1.0) == 3.0


@pytest.mark.slow
def test_a_small_project(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(
        "class A { static final int N = 3; public static void main(String[] a) { int x = 7; if (N > x) x = 9; } }",
        encoding="utf-8",
    )
    found = measure(str(tmp_path), "constprop", "public", 2, 0, 1)
    assert found["rows"]["If"] == found["rows"]["DecidedBranch"] == 1 and found["modes"] == ["update"]
    assert len(found["updates"]) == len(found["cpu"]) == 2 * 2
    assert f"| {tmp_path.name} | constprop |" in results([found]) and "constprop" in costs([found])
