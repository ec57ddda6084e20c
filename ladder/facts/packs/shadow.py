"""Which files of a snapshot are analysed: of files that declare the same name (in Java, that of a top-level type), only
the one with most facts, and of several such the first by path. What stands in a folder of tests, of their data or of
samples counts after everything else: there are copies of the product's classes, of some other version.

A build compiles such files separately (for example one per platform); if they were analysed together, their facts would
mix. The smaller ones often only stand for the other where that is not at hand (`int parse(String s) { return 0; }`).
A file that declares no name (`package-info.java`, `module-info.java`, an empty one) is no duplicate. If several
describe one package or module, the rows of the first path are kept: the files say the same of it, and a row belongs to
one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ladder.facts.packs.pack import Entry

# How the files are chosen; states that were made by another choice are not gone on from.
CHOICE = "product, then most facts, then path"
BESIDE = frozenset({"test", "tests", "testdata", "resources", "samples", "examples"})


@dataclass(frozen=True)
class Shadowed:
    """`path` is left out because `first`, of the product, with more facts or an earlier path, declares `name` too."""

    path: str
    name: str
    first: str


def active(files: Iterable[tuple[str, str]], entries: Mapping[str, Entry]) -> tuple[dict[str, str], list[Shadowed]]:
    """(path → hash of the files that are analysed, the files that are left out), for pairs `(path, hash)` sorted by
    path."""
    declared: dict[str, str] = {}
    kept: dict[str, str] = {}
    shadowed: list[Shadowed] = []
    for path, hash_ in sorted(files, key=lambda file: _rank(file[0], entries[file[1]])):
        entry = entries[hash_]
        if not entry.types and entry.unit in declared:
            continue
        names = {*entry.types, *((entry.unit,) if entry.unit else ())}
        taken = min((name for name in names if name in declared), default=None)
        if taken is not None:
            shadowed.append(Shadowed(path, taken, declared[taken]))
            continue
        kept[path] = hash_
        declared.update(dict.fromkeys(names, path))
    return dict(sorted(kept.items())), sorted(shadowed, key=lambda left: left.path)


def _rank(path: str, entry: Entry) -> tuple[bool, int]:
    """Files that declare more come first; those without types stay in the order of their paths."""
    if not entry.types:
        return False, 0
    return not BESIDE.isdisjoint(path.split("/")[:-1]), -entry.facts
