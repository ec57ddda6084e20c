"""Plans → records for kernels: variables become registers, relations and indexes become numbers, each step becomes one
record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.store import Store
from ladder.engine.local.values.calls import SAME_CELL
from ladder.language.core import (
    ARITHMETIC,
    Atom,
    Compare,
    Compute,
    Const,
    Generate,
    Kind,
    Not,
    Pack,
    Term,
    Type,
    Unpack,
    Var,
)
from ladder.language.limits import LIMITS
from ladder.plan.build import atom_of, relational_literals
from ladder.plan.components import (
    arguments_relation,
    branch_number,
    record_relation,
    record_terms,
)
from ladder.plan.steps import Choice, Find, Group, Member, Plan, Probe, Role, Scan, Step, Weigh

COMPARISONS = {
    "=": L.EQUAL,
    "!=": L.DIFFERENT,
    "<": L.LESS,
    "<=": L.LESS_EQUAL,
    ">": L.GREATER,
    ">=": L.GREATER_EQUAL,
    "contains": L.CONTAINED,
    "not_contains": L.NOT_CONTAINED,
}
CALCULATIONS = {name: number for number, name in enumerate(ARITHMETIC)} | {  # the kernels number them in the same order
    "to_number": L.TO_NUMBER,
    "to_unsigned": L.TO_UNSIGNED,
    "to_float": L.TO_FLOAT,
}
# functions from texts to numbers, from texts to one of them, and functions that make texts
NUMBERS_OF_TEXTS = {
    "strlen": L.LENGTH,
    "to_number": L.TO_NUMBER,
    "to_unsigned": L.TO_UNSIGNED,
    "min": L.LEAST,
    "max": L.GREATEST,
}
MADE_TEXTS = {"cat": L.CONCATENATE, "substr": L.SUBSTRING, "to_string": L.TO_TEXT}
INTERPRETATIONS = {Kind.UNSIGNED: L.AS_UNSIGNED, Kind.FLOAT: L.AS_FLOAT}
NUMBER = Type("number", Kind.NUMBER)
_Place = tuple[str, int, int, str]  # see `_places`
WEIGHT = "multiplicity"  # register of the number of rows that a batch row stands for, once it was grouped
NUMERIC = frozenset({Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT})


class TooComplex(Exception):
    """Raised for a rule with more variables, literals or steps than a plan record can hold."""


@dataclass(frozen=True)
class Names:
    """What the encoder needs of the state: numbers of relations, cells of constants, operations of functions."""

    relation: Callable[[str], int]
    cell: Callable[[Const], int]
    operation: Callable[[str, Kind, int], int]
    # relation, known columns → columns of the index to use
    choose_index: Callable[[str, tuple[int, ...]], tuple[int, ...]]


def calculated_in_kernel(function: str, kind: Kind) -> bool:
    """Whether a built-in function on arguments of this kind is computed by kernels."""
    return keeps_cell(function, kind) or (function in CALCULATIONS and kind in NUMERIC) or on_texts(function, kind)


def keeps_cell(function: str, kind: Kind) -> bool:
    """Whether the result of a function has the cell of its argument."""
    return function in SAME_CELL or (function == "to_string" and kind is Kind.SYMBOL)


def on_texts(function: str, kind: Kind) -> bool:
    """Whether a function takes texts apart or makes some, in kernels."""
    return (
        function in ("strlen", "cat", "substr")
        or (function == "to_string" and kind in NUMERIC)
        or (function in NUMBERS_OF_TEXTS and kind is Kind.SYMBOL)
    )


def compared_in_kernel(compare: Compare) -> bool:
    """Whether a comparison is evaluated by kernels."""
    ordered = compare.kind in NUMERIC or compare.kind is Kind.SYMBOL
    return compare.operator in ("=", "!=") or (compare.operator in COMPARISONS and ordered)


def _is_filter(compare: Compare, bound: Collection[Var]) -> bool:
    """Whether a comparison is of one of these variables with a constant whose cell alone is equal to it."""
    return (
        compare.operator == "="
        and compare.kind is not Kind.FLOAT
        and compare.left in bound
        and isinstance(compare.right, Const)
    )


class Fields(SimpleNamespace):
    """The fields of a record by name; other fields are 0."""


@dataclass
class _Encoder:
    """Encodes one plan. `records`: its steps so far; `filled`: the constants that the current batch has columns
    for; `filters`: the comparisons that the first scan does."""

    plan: Plan
    own: frozenset[str]
    store: Store
    names: Names
    records: list[Fields] = field(default_factory=list)
    reads: list[set[int]] = field(default_factory=list)
    writes: list[set[int]] = field(default_factory=list)
    registers: dict[Any, int] = field(default_factory=dict)
    filled: set[int] = field(default_factory=set)
    filters: list[Compare] = field(default_factory=list)

    def register(self, what: Any) -> int:
        number = self.registers.setdefault(what, len(self.registers))
        if number >= L.MAX_REGISTERS:
            raise TooComplex(f"more than {L.MAX_REGISTERS} variables")
        return number

    def add(self, kind: int, reads: set[int], writes: set[int]) -> Fields:
        if len(self.records) >= L.MAX_LEVELS - 1:
            raise TooComplex(f"more than {L.MAX_LEVELS} steps")
        record = Fields(kind=kind, value_register=L.NONE, row_register=L.NONE, feeder=L.NONE, rows_below=L.UNBOUNDED)
        self.records.append(record)
        self.reads.append(reads)
        self.writes.append(writes)
        if kind < L.MEMBER:  # a batch of its own
            self.filled.clear()
        return record

    def value(self, term: Term) -> int:
        """The register of a term; for a constant, a step that fills it is added first."""
        if isinstance(term, Var):
            return self.register(term)
        cell = self.names.cell(term)
        register = self.register(("constant", cell))
        if register not in self.filled:
            fill = self.add(L.FILL, set(), {register})
            fill.value_register, fill.constant = register, cell
            self.filled.add(register)
        return register

    def values(self, terms: Sequence[Term]) -> list[int]:
        return [self.value(term) for term in terms]

    def row_register(self, literal: int | None) -> int:
        """The register of the number of a literal's row, if the plan's last step or a multiplicity needs it."""
        wanted = self.plan.role in (Role.FORWARD, Role.BACKWARD) or any(
            isinstance(step, Weigh) and step.literal == literal for step in self.plan.steps
        )
        return self.register(("row", literal)) if wanted else L.NONE

    def encode(self) -> tuple[list[Fields], Fields]:
        self.filters = self.filters_of_scan()
        for number, step in enumerate(self.plan.steps):
            if not 1 <= number <= len(self.filters):
                self.step(step)
        self.last_step()
        self.find_live()
        if self.plan.role not in (Role.FORWARD, Role.BACKWARD):
            self.intersect()
        return self.records, self.plan_record()

    def step(self, step: Step) -> None:
        match step:
            case Scan():
                self.scan(step)
            case Probe():
                self.probe(step)
            case Member():
                self.member(step)
            case Compare():
                self.compare(step)
            case Compute(result, function, arguments, kind):
                self.compute(result, function, arguments, kind)
            case Generate(result, function, arguments, kind):
                self.generate(result, function, arguments, kind)
            case Pack(result, fields, record_type, branch):
                registers = self.values(record_terms(record_type, branch, fields))
                record = self.add(L.PACK, set(registers), {self.register(result)})
                self.relation_of(record, record_relation(record_type))
                record.value_register = self.register(result)
                self.arguments(record, registers)
            case Unpack():
                self.unpack(step)
            case Find():
                self.find(step)
            case Group():
                self.group()
            case Weigh():
                self.weigh(step)

    def group(self) -> None:
        """Add a step that groups rows, whose multiplicity is in a register from here on; `find_live` determines the
        registers to group by."""
        weighted, weight = WEIGHT in self.registers, self.register(WEIGHT)
        record = self.add(L.GROUP, {weight} if weighted else set(), {weight})
        record.value_register, record.constant = weight, int(weighted)

    def weigh(self, step: Weigh) -> None:
        """Add a step that multiplies the multiplicity of rows by that of the intermediate's row they come from."""
        weighted, weight, row = WEIGHT in self.registers, self.register(WEIGHT), self.register(("row", step.literal))
        record = self.add(L.WEIGH, {row, weight} if weighted else {row}, {weight})
        record.relation, record.value_register, record.constant = (
            self.names.relation(step.relation),
            weight,
            int(weighted),
        )
        self.arguments(record, [row])

    def unpack(self, step: Unpack) -> None:
        source, first = self.value(step.record), int(step.branch is not None)
        columns = [(c, self.register(f)) for c, f in enumerate(step.fields, first) if f is not None]
        record = self.add(L.UNPACK, {source}, {r for _, r in columns})
        self.relation_of(record, record_relation(step.type))
        self.arguments(record, [source])
        self.binds(record, columns)
        if step.branch is not None:
            record.check_count, record.constant = 1, branch_number(step.type, step.branch)

    def find(self, step: Find) -> None:
        """Add the steps that look up a record's row, and compute the record's number, which is that of the row plus
        1."""
        registers = self.values(record_terms(step.type, step.branch, step.fields))
        row = self.register(("row of", step.record))
        record = self.add(L.MEMBER, set(registers), {row})
        self.relation_of(record, record_relation(step.type))
        self.arguments(record, registers)
        record.row_register = row
        one = self.value(Const(1, NUMBER))
        record = self.add(L.COMPUTE, {row, one}, {self.register(step.record)})
        record.operation, record.interpretation, record.value_register = L.ADD, L.AS_SIGNED, self.register(step.record)
        self.arguments(record, [row, one])

    def relation_of(self, record: Fields, name: str) -> int:
        number = self.names.relation(name)
        record.relation, record.index = number, int(self.store.relations["primary_index"][number])
        return number

    def binds(self, record: Fields, columns: Sequence[tuple[int, int]]) -> None:
        record.bind_count, record.binds = len(columns), list(columns)

    def arguments(self, record: Fields, registers: Sequence[int]) -> None:
        record.argument_count, record.arguments = len(registers), list(registers)

    def scan(self, step: Scan) -> None:
        in_update = self.plan.role in (Role.FORWARD, Role.BACKWARD)
        columns = [(c, self.register(v)) for c, v in step.binds]
        row = self.row_register("head" if self.plan.role is Role.BACKWARD else step.literal)  # type: ignore[arg-type]
        record = self.add(L.CHANGED if in_update else L.SCAN, set(), {r for _, r in columns} | {row} - {L.NONE})
        self.relation_of(record, step.relation)
        self.binds(record, columns)
        record.row_register, record.window = row, step.window.value
        column_of = {variable: column for column, variable in step.binds}
        filters = [(column_of[f.left], self.names.cell(f.right)) for f in self.filters]  # type: ignore[index,arg-type]
        record.filter_count, record.filters = len(filters), filters
        if len(self.plan.choices) > 1:
            self.choices(record, self.plan.choices)

    def filters_of_scan(self) -> list[Compare]:
        """The comparisons right after the first scan of a column with a constant, which the scan does."""
        scan, others = next(iter(self.plan.steps), None), self.plan.steps[1:]
        if not isinstance(scan, Scan):
            return []
        bound = {variable for _, variable in scan.binds}
        filters = takewhile(lambda step: isinstance(step, Compare) and _is_filter(step, bound), others)
        return list(islice(filters, L.MAX_FILTERS))  # type: ignore[arg-type]

    def choices(self, record: Fields, choices: Sequence[Choice]) -> None:
        record.choice, record.choice_count = self.plan.choice, len(choices)
        record.choices = []
        for choice in choices:
            relation = self.names.relation(choice.relation)
            used = self.names.choose_index(choice.relation, choice.columns)
            keys = [choice.start_columns[choice.columns.index(c)] for c in used]
            weight = min(round(choice.weight * L.WEIGHTS), L.MOST_WEIGHT)
            record.choices.append(
                (self.store.index_on(relation, used), len(used), keys + [0] * (L.MAX_KEYS - len(keys)), weight)
            )

    def probe(self, step: Probe) -> None:
        relation = self.names.relation(step.relation)
        known = dict(step.keys)
        used = self.names.choose_index(step.relation, tuple(c for c, _ in step.keys))
        key_registers = [self.value(known[c]) for c in used]
        exact = len(used) == 1
        checks = [(c, self.value(t)) for c, t in step.keys if c not in used or not exact]
        columns = [(c, self.register(v)) for c, v in step.binds]
        row = self.row_register(step.literal)
        index_number = self.store.index_on(relation, used)
        record = self.add(
            L.PROBE, {*key_registers, *(r for _, r in checks)}, {r for _, r in columns} | {row} - {L.NONE}
        )
        record.relation, record.index, record.row_register = relation, index_number, row
        record.window = step.window.value
        # An entry's tag holds the value column; in the primary index, the other column of a relation of two.
        if self.store.indexes["kind"][index_number] == L.LISTED:
            tagged = int(self.store.indexes["value_column"][index_number])
        else:
            tagged = 1 - used[0] if self.store.relations["arity"][relation] == 2 else L.NONE
        for column, register in columns:
            if column == tagged:
                record.value_register = register
        self.binds(record, [(c, r) for c, r in columns if c != tagged])
        record.key_count, record.keys = len(key_registers), key_registers
        record.check_count, record.checks = len(checks), checks

    def member(self, step: Member) -> None:
        registers = self.values([t for t in step.atom.terms if t is not None])
        row = self.row_register(step.literal)
        record = self.add(L.ABSENT_ROW if step.negated else L.MEMBER, set(registers), {row} - {L.NONE})
        self.relation_of(record, step.atom.relation)
        self.arguments(record, registers)
        record.row_register, record.window = row, step.window.value

    def compare(self, step: Compare) -> None:
        if not compared_in_kernel(step):
            result = Var(f"holds'{len(self.records)}")
            self.host_function(L.CALL, result, step.operator, (step.left, step.right), step.kind)
            step = Compare("!=", result, Const(0, NUMBER), Kind.NUMBER)
        registers = self.values((step.left, step.right))
        record = self.add(L.COMPARE, set(registers), set())
        record.operation = COMPARISONS[step.operator]
        # Equality of cells is equality of values for every kind but floats.
        of_texts = step.kind is Kind.SYMBOL and step.operator not in ("=", "!=")
        record.interpretation = L.AS_TEXT if of_texts else INTERPRETATIONS.get(step.kind, L.AS_SIGNED)
        self.arguments(record, registers)

    def compute(self, result: Var, function: str, arguments: Sequence[Term], kind: Kind) -> None:
        if not calculated_in_kernel(function, kind):
            record = self.host_function(L.CALL, result, function, arguments, kind)
            if function == "to_float":
                record.interpretation = L.AS_TEXT
            return
        registers = self.values(arguments)
        texts, made = on_texts(function, kind), function in MADE_TEXTS and not keeps_cell(function, kind)
        record = self.add(L.MAKE_TEXT if made else L.COMPUTE, set(registers), {self.register(result)})
        operations = MADE_TEXTS if made else NUMBERS_OF_TEXTS if texts else CALCULATIONS
        record.operation, record.value_register = operations.get(function, L.TO_NUMBER), self.register(result)
        if texts and not made:
            record.interpretation = L.AS_TEXT
        elif not keeps_cell(function, kind):
            record.interpretation = INTERPRETATIONS.get(kind, L.AS_SIGNED)
        self.arguments(record, registers)

    def generate(self, result: Var, function: str, arguments: Sequence[Term], kind: Kind) -> None:
        if not (function == "range" and kind in (Kind.NUMBER, Kind.UNSIGNED)):
            self.host_function(L.GENERATE, result, function, arguments, kind)
            return
        registers = self.values(arguments)
        record = self.add(L.RANGE, set(registers), {self.register(result)})
        record.value_register, record.interpretation = self.register(result), INTERPRETATIONS.get(kind, L.AS_SIGNED)
        self.arguments(record, registers)

    def host_function(self, step: int, result: Var, function: str, arguments: Sequence[Term], kind: Kind) -> Fields:
        registers = self.values(arguments)
        if len(arguments) > LIMITS.arguments:
            registers = [self.record_of(registers)]
        record = self.add(step, set(registers), {self.register(result)})
        record.operation, record.value_register = (
            self.names.operation(function, kind, len(arguments)),
            self.register(result),
        )
        self.arguments(record, registers)
        return record

    def record_of(self, registers: Sequence[int]) -> int:
        """The register of the number of the record with these cells."""
        register = self.register(("record", *registers))
        record = self.add(L.PACK, set(registers), {register})
        self.relation_of(record, arguments_relation(len(registers)))
        record.value_register = register
        self.arguments(record, registers)
        return register

    def last_step(self) -> None:
        head, role = self.plan.rule.head, self.plan.role
        if role is Role.BACKWARD:
            row = self.register(("row", "head"))
            record = self.add(L.RANK, {row, *self.body_rows()}, set())
            self.relation_of(record, head.relation)
            record.row_register = row
            return
        registers = self.values([t for t in head.terms if t is not None])
        if role in (Role.BEGUN, Role.FILLED):
            registers.append(self.iteration())
        reads = {*registers, *(self.body_rows() if role is Role.FORWARD else ())}
        weighted = WEIGHT in self.registers
        record = self.add(
            L.SCHEDULE if role is Role.FORWARD else L.INSERT,
            reads | ({self.register(WEIGHT)} if weighted else set()),
            set(),
        )
        record.value_register = self.register(WEIGHT) if weighted else L.NONE
        self.relation_of(record, head.relation)
        self.arguments(record, registers)

    def iteration(self) -> int:
        """The register of the iteration, or of 0, to which the rows belong with which an intermediate begins."""
        register = self.register("iteration")
        record = self.add(L.FILL, set(), {register})
        record.value_register = register
        record.operation = L.THE_ITERATION if self.plan.role is Role.FILLED else L.A_CELL
        return register

    def body_rows(self) -> list[int]:
        return [self.register(("row", n)) for n in range(len(relational_literals(self.plan.rule)))]

    def find_live(self) -> None:
        """Determine which registers are live after each step, backwards: those that a later step reads before any
        writes them."""
        live: set[int] = set()
        for record, reads, writes in zip(
            reversed(self.records), reversed(self.reads), reversed(self.writes), strict=True
        ):
            if record.kind == L.SCAN:
                self.binds(record, [(column, register) for column, register in record.binds if register in live])
            kept = sorted(live - writes)
            record.live_count, record.live = len(kept), kept
            if record.kind == L.GROUP:
                self.arguments(record, kept)
            live = (live - writes) | reads

    def sieves(self) -> list[tuple[int, int, list[int]]]:
        """The first look-ups by columns of the changed row alone, of an update's plan."""
        column_of, sieves = {register: column for column, register in self.records[0].binds}, []
        for record in self.records[1:]:
            keys = list(record.keys) if record.kind == L.PROBE else []
            if record.kind == L.MEMBER:
                keys = [record.arguments[int(self.store.indexes["keys"][record.index][0])]]
            if keys and column_of.keys() >= set(keys):
                columns = [column_of[register] for register in keys]
                sieves.append((record.index, len(columns), columns + [0] * (L.MAX_KEYS - len(columns))))
        return sieves[: L.MAX_SIEVES]

    def intersect(self) -> None:
        """Let each look-up that finds the values of one variable do the membership tests of that variable which follow
        it: `kernels/intersection.py`."""
        for number, record in enumerate(self.records):
            if record.kind == L.PROBE and record.value_register != L.NONE and self.finds_one_value(record):
                members = 0
                while self.tests_value(self.records[number + members + 1], record.value_register):
                    members += 1
                record.constant = members

    @staticmethod
    def finds_one_value(record: Fields) -> bool:
        """Whether a look-up binds nothing but the value that entries of its index hold, and compares nothing."""
        return record.key_count == 1 and not (record.check_count or record.bind_count or record.row_register != L.NONE)

    def tests_value(self, record: Fields, value: int) -> bool:
        """Whether a step is a membership test of pairs of a known value and this one, in a relation that is hashed by
        the known one."""
        if record.kind != L.MEMBER or record.argument_count != 2 or record.row_register != L.NONE:
            return False
        key = int(self.store.indexes["keys"][record.index, 0])
        return bool(record.arguments[1 - key] == value != record.arguments[key])

    def plan_record(self) -> Fields:
        plan = self.plan
        literals = relational_literals(plan.rule)
        if len(literals) > L.MAX_BODY:
            raise TooComplex(f"more than {L.MAX_BODY} atoms in a body")
        in_update = plan.role in (Role.FORWARD, Role.BACKWARD)
        sieves = self.sieves() if in_update else []
        return Fields(
            sieve_count=len(sieves),
            sieves=sieves,
            role=plan.role.value,
            level=L.NONE,
            pending_step=L.NONE,
            head=self.names.relation(plan.rule.head.relation),
            driver=L.NONE if plan.driver is None else plan.driver,
            body_count=len(literals),
            step_count=len(self.records),
            body_relations=[self.names.relation(atom_of(literal).relation) for literal in literals],
            body_kinds=[self.kind_of(literal) for literal in literals],
            row_registers=[self.register(("row", n)) for n in range(len(literals))] if in_update else [],
        )

    def kind_of(self, literal: Atom | Not) -> int:
        if isinstance(literal, Not):
            return L.NEGATED
        return L.INTERNAL if literal.relation in self.own else L.EXTERNAL


def encode(plan: Plan, own: frozenset[str], store: Store, names: Names) -> tuple[list[Fields], Fields]:
    """(fields of the step records, fields of the plan record) of a plan; the indexes that it needs are made."""
    return _Encoder(plan, own, store, names).encode()


def concatenate(encoded: Sequence[tuple[list[Fields], Fields]]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """(steps, plans) as arrays of records."""
    position = 0
    for number, (records, plan) in enumerate(encoded):
        plan.number, plan.first_step = number, position
        position += len(records)
    return (
        _as_records([r for records, _ in encoded for r in records], L.STEP, STEP_PLACES),
        _as_records([p for _, p in encoded], L.PLAN, PLAN_PLACES),
    )


def _as_records(fields: Sequence[Fields], layout: np.dtype[Any], places: Mapping[str, _Place]) -> npt.NDArray[Any]:
    """An array of records, written to its bytes: numpy takes many times longer to write a record."""
    table = np.zeros(len(fields), layout)
    if not fields:
        return table
    raw = memoryview(table.view(np.uint8)).cast("B")  # type: ignore[arg-type]
    cells = {code: raw.cast(code) for code in ("b", "i", "q")}
    for number, one in enumerate(fields):
        for name, value in one.__dict__.items():
            if not value:
                continue
            code, stride, first, shape = places[name]
            place = number * stride + first
            if shape is SINGLE:
                cells[code][place] = value
            elif shape is OTHERS:
                table[name][number, : len(value)] = value
            else:
                for at, cell in enumerate(value if shape is FLAT else chain.from_iterable(value), place):
                    cells[code][at] = cell
    return table


def _places(layout: np.dtype[Any]) -> Iterator[tuple[str, _Place]]:
    """Where the fields of a record lie: the code of their integers, how many of these a record takes, at which of them
    the field begins, and whether it is a single one, or a list of them, of pairs of them, or of other records."""
    assert layout.fields is not None
    for name, (item, offset, *_) in layout.fields.items():
        of = item.base
        if of.names is None:
            size, shape = of.itemsize, FLAT if item.shape else SINGLE
            yield name, (of.char.replace("l", "q"), layout.itemsize // size, offset // size, shape)
        else:
            pairs = of.itemsize == len(of.names) == 2
            yield name, ("b", layout.itemsize, offset, PAIRS if pairs else OTHERS)


SINGLE, FLAT, PAIRS, OTHERS = "single", "flat", "pairs", "others"
STEP_PLACES, PLAN_PLACES = (dict(_places(layout)) for layout in (L.STEP, L.PLAN))
