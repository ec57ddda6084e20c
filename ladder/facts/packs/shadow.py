"""Which files of a snapshot are analysed: of files that declare the same name (in Java, of a top-level type), the first
path alone.

A build compiles such files separately (say, one per supported platform); analysed together their facts would mix.
A file that declares no name (`package-info.java`, `module-info.java`, an empty one) is a duplicate of nothing. Where
several describe one package or module, the first path's rows stand for all: whatever they say of it is the same, and a
row belongs to one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ladder.facts.packs.pack import Entry


@dataclass(frozen=True)
class Shadowed:
    """`path` is left out because `first`, an earlier path, declares `name` too."""

    path: str
    name: str
    first: str


def active(files: Iterable[tuple[str, str]], entries: Mapping[str, Entry]) -> tuple[dict[str, str], list[Shadowed]]:
    """`(path, hash)` sorted by path → path → hash of the files that count, and the ones that do not."""
    declared: dict[str, str] = {}
    kept: dict[str, str] = {}
    shadowed: list[Shadowed] = []
    for path, hash_ in files:
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
    return kept, shadowed
