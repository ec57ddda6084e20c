"""A closure, its facts, and the engine that is right about it."""

from __future__ import annotations

from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference.evaluate import State
from ladder.language.core import Program

from ..engine.comparison import state_of
from ..engine.programs import Rows

CLOSURE = """.decl edge(x: number, y: number) .input edge
.decl path(x: number, y: number)
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
"""

EDGES: Rows = {"edge": [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]}


def local(program: Program, facts: Rows) -> State:
    engine = LocalEngine(program)
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items()})
    return state_of(engine)
