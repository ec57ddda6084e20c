"""Whatever the tests evaluate from scratch with the local engine, evaluated on Spark, too:
`pytest --spark-too tests/…`.

Bootstraps are noted as they happen, with their facts and the state that they left; as soon as there are enough of them
they are compared, many in one run. What is left out is counted, with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ladder.engine.local.engine import Cells, LocalEngine
from ladder.engine.reference import evaluate as naive
from ladder.language.core import Program

from ..engine.comparison import state_of
from ..engine.programs import Rows
from .comparison import AT_MOST, Evaluator, Example, disagreements, report
from .corpus import decoded
from .gaps import gap

MOST_ITERATIONS, MOST_ROWS = 40, 4000


@dataclass
class Recorder:
    """`evaluate`: on Spark; `test`: the one that is running; `pending`: what is not compared yet."""

    evaluate: Evaluator | None = None
    test: str = ""
    pending: list[Example] = field(default_factory=list)
    compared: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    comparing: bool = False
    _seen: set[int] = field(default_factory=set)
    _undo: list[Callable[[], None]] = field(default_factory=list)

    def install(self) -> None:
        """Note every bootstrap of a local engine, and every naive evaluation by modules that are imported
        from now on."""
        bootstrap, evaluate = LocalEngine.bootstrap, naive.evaluate

        def noted_bootstrap(engine: LocalEngine, facts: Mapping[str, Cells]) -> None:
            bootstrap(engine, facts)
            if engine.strategy.name == "elastic":
                self.note(
                    engine.program,
                    lambda: {name: decoded(engine, name, cells) for name, cells in facts.items()},
                    lambda: state_of(engine),
                )

        def noted_evaluate(program: Program, facts: Any = None, *limits: Any, **options: Any) -> naive.State:
            given = {name: list(rows) for name, rows in (facts or {}).items()}
            state = evaluate(program, given, *limits, **options)
            self.note(program, lambda: given, lambda: state)
            return state

        self._undo = [
            partial(setattr, LocalEngine, "bootstrap", bootstrap),
            partial(setattr, naive, "evaluate", evaluate),
        ]
        LocalEngine.bootstrap = noted_bootstrap  # type: ignore[method-assign]
        naive.evaluate = noted_evaluate

    def remove(self) -> None:
        for undo in self._undo:
            undo()

    def note(self, program: Program, facts: Callable[[], Rows], state: Callable[[], naive.State]) -> None:
        """A program was evaluated."""
        if not self.comparing and (reason := gap(program) or self._pend(program, facts(), state)):
            self.left_out[reason] += 1

    def _pend(self, program: Program, facts: Rows, state: Callable[[], naive.State]) -> str:
        """Compare it later; why not, else."""
        key = hash(
            (
                str(program),
                repr(program.facts),
                *((name, repr(sorted(set(rows), key=repr))) for name, rows in sorted(facts.items()) if rows),
            )
        )
        if key in self._seen:
            return "compared before"
        self._seen.add(key)
        example = Example(f"{self.test} #{len(self._seen)}", program, facts, state())
        if example.iterations > MOST_ITERATIONS:
            return f"more than {MOST_ITERATIONS} iterations"
        if sum(map(len, example.expected.rows.values())) > MOST_ROWS:
            return f"more than {MOST_ROWS} rows"
        self.pending.append(example)
        return ""

    def check(self, at_least: int = AT_MOST) -> None:
        """Compare what is pending, if it is so much."""
        if len(self.pending) >= at_least:
            examples, self.pending = self.pending, []
            self.comparing = True
            assert self.evaluate is not None
            try:
                wrong = disagreements(self.evaluate, examples)
            finally:
                self.comparing = False
            self.compared += len(examples)
            assert not wrong, report(wrong)
