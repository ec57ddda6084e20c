"""A session: a database of any strategy whose facts and rules change in turns, beside the text and the facts that it should have.

    session = Session(case, seed, strategy, folder)
    for _ in range(steps): session.step()

After every step the rows are those of the naive evaluator, and what the strategy knows of each row is what a run from scratch knows.
"""
from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ladder import Database, Program
from ladder.engine import naive
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.parallel import Threads
from ladder.errors import ProgramError
from ladder.rows import Delta

from .comparison import check_structure, difference, state_of
from .programs import Case, Rows
from .test_strategies import own_state

STRATEGIES = ("elastic", "recompute", "counting", "dred", "dredc", "bf", "bfc")
OPERATIONS = ("update", "update", "split", "abandon", "revert", "nothing", "rules", "save", "compact", "replace")


class Session:
    """See above. `said` tells what was done, for a failure's message."""

    def __init__(self, case: Case, seed: int, strategy: str, folder: Path) -> None:
        self.random, self.strategy, self.folder = random.Random(seed), strategy, folder
        self.said: list[str] = [f"seed {seed}, {strategy}"]
        lines = list(dict.fromkeys(case.text.splitlines()))
        by_line = all(line.startswith(".") or line.endswith(".") for line in lines if line) and ".comp" not in case.text
        self.head = [line for line in lines if line.startswith(".")] if by_line else [case.text]
        self.here = [line for line in lines if line and not line.startswith(".")] if by_line else []
        self.away: list[str] = []
        self.facts = {name: set(rows) for name, rows in case.facts.items()}
        self.known = {name: sorted({*rows, *(row for change in case.changes for row in change["insert"].get(name, ()))}, key=repr)
                      for name, rows in case.facts.items()}
        self.db = self._database(self.text)
        self.db.bootstrap(self._given())
        self.check()

    @property
    def text(self) -> str:
        return "\n".join([*self.head, *self.here]) + "\n"

    def _given(self) -> Rows:
        return {name: sorted(rows, key=repr) for name, rows in self.facts.items()}

    def _database(self, text: str) -> Database:
        """A new database with tiny batches and rooms by turns, and two threads now and then, which share all there is to share."""
        db = Database(Program.parse(text), strategy=self.strategy, switch=None)
        jobs = self.random.choice((1, 1, 2)) if self.strategy == "elastic" else 1
        engine = LocalEngine(db.program.core, batch_size=self.random.choice((1, 3, 64)), room=self.random.choice((2, 64)), watch=db.watch,
                             strategy=self.strategy, jobs=jobs)
        if jobs > 1:
            engine.threads = Threads(engine, jobs, share_from=1)
        db._engine = engine
        return db

    # ---- steps

    def step(self) -> None:
        operation = self.random.choice(OPERATIONS)
        self.said.append(operation)
        getattr(self, f"do_{operation}")()
        self.check()

    def change(self) -> dict[str, Rows]:
        """What to insert and to delete: mostly what is not there, and what is."""
        change: dict[str, Rows] = {"insert": {}, "delete": {}}
        for name, rows in self.known.items():
            share = self.random.choice((0.0, 0.1, 0.3, 1.0))
            for row in rows:
                if self.random.random() < share:
                    there = row in self.facts[name]
                    side = "delete" if there else "insert"
                    if self.random.random() < 0.1:
                        side = "insert" if there else "delete"
                    change[side].setdefault(name, []).append(row)
        self.said.append(repr(change))
        return change

    def note(self, change: dict[str, Rows]) -> None:
        for name in self.facts:
            self.facts[name] = self.facts[name].difference(change["delete"].get(name, ())).union(change["insert"].get(name, ()))

    def apply(self, change: dict[str, Rows]) -> Delta:
        self.note(change)
        return self.db.update(insert=change["insert"], delete=change["delete"])

    def do_update(self) -> None:
        self.apply(self.change())

    def do_split(self) -> None:
        """A change in several transactions."""
        change = self.change()
        parts: list[dict[str, Rows]] = [{"insert": {}, "delete": {}} for _ in range(3)]
        for side, relations in change.items():
            for name, rows in relations.items():
                for row in rows:
                    self.random.choice(parts)[side].setdefault(name, []).append(row)
        for part in parts:
            self.apply(part)

    def do_abandon(self) -> None:
        """A transaction that is given up leaves everything as it was."""
        engine, change = self.db._ready(), self.change()
        before = own_state(engine)
        deleted, inserted = ({name: engine.encode_facts(name, rows) for name, rows in change[side].items()} for side in ("delete", "insert"))
        engine.update(deleted, inserted)
        engine.abandon()
        assert own_state(engine) == before

    def do_revert(self) -> None:
        """A change and its opposite leave the state as it was."""
        before, facts = own_state(self.db._ready()), {name: set(rows) for name, rows in self.facts.items()}
        there = self.apply(self.change())
        back = self.apply({"insert": {name: sorted(rows - self.facts[name], key=repr) for name, rows in facts.items()},
                           "delete": {name: sorted(self.facts[name] - rows, key=repr) for name, rows in facts.items()}})
        assert self.facts == facts and own_state(self.db._ready()) == before
        assert {name: set(rows) for name, rows in there.inserted.items()} == {name: set(rows) for name, rows in back.deleted.items()}
        assert {name: set(rows) for name, rows in there.deleted.items()} == {name: set(rows) for name, rows in back.inserted.items()}

    def do_nothing(self) -> None:
        """A change of nothing touches nothing: facts that are there come, others that are not go."""
        engine = self.db._ready()
        engine.prepare_updates()
        absent = {name: [row for row in rows if row not in self.facts[name]][:2] for name, rows in self.known.items()}
        self.db.update(delete=absent)       # texts and records in them have numbers from now on
        before = stored(self.db._ready())
        delta = self.db.update(insert={name: [*rows][:3] for name, rows in self.facts.items()}, delete=absent)
        assert not delta and not delta.inserted and not delta.deleted
        if self.strategy != "recompute":
            after = stored(self.db._ready())
            assert {name: (before[name], after[name]) for name in before if before[name] != after[name]} == {}

    def do_rules(self) -> None:
        """Some rules go, or come back; a program that is not allowed changes nothing."""
        source, target, change = self.random.choice(((self.here, self.away, self.db.remove_rules), (self.away, self.here, self.db.add_rules)))
        lines = self.random.sample(source, min(len(source), self.random.choice((1, 1, 2))))
        if lines:
            self._move(lines, source, target, change)

    def _move(self, lines: list[str], source: list[str], target: list[str], change: Callable[[str], Delta]) -> None:
        self.said.append("\n".join(lines))
        for line in lines:
            source.remove(line)
            target.append(line)
        try:
            Program.parse(self.text)
        except ProgramError:
            for line in lines:
                target.remove(line)
                source.append(line)
            with pytest.raises(ProgramError):
                change("\n".join(lines))
        else:
            change("\n".join(lines))

    def do_save(self) -> None:
        """Saved, and opened by turns with the program as it is now."""
        self.db.save(self.folder)
        if self.random.random() < 0.6:
            self.db = Database.open(self.folder, Program.parse(self.text), strategy=self.strategy, switch=None)

    def do_compact(self) -> None:
        engine = self.db._ready()
        engine.prepare_updates()
        number = engine.numbers[self.random.choice(list(engine.program.relations))]
        if engine.store.relations[number].owner < 0 and self.strategy == "elastic":
            engine.compact(number)

    def do_replace(self) -> None:
        """All facts given anew."""
        change = self.change()
        self.note(change)
        self.db.replace_facts(self._given())

    # ---- what must hold

    def check(self) -> None:
        scratch, given = self._database(self.text), self._given()
        scratch.bootstrap(given)
        fresh, ours = scratch._ready(), self.db._ready()
        expected = naive.evaluate(fresh.program, given)
        if self.strategy == "elastic":
            assert difference(state_of(fresh), expected) == ""
        rows = {name: set(some) for name, some in expected.rows.items()} | {name: set(some) for name, some in expected.finals.items()}
        for name in scratch.relations:
            assert set(self.db[name]) == rows[name], name
        names = self.db.names_in(scratch)
        found, should = own_state(ours), own_state(fresh)
        for our_name, their_name in names.items():
            assert found[our_name] == should[their_name], our_name
        check_structure(ours)
        if fresh.threads is not None:
            fresh.threads.close()


def stored(engine: LocalEngine) -> dict[str, Any]:
    """All that is stored: rows by number with what is known of them, aggregates' words, sizes of pools."""
    store = engine.store
    found: dict[str, Any] = {name: [column.tobytes() for column in store.columns(number)] for name, number in engine.numbers.items()}
    for name in ("entry_count", "row_count"):
        found[name] = store.indexes[name].tolist()
    found["words"] = store.aggregates["word_count"].tolist()
    found["symbols"] = len(engine.values.symbols)
    return found


def run(case: Case, seed: int, strategy: str, folder: Path, steps: int) -> None:
    """A session of so many steps; a failure tells what was done."""
    session = None
    try:
        session = Session(case, seed, strategy, folder)
        for _ in range(steps):
            session.step()
    except AssertionError as error:
        error.add_note("\n".join(session.said) + "\n" + session.text if session else f"seed {seed}, {strategy}: from scratch")
        raise
    finally:
        if session is not None and (threads := session.db._ready().threads) is not None:
            threads.close()

