"""One id has one content: how equal rows with contents become one, and where two contents with the same id raise an
error.

In most programs a content is a function of the id, and rows are grouped by both: three to six times cheaper than
looking for the least content. Only values of lattices and functors may be equal and yet differ (1, True and 1.0): then
the least content is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.values.dictionary import ANOTHER_SEED, collision, key_sql
from ladder.engine.spark.values.shipping import COLLISION
from ladder.errors import LadderError
from ladder.language.core import Kind, Program

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def may_vary(program: Program) -> bool:
    """Whether equal values of a program may have different contents, as Python values other than numbers of 64 bits
    may."""
    types = [t for f in program.functions.values() for t in (*f.arguments, f.result)]
    types += [column.type for relation in program.relations.values() for column in (*relation.columns, *relation.keys)]
    return any(t.kind is Kind.OBJECT and t.wide is None for t in (*types, *program.types.values()))


def content_sql(vary: bool) -> tuple[str, str]:
    """(SQL of the content x of grouped rows, the text to append to their GROUP BY); `vary`: see `may_vary`."""
    return (_checked("min(x)", "max(x)"), "") if vary else ("x", ", x")


def new_content_sql(new: str, known: str) -> tuple[str, str]:
    """(SQL of the content of a row that may be known, a further condition for keeping the row). Rows whose contents
    differ are kept, so that their content is evaluated and raises an error.

    `known`: the content of the row with the same cells, NULL where there is none.
    """
    return f"CASE WHEN {known} IS NULL THEN {new} ELSE {_raised(new, known)} END", f"{_differ(new, known)}"


def check_ids(spark: SparkSession, sources: Mapping[str, str]) -> None:
    """Raise `LadderError` where two rows of the dictionary or of a table of records have the same id; `sources`:
    relation → FROM text of rows that are partitioned by k."""
    selects = [
        f"SELECT '{name}' AS r, k AS id FROM {source} GROUP BY k HAVING count(*) > 1"
        for name, source in sources.items()
    ]
    for name, id_ in spark.sql(f"SELECT * FROM ({' UNION ALL '.join(selects)}) LIMIT 1").collect() if selects else ():
        rows = spark.sql(f"SELECT * FROM {sources[name]} WHERE k = {id_}L LIMIT 2").collect()
        if name == TEXTS:
            raise collision(*(bytes(row["x"]) for row in rows))
        raise LadderError(f"Two records of {name} have the same hash: {', '.join(map(str, rows))}.", ANOTHER_SEED)


def _differ(one: str, other: str) -> str:
    return f"({one} <> {other} AND {key_sql(one)} <> {key_sql(other)})"


def _checked(one: str, other: str) -> str:
    """SQL of the first content, which raises an error where the other one is not equal to it."""
    return f"CASE WHEN {_differ(one, other)} THEN {_raised(one, other)} ELSE {one} END"


def _raised(one: str, other: str) -> str:
    return f"raise_error(concat('{COLLISION}', hex({one}), ' ', hex({other}), ';'))"
