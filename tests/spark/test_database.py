"""Databases on Spark: rows, changes, and where each change is evaluated, as against local databases that are told the
same."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

from ladder import Database, Program
from ladder.api.joining import joined
from ladder.api.rows import Delta
from ladder.engine.rows import HeldRows, is_plain, undictionaried
from ladder.errors import LadderError, StateError, TimedOut, Unsupported
from ladder.policy.rebuild import Decision
from ladder.spark.session import open_session
from ladder.support.limits import Limits, guarded
from ladder.support.tuning import Placing, Tuning

ROADS = """
.decl edge(x: symbol, y: symbol)
.input edge
.decl length(x: symbol, y: symbol, n: number)
.input length
.decl path(x: symbol, y: symbol)
.output path
.decl shortest(x: symbol, y: symbol, n: number)
.decl any()
.decl pair(p: Pair)
.type Pair = [a: symbol, n: number]
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
path("home", "home").
shortest(x, y, n) :- length(x, y, _), n = min m : { length(x, y, m) }.
any() :- path(_, _).
pair([x, 7]) :- edge(x, _).
"""
EDGES = [(f"n{i}", f"n{i + 1}") for i in range(8)]
LENGTHS = [("a", "b", 3), ("a", "b", 2), ("b", "c", -1)]
Make = Callable[..., Any]


@pytest.fixture(scope="module")
def program() -> Program:
    return Program.parse(ROADS)


@pytest.fixture
def make(spark: Any, program: Program) -> Iterator[Make]:
    """Makes databases on Spark, with facts, that are closed in the end."""
    made: list[Any] = []

    def database(**options: Any) -> Any:
        db = Database(program, engine="spark", **options)
        made.append(db)
        db.load_rows("edge", iter(EDGES))
        db.load_rows("length", LENGTHS)
        return db

    yield database
    for db in made:
        db.close()
    assert spark.range(3).count() == 3, "the session was stopped"


@pytest.fixture
def local(program: Program) -> Database:
    db = Database(program)
    db.bootstrap({"edge": EDGES, "length": LENGTHS})
    return db


def contents(db: Any) -> dict[str, set[tuple[Any, ...]]]:
    return {name: set(db[name]) for name in db.relations}


def states(db: Database) -> dict[str, list[Any]]:
    return {name: sorted(map(repr, db.state(name).to_pylist())) for name in db.stored_relations}


def sides(delta: Any) -> tuple[dict[str, set[Any]], dict[str, set[Any]]]:
    return {name: set(delta.inserted[name]) for name in delta.inserted}, {
        name: set(delta.deleted[name]) for name in delta.deleted
    }


def too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no state fit this machine."""
    monkeypatch.setattr("ladder.policy.placement.available_memory", lambda *_: 1000)


def test_rows_are_those_of_the_local_engine_in_every_form(make: Make, local: Database, tmp_path: Path) -> None:
    db = make()
    assert contents(db) == contents(local) and db.choice.engine == "spark" and len(db["path"]) == len(local["path"])
    for name in ("path", "shortest", "pair", "any"):
        table, expected = db[name].to_arrow(), local[name].to_arrow()
        assert table.column_names == expected.column_names
        assert sorted(map(repr, table.to_pylist())) == sorted(map(repr, expected.to_pylist()))
        assert db.frame(name).count() == len(expected)
    lines = b"".join(map(bytes, db["path"].lines(b"\t"))).decode().splitlines()
    assert sorted(lines) == sorted(b"".join(map(bytes, local["path"].lines(b"\t"))).decode().splitlines())
    db["path"].write_parquet(tmp_path / "path.parquet")
    assert sorted(map(repr, pa.parquet.read_table(tmp_path / "path.parquet").to_pylist())) == sorted(
        map(repr, db["path"].to_arrow().to_pylist())
    )
    assert sum(len(stage.iterations) for stage in db.report.stages) > 7 and db.bootstrap_seconds > 0
    with pytest.raises(KeyError):
        db["nothing"]


def test_a_small_change_is_an_update_here_and_so_are_those_after_it(make: Make, local: Database) -> None:
    db = make()
    for change in ({"insert": {"edge": [("n8", "n0")]}}, {"delete": {"edge": [EDGES[4]], "length": [("a", "b", 2)]}}):
        delta, expected = db.update(**change), local.update(**change)
        assert (delta.mode, delta.engine) == ("update", "local") and sides(delta) == sides(expected)
        assert states(db) == states(local)
    assert db.report is not None and str(db.explain("path", ("n0", "n2"))) == str(local.explain("path", ("n0", "n2")))


def test_a_large_change_is_a_bootstrap_on_spark(make: Make, local: Database) -> None:
    db = make()
    change = {"insert": {"edge": [("new", "n3"), EDGES[1]]}, "delete": {"edge": [*EDGES[2:7], ("not", "there")]}}
    delta, expected = db.update(**change), local.update(**change)
    assert (delta.mode, delta.engine) == ("bootstrap", "spark") and "8 facts change, of 11" in delta.reason
    assert sides(delta) == sides(expected) and delta.impact == expected.impact and set(delta.timings) == {"bootstrap"}
    assert contents(db) == contents(local) and states(db) == states(local)


@pytest.mark.nightly
def test_after_an_update_here_a_large_change_is_evaluated_on_spark_again(
    make: Make, local: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = make()
    for database in (db, local):
        database.update(insert={"edge": [("x", "y")]})
    change = {"delete": {"edge": EDGES[2:8]}, "insert": {"length": [("b", "c", -5)]}}
    expected = local.update(**change)
    monkeypatch.setattr(
        "ladder.api.database.update_or_bootstrap", lambda *_, **__: Decision(False, "It would take too long.")
    )
    delta = db.update(**change)
    assert (delta.mode, delta.engine, delta.reason) == ("bootstrap", "spark", "It would take too long.")
    assert sides(delta) == sides(expected) and contents(db) == contents(local) and states(db) == states(local)


def test_a_state_that_does_not_fit_stays_on_spark(make: Make, local: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    too_small(monkeypatch)
    db, change = make(), {"insert": {"edge": [("a", "n0")]}}
    delta, expected = db.update(**change), local.update(**change)
    assert (delta.mode, delta.engine) == ("bootstrap", "spark") and "of memory here, and there are 1000" in delta.reason
    assert sides(delta) == sides(expected) and contents(db) == contents(local)
    with pytest.raises(LadderError, match="The state takes some .* of memory here"):
        db.explain("path", ("a", "n0"))
    with pytest.raises(LadderError, match="of memory here"):
        db.add_rules("path(x, x) :- edge(x, _).")
    assert contents(db) == contents(local)


@pytest.mark.nightly
def test_facts_are_replaced(make: Make, local: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    db, facts = make(), {"edge": EDGES[3:]}
    delta, expected = db.replace_facts(facts), local.replace_facts(facts)
    assert delta.engine == "local" and sides(delta) == sides(expected) and states(db) == states(local)
    too_small(monkeypatch)
    far, facts = make(), {"length": [("a", "b", 9)], "edge": EDGES[3:]}
    assert far.replace_facts(iter(facts.items())).engine == "spark"
    local.replace_facts(facts)
    assert contents(far) == contents(local)


@pytest.mark.nightly
def test_recompute_always_starts_over_on_spark(make: Make, local: Database) -> None:
    db = make(strategy="recompute")
    for change in ({"insert": {"edge": [("a", "n0")]}}, {"delete": {"edge": [("a", "n0")]}}):
        delta, expected = db.update(**change), local.update(**change)
        assert delta.engine == "spark" and "recompute" in delta.reason and sides(delta) == sides(expected)


def test_the_second_of_two_writers_is_told(make: Make, program: Program, tmp_path: Path) -> None:
    """As of local databases: what somebody else has saved meanwhile stands, and is not taken for what this
    one saved."""
    db, folder = make(switch=None), tmp_path / "state"
    db.save(folder, "ours")
    somebody = Database.open(folder, program)
    somebody.update(insert={"edge": [("theirs", "n0")]})
    somebody.save(folder, "theirs")
    for _ in range(2):  # on Spark, and after the state was brought here, as db saved it
        with pytest.raises(StateError, match="was saved by somebody else since") as error:
            db.save(folder, "ours again")
        assert "Open it again" in str(error.value)
        assert Database.open(folder, program).note == "theirs"
        db.update(insert={"edge": [("ours", "n0")]})
        assert ("ours", "n8") in set(db["path"]) and ("theirs", "n0") not in set(db["path"])
    db.save(tmp_path / "elsewhere")
    assert ("ours", "n8") in set(Database.open(tmp_path / "elsewhere", program)["path"])
    assert sorted(path.name for path in folder.glob("tables-*")) == []


def test_a_state_is_saved_and_opened_by_either_engine(
    make: Make, local: Database, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = make()
    db.save(tmp_path / "state", "a note")
    opened = Database.open(tmp_path / "state", program)
    assert opened.note == "a note" and states(opened) == states(local)
    assert db.update(insert={"edge": [("z", "n0")]}).engine == "local", "what was saved is opened, not exported again"
    db.save(tmp_path / "state")
    again = Database.open(tmp_path / "state", program, engine="spark")
    local.update(insert={"edge": [("z", "n0")]})
    assert states(again) == states(local)
    local.update(delete={"edge": EDGES[3:7]})
    monkeypatch.setattr("ladder.api.database.update_or_bootstrap", lambda *_, **__: Decision(False, "Too much."))
    again.update(delete={"edge": EDGES[3:7]})
    assert again.report is not None and states(again) == states(local)


@pytest.mark.nightly
def test_rules_are_changed_here(make: Make, local: Database) -> None:
    db, rule = make(), "path(x, x) :- edge(x, _)."
    for change in ("add_rules", "remove_rules"):
        delta, expected = getattr(db, change)(rule), getattr(local, change)(rule)
        assert delta.engine == "local" and sides(delta) == sides(expected) and states(db) == states(local)


def test_auto_takes_spark_where_the_facts_may_not_fit(
    spark: Any, program: Program, local: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "edge.facts").write_text("".join(f"{x}\t{y}\n" for x, y in EDGES))
    (tmp_path / "length.facts").write_text("".join("\t".join(map(str, row)) + "\n" for row in LENGTHS))
    for per_fact, lacking, engine, reason in (
        (1, "", "local", "evaluated here"),
        (1 << 40, "", "spark", "evaluated on Spark"),
        (1 << 40, "no Java runtime was found.", "local", "but Spark cannot run: no Java"),
    ):
        monkeypatch.setattr("ladder.spark.java.lacking", lambda *_, lacking=lacking: lacking)
        tuning = Tuning(placing=Placing(per_fact=per_fact))
        db: Any = Database(program, engine="auto", tuning=tuning)
        db.load(tmp_path)
        assert contents(db) == contents(local) and db.choice.engine == engine and reason in db.choice.reason
        db.close()


def test_facts_of_a_frame_of_spark_are_taken(spark: Any, program: Program) -> None:
    db = Database(program, engine="spark", spark=spark)
    db.load_rows("edge", spark.createDataFrame([("a", "b"), ("b", "é☃")], "x STRING, y STRING"))
    db.load_rows("length", lambda session: session.createDataFrame([("a", "b", 1)], "x STRING, y STRING, n INT"))
    assert ("a", "é☃") in set(db["path"]) and set(db["shortest"]) == {("a", "b", 1)}


def test_columns_are_told_by_their_names(spark: Any, program: Program) -> None:
    db = Database(program, engine="spark", spark=spark)
    db.load_rows("edge", spark.createDataFrame([("b", "a")], "y STRING, x STRING"))
    db.load_rows("edge", spark.createDataFrame([("c", "d")]))
    db.load_rows("edge", pa.table({"y": ["f"], "x": ["e"]}))
    db.load_rows("edge", pa.table({"y": ["h"], "x": ["g"]}).to_reader())
    db.load_rows("edge", [{"y": "j", "x": "i"}])
    db.load_rows("length", spark.createDataFrame([(1, "b", "a")], "n INT, y STRING, x STRING"))
    db.load_rows("pair", spark.createDataFrame([((4, "t"),)], "p STRUCT<n: INT, a: STRING>"))
    expected = {("a", "b"), ("c", "d"), ("e", "f"), ("g", "h"), ("i", "j")}
    assert set(db["edge"]) == expected and set(db["shortest"]) == {("a", "b", 1)} and (("t", 4),) in set(db["pair"])
    assert {"y": "b", "x": "a"} in db["edge"]
    for wrong in (
        spark.createDataFrame([("b", "a")], "y STRING, X STRING"),
        pa.table({"x": ["a"], "z": ["b"]}),
        [{"x": "a"}],
    ):
        with pytest.raises(LadderError, match="edge has the columns x, y, but is given"):
            db.update(insert={"edge": wrong})
    assert set(db["edge"]) == expected
    local = Database(program)
    local.load_rows("edge", spark.createDataFrame([("b", "a")], "y STRING, x STRING"))
    assert set(local["edge"]) == {("a", "b")}


def test_what_does_not_fit_is_refused_and_the_state_stands(make: Make, spark: Any, program: Program) -> None:
    with pytest.raises(Unsupported, match="The spark engine has no strategy counting"):
        Database(program, "counting", engine="spark")
    with pytest.raises(LadderError, match="spark.ladder.seed=x is not a number"):
        Database(program, engine="spark", spark_conf={"spark.ladder.seed": "x"})
    db = make()
    with pytest.raises(LadderError, match="no relation nothing"):
        db.load_rows("nothing", [(1,)])
    before = contents(db)
    with pytest.raises(LadderError):
        db.update(insert={"edge": [(1, 2, 3)] * 100})
    assert contents(db) == before


def test_limits_and_interrupts_cancel_what_runs(make: Make, spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TimedOut, match="0.5 s"):
        make(limits=Limits(seconds=0.5))["path"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(1.5, signal.raise_signal, (signal.SIGINT,)).start()
        with pytest.raises(KeyboardInterrupt):
            make()["path"]
    finally:
        signal.signal(signal.SIGINT, before)
    assert not spark.sparkContext.statusTracker().getActiveJobsIds()


def test_a_limit_interrupts_what_spark_is_asked(spark: Any) -> None:
    """The connection on which an answer is still to come is closed: what is released on the way out would wait for the
    answer."""
    began = time.monotonic()
    with pytest.raises(TimedOut), guarded(Limits(seconds=1), again=3600), open_session():
        spark.range(1 << 45).selectExpr("sum(id * id % 7)").collect()
    while spark.sparkContext.statusTracker().getActiveJobsIds():  # it takes a moment until a task is stopped
        assert time.monotonic() - began < 60


@pytest.mark.nightly
def test_random_changes_end_in_the_state_of_the_local_engine(
    make: Make, local: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, db = random.Random(5), make()
    nodes = [f"n{i}" for i in range(9)]
    for step in range(4):
        monkeypatch.setattr(
            "ladder.policy.placement.available_memory", lambda *_, step=step: 1 if step < 2 else 1 << 40
        )
        change = {
            "insert": {"edge": [(rng.choice(nodes), rng.choice(nodes)) for _ in range(4)]},
            "delete": {"edge": rng.sample(EDGES, 2)},
        }
        delta, expected = db.update(**change), local.update(**change)
        assert sides(delta) == sides(expected) and contents(db) == contents(local)
    assert states(db) == states(local)


def there(delta: Delta) -> Delta:
    """A delta as another engine than the local one hands it out."""
    came, went = (
        {name: HeldRows(delta.program, name, held(rows)) for name, rows in side.items()}
        for side in (delta.inserted, delta.deleted)
    )
    return Delta(delta.program, came, went, delta.work)


def held(rows: Any) -> Any:
    """As a table, of a relation that has no columns but plain ones."""
    return undictionaried(rows.to_arrow()) if is_plain(rows.columns) else list(rows)


def test_changes_that_were_made_in_two_places_are_joined(local: Database) -> None:
    twice = [
        local.update(insert={"edge": [("p", "q")]}, delete={"edge": EDGES[:2]}),
        local.update(insert={"edge": EDGES[1:2]}, delete={"edge": [("p", "q"), EDGES[4]]}),
    ]
    for first, second in ((there(twice[0]), twice[1]), (twice[0], there(twice[1])), (there(twice[0]), there(twice[1]))):
        found = joined(first, second)
        assert sides(found) == sides(joined(*twice)) and found.impact == joined(*twice).impact
        alike(found, joined(*twice))


def alike(found: Delta, expected: Delta) -> None:
    """Whatever a user asks of two deltas has the same answer."""
    assert (bool(found), found.impact) == (bool(expected), expected.impact) and repr(found).endswith(
        f"{expected.impact} rows came or went>"
    )
    for one, other in ((found.inserted, expected.inserted), (found.deleted, expected.deleted)):
        assert set(one) == set(other) and len(one) == len(other) and "nothing" not in one and one.get("nothing") is None
        with pytest.raises(KeyError):
            one["nothing"]
        for name in found.program.declared:
            assert (name in one) == (name in other)
            rows_alike(one[name], other[name])


def rows_alike(rows: Any, expected: Any) -> None:
    """Whatever a user asks of rows has the same answer, wherever they are."""
    values = list(expected)
    assert (
        len(rows) == len(expected)
        and bool(rows) == bool(expected)
        and rows.relation == expected.relation
        and rows.column_names == expected.column_names
    )
    assert set(rows) == set(values) and f"{len(values)} rows of {rows.relation}" in repr(rows)
    assert all(row in rows for row in values) and ("not", "there") not in rows and 1 not in rows
    for asked in (lambda of: ["a"] in of, lambda of: of[0]):
        with pytest.raises(TypeError):
            asked(rows)
        with pytest.raises(TypeError):
            asked(expected)
    table, other = rows.to_arrow(), expected.to_arrow()
    assert table.schema == other.schema and table.num_rows == other.num_rows
    assert sorted(map(repr, table.to_pylist())) == sorted(map(repr, other.to_pylist()))
    assert sum(part.num_rows for part in rows.tables()) == other.num_rows
    frame, wanted = rows.to_pandas(), expected.to_pandas()
    assert (
        list(frame.columns) == list(wanted.columns)
        and list(frame.dtypes.map(str)) == list(wanted.dtypes.map(str))
        and len(frame) == len(wanted)
    )
    if other.num_columns and rows.relation != "pair":
        lines, others = (sorted(b"".join(map(bytes, of.lines(b"\t"))).splitlines()) for of in (rows, expected))
        assert lines == others


@pytest.mark.nightly
def test_rows_and_changes_answer_as_those_of_the_local_engine(
    make: Make, local: Database, spark: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    db, earlier = make(), leaves_of(spark)
    before = {name: db[name] for name in db.relations}
    for name in db.relations:
        rows_alike(db[name], local[name])
        db[name].write_parquet(tmp_path / name) if local._core.relations[name].columns else None
    too_small(monkeypatch)
    steps: list[dict[str, Any]] = [
        {"delete": {"edge": EDGES[4:]}},
        {"insert": {"edge": [("a", "n0")]}},
        {"insert": {"edge": EDGES[:1]}},
    ]
    made = [(db.update(**change), local.update(**change)) for change in steps]
    for found, expected in made:  # after all of them: what a change was does not depend on what came later
        assert found.engine == "spark"
        alike(found, expected)
    alike(joined(made[0][0], made[1][0]), joined(made[0][1], made[1][1]))
    assert set(before["path"]) > set(db["path"]) - {("a", f"n{i}") for i in range(9)}, (
        "rows that were handed out stay what they were"
    )
    del found, before, made
    session_holds_one_state(db, earlier)
    kept = db["path"]
    db.close()
    with pytest.raises(LadderError, match="went when the database was closed"):
        list(kept)


def leaves_of(spark: Any) -> set[str]:
    """Names of what a session holds of states."""
    return {table.name for table in spark.catalog.listTables() if table.name.startswith("ladder_run_")}


def session_holds_one_state(db: Any, earlier: set[str]) -> None:
    """What nobody can read any more is given back; `earlier`: what databases that were not closed have left."""
    import gc

    gc.collect()
    with db._remote.runs.session() as spark:
        runs = {run.name for store in db._remote.on_spark.stores.values() for run in store.window()}
        views = leaves_of(spark) - earlier
    assert not db._remote.runs._left and runs >= views
