"""DuckDB as a peer: the same programs as recursive common table expressions, where it is installed."""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ladder_bench.spark.family import PYTHON, Watch

MISSING = "DuckDB is not installed (`pip install 'ladder-analysis[bench]'`): its rows are missing."
# Non-linear recursion needs all rows so far, which is the table `recurring.r` of WITH RECURSIVE … USING KEY; two
# relations in one recursion are rows of one table that are told apart by a tag. A row that is there already must be
# kept out by the query.
POINTS_TO = """
WITH RECURSIVE r(tag, a, b, c) USING KEY (tag, a, b, c) AS (
  SELECT 0, var, object, 0 FROM new
  UNION
  SELECT * FROM (SELECT DISTINCT * FROM (
    SELECT 0 AS tag, s."to" AS a, d.b AS b, 0 AS c FROM r d JOIN assign s ON s."from" = d.a WHERE d.tag = 0
    UNION ALL
    SELECT 1, d.b, s.field, q.b FROM r d JOIN store s ON s.base = d.a JOIN recurring.r q ON q.a = s."from" AND q.tag = 0
      WHERE d.tag = 0
    UNION ALL
    SELECT 1, q.b, s.field, d.b FROM r d JOIN store s ON s."from" = d.a JOIN recurring.r q ON q.a = s.base AND q.tag = 0
      WHERE d.tag = 0
    UNION ALL
    SELECT 0, l."to", h.c, 0 FROM r d JOIN load l ON l.base = d.a JOIN recurring.r h ON h.a = d.b
      AND h.b = l.field AND h.tag = 1
      WHERE d.tag = 0
    UNION ALL
    SELECT 0, l."to", h.c, 0 FROM r h JOIN recurring.r d ON d.b = h.a AND d.tag = 0 JOIN load l ON l.base = d.a
      AND l.field = h.b
      WHERE h.tag = 1)
  ) z WHERE NOT EXISTS (SELECT 1 FROM recurring.r q WHERE q.tag = z.tag AND q.a = z.a AND q.b = z.b AND q.c = z.c)
) SELECT CASE tag WHEN 0 THEN 'vpt' ELSE 'hpt' END, count(*) FROM r GROUP BY tag"""
CLOSURE = """
WITH RECURSIVE path(a, b) AS (
  SELECT "from", "to" FROM edge
  UNION
  SELECT p.a, e."to" FROM path p JOIN edge e ON e."from" = p.b
) SELECT 'path', count(*) FROM path"""
SHORTEST = """
WITH RECURSIVE distance(a, b, l) USING KEY (a, b) AS (
  SELECT x, x, 0 FROM source
  UNION
  SELECT * FROM (SELECT d.a, r."to" AS b, min(d.l + r.length) AS l FROM distance d JOIN road r ON r."from" = d.b
                 GROUP BY d.a, r."to") z
  WHERE NOT EXISTS (SELECT 1 FROM recurring.distance q WHERE q.a = z.a AND q.b = z.b AND q.l <= z.l)
) SELECT 'distance', count(*) FROM distance"""


@dataclass(frozen=True)
class Query:
    """A program in SQL. `tables`: given relations and their columns. `ordered`: joins are made in the order in which
    they are written, as estimates for tables that grow mislead the optimizer."""

    text: str
    tables: Mapping[str, tuple[str, ...]]
    ordered: bool = False


EDGES = {"edge": ("from", "to")}
QUERIES = {
    "closure": Query(CLOSURE, EDGES),
    "pointsto_heap": Query(
        POINTS_TO,
        {
            "new": ("var", "object"),
            "assign": ("to", "from"),
            "load": ("to", "base", "field"),
            "store": ("base", "field", "from"),
        },
        ordered=True,
    ),
    "shortest": Query(SHORTEST, {"source": ("x",), "road": ("from", "to", "length")}),
}


def installed() -> bool:
    return importlib.util.find_spec("duckdb") is not None


def evaluate_duckdb(program: str, facts: str, threads: int) -> Iterator[dict[str, Any]]:
    """Read facts into tables, run the query; rows by relation.

    DuckDB keeps no first iterations and counts no derivations.
    """
    import duckdb

    query = QUERIES[program]
    with Watch([os.getpid()]) as family:
        began = time.perf_counter()
        connection = duckdb.connect()
        connection.execute(f"SET threads = {threads}")
        if query.ordered:
            connection.execute("SET disabled_optimizers = 'join_order'")
        for name, columns in query.tables.items():
            types = ", ".join(f"'{column}': 'INTEGER'" for column in columns)
            file = str(Path(facts) / f"{name}.facts").replace("'", "''")
            connection.execute(
                f"CREATE TABLE {name} AS SELECT * FROM read_csv('{file}', delim = '\t', header = false, columns = "
                f"{{{types}}})"
            )
        read = time.perf_counter()
        rows = dict(connection.execute(query.text).fetchall())
        done = time.perf_counter()
    yield {
        "seconds": done - read,
        "reading": read - began,
        "whole": done - began,
        "cpu": family.cpu,
        "rows": rows,
        "peaks": {PYTHON: family.peaks(PYTHON)},
        "version": duckdb.__version__,
        "stored": sum(rows.values()),
    }
