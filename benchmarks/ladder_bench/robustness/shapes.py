"""What is drawn at random of a case: numbers by their names, so that a report can say which data it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.integer[Any]]
Facts = Mapping[str, Any]  # relation → an array of numbers, or of texts


@dataclass
class Shape:
    """A source of random numbers, and what was drawn of the shape so far."""

    source: np.random.Generator
    drawn: dict[str, float | str] = field(default_factory=dict)

    @staticmethod
    def of(seed: int, name: str) -> Shape:
        """The shape of a case of this name: those of other cases do not change it."""
        return Shape(np.random.default_rng([seed, *name.encode()]))

    def real(self, name: str, low: float, high: float) -> float:
        """A number in between, all orders of magnitude equally likely."""
        value = float(np.exp(self.source.uniform(np.log(low), np.log(high))))
        self.drawn[name] = float(f"{value:.2g}")
        return value

    def whole(self, name: str, low: int, high: int) -> int:
        """A whole number in between, all orders of magnitude equally likely."""
        value = min(high, int(self.real(name, low, high + 1)))
        self.drawn[name] = value
        return value

    def one_of(self, name: str, *choices: str) -> str:
        value = choices[int(self.source.integers(len(choices)))]
        self.drawn[name] = value
        return value

    def any_of(self, below: int, size: int) -> Numbers:
        """Numbers below a bound, all equally likely."""
        return self.source.integers(0, max(1, below), size)

    def skewed(self, below: int, size: int, exponent: float) -> Numbers:
        """Numbers below a bound whose frequencies fall with a power of their rank; ranks are dealt out at random."""
        ranks = np.arange(1, below + 1, dtype=np.float64) ** -exponent
        ends = np.cumsum(ranks)
        found = np.searchsorted(ends, self.source.random(size) * ends[-1])
        dealt: Numbers = self.source.permutation(below)[np.minimum(found, below - 1)]
        return dealt

    def popular(self, below: int, size: int, decay: float) -> Numbers:
        """Numbers below a bound of exponential popularity: `decay` times the bound is the mean."""
        found = self.source.exponential(max(decay * below, 1e-9), size)
        return np.minimum(found, below - 1).astype(np.int64)

    def __str__(self) -> str:
        return ", ".join(
            f"{name} {value:,}" if not isinstance(value, str) else value for name, value in self.drawn.items()
        )


def pairs(*columns: Any) -> Any:
    """Rows of these columns, each once."""
    return np.unique(np.stack(columns, 1), axis=0)
