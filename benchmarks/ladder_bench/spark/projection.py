"""From measured figures to sizes that were not measured: where Spark becomes the right choice, and what a large cluster
would take.

All of it is arithmetic on the figures of a run, so that another run brings other numbers; what is assumed stands in
`Machines`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

GIB = 1 << 30
USABLE = 0.8  # share of a machine's memory that the local engine may fill: the rest is the system's and room to grow


@dataclass(frozen=True)
class Cost:
    """What a program costs on both engines, as measured; rows: all that are stored, facts included.

    `local_seconds`, `cpu_seconds` (Spark's, all processes), `shuffled`, `stored` (bytes that Spark holds) are per row;
    `local_bytes`: of the local process at its peak, per row. `latency`: seconds of an iteration whatever its rows,
    `planning` of it on the driver. `per_task`: seconds that the driver needs for a task. `stages`: per iteration.
    `skew`: rows in the fullest of many parts over the mean.
    """

    name: str
    rows: int
    iterations: int
    local_seconds: float
    local_bytes: float
    wall_seconds: float
    cpu_seconds: float
    shuffled: float
    stored: float
    latency: float
    planning: float
    stages: float
    per_task: float
    skew: float
    cores: int = 2

    @property
    def factor(self) -> float:
        """Spark's seconds over the local engine's, on the same machine."""
        return self.wall_seconds / self.local_seconds if self.local_seconds else float("inf")


@dataclass(frozen=True)
class Machines:
    """A cluster.

    `network`: bytes per second and machine that a shuffle gets through. `replicas`: of every cut. `share`: of memory
    for storage.
    """

    count: int = 100
    cores: int = 16
    memory: int = 64 * GIB
    network: float = 0.7 * 10e9 / 8
    replicas: int = 2
    share: float = 0.5

    @property
    def all_cores(self) -> int:
        return self.count * self.cores


@dataclass(frozen=True)
class Projection:
    """Seconds by what they are spent on. They are added up: nothing is assumed to overlap."""

    seconds: Mapping[str, float]
    rows_per_machine: float
    bytes_per_machine: float
    fits: bool

    @property
    def total(self) -> float:
        return sum(self.seconds.values())

    @property
    def bottleneck(self) -> str:
        return max(self.seconds, key=lambda part: self.seconds[part])


CPU, NETWORK, LATENCY, TASKS, SKEW = (
    "computing",
    "network",
    "planning and latency of iterations",
    "driver starting tasks",
    "waiting for the fullest part",
)


def project(cost: Cost, rows: float, machines: Machines, iterations: float | None = None) -> Projection:
    """What `rows` rows would take: CPU time spread over all cores, shuffles over all networks, the driver's work once
    per iteration.

    A shuffled row crosses the network unless it stays on its machine; each cut is sent once more for every further
    replica.
    """
    rounds = cost.iterations if iterations is None else iterations
    away = (machines.count - 1) / machines.count
    computing = rows * cost.cpu_seconds / machines.all_cores
    moved = rows * (cost.shuffled * away + cost.stored * (machines.replicas - 1))
    network = moved / (machines.count * machines.network)
    held = rows * cost.stored * machines.replicas / machines.count
    seconds = {
        CPU: computing,
        NETWORK: network,
        LATENCY: rounds * cost.latency,
        TASKS: rounds * cost.stages * machines.all_cores * cost.per_task,
        SKEW: (cost.skew - 1) * (computing + network),
    }
    return Projection(seconds, rows / machines.count, held, held <= machines.memory * machines.share)


def capacity(cost: Cost, memory: float) -> float:
    """Rows that the local engine holds in so many bytes of memory."""
    return USABLE * memory / cost.local_bytes


def machines_for(cost: Cost, rows: float, machines: Machines) -> int:
    """How many machines of a kind hold so many rows in memory, replicas included."""
    return math.ceil(rows * cost.stored * machines.replicas / (machines.memory * machines.share))


def break_even_cores(cost: Cost, machines: Machines, rows: float, most: int = 1 << 16) -> int | None:
    """The least number of cores, in machines of this kind, with which Spark is as fast as the local engine; None:
    never."""
    target = rows * cost.local_seconds
    count = 1
    while count * machines.cores <= most:
        cluster = Machines(
            count,
            machines.cores,
            machines.memory,
            machines.network,
            machines.replicas if count > 1 else 1,
            machines.share,
        )
        if project(cost, rows, cluster).total <= target:
            return cluster.all_cores
        count += max(1, count // 8)
    return None


def fixed_and_variable(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """(seconds of an iteration without rows, seconds per row) by least squares on (rows, seconds) of single iterations;
    neither is negative."""
    if not points:
        return 0.0, 0.0
    count = len(points)
    mean_rows, mean_seconds = (sum(values) / count for values in zip(*points, strict=True))
    spread = sum((rows - mean_rows) ** 2 for rows, _ in points)
    slope = sum((rows - mean_rows) * (seconds - mean_seconds) for rows, seconds in points) / spread if spread else 0.0
    slope = max(slope, 0.0)
    return max(mean_seconds - slope * mean_rows, 0.0), slope
