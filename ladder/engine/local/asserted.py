"""Which facts were asserted, that is, came from outside, and which only the program's text states.

Both kinds are rows at iteration 0 of the EDB relation that stores them. Of each program fact it is recorded whether it
was asserted as well: then it stays when its line is removed from the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from ladder.engine.local.store import Store
from ladder.language.core import Relation

Cells = npt.NDArray[np.int32]
IsFact = Callable[[Cells], npt.NDArray[np.bool_]]


class AssertedProgramFacts:
    """The program facts that were asserted as well, by EDB relation, as cells. A transaction can be abandoned."""

    def __init__(self) -> None:
        self.rows: dict[str, Cells] = {}
        self.changed = False  # since the last save
        self._old: dict[str, Cells] = {}

    def begin(self) -> None:
        """Begin a transaction."""
        self._old = dict(self.rows)

    def abandon(self) -> None:
        """Return to what was there when the transaction began."""
        self.rows = self._old

    def stored(self) -> dict[str, list[list[int]]]:
        """The facts as a saved state holds them: relation → rows of cells."""
        return {name: cells.tolist() for name, cells in self.rows.items()}

    def restore(self, stored: Mapping[str, list[list[int]]], relations: Mapping[str, Relation]) -> None:
        """Take the facts of a saved state; ValueError or KeyError where they do not fit the relations."""
        self.rows = {name: np.array(rows, np.int32).reshape(-1, relations[name].arity) for name, rows in stored.items()}

    def change(self, name: str, cells: Cells, program_facts: Cells | None, present: bool) -> None:
        """Record that facts of an EDB relation were asserted (`present`) or retracted; `program_facts`: those that the
        program states for the relation."""
        if program_facts is None:
            return
        noted = self.rows.get(name, program_facts[:0])
        if present:
            noted = np.concatenate([noted, without(program_facts[among(program_facts, cells)], noted)])
        else:
            noted = without(noted, cells)
        self.rows[name] = noted
        self.changed = True


def asserted_rows(
    store: Store,
    number: int,
    is_fact: IsFact,
    program_facts: Cells | None,
    asserted_too: Cells | None,
    deleted: Cells | None = None,
) -> tuple[Cells, npt.NDArray[np.bool_]]:
    """(stored rows of an EDB relation, which of them were asserted and are not among `deleted`).

    `is_fact` tells facts by their `first`. Some of them are `program_facts`, of which `asserted_too` were asserted as
    well.
    """
    cells, asserted = store.cells(number), is_fact(store.first(number))
    for others, value in ((program_facts, False), (asserted_too, True), (deleted, False)):
        if others is not None and len(others):
            numbers = store.find(number, others)
            asserted[numbers[numbers >= 0]] = value
    return cells, asserted


def is_asserted(
    store: Store,
    number: int,
    cells: Cells,
    is_fact: IsFact,
    program_facts: Cells | None,
    asserted_too: Cells | None,
) -> npt.NDArray[np.bool_]:
    """Whether each of these rows is an asserted fact of an EDB relation; parameters as of `asserted_rows`."""
    asserted = is_fact(store.first_of(number, cells))
    if program_facts is not None:
        asserted &= ~among(cells, program_facts)
        asserted |= among(cells, cells[:0] if asserted_too is None else asserted_too)
    return asserted


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
