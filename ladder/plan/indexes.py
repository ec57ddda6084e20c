"""Index selection: few indexes that serve all look-ups of the plans.

A look-up knows some columns of a row. It is served by an index by all of these columns, or by some of them if few rows
agree in those: the probe compares the rest. (Ordered indexes serve look-ups by any prefix of their columns, so that a
minimum chain cover is the least set of them; for hash indexes it is a hitting set.) The set is chosen greedily: first
indexes that exist, then repeatedly the columns that serve most of the remaining look-ups.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator

from ladder.plan.steps import Plan, Probe
from ladder.support.tuning import DEFAULT, Planning

Columns = tuple[int, ...]


def look_ups(plans: Iterable[Plan]) -> dict[str, set[Columns]]:
    """For each relation the sets of columns by which plans look rows up, including those of choices between plans."""
    found: dict[str, set[Columns]] = {}
    for plan in plans:
        for relation, columns in look_ups_of(plan):
            found.setdefault(relation, set()).add(columns)
    return found


def look_ups_of(plan: Plan) -> Iterator[tuple[str, Columns]]:
    """Iterate over the look-ups of a plan, as (relation, known columns), then those by which rows choose it."""
    for step in plan.steps:
        if isinstance(step, Probe) and step.keys:
            yield step.relation, tuple(sorted([c for c, _ in step.keys]))
    for choice in plan.choices:
        yield choice.relation, tuple(sorted(choice.columns))


def cover(
    wanted: Collection[Columns],
    there: Collection[Columns],
    is_short: Callable[[Columns], bool],
    tuning: Planning = DEFAULT.planning,
) -> dict[Columns, Columns]:
    """Look-up → columns of the index that serves it.

    `there`: indexes that exist; `is_short`: whether few rows agree in these columns.
    """
    candidates = {columns: _candidates(columns, is_short, tuning.widest_parts) for columns in sorted(wanted)}
    served: dict[Columns, Columns] = {}
    chosen: list[Columns] = []
    while left := [columns for columns in candidates if columns not in served]:
        free = [index for index in there if index not in chosen]
        index = (
            free[0]
            if free
            else max(
                (index for columns in left for index in candidates[columns]),
                key=lambda index: (
                    sum(index in candidates[columns] for columns in left),
                    len(index),
                    tuple(-c for c in index),
                ),
            )
        )
        chosen.append(index)
        for columns in left:
            if index in candidates[columns]:
                served[columns] = index
    return served


def _candidates(columns: Columns, is_short: Callable[[Columns], bool], widest: int) -> set[Columns]:
    """All columns, and those parts of them that are short; of more than `widest` columns, single ones alone."""
    sizes = range(1, len(columns)) if len(columns) <= widest else range(1, min(2, len(columns)))
    parts = (part for size in sizes for part in itertools.combinations(columns, size))
    return {columns, *(part for part in parts if is_short(part))}
