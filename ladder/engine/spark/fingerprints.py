"""What tells one evaluation from another: its program, its facts, the seed of its ids."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import xxhash

from ladder.language.core import Program
from ladder.language.identity import identities

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def identity_of(program: Program, seed: int) -> dict[str, str]:
    """What decides the rows of a program over given facts."""
    text = "\n".join((str(program), repr(sorted(program.types.items())), repr(sorted(identities(program).items()))))
    return {"program": xxhash.xxh3_128_hexdigest(text.encode("utf-8", "surrogatepass")), "seed": str(seed)}


def fingerprint_of(spark: SparkSession, frames: Mapping[str, DataFrame]) -> str:
    """One job: the same for the same rows of cells, however they are partitioned and ordered."""
    selects = []
    for number, (name, frame) in enumerate(sorted(frames.items())):
        view = f"ladder_fingerprint_{number}"
        frame.createOrReplaceTempView(view)
        row = ", ".join(frame.columns)
        selects.append(f"SELECT {number} AS r, count(*) AS n, sum(CAST(xxhash64({row}) AS DECIMAL(20))) AS h FROM {view}")
    found = {row.r: f"{row.n} {row.h}" for row in spark.sql(" UNION ALL ".join(selects)).collect()} if selects else {}
    for number in range(len(selects)):
        spark.catalog.dropTempView(f"ladder_fingerprint_{number}")
    text = "\n".join(f"{name}: {found[number]}" for number, name in enumerate(sorted(frames)))
    return xxhash.xxh3_128_hexdigest(text.encode())
