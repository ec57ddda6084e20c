"""Whatever backend has the state, a database answers alike; what one lacks, it refuses by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark import cloudpickle

from ladder import Database, LadderError, Limits, Program
from ladder.api.joining import joined
from ladder.api.rows import Delta, Rows
from ladder.engine.backend import Backend, Capability, Change
from ladder.engine.reference.evaluate import evaluate
from ladder.engine.registry import BACKENDS, backend_class
from ladder.errors import TimedOut, Unsupported
from ladder.policy.rebuild import Costs, Known, update_or_bootstrap

TEXT = """
.type Pair = [a: symbol, n: number]
.type Shape = Dot {} | Line { to: Pair }
.decl edge(x: symbol, y: symbol)
.input edge
.decl weight(x: symbol, n: unsigned, f: float, p: Pair, s: Shape)
.input weight
.decl path(x: symbol, y: symbol)
.output path
.decl most(x: symbol, n: unsigned)
.decl any()
.decl never(x: symbol)
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
path("home", "home").
most(x, n) :- weight(x, _, _, _, _), n = max m : { weight(x, m, _, _, _) }.
any() :- weight(_, _, _, _, _).
never(x) :- edge(x, x).
"""
EDGES = [(f"n{i}", f"n{i + 1}") for i in range(6)]
WEIGHTS = [("a", 3, 0.5, ("ä", -1), ("Dot",)), ("a", 4_000_000_000, 1.5, None, ("Line", ("b", 2)))]
CHANGES: list[dict[str, Any]] = [
    {"insert": {"edge": [("n6", "n0"), EDGES[0]]}, "delete": {"weight": WEIGHTS[1:]}},
    {"delete": {"edge": [EDGES[2], ("not", "there")], "weight": WEIGHTS}},
]
ENGINES = [pytest.param(name, marks=pytest.mark.spark) if name == "spark" else name for name in BACKENDS]
Make = Callable[..., Database]


@pytest.fixture
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    """Makes databases that are closed in the end; on Spark in the session of the tests, evaluated there after every
    change."""
    made: list[Database] = []

    def database(engine: str, text: str = TEXT) -> Database:
        own = {"spark": request.getfixturevalue("spark"), "strategy": "recompute"} if engine == "spark" else {}
        made.append(Database(Program.parse(text), engine=engine, **own))
        return made[-1]

    yield database
    for db in made:
        db.close()


def filled(db: Database) -> Database:
    db.bootstrap({"edge": iter(EDGES), "weight": WEIGHTS})
    return db


@pytest.mark.parametrize("engine", ENGINES)
def test_rows_and_deltas_answer_alike(engine: str, make: Make, tmp_path: Path) -> None:
    db, local = filled(make(engine)), filled(make("local"))
    assert db.choice.engine == engine and db.relations == local.relations and db.bootstrap_seconds >= 0
    for name in db.relations:
        compared(name)(db[name], local[name])
        db[name].write_parquet(tmp_path / f"{name}-{engine}")
    deltas = [(db.update(**change), local.update(**change)) for change in CHANGES]
    assert all(found.engine == engine for found, _ in deltas)
    deltas_alike(*deltas[0], compared)
    deltas_alike(*deltas[1], lambda _: rows_equal)
    whole = joined(*(found for found, _ in deltas))
    deltas_alike(whole, joined(*(expected for _, expected in deltas)), lambda _: rows_equal)
    assert all(whole.reason.count(found.reason) == 1 for found, _ in deltas)
    found, expected = (of.replace_facts({"edge": EDGES[3:]}) for of in (db, local))
    deltas_alike(found, expected, lambda _: rows_equal)
    assert {name: db[name] for name in db.relations} == {name: local[name] for name in db.relations}
    with pytest.raises(KeyError):
        db["nothing"]
    for wrong in (
        {"nothing": [("a",)]},
        {"edge": [("a",)]},
        {"edge": [("a", 1)]},
        {"edge": pa.table({"x": ["a"], "z": ["b"]})},
    ):
        with pytest.raises(LadderError):
            db.update(insert=wrong)
    assert {name: db[name] for name in db.relations} == {name: local[name] for name in db.relations}, (
        "the old state stands"
    )


def deltas_alike(found: Delta, expected: Delta, alike: Callable[[str], Callable[[Rows, Rows], None]]) -> None:
    """Whatever a user asks of two deltas has the same answer; `alike` says how the rows of a relation are compared."""
    assert (bool(found), found.impact) == (bool(expected), expected.impact) and repr(found).endswith(
        f"{expected.impact} rows came or went>"
    )
    for one, other in ((found.inserted, expected.inserted), (found.deleted, expected.deleted)):
        assert set(one) == set(other) and "nothing" not in one and one.get("nothing") is None
        for name in found.program.declared:
            alike(name)(one[name], other[name])


def compared(name: str) -> Callable[[Rows, Rows], None]:
    """In every way where the relation has columns of its own kind, is nullary or is empty; else by the values."""
    return rows_alike if name in ("edge", "weight", "any", "never") else rows_equal


def rows_equal(rows: Rows, expected: Rows) -> None:
    """The values are those, to the iterator: on Spark this is one query."""
    assert sorted(map(repr, rows)) == sorted(map(repr, expected))


def rows_alike(rows: Rows, expected: Rows) -> None:
    """Whatever a user asks of rows has the same answer, wherever they are."""
    values = list(expected)
    assert rows == expected and expected == rows and rows == set(values) and rows != {*values, "more"}
    assert len(rows) == len(values) and bool(rows) == bool(values) and rows.column_names == expected.column_names
    assert (
        f"<{len(values)} rows of {expected.relation}" in repr(rows)
        and all(row in rows for row in values[:2])  # a query each
        and ("not", "there") not in rows
    )
    with pytest.raises(TypeError):
        ["a"] in rows  # noqa: B015
    table, other = rows.to_arrow(), expected.to_arrow()
    assert table.schema == other.schema and sorted(map(repr, table.to_pylist())) == sorted(map(repr, other.to_pylist()))
    assert sum(part.num_rows for part in rows.tables()) == other.num_rows
    frame, wanted = rows.to_pandas(), expected.to_pandas()
    assert list(frame.dtypes.map(str)) == list(wanted.dtypes.map(str)) and len(frame) == len(wanted)
    if all(column.type.name == "symbol" for column in rows.columns) and rows.columns:
        assert sorted(b"".join(map(bytes, rows.lines(b"\t"))).splitlines()) == sorted(
            b"".join(map(bytes, expected.lines(b"\t"))).splitlines()
        )


@pytest.mark.parametrize("engine", ENGINES)
def test_facts_come_in_every_form(engine: str, make: Make, tmp_path: Path) -> None:
    (tmp_path / "edge.facts").write_text("a\tb\nb\tc\n")
    (tmp_path / "weight.facts").write_text("x\t7\t0.5\t[q, 1]\t$Line([r, 2])\n")
    db = make(engine)
    db.load(tmp_path)
    db.load_rows("edge", pa.table({"y": ["f"], "x": ["e"]}))
    db.load_rows("edge", ({"y": y, "x": x} for x, y in [("g", "h")]))
    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # Spark's workers cannot import this module
    try:
        db.load_source(Parts())
        db.bootstrap({})
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    assert db["edge"] == {("a", "b"), ("b", "c"), ("e", "f"), ("g", "h"), ("i", "j"), ("k", "l")}
    assert db["weight"] == {("x", 7, 0.5, ("q", 1), ("Line", ("r", 2)))} and ("a", "c") in db["path"]
    with pytest.raises(LadderError, match="before a bootstrap"):
        db.load_source(Parts())


class Parts:
    """Facts in two parts, which whoever evaluates reads."""

    sizes = (1, 1)
    relations = ("edge",)

    def read(self, number: int) -> Iterator[tuple[str, pa.Table]]:
        x, y = (("i", "j"), ("k", "l"))[number]
        yield "edge", pa.table({"x": [x], "y": [y]})


ASKED: dict[Capability, Callable[[Database, Path], Any]] = {
    Capability.UPDATE: lambda db, _: db._ready(),
    Capability.EVOLVE: lambda db, _: db.add_rules("never(x) :- path(x, x)."),
    Capability.FACTS: lambda db, _: db._able(Capability.FACTS),
    Capability.STATE: lambda db, _: db.state("path"),
    Capability.SAVE: lambda db, folder: db.save(folder / "state"),
    Capability.EXPLAIN: lambda db, _: db.explain("path", ("n0", "n2")),
    Capability.PROFILE: lambda db, _: Database(db.program, engine=db.engine, profile=True),
    Capability.FRAMES: lambda db, _: db.frame("path").count(),
}


@pytest.mark.parametrize("capability", Capability)
@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_backend_lacks_is_refused_by_name(
    engine: str, capability: Capability, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ladder.policy.placement.available_memory", lambda *_: 1000)  # so that no state is handed over
    db = filled(make(engine))
    if capability in backend_class(engine).capabilities:
        ASKED[capability](db, tmp_path)
        return
    with pytest.raises(Unsupported, match=f"The {engine} engine") as refused:
        ASKED[capability](db, tmp_path)
    assert capability.value[0] in refused.value.message and refused.value.hint
    assert ("n0", "n2") in db["path"], "the state stands"


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_declared_is_there_and_nothing_else(engine: str) -> None:
    methods = {
        Capability.UPDATE: "update",
        Capability.EVOLVE: "evolve",
        Capability.FACTS: "facts",
        Capability.STATE: "state",
        Capability.SAVE: "save",
        Capability.EXPLAIN: "explain",
        Capability.FRAMES: "frame",
    }
    backend = backend_class(engine)
    assert methods.keys() == set(Capability) - {Capability.PROFILE} and backend.name == engine
    there = {
        capability for capability, method in methods.items() if getattr(backend, method) is not getattr(Backend, method)
    }
    assert there == backend.capabilities - {Capability.PROFILE}


def test_the_reference_keeps_no_states(make: Make, tmp_path: Path) -> None:
    db = filled(make("local"))
    db.save(tmp_path / "state")
    with pytest.raises(Unsupported, match="The reference engine does not keep states in folders"):
        Database.open(tmp_path / "state", db.program, engine="reference")
    with pytest.raises(Unsupported, match="The reference engine has no strategy dred"):
        Database(db.program, engine="reference", strategy="dred")
    with pytest.raises(LadderError, match="The reference engine has no use for master"):
        Database(db.program, engine="reference", master="local")


def test_a_limit_of_time_is_the_reference_s_too() -> None:
    program = Program.parse(".decl n(x: number)\nn(0).\nn(x + 1) :- n(x), x < 1000000.\n")
    with pytest.raises(TimedOut):
        Database(program, engine="reference", limits=Limits(seconds=0.2))["n"]


def test_the_reference_gives_up_on_what_does_not_end(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.engine.reference.backend.evaluate", partial(evaluate, most_iterations=20))
    db = make("reference", ".decl n(x: number)\nn(0).\nn(x + 1) :- n(x), x < 1000000.\n")
    with pytest.raises(LadderError, match="The reference engine gives up: .*new rows after"):
        db["n"]
    with pytest.raises(LadderError, match="could not be evaluated"):
        db["n"]


def test_rows_outlive_the_state_they_are_of(make: Make) -> None:
    """Rows that were handed out stay what they were, however the state goes on."""
    db = filled(make("local"))
    before, values = db["path"], set(db["path"])
    db._backend.recompute(db._backend.encoded(Change({"edge": [("n9", "n9")]}, {"edge": EDGES[:2]})))
    assert before == values and db["path"] != values and ("n9", "n9") in db["path"]


def test_one_function_decides_between_update_and_bootstrap() -> None:
    measured = Costs(bootstrap=10.0, facts=1000)
    for strategy, share, known, more, update, reason in (
        ("recompute", None, Known(1, costs=measured), {}, False, "strategy recompute starts over at every change"),
        ("elastic", 0.2, Known(1, costs=measured), {}, True, "small enough"),
        ("elastic", None, Known(10**9, costs=measured), {}, True, "any time"),
        (
            "elastic",
            0.2,
            Known(5000, lambda: 5000, measured),
            {},
            False,
            "5,000 changed facts would take 100.000 s or more, and may take 2.000 s",
        ),
        ("elastic", 0.2, Known(5000, lambda: 1, measured), {}, True, "small enough"),
        (
            "elastic",
            0.2,
            Known(5000, lambda: 1, measured),
            {"spent": 3.0},
            False,
            "abandoned after 3.000 s: starting over takes 10.000 s, of which it may take 20%",
        ),
        (
            "dred",
            None,
            Known(0, costs=measured),
            {"rules": True},
            False,
            "strategy dred starts over where rules change",
        ),
        ("elastic", 0.2, Known(0, costs=measured), {"rules": True, "failed": "Too many."}, False, "Too many."),
        ("elastic", 0.2, Known(11, asserted=100), {}, False, "11 facts change, of 100: too many"),
        ("elastic", 0.2, Known(10, asserted=100), {}, True, "any time"),
        ("elastic", 0.2, Known(None, asserted=100), {}, True, "any time"),
        (
            "elastic",
            None,
            Known(10, asserted=1, state_too_large=lambda: "It is too large."),
            {},
            False,
            "It is too large.",
        ),
        ("elastic", None, Known(starts_over="By definition."), {}, False, "By definition."),
    ):
        decision = update_or_bootstrap(strategy, share, known, **more)  # type: ignore[arg-type]
        assert decision.update == update and reason in decision.reason, reason
