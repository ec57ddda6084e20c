"""Compiling the kernels ahead of their first use, while something else is waited for."""
from __future__ import annotations

import tempfile
import threading
from pathlib import Path

import numpy as np

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved import SavedState, open_state
from ladder.language.core import Atom, Column, Compare, Compute, Kind, Not, Program, Relation, Rule, Type, Var, verify

NUMBER = Type("number", Kind.NUMBER)


def compile_kernels() -> None:
    """Compile every kernel, or load it from the cache: evaluate, change, save and open a tiny program. About half a minute once."""
    program = _program()
    engine = LocalEngine(program, room=2)
    facts = np.array([(i, i + 1) for i in range(100)], np.int32)
    engine.bootstrap({"edge": facts})
    for keep in (False, True):
        engine.update({"edge": facts[40:60]}, {"edge": facts[:2] + 200})
        engine.finish() if keep else engine.abandon()
    engine.compact(engine.numbers["path"])
    with tempfile.TemporaryDirectory() as folder:
        saved = SavedState(Path(folder))
        saved.save(engine, "", "")
        engine.update({}, {"edge": facts[40:60]})
        engine.finish()
        saved.save(engine, "", "")
        open_state(Path(folder), program, "")


def compile_in_background() -> threading.Thread:
    """Start `compile_kernels` in a thread of its own; failures show when the kernels are used."""
    def work() -> None:
        try:
            compile_kernels()
        except Exception:   # the same failure is met, and told, where the kernels are needed
            return

    thread = threading.Thread(target=work, name="compile kernels", daemon=True)
    thread.start()
    return thread


def _program() -> Program:
    """Recursion, negation, arithmetic and an aggregate: a step of every kind that kernels are compiled for."""
    x, y, z, d, e = (Var(name) for name in "xyzde")
    pair = (Column("x", NUMBER), Column("y", NUMBER))
    relations = {r.name: r for r in (Relation("edge", pair), Relation("path", pair), Relation("far", pair),
                                     Relation("distance", pair, aggregate="min"))}
    rules = (Rule(Atom("path", (x, y)), (Atom("edge", (x, y)),)),
             Rule(Atom("path", (x, z)), (Atom("path", (x, y)), Atom("edge", (y, z)), Compare("<", x, z, Kind.NUMBER))),
             Rule(Atom("far", (x, y)), (Atom("path", (x, y)), Not(Atom("edge", (x, y))))),
             Rule(Atom("distance", (y, x)), (Atom("edge", (x, y)),)),
             Rule(Atom("distance", (y, e)), (Atom("distance", (x, d)), Atom("edge", (x, y)), Compute(e, "+", (d, x)))))
    return verify(Program(relations, rules))
