"""What the recorder notes and compares: every bootstrap once, and what an engine gets wrong is told with the test it is
from."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ladder.api.database import Database
from ladder.api.program import Program as Checked
from ladder.engine.reference import evaluate as naive
from ladder.engine.reference.evaluate import State
from ladder.language import parse
from ladder.language.core import Program

from ..engine.programs import Rows
from .closures import CLOSURE, EDGES, local
from .recorder import MOST_ITERATIONS, Recorder


class Wrong:
    """An engine that computes with `local`, recorded or not, and then forgets every relation's last row if told so."""

    def __init__(self) -> None:
        self.forgetful, self.seen = False, list[int]()

    def __call__(self, program: Program, facts: Rows) -> State:
        self.seen.append(len(program.relations))
        state = local(program, facts)
        for rows in state.rows.values() if self.forgetful else ():
            if rows:
                rows.popitem()
        return state


@pytest.fixture
def engine() -> Wrong:
    return Wrong()


@pytest.fixture
def recorder(engine: Wrong) -> Iterator[Recorder]:
    found = Recorder(engine, test="here")
    found.install()
    yield found
    found.remove()


def bootstrap(text: str, facts: Rows) -> None:
    Database(Checked.parse(text)).bootstrap(facts)


def test_every_bootstrap_once(recorder: Recorder, engine: Wrong) -> None:
    bootstrap(CLOSURE, EDGES)
    bootstrap(CLOSURE, EDGES)
    bootstrap(CLOSURE, {"edge": EDGES["edge"][1:]})
    bootstrap('.decl r(x: number)\nr(ord("a")).', {})
    bootstrap(f".decl n(x: number)\nn(0).\nn(x + 1) :- n(x), x < {2 * MOST_ITERATIONS}.", {})
    assert [example.facts.get("edge") for example in recorder.pending] == [EDGES["edge"], EDGES["edge"][1:]]
    assert sorted(recorder.left_out.values()) == [1, 1, 1]
    recorder.check(at_least=3)
    assert len(recorder.pending) == 2 and not engine.seen
    recorder.check(at_least=2)
    assert not recorder.pending and recorder.compared == 2 and len(engine.seen) == 1


def test_naive_evaluations(recorder: Recorder) -> None:
    program = parse(CLOSURE)
    naive.evaluate(program, EDGES)
    bootstrap(CLOSURE, EDGES)
    assert [example.facts for example in recorder.pending] == [EDGES]
    recorder.check(at_least=1)


def test_what_is_wrong_is_told(recorder: Recorder, engine: Wrong) -> None:
    bootstrap(CLOSURE, EDGES)
    engine.forgetful = True
    with pytest.raises(AssertionError, match="(?s)here #1.*path.*None, expected"):
        recorder.check(at_least=1)
