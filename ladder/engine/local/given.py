"""Given facts: those that came from outside, told from those that the program states.

Both are rows at iteration 0 of the relation that takes them. Of a fact that the program states it is noted whether it was
given, too: then it stays when the rule that states it goes.
"""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ladder.engine.local.engine import LocalEngine

Cells = npt.NDArray[np.int32]


class GivenToo:
    """The stated facts that were given, too: relation that takes them → their cells. A transaction can be abandoned."""

    def __init__(self) -> None:
        self.rows: dict[str, Cells] = {}
        self.changed = False        # since the last save
        self._old: dict[str, Cells] = {}

    def begin(self) -> None:
        """A transaction begins."""
        self._old = dict(self.rows)

    def abandon(self) -> None:
        """The transaction is dropped."""
        self.rows = self._old

    def change(self, name: str, cells: Cells, stated: Cells | None, present: bool) -> None:
        """Facts were given for, or taken from, a relation that takes them; `stated`: those that the program states for it."""
        if stated is None:
            return
        noted = self.rows.get(name, stated[:0])
        noted = np.concatenate([noted, without(stated[among(stated, cells)], noted)]) if present else without(noted, cells)
        self.rows[name] = noted
        self.changed = True


def given_rows(engine: LocalEngine, taker: str, deleted: Cells | None = None) -> tuple[Cells, npt.NDArray[np.bool_]]:
    """(stored rows of a relation that takes facts, which of them were given and are not among `deleted`)."""
    number = engine.numbers[taker]
    cells, given = engine.store.cells(number), engine.strategy.given(engine.store.first(number))
    for others, value in ((engine.stated_facts.get(taker), False), (engine.given_too.rows.get(taker), True), (deleted, False)):
        if others is not None and len(others):
            numbers = engine.store.find(number, others)
            given[numbers[numbers >= 0]] = value
    return cells, given


def is_given(engine: LocalEngine, taker: str, cells: Cells) -> npt.NDArray[np.bool_]:
    """Whether each of these rows was given for a relation that takes facts."""
    given = engine.strategy.given(engine.store.first_of(engine.numbers[taker], cells))
    if taker in engine.stated_facts:
        given &= ~among(cells, engine.stated_facts[taker])
        given |= among(cells, engine.given_too.rows.get(taker, cells[:0]))
    return given


def _items(rows: Cells) -> npt.NDArray[np.void]:
    """Rows as items that can be compared."""
    rows = np.ascontiguousarray(rows)
    return rows.view([("", rows.dtype)] * rows.shape[1]).ravel()


def among(rows: Cells, others: Cells) -> npt.NDArray[np.bool_]:
    """Which rows are among others."""
    if not len(rows) or not len(others):
        return np.zeros(len(rows), bool)
    found: npt.NDArray[np.bool_] = np.isin(_items(rows), _items(others))
    return found


def without(rows: Cells, others: Cells) -> Cells:
    """Rows that are not among others."""
    return rows[~among(rows, others)]
