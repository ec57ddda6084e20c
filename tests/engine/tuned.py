"""Engines with other thresholds than the usual ones."""

from __future__ import annotations

import math
from typing import Any

from ladder.support.tuning import DEFAULT, Evaluating, Planning, Saving, Tuning

# threads share all there is to share, whether it is worth it or not
SHARED: dict[str, Any] = {"shared_rows": 1, "shared_once": 1, "shared_gain": math.inf, "thread_seconds": 0}


def tuned(saving: Saving = DEFAULT.saving, planning: Planning = DEFAULT.planning, **evaluating: Any) -> Tuning:
    """The usual thresholds but for these of `Evaluating`, how states are saved and how plans are made."""
    return Tuning(evaluating=Evaluating(**evaluating), saving=saving, planning=planning)


def sharing(cells: int = 0, least_range: int = DEFAULT.evaluating.least_range) -> Evaluating:
    """Of threads that share all there is to share; `cells`: that each deals out."""
    return Evaluating(**SHARED, partitioned_cells=cells, least_range=least_range)
