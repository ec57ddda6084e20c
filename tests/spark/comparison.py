"""Many cases on one engine in few runs: what it computes against the states that are expected.

An *evaluator* takes a core program and facts (relation → rows of Python values) and gives its state; `spark_evaluator`
is the one of the Spark engine. Cases are put together in unions (see `unions`), and halved until it is known which of
them fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ladder.api.rules import Rules
from ladder.engine.classes import classes_of
from ladder.engine.local.saved.program import Origin
from ladder.engine.ordered.components import draws
from ladder.engine.reference.evaluate import State
from ladder.engine.spark.lowering.values import Decoder
from ladder.language.core import Program, ordered_relations
from ladder.plan.components import expand, is_record_table, needs_filler

from ..engine.comparison import difference
from ..engine.programs import Rows
from .unions import split, union, unite

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from ladder.api.program import Program as Checked
    from ladder.engine.local.engine import LocalEngine
    from ladder.engine.spark.engine import SparkState

Evaluator = Callable[[Program, Rows], State]
AT_MOST = 12  # programs in one union
LINES_SHOWN = 12  # of a difference


@dataclass(frozen=True)
class Example:
    """A program with facts and the state that every engine must find."""

    name: str
    program: Program
    facts: Rows
    expected: State

    @property
    def iterations(self) -> int:
        """How many iterations the longest of its components takes."""
        numbers = [first for rows in self.expected.rows.values() for first, _ in rows.values()]
        return max((*numbers, *(first for rows in self.expected.totals.values() for first in rows.values())), default=0)


def spark_evaluator(spark: SparkSession, **options: Any) -> Evaluator:
    """Evaluates in a session, with these options of `SparkEngine`."""

    def evaluate(program: Program, facts: Rows) -> State:
        state = bootstrapped(spark, program, facts, **options)
        try:
            return state_of(program, state)
        finally:
            state.release()

    return evaluate


def bootstrapped(spark: SparkSession, program: Program, facts: Rows, **options: Any) -> SparkState:
    """The state of a program over these facts, on Spark."""
    from ladder.engine.spark.engine import Options, SparkEngine
    from ladder.engine.spark.facts.sources import Facts

    chosen = Options(**options)
    engine, given = SparkEngine(program, spark, chosen), Facts(program, spark, chosen.seed, chosen.tuning)
    for name, rows in facts.items():
        given.add(name, rows)
    return engine.bootstrap(given.cells())


def spark_then_local(spark: SparkSession, program: Checked, facts: Rows, folder: Path) -> LocalEngine:
    """A local engine with the state that Spark computed and left in a folder."""
    from ladder.api.database import Database
    from ladder.engine.spark.export import write_state

    state = bootstrapped(spark, program.core, facts)
    try:
        write_state(state, folder, Origin(program.fingerprint, Rules(program).description()), "")
    finally:
        state.release()
    return Database.open(folder, program)._ready()


def state_of(program: Program, found: SparkState) -> State:
    """The state that Spark found, in the naive evaluator's form."""
    state, stored = State(), decoded(found)
    aggregates = expand(program).aggregates

    def rows(name: str, of: str) -> dict[tuple[Any, ...], tuple[int, int]]:
        cut = int(needs_filler(program.relations[of]))
        return {row[cut:]: numbers for row, numbers in stored[name].items()}

    for name in program.relations:
        if name not in aggregates:
            state.rows[name] = rows(name, name)
            continue
        a = aggregates[name]
        state.aggregate_inputs[name] = {row: (first - 1, count) for row, (first, count) in rows(a.inputs, name).items()}
        state.totals[name] = {row: first for row, (first, _) in rows(a.totals, name).items()}
        state.finals[name] = set(rows(name, name))
    return state


def decoded(found: SparkState) -> dict[str, dict[tuple[Any, ...], tuple[int, int]]]:
    """All that is stored, as Python values with (first, count): one query for all relations."""
    frame, tags = found.wide()
    decoder = decoder_of(found)
    cells: dict[int, list[tuple[int, ...]]] = {tag: [] for tag in tags.values()}
    for row in frame.collect() if frame is not None else ():
        cells[row[0]].append(tuple(row[1:]))
    decoded = {}
    for name, tag in tags.items():
        if name in found.expanded.relations and not is_record_table(found.expanded.relations[name]):
            types = [column.type for column in found.expanded.relations[name].columns]
            columns = [decoder.column([row[i] for row in cells[tag]], type_) for i, type_ in enumerate(types)]
            rows = list(zip(*columns, strict=True))
            decoded[name] = {row: (numbers[-2], numbers[-1]) for row, numbers in zip(rows, cells[tag], strict=True)}
            assert len(decoded[name]) == len(rows), f"{name} has a row twice"
    return decoded


def decoder_of(found: SparkState) -> Decoder:
    """Cells → Python values; collects the dictionary and all records."""
    texts = {row.c0: bytes(row.x) for row in found.dictionary.collect()}
    records = {
        name: {row[0]: tuple(row[1:-2]) for row in found.frame(name).collect()}
        for name, relation in found.expanded.relations.items()
        if is_record_table(relation)
    }
    return Decoder(
        found.program.types, texts.__getitem__, lambda table, id_: records[table].get(id_), classes_of(found.program)
    )


def disagreements(evaluate: Evaluator, examples: Sequence[Example], glued: bool = False) -> dict[str, str]:
    """Names of the examples that an evaluator gets wrong → how; evaluated together as long as nothing fails.

    Those that draw numbers are evaluated by themselves: in a union they would draw others.
    """
    together = [example for example in examples if not _draws(example.program)]
    groups = [together[start : start + AT_MOST] for start in range(0, len(together), AT_MOST)]
    groups += [[example] for example in examples if _draws(example.program)]
    return {example.name: problem for group in groups for example, problem in _wrong(evaluate, group, glued)}


def _draws(program: Program) -> bool:
    return draws(program, program.relations)


def _wrong(evaluate: Evaluator, examples: Sequence[Example], glued: bool) -> Iterator[tuple[Example, str]]:
    try:
        states = _states(evaluate, examples, glued)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told of the example that is to blame
        if len(examples) == 1:
            yield examples[0], f"{type(error).__name__}: {str(error)[:2000]}"
            return
        for half in (examples[: len(examples) // 2], examples[len(examples) // 2 :]):
            yield from _wrong(evaluate, half, glued)
        return
    for example, state in zip(examples, states, strict=True):
        if not (problem := difference(state, example.expected)):
            continue
        # texts are ordered as a union mentions them first, not as the program does
        if len(examples) > 1 and ordered_relations(example.program):
            yield from _wrong(evaluate, [example], glued)
        else:
            lines = problem.splitlines()
            yield (
                example,
                "\n".join([*lines[:LINES_SHOWN], *([f"… {len(lines)} in all"] if len(lines) > LINES_SHOWN else [])]),
            )


def _states(evaluate: Evaluator, examples: Sequence[Example], glued: bool) -> list[State]:
    if len(examples) == 1:
        return [evaluate(examples[0].program, examples[0].facts)]
    program = union([example.program for example in examples], glued)
    return split(evaluate(program, unite([example.facts for example in examples])), len(examples))


def report(wrong: Mapping[str, str]) -> str:
    return "\n".join(f"{name}\n{problem}\n" for name, problem in wrong.items())
