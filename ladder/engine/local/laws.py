"""The laws of a program's own lattices, tested on values that a bootstrap joined.

With a join that is none, results depend on the order of joins, and nothing else tells so. Values that occur are more
telling than drawn ones, and a few of them take less than a millisecond; `ladder check` draws hundreds.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ladder.engine.local.kernels import layout as L
from ladder.errors import LadderWarning
from ladder.language.objects.lattice_tables import DeclaredLattice
from ladder.lattices.laws import broken_join
from ladder.support.shown import beginning_of

if TYPE_CHECKING:
    from ladder.engine.local.state import State
    from ladder.plan.components import Aggregate, Component

LONGEST = 400  # characters of a sentence that are shown: values may be large


def warn_of_broken_laws(engine: State, component: Component) -> None:
    """Warn of each lattice of the program whose join breaks a law on values of this component, which is complete."""
    for aggregate in component.aggregates:
        lattice = engine.program.lattices.get(aggregate.join)
        if lattice is None or _is_supplied(lattice):
            continue
        idempotent = not aggregate.keyed and getattr(lattice, "idempotent", True)
        sentence = broken_join(lattice, _some_values(engine, aggregate), idempotent)
        if sentence is not None:
            place = f"{lattice.place}: " if getattr(lattice, "place", None) else ""
            warnings.warn(
                f"{place}{aggregate.join} is no lattice, so that what is joined in {aggregate.name} may be wrong: "
                f"{beginning_of(sentence, LONGEST)}; `ladder check --trust` tests all laws",
                LadderWarning,
                stacklevel=2,
            )


def _is_supplied(lattice: Any) -> bool:
    """Whether a lattice comes with Ladder, as do sums: its laws are tested there."""
    return type(lattice).__module__.partition(".")[0] == "ladder" and not isinstance(lattice, DeclaredLattice)


def _some_values(engine: State, aggregate: Aggregate) -> list[Any]:
    """A few of the different values that rules derived for groups, or that groups have."""
    number = engine.numbers.get(aggregate.inputs, engine.numbers[aggregate.name])
    store, type_ = engine.store, engine.relations[aggregate.name].columns[-1].type
    cells = np.unique(store.cells(number)[store.first(number) != L.ABSENT, -1])
    few = min(len(cells), engine.tuning.evaluating.tested_values)
    picked = np.linspace(0, len(cells) - 1, few, dtype=np.int64)
    return engine.values.decode_many(cells[picked].tolist(), type_) if few else []
