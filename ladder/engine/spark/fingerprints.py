"""What tells one evaluation from another: its program, its facts, the seed of its ids."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import xxhash

from ladder.engine.spark.facts.cells import Cells
from ladder.language.core import Program
from ladder.language.versions.identity import identities

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def identity_of(program: Program, seed: int) -> dict[str, str]:
    """What decides which rows a program derives from its facts."""
    text = "\n".join((str(program), repr(sorted(program.types.items())), repr(sorted(identities(program).items()))))
    return {"program": xxhash.xxh3_128_hexdigest(text.encode("utf-8", "surrogatepass")), "seed": str(seed)}


def fingerprint_of(spark: SparkSession, cells: Cells, names: Collection[str]) -> str:
    """One job: the same for the same rows of these names, however they are partitioned, ordered and divided between
    frames."""
    numbers = {name: number for number, name in enumerate(sorted(names))}
    frames = [(f"{numbers[name]}", frame) for name, frame in cells.frames.items() if name in numbers]
    tags = {name: tag for name, tag in cells.tags.items() if name in numbers}
    if cells.mixed is not None and tags:
        number = f"CASE t {' '.join(f'WHEN {tag} THEN {numbers[name]}' for name, tag in tags.items())} END"
        frames.append((number, cells.mixed.where(f"t IN ({', '.join(map(str, tags.values()))})")))
    selects = []
    for place, (number, frame) in enumerate(frames):
        frame.createOrReplaceTempView(f"ladder_fingerprint_{place}")
        # what has no value leaves a hash as it is
        columns = [column for column in frame.columns if column.startswith("c")]
        selects.append(
            f"SELECT {number} AS r, CAST(xxhash64({', '.join(columns)}) AS DECIMAL(20)) AS h FROM "
            f"ladder_fingerprint_{place}"
        )
    query = f"SELECT r, count(*) AS n, sum(h) AS h FROM ({' UNION ALL '.join(selects)}) GROUP BY r"
    found = {row.r: f"{row.n} {row.h}" for row in spark.sql(query).collect()} if selects else {}
    for place in range(len(frames)):
        spark.catalog.dropTempView(f"ladder_fingerprint_{place}")
    text = "\n".join(f"{name}: {found[number]}" for name, number in numbers.items() if number in found)
    return xxhash.xxh3_128_hexdigest(text.encode())
