"""An update that is not worth it becomes a bootstrap; one that takes too long or too much ends with the old state.

Clocks are made up.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.local.update_plans import woken
from ladder.engine.reference import evaluate as naive
from ladder.errors import LadderError, OutOfMemory, TimedOut
from ladder.policy.rebuild import Costs
from ladder.support.exceeded import size_text
from ladder.support.limits import MOST, Limits, memory_in_use, size_of
from ladder.support.tuning import DEFAULT, Evaluating, Tuning

from ..engine.comparison import check_structure, difference, state_of
from ..engine.programs import random_case, states
from ..marks import slow_after

TEXT = """
.decl e(a: symbol, b: symbol)
.input e
.decl p(a: symbol, b: symbol)
p(a, b) :- e(a, b).
p(a, c) :- p(a, b), e(b, c).
.decl far(a: symbol, n: number)
far(a, n) :- e(a, _), n = count : p(a, _).
"""
CHAIN = [(f"n{i}", f"n{i + 1}") for i in range(30)]
CHANGE: dict[str, Any] = {"insert": {"e": [("n30", "n31"), ("m", "n3")]}, "delete": {"e": [("n7", "n8")]}}
AFTER = [e for e in CHAIN if e != ("n7", "n8")] + [("n30", "n31"), ("m", "n3")]

REBUILDING = DEFAULT.rebuilding
PAUSING = Tuning(evaluating=Evaluating(first_budget=1, least_budget=1, most_budget=1))


class Clock:
    """Goes on by `tick` whenever somebody looks at it."""

    def __init__(self) -> None:
        self.now, self.tick, self.looks = 0.0, 0.0, 0

    def __call__(self) -> float:
        self.now += self.tick
        self.looks += 1
        return self.now


def database(clock: Clock, **options: Any) -> Database:
    """Its kernels pause after every batch."""
    db = Database(Program.parse(TEXT), tuning=PAUSING, **options)
    db.watch.clock = db.watch.work = clock
    db.bootstrap({"e": CHAIN})
    return db


def check(db: Database, edges: list[tuple[str, str]]) -> None:
    assert difference(state_of(db._ready()), naive.evaluate(db.program.core, {"e": edges})) == ""
    check_structure(db._ready())


def changes(delta: Any) -> dict[str, set[Any]]:
    return {
        f"{sign}{name}": set(rows)
        for sign, side in (("+", delta.inserted), ("-", delta.deleted))
        for name, rows in side.items()
    }


def test_an_update_that_takes_too_long_is_replaced() -> None:
    clock = Clock()
    db, other = database(clock), database(Clock(), switch=None)
    db._ready().costs.note_bootstrap(10.0, len(CHAIN))
    clock.tick = 0.5
    delta, expected = db.update(**CHANGE), other.update(**CHANGE)
    assert (delta.mode, expected.mode) == ("bootstrap", "update") and changes(delta) == changes(expected)
    assert delta.impact == expected.impact == sum(map(len, changes(delta).values())) > 100
    assert "abandoned" in delta.reason and "takes 10.500 s" in delta.reason and "20%" in delta.reason
    assert 2.0 < delta.timings["update"] < 5.0 and delta.timings["bootstrap"] == db.bootstrap_seconds > 0.0
    assert delta.seconds > delta.timings["update"] + delta.timings["bootstrap"]
    check(db, AFTER)
    clock.tick = 0.0
    back = db.update(insert=CHANGE["delete"], delete=CHANGE["insert"])
    assert back.mode == "update" and set(back.timings) == {"prepare", "update"} and back.impact == delta.impact
    check(db, CHAIN)


def test_what_an_update_may_take() -> None:
    for share, mode in ((0.2, "bootstrap"), (1000.0, "update"), (None, "update"), (float("inf"), "update")):
        clock = Clock()
        db = database(clock, switch=share)
        db._ready().costs.note_bootstrap(1.0, len(CHAIN))
        clock.tick = 0.5
        assert db.update(**CHANGE).mode == mode
        check(db, AFTER)
    with pytest.raises(LadderError, match="not negative"):
        database(Clock(), switch=-1.0)


def test_plans_that_starting_over_would_need_too_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules without plans get theirs in an update, however long that takes."""
    clock = Clock()
    db = Database(Program.parse(TEXT))
    db.watch.clock = db.watch.work = clock
    db.bootstrap({"e": []})
    db._ready().costs.note_bootstrap(1.0, 0)

    def slowly(*given: Any) -> Any:
        clock.now += 100.0
        return woken(*given)

    monkeypatch.setattr("ladder.engine.local.maintained.woken", slowly)
    delta = db.update(insert={"e": CHAIN})
    assert delta.mode == "update" and clock.now >= 100.0
    check(db, CHAIN)


def test_a_bootstrap_of_no_time_at_all() -> None:
    clock = Clock()
    db = database(clock)
    assert db.bootstrap_seconds == 0.0
    clock.tick = REBUILDING.least_seconds / 1000
    assert db.update(**CHANGE).mode == "update"


def test_a_change_that_is_hopeless_from_the_start() -> None:
    db = database(Clock())
    many = [(f"x{i}", f"y{i}") for i in range(REBUILDING.measured_from)]
    db._ready().costs.note_bootstrap(10.0, 2 * REBUILDING.measured_from)
    delta = db.update(insert={"e": many})
    assert (
        delta.mode == "bootstrap"
        and "update" not in delta.timings
        and f"{REBUILDING.measured_from:,} changed facts" in delta.reason
    )
    check(db, CHAIN + many)
    db._ready().costs.note_bootstrap(10.0, 2 * REBUILDING.measured_from)
    same = db.update(insert={"e": many})  # they are there already
    assert same.mode == "update" and not same and same.impact == 0
    few = db.update(delete={"e": many[: REBUILDING.measured_from // 10]})
    assert few.mode == "update"
    db._ready().costs.note_bootstrap(10.0, 40 * REBUILDING.measured_from)
    gone = db.update(delete={"e": [*many, ("no", "where")]})
    assert gone.mode == "update"  # 900 of 40,000
    check(db, CHAIN)


def test_costs() -> None:
    costs = Costs()
    assert costs.allowed(0.2, REBUILDING) is None and costs.least(10**9, REBUILDING) == 0.0
    costs.note_bootstrap(8.0, 100_000)
    assert (
        costs.allowed(0.25, REBUILDING) == 2.0
        and costs.allowed(None, REBUILDING) is None
        and costs.least(10_000, REBUILDING) == pytest.approx(1.6)
    )
    assert costs.least(REBUILDING.measured_from - 1, REBUILDING) == 0.0
    costs.note_update(1.0, REBUILDING.measured_from - 1, REBUILDING)
    assert costs.per_fact is None
    costs.note_update(4.0, 10_000, REBUILDING)
    costs.note_update(6.0, 10_000, REBUILDING)
    assert costs.per_fact == pytest.approx(0.0004) and costs.least(10_000, REBUILDING) == pytest.approx(4.0)
    costs.note_decision()
    assert costs.per_fact == pytest.approx(0.0002)
    costs.note_bootstrap(0.001, 5)
    assert costs.per_fact == pytest.approx(0.0002) and costs.allowed(0.2, REBUILDING) == REBUILDING.least_seconds


def test_starting_over_is_more_than_the_bootstrap() -> None:
    """An update that takes a fifth of the bootstrap, but less of what comes with it, is not given up."""
    costs = Costs()
    assert costs.starting_over is None
    costs.note_bootstrap(8.0, 100_000)
    costs.preparing = 1.0
    costs.note_update(4.0, 10_000, REBUILDING)
    new = Costs()
    new.note_bootstrap(8.0, 100_000)
    new.note_replaced(costs, 3.0)
    assert (new.per_fact, new.preparing, new.comparing) == (costs.per_fact, 1.0, 3.0)
    assert costs.starting_over == 9.0 and new.starting_over == 12.0 and new.allowed(0.25, REBUILDING) == 3.0


def test_what_starting_over_takes_is_measured() -> None:
    clock = Clock()
    db = database(clock)
    db._ready().costs.note_bootstrap(10.0, len(CHAIN))
    assert db._ready().costs.starting_over == 10.0
    clock.tick = 0.5
    assert db.update(**CHANGE).mode == "bootstrap"  # from one look at the clock to the next
    costs = db._ready().costs
    assert costs.comparing == costs.preparing == 0.5 and costs.starting_over == (costs.bootstrap or 0) + 1.0
    clock.tick = 0.25
    db._ready().prepare_updates()
    db._ready().prepare_updates()  # once for the state
    assert (costs.comparing, costs.preparing) == (0.5, 0.25)


def test_costs_are_saved(tmp_path: Path) -> None:
    db = database(Clock())
    db._ready().costs.note_bootstrap(12.5, 77)
    db.save(tmp_path)
    assert Database.open(tmp_path, db.program)._ready().costs == Costs(12.5, 77, None)
    db._ready().costs.note_update(3.0, 3000, REBUILDING)
    db._ready().costs.note_replaced(Costs(per_fact=0.001, preparing=0.25), 0.5)
    db.save(tmp_path)
    assert Database.open(tmp_path, db.program)._ready().costs == Costs(12.5, 77, 0.001, 0.5, 0.25)


@pytest.mark.parametrize("block", slow_after(1, range(3)))
def test_random_programs_that_switch_anywhere(block: int) -> None:
    """However far the update has come when it is abandoned: rows, first and count are those of the new facts."""
    source, modes = random.Random(block), set()
    for seed in range(71_000 + 8 * block, 71_000 + 8 * block + 8):
        case = random_case(seed)
        clock, program, all_facts = Clock(), Program.parse(case.text), list(states(case))
        db = Database(program, tuning=PAUSING)  # else how often it looks at the clock depends on the machine
        db.watch.clock = db.watch.work = clock
        db.bootstrap(all_facts[0])
        for change, facts in zip(case.changes, all_facts[1:], strict=True):
            db._ready().costs.note_bootstrap(5.0, 100)
            clock.tick = source.choice((0.0, 0.01, 0.1, 0.5, 1.5))  # seconds per look at it; an update may take 1
            modes.add(db.update(**change).mode)
            assert difference(state_of(db._ready()), naive.evaluate(program.core, facts)) == "", seed
            check_structure(db._ready())
    assert modes == {"update", "bootstrap"}


def test_a_time_limit(tmp_path: Path) -> None:
    clock = Clock()
    db = database(clock, switch=None, limits=Limits(seconds=5.0))
    clock.tick = 0.5
    for _ in range(2):
        with pytest.raises(TimedOut, match="5 s") as ended:
            db.update(**CHANGE)
        assert ended.value.exit_code == 3
        check(db, CHAIN)
    clock.tick = 0.0
    db.update(**CHANGE)
    check(db, AFTER)
    clock.tick = 0.5
    with pytest.raises(TimedOut):
        db.add_rules("p(a, c) :- p(a, b), p(b, c).")
    check(db, AFTER)
    with pytest.raises(TimedOut):
        late = Clock()
        late.tick = 1.0
        database(late, limits=Limits(seconds=5.0))


def test_a_memory_limit() -> None:
    db = database(Clock(), switch=None, limits=Limits(memory=1 << 20 << 20))
    used = [0]
    db.watch.memory = lambda: used.__setitem__(0, used[0] + (40 << 30)) or used[0]
    with pytest.raises(OutOfMemory, match="memory limit of 1T") as ended:
        db.update(**CHANGE)
    assert ended.value.exit_code == 4
    check(db, CHAIN)
    db.watch.memory = lambda: (1 << 40) - 1
    with pytest.raises(OutOfMemory, match="more are needed"):
        db.watch.grant(2)
    db.watch.memory = lambda: 0
    db.update(**CHANGE)
    check(db, AFTER)


def test_sizes() -> None:
    assert [size_of(text) for text in ("4G", "1.5 GiB", "512m", "1000", "2kb", "9" * 400)] == [
        4 << 30,
        3 << 29,
        512 << 20,
        1000,
        2048,
        MOST,
    ]
    assert [size_text(size) for size in (0, 999, 4 << 30, 3 << 29, 2000 << 30)] == ["0", "999", "4G", "1.5G", "1.95T"]
    for text in ("", "G", "4X", "-1", "1e3"):
        with pytest.raises(LadderError, match="not an amount"):
            size_of(text)
    assert 1 << 20 < memory_in_use() < 1 << 40
