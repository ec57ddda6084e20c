"""Kernels over texts against the built-in functions' definition: every function and comparison, on texts of all kinds
and sizes, whatever capacity they begin with."""

from __future__ import annotations

import itertools
import random
import struct
from collections.abc import Callable
from typing import Any

import pytest

from ladder import Database, Program
from ladder.engine.local.engine import LocalEngine
from ladder.language import parse
from ladder.language.core import Kind
from ladder.language.values import builtins
from ladder.support.tuning import DEFAULT

from .comparison import check_structure, difference, state_of
from .hostile_memory import hostile_memory, lower_thresholds
from .tuned import tuned

PIECES = (
    *(
        "",
        "a",
        "b",
        "ab",
        "aa",
        "aab",
        "\0",
        "a\0",
        " ",
        "\t",
        "+",
        "-",
        "0",
        "7",
        "12",
        "0x",
        "0b",
        "1",
        "F",
        ".",
        "e",
    ),
    *("ä", "€", "😀", "\U0010ffff", "\ud800", "\udfff", "e\u0301", "\n", "\r\n", "x" * 7, "y" * 8, "z" * 9, "a" * 300),
)
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "length": ("number", "strlen(s)", lambda s, t, i, j: builtins.compute("strlen", (s,), Kind.SYMBOL)),
    "part": ("symbol", "substr(s, i, j)", lambda s, t, i, j: builtins.compute("substr", (s, i, j), Kind.SYMBOL)),
    "two": ("symbol", "cat(s, t)", lambda s, t, i, j: s + t),
    "four": ("symbol", "cat(s, t, t, s)", lambda s, t, i, j: s + t + t + s),
    "six": ("symbol", 'cat(s, t, "/", to_string(i), s, t)', lambda s, t, i, j: f"{s}{t}/{i}{s}{t}"),
    "number": ("number", "to_number(s)", lambda s, t, i, j: builtins.compute("to_number", (s,), Kind.SYMBOL)),
    "unsigned": ("unsigned", "to_unsigned(s)", lambda s, t, i, j: builtins.compute("to_unsigned", (s,), Kind.SYMBOL)),
    "real": ("float", "to_float(s)", lambda s, t, i, j: builtins.compute("to_float", (s,), Kind.SYMBOL)),
    "same": ("symbol", "to_string(s)", lambda s, t, i, j: s),
    "least": ("symbol", "min(s, t)", lambda s, t, i, j: min(s, t)),
    "greatest": ("symbol", "max(s, t)", lambda s, t, i, j: max(s, t)),
}
COMPARISONS = {
    "before": "s < t",
    "up_to": "s <= t",
    "after": "s > t",
    "from": "s >= t",
    "part": "contains(s, t)",
    "no_part": "!contains(s, t)",
    "matches": 'match("[a-c]*[^0-9]*.", s)',
    "differs": '!match("(a|ab)(b|.)+", s)',
}
HOLDS: dict[str, Callable[[str, str], bool]] = {
    "before": lambda s, t: s < t,
    "up_to": lambda s, t: s <= t,
    "after": lambda s, t: s > t,
    "from": lambda s, t: s >= t,
    "part": lambda s, t: s in t,
    "no_part": lambda s, t: s not in t,
    "matches": lambda s, t: builtins.holds("match", "[a-c]*[^0-9]*.", s),
    "differs": lambda s, t: builtins.holds("not_match", "(a|ab)(b|.)+", s),
}
PROGRAM = ".decl given(n: number, s: symbol, t: symbol, i: number, j: number)\n.input given\n" + "".join(
    [
        f".decl {name}(n: number, r: {type_})\n{name}(n, {call}) :- given(n, s, t, i, j).\n"
        for name, (type_, call, _) in FUNCTIONS.items()
    ]
    + [f".decl is_{name}(n: number)\nis_{name}(n) :- given(n, s, t, _, _), {c}.\n" for name, c in COMPARISONS.items()]
)


def text(source: random.Random) -> str:
    return "".join(source.choices(PIECES, k=source.choice((1, 1, 2, 2, 3, 6))))


def rows(source: random.Random, count: int) -> list[tuple[int, str, str, int, int]]:
    places = (-1, 0, 1, 2, 3, 5, 8, 20, 2**31 - 1, -(2**31))
    return [(n, text(source), text(source), source.choice(places), source.choice(places)) for n in range(count)]


def expected_value(call: Callable[..., Any], row: tuple[Any, ...]) -> list[Any]:
    try:
        return [call(*row)]
    except builtins.NoValue:
        return []


def cell(value: Any) -> Any:
    """A value that is equal only to itself, not a number included."""
    return struct.pack("<f", value) if isinstance(value, float) else value


@pytest.mark.parametrize("size", [1, 7, 3000])
def test_functions_and_comparisons(size: int) -> None:
    given = rows(random.Random(size), 600 if size < 3000 else 6000)
    db = Database(Program.parse(PROGRAM), tuning=tuned(batch_size=size, texts_matched_at_once=size))
    db.bootstrap({"given": given})
    for name, (_, _, call) in FUNCTIONS.items():
        found = {n: cell(r) for n, r in db[name]}
        assert found == {n: cell(r) for n, *row in given for r in expected_value(call, tuple(row))}, name
    for name, holds in HOLDS.items():
        assert {n for (n,) in db[f"is_{name}"]} == {n for n, s, t, *_ in given if holds(s, t)}, name


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("jobs", [1, 3])
def test_threads_hostile_memory_and_changes(jobs: int, seed: int) -> None:
    """The state is the same with any number of threads, whatever lies in memory that is granted, and after changes."""
    source = random.Random(seed)
    given, program = rows(source, 400), parse(PROGRAM)
    usual = LocalEngine(program)
    usual.bootstrap({"given": usual.encode_facts("given", given)})
    with hostile_memory(seed):
        engine = LocalEngine(program, jobs=jobs, tuning=tuned(batch_size=8, capacity=2))
        lower_thresholds(engine, jobs, source)
        engine.bootstrap({"given": engine.encode_facts("given", given[:300])})
        engine.update(
            {"given": engine.encode_facts("given", given[:30])}, {"given": engine.encode_facts("given", given[200:])}
        )
        engine.finish()
        engine.update({}, {"given": engine.encode_facts("given", given[:30])})
        engine.finish()
        check_structure(engine)
        assert difference(state_of(engine), state_of(usual)) == ""


def test_texts_as_floats() -> None:
    source = random.Random(9)
    digits = [
        "0",
        "1",
        "25",
        "000",
        "9007199254740992",
        "9007199254740993",
        "123456789",
        "16777217",
        "999999999999999999",
    ]
    ends = [
        "",
        "",
        "",
        "e",
        "e5",
        "E-3",
        "e+22",
        "e-22",
        "e23",
        "e-40",
        "e39",
        "e999",
        "e-999",
        "x",
        "x1p3",
        "f",
        " ",
        ".",
    ]
    starts = ["", "", "-", "+", " ", "\t-", "--", "\n+", "\0", "0x", "inf", "-Infinity", "nan", "-NaN", "i", "e5"]
    texts = sorted(
        {
            source.choice(starts)
            + source.choice([*digits, "", str(source.randrange(10**6))])
            + source.choice(["", "", ".", "." + source.choice(digits), f".{source.randrange(10**9)}"])
            + source.choice(ends)
            for _ in range(8000)
        }
    )
    db = Database(
        Program.parse(".decl s(t: symbol)\n.decl x(t: symbol, v: float)\nx(t, to_float(t)) :- s(t).\n"),
        tuning=tuned(batch_size=64),
    )
    db.bootstrap({"s": [(text,) for text in texts]})
    expected = {
        text: cell(value)
        for text in texts
        for value in expected_value(lambda text: builtins.compute("to_float", (text,), Kind.SYMBOL), (text,))
    }
    assert {text: cell(value) for text, value in db["x"]} == expected and len(expected) > 1000


def test_floats_as_texts() -> None:
    source = random.Random(5)
    patterns = [0, 1, 0x7F800000, 0x7FC00000, 0xFFC00000, 0xFF800000, 0x80000000, 0x7F7FFFFF, 0x00800000, 0x007FFFFF]
    patterns += [source.getrandbits(32) for _ in range(6000)]
    halves = [k / 2**e for e in range(1, 24) for k in (1, 3, 5, 2**e - 1, 2**e + 1)]
    near = [k / 1_000_000 + 5e-7 for k in range(400)] + [999999.5, 0.9999995, 0.99999994, 8388607.5, 16777215.0]
    values = [struct.unpack("<f", struct.pack("<I", bits))[0] for bits in patterns] + halves + near
    values = [struct.unpack("<f", struct.pack("<f", sign * value))[0] for value in values for sign in (1, -1)]
    db = Database(
        Program.parse(".decl x(n: number, v: float)\n.decl s(n: number, t: symbol)\ns(n, to_string(v)) :- x(n, v).\n")
    )
    db.bootstrap({"x": list(enumerate(values))})
    for n, shown in db["s"]:
        assert shown == builtins.show_number(values[n]), values[n]


@pytest.mark.parametrize("there", [True, False])
def test_searches_take_time_in_proportion_to_the_text(there: bool) -> None:
    """A part that almost occurs everywhere: comparing it at every place would take hours."""
    part = "a" * 1_000_000 + "b"
    whole = "a" * 4_000_000 + ("b" if there else "c")
    db = Database(
        Program.parse(".decl q(s: symbol, t: symbol)\n.decl r(x: number)\nr(1) :- q(s, t), contains(s, t).\n")
    )
    db.bootstrap({"q": [(part, whole)]})
    assert len(list(db["r"])) == there


def test_parts_that_almost_occur() -> None:
    source = random.Random(3)
    pairs = list(
        itertools.product(
            ["".join(source.choices("ab", k=k)) for k in (1, 7, 8, 9, 30, 200) for _ in range(4)],
            ["".join(source.choices("ab", k=k)) for k in (0, 1, 8, 15, 64, 5000) for _ in range(4)],
        )
    )
    pairs += [("a" * k + "b", "a" * (20 * k) + t) for k in (50, 500) for t in ("", "b", "ba", "c", "b" * k)]
    db = Database(
        Program.parse(
            ".decl q(n: number, s: symbol, t: symbol)\n.decl r(n: number)\nr(n) :- q(n, s, t), contains(s, t)."
        )
    )
    db.bootstrap({"q": [(n, *pair) for n, pair in enumerate(pairs)]})
    assert {n for (n,) in db["r"]} == {n for n, (s, t) in enumerate(pairs) if s in t}


def test_texts_are_numbered_in_the_order_of_rows() -> None:
    """So a state does not depend on how often kernels stop for capacity."""
    program = parse('.decl w(n: number)\n.decl t(n: number, s: symbol)\nt(n, cat("text ", to_string(n))) :- w(n).')
    numbered = []
    for size in (1, 16, DEFAULT.evaluating.batch_size):
        engine = LocalEngine(program, tuning=tuned(batch_size=size))
        engine.bootstrap({"w": engine.encode_facts("w", [(n,) for n in range(500)])})
        numbered.append(sorted(engine.values.symbols.texts_of(list(range(len(engine.values.symbols))))))
        made = dict(engine.store.present(engine.numbers["t"])[0].tolist())
        assert [made[n] for n in range(500)] == sorted(made.values())
    assert numbered[0] == numbered[1] == numbered[2] and len(numbered[0]) == 2 + 500 + 500


def test_taking_a_byte_away_in_each_step_ends() -> None:
    """A part is as long as was asked for, also where it cuts characters."""
    database = Database(
        Program.parse(
            ".decl w(s: symbol)\n.decl r(s: symbol)\nr(s) :- w(s).\nr(substr(s, 1, strlen(s) - 1)) :- r(s), "
            "strlen(s) > 1.\nr(substr(s, 0, strlen(s) - 1)) :- r(s), strlen(s) > 1.\n"
        )
    )
    database.bootstrap({"w": [("a€𝄞b",)]})
    assert {len(s.encode()) for (s,) in database["r"]} == set(range(1, 10))
