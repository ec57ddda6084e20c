"""A session: a database of any strategy whose facts and rules change in turns, beside the text and the facts that it
should have.

    session = Session(case, setting_of(seed), folder)
    session.run()

After every step the rows are those of the naive evaluator, and what the strategy knows of each row is what a run from
scratch knows. What a step does follows from its own seed, so that a session from which steps are taken is a session
still.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from ladder import Database, Program
from ladder.api.rows import Delta
from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference import evaluate as naive
from ladder.errors import ProgramError
from ladder.support.limits import Limits
from ladder.support.tuning import Saving, Tuning

from ..engine.comparison import check_structure, difference, state_of
from ..engine.own_states import own_state
from ..engine.programs import Case, Row, Rows, renamed
from ..engine.tuned import SHARED, tuned

STRATEGIES = ("elastic", "recompute", "counting", "dred", "dredc", "bf", "bfc")
OPERATIONS = (
    "update",
    "update",
    "update",
    "split",
    "abandon",
    "revert",
    "nothing",
    "rules",
    "save",
    "edit",
    "compact",
    "replace",
    "again",
)
MOST_INSTANTIATIONS, MOST_ITERATIONS = 8_000, 60
SECONDS = 60.0  # for any evaluation or update of a few dozen rows


@dataclass(frozen=True)
class Setting:
    """How a case is evaluated and what is done to it: `steps` are operations, each with its seed."""

    strategy: str
    jobs: int
    batch_size: int
    capacity: int
    steps: tuple[tuple[str, int], ...]
    domain: int | None = None
    files: bool = False  # the first facts come from files
    short_logs: bool = False  # a saved state is written anew at every second save
    replanned_rows: int = 20_000  # rows of a component from which its bootstrap gets new plans

    @property
    def tuning(self) -> Tuning:
        """Tiny batches and capacities, threads that share all there is to share, and indexes that are dropped early."""
        saving = Saving(log_share=0.0 if self.short_logs else 1000.0)
        return tuned(
            saving,
            batch_size=self.batch_size,
            capacity=self.capacity,
            **SHARED,
            partitioned_cells=self.capacity,
            dropped_from=self.capacity // 2,
            drops_indexes=True,
            unneeded=self.capacity // 2,
            replanned_rows=self.replanned_rows,
            replanned_growth=1,
        )


def setting_of(seed: int, steps: int | None = None, strategy: str | None = None) -> Setting:
    """The setting of a seed."""
    source = random.Random(f"setting {seed}")
    strategy = strategy or ("elastic" if source.random() < 0.7 else source.choice(STRATEGIES[1:]))
    jobs = source.choice((1, 2, 3, 7)) if strategy == "elastic" else 1
    count = source.choice((0, 1, 1, 2, 3)) if steps is None else steps
    return Setting(
        strategy,
        jobs,
        source.choice((1, 3, 64)),
        source.choice((2, 64)),
        tuple((source.choice(OPERATIONS), source.randrange(10**6)) for _ in range(count)),
        64 if source.random() < 0.05 else None,
        source.random() < 0.1,
        source.random() < 0.5,
        source.choice((1, 5, 20_000)),
    )


class Session:
    """See above. `said` tells what was done, for a failure's message."""

    def __init__(self, case: Case, setting: Setting, folder: Path) -> None:
        self.setting, self.folder, self.case = setting, folder, case
        self.said: list[str] = [repr(setting)]
        self.lines = [[line, True] for line in case.text.splitlines()]  # of the text, and whether each is there
        self.by_line = ".comp" not in case.text and all(
            not line or line.startswith(".") or line.endswith(".") or ". .plan" in line
            for line in case.text.splitlines()
        )
        self.facts = {name: set(rows) for name, rows in case.facts.items()}
        self.known = {
            name: sorted({*rows, *(row for change in case.changes for row in change["insert"].get(name, ()))}, key=repr)
            for name, rows in case.facts.items()
        }
        self.random = random.Random(0)
        self.engines: list[LocalEngine] = []
        self.changed = False  # whether rules have changed since the database was made
        if "Bits>" in case.text or ": Bits" in case.text:  # what is compiled has 32 bits
            self.setting = replace(setting, domain=None)
        self.program = self.parsed()
        self.expected = self.expectation()

    def run(self) -> None:
        """The whole session; `TooMuch` where the naive evaluator would need too long for a step, which is not done
        then."""
        try:
            self.begin()
            self.check()
            for operation, seed in self.setting.steps:
                self.random = random.Random(seed)
                self.said.append(operation)
                getattr(self, f"do_{operation}")()
                self.check()
            if self.setting.strategy != "elastic":
                self.compare_with_scratch()
        finally:
            for engine in self.engines:
                if engine.threads is not None:
                    engine.threads.close()

    @property
    def text(self) -> str:
        return "\n".join(line for line, there in self.lines if there) + "\n"

    def parsed(self) -> Program:
        # functors: such programs are not kept on disk
        return Program.parse(self.text, functors={}, domain=self.setting.domain)

    def given(self) -> Rows:
        return {name: sorted(rows, key=repr) for name, rows in self.facts.items()}

    def expectation(self) -> naive.State:
        return naive.evaluate(self.program.core, self.given(), MOST_ITERATIONS, MOST_INSTANTIATIONS)

    def begin(self) -> None:
        self.db = self.database()
        if self.setting.files and not any(
            c.type.name in self.program.core.lattices
            for name in self.program.inputs
            for c in self.program.core.relations[name].columns
        ):
            self.load_files()
        else:
            self.db.bootstrap(self.given())

    def database(self) -> Database:
        """A new database with tiny batches and capacities, and threads that share all there is to share."""
        setting = self.setting
        db = Database(
            self.program,
            strategy=setting.strategy,
            switch=None,
            limits=Limits(seconds=SECONDS),
            jobs=setting.jobs,
            tuning=setting.tuning,
        )
        self.engines.append(db._backend.engine)
        return db

    def load_files(self) -> None:
        folder = self.folder.with_name(f"{self.folder.name}-facts")
        folder.mkdir(parents=True, exist_ok=True)
        for name in self.program.inputs:
            rows = self.given().get(name, [])
            (folder / f"{name}.facts").write_text("".join(f"{line_of(row)}\n" for row in [*rows, *rows[:1]]), "utf-8")
        self.db.load(folder)

    # ---- steps

    def change(self) -> dict[str, Rows]:
        """What to insert and to delete: mostly what is not there, and what is; some of it twice."""
        change: dict[str, Rows] = {"insert": {}, "delete": {}}
        for name, rows in self.known.items():
            share = self.random.choice((0.0, 0.1, 0.3, 1.0))
            for row in rows:
                if self.random.random() < share:
                    there = row in self.facts[name]
                    sides = ["delete" if there else "insert"]
                    if self.random.random() < 0.15:
                        sides = self.random.choice((["insert"], ["delete"], ["delete", "insert"], sides * 2))
                    for side in sides:
                        change[side].setdefault(name, []).append(row)
        self.said.append(repr(change))
        return change

    def note(self, change: dict[str, Rows]) -> None:
        """The facts after a change, and what they lead to."""
        for name in self.facts:
            self.facts[name] = (
                self.facts[name].difference(change["delete"].get(name, ())).union(change["insert"].get(name, ()))
            )
        self.expected = self.expectation()

    def apply(self, change: dict[str, Rows]) -> Delta:
        before = self.visible()
        self.note(change)
        delta = self.db.update(insert=change["insert"], delete=change["delete"])
        after = self.visible()
        for name in self.db.relations:
            assert set(delta.inserted[name]) == after[name] - before[name], name
            assert set(delta.deleted[name]) == before[name] - after[name], name
        return delta

    def visible(self) -> dict[str, set[Row]]:
        return {name: self.expected.visible(name) for name in self.db.relations}

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
        if self.setting.strategy == "recompute":
            return
        engine, facts, expected, change = self.db._ready(), dict(self.facts), self.expected, self.change()
        self.note(change)
        self.facts, self.expected = facts, expected
        before = own_state(engine)
        deleted, inserted = (
            {name: engine.encode_facts(name, rows) for name, rows in change[side].items()}
            for side in ("delete", "insert")
        )
        engine.update(deleted, inserted)
        engine.abandon()
        assert own_state(engine) == before

    def do_revert(self) -> None:
        """A change and its opposite leave the state as it was."""
        before, facts = own_state(self.db._ready()), {name: set(rows) for name, rows in self.facts.items()}
        self.apply(self.change())
        self.apply(
            {
                "insert": {name: sorted(rows - self.facts[name], key=repr) for name, rows in facts.items()},
                "delete": {name: sorted(self.facts[name] - rows, key=repr) for name, rows in facts.items()},
            }
        )
        assert self.facts == facts and own_state(self.db._ready()) == before

    def do_nothing(self) -> None:
        """A change of nothing touches nothing: facts that are there come, others that are not go."""
        engine = self.db._ready()
        engine.prepare_updates()
        absent = {name: [row for row in rows if row not in self.facts[name]][:2] for name, rows in self.known.items()}
        self.db.update(delete=absent)  # texts and records in them have numbers from now on
        before = stored(self.db._ready())
        delta = self.db.update(
            insert={name: sorted(rows, key=repr)[:3] for name, rows in self.facts.items()}, delete=absent
        )
        assert not delta and not delta.inserted and not delta.deleted
        if self.setting.strategy != "recompute":
            after = stored(self.db._ready())
            assert {name: (before[name], after[name]) for name in before if before[name] != after[name]} == {}

    def do_rules(self) -> None:
        """Some rules go, or come back at the end of the text; a program that is not allowed changes nothing."""
        if not self.by_line:
            return self.do_edit()
        there = self.random.random() < 0.6
        chosen = self.clauses(there)
        if not chosen:
            return
        said, before = "\n".join(dict.fromkeys(chosen)), [list(line) for line in self.lines]
        self.said.append(("- " if there else "+ ") + said)
        if there:
            self.lines = [[line, present and line not in chosen] for line, present in self.lines]
        else:
            self.lines = [pair for pair in self.lines if pair[0] not in chosen] + [
                [line, True] for line in dict.fromkeys(chosen)
            ]
        change = self.db.remove_rules if there else self.db.add_rules
        if self.reads_well(before):
            change(said)
        else:
            with pytest.raises(ProgramError):
                change(said)

    def do_edit(self) -> None:
        """The state is saved, and opened with another version of the program: some clauses less, or some more where
        they stood, or relations under other names."""
        before = [list(line) for line in self.lines]
        if self.random.random() < 0.4:
            self.rename()
        for _ in range(self.random.choice((1, 1, 2))):
            there = self.random.random() < 0.6
            for line in self.clauses(there):
                self.said.append(("cut " if there else "back ") + line)
                for pair in self.lines:
                    if pair[0] == line:
                        pair[1] = not there
        if self.reads_well(before):
            # Rules changed in a database stay so while its program is the same, so the text must be another one.
            self.lines.append([f"// {self.random.random()}", True])
            self.program = self.parsed()
        self.save_and_open()

    def rename(self) -> None:
        """Relations that are not given facts get other names, or those of each other."""
        if self.by_line:
            texts = renamed("\n".join(line for line, _ in self.lines), self.random, self.facts).split("\n")
            self.lines = [[text, there] for text, (_, there) in zip(texts, self.lines, strict=True)]
            self.said.append("renamed")

    def clauses(self, there: bool) -> list[str]:
        """One or two of the clauses that are there, or are not."""
        found = sorted(
            {
                line
                for line, present in self.lines
                if present == there
                and not line.startswith(".")
                and (line.endswith(".") or ". .plan" in line)
                and " <= r" not in line
            }
        )
        return self.random.sample(found, min(len(found), self.random.choice((1, 1, 2))))

    def reads_well(self, before: list[list[Any]]) -> bool:
        """The program as the text now says it, and what it leads to; where it is not allowed, the text is as it was."""
        try:
            self.program = self.parsed()
        except ProgramError:
            self.lines = before
            return False
        self.expected, self.changed = self.expectation(), True
        return True

    def do_save(self) -> None:
        """Saved, and opened by turns with the program as it is now."""
        self.save_and_open(self.random.random() < 0.7)

    def save_and_open(self, opened: bool = True) -> None:
        self.db.save(self.folder)
        if opened:
            self.db = Database.open(
                self.folder,
                self.program,
                strategy=self.setting.strategy,
                switch=None,
                jobs=self.setting.jobs,
                limits=Limits(seconds=SECONDS),
                tuning=self.setting.tuning,
            )

    def do_compact(self) -> None:
        engine = self.db._ready()
        engine.prepare_updates()
        number = engine.numbers[self.random.choice(list(engine.program.relations))]
        if engine.store.relations[number].owner < 0 and self.setting.strategy == "elastic":
            engine.compact(number)

    def do_replace(self) -> None:
        """All facts given anew."""
        self.note(self.change())
        self.db.replace_facts(self.given())

    def do_again(self) -> None:
        """From scratch, with other threads."""
        self.setting = replace(
            self.setting, jobs=self.random.choice((1, 2, 3, 7)) if self.setting.strategy == "elastic" else 1
        )
        self.note(self.change())
        self.db, self.changed = self.database(), False
        self.db.bootstrap(self.given())

    # ---- what must hold

    def check(self) -> None:
        engine = self.db._ready()
        for name in self.program.core.declared:
            rows = list(self.db[name])
            assert len(rows) == len(set(rows)), name
            wrong = set(rows) ^ self.expected.visible(name)
            assert not wrong, "\n".join(
                f"{name}{row}: {'found' if row in rows else 'missing'}" for row in sorted(wrong, key=repr)
            )
        if self.setting.strategy == "elastic":
            expected = (
                naive.evaluate(engine.program, self.given(), 10 * MOST_ITERATIONS, 10 * MOST_INSTANTIATIONS)
                if self.changed
                else self.expected
            )
            assert difference(state_of(engine), expected) == ""
        check_structure(engine)

    def compare_with_scratch(self) -> None:
        scratch = self.database()
        scratch.bootstrap(self.given())
        names = self.db.names_in(scratch)
        found, should = own_state(self.db._ready()), own_state(scratch._ready())
        for our_name, their_name in names.items():
            assert found[our_name] == should[their_name], our_name


def line_of(row: Row) -> str:
    return "\t".join(map(text_of, row)) if row else "()"


def text_of(value: Any) -> str:
    """A value as fact files have it; a tuple that starts with a text is a branch."""
    if value is None:
        return "nil"
    if isinstance(value, tuple):
        branch = isinstance(value[0], str)
        inner = ", ".join(map(text_of, value[1 if branch else 0 :]))
        return f"${value[0]}({inner})" if branch and inner else f"${value[0]}" if branch else f"[{inner}]"
    return str(value)


def stored(engine: LocalEngine) -> dict[str, Any]:
    """All that is stored: rows by number with what is known of them, aggregates' words, sizes of pools."""
    store = engine.store
    found: dict[str, Any] = {
        name: [column.tobytes() for column in store.columns(number)] for name, number in engine.numbers.items()
    }
    for name in ("entry_count", "row_count"):
        found[name] = store.indexes[name].tolist()
    found["words"] = store.aggregates["word_count"].tolist()
    found["symbols"] = len(engine.values.symbols)
    return found
