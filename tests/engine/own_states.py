"""What a strategy knows of rows, as Python values."""

from __future__ import annotations

from typing import Any

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels.layout import ABSENT

State = dict[str, dict[tuple[Any, ...], Any]]


def own_state(engine: LocalEngine) -> State:
    """What a strategy knows of every row that is there, as Python values."""
    found: State = {}
    for name, relation in engine.relations.items():
        if relation.part is not None and not relation.part.of:
            continue
        cells, first, counts = engine.store.present(engine.numbers[name])
        counts = timelines(engine, name) if engine.strategy.name == "counting" else counts.tolist()
        types = [column.type for column in relation.columns]
        found[name] = {
            tuple(engine.values.decode(c, t) for c, t in zip(row, types, strict=True)): (f, c)
            for row, f, c in zip(cells.tolist(), first.tolist(), counts, strict=True)
        }
    return found


def timelines(engine: LocalEngine, name: str) -> list[list[tuple[int, int]]]:
    """Of each row that is there, how many derivations it has in which iteration."""
    _, first, counts = engine.store.columns(engine.numbers[name])
    found = [[pair] for pair in zip(first.tolist(), counts.tolist(), strict=True)]
    for row, iteration, count in zip(*(column.tolist() for column in engine.strategy.later(name)), strict=True):
        found[row].append((iteration, count))
    assert all(timeline[0][0] < ABSENT or len(timeline) == 1 for timeline in found)
    return [sorted(timeline) for timeline in found if timeline[0][0] < ABSENT]
