"""What relies on Spark's own classes, against the version that is installed: runs, unions, plans without shuffles of
big sides, figures."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.spark.engine import SparkEngine
from ladder.engine.spark.facts.sources import Facts
from ladder.engine.spark.layout import Layout
from ladder.engine.spark.materialised import Materialiser, Store, replicated
from ladder.language.compile import compile_program
from ladder.plan.steps import Window
from ladder.spark import internals
from ladder.support.tuning import DEFAULT, Distributing, Tuning

from ..engine.comparison import state_of as local_state
from .comparison import spark_evaluator

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


POINTS_TO = """
.decl new(v: number, o: number)
.decl assign(v: number, w: number)
.decl load(v: number, y: number, f: number)
.decl store(p: number, f: number, q: number)
.decl vpt(v: number, o: number)
.input new, assign, load, store
vpt(v, o) :- new(v, o).
vpt(v, o) :- assign(v, w), vpt(w, o).
vpt(v, o) :- load(v, y, f), store(p, f, q), vpt(q, o), vpt(p, b), vpt(y, b).
"""


def level(spark: SparkSession) -> Any:
    from pyspark import StorageLevel

    return StorageLevel(True, True, False, True, 1)


def cut(spark: SparkSession, rows: int, step: int = 1) -> DataFrame:
    frame = spark.sql(
        "SELECT /*+ REPARTITION(2, part) */ id AS part, id % 7 AS c0, CAST(NULL AS BINARY) AS x FROM "
        f"range(0, {rows * step}, {step})"
    )
    return internals.materialise(frame, 2, level(spark))


@pytest.fixture
def views(spark: SparkSession) -> Iterator[dict[str, DataFrame]]:
    """Leaves big_1, big_2 and small."""
    frames = {"big_1": cut(spark, 1000), "big_2": cut(spark, 500, 3), "small": cut(spark, 10)}
    for name, frame in frames.items():
        frame.createOrReplaceTempView(name)
    yield frames
    for name, frame in frames.items():
        spark.catalog.dropTempView(name)
        internals.release(frame)


def plan_of(spark: SparkSession, sql: str) -> str:
    return internals.executed_plan(spark.sql(sql))


def test_a_leaf_is_joined_without_a_shuffle(spark: SparkSession, views: dict[str, DataFrame]) -> None:
    join = "SELECT /*+ SHUFFLE_HASH(s) */ b.c0 FROM small s JOIN big_1 b ON b.part = s.part"
    assert "Exchange" not in plan_of(spark, join)
    assert "ShuffledHashJoin" in plan_of(spark, join) and "BuildLeft" in plan_of(spark, join)
    assert spark.sql(join).count() == 10


def test_a_union_of_leaves_keeps_its_partitioning_under_another_name(
    spark: SparkSession, views: dict[str, DataFrame]
) -> None:
    both = "(SELECT part AS k, c0 FROM big_1 UNION ALL SELECT part AS k, c0 FROM big_2)"
    assert "Exchange" not in plan_of(
        spark, f"SELECT /*+ SHUFFLE_HASH(s) */ b.c0 FROM small s JOIN {both} b ON b.k = s.part"
    )
    assert "Exchange" not in plan_of(
        spark,
        f"SELECT /*+ SHUFFLE_HASH(s) */ s.c0 FROM small s LEFT JOIN {both} b ON b.k = s.part AND b.c0 = s.c0 WHERE "
        "b.k IS NULL",
    )


def test_united_leaves_are_one_scan(spark: SparkSession, views: dict[str, DataFrame]) -> None:
    united = internals.united([views["big_1"], views["big_2"]], 2)
    united.createOrReplaceTempView("both")
    assert spark.table("both").count() == 1500
    plan = plan_of(spark, "SELECT /*+ SHUFFLE_HASH(s) */ b.c0 FROM small s JOIN both b ON b.part = s.part")
    assert "Exchange" not in plan and plan.count("Scan ExistingRDD") == 2
    assert spark.sql("SELECT b.c0 FROM small s JOIN both b ON b.part = s.part").count() == 14
    spark.catalog.dropTempView("both")


def test_what_the_planner_knows_to_be_empty_is_a_leaf(spark: SparkSession) -> None:
    empty = internals.materialise(spark.sql("SELECT 1L AS part WHERE false"), 2, level(spark))
    assert empty._jdf.rdd().getNumPartitions() == 2 and empty.collect() == []


def test_a_leaf_with_other_partitions_is_refused(spark: SparkSession) -> None:
    with pytest.raises(AssertionError, match="3 partitions instead of 2"):
        internals.partitioned(spark.sql("SELECT id AS part FROM range(0, 9, 1, 3)").localCheckpoint(True), 2)


def test_branches_of_a_union_share_tasks(spark: SparkSession, views: dict[str, DataFrame]) -> None:
    branches = " UNION ALL ".join(f"SELECT {n} AS n, c0 FROM big_1 WHERE c0 = {n}" for n in range(5))
    frame = spark.sql(branches)
    one = internals.gathered(frame, 2, lambda count: [range(count)])
    two = internals.gathered(frame, 2, lambda count: [(0, 3), (1, 2, 4)])
    assert (frame.rdd.getNumPartitions(), one.rdd.getNumPartitions(), two.rdd.getNumPartitions()) == (10, 2, 4)
    assert sorted(map(tuple, one.collect())) == sorted(map(tuple, two.collect())) == sorted(map(tuple, frame.collect()))


def test_rows_are_given_back(spark: SparkSession) -> None:
    context = spark.sparkContext._jsc.sc()
    before = context.getPersistentRDDs().size()
    frame = cut(spark, 100)
    assert context.getPersistentRDDs().size() == before + 1
    internals.release(frame)
    assert context.getPersistentRDDs().size() == before


def test_figures_of_a_job(spark: SparkSession, views: dict[str, DataFrame]) -> None:
    with internals.tagged(spark, "figures-of-a-job"):
        spark.sql("SELECT c0, count(*) FROM big_1 GROUP BY c0").collect()
    found = internals.figures(spark, "figures-of-a-job")
    assert (found.jobs, found.stages, found.tasks_failed, found.spilled) == (1, 2, 0, 0)
    assert found.shuffle_written == found.shuffle_read > 0
    assert internals.figures(spark, "nothing-ran").jobs == 0


def nodes(plan: Any) -> Iterator[Any]:
    """A physical plan's operators, from the top; what generated code hides, too."""
    yield plan
    children = plan.children()
    for i in range(children.size()):
        yield from nodes(children.apply(i))


def kind(node: Any) -> str:
    return str(node.getClass().getSimpleName())


def test_iterations_shuffle_no_big_side(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash tables are built of the delta's side, and nothing is exchanged on the way to the other."""
    joins: list[Any] = []

    def note(frame: DataFrame) -> None:
        joins.extend(node for node in nodes(frame._jdf.queryExecution().executedPlan()) if "Join" in kind(node))

    materialise, gathered = Materialiser.materialise, internals.gathered
    monkeypatch.setattr(
        Materialiser, "materialise", lambda self, frame, *rest: (note(frame), materialise(self, frame, *rest))[1]
    )
    monkeypatch.setattr(internals, "gathered", lambda frame, *rest: (note(frame), gathered(frame, *rest))[1])
    program = compile_program(POINTS_TO).core
    given = Facts(program, spark)
    for name, rows in {
        "new": [(0, 0), (5, 1)],
        "assign": [(i + 1, i) for i in range(4)],
        "load": [(20, 3, 0), (3, 20, 0)],
        "store": [(3, 0, 1), (7, 0, 20)],
    }.items():
        given.add(name, rows)
    SparkEngine(program, spark).bootstrap(given.cells()).release()
    assert len(joins) > 20
    for join in joins:
        assert kind(join) == "ShuffledHashJoinExec" and str(join.buildSide()) == "BuildLeft", join.toString()
        assert not any("Exchange" in kind(node) for node in nodes(join.children().apply(1))), join.toString()


@pytest.mark.parametrize("small", [False, True])
def test_leaves_are_merged_taken_apart_and_spread_anew(spark: SparkSession, small: bool) -> None:
    as_if_many = Distributing(
        own_run=10, most_runs=2, replanned_rows=10, replanned_growth=2, measured_rows=3, rows_together=5
    )
    tuning = Tuning(distributing=as_if_many) if small else DEFAULT
    program = compile_program(POINTS_TO).core
    facts = {
        "new": [(0, 0), (5, 1)],
        "assign": [(i + 1, i) for i in range(9)],
        "load": [(20, 3, 0), (3, 20, 0)],
        "store": [(3, 0, 1), (7, 0, 20)],
    }
    engine = LocalEngine(program)
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items()})
    assert spark_evaluator(spark, tuning=tuning)(program, facts) == local_state(engine)


def test_relations_that_stages_share_are_read_in_one_scan(spark: SparkSession) -> None:
    """Rows of a relation that several stages add to lie in a run of their own at the end of each, and are no longer
    seen where they were."""
    materialiser = Materialiser(spark, 2, level(spark))
    done: list[Store] = []

    def stage(number: int, columns: str) -> Store:
        store = Store(materialiser, Layout.of({"own": 1 + number, "shared": 2}, {}), {"shared": tuple(done)})
        for first in (0, 10):
            rows = [
                store.layout.row("own", [f"{number}L"] * (1 + number)),
                store.layout.row("shared", [f"{number}L", f"{first}L"]),
            ]
            frame, found = materialiser.frame(
                f"SELECT t, k AS part, {columns}, n, f FROM "
                f"({materialiser.spread(' UNION ALL '.join(f'SELECT {row}' for row in rows))})",
                store.layout.metrics(),
            )
            store.advance(
                materialiser.materialise(frame, lambda store=store, found=found: store.layout.counted(found()))
            )
        return store

    for number in range(4):
        store = stage(number, ", ".join(Layout.cells(max(1 + number, 2))))
        view = store.view("shared")
        assert (
            view is not None
            and view.rows == store.rows("shared") == 2 * (1 + number)
            and view.sql.count("UNION ALL") == min(number, 1)
        )
        assert sorted(map(tuple, spark.sql(f"SELECT k, c0, c1 FROM {view.sql}").collect())) == [
            (stage_, stage_, first) for stage_ in range(number + 1) for first in (0, 10)
        ]
        store.settle()
        assert store.rows("own") == 2 and spark.sql(f"SELECT * FROM {store.total(['own'])}").count() == 2
        assert spark.sql(f"SELECT * FROM {store.total()}").count() == 4
        done.append(store)
    for store in done:
        store.release()


def test_a_store_keeps_its_rows(spark: SparkSession) -> None:
    """Whatever happens to runs, a view has the rows of its window, spread by its key."""
    materialiser = Materialiser(spark, 2, level(spark))
    store = Store(materialiser, Layout.of({"a": 2, "b": 1}, {"a": [(0,), (1,)], "b": [(0,)]}))

    def add(first: int) -> None:
        rows = [store.layout.row("a", [f"{first + i}L", f"{i}L"]) for i in range(3)] + [
            store.layout.row("b", [f"{first}L"])
        ]
        spread = materialiser.spread(" UNION ALL ".join(f"SELECT {row}" for row in rows))
        copies = replicated(f"SELECT t, k AS part, c0, c1, n, f FROM ({spread})", store.layout, 2)
        frame, found = materialiser.frame(copies, store.layout.metrics())
        store.advance(materialiser.materialise(frame, lambda: store.layout.counted(found())))

    for first in range(0, 90, 10):
        add(first)
        store.merge()
    expected = {(first + i, i) for first in range(0, 90, 10) for i in range(3)}
    store.respread({"a": [(0, 1)]})
    assert [replica.key for replica in store.layout.replicas_of("a")] == [(0,), (0, 1)]
    for columns in ((0,), (0, 1), None):
        view = store.view("a", columns=columns)
        assert view is not None and view.rows == 27
        assert sorted(map(tuple, spark.sql(f"SELECT c0, c1 FROM {view.sql}").collect())) == sorted(expected)
    delta = store.view("a", Window.DELTA, (0, 1))
    assert delta is not None and {tuple(row) for row in spark.sql(f"SELECT c0, c1 FROM {delta.sql}").collect()} == {
        (80 + i, i) for i in range(3)
    }
    store.settle()
    assert store.rows("a") == 27 and store.rows("b") == 9
    store.release()


# ---- the names of pyspark that are relied on, and where

FENCE = Path(internals.__file__)
# owner → names: of the module that starts JVMs, of classes, of a session and of what it consists of
RELIED_ON = {
    "java_gateway": "Popen",
    "SparkContext": "_active_spark_context _gateway _jvm",
    "SparkSession": "_instantiatedSession",
    "session": "_jsparkSession _jvm",
    "context": "_gateway _jsc",
    "gateway": "_gateway_client proc shutdown",
    "frame": "_jdf",
    "error": "_cause _desc _stackTrace",
}
NAMED = sorted({name for names in RELIED_ON.values() for name in names.split() if name.startswith("_")})
PRIVATE = re.compile(rf"({'|'.join(NAMED)}|_j[a-z]{{2,}}|_jvm)")


def test_private_names_of_pyspark_exist(spark: SparkSession) -> None:
    import pyspark
    from pyspark import SparkContext, java_gateway
    from pyspark.sql import SparkSession

    with pytest.raises(pyspark.errors.AnalysisException) as raised:
        spark.sql("SELECT a column that is not there")
    owners = {
        "java_gateway": java_gateway,
        "SparkContext": SparkContext,
        "SparkSession": SparkSession,
        "session": spark,
        "context": spark.sparkContext,
        "gateway": SparkContext._gateway,
        "frame": spark.range(1),
        "error": raised.value,
    }
    missing = [
        f"{owner}.{name}"
        for owner, names in RELIED_ON.items()
        for name in names.split()
        if not hasattr(owners[owner], name)
    ]
    assert not missing, (
        f"pyspark {pyspark.__version__} lacks {missing}: adapt {FENCE.name} before pyproject.toml's bound is raised"
    )


def test_one_module_alone_uses_private_names_of_pyspark() -> None:
    """What looks like one of pyspark's private names, on anything but an object of our own (`self`), stands in
    `internals`."""
    found = {
        f"{path.relative_to(FENCE.parents[1])}:{node.lineno}: .{node.attr}"
        for path in FENCE.parents[1].rglob("*.py")
        if path != FENCE and re.search(r"spark", path.read_text())
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and PRIVATE.fullmatch(node.attr)
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
    }
    assert not found
    used = {
        node.attr
        for node in ast.walk(ast.parse(FENCE.read_text()))
        if isinstance(node, ast.Attribute) and re.match("_[a-z]", node.attr)
    }
    assert used <= {name for names in RELIED_ON.values() for name in names.split()}


def test_a_start_that_fails_leaves_pyspark_as_it_was() -> None:
    from pyspark import java_gateway

    usual = java_gateway.Popen
    with pytest.raises(KeyboardInterrupt), internals.starting(lambda options: {**options, "cwd": "/"}) as started:
        java_gateway.Popen([sys.executable, "-c", "import os; print(os.getcwd())"], stdout=subprocess.PIPE)
        assert started[0].communicate()[0] == b"/\n" and started[0].returncode == 0
        raise KeyboardInterrupt
    assert java_gateway.Popen is usual
