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
    """Figures of a whole bootstrap.

    `resumed`: from where a run that was killed went on ("" if none was). `lost_executors`: how many; `repeated`: from where the run went
    on each time all copies of some rows were lost with them. `unusual`: which value had the run start again, with joins asked of Python ("" if none).
    `checkpoints`: number written, `written`: their rows, in `writing` seconds.
    """

    stages: list[StageReport] = field(default_factory=list)
    seconds: float = 0.0
    resumed: str = ""
    lost_executors: int = 0
    repeated: tuple[str, ...] = ()
    unusual: str = ""
    checkpoints: int = 0
    written: int = 0
    writing: float = 0.0
