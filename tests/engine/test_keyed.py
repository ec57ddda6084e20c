"""Keyed aggregates: bags of values, summed, joined, changed, compacted and saved, against the naive evaluator."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved.state import SavedState
from ladder.engine.reference import evaluate as naive

from ..marks import seeds, slow_after
from .comparison import check_structure, difference, state_of
from .keyed import Case, Facts, random_keyed, states
from .saving import ORIGIN, opened
from .tuned import tuned


def encoded(engine: LocalEngine, facts: Facts) -> dict:
    return {name: engine.encode_facts(name, sorted(rows)) for name, rows in facts.items() if rows}


def check(case: Case, seed: int, folder: Path | None = None) -> None:
    """Bootstrap, then every change, some abandoned first; compacted and saved by turns."""
    source = random.Random(seed)
    engine = LocalEngine(
        case.program, tuning=tuned(batch_size=source.choice([1, 3, 64]), capacity=source.choice([2, 64]))
    )
    expected = [naive.evaluate(case.program, facts) for facts in states(case)]
    engine.bootstrap(encoded(engine, case.facts))
    assert difference(state_of(engine), expected[0]) == ""
    saved = SavedState(folder) if folder else None
    for before, after, (gone, come) in zip(expected, expected[1:], case.changes, strict=False):
        if source.random() < 0.3:
            engine.update(encoded(engine, gone), encoded(engine, come))
            engine.abandon()
            assert difference(state_of(engine), before) == ""
        if saved is not None:
            engine.prepare_updates()
            saved.save(engine, ORIGIN, "")
            if source.random() < 0.5:
                engine, saved = opened(saved.folder, case.program)
                assert difference(state_of(engine), before) == ""
        engine.update(encoded(engine, gone), encoded(engine, come))
        engine.finish()
        assert difference(state_of(engine), after) == ""
        check_structure(engine)
        if source.random() < 0.3:
            for number in engine.numbers.values():
                if engine.store.relations[number].absent_rows:
                    engine.compact(number)
            check_structure(engine)
            assert difference(state_of(engine), after) == ""


@pytest.mark.parametrize("block", slow_after(1, range(8)))
def test_random_programs_and_changes(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        check(random_keyed(seed), seed)


@pytest.mark.parametrize("block", slow_after(1, range(3)))
def test_saved_between_changes(block: int, tmp_path: Path) -> None:
    for seed in range(500 + 10 * block, 510 + 10 * block):
        check(random_keyed(seed), seed, tmp_path / str(seed))


@pytest.mark.nightly
def test_many_random_programs_and_changes(tmp_path: Path) -> None:
    for seed in seeds(range(10_000, 14_000)):
        check(random_keyed(seed), seed, tmp_path / str(seed) if seed % 4 == 0 else None)
