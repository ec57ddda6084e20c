"""Of files that declare the same type, one of the product counts, then that with most facts, then the first by path."""

from __future__ import annotations

from ladder.facts.packs.pack import Entry
from ladder.facts.packs.shadow import Shadowed, active


def entry(hash_: str, *types: str, unit: str | None = None, facts: int = 0) -> Entry:
    return Entry(hash_, "pack", 0, "javalang", 1, types[0] if unit is None and types else unit or "", types, facts, ())


def test_the_first_path_wins_and_losers_declare_nothing() -> None:
    entries = {
        e.hash: e for e in (entry("a", "p.A"), entry("b", "p.A", "p.Helper"), entry("c", "p.Helper"), entry("d", "p.D"))
    }
    kept, left = active([("1.java", "a"), ("2.java", "b"), ("3.java", "c"), ("4.java", "d")], entries)
    assert kept == {"1.java": "a", "3.java": "c", "4.java": "d"}
    assert left == [Shadowed("2.java", "p.A", "1.java")]


def test_a_larger_file_comes_before_one_that_stands_for_it() -> None:
    entries = {e.hash: e for e in (entry("a", "p.A", facts=3), entry("b", "p.A", facts=30), entry("c", "p.C", facts=9))}
    kept, left = active([("1.java", "a"), ("2.java", "b"), ("3.java", "c")], entries)
    assert list(kept.items()) == [("2.java", "b"), ("3.java", "c")]
    assert left == [Shadowed("1.java", "p.A", "2.java")]


def test_the_product_comes_before_copies_in_the_data_of_tests() -> None:
    entries = {e.hash: e for e in (entry("a", "p.A", facts=30), entry("b", "p.A", facts=3), entry("c", "p.C", facts=9))}
    files = [
        ("m/src/test/resources/old/A.java", "a"),
        ("n/src/main/java/p/A.java", "b"),
        ("m/src/test/java/p/C.java", "c"),
    ]
    kept, left = active(files, entries)
    assert sorted(kept) == ["m/src/test/java/p/C.java", "n/src/main/java/p/A.java"]
    assert [(s.path, s.first) for s in left] == [("m/src/test/resources/old/A.java", "n/src/main/java/p/A.java")]


def test_equal_files_count_once_and_units_without_types_are_no_duplicates() -> None:
    entries = {
        e.hash: e for e in (entry("a", "p.A"), entry("i", unit="p.package-info"), entry("j", unit="p.package-info"))
    }
    kept, left = active(
        [("x/A.java", "a"), ("x/package-info.java", "i"), ("y/A.java", "a"), ("y/package-info.java", "j")], entries
    )
    assert list(kept) == ["x/A.java", "x/package-info.java"]
    # what describes a package declares nothing that could be declared twice
    assert [s.path for s in left] == ["y/A.java"]


def test_files_without_types_are_duplicates_of_nothing() -> None:
    empty = entry("e", unit="package-info")  # no package, no types: a comment, or nothing at all
    entries = {
        e.hash: e for e in (empty, entry("f", unit="package-info"), entry("c", "C"), entry("m", unit="m/module-info"))
    }
    paths = [
        ("A.java", "e"),
        ("B.java", "f"),
        ("C.java", "c"),
        ("module-info.java", "m"),
        ("x/module-info.java", "m"),
        ("z.java", "e"),
    ]
    kept, left = active(paths, entries)
    assert left == [] and list(kept) == ["A.java", "C.java", "module-info.java"]


def test_files_without_declarations_do_not_shadow_each_other() -> None:
    entries = {e.hash: e for e in (entry("a"), entry("b"))}
    assert active([("1.java", "a"), ("2.java", "b")], entries) == ({"1.java": "a", "2.java": "b"}, [])
