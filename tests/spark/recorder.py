"""Whatever the tests evaluate from scratch with the local engine, evaluated on Spark, too: `pytest --spark-too tests/…`.

Bootstraps are noted as they happen, with their facts and the state that they left; as soon as there are enough of them they
are compared, many in one run. What is left out is counted, with the reason.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ladder.engine.local.engine import Cells, LocalEngine
from ladder.language.core import Program

from ..engine.comparison import state_of
from ..engine.programs import Rows
from .comparison import AT_MOST, Evaluator, Example, disagreements, report
from .corpus import decoded
from .gaps import gap

MOST_ITERATIONS, MOST_ROWS = 40, 4000


@dataclass
class Recorder:
    """`test`: the one that is running; `pending`: what is not compared yet."""

    evaluate: Evaluator
    test: str = ""
    pending: list[Example] = field(default_factory=list)
    compared: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    comparing: bool = False
    _seen: set[int] = field(default_factory=set)

    def install(self) -> Any:
        """Note every bootstrap from now on; the function that ends it."""
        original = LocalEngine.bootstrap

        def bootstrap(engine: LocalEngine, facts: Mapping[str, Cells]) -> None:
            original(engine, facts)
            self.note(engine, facts)

        LocalEngine.bootstrap = bootstrap       # type: ignore[method-assign]
        return lambda: setattr(LocalEngine, "bootstrap", original)

    def note(self, engine: LocalEngine, facts: Mapping[str, Cells]) -> None:
        if self.comparing or engine.strategy.name != "elastic":
            return
        reason = gap(engine.program) or self._known(engine.program, facts)
        if not reason:
            rows: Rows = {name: decoded(engine, name, cells) for name, cells in facts.items()}
            example = Example(f"{self.test} #{len(self._seen)}", engine.program, rows, state_of(engine))
            if example.iterations > MOST_ITERATIONS:
                reason = f"more than {MOST_ITERATIONS} iterations"
            elif sum(map(len, example.expected.rows.values())) > MOST_ROWS:
                reason = f"more than {MOST_ROWS} rows"
            else:
                self.pending.append(example)
        if reason:
            self.left_out[reason] += 1

    def _known(self, program: Program, facts: Mapping[str, Cells]) -> str:
        """Why this need not be compared again; "" where it is new."""
        key = hash((str(program), repr(program.facts), *((name, cells.tobytes()) for name, cells in sorted(facts.items()))))
        if key in self._seen:
            return "compared before"
        self._seen.add(key)
        return ""

    def check(self, at_least: int = AT_MOST) -> None:
        """Compare what is pending, if it is so much."""
        if len(self.pending) >= at_least:
            examples, self.pending = self.pending, []
            self.comparing = True
            try:
                wrong = disagreements(self.evaluate, examples)
            finally:
                self.comparing = False
            self.compared += len(examples)
            assert not wrong, report(wrong)
