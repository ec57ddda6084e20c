"""Components with limits and nothing else that is ordered, evaluated by kernels: against the definition, and against
the evaluation on hash tables."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.limited import limited_alone
from ladder.engine.reference import evaluate as naive
from ladder.language import core, parse
from ladder.language.core import ORDERED, Compute, Rule

from ..marks import seeds, slow_after
from .comparison import check_structure, difference, state_of
from .ordered_programs import Maker, program_of
from .tuned import tuned

Facts = dict[str, list[tuple[Any, ...]]]


class Limited(Maker):
    """Random programs of which only limits depend on an order."""

    def ordered(self, name: str) -> core.Relation:
        return replace(super().ordered(name), choice=(), limit=self.random.choice((None, 0, 1, 5, 12, 40)))

    def rule(self, head: core.Relation, readable: list[core.Relation]) -> Rule:
        while True:
            made = super().rule(head, readable)
            if not any(isinstance(b, Compute) and b.function in ORDERED for b in made.body):
                return made

    def program(self) -> core.Program:
        made = super().program()
        relations = [replace(relation, choice=()) for relation in made.relations.values()]
        return program_of(relations, *made.rules, facts=made.facts)


def engine_of(program: core.Program, facts: Facts, by_kernels: bool, strategy: str = "elastic") -> LocalEngine:
    tuning = tuned(batch_size=3, capacity=2, limited_rows=0 if by_kernels else 1 << 40)
    engine = LocalEngine(program, tuning=tuning, strategy=strategy)
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items()})
    return engine


def rows_by_iteration(engine: LocalEngine) -> dict[str, dict[Any, int]]:
    """The rows of ordered components, and the iteration in which each is derived."""
    found = {}
    for position in engine.ordered.components:
        for name, (cells, iterations) in engine.ordered.iterations(position).items():
            types = [column.type for column in engine.relations[name].columns]
            rows = [tuple(map(engine.values.decode, row, types)) for row in cells.tolist()]
            found[name] = dict(zip(rows, iterations, strict=True))
    return found


def check_seed(seed: int) -> bool:
    """Whether a random program is small enough; its bootstrap and an update are then those of the definition."""
    maker = Limited(seed)
    program, facts = maker.program(), maker.facts()
    try:
        naive.evaluate(program, facts, most_iterations=60, most_instantiations=60_000)
    except naive.TooMuch:
        return False
    engine, plain = engine_of(program, facts, by_kernels=True), engine_of(program, facts, by_kernels=False)
    assert rows_by_iteration(engine) == rows_by_iteration(plain)
    source = random.Random(seed)
    for _ in range(2):
        agrees(engine, facts)
        gone = {name: [row for row in rows if source.random() < 0.3] for name, rows in facts.items()}
        came = {name: [maker.row(program.relations[name])] for name in facts if source.random() < 0.5}
        engine.update(
            {name: engine.encode_facts(name, list(set(rows))) for name, rows in gone.items()},
            {name: engine.encode_facts(name, rows) for name, rows in came.items()},
        )
        engine.finish()
        facts = {
            name: [row for row in rows if row not in gone[name]] + came.get(name, []) for name, rows in facts.items()
        }
    agrees(engine, facts)
    return True


def agrees(engine: LocalEngine, facts: Facts) -> None:
    try:
        expected = naive.evaluate(engine.program, facts, most_iterations=100, most_instantiations=200_000)
    except naive.TooMuch:
        return
    assert difference(state_of(engine), expected) == ""
    check_structure(engine)


@pytest.mark.parametrize("part", slow_after(1, range(4)))
def test_random_components_agree_with_the_definition(part: int) -> None:
    assert sum(map(check_seed, range(40 * part, 40 * part + 40))) > 20


@pytest.mark.nightly
def test_many_random_components_agree_with_the_definition() -> None:
    compared = [check_seed(seed) for seed in seeds(range(1000, 4000))]
    assert sum(compared) >= len(compared) // 2


GROWING = """
.type Path = [last: number, length: number]
.decl edge(x: number, y: number)
.input edge
.decl path(x: number, p: Path)
.decl end(x: number, y: number)
.limitsize path(n={limit})
.output path, end
path(x, [y, 1]) :- edge(x, y).
end(x, y) :- path(x, [y, _]).
path(x, [z, n + 1]) :- end(x, y), path(x, [y, n]), edge(y, z), n < {longest}.
"""


@pytest.mark.parametrize("strategy", ["elastic", "dred", "recompute"])
@pytest.mark.parametrize("limit", [1, 60, 1000, 10**9])
def test_records_that_are_new_there_are_numbered_here(limit: int, strategy: str) -> None:
    program = parse(GROWING.format(limit=limit, longest=30))
    facts: Facts = {"edge": [(i, (i * 7 + 3) % 20) for i in range(20)] + [(i, i + 1) for i in range(20)]}
    engine = engine_of(program, facts, by_kernels=True, strategy=strategy)
    plain = engine_of(program, facts, by_kernels=False, strategy=strategy)
    component = next(iter(engine.ordered.components.values()))
    assert limited_alone(program, component)
    assert rows_by_iteration(engine) == rows_by_iteration(plain)
    numbers = [len(rows) for rows in (rows_by_iteration(engine)["path"], rows_by_iteration(engine)["end"])]
    assert numbers[0] >= min(limit, numbers[1]) and state_of(engine).rows == state_of(plain).rows


def test_what_is_chosen_or_drawn_stays_on_hash_tables() -> None:
    text = (
        ".decl e(x: number)  .input e  .decl r(x: number, y: number) {more}  .limitsize r(n=3)  .output r\n"
        "r(x, {drawn}) :- e(x).  r(x + 1, y) :- r(x, y), x < 9."
    )
    alone = {}
    for more, drawn in (("", "x"), ("choice-domain x", "x"), ("", "autoinc()")):
        program = parse(text.format(more=more, drawn=drawn))
        engine = engine_of(program, {"e": [(1,), (2,)]}, by_kernels=True)
        agrees(engine, {"e": [(1,), (2,)]})
        alone[more, drawn] = limited_alone(program, next(iter(engine.ordered.components.values())))
    assert list(alone.values()) == [True, False, False]
