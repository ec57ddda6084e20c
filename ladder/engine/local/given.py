"""Given facts: those that came from outside, told from those that the program states.

Both are rows at iteration 0 of the relation that takes them. Of a fact that the program states it is noted whether it
was given, too: then it stays when the rule that states it goes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ladder.engine.local.store import Store

Cells = npt.NDArray[np.int32]
GivenOf = Callable[[Cells], npt.NDArray[np.bool_]]


class GivenToo:
    """The stated facts that were given, too: relation that takes them → their cells. A transaction can be abandoned."""

    def __init__(self) -> None:
        self.rows: dict[str, Cells] = {}
        self.changed = False  # since the last save
        self._old: dict[str, Cells] = {}

    def begin(self) -> None:
        """A transaction begins."""
        self._old = dict(self.rows)

    def abandon(self) -> None:
        """The transaction is dropped."""
        self.rows = self._old

    def change(self, name: str, cells: Cells, stated: Cells | None, present: bool) -> None:
        """Facts were given for, or taken from, a relation that takes them; `stated`: those that the program states for
        it."""
        if stated is None:
            return
        noted = self.rows.get(name, stated[:0])
        noted = (
            np.concatenate([noted, without(stated[among(stated, cells)], noted)]) if present else without(noted, cells)
        )
        self.rows[name] = noted
        self.changed = True


def given_rows(
    store: Store, number: int, given_of: GivenOf, stated: Cells | None, too: Cells | None, deleted: Cells | None = None
) -> tuple[Cells, npt.NDArray[np.bool_]]:
    """(stored rows of a relation that takes facts, which of them were given and are not among `deleted`).

    `given_of`: which rows are facts, by their `first`; of those, the program has `stated` some, of which `too` were
    given.
    """
    cells, given = store.cells(number), given_of(store.first(number))
    for others, value in ((stated, False), (too, True), (deleted, False)):
        if others is not None and len(others):
            numbers = store.find(number, others)
            given[numbers[numbers >= 0]] = value
    return cells, given


def is_given(
    store: Store, number: int, cells: Cells, given_of: GivenOf, stated: Cells | None, too: Cells | None
) -> npt.NDArray[np.bool_]:
    """Whether each of these rows was given for a relation that takes facts; as of `given_rows`."""
    given = given_of(store.first_of(number, cells))
    if stated is not None:
        given &= ~among(cells, stated)
        given |= among(cells, cells[:0] if too is None else too)
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
