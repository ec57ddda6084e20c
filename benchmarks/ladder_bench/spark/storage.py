"""What Spark holds while a program is evaluated, looked at again and again from a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any, Self

from ladder.spark.internals import context_of
from ladder_bench.spark.family import EXECUTOR, JVM, Family

PAUSE = 0.5  # seconds between two looks


class Storage:
    """Samples of (seconds since the beginning, bytes of cached data in memory and on disk, number of cached data sets,
    resident bytes of JVMs)."""

    def __init__(self, spark: Any, family: Family) -> None:
        self.samples: list[tuple[float, int, int, int, int]] = []
        self._context, self._family, self._over = context_of(spark), family, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._began = time.perf_counter()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(PAUSE):
            held = [(info.memSize(), info.diskSize()) for info in self._context.getRDDStorageInfo()]
            resident = sum(
                member.now for member in list(self._family.members.values()) if member.role in (JVM, EXECUTOR)
            )
            self.samples.append(
                (
                    time.perf_counter() - self._began,
                    sum(m for m, _ in held),
                    sum(d for _, d in held),
                    len(held),
                    resident,
                )
            )


def growth(samples: Sequence[tuple[float, float]]) -> float:
    """How much a figure grows from the first to the last of (time, figure), by least squares, as a share of its mean; 0
    without samples."""
    if len(samples) < 3:
        return 0.0
    times, figures = zip(*samples, strict=True)
    mean_time, mean = sum(times) / len(times), sum(figures) / len(figures)
    spread = sum((t - mean_time) ** 2 for t in times)
    if not spread or not mean:
        return 0.0
    slope = sum((t - mean_time) * (f - mean) for t, f in zip(times, figures, strict=True)) / spread
    return float(slope * (times[-1] - times[0]) / mean)
