"""The context of the lowering of plans to SQL: the program with its types, views of relations, and functions that run
in Python workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering.functions import Functions
from ladder.engine.spark.materialised import View
from ladder.language.core import Place, Program, Relation
from ladder.plan.steps import Window
from ladder.support.tuning import DEFAULT, Distributing


@dataclass(frozen=True)
class Context:
    """The context in which the steps of a plan are lowered, for one iteration of a component.

    `relations`: all relations as stored, filler columns included; tables of records have the id before the cells.
    `view(relation, window, columns)`: the rows of a relation in a window of the iteration, from the replica that suits
    look-ups by these columns best; None where there are no rows. `functions`: registry of the program's functions.
    `seed`: the seed of the hashes that ids are made of. `aggregate_inputs`: the input relations of aggregates (`R$in`).
    `place`: the place of the rule that is lowered. `tuning`: thresholds.
    """

    program: Program
    relations: Mapping[str, Relation]
    view: Callable[[str, Window, Sequence[int] | None], View | None]
    functions: Functions
    seed: int = 42
    aggregate_inputs: frozenset[str] = frozenset()
    place: Place | None = None
    tuning: Distributing = DEFAULT.distributing
    _numbers: count[int] = field(default_factory=count)

    def fresh(self) -> str:
        """A name that is used nowhere else in the query of this iteration."""
        return f"v{next(self._numbers)}"

    def dictionary(self) -> str:
        """The dictionary of all texts and objects so far, as a FROM source "(SELECT …)" without an alias; its columns
        are c0 (the id, distinct) and x (BINARY)."""
        view = self.view(TEXTS, Window.EVERY, (0,))
        return view.sql if view else "(SELECT 0L AS k, 0L AS c0, CAST(NULL AS BINARY) AS x WHERE false)"
