"""`Bench`: what all cases share: where things are, how large, how processes are measured, where progress is told."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ladder.support.children import PACKAGE, python_of, safe_environment
from ladder_bench.processes import Outcome, run_process
from ladder_bench.souffle import Souffle

LONG = 6.0  # CPU seconds from which one run must do
LEAST = 3.0  # seconds that a measurement needs at least
PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Measured:
    """What a measurement in a process of its own yielded, and what the process cost; `failure` says why it is not
    complete."""

    lines: list[dict[str, Any]]
    process: Outcome

    @property
    def failure(self) -> str:
        return self.process.failure

    @property
    def last(self) -> dict[str, Any]:
        """The last line; empty if there is none."""
        return self.lines[-1] if self.lines else {}


@dataclass
class Bench:
    """One run of the benchmarks; `work` holds what may be kept between runs: facts, binaries.

    `seconds`: after which nothing more is measured. `deferred`: long jobs whose time matters little, to be done beside
    others.
    """

    output: Path
    full: bool
    runs: int
    souffle: Souffle | None
    data: Path | None
    seconds: float = float("inf")
    written: Callable[[], None] = field(default=lambda: None)
    deferred: list[Callable[[], None]] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)

    @property
    def work(self) -> Path:
        return self.output / "work"

    def size(self, small: int, full: int) -> int:
        return full if self.full else small

    def tell(self, message: str) -> None:
        """A line of progress on standard error, and the report as far as it has come."""
        print(f"[{time.perf_counter() - self.began:6.0f} s] {message}", file=sys.stderr, flush=True)
        self.written()

    def measure(self, function: Callable[..., Iterator[dict[str, Any]]], limit: float, **arguments: Any) -> Measured:
        """Run a generator function of a module in a process of its own; what it yields, as far as it came within the
        limit."""
        name = f"{function.__module__}:{function.__qualname__}"
        self.tell(
            f"{function.__module__.rpartition('.')[2]}: {function.__name__} "
            + " ".join(f"{k}={Path(v).name if isinstance(v, str) else v}" for k, v in arguments.items())
        )
        left = self.began + self.seconds - time.perf_counter()
        if left < LEAST:
            return Measured([], Outcome(0.0, 0.0, 0, "", "not measured: the time is up"))
        outcome = run_process(
            python_of("ladder_bench.child", name, json.dumps(arguments)), min(limit, left), safe_environment(), PACKAGE
        )
        if outcome.failure:
            self.tell(f"    {outcome.failure}")
        return Measured(
            [json.loads(line) for line in outcome.output.splitlines() if line.startswith("{") and line.endswith("}")],
            outcome,
        )

    def median(
        self, function: Callable[..., Iterator[dict[str, Any]]], key: str, limit: float, **arguments: Any
    ) -> Measured:
        """The run of median `key` of `runs` runs, of one where it is long; the first that fails, if one does."""
        measured: list[Measured] = []
        for _ in range(self.runs):
            measured.append(self.measure(function, limit, **arguments))
            if measured[-1].failure or key not in measured[-1].last or measured[0].process.cpu > LONG:
                return measured[-1]
        return sorted(measured, key=lambda m: m.last[key])[len(measured) // 2]
