"""A database whose program changes: rules added and removed, or its text edited since its state was saved.

    Rules                     a program's rules, with those added and without those removed since
    change_rules(db, rules)   the state becomes that of other rules
    core_of_saved(…)          the core program of a state that is opened
    follow_edit(db, …)        the state of the text as it was becomes that of the text as it is
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ladder.api.joining import joined
from ladder.api.rows import Delta, Work
from ladder.engine.local.rows import Cells
from ladder.engine.local.saved.core import without_objects
from ladder.engine.local.saved.program import SavedProgram, inputs_of, version_of
from ladder.errors import LadderError, NotOurs, StateError
from ladder.support.limits import NotWorthIt

if TYPE_CHECKING:
    from ladder.api.database import Database
    from ladder.api.program import Program
    from ladder.engine.local.engine import LocalEngine
    from ladder.language import core
    from ladder.language.compile import Clause, Compiled


@dataclass(frozen=True)
class Rules:
    """A program's text with texts added to it; `removed`: texts of clauses, and of each clause how many copies went."""

    program: Program
    added: tuple[str, ...] = ()
    removed: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the rules are others than those of the program's text."""
        return bool(self.added or self.removed)

    def with_added(self, text: str) -> Rules:
        """Return these rules and those of a text, which may declare what it needs."""
        return replace(self, added=(*self.added, text))

    def without(self, text: str) -> Rules:
        """Return these rules without those of a text, of which all copies go; `LadderError` where there is no such rule."""
        from ladder.language.compile import clauses_of  # the parser is needed here only

        named, there = clauses_of(text), Counter(self.compiled.clauses)
        missing = next((clause for clause in named if clause not in there), None)
        if missing is not None or not named:
            raise LadderError(f"The program has no rule {missing or text.strip()}",
                              "Rules are compared up to layout; variables must have the same names.")
        counts = tuple(there[clause] if clause not in named[:position] else 0 for position, clause in enumerate(named))
        return replace(self, removed=(*self.removed, (text, counts)))

    @cached_property
    def compiled(self) -> Compiled:
        """Checked; raises `ProgramError`."""
        from ladder.language.compile import compile_program

        text = "\n".join((self.program.text, *self.added, ""))
        return compile_program(text, self.program.name, self.program.directory, self.program.functors, self.program.options,
                               self._removed_clauses())

    def _removed_clauses(self) -> Counter[Clause]:
        from ladder.language.compile import clauses_of

        gone: Counter[Clause] = Counter()
        for text, counts in self.removed:
            for clause, count in zip(clauses_of(text), counts, strict=True):
                gone[clause] += count
        return gone

    def description(self) -> dict[str, Any]:
        """Return what differs from the program's text, in a form that JSON holds."""
        return {"added": list(self.added), "removed": [[text, list(counts)] for text, counts in self.removed]}

    @staticmethod
    def described(program: Program, description: Mapping[str, Any]) -> Rules:
        """The rules of a program that were described."""
        return Rules(program, tuple(description["added"]), tuple((text, tuple(counts)) for text, counts in description["removed"]))


def change_rules(db: Database, rules: Rules) -> Delta:
    """Bring the state to other rules: maintained where that can be done, else from scratch; the result says which and why."""
    db._ready()
    db.watch.begin()
    with db._telling(rules.compiled.sources.texts):
        delta = _evolve(db, rules.compiled.core)
    db._rules = rules
    return delta


def core_of_saved(db: Database, saved: SavedProgram, edited: list[set[str]]) -> core.Program:
    """The core program of a saved state; where it is not what the program means now, what functions and lattices are others is put into `edited`.

    The program was edited then, or the text is the same and another version of Ladder has made another core program of it.
    """
    from ladder.language.versions.identity import identities
    from ladder.language.versions.rule_changes import aligned

    program = db.program.core
    if saved.origin.fingerprint != db.program.fingerprint:
        if not set(saved.relations).intersection(program.declared):
            raise NotOurs("The saved state belongs to another program.", "Name another folder, or remove it.")
        own = identities(program)
        edited.append(saved.others(own, program))
        return saved.core(program, own)
    db._rules = Rules.described(db.program, saved.origin.rules)
    fresh = db._rules.compiled.core if db._rules.changed else program
    if saved.version == version_of(fresh):
        return fresh
    own = identities(fresh)
    old = saved.core(fresh, own)
    new = aligned(fresh, old)
    if without_objects(new) == without_objects(old):
        return new
    edited.append(saved.others(own, fresh))
    return old


def follow_edit(db: Database, others: Collection[str]) -> Delta:
    """Bring an opened state to the program as it is now; facts of relations that are no inputs any more go."""
    from ladder.engine.local.evolution import FactsDoNotFit

    old = db._core
    try:
        with db._telling():
            delta = _evolve(db, db._rules.compiled.core if db._rules.changed else db.program.core, others)
    except FactsDoNotFit as error:
        raise StateError(error.message) from error
    engine, gone = db._ready(), dict[str, Cells]()
    before, now = inputs_of(old), inputs_of(db._core)
    db.new_inputs = tuple(name for name in now if name not in before)
    for name in [name for name in before if name not in now and name in db._core.relations and name in old.relations]:
        cells, given = engine.given_facts(name)
        gone[name] = cells[given]
    return joined(delta, db._change(engine, gone, {})) if any(map(len, gone.values())) else delta


def _evolve(db: Database, program: core.Program, others: Collection[str] | None = None) -> Delta:
    """Bring the state to another version of the program; `others`: functions and lattices that are not what they were."""
    from ladder.engine.local.evolution import FactsDoNotFit, Unmaintainable, refuse_misfits
    from ladder.language.versions.identity import identities, redefined
    from ladder.language.versions.rule_changes import aligned, with_objects_of

    engine, began, timings = db._ready(), db.watch.clock(), dict[str, float]()
    if others is None:
        others = redefined(identities(engine.program), identities(program))
    program = with_objects_of(aligned(program, engine.program), engine.program, others)
    refuse_misfits(engine, program)
    if db.strategy != "elastic":
        return db._rebuild(program, {}, {}, f"The strategy {db.strategy} starts over where rules change.", began)
    try:
        return _evolved(db, engine, program, others, timings)
    except FactsDoNotFit:
        raise
    except Unmaintainable as error:
        reason = error.message
    except NotWorthIt:
        reason = db._abandoned(engine, timings)
    return db._rebuild(program, {}, {}, reason, began, timings)


def _evolved(db: Database, engine: LocalEngine, program: core.Program, others: Collection[str], timings: dict[str, float]) -> Delta:
    """The state maintained; `NotWorthIt`, with its seconds in `timings`, where that takes longer than it may."""
    from ladder.engine.local.evolution import Evolution

    started, clock = db.watch.clock(), db.watch.work
    engine.load_transaction()
    began, allowed = clock(), engine.costs.allowed(db.switch)
    db.watch.switch_at = None if allowed is None else began + allowed
    try:
        evolution = Evolution(engine, program, others)
        evolution.open()
        try:
            changes = {name: (came, went) for name, came, went in evolution.engine.changes(program)}
        except BaseException:
            evolution.abandon()
            raise
        report = evolution.finish()
        db._engine, db._core = evolution.engine, program
    finally:
        db.watch.switch_at = None
        timings["update"] = clock() - began
    return db._delta(changes, Work("update", evolution.reason, db.watch.clock() - started, timings, report.changed_rows))
