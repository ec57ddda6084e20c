"""The Spark engine: a program's components bootstrapped in topological order, each by the loop of `fixpoint`."""
from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ladder.engine.plan.components import expand
from ladder.language.core import Program

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class Options:
    """`partitions`: of every relation (None: spark.sql.shuffle.partitions); `seed`: of the hashes that make ids."""

    partitions: int | None = None
    seed: int = 42
    most_iterations: int = 1_000_000


@dataclass
class IterationReport:
    """One job: `rows` that appeared by relation; shuffle figures in bytes; `planning` and `seconds` (all of it) in seconds."""

    number: int
    rows: dict[str, int]
    seconds: float
    planning: float
    jobs: int
    stages: int
    shuffle_written: int
    shuffle_read: int
    spilled: int
    tasks_failed: int = 0


@dataclass
class ComponentReport:
    """What became of a component; `other`: seconds outside of iterations (leaves of inputs, merges)."""

    relations: tuple[str, ...]
    iterations: list[IterationReport] = field(default_factory=list)
    seconds: float = 0.0


@dataclass
class RunReport:
    """Figures of a whole bootstrap."""

    components: list[ComponentReport] = field(default_factory=list)
    seconds: float = 0.0


@dataclass
class SparkState:
    """Relations as evaluated, all as stored (`R$in`, `R$all`, `R$facts`, tables of records, filler columns included).

    `dictionary`: id (BIGINT), x (BINARY: UTF-8 of a symbol, canonical bytes of an object).
    """

    program: Program
    report: RunReport

    @property
    def dictionary(self) -> DataFrame:
        """Columns c0 (id), x (BINARY)."""
        raise NotImplementedError

    def frame(self, relation: str) -> DataFrame:
        """Columns c0…, first (INT), count (BIGINT) of a relation as stored."""
        raise NotImplementedError

    def decoded(self, relation: str) -> dict[tuple[Hashable, ...], tuple[int, int]]:
        """Rows of Python values → (first, count), filler columns included; for tests: everything is collected."""
        raise NotImplementedError

    def release(self) -> None:
        """Give back what Spark holds for this state."""
        raise NotImplementedError


class SparkEngine:
    """Evaluates a program from scratch on a session; refuses with `Unsupported` what it cannot."""

    def __init__(self, program: Program, spark: SparkSession, options: Options | None = None) -> None:
        self.program, self.spark, self.options = program, spark, options or Options()
        self.expanded = expand(program)
        self.relations = self.expanded.relations

    def bootstrap(self, facts: Mapping[str, DataFrame], dictionary: DataFrame | None = None,
                  records: Mapping[str, DataFrame] | None = None, **extra: Any) -> SparkState:
        """`facts`: relation of the program → its given facts, those of the program's text included, columns c0… BIGINT cells as
        users see them (no filler column); duplicates may be there. `dictionary`: c0 (id), x (BINARY) of their symbols and objects
        and of the program's constants. `records`: table of records ("[]2") → c0 (id), c1… (cells) of the facts' records."""
        raise NotImplementedError
