"""Ordered components of the local engine: rows out as Python values, evaluated by `ladder.engine.ordered.components`,
rows in as facts.

The kernels see an ordered relation R as one that rules do not derive; its facts are in R$facts. A component is
evaluated anew when a relation that it reads has changed, or when earlier components drew more or fewer numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.limited import Limited, limited_alone
from ladder.engine.local.values.calls import SAME_CELL
from ladder.engine.local.values.encoding import Values
from ladder.engine.ordered.components import Outcome, check_ordered, draws, evaluate_ordered, facts_in_order
from ladder.engine.ordered.depth import refused_if_too_deep, require_shallow
from ladder.errors import LadderError
from ladder.language.core import Column, Compute, Function, Kind, Literal, Program, Type
from ladder.plan.components import Component, facts_of, shown_cells, shown_columns

if TYPE_CHECKING:
    from ladder.engine.local.state import State

Cells = npt.NDArray[np.int32]
Row = tuple[Any, ...]
CELL_OF_SYMBOL = "$cell"


class OrderedComponents:
    """Evaluates ordered components; `drawn` and `starts`: position of a component → how many numbers its rules drew,
    and the first of them."""

    def __init__(self, engine: State) -> None:
        self.engine = engine
        self.components = {i: c for i, c in enumerate(engine.expanded.components) if c.ordered}
        self.program = _with_numbers_of_symbols(engine.program, engine.values) if self.components else engine.program
        self.drawing = [i for i, c in self.components.items() if draws(engine.program, c.ordered)]
        self.drawn: dict[int, int] = {}
        self.starts: dict[int, int] = {}
        self._old: tuple[dict[int, int], dict[int, int]] = {}, {}
        self.kernels: Callable[[Component], dict[str, Limited]] | None = None  # see `limited`
        self._read: dict[str, list[Row]] = {}  # decoded rows of earlier components, while an evaluation goes on
        for component in self.components.values():
            check_ordered(engine.program, component.ordered)

    def begin(self) -> None:
        """Begin an update: `abandon` undoes what is evaluated from now on."""
        self._old = dict(self.drawn), dict(self.starts)
        self.forget()

    def abandon(self) -> None:
        self.drawn, self.starts = self._old
        self.forget()

    def follow(self, old: OrderedComponents) -> None:
        """Copy what is known of components that are the same in an old version of the program."""
        positions = {component.names: position for position, component in old.components.items()}
        for position, component in self.components.items():
            before = positions.get(component.names)
            for ours, theirs in ((self.drawn, old.drawn), (self.starts, old.starts)):
                if before in theirs:
                    ours[position] = theirs[before]

    @property
    def drawing_names(self) -> list[frozenset[str]]:
        """The relations of the components that draw numbers, in their order."""
        return [self.components[position].names for position in self.drawing]

    def forget(self) -> None:
        """Drop decoded rows, because all components are evaluated or rows change."""
        self._read.clear()

    def evaluate(self, position: int) -> dict[str, Cells]:
        """Evaluate a component over the present rows of earlier ones → relation → its rows as stored."""
        if (limited := self._by_kernels(position)) is not None:
            return {name: self.engine.pad(name, rows.cells) for name, rows in limited.items()}
        outcome, names = self.outcome(position), self.components[position].ordered
        return {name: self._cells(name, outcome.rows[name]) for name in names}

    def iterations(self, position: int) -> dict[str, tuple[Cells, list[int]]]:
        """relation of the component → (rows as stored, iteration in which each was derived)."""
        if (limited := self._by_kernels(position)) is not None:
            return {
                name: (self.engine.pad(name, rows.cells), rows.iterations.tolist()) for name, rows in limited.items()
            }
        self.forget()
        found = {
            name: (self._cells(name, rows), list(rows.values())) for name, rows in self.outcome(position).rows.items()
        }
        self.forget()
        return found

    def _by_kernels(self, position: int) -> dict[str, Limited] | None:
        """The rows of a component of which nothing but a limit is ordered, if it reads so much that this pays."""
        if self.kernels is None or position not in self._limited:
            return None
        component = self.components[position]
        read = sum(self.engine.store.row_count(self.engine.numbers[name]) for name in component.inputs)
        return self.kernels(component) if read >= self.engine.tuning.evaluating.limited_rows else None

    @cached_property
    def _limited(self) -> frozenset[int]:
        """The components of which nothing but a limit is ordered."""
        return frozenset(i for i, c in self.components.items() if limited_alone(self.engine.program, c))

    def outcome(self, position: int) -> Outcome:
        """Evaluate a component's rules."""
        component = self.components[position]
        start = self._start(position)
        with refused_if_too_deep(component.ordered[0]):
            facts = {name: self._facts(name) for name in component.ordered}
            outcome = evaluate_ordered(self.program, component.ordered, self._rows_once, facts, start)
        self.drawn[position], self.starts[position] = outcome.drawn, start
        return outcome

    def difference(self, position: int, again: bool = False) -> Iterator[tuple[str, Cells, Cells]]:
        """Iterate over (relation, rows that go, rows that come) in the open update; empty if no input of the component
        changed.

        `again`: evaluate the component even then.
        """
        if not again and not self._concerned(position):
            return
        store = self.engine.store
        for name, cells in self.evaluate(position).items():
            number = self.engine.numbers[name]
            rows, first = store.cells(number), store.first(number)
            found = store.find(number, cells)
            kept = found[found >= 0]
            there = np.zeros(len(first), bool)
            there[kept] = True
            new = found < 0
            new[found >= 0] = first[kept] == L.ABSENT
            yield name, rows[(first != L.ABSENT) & ~there], cells[new]

    def _concerned(self, position: int) -> bool:
        store, engine = self.engine.store, self.engine
        for name in self.components[position].inputs:
            number = engine.numbers[name]
            if store.relations[number].changed != L.END:
                _, old, new = engine.touched(number)
                if ((old == L.ABSENT) != (new == L.ABSENT)).any():
                    return True
        first = not self.drawing or position == self.drawing[0]
        return position in self.drawing and not first and self._start(position) != self.starts.get(position)

    def _start(self, position: int) -> int:
        """The first number that a component's rules draw; earlier components are evaluated if a saved state does not
        tell."""
        earlier = [i for i in self.drawing if i < position]
        if position not in self.drawing:
            return 0
        for other in earlier:
            if other not in self.drawn:
                self.outcome(other)
        return sum(self.drawn[other] for other in earlier)

    # ---- rows

    def _facts(self, name: str) -> list[Row]:
        facts = facts_of(name)
        cells = self.engine.program_facts.get(facts)
        return facts_in_order(
            self.engine.program, name, self._rows(facts), () if cells is None else self._decoded(facts, cells)
        )

    def _rows_once(self, stored: str) -> list[Row]:
        """The decoded rows of a complete relation, which are cached."""
        if stored not in self._read:
            self._read[stored] = self._rows(stored)
        return self._read[stored]

    def _rows(self, stored: str) -> list[Row]:
        """The rows of a stored relation that are present now: `Store.present` asks what is counted when an
        update ends."""
        number = self.engine.numbers[stored]
        return self._decoded(stored, self.engine.store.cells(number)[self.engine.store.first(number) != L.ABSENT])

    def _decoded(self, stored: str, cells: Cells) -> list[Row]:
        columns = shown_columns(self.engine.relations[stored])
        cells = shown_cells(self.engine.relations[stored], cells)
        if not columns:
            return [()] * len(cells)
        decoded = [_values_of(self.engine.values, cells[:, i], column) for i, column in enumerate(columns)]
        return list(zip(*decoded, strict=True))

    def _cells(self, name: str, rows: Collection[Row] | Mapping[Row, int]) -> Cells:
        columns = self.engine.program.relations[name].columns
        cells = np.zeros((len(rows), len(columns)), np.int32)
        for i, (column, values) in enumerate(zip(columns, zip(*rows, strict=True), strict=False)):
            cells[:, i] = _cells_of(self.engine.values, values, column, name)
        return self.engine.pad(name, cells)


def _with_numbers_of_symbols(program: Program, values: Values) -> Program:
    """The program with `ord` of ordered components returning the cells of symbols, as it does in kernels."""

    def replaced(literal: Literal) -> Literal:
        asks = isinstance(literal, Compute) and literal.function in SAME_CELL and literal.kind is Kind.SYMBOL
        return replace(literal, function=CELL_OF_SYMBOL) if isinstance(literal, Compute) and asks else literal

    rules = tuple(replace(rule, body=tuple(map(replaced, rule.body))) for rule in program.rules)
    subsumptions = tuple(replace(s, body=tuple(map(replaced, s.body))) for s in program.subsumptions)
    symbol, number = Type("symbol", Kind.SYMBOL), Type("number", Kind.NUMBER)
    call = Function(CELL_OF_SYMBOL, (symbol,), number, lambda text: values.symbols.number(text))
    return replace(
        program, rules=rules, subsumptions=subsumptions, functions={**program.functions, CELL_OF_SYMBOL: call}
    )


def _values_of(values: Values, cells: Cells, column: Column) -> list[Any]:
    found: list[Any] = cells.tolist() if column.type.kind is Kind.NUMBER else values.decode_column(cells, column.type)
    if column.type.kind is Kind.RECORD:
        require_shallow(found)
    return found


def _cells_of(values: Values, column: tuple[Any, ...], of: Column, name: str) -> Any:
    if of.type.kind is Kind.NUMBER:
        wide = np.array(column, np.int64)
        if len(wide) and not -(1 << 31) <= wide.min() <= wide.max() < 1 << 31:
            raise LadderError(f"A function gave {name}.{of.name} a number that does not fit into 32 bits.")
        return wide.astype(np.int32)
    with refused_if_too_deep(name):
        distinct = list(dict.fromkeys(column))
        numbers = dict(zip(distinct, values.encode_many(distinct, of.type), strict=True))
        return np.fromiter((numbers[value] for value in column), np.int32, len(column))
