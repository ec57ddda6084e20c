"""What the lowering of a plan to SQL may ask for: the layout, the program's types, and functions that Python workers
run."""

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
    """What the lowering of a plan's steps may ask for, in one iteration of a component.

    `relations`: all relations as stored, filler columns included; those of records have the id before the cells.
    `view`: rows of a relation in a window of the iteration, of the replica that suits look-ups by these columns best;
    None: no rows. `functions`: registry of the program's functions. `seed`: of the hashes that make ids.
    `aggregate_inputs`: relations `R$in`. `place`: of the rule that is lowered. `tuning`: thresholds.
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
        """A name that nothing else in the query of this iteration has."""
        return f"v{next(self._numbers)}"

    def dictionary(self) -> str:
        """A FROM source "(SELECT …)" without alias: columns c0 (id, distinct), x (BINARY), of all texts and objects so
        far."""
        view = self.view(TEXTS, Window.EVERY, (0,))
        return view.sql if view else "(SELECT 0L AS k, 0L AS c0, CAST(NULL AS BINARY) AS x WHERE false)"
