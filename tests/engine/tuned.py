"""Engines with other thresholds than the usual ones."""

from __future__ import annotations

from typing import Any

from ladder.support.tuning import DEFAULT, Evaluating, Saving, Tuning


def tuned(saving: Saving = DEFAULT.saving, **evaluating: Any) -> Tuning:
    """The usual thresholds but for these of `Evaluating`, and how states are saved."""
    return Tuning(evaluating=Evaluating(**evaluating), saving=saving)


def sharing(cells: int = 0, least_range: int = DEFAULT.evaluating.least_range) -> Evaluating:
    """Of threads that share all there is to share; `cells`: that each deals out."""
    return Evaluating(shared_rows=1, partitioned_cells=cells, least_range=least_range)
