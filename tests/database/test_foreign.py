"""States that others have written: refused unless they are trusted, and looked at all the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.reference import evaluate as naive
from ladder.errors import StateError

from ..engine.comparison import check_structure, difference, state_of
from ..engine.forging import Forged, current_of, files_of, put, somebody_else
from ..engine.programs import random_case, states
from .all_kinds import ALL, FACTS, MORE, TEXT


@pytest.fixture(scope="module")
def program() -> Program:
    return Program.parse(TEXT)


def foreign(folder: Path, program: Program, strategy: str = "elastic") -> None:
    """A base and a log that somebody else has written."""
    with somebody_else():
        db = Database(program, strategy)
        db.bootstrap(FACTS)
        db.save(folder, "0")
        db.update(insert=MORE)
        db.save(folder, "1")


def right(db: Database, facts: dict) -> None:
    assert difference(state_of(db._ready()), naive.evaluate(db.program.core, facts)) == ""
    check_structure(db._ready())


def test_a_state_of_somebody_else_is_refused_unless_it_is_trusted(tmp_path: Path, program: Program) -> None:
    foreign(tmp_path / "s", program)
    with pytest.raises(StateError, match="not written by this user's Ladder") as error:
        Database.open(tmp_path / "s", program)
    assert "--trust-state" in str(error.value)
    db = Database.open(tmp_path / "s", program, trust=True)
    assert db.note == "1"
    right(db, ALL)
    assert db.explain("p", next(iter(db["p"])))
    db.update(delete=MORE, insert={"e": [("n1", "n2", 1)]})
    right(db, {"e": [*FACTS["e"], ("n1", "n2", 1)]})
    # what is saved then is this user's, all of it: nothing that was not looked at is authenticated
    db.save(tmp_path / "s", "2")
    assert len(current_of(tmp_path / "s")["digests"]) == 1
    right(Database.open(tmp_path / "s", program), {"e": [*FACTS["e"], ("n1", "n2", 1)]})
    with somebody_else(), pytest.raises(StateError, match="not written by"):
        Database.open(tmp_path / "s", program)


def test_keys_that_machines_share(tmp_path: Path, program: Program) -> None:
    foreign(tmp_path / "s", program)
    with somebody_else():
        right(Database.open(tmp_path / "s", program), ALL)


def test_rules_of_somebody_else_are_not_run(tmp_path: Path, program: Program) -> None:
    with somebody_else():
        db = Database(program)
        db.bootstrap(FACTS)
        db.add_rules(".decl q(a: symbol)\nq(a) :- p(a, _).\n")
        db.save(tmp_path / "s")
    with pytest.raises(StateError, match="rules of others are not run"):
        Database.open(tmp_path / "s", program, trust=True)


@pytest.mark.parametrize("strategy", ["counting", "dred", "bf"])
def test_strategies(tmp_path: Path, strategy: str) -> None:
    text = (
        ".decl e(a: number, b: number)\n.input e\n.decl p(a: number, b: number)\np(a, b) :- e(a, b).\np(a, c) :- "
        "p(a, b), e(b, c).\n"
    )
    program, facts = Program.parse(text), {"e": [(i, (i * i + 1) % 7) for i in range(7)]}
    with somebody_else():
        db = Database(program, strategy)
        db.bootstrap(facts)
        db.save(tmp_path / "s")
    db = Database.open(tmp_path / "s", program, strategy, trust=True)
    db.update(insert={"e": [(1, 6)]}, delete={"e": facts["e"][:2]})
    scratch = Database(program)
    scratch.bootstrap({"e": [*facts["e"][2:], (1, 6)]})
    assert set(db["p"]) == set(scratch["p"])


@pytest.mark.parametrize("seed", range(42_000, 42_006))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    case = random_case(seed)
    program, facts = Program.parse(case.text), list(states(case))
    with somebody_else():
        db = Database(program)
        db.bootstrap(facts[0])
        for change in case.changes[:2]:
            db.update(**change)
        db.save(tmp_path / "s")
    db = Database.open(tmp_path / "s", program, trust=True)
    right(db, facts[min(2, len(case.changes))])
    for number, change in enumerate(case.changes[2:], 3):
        db.update(**change)
        right(db, facts[number])


# ---- what kernels would have gone by


def changed(folder: Path, name: str, change: object, header: object = None) -> None:
    """A base with another array, or header, and digests that fit; what follows it is dropped."""
    base = files_of(folder)[0]
    forged = Forged.read(base)
    if header is not None:
        header(forged.header)  # type: ignore[operator]
    if change is not None:
        change(forged.arrays[name].data)  # type: ignore[operator]
    with somebody_else():
        put(folder, {base: forged})


def numbers_of(db: Database, name: str) -> int:
    return db._ready().numbers[name]


@pytest.mark.parametrize(
    "name, place, value",
    [
        ("index.{p}.directory", 0, 1 << 20),
        ("index.{p}.directory", 4, -1 << 31),
        ("index.{p}.directory", 4, -1 << 20),
        ("index.{p}.directory", 4, 1 << 30),
        ("index.{p}.directory", -1, 0),  # the marks, behind the slots
        ("index.{p}.entries", 0, 1 << 20),  # how many entries follow, of the first block,
        ("index.{p}.entries", 0, -1),
        ("index.{p}.entries", 4, 1 << 30),  # ... how many there is room for,
        ("index.{p}.entries", 4, 0),
        ("index.{p}.entries", 4, -1),
        ("index.{p}.entries", 8, 1 << 30),  # ... and the row of the first one
        ("index.{p}.entries", 8, -7),
        ("relation.{r}.first_iteration", 0, -1),
        ("relation.{r}.first_iteration", 0, 1 << 29),
        ("relation.{r}.rows", 0, 1 << 20),
        ("relation.{r}.rows", 0, -1),
        ("aggregate.{a}.group_directory", 0, 1 << 20),
        ("aggregate.{a}.group_directory", 0, -(1 << 20)),
        ("symbols.offsets", 8, -1),
        ("symbols.offsets", 8, 1 << 40),
        ("symbols.text", 0, 0xFFFFFFFF - (1 << 32)),
    ],
)
def test_numbers_that_lead_elsewhere(tmp_path: Path, program: Program, name: str, place: int, value: int) -> None:
    with somebody_else():
        db = Database(program)
        db.bootstrap(ALL)
        db.save(tmp_path / "s")
    relation, store = numbers_of(db, "p"), db._ready().store
    name = name.format(
        r=relation, p=int(store.relations[relation].primary_index), a=db._ready().aggregate_numbers["near"]
    )

    def change(data: np.ndarray) -> None:
        if place < 0:
            data.view(np.uint8)[store.slots(int(name.split(".")[1])).nbytes :] = value
        elif "directory" in name and name.startswith("index"):
            slot = int(np.flatnonzero(data.view(np.int32)[1::2])[0])
            data.view(np.int32)[2 * slot + place // 4] = value
        elif name.endswith("entries"):
            slots = store.slots(int(name.split(".")[1]))
            block = int(slots["block"][slots["block"] > 0][0])
            data.view(np.int32)[2 * block + place // 4] = value
        elif name.endswith("group_directory"):
            data.view(np.int32)[int(np.flatnonzero(data.view(np.int32))[0])] = value
        elif name == "symbols.offsets":
            data.view(np.int64)[place // 8] = value
        elif name == "symbols.text":
            data[:4] = 0xFF
        else:
            data.view(np.int32)[place] = value

    changed(tmp_path / "s", name, change)
    with pytest.raises(StateError, match="damaged"):
        Database.open(tmp_path / "s", program, trust=True)


def test_records_that_are_inside_of_themselves(tmp_path: Path) -> None:
    program = Program.parse(
        ".type List = [head: number, tail: List]\n.decl n(x: number)\n.input n\n.decl list(l: List)\nlist([x, nil]) "
        ":- n(x).\n"
        "list([x, [y, nil]]) :- n(x), n(y).\n"
    )
    with somebody_else():
        db = Database(program)
        db.bootstrap({"n": [(1,), (2,)]})
        db.save(tmp_path / "s")
    table = numbers_of(db, "[]2")
    original = files_of(tmp_path / "s")[0].read_bytes()
    for row in range(len(db._ready().store.cells(table))):
        files_of(tmp_path / "s")[0].write_bytes(original)
        changed(
            tmp_path / "s",
            f"relation.{table}.rows",
            lambda data, row=row: data.view(np.int32).__setitem__(2 * row + 1, row + 1),
        )
        with pytest.raises(StateError, match="damaged"):
            Database.open(tmp_path / "s", program, trust=True)


@pytest.mark.parametrize(
    "order",
    [[["e"], ["p", "p"]], [["p"], ["e"]], [["e", "p"]], [["e"]], [["e"], ["p"], ["p"]], [[1]], 3, [["e"], ["q"]]],
    ids=str,
)
def test_components_that_are_not_those_of_the_program(tmp_path: Path, order: object) -> None:
    """Found by forging: a relation named twice made a component of two, the second of which was beyond the last."""
    program = Program.parse(
        ".decl e(a: number, b: number)\n.input e\n.decl p(a: number, b: number)\np(a, b) :- e(a, b).\np(a, c) :- "
        "p(a, b), e(b, c).\n"
    )
    with somebody_else():
        db = Database(program)
        db.bootstrap({"e": [(1, 2), (2, 3)]})
        db.save(tmp_path / "s")
    changed(tmp_path / "s", "", None, lambda header: header.__setitem__("order", order))
    with pytest.raises(StateError, match="damaged"):
        Database.open(tmp_path / "s", program, trust=True)
