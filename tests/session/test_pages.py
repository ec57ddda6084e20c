"""What a bootstrap on Spark took, as text and as a page; no Spark is needed to say it."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ladder.engine.spark.report import IterationReport, RunReport, StageReport
from ladder.report.spark_report import as_text, write_page
from ladder.spark.internals import Figures


def report() -> RunReport:
    figures: Any = SimpleNamespace(
        **{**dict.fromkeys(inspect.signature(Figures).parameters, 3), "shuffle_written": 5 << 20, "spilled": 0}
    )
    iterations = [IterationReport(number, {"p": 10**number}, 1.5, 0.25, figures) for number in (1, 4)]
    return RunReport([StageReport("p<q>, r", iterations, 3.0)], 4.0, unusual="a <value>")


def test_as_text() -> None:
    lines = as_text(report()).splitlines()
    assert (
        lines[0] == "on Spark: 4.000 s, 1 stage, 2 iterations, 6 jobs in them, 10M shuffled"
        and lines[2] == "p<q>, r: 3.000 s"
    )
    assert lines[3].split() == [
        "iteration",
        "seconds",
        "planning",
        "rows",
        "jobs",
        "stages",
        "shuffled",
        "spilled",
        "tried",
        "again",
    ]
    assert len({len(line) for line in lines[3:]}) == 1 and lines[5].split()[:4] == ["4", "1.500", "0.250", "10,000"]


def test_as_a_page(tmp_path: Path) -> None:
    write_page(tmp_path / "page.html", [("run <1>", report())])
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "run &lt;1&gt;: 4.000 s on Spark" in page and "a &lt;value&gt;" in page and page.count("p&lt;q&gt;, r") == 2
    assert 'data-value="10000">10,000<' in page and "<value>" not in page
