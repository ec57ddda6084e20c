"""Rules that come and go are maintained: the state after each change is that of a run from scratch, naive's rows
included."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.evolution import Evolution
from ladder.engine.reference import evaluate as naive
from ladder.language import core, parse
from ladder.language.errors import ProgramError
from ladder.language.versions.rule_changes import aligned

from ..marks import seeds, slow_after
from ..random_programs.whole_language import affordable_cases
from .comparison import check_structure, difference, state_of
from .programs import MOST_INSTANTIATIONS, Case, Rows, cases, filled_later, random_case, renamed, states
from .tuned import tuned

STAYS = """
.decl e(x: number, y: number)   .input e
.decl f(y: number)   .input f
.decl g(x: number, y: number)   .input g
.decl p(x: number, y: number)
.decl q(x: number)
p(x, y) :- e(x, y).
p(x, z) :- e(x, y), p(y, z).
q(x) :- f(y), p(x, y).
"""
BEFORE = STAYS + ".decl h(x: number, y: number)  h(x, y) :- g(x, y), p(x, _).\n"
AFTER = STAYS + ".decl h(x: number, y: number)  h(x, y) :- g(x, y), p(x, _).  p(x, y) :- h(x, y).  f(4).\n"


def test_plans_are_kept_with_their_indexes_where_a_relation_that_they_read_is_evaluated_anew() -> None:
    """A plan of q's rule looks p up by its second column, when the program's new fact comes and in updates. The
    bootstrap of p, which depends on itself in another way, gets new plans as p grows; none of them does so."""
    before, after = parse(BEFORE), parse(AFTER)
    facts: Rows = {"e": [(i, i + 1) for i in range(5)], "f": [(5,)], "g": [(1, 1)]}
    engine = LocalEngine(before, tuning=tuned(replanned_rows=1, replanned_growth=1))
    engine.bootstrap(encoded(engine, facts))
    engine = changed(engine, after, facts, random.Random(0))
    for more in (3, 2):
        engine.update({}, encoded(engine, {"f": [(more,)]}))
        engine.finish()
        facts["f"].append((more,))
        assert difference(state_of(engine), naive.evaluate(after, facts)) == ""
        check_structure(engine)


def encoded(engine: LocalEngine, rows: Rows) -> dict:
    return {name: engine.encode_facts(name, some) for name, some in rows.items() if some}


def versions(case: Case, source: random.Random, count: int) -> Iterator[str]:
    """Texts of one program with some of its clauses, each a few clauses from the one before; in some, relations have
    other names."""
    lines = case.text.splitlines()
    clauses = [i for i, line in enumerate(lines) if line and not line.startswith(".")]
    left_out = {i for i in clauses if source.random() < 0.3}
    for _ in range(count):
        text = "\n".join(line for i, line in enumerate(lines) if i not in left_out) + "\n"
        yield renamed(text, source, case.facts) if source.random() < 0.4 else text
        share = source.choice((0.1, 0.2, 0.5))
        left_out ^= {i for i in clauses if source.random() < share} or {source.choice(clauses)} if clauses else set()


def check(case: Case, seed: int, count: int = 5) -> None:
    source = random.Random(seed)
    case = filled_later(case, source) if source.random() < 0.5 else case
    facts = list(states(case))
    engine: LocalEngine | None = None
    at = 0
    for text in versions(case, source, count):
        try:
            program = parse(text)
            expected = naive.evaluate(program, facts[at], most_instantiations=MOST_INSTANTIATIONS)
        except (ProgramError, naive.TooMuch):  # some rules are stratified only without others
            continue
        if engine is None:
            engine = LocalEngine(
                program,
                tuning=tuned(
                    batch_size=source.choice([1, 3, 64]),
                    capacity=source.choice([2, 64]),
                    replanned_rows=source.choice([1, 5, 20_000]),
                    replanned_growth=source.choice([1, 2]),
                    replanned_change=source.choice([1.0, 2.0]),
                ),
            )
            engine.bootstrap(encoded(engine, facts[at]))
            continue
        engine = changed(engine, program, facts[at], source)
        if at + 1 < len(facts) and source.random() < 0.5:
            engine.update(encoded(engine, case.changes[at]["delete"]), encoded(engine, case.changes[at]["insert"]))
            engine.finish()
            at += 1
            try:
                expected = naive.evaluate(engine.program, facts[at], most_instantiations=MOST_INSTANTIATIONS)
            except naive.TooMuch:
                return
            assert difference(state_of(engine), expected) == ""


def changed(engine: LocalEngine, program: core.Program, facts: Rows, source: random.Random) -> LocalEngine:
    """The engine of another version of the program, compared with a run from scratch; some changes are
    abandoned first."""
    program = aligned(program, engine.program)
    expected = naive.evaluate(program, facts)
    if source.random() < 0.3:
        before = state_of(engine)
        evolution = Evolution(engine, program)
        evolution.open()
        evolution.abandon()
        assert difference(state_of(engine), before) == ""
        check_structure(engine)
    evolution = Evolution(engine, program)
    evolution.open()
    evolution.finish()
    assert difference(state_of(evolution.engine), expected) == ""
    check_structure(evolution.engine)
    return evolution.engine


@pytest.mark.parametrize("block", slow_after(1, range(8)))
def test_random_programs(block: int) -> None:
    for seed in range(20_000 + 5 * block, 20_000 + 5 * block + 5):
        check(random_case(seed), seed)


@pytest.mark.parametrize("block", slow_after(1, range(5)))
def test_programs_of_the_whole_language(block: int) -> None:
    for seed, case in affordable_cases(range(5100 + 5 * block, 5105 + 5 * block)):
        check(case, seed)


@pytest.mark.slow
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), seed=st.integers(0, 1000))
def test_programs_that_hypothesis_can_shrink(case: Case, seed: int) -> None:
    check(case, seed)


@pytest.mark.nightly
def test_many_random_programs() -> None:
    for seed in seeds(range(30_000, 33_000)):
        check(random_case(seed), seed, 8)


@pytest.mark.nightly
def test_many_programs_of_the_whole_language() -> None:
    for seed, case in affordable_cases(seeds(range(7000, 9000))):
        check(case, seed, 8)
