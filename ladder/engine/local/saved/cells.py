"""Checks of cells in a file: each must be the number of a symbol, a record or a value of a lattice that exists."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels.checking import LIMIT, RECORD, UNLIMITED, check_records
from ladder.engine.local.saved.parts import damaged
from ladder.language.core import Kind, Type

Array = npt.NDArray[Any]


class CellChecker:
    """Checks cells of an engine whose symbols, values of lattices and tables of records are complete.

    Types share tables of records, so that the meaning of a row depends on the type by which it is read. A record is
    valid for a type if its fields are valid for their types and it does not contain itself; what was found out about a
    record is remembered.
    """

    def __init__(self, engine: LocalEngine, folder: Path) -> None:
        self.engine, self.folder = engine, folder
        self.types = sorted(
            {t.name: t for t in engine.program.types.values() if t.kind is Kind.RECORD}.values(), key=lambda t: t.name
        )
        self.places = {type_.name: place for place, type_ in enumerate(self.types)}
        self._records: tuple[Array, ...] | None = None

    def load(self) -> None:
        """Compile or load the kernel that checks records."""
        check_records(np.zeros(0, np.int32), 0, self.engine.store.relations, *self._prepared())

    def check(self, name: str, cells: Array) -> None:
        """Check rows of a relation; `StateError` if a cell is not valid."""
        for column, declared in enumerate(self.engine.relations[name].columns):
            self.column(cells[:, column], declared.type, name)

    def column(self, cells: Array, type_: Type, name: str) -> None:
        """Check cells of one type; `StateError`, which names `name`, if one is not valid."""
        if not len(cells) or type_.kind in (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT):
            return
        if type_.kind is Kind.RECORD:
            wrong = check_records(
                np.ascontiguousarray(cells), self.places[type_.name], self.engine.store.relations, *self._prepared()
            )
        else:
            wrong = int(cells.min()) < 0 or int(cells.max()) >= self.limit(type_)
        if wrong:
            damaged(self.folder, f"{name} has a {type_.kind.value} that is not there")

    def limit(self, type_: Type) -> int:
        """The exclusive upper bound of the cells of a type that is not a record type."""
        values = self.engine.values
        if type_.kind is Kind.SYMBOL:
            return len(values.symbols)
        return len(values.objects) if type_.kind is Kind.OBJECT else UNLIMITED

    def _prepared(self) -> tuple[Array, ...]:
        """The arguments of `check_records` that do not depend on the cells."""
        if self._records is None:
            engine, layouts = self.engine, self.engine.values.layouts
            of_types = [layouts[type_.name] for type_ in self.types]
            table = np.array([engine.numbers[layout.table] for layout in of_types], np.int64)
            counts = [engine.store.row_count(int(number)) for number in table]
            starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.array(counts, np.int64), dtype=np.int64)])
            # of each type: its first form, the number of forms, cells before the fields
            forms: list[tuple[int, int, int]] = []
            fields: list[tuple[int, int]] = []
            form_fields: list[tuple[int, int]] = []  # of each form: its first field, the number of fields
            for layout in of_types:
                forms.append((len(form_fields), len(layout.branches), layout.branches[0].head))
                for branch in layout.branches:
                    form_fields.append((len(fields), len(branch.fields)))
                    fields += self._fields(branch.fields)
            self._records = (
                table,
                starts,
                np.zeros(int(starts[-1]), np.uint8),
                np.zeros((int(starts[-1]) + 1, 3), np.int64),
                np.array(forms, np.int64).reshape(-1, 3),
                np.array(form_fields, np.int64).reshape(-1, 2),
                np.array(fields, np.int64).reshape(-1, 2),
            )
        return self._records

    def _fields(self, types: Sequence[Type]) -> list[tuple[int, int]]:
        return [(RECORD, self.places[t.name]) if t.kind is Kind.RECORD else (LIMIT, self.limit(t)) for t in types]
