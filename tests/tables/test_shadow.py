"""Of files that declare the same top-level type, the first path counts."""
from __future__ import annotations

from ladder.tables.pack import Entry
from ladder.tables.shadow import Shadowed, active


def entry(hash_: str, *types: str, unit: str | None = None) -> Entry:
    return Entry(hash_, "pack", 0, "javalang", 1, types[0] if unit is None and types else unit or "", types, 0, ())


def test_the_first_path_wins_and_losers_declare_nothing() -> None:
    entries = {e.hash: e for e in (entry("a", "p.A"), entry("b", "p.A", "p.Helper"), entry("c", "p.Helper"), entry("d", "p.D"))}
    kept, left = active([("1.java", "a"), ("2.java", "b"), ("3.java", "c"), ("4.java", "d")], entries)
    assert kept == {"1.java": "a", "3.java": "c", "4.java": "d"}
    assert left == [Shadowed("2.java", "p.A", "1.java")]


def test_equal_files_and_equal_units_count_once() -> None:
    entries = {e.hash: e for e in (entry("a", "p.A"), entry("i", unit="p.package-info"), entry("j", unit="p.package-info"))}
    kept, left = active([("x/A.java", "a"), ("x/package-info.java", "i"), ("y/A.java", "a"), ("y/package-info.java", "j")], entries)
    assert list(kept) == ["x/A.java", "x/package-info.java"] and [s.path for s in left] == ["y/A.java", "y/package-info.java"]


def test_files_without_declarations_do_not_shadow_each_other() -> None:
    entries = {e.hash: e for e in (entry("a"), entry("b"))}
    assert active([("1.java", "a"), ("2.java", "b")], entries) == ({"1.java": "a", "2.java": "b"}, [])
