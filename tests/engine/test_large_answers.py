"""What a single call gives may be more than there is room or time for: limits apply while it is made."""

from __future__ import annotations

import time

import numpy as np
import pytest

from ladder import Database, Limits, Program
from ladder.engine.local.store import Store
from ladder.engine.local.values.records import Layout
from ladder.errors import OutOfMemory, TimedOut
from ladder.support.limits import memory_in_use

from .comparison import keys_of

RANGE = ".decl q(x: {kind})\nq(x) :- x = range({arguments}).\n"
DOUBLING = '.decl q(n: number, x: symbol)\nq(0, "0123456789").\nq(n + 1, cat(x, x)) :- q(n, x), n < 40.\n'
ROOM = 64 << 20


@pytest.mark.parametrize(
    ("kind", "arguments", "expected"),
    [
        ("number", "5, -3, -2", [5, 3, 1, -1]),
        ("number", "-2, 2", [-2, -1, 0, 1]),
        ("number", "3, 1", [3, 2]),
        ("number", "1, 1", []),
        ("number", "1, 3, 0", [1]),
        ("number", "1, 3, -1", []),
        ("number", "2147483645, 2147483647", [2147483645, 2147483646]),
        ("unsigned", "4294967293, 4294967295", [4294967293, 4294967294]),
        ("unsigned", "2147483647, 2147483650", [2147483647, 2147483648, 2147483649]),
        ("float", "0.5, 2.0, 0.5", [0.5, 1.0, 1.5]),
    ],
)
def test_ranges(kind: str, arguments: str, expected: list[float]) -> None:
    db = Database(Program.parse(RANGE.format(kind=kind, arguments=arguments)))
    db.bootstrap({})
    assert sorted(x for (x,) in db["q"]) == sorted(expected)


def test_a_range_asks_for_room_before_it_is_made() -> None:
    before = memory_in_use()
    db = Database(
        Program.parse(RANGE.format(kind="number", arguments="0, 400000000")), limits=Limits(memory=before + ROOM)
    )
    with pytest.raises(OutOfMemory):
        db.bootstrap({})
    assert memory_in_use() < before + ROOM


def test_so_does_a_text_that_doubles() -> None:
    before = memory_in_use()
    db = Database(Program.parse(DOUBLING), limits=Limits(memory=before + ROOM))
    with pytest.raises(OutOfMemory):
        db.bootstrap({})
    assert memory_in_use() < before + 3 * ROOM


@pytest.mark.parametrize("arguments", ["0, 2000000000", "0.0, 16000000.0, 0.01"])
def test_a_range_ends_when_the_time_does(arguments: str) -> None:
    began = time.monotonic()
    db = Database(
        Program.parse(RANGE.format(kind="float" if "." in arguments else "number", arguments=arguments)),
        limits=Limits(seconds=0.3, memory=1 << 33),
    )
    with pytest.raises((TimedOut, OutOfMemory)):
        db.bootstrap({})
    assert time.monotonic() - began < 60


def test_limits_apply_between_calls_of_a_functor() -> None:
    def slow(x: int) -> int:
        time.sleep(0.01)
        return x

    text = (
        ".functor slow(x: number): number\n.decl e(x: number)\ne(x) :- x = range(0, 100000).\n.decl "
        "q(x: number)\nq(@slow(x)) :- e(x).\n"
    )
    db = Database(Program.parse(text, functors={"slow": slow}), limits=Limits(seconds=1))
    began = time.monotonic()
    with pytest.raises(TimedOut):
        db.bootstrap({})
    assert time.monotonic() - began < 60


def test_records_that_functions_return_are_not_taken_apart_again(monkeypatch: pytest.MonkeyPatch) -> None:
    taken_apart, usual = list[object](), Layout.take_apart

    def counted(self: Layout, value: object) -> object:
        taken_apart.append(value)
        return usual(self, value)

    monkeypatch.setattr(Layout, "take_apart", counted)
    text = (
        ".type L = [head: number, tail: L]\n.functor f(x: L): L\n.decl q(n: number, x: L)\nq(0, nil).\n"
        "q(n + 1, @f(x)) :- q(n, x), n < 300.\n"
    )
    db = Database(Program.parse(text, functors={"f": lambda x: (7, x)}))
    db.bootstrap({})
    deepest = next(x for n, x in db["q"] if n == 300)
    for _ in range(300):
        assert deepest[0] == 7
        deepest = deepest[1]
    assert deepest is None
    assert len(taken_apart) <= 600  # not 300 levels in each of 300 calls


def test_the_limits_are_looked_at_while_an_index_is_filled() -> None:
    rows = np.stack([np.arange(5 << 19, dtype=np.int32) % 1000, np.arange(5 << 19, dtype=np.int32)], axis=1)
    store = Store([2], [1])
    store.add(0, rows)
    looks = list[bool]()
    store.look = lambda: looks.append(True)
    number = store.index_on(0, (0,))
    assert len(looks) >= 4  # while blocks are reserved, and while rows are entered
    assert store.indexes[number].row_count == len(rows)
    assert sorted(len(found) for found in keys_of(store, number).values()) == [2621] * 560 + [2622] * 440
