"""Totals of thousands of random groups on Spark, many lattices in one job, against joining their aggregate inputs in
plain Python."""

from __future__ import annotations

import math
import random
import struct
import uuid
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pyarrow as pa
import pytest
from pyspark.errors import PythonException

from ladder.engine.reference.rules import join_of
from ladder.engine.spark.aggregation.totals import Aggregation
from ladder.engine.spark.layout import TEXTS, Layout, key_sql
from ladder.engine.spark.lowering.values import Decoder, Encoder
from ladder.engine.spark.values.shipping import error_in
from ladder.language.core import Atom, Column, Kind, Program, Relation, Rule, Type, Var
from ladder.language.values.exact import ExactSum, one
from ladder.lattices import (
    BOTTOM,
    TOP,
    KSet,
    Widening,
    boolean,
    congruence,
    dual,
    finite,
    flat,
    interval,
    k_set,
    lexicographic,
    maximum,
    minimum,
    parity,
    pointwise,
    powerset,
    product,
    sign,
)
from ladder.plan.components import expand, is_record_table
from tests.engine.joins import _KEPT as KEPT
from tests.engine.joins import compiled, given, in_python, middle

NUMBER, UNSIGNED, FLOAT = Type("number", Kind.NUMBER), Type("unsigned", Kind.UNSIGNED), Type("float", Kind.FLOAT)
SYMBOL, OBJECT = Type("symbol", Kind.SYMBOL), Type("object", Kind.OBJECT)
POINT = Type("Range", Kind.RECORD, (("low", "number"), ("high", "number")))
TYPES = {t.name: t for t in (NUMBER, UNSIGNED, FLOAT, SYMBOL, OBJECT, POINT)}
SEED = 42


def floats() -> list[float]:
    return [
        0.0,
        -0.0,
        1.5,
        -1.5,
        1e-40,
        -1e-40,
        float("inf"),
        float("-inf"),
        3e38,
        7.25,
        -2.0,
        *(struct.unpack("<f", struct.pack("<I", bits))[0] for bits in (0x7FC00000, 0x3F800001)),
    ]


def extreme(name: str) -> Any:
    """Floats in the order of the local engine: -0 before 0, what is no number last."""

    def key(x: float) -> Any:
        return (math.isnan(x), x, math.copysign(1, x))

    return lambda a, b: (min if name == "min" else max)(a, b, key=key)


class Hull:
    """A lattice of records."""

    def join(self, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        return min(a[0], b[0]), max(a[1], b[1])


class Longest:
    """A lattice of symbols: the longer one, of two as long the later one."""

    def join(self, a: str, b: str) -> str:
        return max(a, b, key=lambda text: (len(text), text))


@dataclass(frozen=True)
class Case:
    """An aggregated relation and what its aggregate inputs are drawn from."""

    name: str
    lattice: Any
    type: Type
    values: Sequence[Hashable]
    group: int = 1
    keys: int = 0


class OwnSets(KSet):
    """Sets whose join might be another one than that of the supplied ones."""


def records() -> Iterator[tuple[Any, ...]]:
    """Of products in products, with parts of several sizes."""
    source = random.Random(5)
    for _ in range(12):
        low, high = source.choice([-3, 0, 2**40]), source.choice([2**40, 2**41])
        yield (
            source.choice(sign.elements),
            source.choice([BOTTOM, (low, high)]),
            source.randrange(2),
            (source.randrange(-2, 3), source.choice([BOTTOM, (low, low)])),
        )


def maps(value: Callable[[random.Random], Hashable]) -> Iterator[frozenset[Hashable]]:
    """Of no to four entries, and of many."""
    source = random.Random(6)
    for size in (0, 1, 1, 2, 3, 3, 4):
        yield frozenset((key, value(source)) for key in source.sample(["x", "", -1, None, b"x", 0.5], size))
    yield frozenset((f"many {i}", value(source)) for i in range(150))


def cases() -> list[Case]:
    numbers = [-(2**31), -5, -1, 0, 1, 7, 2**31 - 1]
    sets = [frozenset(s) for s in ("", "a", "b", "ab", "abc", "c")]
    diamond = finite(
        ["bottom", "left", "right", "top"], [[0, 1, 2, 3], [1, 1, 3, 3], [2, 3, 2, 3], [3, 3, 3, 3]], "symbol"
    )
    ranges = [BOTTOM, (0, 0), (3, 5), (-7, 2), (100, 100), (1, 2**40)]
    return [
        Case("min", None, NUMBER, numbers, 2),
        Case("max", None, NUMBER, numbers),
        Case("min", None, UNSIGNED, [0, 1, 2**31, 2**32 - 1]),
        Case("max", None, UNSIGNED, [0, 1, 2**31, 2**32 - 1], 3),
        Case("min", None, FLOAT, floats()),
        Case("max", None, FLOAT, floats()),
        Case("sum", None, NUMBER, numbers, 1, 2),
        Case("sum", None, UNSIGNED, [0, 1, 2**31, 2**32 - 1], 2, 1),
        Case("sum", None, NUMBER, numbers),
        Case("flat", flat, OBJECT, [BOTTOM, TOP, 1, 2, "a", (1, 2)], 2),
        Case("sign", sign, SYMBOL, list(sign.elements)),
        Case("parity", parity, SYMBOL, list(parity.elements)),
        Case("boolean", boolean, NUMBER, [0, 1]),
        Case("minimum", minimum, NUMBER, numbers),
        Case("diamond", diamond, SYMBOL, ["bottom", "left", "right", "top"]),
        Case("given", given, NUMBER, KEPT),
        Case("in_python", in_python, NUMBER, KEPT, 2),
        Case("compiled", compiled, NUMBER, KEPT),
        Case("sets", powerset, OBJECT, sets, 3),
        Case("few", k_set(2), OBJECT, [*sets[:4], TOP]),
        Case("asked", OwnSets(2), OBJECT, [*sets[:4], TOP]),
        Case(
            "parts",
            powerset,
            OBJECT,
            [frozenset(s) for s in ((), (1,), (-1, "a"), ("", b"\0", 0.5), (None, 2**80), ("é", -(2**63)))],
        ),
        Case("ranges", interval(None), OBJECT, ranges),
        Case("common", dual(interval(None)), OBJECT, [*ranges, (-50, 50), (4, 200), (5, 2**50)]),
        Case("widened", Widening(interval((-50, 0, 50, 2**31))), OBJECT, ranges),
        Case("classes", congruence, OBJECT, congruence.examples()),
        Case(
            "most", Widening(interval((-(2**63), 2**63 - 1))), OBJECT, [(-(2**63), 0), (0, 2**63 - 1), (5, 5), BOTTOM]
        ),
        Case(
            "pairs", product(sign, k_set(1)), OBJECT, [("-", frozenset()), ("+", frozenset("a")), ("0", frozenset("b"))]
        ),
        Case(
            "records", product(sign, interval(None), boolean, product(minimum, interval(None))), OBJECT, list(records())
        ),
        Case(
            "wide",
            Widening(product(interval((-50, 0, 50)), maximum, parity)),
            OBJECT,
            [(r, n, p) for r in ((0, 0), (3, 5), BOTTOM, (-7, 2)) for n, p in ((0, "even"), (-1, "odd"))],
        ),
        Case(
            "maps",
            pointwise(k_set(1)),
            OBJECT,
            [frozenset(), frozenset({("x", frozenset("a"))}), frozenset({("y", TOP)})],
            2,
        ),
        Case(
            "entries",
            pointwise(product(maximum, interval(None))),
            OBJECT,
            list(maps(lambda source: (source.randrange(-3, 3), source.choice(ranges)))),
        ),
        Case("constants", pointwise(flat), OBJECT, list(maps(lambda source: source.choice([1, "a", TOP])))),
        Case(
            "widened_maps",
            Widening(pointwise(interval((-50, 0, 50)))),
            OBJECT,
            list(maps(lambda source: source.choice(((0, 0), (3, 5), (-7, 2))))),
        ),
        Case("asked_maps", pointwise(congruence), OBJECT, list(maps(lambda source: (0, source.randrange(20))))),
        Case(
            "pairs_first",
            lexicographic(sign, k_set(1)),
            OBJECT,
            [(s, frozenset(e)) for s in ("-", "0", "+") for e in ("a", "b", "")],
        ),
        Case("hull", Hull(), POINT, [(0, 0), (3, 5), (-7, 2)]),
        Case("longest", Longest(), SYMBOL, ["", "a", "b", "zz", "é"]),
        Case("exact", ExactSum(), OBJECT, [one(x) for x in (0.5, -2.0, 1e30, float("inf"))], 1, 1),
        Case("bag", OwnSets(3), OBJECT, [*sets, TOP], 1, 1),
        Case("keyed", k_set(3), OBJECT, [*sets, TOP], 1, 1),
    ]


@dataclass
class Stage:
    """Aggregated relations evaluated together, as the loop of an engine does it; rows are derived at random."""

    spark: Any
    cases: list[Case]
    partitions: int = 2
    stored: list[tuple[Any, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.names = [f"{case.name}{i}" for i, case in enumerate(self.cases)]
        self.program = program_of(dict(zip(self.names, self.cases, strict=True)))
        expanded = expand(self.program)
        components = [c for c in expanded.components if c.aggregates]
        arities = {r.name: r.arity for c in components for r in c.relations}
        keys = {
            n: [tuple(range(expanded.relations[name].arity - 1))]
            for name in self.names
            for n in (name, f"{name}$in", f"{name}$all")
        }
        tables = {name: 1 + r.arity for name, r in expanded.relations.items() if is_record_table(r)}
        self.layout = Layout.of({**arities, **tables, TEXTS: 1}, keys, (TEXTS, *arities))
        self.aggregation = Aggregation(components, expanded.relations, self.program, self.layout, SEED, self.partitions)
        self.encoder = Encoder(TYPES, SEED, {POINT.name})
        for case in self.cases:
            for value in getattr(case.lattice, "elements", ()) or [
                getattr(case.lattice, end) for end in ("bottom", "top") if case.name == "flat"
            ]:
                self.encoder.cell(value, case.type)
        self.relation = {self.layout.tag(name): name for name in self.layout.arities}

    def source(self, rows: list[tuple[Any, ...]]) -> str:
        """A view of wide rows (t, cells, f, x) of replica 0, spread by k."""
        width = self.layout.width
        table = pa.table(
            [
                pa.array([row[0] for row in rows], pa.int32()),
                *(pa.array([row[1][i] if i < len(row[1]) else 0 for row in rows], pa.int64()) for i in range(width)),
                pa.array([row[2] for row in rows], pa.int32()),
                pa.array([row[3] for row in rows], pa.binary()),
            ],
            names=["t", *Layout.cells(width), "f", "x"],
        )
        name = f"rows_{uuid.uuid4().hex}"
        keys = " ".join(
            f"WHEN {replica.tag} THEN {key_sql(replica.key, Layout.cells(width))}" for replica in self.layout.replicas
        )
        self.spark.createDataFrame(table).createOrReplaceTempView(name)
        return (
            f"(SELECT /*+ REPARTITION({self.partitions}, k) */ t, k, {', '.join(Layout.cells(width))}, 1L AS n, f, x "
            f"FROM (SELECT *, CASE t {keys} END AS k FROM {name}))"
        )

    def iterate(self, iteration: int, derived: dict[str, list[tuple[Hashable, ...]]]) -> None:
        """One iteration: aggregate inputs of relations, by name, as rows of values."""
        rows = [
            (self.layout.tag(f"{name}$in"), self.cells(name, row), iteration, self.content(name, row))
            for name, some in derived.items()
            for row in some
        ]
        found = self.aggregation.totals(
            self.spark, self.source(rows), self.source(self.stored) if self.stored else None
        )
        known = {
            (t, cells[:-1] if self.relation[t].endswith("$all") else cells, cells[-1]) for t, cells, _, _ in self.stored
        }
        new = [row for row in dict.fromkeys(rows) if (row[0], row[1], row[1][-1]) not in known]
        for part in (*([] if found.settled is None else [found.settled]), *found.derived):
            new += self.collected(part)
        for t, cells, f, x in new:
            if self.relation[t] == TEXTS:
                self.encoder.texts.setdefault(cells[0], x)
            elif self.relation[t] in self.encoder.records or self.relation[t].startswith("[]"):
                self.encoder.records.setdefault(self.relation[t], {})[cells[0]] = cells[1:]
        self.stored += [
            row for row in new if self.relation[row[0]] != TEXTS and not self.relation[row[0]].startswith("[]")
        ]

    def collected(self, query: str) -> list[tuple[Any, ...]]:
        cells = Layout.cells(self.layout.width)
        cases = " ".join(f"WHEN {replica.tag} THEN {key_sql(replica.key, cells)}" for replica in self.layout.replicas)
        rows = self.spark.sql(f"SELECT *, CASE t {cases} END AS expected FROM ({query})").collect()
        assert all(row.k == row.expected and row.n == 1 for row in rows)
        return [
            (
                row.t,
                tuple(row[2 : 2 + self.layout.arities[self.relation[row.t]]]),
                row.f,
                None if row.x is None else bytes(row.x),
            )
            for row in rows
        ]

    def cells(self, name: str, row: tuple[Hashable, ...]) -> tuple[int, ...]:
        case = self.cases[self.names.index(name)]
        return (*row[:-1], self.encoder.cell(row[-1], case.type))  # type: ignore[arg-type]

    def content(self, name: str, row: tuple[Hashable, ...]) -> bytes | None:
        case = self.cases[self.names.index(name)]
        return (
            self.encoder.texts.get(self.encoder.cell(row[-1], case.type))
            if case.type.kind in (Kind.OBJECT, Kind.SYMBOL, Kind.RECORD)
            else None
        )

    def value(self, name: str, cell: int) -> Any:
        decoder = Decoder(
            TYPES,
            self.encoder.texts.__getitem__,
            lambda table, id_: self.encoder.records.get(table, {}).get(id_),
            {"ladder.lattices.base:Extreme": type(TOP)},
        )
        return decoder.value(cell, self.cases[self.names.index(name)].type)

    def totals(self, name: str) -> dict[tuple[int, ...], int]:
        """Rows of R$all → iteration."""
        tag = self.layout.tag(f"{name}$all")
        found = {cells: f for t, cells, f, _ in self.stored if t == tag}
        assert len(found) == sum(t == tag for t, *_ in self.stored), name
        return found

    def finals(self) -> dict[str, set[tuple[int, ...]]]:
        rows = self.collected(self.aggregation.finals(self.spark, self.source(self.stored)))
        found: dict[str, set[tuple[int, ...]]] = {name: set() for name in self.names}
        for t, cells, f, _ in rows:
            assert f == 0 and cells not in found[self.relation[t]]
            found[self.relation[t]].add(cells)
        return found


def program_of(cases: dict[str, Case]) -> Program:
    """Each relation takes its rows from another one, and reads itself so that it is recursive."""
    relations, rules, lattices = {}, [], {}
    for name, case in cases.items():
        group, keys = [
            tuple(Column(f"{kind}{i}", NUMBER) for i in range(count))
            for kind, count in (("g", case.group), ("k", case.keys))
        ]
        value = Column("v", case.type)
        relations[f"{name}_e"] = Relation(f"{name}_e", (*group, *keys, value))
        relations[name] = Relation(name, (*group, value), case.name if case.lattice is None else name, keys=keys)
        if case.lattice is not None:
            lattices[name] = case.lattice
        head = tuple(Var(column.name) for column in (*group, *keys, value))
        given_ = Atom(f"{name}_e", head)
        rules += [
            Rule(Atom(name, head), (given_,)),
            Rule(Atom(name, head), (Atom(name, (*head[: case.group], None)), given_)),
        ]
    return Program(relations, tuple(rules), lattices=lattices, types=TYPES)


@dataclass
class Expected:
    """The same by definition; aggregate inputs by their cells, since -0.0 and 0.0 are equal but two values."""

    stage: Stage
    aggregate_inputs: dict[str, dict[tuple[int, ...], tuple[Hashable, ...]]] = field(default_factory=dict)
    totals: dict[str, dict[tuple[int, ...], int]] = field(default_factory=dict)
    last: dict[str, dict[tuple[int, ...], int]] = field(default_factory=dict)

    def iterate(self, iteration: int, derived: dict[str, list[tuple[Hashable, ...]]]) -> None:
        for name, rows in derived.items():
            case = self.stage.cases[self.stage.names.index(name)]
            join = join_of(self.stage.program, name) if case.type.kind is not Kind.FLOAT else extreme(case.name)
            known = self.aggregate_inputs.setdefault(name, {})
            for row in rows:
                known.setdefault(self.stage.cells(name, row), row)
            groups: dict[tuple[int, ...], list[Any]] = {}
            for row in known.values():
                groups.setdefault(row[: case.group], []).append(row[-1])  # type: ignore[arg-type]
            for group, values in groups.items():
                total = values[0]
                for value in values[1:]:
                    total = join(total, value)
                row_ = (*group, self.stage.encoder.cell(total, case.type))
                self.totals.setdefault(name, {}).setdefault(row_, iteration)
                self.last.setdefault(name, {})[group] = row_[-1]


def derivations(
    cases: list[Case], names: list[str], source: random.Random, groups: int
) -> Iterator[dict[str, list[tuple[Hashable, ...]]]]:
    """Rows of one iteration after the other; most groups have one or two aggregate inputs, some many."""
    for iteration in count(1):
        found: dict[str, list[tuple[Hashable, ...]]] = {}
        for name, case in zip(names, cases, strict=True):
            rows = []
            for _ in range(groups if iteration == 1 else groups // 4):
                number = source.randrange(groups) if source.random() < 0.8 else source.randrange(3)
                group = (number, *(number % (i + 2) for i in range(case.group - 1)))
                rows.append((*group, *(source.randrange(3) for _ in range(case.keys)), source.choice(case.values)))
            found[name] = rows
        yield found


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("seed", "groups", "iterations"),
    [(1, 200, 2), pytest.param(2, 2000, 5, marks=pytest.mark.large)],
)
def test_totals_of_random_groups(spark: Any, seed: int, groups: int, iterations: int) -> None:
    """All lattices in one job, bags among them."""
    check(Stage(spark, cases()), random.Random(seed), groups, iterations)


def test_joins_that_python_is_asked_for(spark: Any) -> None:
    """Those of congruences, of one's own lattices, and bags of objects."""
    asked = {member.aggregate.name.rstrip("0123456789") for member in Stage(spark, cases()).aggregation.asked}
    assert asked == {"classes", "asked_maps", "asked", "in_python", "compiled", "hull", "longest", "exact", "bag"}


def test_groups_that_go_on_in_the_next_batch(spark: Any) -> None:
    """Batches of Arrow that are smaller than most groups."""
    before = spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "3")
    try:
        check(
            Stage(spark, [c for c in cases() if c.name in ("asked", "exact", "bag", "compiled", "hull")]),
            random.Random(3),
            12,
            3,
        )
    finally:
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", before)


def check(stage: Stage, source: random.Random, groups: int, iterations: int) -> None:
    expected = Expected(stage)
    for iteration, derived in zip(range(1, iterations + 1), derivations(stage.cases, stage.names, source, groups)):
        stage.iterate(iteration, derived)
        expected.iterate(iteration, derived)
    finals = stage.finals()
    for name in stage.names:
        assert stage.totals(name) == expected.totals[name], name
        assert finals[name] == {(*group, cell) for group, cell in expected.last[name].items()}, name
        for cell in {cells[-1] for cells in stage.totals(name)}:
            stage.value(name, cell)
    assert any(len({cells[:-1] for cells in stage.totals(name)}) < len(stage.totals(name)) for name in stage.names), (
        "no total has changed"
    )


ALONE = ("max", "sum", "flat", "sign", "diamond", "sets", "widened", "records", "asked", "entries", "pairs_first")


@pytest.mark.parametrize(
    "case",
    [c if c.name in ALONE else pytest.param(c, marks=pytest.mark.nightly) for c in cases()],
    ids=lambda c: c.name,
)
def test_a_relation_alone(spark: Any, case: Case) -> None:
    """No tag tells relations apart in its SQL, not even where an outer join finds no total of earlier."""
    check(Stage(spark, [case]), random.Random(7), 30, 3)


def test_a_join_of_no_lattice_is_told(spark: Any) -> None:
    stage = Stage(spark, [Case("middle", middle, NUMBER, [10, 4])])
    stage.iterate(1, {"middle0": [(0, 10)]})
    with pytest.raises(PythonException) as raised:
        stage.iterate(2, {"middle0": [(0, 4)]})
    found = error_in(str(raised.value))
    assert found is not None and "not that of a lattice" in found.message
