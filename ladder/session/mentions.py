"""What the files of a project mention, as numbers of rows, so that a change costs what it changes.

counts   kind → text → in how many rows of the facts of all files it is
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ladder.facts.packs.store import FactTables

Sources = Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]
Counts = dict[str, Counter[str]]


def counted(tables: FactTables, hashes: Collection[str], sources: Sources) -> Counts:
    """The numbers of what the facts of some files mention."""
    relations = sorted({relation for each in sources.values() for relation, _ in each} & tables.layout.relations.keys())
    facts = tables.read(hashes, relations) if hashes else {}
    counts: Counts = {kind: Counter() for kind in sources}
    for kind, each in sources.items():
        for relation, columns in each:
            if relation in facts:
                counts[kind].update(dict(_numbers(facts[relation], columns)))
    return counts


def changed(counts: Counts, come: Counts, gone: Counts) -> Counts:
    """The numbers after facts came and went."""
    found = {kind: Counter(rows) for kind, rows in counts.items()}
    for kind, rows in found.items():
        rows.update(come[kind])
        rows.subtract(gone[kind])
    return {kind: +rows for kind, rows in found.items()}


def mentions(counts: Counts) -> dict[str, frozenset[str]]:
    """What is mentioned."""
    return {kind: frozenset(rows) for kind, rows in counts.items()}


def _numbers(table: pa.Table, columns: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield each text in a column, or in several that are joined by dots, and its number of rows."""
    texts = [table[name].cast(pa.string()) for name in columns]
    joined = texts[0] if len(texts) == 1 else pc.binary_join_element_wise(*texts, ".")
    for row in pc.value_counts(joined).to_pylist():
        yield row["values"].lstrip("."), row["counts"]
