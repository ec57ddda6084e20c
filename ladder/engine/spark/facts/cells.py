"""The input of a bootstrap: facts, the dictionary and records as cells, with many relations in one frame, so that all
are read at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING

from ladder.engine.spark.layout import TEXTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Cells:
    """Rows by name: of a relation of the program (c0…, as users see them), of the dictionary `TEXTS` (c0, x), of a
    table of records (c0: id, c1…).

    `mixed`: rows of all `tags` (name → t), in the form of `encode.Mixed`; `arities`: the number of their columns with
    cells. `frames`: name → further rows of it. Rows may occur more than once. `release`: frees the rows that Spark has
    cached; they can be read again, but are then computed again.
    """

    mixed: DataFrame | None
    tags: Mapping[str, int]
    arities: Mapping[str, int]
    frames: Mapping[str, DataFrame] = field(default_factory=dict)
    release: Callable[[], None] = lambda: None

    @property
    def names(self) -> list[str]:
        """The names that there may be rows of."""
        return list(dict.fromkeys((*self.tags, *self.frames)))

    def frame(self, name: str) -> DataFrame:
        """The rows of one name alone."""
        found = [self.frames[name]] if name in self.frames else []
        if self.mixed is not None and name in self.tags:
            found.append(rows_of(self.mixed, self.tags[name], self.arities[name], *(("x",) if name == TEXTS else ())))
        return reduce(lambda one, other: one.unionAll(other), found)

    def and_also(self, frames: Mapping[str, DataFrame]) -> Cells:
        """These cells with further rows (name → frame)."""
        both = {
            name: self.frames[name].unionAll(frame) if name in self.frames else frame for name, frame in frames.items()
        }
        return replace(self, frames={**self.frames, **both})


def rows_of(mixed: DataFrame, tag: int, arity: int, *further: str) -> DataFrame:
    """The rows with a tag among mixed rows: their cells and further columns."""
    return mixed.where(f"t = {tag}").select(*(f"c{i}" for i in range(arity)), *further)
