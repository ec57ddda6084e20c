"""What a bootstrap on Spark took: per stage and iteration."""
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
class StageReport:
    """What became of a stage, components that are evaluated together; `seconds` of all its work, leaves of its inputs and merges included."""

    relations: str
    iterations: list[IterationReport] = field(default_factory=list)
    seconds: float = 0.0


@dataclass
class RunReport:
    """Figures of a whole bootstrap."""

    stages: list[StageReport] = field(default_factory=list)
    seconds: float = 0.0
