"""A run of the benchmark on Spark: evaluations that several tables use, each in a process of its own, and where they
disagree."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ladder_bench.bench import Bench, Measured
from ladder_bench.report import Section
from ladder_bench.spark.cluster import standalone
from ladder_bench.spark.family import EXECUTOR, JVM, WORKER
from ladder_bench.spark.sides import CLUSTER, ENDED, LOCAL, REACHED, Side, evaluate_local, evaluate_spark
from ladder_bench.workloads import Workload, facts_of

LIMIT = 1800.0  # seconds that one evaluation may take
SHORT = 20.0  # seconds of a process below which a median is taken
MB = 1 << 20


@dataclass(frozen=True)
class Evaluation:
    """A workload on one side."""

    workload: Workload
    side: Side
    measured: Measured

    @property
    def found(self) -> dict[str, Any]:
        """All figures; empty where the evaluation did not come to its end."""
        return {} if REACHED in self.measured.last else self.measured.last

    @property
    def failure(self) -> str:
        """Why there are no figures; what fails after the evaluation has its figures all the same."""
        if self.found:
            return ""
        reached = self.measured.last.get(REACHED)
        return (self.measured.failure or "no figures") + (f" ({reached})" if reached else "")

    @property
    def complete(self) -> bool:
        """Whether the process came to its end, checksums included."""
        return bool(self.found.get(ENDED)) and not self.measured.failure

    @cached_property
    def series(self) -> list[dict[str, Any]]:
        """Spark's iterations."""
        return list(self.found.get("series", ()))

    @property
    def iterations(self) -> int:
        return int(self.found.get("iterations", 0))

    @property
    def rows(self) -> int | None:
        rows = self.found.get("rows")
        return sum(rows.values()) if rows else None

    @property
    def per_iteration(self) -> float | None:
        """Seconds, on average."""
        return self.found["seconds"] / self.iterations if self.found and self.iterations else None

    def mean(self, figure: str) -> float | None:
        """Return the mean of a figure over all iterations of Spark."""
        return sum(line[figure] for line in self.series) / len(self.series) if self.series else None

    def total(self, figure: str) -> int | None:
        return sum(line[figure] for line in self.series) if self.series else None

    def peak(self, role: str) -> int | None:
        """MB of the largest process of a role; None where there was none."""
        return max(peaks) // MB if (peaks := self._peaks(role)) else None

    def each(self, role: str) -> str | None:
        """MB of every process of a role."""
        return ", ".join(str(peak // MB) for peak in peaks) if (peaks := self._peaks(role)) else None

    def _peaks(self, role: str) -> list[int]:
        return list(self.found.get("peaks", {}).get(role, ()))


COLUMNS = (
    "side",
    "s, start to result",
    "s, evaluation",
    "iterations",
    "s per iteration",
    "of which outside of jobs",
    "rows",
    "jobs per iteration",
    "stages",
    "shuffled MB per iteration",
    "shuffled MB",
    "driver JVM MB",
    "MB of each executor",
    "Python worker MB",
    "all processes MB",
    "CPU s",
    "÷ local engine",
)


@dataclass
class SparkBench(Bench):
    """A run; `evaluations`: what has been measured so far. `chosen`: whether its cases were named."""

    chosen: bool = False
    evaluations: list[Evaluation] = field(default_factory=list)

    def evaluate(self, section: Section, workload: Workload, sides: Sequence[Side]) -> list[Evaluation]:
        """A workload on several sides, in this order; none where its facts are missing.

        What was measured before is not measured again.
        """
        facts = facts_of(self, workload)
        if facts is None:
            section.notes.append(
                f"{workload.title}: skipped, {workload.archive}-facts.tar.xz is not in the folder of --data."
            )
            return []
        made = [self.known(workload, side) or self._evaluate(workload, side, str(facts)) for side in sides]
        section.notes += disagreements(made)
        return made

    def known(self, workload: Workload, side: Side) -> Evaluation | None:
        return next((e for e in self.evaluations if e.workload == workload and e.side == side and e.found), None)

    def _evaluate(self, workload: Workload, side: Side, facts: str) -> Evaluation:
        self.tell(f"{workload.title}: {side.name}")
        runs: list[Measured] = []
        while len(runs) < self.runs and (not runs or runs[-1].process.wall < SHORT and not runs[-1].failure):
            runs.append(self._measured(side, program=str(workload.path), facts=facts))
        finished = (
            sorted((run for run in runs if run.last and REACHED not in run.last), key=lambda run: run.last["seconds"])
            or runs
        )
        self.evaluations.append(Evaluation(workload, side, finished[len(finished) // 2]))
        return self.evaluations[-1]

    def _measured(self, side: Side, **arguments: Any) -> Measured:
        if not side.is_spark:
            return self.measure(evaluate_local, LIMIT, **arguments)
        with ExitStack() as stack:
            master, daemons = side.master, []
            if master == CLUSTER:
                cluster = stack.enter_context(standalone(workers=2, cores=1, memory=side.memory))
                master, daemons = cluster.url, cluster.pids
            return self.measure(evaluate_spark, LIMIT, **arguments, master=master, conf=side.conf, daemons=daemons)


def disagreements(evaluations: Sequence[Evaluation]) -> list[str]:
    """Notes for sides whose rows, first iterations or counts are not those of the first that has any."""
    complete = [e for e in evaluations if "sums" in e.found]
    notes = []
    for e in complete:
        for figure in ("rows", "sums"):
            if e.found[figure] != complete[0].found[figure]:
                notes.append(
                    f"**WRONG ROWS** in {e.workload.title}: {figure} {complete[0].found[figure]} of "
                    f"{complete[0].side.name}, "
                    f"{e.found[figure]} of {e.side.name}"
                )
                break
        if e.workload.rows and any(e.found["rows"].get(name) != rows for name, rows in e.workload.rows.items()):
            notes.append(
                f"**WRONG ROWS** in {e.workload.title}: {e.found['rows']} of {e.side.name}, expected "
                f"{dict(e.workload.rows)}"
            )
    return notes


def add_table(section: Section, caption: str, evaluations: Sequence[Evaluation]) -> None:
    """All figures of a workload, a line for each side."""
    table = section.table(*COLUMNS, caption=caption)
    local = next((e.found["seconds"] for e in evaluations if e.side == LOCAL and e.found), None)
    for e in evaluations:
        if e.failure:
            table.add(e.side.name, e.failure)
            table.rows[-1] = [*table.rows[-1], *["–"] * (len(COLUMNS) - 2)]
            continue
        shuffled = e.total("shuffle_written")
        table.add(
            e.side.name,
            e.found["whole"],
            e.found["seconds"],
            e.iterations,
            e.per_iteration,
            e.mean("planning"),
            e.rows,
            e.mean("jobs"),
            e.mean("stages"),
            shuffled is not None and e.iterations and shuffled / MB / e.iterations or None,
            shuffled and shuffled / MB,
            e.peak(JVM),
            e.each(EXECUTOR),
            e.peak(WORKER),
            e.found["held"] // MB,
            e.found["cpu"],
            f"{e.found['seconds'] / local:.1f}x" if local and e.side.is_spark else None,
        )
