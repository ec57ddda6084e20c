"""Which files of a snapshot are tests, by the folders in which they lie: what their bytes do not say.

In `src/test/java/shop/test/Fakes.java` the first `test` is such a folder, and the second is a part of the package.
"""

from __future__ import annotations

from collections.abc import Collection

from ladder.session.facts import Files

TEST_UNITS = "TestUnit"  # the relation of programs that has them


def test_units(files: Files, folders: Collection[str]) -> set[tuple[str]]:
    """The rows of `TestUnit`: the units of the files that are analysed and lie in one of the folders with these names;
    none where all of them do, for then these are what is to be analysed."""
    units = {unit: path for path, hash_ in files.active.items() if (unit := files.entries[hash_].unit)}
    names = frozenset(folders)
    found = {(unit,) for unit, path in units.items() if not names.isdisjoint(_around_package(path, unit))}
    return found if len(found) < len(units) else set()


def _around_package(path: str, unit: str) -> list[str]:
    """The folders in which a file lies but for those of its package."""
    folders, package = path.split("/")[:-1], unit.split(".")[:-1]
    return folders[: -len(package)] if package and folders[-len(package) :] == package else folders
