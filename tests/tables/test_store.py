"""Packs: what is written is read, exactly and by any Parquet reader; differences, damage, collection."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ladder.errors import TablesError
from ladder.facts.packs import layout
from ladder.facts.packs import pack as packs
from ladder.facts.packs.layout import FileRow, Layout
from ladder.facts.packs.pack import Damaged, write_pack
from ladder.facts.packs.store import FactTables
from ladder.support.tuning import Extracting

from .packs import LAYOUT, NAMES, facts, file, rows


@pytest.fixture
def store(tmp_path: Path) -> FactTables:
    return FactTables(tmp_path / "facts", LAYOUT)


def add(store: FactTables, *files: FileRow) -> None:
    store.note(write_pack(store.folder, store.layout, files))


def test_what_was_written_is_read_from_any_mix_of_packs(store: FactTables) -> None:
    files = [file(f"C{i}", i % 5) for i in range(200)]
    for start in range(0, 200, 50):
        add(store, *files[start : start + 50])
    reopened = FactTables(store.parent, LAYOUT)
    assert reopened.entries == store.entries and not reopened.damaged
    for chosen in (files, files[3:180:7], files[:1], []):
        tables = reopened.read([f.hash for f in chosen], NAMES)
        assert rows(tables) == facts(chosen)
        assert sum(map(len, tables.values())) == sum(map(len, facts(chosen).values()))
        assert all(pa.types.is_dictionary(table.schema.field("method").type) for table in tables.values())


def test_a_pack_is_parquet_that_other_readers_explode(store: FactTables) -> None:
    add(store, file("A"), file("B"))
    (parquet,) = store.folder.glob("*.parquet")
    table = pq.read_table(parquet)
    assert table["hash"].to_pylist() == sorted(table["hash"].to_pylist())
    assert table.schema.metadata[b"ladder.version"] == b"v1"
    exploded = {tuple(row.values()) for cell in table["Method"].to_pylist() for row in cell}
    assert exploded == facts([file("A"), file("B")])["Method"]
    assert table["types"].to_pylist() in ([["p.A"], ["p.B"]], [["p.B"], ["p.A"]])


def test_the_difference_is_exact_and_reads_only_changed_files(
    store: FactTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [file(f"C{i}", 3) for i in range(300)]
    add(store, *files)
    changed = file("C7", 3, version=9)
    add(store, changed)
    read: list[int] = []
    original = packs.read_groups
    monkeypatch.setattr(
        "ladder.facts.packs.store.read_groups",
        lambda folder, name, groups, *rest, **options: (
            read.append(len(groups)),
            original(folder, name, groups, *rest, **options),
        )[1],
    )
    now = [changed if f is files[7] else f for f in files]
    change = store.difference([f.hash for f in files], [f.hash for f in now], NAMES)
    assert rows(change.inserted) == {"Method": {("p.C7.m2()", 9)}, "Call": set()}
    assert rows(change.deleted) == {"Method": {("p.C7.m2()", 0)}, "Call": set()}
    assert len(change) == 2 and read == [1, 1]
    assert not len(store.difference([f.hash for f in now], [f.hash for f in now], NAMES))


def test_differences_equal_set_differences_for_random_changes(store: FactTables) -> None:
    chosen = random.Random(7)
    pool = [file(f"C{i}", chosen.randrange(4), v) for i in range(12) for v in range(3)]
    add(store, *pool)
    for _ in range(40):
        old, new = (
            [chosen.choice([f for f in pool if f.unit == f"p.C{i}"]) for i in range(12) if chosen.random() < 0.7]
            for _ in range(2)
        )
        change = store.difference([f.hash for f in old], [f.hash for f in new], NAMES)
        before, after = facts(old), facts(new)
        assert rows(change.inserted) == {n: after[n] - before[n] for n in NAMES}
        assert rows(change.deleted) == {n: before[n] - after[n] for n in NAMES}


def test_positions_carry_the_path(store: FactTables) -> None:
    one = file("A", 1)
    add(store, one, file("B"))
    assert store.positions({"x/A.java": one.hash}).to_pylist() == [
        {"id": "p.A.m0()/call f#1", "path": "x/A.java", "line": 1, "column": 5}
    ]
    assert not len(store.positions({}))


@pytest.mark.parametrize(
    ("relations", "message"),
    [
        ({"Method": [("m", 1, 2)]}, "3 columns instead of 2"),
        ({"Method": [("m", "x")]}, "does not fit"),
        ({"Method": [("m", None)]}, "empty cell"),
        ({"Method": [("m", 1 << 40)]}, "does not fit"),
        ({"Nothing": [("m",)]}, "unknown relation Nothing"),
    ],
)
def test_facts_that_break_the_schema_are_not_written(
    store: FactTables, relations: dict[str, Any], message: str
) -> None:
    with pytest.raises(TablesError, match=message):
        write_pack(store.folder, LAYOUT, [FileRow("0" * 40, "javalang", 1, "", (), (), relations)])
    assert not list(store.folder.iterdir())


def test_duplicate_rows_and_lone_surrogates(store: FactTables) -> None:
    add(
        store,
        FileRow(
            "a" * 40,
            "javalang",
            1,
            "u",
            ("u",),
            ((1, 2, "syntax", "\ud800"),),
            {"Call": [("\ud800", "m"), ("\ud800", "m")]},
        ),
    )
    assert rows(store.read(["a" * 40], NAMES))["Call"] == {("\\ud800", "m")}


def test_files_with_more_text_than_a_row_group_holds_have_one_each(
    store: FactTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrow's arrays of strings end at 2 GiB: of more, `pa.array` makes several, of which no column of a row group can
    be made."""
    monkeypatch.setattr(layout, "MOST_TEXT", 500)
    files = [file(f"C{i}", 1 + 8 * (i % 2)) for i in range(20)]
    for start in range(0, 20, 2):
        add(store, *files[start : start + 2])
    add(store, *files)
    groups = [pq.ParquetFile(name).num_row_groups for name in store.folder.glob("*.parquet")]
    assert max(groups) > 4 and rows(store.read([f.hash for f in files], NAMES)) == facts(files)
    FactTables(store.parent, LAYOUT, tuning=Extracting(small_packs=0)).collect([f.hash for f in files])
    (merged,) = store.folder.glob("*.parquet")
    reopened = FactTables(store.parent, LAYOUT)
    assert pq.ParquetFile(merged).num_row_groups > 4 and rows(reopened.read([f.hash for f in files], NAMES)) == facts(
        files
    )
    for old in range(0, 20, 3):
        change = reopened.difference([f.hash for f in files[:old]], [f.hash for f in files[old:]], NAMES)
        assert rows(change.inserted) == facts(files[old:]) and rows(change.deleted) == facts(files[:old])


def test_a_file_with_more_text_than_a_row_group_holds_is_told(
    store: FactTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "MOST_TEXT", 500)
    with pytest.raises(TablesError, match="A column of Method holds more than 500 bytes"):
        add(store, file("A"), file("B", 100))
    assert not list(store.folder.iterdir())


def test_of_texts_that_need_several_arrays_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `pa.array` gives for more than 2 GiB: several arrays."""
    monkeypatch.setattr(layout, "_column", lambda values, type_: pa.chunked_array([values[:1], values[1:]], type_))
    with pytest.raises(layout.TooMuchText):
        LAYOUT.table([file("A")])


@pytest.mark.parametrize("damage", ["cut", "flip", "index", "gone"])
def test_damage_is_noticed(store: FactTables, damage: str) -> None:
    files = [file(f"C{i}") for i in range(5)]
    add(store, *files)
    add(store, file("Other"))
    name = store.entries[files[0].hash].pack
    parquet, index = store.folder / f"{name}.parquet", store.folder / f"{name}.index"
    data = parquet.read_bytes()
    if damage == "cut":
        parquet.write_bytes(data[:-100])
    elif damage == "index":
        index.write_bytes(index.read_bytes()[:50])
    elif damage == "gone":
        parquet.unlink()
    else:
        middle = 40
        parquet.write_bytes(data[:middle] + bytes(b ^ 0xFF for b in data[middle : middle + 200]) + data[middle + 200 :])
    reopened = FactTables(store.parent, LAYOUT)
    if damage == "flip":
        with pytest.raises(Damaged) as error:
            reopened.read([f.hash for f in files], NAMES)
            reopened.positions({str(i): f.hash for i, f in enumerate(files)})
        reopened.discard(error.value.name)
    else:
        assert [d.name for d in reopened.damaged] == [name]
    assert reopened.missing([f.hash for f in files]) == [f.hash for f in files]
    assert not reopened.missing([file("Other").hash])


def test_packs_of_another_version_are_ignored_and_collected(store: FactTables) -> None:
    add(store, file("A"))
    other = FactTables(store.parent, Layout(LAYOUT.relations, "v2"))
    assert other.missing([file("A").hash]) and store.folder.exists()
    other.collect([])
    assert not store.folder.exists()


def test_collection_keeps_what_is_needed_and_merges_small_packs(store: FactTables) -> None:
    files = [file(f"C{i}", 3) for i in range(30)]
    for one in files:
        add(store, one)
    (store.folder / ".part-left").write_text("half")
    store.collect([f.hash for f in files[:25]])
    assert len(list(store.folder.glob("*.parquet"))) == 1 and not list(store.folder.glob(".part*"))
    reopened = FactTables(store.parent, LAYOUT)
    assert set(reopened.entries) == {f.hash for f in files[:25]}
    assert rows(reopened.read([f.hash for f in files[:25]], NAMES)) == facts(files[:25])
    reopened.collect([])
    assert not list(store.folder.iterdir())


def test_an_unfinished_pack_does_not_exist(store: FactTables, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(packs, "_write_index", killed)
    with pytest.raises(KeyboardInterrupt):
        add(store, file("A"))
    assert FactTables(store.parent, LAYOUT).missing([file("A").hash])


def test_facts_that_are_held_are_read_as_those_of_packs(tmp_path: Path) -> None:
    """In memory, after they are written, and mixed with those of packs."""
    files = [file(f"C{i}", i % 5) for i in range(23)]
    stores = [FactTables(tmp_path / name, LAYOUT, tuning=Extracting(files_in_memory=4)) for name in ("held", "packs")]
    numbers = random.Random(5)
    for start in range(0, 23, 3):
        some = files[start : start + 3]
        if numbers.random() < 0.8:
            assert stores[0].hold(some) == [stores[0].entries[f.hash] for f in some]
        else:
            add(stores[0], *some)
        add(stores[1], *some)
        known = [f.hash for f in files[: start + 3]]
        chosen, others = numbers.sample(known, len(known) // 2), numbers.sample(known, len(known) // 2)
        paths = {f"p/{hash_}.java": hash_ for hash_ in chosen}
        read, positions, changes = zip(
            *((s.read(chosen, NAMES), s.positions(paths), s.difference(others, chosen, NAMES)) for s in stores),
            strict=True,
        )
        assert rows(read[0]) == rows(read[1]) == facts([f for f in files if f.hash in chosen])
        assert {name: table.schema for name, table in read[0].items()} == {n: t.schema for n, t in read[1].items()}
        assert same_places(*positions) and same_places(stores[0].positions(paths), positions[0])
        assert rows(changes[0].inserted) == rows(changes[1].inserted)
        assert rows(changes[0].deleted) == rows(changes[1].deleted)
    assert stores[0].held
    stores[0].merge()
    assert not stores[0].held and FactTables(tmp_path / "held", LAYOUT).entries == stores[0].entries


def same_places(one: pa.Table, other: pa.Table) -> bool:
    return one.schema == other.schema and sorted(map(str, one.to_pylist())) == sorted(map(str, other.to_pylist()))
