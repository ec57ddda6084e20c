"""Facts that tasks read, part by part, are those that are read here."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from ladder.errors import TablesError
from ladder.facts.packs.frames import Packs
from ladder.facts.packs.rows import same_rows
from ladder.facts.packs.store import FactTables
from ladder.frontends.java import FRONT_END
from ladder.project.extraction.batch import Job, layout
from ladder.project.files import Project

SAMPLE = Path(__file__).parents[2] / "corpora" / "bookshop"


def test_relations_of_some_files(tmp_path: Path) -> None:
    project = Project(SAMPLE)
    files = project.snapshot().files[:8]
    tables = FactTables(tmp_path / "with blank %20", layout(FRONT_END))
    for part in (files[:5], files[5:]):
        tables.note(Job(project.source, str(tables.folder), FRONT_END, layout(FRONT_END)).run(part))
    hashes, names = [hash_ for _, hash_ in files[1:7]], ["Unit", "Method", "Position"]
    packs, expected = Packs.of(tables, hashes, names), tables.read(hashes, names)
    assert len(packs.parts) == 2 and sum(packs.sizes) == sum(tables.entries[hash_].facts for hash_ in hashes)
    found: dict[str, list[pa.Table]] = {name: [] for name in names}
    for number in range(len(packs.parts)):
        for name, table in packs.read(number):
            found[name].append(table)
    for name, table in expected.items():
        assert len(table) and same_rows(pa.concat_tables(found[name]), table)
    assert not Packs.of(tables, [], names).parts
    pack = next(tables.folder.glob("*.parquet"))
    pack.write_bytes(pack.read_bytes()[:-100])
    with pytest.raises(TablesError, match=f"{pack.stem} is damaged .* --engine local"):
        for number in range(len(packs.parts)):
            list(packs.read(number))
