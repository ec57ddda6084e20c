"""Every conformance case on every engine: states after the facts and after each change, and the errors of refused programs."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ladder.engine import naive
from ladder.engine.local.engine import LocalEngine
from ladder.engine.naive import State
from ladder.language.errors import ProgramError

from ..engine.comparison import state_of
from . import cases


def run_naive(case: cases.Case) -> Iterator[State]:
    """From scratch after every change."""
    for facts in cases.states(case):
        yield naive.evaluate(case.program.core, facts)


def run_local(case: cases.Case) -> Iterator[State]:
    """One bootstrap, then one update for each change."""
    engine = LocalEngine(case.program.core)

    def encoded(rows: cases.Rows) -> dict[str, Any]:
        return {name: engine.encode_facts(name, some) for name, some in rows.items()}

    engine.bootstrap(encoded(case.facts))
    yield state_of(engine)
    for change in case.changes:
        engine.update(encoded(change.get("delete", {})), encoded(change.get("insert", {})))
        engine.finish()
        yield state_of(engine)


# An engine takes a case and yields its state after the facts and after each of the changes.
ENGINES: dict[str, Callable[[cases.Case], Iterator[State]]] = {"naive": run_naive, "local": run_local}


def expectations(name: str, step: int) -> list[Path]:
    return sorted((cases.HERE / name / "expected" / str(step)).iterdir())


ACCEPTED = [name for name in cases.case_names() if not (cases.HERE / name / "expected" / "errors").exists()]
REFUSED = [name for name in cases.case_names() if name not in ACCEPTED]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ACCEPTED)
def test_states(name: str, engine: str) -> None:
    case = cases.load(name)
    steps = 0
    for step, state in enumerate(ENGINES[engine](case)):
        for path in expectations(name, step):
            relation, form = path.name.rsplit(".", 1)
            assert cases.lines(case, state, relation, form) == path.read_text().splitlines(), f"step {step}: {path.name}"
        steps += 1
    assert steps == len(case.changes) + 1


@pytest.mark.parametrize("name", REFUSED)
def test_errors(name: str) -> None:
    with pytest.raises(ProgramError) as refused:
        cases.load(name)
    assert refused.value.render().splitlines() == (cases.HERE / name / "expected" / "errors").read_text().splitlines()


def test_every_case_says_what_it_expects() -> None:
    for name in ACCEPTED:
        folder = cases.HERE / name
        steps = len(list(folder.glob("changes/*.json"))) + 1
        assert sorted(path.name for path in (folder / "expected").iterdir()) == sorted(map(str, range(steps))), name
        assert all(expectations(name, step) for step in range(steps)), name
