"""The relations of a program in a saved state that is looked at without an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.api.program import Program
from ladder.api.rows import Rows
from ladder.support.by_name import row_in_order

if TYPE_CHECKING:
    from ladder.engine.local.explain import Explanation
    from ladder.engine.local.saved.glance import Glance


class SavedRows:
    """Rows of a program in a saved state, and explanations of them. It takes a small part of the time of opening a
    database, and can do nothing else."""

    def __init__(self, program: Program, state: Glance) -> None:
        self.program, self.state = program, state

    @staticmethod
    def at(folder: Path, program: Program, names: Mapping[str, str], whole: str, note: str) -> SavedRows | None:
        """The rows in a state with this note, of a program with the fingerprint `whole`, in which the relations of
        `program` have other names, if `names` has them; None where a database must be opened."""
        from ladder.engine.local.saved.glance import glance_at

        found = glance_at(folder, program.core, names, whole, note)
        return None if found is None else SavedRows(program, found)

    def __getitem__(self, relation: str) -> Rows:
        """The rows of a relation of the program."""
        return Rows(self.state.rows(relation))

    def explain(self, relation: str, row: Sequence[Any], *, depth: int | None = None) -> Explanation:
        """Why a row is there: a derivation of least height from facts, or its first `depth` levels."""
        columns = [column.name for column in self.program.core.relations[relation].columns]
        return self.state.explain(relation, tuple(row_in_order(row, columns, relation)), depth)
