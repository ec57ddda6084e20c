"""Joins of values that are objects: a fold in Python workers against SQL over canonical bytes, by lattice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from statistics import median
from typing import Any

from ladder.engine.spark.lattices.lattice_sql import SqlJoin
from ladder.engine.spark.lattices.set_forms import set_of
from ladder.engine.spark.values.canonical_sql import eight_bytes, four_bytes, long_at
from ladder_bench import live
from ladder_bench.report import Section
from ladder_bench.spark.run import LIMIT, SparkBench
from ladder_bench.spark.sides import TWO

TITLE = "Folds: joins in Python workers, and in SQL"
GROUP = 10  # values of a group, on average
TIMES = 3
SOME = "CAST(pmod(hash(id), 1000) AS BIGINT)"
LATTICES = (
    "intervals that widen",
    "sets of numbers",
    "sets of texts, at most 5",
    "products",
    "products with constants and sets",
    "pairs by priority",
    "maps of 3 keys",
    "sets of 1,000 texts",
    "congruences",
)
LARGE = {"sets of 1,000 texts": 1000}  # parts of each value, of which there are fewer


def run(bench: SparkBench, section: Section) -> None:
    rows = bench.size(100_000, 1_000_000)
    section.notes.append(
        f"{rows:,} values in groups of {GROUP}, or so many elements: SQL takes their bytes apart and puts those of "
        "the totals together again. Congruences "
        "are folded: Spark has no greatest common divisor, and higher-order functions that make one are slower."
    )
    table = section.table("lattice", "values", "groups", "fold s", "SQL s", "SQL ÷ fold", "same values")
    for name in LATTICES:
        values = rows // LARGE.get(name, 1)
        measured = bench.measure(joins, LIMIT, lattice=name, rows=values, master=TWO.master, conf=TWO.conf)
        found = measured.last
        if found:
            table.add(
                name,
                values,
                values // GROUP,
                found["fold"],
                found["sql"],
                found["sql"] / found["fold"],
                "yes" if found["same"] else "**no**",
            )
        else:
            section.notes.append(f"{name}: not measured: {measured.failure}")


def joins(lattice: str, rows: int, master: str | None, conf: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Seconds (median) of both ways, and whether they give the same; `master` None: the session of the process."""
    from ladder.engine.spark.lattices.lattice_bytes import join_of_bytes
    from ladder.spark.session import open_session

    values, of = _values(lattice)
    join = join_of_bytes(lattice, of)
    with open_session(master=master, conf=dict(conf)) as spark:
        made = f"SELECT id % {rows // GROUP} AS k, {values} AS x FROM range({rows})"
        given = (
            spark.sql(f"SELECT 1 AS t, k, k AS c0, xxhash64(x) AS v, x, 1 AS f, 0 AS s FROM ({made})")
            .repartition(2, "k")
            .cache()
        )
        given.createOrReplaceTempView("ladder_values")
        given.count()
        joined = _congruences() if join is None else _joined(join)
        ways: dict[str, Callable[[], Any]] = {"fold": lambda: _folded(spark, of), "sql": lambda: spark.sql(joined)}
        seconds: dict[str, list[float]] = {way: [] for way in ways}
        sums = {}
        for _ in range(TIMES):
            for way, query in ways.items():
                clock = live.Clock()
                sums[way] = tuple(query().selectExpr("count(*)", "sum(xxhash64(k, x) >> 16)").first())
                seconds[way].append(clock.lap()["wall"])
        yield {way: median(spent) for way, spent in seconds.items()} | {"same": sums["fold"] == sums["sql"]}


def _values(lattice: str) -> tuple[str, Any]:
    """SQL of the bytes of a row's value, and the lattice."""
    from ladder.lattices import (
        Widening,
        boolean,
        congruence,
        flat,
        interval,
        k_set,
        lexicographic,
        maximum,
        pointwise,
        powerset,
        product,
        sign,
    )

    pair = _pair(SOME, f"{SOME} + pmod(hash(id, 1), 50)")
    text = f"encode(concat('heap/object/', {SOME}), 'utf-8')"
    elements = (
        f"transform(sequence({SOME}, {SOME} + 999), e -> concat('s', CAST(X'00000011' AS STRING), "
        "'heap/object/', lpad(e, 5, '0')))"
    )
    return {
        "intervals that widen": (f"concat(X'fe', {pair})", Widening(interval())),
        "sets of numbers": (f"concat(X'fe4600000001', {_integer(SOME)})", powerset),
        "sets of texts, at most 5": (f"concat(X'fe460000000173', {four_bytes(f'length({text})')}, {text})", k_set(5)),
        "sets of 1,000 texts": (f"concat(X'fe46000003e8', CAST(array_join({elements}, '') AS BINARY))", powerset),
        "products": (
            f"concat(X'fe5400000003', {pair}, {_integer(SOME)}, {_integer('id % 2')})",
            product(interval(None), maximum, boolean),
        ),
        "products with constants and sets": (
            f"concat(X'fe5400000002', {_integer('id % 3')}, X'4600000001', {_integer(SOME)})",
            product(flat, powerset),
        ),
        "pairs by priority": (
            f"concat(X'fe5400000002', X'7300000001', IF(id % 2 = 0, X'2b', X'2d'), {pair})",
            lexicographic(sign, interval(None)),
        ),
        "congruences": (f"concat(X'fe', {_pair('0L', f'12 * {SOME}')})", congruence),
        "maps of 3 keys": (
            f"concat(X'fe4600000003', {', '.join(_pair(f'{4 * i} + pmod(hash(id, {i}), 4)', SOME) for i in range(3))})",
            pointwise(maximum),
        ),
    }[lattice]


def _joined(join: SqlJoin) -> str:
    """SELECT text of the totals, as Ladder has Spark make them."""
    if join.entries is None:
        return (
            f"SELECT k, {join.of_group('x')} AS x FROM (SELECT k, {join.checked('x')} AS x FROM ladder_values) "
            "GROUP BY k"
        )
    apart, entry = join.entries.apart("s"), join.entries.written("key", "total")
    entries = f"SELECT k, inline(flatten(transform({join.of_group('x')}, s -> {apart}))) FROM ladder_values GROUP BY k"
    by_key = f"SELECT k, key, {join.entries.join.of_group('value')} AS total FROM ({entries}) GROUP BY k, key"
    return (
        f"SELECT k, concat(X'fe', {set_of('e')}) AS x FROM (SELECT k, sort_array(collect_list({entry})) AS e FROM "
        f"({by_key}) GROUP BY k)"
    )


def _folded(spark: Any, lattice: Any) -> Any:
    from ladder.engine.spark.aggregation.streaming import Fold, Folding, on_workers
    from ladder.engine.spark.layout import TEXTS
    from ladder.engine.spark.values.shipping import Shipped
    from ladder.language.core import Kind, Type

    type_ = Type("values", Kind.OBJECT)
    folding = Folding({1: Fold(type_.name, lattice.join, type_, 1)}, 1, 2, {TEXTS: 2}, {type_.name: type_})
    ordered = spark.table("ladder_values").sortWithinPartitions("t", "k", "c0", "s", "v")
    return (
        ordered.mapInArrow(on_workers(Shipped(folding)), folding.schema_out()).where("t = 1").selectExpr("c0 AS k", "x")
    )


def _pair(low: str, high: str) -> str:
    """SQL of the canonical bytes of a pair of numbers, as part of others."""
    return f"concat(X'5400000002', {_integer(low)}, {_integer(high)})"


def _integer(number: str) -> str:
    return f"concat(X'69', {eight_bytes(number)})"


def _congruences() -> str:
    """SELECT text of the joins of (modulus, remainder) by Euclid's algorithm on arrays."""

    def divisor(a: str, b: str) -> str:
        return (
            f"aggregate(sequence(1, 92), named_struct('a', abs({a}), 'b', abs({b})), "
            f"(g, i) -> IF(g.b = 0L, g, named_struct('a', g.b, 'b', g.a % g.b)), g -> g.a)"
        )

    apart = divisor("v.m", "v.r - s.r")
    step = f"named_struct('m', IF(s.m = -1L, v.m, {divisor('s.m', apart)}), 'r', IF(s.m = -1L, v.r, s.r))"
    values = f"collect_set(named_struct('m', {long_at('x', '8')}, 'r', {long_at('x', '17')}))"
    total = _pair("s.m", "IF(s.m = 0L, s.r, pmod(s.r, s.m))")
    joined = f"aggregate({values}, named_struct('m', -1L, 'r', 0L), (s, v) -> {step}, s -> concat(X'fe', {total}))"
    return f"SELECT k, {joined} AS x FROM ladder_values GROUP BY k"
