"""Functions that kernels leave to the host: user functors, joins of lattices, patterns, ranges, floats in texts.

The result for each distinct tuple of arguments is computed once and kept in the operation's memo table. Patterns are
matched with all texts that kernels ask about at one go.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.store import Store
from ladder.engine.local.values.calls import NO_RESULT, Answerer, Calls
from ladder.engine.local.values.encoding import Values
from ladder.engine.local.values.joins import join_of_numbers, table_of_joins
from ladder.errors import LadderError
from ladder.language.core import Kind, Program, Type
from ladder.language.faults import JOIN
from ladder.language.limits import LIMITS
from ladder.language.values import builtins
from ladder.lattices.shapes import Numbers, shape_of
from ladder.plan.components import Expanded, arguments_relation

NEGATED = {"match": False, "not_match": True}

JOINS = {
    ("min", Kind.NUMBER): L.MIN,
    ("max", Kind.NUMBER): L.MAX,
    ("min", Kind.UNSIGNED): L.MIN_UNSIGNED,
    ("max", Kind.UNSIGNED): L.MAX_UNSIGNED,
    ("min", Kind.FLOAT): L.MIN_FLOAT,
    ("max", Kind.FLOAT): L.MAX_FLOAT,
    ("sum", Kind.NUMBER): L.SUM,
    ("sum", Kind.UNSIGNED): L.SUM,
}  # those that kernels make themselves
JOINS_OF_NUMBERS = {  # of lattices of this shape; floats are not among them, as Python joins -0.0 and NaN otherwise
    key: kind for key, kind in JOINS.items() if key[0] != "sum" and key[1] is not Kind.FLOAT
}


def join_name(lattice: str, keyed: bool) -> str:
    """The name of the operation that joins values of a lattice; relations with keys have an operation of their own."""
    return f"join {lattice} by key" if keyed else f"join {lattice}"


class Functions(Calls):
    """The operations of a database (functions, comparisons, joins), each added when a plan first asks for it."""

    def __init__(self, program: Program, values: Values, store: Store) -> None:
        super().__init__(program, values, store.tuning.results_between_looks)
        self.store = store
        values.returned |= bool(program.lattices) or any(
            f.result.kind is Kind.RECORD for f in program.functions.values()
        )
        self.numbers: dict[tuple[str, Kind | None, int], int] = {}
        self.answerers: dict[int, Answerer] = {}
        self.calls = 0
        # operations whose joins kernels may compute without Python, with the lattice
        self.tables: dict[int, tuple[Any, Type]] = {}
        self.compiled: list[Any] = []  # functions whose addresses operations hold

    def follow(self, old: Functions, redefined: Collection[str]) -> None:
        """Take over the operations of another version of the program, except for functions that were redefined.

        Until `settle_on` is called, functions of the old program can still be called.
        """
        self.program = replace(self.program, functions={**old.program.functions, **self.program.functions})
        self.numbers = {key: number for key, number in old.numbers.items() if key[0] not in redefined}
        self.answerers = {number: old.answerers[number] for number in self.numbers.values() if number in old.answerers}
        self.tables = {number: old.tables[number] for number in self.numbers.values() if number in old.tables}
        self.compiled = list(old.compiled)

    def settle_on(self, program: Program) -> None:
        """Drop the functions of other programs: from now on, only those of this program exist."""
        self.program = program
        self.numbers = {
            key: number for key, number in self.numbers.items() if key[1] is not None or key[0] in program.functions
        }

    def restored(self, keys: Sequence[tuple[str, Kind | None, int, int]], count: int, expanded: Expanded) -> None:
        """Add `count` operations with empty memo tables, and give saved operations the numbers that they had."""
        for _ in range(count):
            self.store.new_operation(L.ASK, 1)
        for name, kind, arguments, number in keys:
            key = (name, kind, arguments)
            joined = next(
                (
                    a
                    for a in expanded.aggregates.values()
                    if join_name(a.join, a.keyed) == name and expanded.relations[a.name].columns[-1].type.kind is kind
                ),
                None,
            )
            if joined is None and name.startswith("join "):
                continue  # no relation is aggregated by it any more; one that will be asks for another
            self.numbers[key] = number
            if joined is not None:
                self._restore_join(number, joined.join, expanded.relations[joined.name].columns[-1].type, joined.keyed)
            else:
                self._restore_function(number, self._answerer(name, Kind.NUMBER if kind is None else kind, arguments))

    def _restore_join(self, number: int, lattice: str, type_: Type, keyed: bool) -> None:
        operation, declared = self.store.operations[number], self.program.lattices.get(lattice)
        operation.argument_count = 2
        if declared is None:
            operation.kind = JOINS[lattice, type_.kind]
            return
        always = keyed or not getattr(declared, "idempotent", True)
        operation.kind, self.answerers[number] = L.ASK_ALWAYS if always else L.ASK, self._joiner(lattice, type_)
        if not always:
            self.tables[number] = declared, type_

    def _restore_function(self, number: int, answerer: Answerer) -> None:
        count = len(answerer.arguments)
        self.store.operations[number].argument_count, self.answerers[number] = (
            count if count <= LIMITS.arguments else 1,
            answerer,
        )

    def _joiner(self, lattice: str, type_: Type) -> Answerer:
        return Answerer(f"{JOIN}{lattice}", (type_, type_), type_, self.program.lattices[lattice].join)

    def operation(self, name: str, kind: Kind, count: int) -> int:
        """The number of the operation for a function or comparison with `count` arguments of a kind; it is added if it
        does not exist."""
        key = (name, None, count) if name in self.program.functions else (name, kind, count)
        if key not in self.numbers:
            self._add(key, self._answerer(name, kind, count))
        return self.numbers[key]

    def join(self, lattice: str, type_: Type, keyed: bool = False) -> int:
        """The number of the operation that joins values of a column of this type; `keyed`: equal values are joined,
        too."""
        key = (join_name(lattice, keyed), type_.kind, 2)
        if key in self.numbers:
            return self.numbers[key]
        declared = self.program.lattices.get(lattice)
        if declared is None:
            self.numbers[key] = self.store.new_operation(JOINS[lattice, type_.kind], 2)
            return self.numbers[key]
        always = keyed or not getattr(declared, "idempotent", True)
        number = self._add(key, self._joiner(lattice, type_), L.ASK_ALWAYS if always else L.ASK)
        if not always:
            self.tables[number] = declared, type_
            self._equip(number)
        return number

    def renew(self) -> None:
        """Set up anew the joins that kernels compute: values may have got other cells, and a saved state has no
        addresses of this process."""
        self.compiled = []
        for number in self.tables:
            self._equip(number)

    def _equip(self, number: int) -> None:
        """Let kernels compute the joins of a lattice without asking Python, if the lattice has a form that allows
        it."""
        declared, type_ = self.tables[number]
        operation = self.store.operations[number]
        if getattr(declared, "compiled", False):
            self.compiled.append(join_of_numbers(declared, type_, self.answerers[number].name))
            operation.function = self.compiled[-1].address
            operation.kind = L.COMPILED if type_.kind is Kind.NUMBER else L.COMPILED_UNSIGNED
        elif isinstance(shape := shape_of(declared), Numbers) and (shape.function, type_.kind) in JOINS_OF_NUMBERS:
            operation.kind = JOINS_OF_NUMBERS[shape.function, type_.kind]
        elif getattr(declared, "kernel_join", None) == "flat" and type_.kind is Kind.OBJECT:
            operation.kind = L.FLAT
            operation.bottom, operation.top = self.values.encode_many([declared.bottom, declared.top], type_)
        elif isinstance(getattr(declared, "elements", None), Sequence):
            answerer = self.answerers[number]
            cells, joins = table_of_joins(
                declared,
                lambda a, b: self._value(answerer, (a, b)),
                lambda values: self.values.encode_many(values, type_),
                answerer.name,
                self.store.tuning,
            )
            self.store.set_table(number, cells, joins)
            operation.kind = L.TABLE

    def _add(self, key: tuple[str, Kind | None, int], answerer: Answerer, operation: int = L.ASK) -> int:
        count = len(answerer.arguments)
        number = self.numbers[key] = self.store.new_operation(operation, count if count <= LIMITS.arguments else 1)
        self.answerers[number] = answerer
        return number

    def answer(self) -> None:
        """Compute the results that kernels have asked for, and enlarge the memo tables that are too small."""
        for number in np.flatnonzero(self.store.operations["asked_count"] > 0).tolist():
            if self.answerers[number].name in NEGATED:
                self._match(number)
            else:
                self._answer(number)
        operations = self.store.operations
        for number in np.flatnonzero(operations["slots_wanted"] > operations["slot_count"]).tolist():
            self.store.set_capacity_of_answers(number, int(operations[number].slots_wanted))

    def withdraw(self) -> None:
        """Remove unanswered questions of kernels from the memo tables: the transaction that needs the answers has
        failed.

        All answers were entered before these questions, so no search for an answer passes over their slots.
        """
        for number in np.flatnonzero(self.store.operations["asked_count"] > 0).tolist():
            operation = self.store.operations[number]
            slots = self.store.bulk["operation", number, "asked"][: int(operation.asked_count)]
            self.store.bulk["operation", number, "answers"]["state"][slots] = L.VACANT
            operation.used_slots -= operation.asked_count
            operation.asked_count = 0

    def _match(self, number: int) -> None:
        """Answer what kernels have asked of `match` or its negation; each pattern is matched with all its texts at
        once, unless they are so few that Python is faster, or RE2 lacks something that is in it: then limits are looked
        at in between."""
        operation, name, symbols = self.store.operations[number], self.answerers[number].name, self.values.symbols
        slots = self.store.bulk["operation", number, "asked"][: int(operation.asked_count)]
        answers = self.store.bulk["operation", number, "answers"]
        patterns, texts = answers["arguments"][slots][:, :2].T
        found, order = np.zeros(len(slots), np.int32), np.argsort(patterns, kind="stable")
        for places in np.split(order, np.flatnonzero(np.diff(patterns[order])) + 1):
            self.look()
            regular = symbols.text_of(int(patterns[places[0]]))
            compiled = builtins.compiled_pattern(regular)
            if compiled is None:
                continue
            if compiled.linear is None or len(places) < self.store.tuning.texts_matched_at_once:
                one_by_one = self._looking(zip(symbols.texts_of(texts[places]), strict=True))
                found[places] = [builtins.holds(name, regular, text) for (text,) in one_by_one]
            else:
                found[places] = np.array(compiled.matches_each(symbols.bytes_of(texts[places]))) != NEGATED[name]
        answers["state"][slots], answers["result"][slots] = L.ANSWERED, found
        operation.asked_count = 0

    def _answer(self, number: int) -> None:
        operation, answerer = self.store.operations[number], self.answerers[number]
        count, many = int(operation.argument_count), len(answerer.arguments) > LIMITS.arguments
        slots = self.store.bulk["operation", number, "asked"][: int(operation.asked_count)]
        answers = self.store.bulk["operation", number, "answers"]
        asked = answers["arguments"][slots][:, :count].tolist()
        if many:
            asked = [self.values.unpack(arguments_relation(len(answerer.arguments)), record) for (record,) in asked]
        self.calls += len(asked)
        columns = [
            self.values.decode_many(cells, t)
            for cells, t in zip(zip(*asked, strict=True), answerer.arguments, strict=True)
        ]
        found = [
            self._value(answerer, arguments)
            for arguments in self._looking(zip(*columns, strict=True) if columns else ((),) * len(asked))
        ]
        answers["state"][slots] = [L.REFUSED if value is NO_RESULT else L.ANSWERED for value in found]
        present = [value for value in found if value is not NO_RESULT]
        try:
            cells = iter(
                self._lists(answerer, present, number)
                if answerer.several
                else self.values.encode_many(present, answerer.result)
            )
        except LadderError as error:
            raise self._misfit(
                answerer, list(zip(*columns, strict=True)) if columns else [()] * len(asked), found, error
            ) from error
        answers["result"][slots] = [0 if value is NO_RESULT else next(cells) for value in found]
        operation.asked_count = 0

    def _looking(self, asked: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """Iterate over the same values, and check the limits from time to time."""
        calls = self.store.tuning.calls_between_looks
        for i, arguments in enumerate(asked, 1):
            if i % calls == 0:
                self.look()
            yield arguments

    def _lists(self, answerer: Answerer, lists: list[Any], number: int) -> list[int]:
        """The positions of lists of results in the operation's pool; a value that a list repeats is stored once."""
        cells = iter(self.values.encode_many([value for values in lists for value in values], answerer.result))
        return [self._store_list(list(dict.fromkeys(next(cells) for _ in values)), number) for values in lists]

    def _store_list(self, cells: Any, number: int) -> int:
        operation = self.store.operations[number]
        pool = self.store.bulk["operation", number, "results"]
        # The pool's first cell counts the cells in use, itself included.
        used = max(int(pool[0]), 1)
        if used + len(cells) + 1 > len(pool):
            capacity = max(2 * len(pool), used + len(cells) + 1)
            del pool  # the memory moves only when no array is over it
            self.store.resize("operation", number, "results", (capacity,), np.int32)
            operation.result_capacity, pool = capacity, self.store.bulk["operation", number, "results"]
        pool[used] = len(cells)
        pool[used + 1 : used + 1 + len(cells)] = cells
        pool[0] = used + 1 + len(cells)
        return used
