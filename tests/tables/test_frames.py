"""Facts read by Spark's tasks are those that are read here."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from ladder.extraction.batch import Job, layout
from ladder.project import Project
from ladder.tables.frames import frame
from ladder.tables.store import FactTables

SAMPLE = Path(__file__).parents[2] / "corpora" / "bookshop"


def test_a_relation_of_some_files(spark: Any, tmp_path: Path) -> None:
    project = Project(SAMPLE)
    files = project.snapshot().files[:8]
    tables = FactTables(tmp_path / "with blank %20", layout())
    for part in (files[:5], files[5:]):
        tables.note(Job(project.source, str(tables.folder)).run(part))
    hashes = [hash_ for _, hash_ in files[1:7]]
    expected = tables.read(hashes, ["Unit", "Method"])
    for name, table in expected.items():
        found = frame(tables, hashes, name, spark)
        assert found.columns == table.column_names and len(table) > 0
        assert sorted(map(tuple, found.collect())) == sorted(tuple(row.values()) for row in table.to_pylist())
    assert frame(tables, [], "Unit", spark).count() == 0
