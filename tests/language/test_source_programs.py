"""Programs of all constructs in a database: from scratch like the naive evaluator, after changes like from scratch."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

import ladder
from ladder.engine.reference import evaluate as naive
from ladder.engine.reference.evaluate import TooMuch
from ladder.language import core

from ..engine.programs import Case, states
from ..marks import seeds, slow_after
from ..random_programs.programs import FEATURES, build

MOST_INSTANTIATIONS, MOST_ITERATIONS = 20_000, 60


def visible(state: naive.State, program: core.Program) -> dict[str, set[tuple]]:
    return {name: state.visible(name) for name in program.relations}


def found(db: ladder.Database) -> dict[str, set[tuple]]:
    rows = {name: list(db[name]) for name in db.program.core.relations}
    assert all(len(some) == len(set(some)) for some in rows.values())
    return {name: set(some) for name, some in rows.items()}


def expectations(program: core.Program, case: Case) -> list[dict[str, set[tuple]]] | None:
    """What the naive evaluator computes on the facts and after each change; None where that is too much."""
    try:
        return [
            visible(naive.evaluate(program, facts, MOST_ITERATIONS, MOST_INSTANTIATIONS), program)
            for facts in states(case)
        ]
    except TooMuch:
        return None


def check(case: Case, folder: Path | None = None) -> bool:
    """Whether the case was small enough to be compared; `folder`: the state is saved and opened there
    between changes."""
    program = ladder.Program.parse(case.text)
    expected = expectations(program.core, case)
    if expected is None:
        return False
    db = ladder.Database(program)
    db.bootstrap(case.facts)
    compare(found(db), expected[0])
    for change, after in zip(case.changes, expected[1:], strict=True):
        before = found(db)
        if folder is not None:
            db.save(folder)
            db = ladder.Database.open(folder, program)
            compare(found(db), before)
        delta = db.update(change["insert"], change["delete"])
        now = found(db)
        compare(now, after)
        for name in db.relations:
            assert (
                set(delta.inserted[name]) == now[name] - before[name]
                and set(delta.deleted[name]) == before[name] - now[name]
            ), name
    for name in db.relations:
        for row in sorted(found(db)[name], key=repr)[:2]:
            assert name.rpartition(".")[2] in str(db.explain(name, row))
    return True


def compare(rows: dict[str, set[tuple]], expected: dict[str, set[tuple]]) -> None:
    wrong = [
        f"{name}{row}: {'found' if row in rows[name] else 'missing'}"
        for name in expected
        for row in sorted(rows[name] ^ expected[name], key=repr)
    ]
    assert not wrong, "\n".join(wrong)


def check_seeds(seeds: Iterable[int], folder: Path) -> None:
    compared = sum(check(build(random.Random(seed)), folder / str(seed) if seed % 4 == 0 else None) for seed in seeds)
    assert compared


@pytest.mark.parametrize("block", slow_after(2, range(8)))
def test_programs_and_changes(block: int, tmp_path: Path) -> None:
    check_seeds(range(10 * block, 10 * block + 10), tmp_path)


def check_rules(seed: int) -> None:
    """A rule that is removed, and one that is added, change what the text without it, and with it at its end, says."""
    source = random.Random(seed)
    case = build(source, FEATURES - {"components"})
    lines = case.text.splitlines()
    # A fact that is both asserted and in the program counts as a program fact, so those of inputs are left alone.
    inputs = {line.split()[1] for line in lines if line.startswith(".input")}
    rule = source.choice(
        [line for line in lines if line.startswith("r") and (":-" in line or line.partition("(")[0] not in inputs)]
    )
    without = case._replace(text="\n".join(line for line in lines if line != rule), changes=[])
    program, less = ladder.Program.parse(case.text), ladder.Program.parse(without.text)
    again = ladder.Program.parse(f"{without.text}\n{rule}\n")  # choices and counters follow the order of rules
    expected, expected_without = expectations(again.core, case), expectations(less.core, without)
    if expected is None or expected_without is None:
        return
    db = ladder.Database(program)
    db.bootstrap(case.facts)
    for _ in range(lines.count(rule)):
        db.remove_rules(rule)
    compare({name: set(db[name]) for name in db.relations}, {name: expected_without[0][name] for name in db.relations})
    db.add_rules(rule)
    compare({name: set(db[name]) for name in db.relations}, {name: expected[0][name] for name in db.relations})
    db.update(case.changes[0]["insert"], case.changes[0]["delete"])
    compare({name: set(db[name]) for name in db.relations}, {name: expected[1][name] for name in db.relations})


@pytest.mark.parametrize("block", slow_after(1, range(4)))
def test_rules_that_go_and_come(block: int) -> None:
    for seed in range(5 * block, 5 * block + 5):
        check_rules(seed)


@pytest.mark.nightly
def test_many_rules_that_go_and_come() -> None:
    for seed in seeds(range(1000, 2000)):
        check_rules(seed)


@pytest.mark.nightly
def test_many_programs_and_changes(tmp_path: Path) -> None:
    check_seeds(seeds(range(1000, 4000)), tmp_path)
