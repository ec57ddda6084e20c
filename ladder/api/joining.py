"""The joint change of two transactions of a database that followed each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from ladder.api.rows import Delta, Rows, Work
from ladder.engine.local.asserted import without
from ladder.engine.local.rows import CellRows
from ladder.engine.rows import HeldRows, Source, exact, in_one_table, is_plain, undictionaried
from ladder.language.core import Program


def joined(first: Delta, second: Delta) -> Delta:
    """The joint change of two transactions. Rows in the local engine stay encoded as cells, others are read into this
    process."""
    timings = {
        name: first.timings.get(name, 0.0) + second.timings.get(name, 0.0)
        for name in {**first.timings, **second.timings}
    }
    mode = first.mode if first.mode == second.mode else "bootstrap"
    work = Work(
        mode,
        " ".join(dict.fromkeys((first.reason, second.reason))),
        first.seconds + second.seconds,
        timings,
        first.changed_states + second.changed_states,
        engine=second.engine if second.engine != "local" else first.engine,
    )
    came, went = dict[str, Source](), dict[str, Source]()
    for name in {*first.inserted, *first.deleted, *second.inserted, *second.deleted} & {*second.program.relations}:
        sources = [_source(side.get(name)) for delta in (first, second) for side in (delta.inserted, delta.deleted)]
        came_first, went_first, came_then, went_then = _alike(sources)
        came[name] = _as_source(
            _union(_without(came_first, went_then), _without(came_then, went_first)), name, sources, second.program
        )
        went[name] = _as_source(
            _union(_without(went_first, came_then), _without(went_then, came_first)), name, sources, second.program
        )
    return Delta(second.program, came, went, work)


def _source(rows: Rows | None) -> Source | None:
    """The source of rows; None where there are none."""
    return rows.source if rows is not None and len(rows) else None


def _alike(sources: list[Source | None]) -> list[Any]:
    """The rows of several sources in one form: cells, if all are cells of one engine, tables of plain values, or else a
    dict of Python values by what they are compared by."""
    there = [source for source in sources if source is not None]
    homes = {id(source.home) if isinstance(source, CellRows) else None for source in there}
    if len(homes) == 1 and None not in homes:
        return [source.cells if isinstance(source, CellRows) else None for source in sources]
    if is_plain(there[0].columns):
        return [None if source is None else undictionaried(in_one_table(source)) for source in sources]
    return [None if source is None else {exact(row): row for row in source.values()} for source in sources]


def _as_source(rows: Any, name: str, sources: list[Source | None], program: Program) -> Source:
    """Rows in one of these forms as a source."""
    if isinstance(rows, np.ndarray):
        return next(source for source in sources if isinstance(source, CellRows)).of(rows)
    return HeldRows(program, name, [] if rows is None else [*rows.values()] if isinstance(rows, dict) else rows)


def _without(rows: Any, others: Any) -> Any:
    """The rows that are not among others; None stands for no rows."""
    from ladder.facts.packs.rows import difference

    if rows is None or others is None:
        return rows
    if isinstance(rows, np.ndarray):
        return without(rows, others)
    if isinstance(rows, dict):
        return {key: row for key, row in rows.items() if key not in others}
    return difference(rows, others)


def _union(one: Any, other: Any) -> Any:
    """The union of two sets of rows that have none in common."""
    import pyarrow as pa

    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, np.ndarray):
        return np.concatenate([one, other])
    return {**one, **other} if isinstance(one, dict) else pa.concat_tables([one, other])
