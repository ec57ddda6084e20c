"""Decoders of collected cells, which hold all records of some tables and the contents of the ids that occur, found by
one look-up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ladder.engine.classes import classes_of
from ladder.engine.spark.layout import Layout
from ladder.engine.spark.lowering.values import Decoder
from ladder.engine.spark.values.dictionary import LEAST, MOST, Ids
from ladder.language.core import Program

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def collected(frame: DataFrame, arity: int) -> Ids:
    """The cells c0… of a frame, one row each."""
    names = Layout.cells(arity)
    table = frame.select(*names).toArrow()
    return np.stack([table[name].to_numpy() for name in names], axis=1).astype(np.int64).reshape(-1, arity)


def decoder_of(
    program: Program, dictionary: DataFrame, records: Mapping[str, Ids], others: Iterable[Ids] = ()
) -> Decoder:
    """A decoder of these records (table → rows of id and cells), of the cells in them and of those in `others`.

    `dictionary`: columns c0 (id) and x (content).
    """
    known = {table: {row[0]: tuple(row[1:]) for row in rows.tolist()} for table, rows in records.items()}
    cells = [part.reshape(-1) for part in (*(rows[:, 1:] for rows in records.values()), *others)]
    every = np.unique(np.concatenate(cells)) if cells else np.zeros(0, np.int64)
    ids = every[(every < LEAST) | (every > MOST)]
    texts: dict[int, bytes] = {}
    if len(ids):
        wanted = dictionary.sparkSession.createDataFrame(pa.table({"c0": pa.array(ids, pa.int64())}))
        found = dictionary.select("c0", "x").join(wanted, "c0", "left_semi").toArrow()
        texts = dict(zip(found["c0"].to_pylist(), found["x"].to_pylist(), strict=True))
    return Decoder(
        program.types, texts.__getitem__, lambda table, id_: known.get(table, {}).get(id_), classes_of(program)
    )
