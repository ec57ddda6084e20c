"""Random programs whose rules, facts and saved states change in turns: always the state of a run from scratch."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ladder import Database, Program
from ladder.errors import ProgramError
from tests.engine.comparison import check_structure
from tests.engine.programs import Case, Row, affordable, random_case

from ..marks import seeds


class _Session:
    """A database, and the text and facts that it should have."""

    def __init__(self, case: Case, seed: int, folder: Path) -> None:
        self.random, self.folder = random.Random(seed), folder
        lines = list(dict.fromkeys(case.text.splitlines()))
        self.head = [line for line in lines if line.startswith(".")]
        self.here = [line for line in lines if line and not line.startswith(".")]
        self.facts = {name: set(rows) for name, rows in case.facts.items()}
        self.rows = {
            name: [*rows, *(row for change in case.changes for row in change["insert"].get(name, ()))]
            for name, rows in case.facts.items()
        }
        of_program = [
            self.fact_line(name, row)
            for name, rows in self.rows.items()
            for row in rows[:3]
            if all(type(value) is int for value in row) and row
        ]
        self.away = [line for line in dict.fromkeys(of_program) if line not in self.here]
        self.program = Program.parse(self.text)
        self.db = Database(self.program, switch=None)
        self.db.bootstrap({name: sorted(rows, key=repr) for name, rows in self.facts.items()})

    @staticmethod
    def fact_line(name: str, row: Row) -> str:
        return f"{name}({', '.join(map(str, row))})."

    @property
    def text(self) -> str:
        return "\n".join([*self.head, *self.here]) + "\n"

    def move(self, given: list[str], taken: list[str], change) -> None:
        """Some lines from one list into the other, and the database with them; a program that is not allowed changes
        nothing."""
        lines = self.random.sample(given, min(len(given), self.random.choice((1, 1, 2, 4))))
        for line in lines:
            given.remove(line)
            taken.append(line)
        try:
            Program.parse(self.text)
        except ProgramError:
            for line in lines:
                taken.remove(line)
                given.append(line)
            if lines:
                with pytest.raises(ProgramError):
                    change("\n".join(lines))
            return
        if lines:
            assert change("\n".join(lines)).mode == "update"

    def step(self) -> None:
        match self.random.choice(("add", "remove", "facts", "save", "edit")):
            case "add":
                self.move(self.away, self.here, self.db.add_rules)
            case "remove":
                self.move(self.here, self.away, self.db.remove_rules)
            case "facts":
                name = self.random.choice(list(self.facts) or [""])
                if name:
                    gone = {row for row in self.facts[name] if self.random.random() < 0.3}
                    come = {row for row in self.rows[name] if self.random.random() < 0.3}
                    self.db.update(insert={name: sorted(come, key=repr)}, delete={name: sorted(gone, key=repr)})
                    self.facts[name] = self.facts[name] - gone | come
            case "save":
                self.db.save(self.folder)
                if self.random.random() < 0.5:
                    self.db = Database.open(self.folder, self.program, switch=None)
            case "edit":
                self.db.save(self.folder)
                self.program = Program.parse(self.text)
                self.db = Database.open(self.folder, self.program, switch=None)

    def check(self) -> None:
        scratch = Database(Program.parse(self.text), switch=None)
        scratch.bootstrap({name: sorted(rows, key=repr) for name, rows in self.facts.items()})
        names = self.db.names_in(scratch)
        assert sorted(names.values()) == sorted(scratch.stored_relations)
        for ours, theirs in names.items():
            found, expected = (
                {repr(row) for row in db.state(name).to_pylist()} for db, name in ((self.db, ours), (scratch, theirs))
            )
            assert found == expected, ours
        check_structure(self.db._ready())


def check(seed: int, folder: Path, steps: int = 8) -> None:
    case = random_case(seed)
    if not affordable(case):
        return
    session = _Session(case, seed, folder)
    for _ in range(steps):
        session.step()
        session.check()


@pytest.mark.parametrize("seed", range(50_000, 50_005))
def test_random_sessions(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)


@pytest.mark.nightly
def test_many_random_sessions(tmp_path: Path) -> None:
    for seed in seeds(range(51_000, 51_400)):
        check(seed, tmp_path / str(seed), 12)
