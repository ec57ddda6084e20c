"""What SQL and Python workers compute on Spark against the definition of built-in functions, over thousands of rows at a time."""
from __future__ import annotations

import itertools
import random
import struct
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from ladder.engine.naive_rules import Instantiations
from ladder.engine.plan.components import expand
from ladder.engine.plan.steps import Find
from ladder.engine.spark.batch import Batch
from ladder.engine.spark.expressions import apply
from ladder.engine.spark.functions import Functions, makes
from ladder.engine.spark.layout import TEXTS, Copy, Layout
from ladder.engine.spark.leaves import View
from ladder.engine.spark.lower import Context, rows_of
from ladder.engine.spark.shipping import classes_of
from ladder.engine.spark.values import Decoder, Encoder, constants
from ladder.language import builtins
from ladder.language.core import (
    ARITHMETIC,
    BUILT_IN,
    CONVERSIONS,
    Atom,
    Column,
    Compute,
    Kind,
    Pack,
    Program,
    Relation,
    Rule,
    Type,
    Var,
    verify,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

N, U, F, S = (Type(kind.value, kind) for kind in (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT, Kind.SYMBOL))
PLAIN = {t.name: t for t in (N, U, F, S)}
TYPES = {t.kind: t for t in (N, U, F, S)}
I, X, Y, Z, R = map(Var, "ixyzr")
INTEGERS = (Kind.NUMBER, Kind.UNSIGNED)
FOR_INTEGERS = ("%", "band", "bor", "bxor", "bnot", "bshl", "bshr", "bshru", "land", "lor", "lxor", "lnot")
UNARY = ("neg", "bnot", "lnot", "strlen", "ord", *CONVERSIONS, "bits_number", "bits_unsigned", "bits_float")


def single(bits: int) -> float:
    found: float = struct.unpack("<f", struct.pack("<i", bits))[0]
    return found


def integers(kind: Kind, count: int) -> list[int]:
    chosen = random.Random(kind.value)
    edges = [0, 1, 2, 3, 7, 21, 31, 32, 33, 40, 46341, 65535, 65536, 2**31 - 1]
    edges += [-1, -2, -7, -(2**31), -(2**31) + 1] if kind is Kind.NUMBER else [2**31, 2**32 - 1, 2**32 - 2]
    least, most = (-(2**31), 2**31) if kind is Kind.NUMBER else (0, 2**32)
    return [*edges, *(chosen.randrange(least, most) >> chosen.randrange(32) for _ in range(count))]


def floats(count: int) -> list[float]:
    chosen = random.Random(5)
    edges = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 1.5, -2.5, 2.0**31, -(2.0**31), 2.0**32, 2.0**63, -(2.0**63), 2.0**100, 2.0**-126, 2.0**-149,
             16777215.0, 2147483520.0, float("inf"), float("-inf"), float("nan"), -float("nan")]
    return [*edges, *(single(chosen.randrange(-(2**31), 2**31)) for _ in range(count)), *(chosen.randrange(-99, 99) / 4 for _ in range(count))]


def texts(count: int) -> list[str]:
    chosen = random.Random(6)
    edges = ["", "a", "b", "B", "ä", "12", "-3x", " 7", "4294967295", "4294967296", "-2147483648", "1.5e3", "0x1F", "0b101", "nan", "-inf", "1e99", "'", "\\", "日本"]
    return [*edges, *("".join(chosen.choices("ab1-.eäß日\U0001f600", k=chosen.randrange(6))) for _ in range(count))]


def values(kind: Kind, count: int) -> list[Any]:
    return integers(kind, count) if kind in INTEGERS else floats(count // 2) if kind is Kind.FLOAT else texts(count)


def rows_of_kind(kind: Kind, arguments: int) -> list[tuple[Any, ...]]:
    """All pairs of edges among them."""
    if arguments == 1:
        return [(value,) for value in values(kind, 2000)]
    some = values(kind, 1500)
    return [*itertools.product(some[:24], repeat=2), *zip(some, random.Random(1).sample(some, len(some)), strict=True)]


def pattern(value: Any) -> Any:
    """Values as states compare them: floats by their bits, whatever the sign of what is no number."""
    return struct.pack("<f", value) if isinstance(value, float) else value


def computed(literal: Compute, row: tuple[Any, ...]) -> set[Any]:
    """By definition; the naive evaluator has no results that are not equal to themselves."""
    try:
        return {pattern(builtins.compute(literal.function, row, literal.kind))}
    except builtins.NoValue:
        return set()


@dataclass
class Case:
    """Literals over rows of columns x, y, z; `types` of the columns, `result` of r."""

    literals: Sequence[Any]
    types: Sequence[Type]
    result: Type
    program: Program

    @staticmethod
    def of(literals: Sequence[Any], types: Sequence[Type], result: Type, base: Program | None = None) -> Case:
        relations = (Relation("given", (Column("i", N), *(Column(f"a{i}", t) for i, t in enumerate(types)))),
                     Relation("found", (Column("i", N), Column("r", result))))
        given = Atom("given", (I, X, Y, Z)[:1 + len(types)])
        core = tuple(Pack(s.record, s.fields, s.type, s.branch) if isinstance(s, Find) else s for s in literals)
        base = base or Program({}, (), types=PLAIN)
        rule = Rule(Atom("found", (I, R)), (given, *core))
        return Case(literals, types, result, verify(replace(base, relations={r.name: r for r in relations}, rules=(rule,), facts={})))

    def expected(self, rows: Sequence[tuple[Any, ...]]) -> dict[int, set[Any]]:
        """By definition."""
        if len(self.literals) == 1 and isinstance(self.literals[0], Compute) and self.literals[0].function in BUILT_IN:
            return {i: found for i, row in enumerate(rows) if (found := computed(self.literals[0], row))}
        given = {(i, *row): 0 for i, row in enumerate(rows)}
        found = defaultdict(set)
        for (i, value), _ in Instantiations(self.program.rules[0], self.program, {"given": given}):
            found[i].add(pattern(value))
        return dict(found)

    def found(self, spark: SparkSession, rows: Sequence[tuple[Any, ...]], seed: int = 42) -> dict[int, set[Any]]:
        """On Spark. Every cell is given back by what came along with the rows."""
        functions = Functions(self.program, spark, seed)
        encoder = constants(self.program, Encoder(self.program.types, seed, functions.spelled))
        cells = encoder.rows([(i, *row) for i, row in enumerate(rows)], [N, *self.types]).tolist()
        width = 2 + len(self.types)
        spark.createDataFrame(cells, ", ".join(f"c{i} bigint" for i in range(width - 1))).createOrReplaceTempView("given_rows")
        views = self._views(spark, encoder)
        context = Context(self.program, expand(self.program).relations, lambda name, window, columns: views.get(name), functions, seed)
        columns = {v: f"g.c{i}" for i, v in enumerate((I, X, Y, Z)[:width - 1])}
        batch = Batch("given_rows g", "g", columns)
        for literal in self.literals:
            batch = apply(literal, batch, context)
        may_make = makes(self.program.rules[0], self.program)
        arities = {"found": 2, TEXTS: 1, **{t: len(r.columns) + 1 for t, r in context.relations.items() if t.startswith("[]")}}
        layout = Layout.of(arities, {}, frozenset((TEXTS,)))
        tags = {layout.tag(name): name for name in arities}
        found: dict[int, list[int]] = defaultdict(list)
        derived, = rows_of(Atom("found", (I, R)), batch, context, layout)
        for row in spark.sql(derived.sql).collect():
            name = tags[row["t"]]
            got = [row[f"c{i}"] for i in range(arities[name])]
            if name == "found":
                found[got[0]].append(got[1])
                continue
            assert name in may_make
            if name == TEXTS:
                assert encoder.texts.setdefault(got[0], bytes(row["x"])) == bytes(row["x"])
            else:
                assert encoder.records.setdefault(name, {}).setdefault(got[0], tuple(got[1:])) == tuple(got[1:])
        decoder = Decoder(self.program.types, encoder.texts.__getitem__, lambda table, id_: encoder.records.get(table, {}).get(id_), classes_of(self.program))
        decoded = {i: {pattern(decoder.value(cell, self.result)) for cell in some} for i, some in found.items()}
        assert all(len(decoded[i]) == len(some) for i, some in found.items()), "a result came twice"
        return decoded

    @staticmethod
    def _views(spark: SparkSession, encoder: Encoder) -> dict[str, View]:
        views = {}
        if encoder.texts:
            spark.createDataFrame([(i, bytearray(x)) for i, x in encoder.texts.items()], "c0 bigint, x binary").createOrReplaceTempView("all_texts")
            views[TEXTS] = View("(SELECT c0 AS k, c0, x FROM all_texts)", Copy(TEXTS, (0,), 1), len(encoder.texts))
        for number, (table, records) in enumerate(encoder.records.items()):
            rows = [(id_, *cells) for id_, cells in records.items()]
            spark.createDataFrame(rows, ", ".join(f"c{i} bigint" for i in range(len(rows[0])))).createOrReplaceTempView(f"records{number}")
            views[table] = View(f"(SELECT c0 AS k, * FROM records{number})", Copy(table, (0,), 1), len(rows))
        return views

    def check(self, spark: SparkSession, rows: Sequence[tuple[Any, ...]], seed: int = 42) -> None:
        found, expected = self.found(spark, rows, seed), self.expected(rows)
        for i, row in enumerate(rows):
            assert found.get(i, set()) == expected.get(i, set()), (row, self.literals)


def check_function(spark: SparkSession, function: str, kind: Kind) -> None:
    count = 1 if function in UNARY else 2
    result = {"to_number": N, "to_unsigned": U, "to_float": F, "to_string": S, "strlen": N, "ord": N, "bits_number": N, "bits_unsigned": U,
              "bits_float": F}.get(function, TYPES[kind])
    Case.of([Compute(R, function, (X, Y)[:count], kind)], [TYPES[kind]] * count, result).check(spark, rows_of_kind(kind, count))


@pytest.mark.parametrize("kind", [Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT])
@pytest.mark.parametrize("function", [*ARITHMETIC, "to_number", "to_unsigned", "to_float", "to_string", "ord", "bits_number", "bits_unsigned", "bits_float"])
def test_functions_of_numbers(spark: SparkSession, function: str, kind: Kind) -> None:
    if kind is Kind.FLOAT and function in FOR_INTEGERS or (function, kind) == ("neg", Kind.UNSIGNED):
        pytest.skip("there is no such function")
    check_function(spark, function, kind)


@pytest.mark.parametrize("function", ["to_string", "to_number", "to_unsigned", "to_float", "cat", "min", "max", "strlen"])
def test_functions_of_symbols(spark: SparkSession, function: str) -> None:
    check_function(spark, function, Kind.SYMBOL)
