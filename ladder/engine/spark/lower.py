"""Plans → SQL: each step of a plan makes a batch of the one before it."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from ladder.engine.plan.steps import Window
from ladder.engine.spark.layout import Key
from ladder.language.core import Program, Relation


@dataclass(frozen=True)
class View:
    """Rows of a relation to be joined with.

    `sql`: "(SELECT k, c0, c1 FROM …)", without alias, columns k, c0… (and f, the iteration, of relations of the component; x of the
    dictionary); spread by k, which is `layout.key_sql(key, cells)`. Rows are distinct.
    """

    sql: str
    key: Key


@dataclass(frozen=True)
class Context:
    """What the lowering of a plan's steps may ask for, in one iteration of a component.

    `relations`: all relations as stored, filler columns included; those of records have the id before the cells.
    `view`: rows of a relation in a window of the iteration, from the copy that suits look-ups by these columns best.
    `functions`: registry of the program's functions. `seed`: of the hashes that make ids.
    """

    program: Program
    relations: Mapping[str, Relation]
    view: Callable[[str, Window, tuple[int, ...]], View]
    functions: Any
    seed: int
    _numbers: count[int] = field(default_factory=count)

    def fresh(self) -> str:
        """A name that nothing else in the query of this iteration has."""
        return f"v{next(self._numbers)}"

    def dictionary(self) -> str:
        """A FROM source "(SELECT …)" without alias: columns c0 (id, distinct), x (BINARY), of all texts and objects so far."""
        raise NotImplementedError
