"""Why joins of values that are objects are asked of Python workers: a fold against the same join as SQL over canonical bytes."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

from ladder.bench import live
from ladder.bench.report import Section
from ladder.bench.spark.run import LIMIT, SparkBench
from ladder.bench.spark.sides import TWO
from ladder.lattices.interval import THRESHOLDS

TITLE = "Folds: a join in Python workers, and in SQL"
GROUP = 10                                            # values of a group, on average
TIMES = 3
HEAD, INTEGER = "X'fe5400000002'", "X'69'"            # canonical bytes of a pair of numbers begin so, and each number of 8 bytes
LOW, HIGH = (f"CAST(conv(hex(substring(x, {place}, 8)), 16, -10) AS BIGINT)" for place in (8, 17))


def run(bench: SparkBench, section: Section) -> None:
    rows = bench.size(100_000, 1_000_000)
    section.notes.append(f"Hulls of intervals that widen, {rows:,} values in groups of {GROUP}: values are objects, whose bytes SQL takes apart and puts together again.")
    measured = bench.measure(hulls, LIMIT, rows=rows, master=TWO.master, conf=TWO.conf)
    found = measured.last
    table = section.table("values", "groups", "fold s", "SQL s", "SQL ÷ fold", "same values")
    if not found:
        section.notes.append(f"Not measured: {measured.failure}")
        return
    table.add(rows, rows // GROUP, found["fold"], found["sql"], found["sql"] / found["fold"], "yes" if found["same"] else "**no**")


def hulls(rows: int, master: str | None, conf: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Seconds (median) of both ways, and whether they give the same; `master` None: the session of the process."""
    from ladder.spark.session import open_session

    with open_session(master=master, conf=dict(conf)) as spark:
        low, high = "CAST(hash(id) % 1000 AS BIGINT)", "CAST(hash(id) % 1000 + pmod(hash(id, 1), 50) AS BIGINT)"
        made = f"SELECT id % {rows // GROUP} AS k, {_pair(low, high)} AS x FROM range({rows})"
        given = spark.sql(f"SELECT 1 AS t, k, k AS c0, xxhash64(x) AS v, x, 1 AS f, 0 AS s FROM ({made})").repartition(2, "k").cache()
        given.createOrReplaceTempView("ladder_values")
        given.count()
        ways = {"fold": _folded, "sql": _joined}
        seconds: dict[str, list[float]] = {way: [] for way in ways}
        sums = {}
        for _ in range(TIMES):
            for way, query in ways.items():
                clock = live.Clock()
                sums[way] = tuple(query(spark).selectExpr("count(*)", "sum(xxhash64(k, x) >> 16)").first())
                seconds[way].append(clock.lap()["wall"])
        yield {way: median(spent) for way, spent in seconds.items()} | {"same": sums["fold"] == sums["sql"]}


def _folded(spark: Any) -> Any:
    from ladder.engine.spark.folds import Fold, Folding, on_workers
    from ladder.engine.spark.layout import TEXTS
    from ladder.engine.spark.shipping import Shipped
    from ladder.language.core import Kind, Type
    from ladder.lattices.interval import Widened

    type_ = Type("interval", Kind.OBJECT)
    folding = Folding({1: Fold("interval", Widened().widen, type_, 1)}, 1, 2, {TEXTS: 2}, {type_.name: type_})
    ordered = spark.table("ladder_values").sortWithinPartitions("t", "k", "c0", "s", "v")
    return ordered.mapInArrow(on_workers(Shipped(folding)), folding.schema_out()).where("t = 1").selectExpr("c0 AS k", "x")


def _joined(spark: Any) -> Any:
    apart = f"SELECT k, {LOW} AS low, {HIGH} AS high FROM ladder_values"
    hull = f"SELECT k, min(low) AS low, max(high) AS high, min(low) = max(low) AND min(high) = max(high) AS alone FROM ({apart}) GROUP BY k"
    thresholds = f"array({', '.join(f'{number}L' for number in THRESHOLDS)})"
    low, high = f"array_max(filter({thresholds}, n -> n <= low))", f"array_min(filter({thresholds}, n -> n >= high))"
    widened = f"SELECT k, IF(alone, low, {low}) AS low, IF(alone, high, {high}) AS high FROM ({hull})"
    return spark.sql(f"SELECT k, {_pair('low', 'high')} AS x FROM ({widened})")


def _pair(low: str, high: str) -> str:
    """SQL of the canonical bytes of a pair of numbers."""
    return f"concat({HEAD}, {', '.join(f'{INTEGER}, unhex(lpad(hex({n}), 16, {chr(39)}0{chr(39)}))' for n in (low, high))})"
