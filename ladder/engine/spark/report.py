"""What a bootstrap on Spark took: per stage and iteration."""

from __future__ import annotations

from dataclasses import dataclass, field

from ladder.spark.internals import Figures


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
    """What became of a stage, components that are evaluated together; `seconds` of all its work, leaves of its inputs
    and merges included."""

    relations: str
    iterations: list[IterationReport] = field(default_factory=list)
    seconds: float = 0.0


@dataclass
class RunReport:
    """Figures of a whole bootstrap.

    `resumed`: from where a run that was killed went on ("" if none was). `lost_executors`: how many; `repeated`: from
    where the run went on each time all copies of some rows were lost with them. `finer`: where tasks had too little
    memory, and the partitions from then on. `unusual`: which value had the run start again, with joins asked of Python
    ("" if none). `checkpoints`: number written, `written`: their rows, in `writing` seconds.
    """

    stages: list[StageReport] = field(default_factory=list)
    seconds: float = 0.0
    resumed: str = ""
    lost_executors: int = 0
    repeated: tuple[str, ...] = ()
    finer: tuple[tuple[str, int], ...] = ()
    unusual: str = ""
    checkpoints: int = 0
    written: int = 0
    writing: float = 0.0

    @property
    def losses(self) -> str:
        """How many executors were lost, and what that cost, as a sentence; "" where none was."""
        if not self.lost_executors:
            return ""
        figures = [iteration.figures for stage in self.stages for iteration in stage.iterations]
        costs = [
            f"{number:,} {what}"
            for number, what in (
                (sum(f.tasks_failed for f in figures), "tasks were tried again"),
                (sum(f.repeated for f in figures), "stages repeated"),
            )
            if number
        ]
        lost = (
            f"{self.lost_executors:,} executors of Spark were lost"
            if self.lost_executors > 1
            else "an executor of Spark was lost"
        )
        went_on = f"; the evaluation went on from {', then from '.join(self.repeated)}" if self.repeated else ""
        return f"{lost} during the run: {', '.join(costs) or 'all that it had is there a second time'}{went_on}."
