"""What a bootstrap on Spark took: per component and iteration."""
from __future__ import annotations

from dataclasses import dataclass, field

from ladder.engine.spark.internals import Figures


@dataclass(frozen=True)
class IterationReport:
    """One job: `rows` that appeared by relation; `planning`: seconds until the job started, of `seconds` in all."""

    number: int
    rows: dict[str, int]
    seconds: float
    planning: float
    figures: Figures


@dataclass
class ComponentReport:
    """What became of a component; `seconds` of all its work, leaves of its inputs and merges included."""

    relations: tuple[str, ...]
    iterations: list[IterationReport] = field(default_factory=list)
    seconds: float = 0.0


@dataclass
class RunReport:
    """Figures of a whole bootstrap."""

    components: list[ComponentReport] = field(default_factory=list)
    seconds: float = 0.0
