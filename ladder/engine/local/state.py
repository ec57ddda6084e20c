"""The state of a program over its facts: relations, rows and values, and the encoding of facts as cells, without
evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.backend import require_assertable
from ladder.engine.local.asserted import AssertedProgramFacts
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.update import read_changes, read_moved
from ladder.engine.local.mapped import arbitrary
from ladder.engine.local.owners import key_columns, row_owners
from ladder.engine.local.statistics import Measured
from ladder.engine.local.store import Store
from ladder.engine.local.values.encoding import Values
from ladder.engine.local.values.functions import Functions
from ladder.engine.local.values.symbols import SymbolTable
from ladder.errors import LadderError
from ladder.language.core import Program, Type
from ladder.language.limits import LIMITS
from ladder.plan.components import (
    Aggregate,
    Component,
    Expanded,
    expand,
    fact_relation,
    is_record_table,
    needs_filler,
)
from ladder.plan.order import Statistics
from ladder.policy.rebuild import Costs
from ladder.support.limits import Watch
from ladder.support.tuning import DEFAULT, Tuning

Cells = npt.NDArray[np.int32]


@dataclass
class Unsaved:
    """What changed since the last save; `by_row` is None if row numbers have changed their meaning."""

    by_row: dict[int, list[Cells]] | None = None
    symbols: int = 0
    objects: int = 0
    records: dict[int, int] = field(default_factory=dict)

    def add(self, number: int, rows: Cells) -> None:
        if self.by_row is not None:
            self.by_row.setdefault(number, []).append(rows)


class State:
    """Rows with their state, indexes, aggregate trees, and the values that cells stand for."""

    def __init__(
        self,
        program: Program,
        saved_order: Sequence[Sequence[str]] | None = None,
        store: Store | None = None,
        watch: Watch | None = None,
        tuning: Tuning = DEFAULT,
    ) -> None:
        """`saved_order`: the order of components of a saved state; relations are then not made, because the saved state
        or a `store` has them.

        `watch`: checks time and memory whenever kernels pause, and before they are granted capacity.
        """
        self.program, self.tuning = program, tuning
        self.expanded: Expanded = expand(program, saved_order)
        self.relations = self.expanded.relations
        self.tables = tuple(name for name, relation in self.relations.items() if is_record_table(relation))
        for relation in self.relations.values():
            if relation.arity > LIMITS.columns:
                raise LadderError(
                    f"{relation.name} has {relation.arity} columns; the engine holds at most {LIMITS.columns}.",
                    f"Put some of them into a record. {relation.place or ''}".rstrip(),
                )
        self.place(
            {name: number for number, name in enumerate(self.relations)},
            {
                name: number
                for number, name in enumerate(a.name for c in self.expanded.components for a in c.aggregates)
            },
        )
        owners = row_owners(self.expanded, program)
        keys = key_columns(self.expanded, owners) if saved_order is None else {}
        self.store = store or Store(
            [self.relations[name].arity for name in keys],
            list(keys.values()),
            [self.numbers[owners[name]] if name in owners else L.NONE for name in keys],
            tuning=tuning.evaluating,
        )
        self.watch = watch or Watch()
        self.store.grant, self.store.look = self.watch.grant, lambda: self.watch.look()
        self.values = Values(program, self.pack, self.unpack, SymbolTable(tuning.evaluating))
        self.functions = Functions(program, self.values, self.store)
        self.functions.look = lambda: self.watch.look()
        self.asserted_program_facts = AssertedProgramFacts()
        self.statistics = Measured(self.measured)
        self.costs = Costs()
        self.row_limits: dict[int, int] = {}  # relation → rows from which the bootstrap of its component stops
        self.unsaved = Unsaved()

    @property
    def is_profiled(self) -> bool:
        """Whether it is measured what plans cost."""
        return False

    def nothing_unsaved(self) -> Unsaved:
        """The record of unsaved changes for a state that is saved as it is now: there are none."""
        records = {number: self.store.row_count(number) for number in (self.numbers[name] for name in self.tables)}
        return Unsaved({}, len(self.values.symbols), len(self.values.objects), records)

    # ---- layout

    def place(self, numbers: dict[str, int], aggregate_numbers: dict[str, int]) -> None:
        """Assign numbers to relations and aggregates; those of a component are consecutive."""
        self.numbers, self.aggregate_numbers = numbers, aggregate_numbers
        self.names = {number: name for name, number in numbers.items()}

    def _add_aggregates(self) -> None:
        for component in self.expanded.components:
            for a in component.aggregates:
                self.add_aggregate(a)

    def add_aggregate(self, a: Aggregate) -> int:
        """Make the state of an aggregated relation. Returns its number."""
        return self.store.new_aggregate(
            self.join_of(a),
            self.numbers[a.inputs],
            self.numbers[a.totals],
            self.numbers[a.name],
            self.relations[a.name].arity - 1,
            a.keyed,
        )

    def join_of(self, aggregate: Aggregate) -> int:
        """The number of the operation that joins an aggregated relation's values."""
        return self.functions.join(aggregate.join, self.relations[aggregate.name].columns[-1].type, aggregate.keyed)

    def fact_relation(self, name: str) -> str:
        """The EDB relation that stores the facts of a relation of the program; of one with keys, which has none, its
        aggregate inputs."""
        return fact_relation(name, self.program, self.expanded)

    def edb_relation(self, name: str) -> str:
        """The EDB relation that stores the facts asserted for a relation; `LadderError` where none can be asserted."""
        require_assertable(self.program.relations[name])
        return self.fact_relation(name)

    def column_types(self, name: str) -> tuple[Type, ...]:
        """The types of the columns of a relation of the program."""
        return tuple(c.type for c in self.program.relations[name].columns)

    def encode_facts(self, name: str, rows: Any) -> Cells:
        """Rows of Python values of a relation of the program → cells as stored."""
        return self.pad(name, self.values.encode_rows(rows, self.program.relations[name]))

    def pad(self, name: str, cells: Cells) -> Cells:
        """The cells with the filler column, if the relation has one."""
        if not needs_filler(self.program.relations[name]):
            return cells
        return np.concatenate([np.zeros((len(cells), 1), np.int32), cells], axis=1)

    def has_filler(self, name: str) -> bool:
        return needs_filler(self.program.relations[name])

    def pack(self, table: str, cells: Cells) -> Cells:
        """The numbers of the records with these cells in a table of records; missing ones are made."""
        number = self.numbers[table]
        rows = self.store.add(number, cells)
        self.store.set_states(number, rows, np.zeros(len(rows), np.int32), np.ones(len(rows), np.int32))
        return rows + 1

    def unpack(self, table: str, cell: int) -> tuple[int, ...]:
        """The cells of an existing record."""
        rows = self.store.cells(self.numbers[table])
        return tuple(rows[cell - 1].tolist())

    # ---- facts

    def load_cells(self, name: str, cells: Cells) -> None:
        """Store facts at iteration 0; a fact that comes twice is stored once."""
        number, step = self.numbers[name], self.tuning.evaluating.loaded_rows
        self.store.reserve_for(number, cells)
        for begin in range(0, len(cells), step):
            rows = self.store.add(number, cells[begin : begin + step])
            self.store.set_states(number, rows, np.zeros(len(rows), np.int32), np.ones(len(rows), np.int32))

    @cached_property
    def program_facts(self) -> dict[str, Cells]:
        """Facts in the program's text, as cells by EDB relation; they hold whatever is deleted."""
        found: dict[str, Cells] = {}
        for name, rows in self.program.facts.items():
            edb, cells = self.fact_relation(name), self.encode_facts(name, rows)
            found[edb] = np.concatenate([found[edb], cells]) if edb in found else cells
        return found

    def component_record(self, position: int, component: Component) -> Any:
        """The record of a component, without its plans."""
        record = np.zeros(1, L.COMPONENT)[0]
        record.first_relation, record.relation_count = (
            min(self.numbers[name] for name in component.names),
            len(component.relations),
        )
        record.first_aggregate = min((self.aggregate_numbers[a.name] for a in component.aggregates), default=0)
        record.aggregate_count = len(component.aggregates)
        return record

    def measured(self, name: str) -> Statistics:
        """Statistics of the rows that a relation has now."""
        return Statistics(*self.store.block_lengths(self.numbers[name]))

    def touched(self, number: int) -> tuple[Cells, Cells, Cells]:
        """(row numbers, old first iterations, new ones) of a relation's changes in the open transaction."""
        store = self.store
        at_most = min(int(store.update[0]["change_count"]), self.tuning.evaluating.few_changes)
        rows, old, new = arbitrary((3, at_most), np.int32)
        count = read_changes(store.update[0], store.relations, number, rows, old, new)
        if count > at_most:
            rows, old, new = arbitrary((3, count), np.int32)
            read_changes(store.update[0], store.relations, number, rows, old, new)
        return rows[:count], old[:count], new[:count]

    def moved(self) -> tuple[Cells, Cells, Cells]:
        """(relations, row numbers, whether they came) of all rows that came or went in the open transaction, by
        relation."""
        store = self.store
        numbers, rows, came = arbitrary((3, int(store.update["change_count"][0])), np.int32)
        count = read_moved(store.update[0], store.relations, numbers, rows, came)
        order = np.argsort(numbers[:count], kind="stable")
        return numbers[order], rows[order], came[order]
