"""What SQL and Python workers compute on Spark against the definition of built-in functions, over thousands of rows at
a time."""

from __future__ import annotations

import itertools
import random
import struct
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from ladder.engine.classes import classes_of
from ladder.engine.reference.rules import Instantiations
from ladder.engine.spark.layout import TEXTS, Layout, Replica
from ladder.engine.spark.lowering.batch import Batch
from ladder.engine.spark.lowering.context import Context
from ladder.engine.spark.lowering.expressions import apply
from ladder.engine.spark.lowering.functions import Answerer, Functions, Needs, Signature, makes
from ladder.engine.spark.lowering.lower import rows_of
from ladder.engine.spark.lowering.values import Decoder, Encoder, constants
from ladder.engine.spark.materialised import View
from ladder.engine.spark.refusals import refusals
from ladder.engine.spark.values.shipping import error_in
from ladder.errors import LadderError
from ladder.language.compile import compile_program
from ladder.language.core import (
    ARITHMETIC,
    BUILT_IN,
    CONVERSIONS,
    Atom,
    Column,
    Compare,
    Compute,
    Const,
    Function,
    Generate,
    Kind,
    Literal,
    Pack,
    Program,
    Relation,
    Rule,
    Type,
    Unpack,
    Var,
    verify,
)
from ladder.language.values import builtins
from ladder.plan.components import expand, is_record_table
from ladder.plan.steps import Find
from ladder.support.tuning import Distributing

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

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
    edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        -3.0,
        1.5,
        -2.5,
        2.0**31,
        -(2.0**31),
        2.0**32,
        2.0**63,
        -(2.0**63),
        2.0**100,
        2.0**-126,
        2.0**-149,
        16777215.0,
        2147483520.0,
        float("inf"),
        float("-inf"),
        float("nan"),
        -float("nan"),
    ]
    return [
        *edges,
        *(single(chosen.randrange(-(2**31), 2**31)) for _ in range(count)),
        *(chosen.randrange(-99, 99) / 4 for _ in range(count)),
    ]


def texts(count: int) -> list[str]:
    chosen = random.Random(6)
    edges = [
        "",
        "a",
        "b",
        "B",
        "ä",
        "12",
        "-3x",
        " 7",
        "4294967295",
        "4294967296",
        "-2147483648",
        "1.5e3",
        "0x1F",
        "0b101",
        "nan",
        "-inf",
        "1e99",
        "'",
        "\\",
        "日本",
    ]
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


def computed(literal: Compute, row: tuple[Any, ...]) -> list[Any]:
    """By definition; the naive evaluator has no results that are not equal to themselves."""
    try:
        by_name = dict(zip((X, Y, Z), row, strict=False))
        arguments = tuple(a.value if isinstance(a, Const) else by_name[a] for a in literal.arguments)
        return [pattern(builtins.compute(literal.function, arguments, literal.kind))]
    except builtins.NoValue:
        return []


Literals = Sequence[Any]  # that compute r from x, y, z; steps of plans


@dataclass(frozen=True)
class Cases:
    """Literals over rows of columns of some types, each with the type of its result; `program`: one rule for each,
    `found0`, ….

    All of them are one query on Spark.
    """

    types: Sequence[Type]
    rows: Sequence[tuple[Any, ...]]
    cases: Sequence[tuple[Literals, Type]]
    program: Program

    @staticmethod
    def of(
        types: Sequence[Type],
        rows: Sequence[tuple[Any, ...]],
        cases: Sequence[tuple[Literals, Type]],
        base: Program | None = None,
    ) -> Cases:
        given = Relation("given", (Column("i", N), *(Column(f"a{i}", t) for i, t in enumerate(types))))
        found = [Relation(f"found{j}", (Column("i", N), Column("r", result))) for j, (_, result) in enumerate(cases)]
        atom = Atom("given", (I, X, Y, Z)[: 1 + len(types)])
        rules = tuple(
            Rule(Atom(f"found{j}", (I, R)), (atom, *map(core_of, literals))) for j, (literals, _) in enumerate(cases)
        )
        base = base or Program({}, (), types=PLAIN)
        return Cases(
            types,
            rows,
            cases,
            verify(replace(base, relations={r.name: r for r in (given, *found)}, rules=rules, facts={})),
        )

    def check(self, spark: SparkSession, seed: int = 42) -> None:
        """Every case has the results of the definition, each once."""
        found = self.found(spark, seed)
        for j, (literals, _) in enumerate(self.cases):
            expected = self.expected(j)
            for i, row in enumerate(self.rows):
                assert found.get((j, i), []) == expected.get(i, []), (row, *map(str, literals))

    def expected(self, case: int) -> dict[int, list[Any]]:
        """By definition."""
        literals = self.cases[case][0]
        if len(literals) == 1 and isinstance(literals[0], Compute) and literals[0].function in BUILT_IN:
            return {i: result for i, row in enumerate(self.rows) if (result := computed(literals[0], row))}
        naive, found = Instantiations(self.program.rules[case], self.program, {}), dict[int, list[Any]]()
        for i, row in enumerate(self.rows):
            solutions: list[dict[Var, Any]] = [dict(zip((I, X, Y, Z), (i, *row), strict=False))]
            for literal in map(core_of, literals):
                solutions = [extended for bindings in solutions for extended in naive.solutions(literal, bindings)]
            if solutions:
                found[i] = [pattern(bindings[R]) for bindings in solutions]
        return {i: sorted(values, key=repr) for i, values in found.items()}

    def found(self, spark: SparkSession, seed: int = 42) -> dict[tuple[int, int], list[Any]]:
        """(case, row) → results, on Spark. Every cell is decoded by what came along with the rows."""
        functions = Functions(self.program, spark, seed)
        encoder = constants(self.program, Encoder(self.program.types, seed, functions.tuple_types))
        context = self._context(spark, encoder, functions, seed)
        arities = {
            **{f"found{j}": 2 for j in range(len(self.cases))},
            TEXTS: 1,
            **{t: len(r.columns) + 1 for t, r in context.relations.items() if is_record_table(r)},
        }
        layout = Layout.of(arities, {}, frozenset((TEXTS,)))
        names = {layout.tag(name): name for name in arities}
        selects = [
            derived.sql
            for j in range(len(self.cases))
            for derived in rows_of(Atom(f"found{j}", (I, R)), self._batch(j, context), context, layout, 1)
        ]
        may_make = frozenset[str]().union(*(makes(rule, self.program) for rule in self.program.rules))
        cells = []
        for row in spark.sql(" UNION ALL ".join(selects)).collect():
            name = names[row["t"]]
            got = [row[f"c{i}"] for i in range(arities[name])]
            if name.startswith("found"):
                cells.append((int(name.removeprefix("found")), *got))
            elif name == TEXTS:
                assert encoder.texts.setdefault(got[0], bytes(row["x"])) == bytes(row["x"])
            else:
                assert encoder.records.setdefault(name, {}).setdefault(got[0], tuple(got[1:])) == tuple(got[1:])
            assert name.startswith("found") or name in may_make
        decoder = Decoder(
            self.program.types,
            encoder.texts.__getitem__,
            lambda table, id_: encoder.records.get(table, {}).get(id_),
            classes_of(self.program),
        )
        found = defaultdict(list)
        for j, i, cell in cells:
            found[j, i].append(pattern(decoder.value(cell, self.cases[j][1])))
        return {key: sorted(some, key=repr) for key, some in found.items()}

    def _batch(self, case: int, context: Context) -> Batch:
        batch = Batch("given_rows g", "g", {v: f"g.c{i}" for i, v in enumerate((I, X, Y, Z)[: 1 + len(self.types)])})
        for literal in self.cases[case][0]:
            batch = apply(literal, batch, context)
        return batch

    def _context(self, spark: SparkSession, encoder: Encoder, functions: Functions, seed: int) -> Context:
        """With the rows as they are given, and what they need of dictionary and records."""
        cells = encoder.rows([(i, *row) for i, row in enumerate(self.rows)], [N, *self.types])
        frame_of(spark, cells.tolist()).createOrReplaceTempView("given_rows")
        views = {}
        if encoder.texts:
            spark.createDataFrame(
                [(i, bytearray(x)) for i, x in encoder.texts.items()], "c0 bigint, x binary"
            ).createOrReplaceTempView("all_texts")
            views[TEXTS] = View("(SELECT c0 AS k, c0, x FROM all_texts)", Replica(TEXTS, (0,), 1), len(encoder.texts))
        for number, (table, records) in enumerate(encoder.records.items()):
            frame_of(spark, [(id_, *row) for id_, row in records.items()]).createOrReplaceTempView(f"records{number}")
            views[table] = View(f"(SELECT c0 AS k, * FROM records{number})", Replica(table, (0,), 1), len(records))
        return Context(
            self.program, expand(self.program).relations, lambda name, window, columns: views.get(name), functions, seed
        )


def frame_of(spark: SparkSession, rows: Sequence[Sequence[int]]) -> DataFrame:
    return spark.createDataFrame(rows, ", ".join(f"c{i} bigint" for i in range(len(rows[0]))))


def core_of(step: Any) -> Literal:
    """The literal of a rule that a step evaluates."""
    if isinstance(step, Find):
        return Pack(step.record, step.fields, step.type, step.branch)
    literal: Literal = step
    return literal


RESULTS = {
    "to_number": N,
    "to_unsigned": U,
    "to_float": F,
    "to_string": S,
    "strlen": N,
    "ord": N,
    "bits_number": N,
    "bits_unsigned": U,
    "bits_float": F,
}
CONVERTING = ("to_number", "to_unsigned", "to_float", "to_string", "ord", "bits_number", "bits_unsigned", "bits_float")


@pytest.mark.parametrize("kind", [Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT])
@pytest.mark.parametrize("arguments", [1, 2])
def test_functions_of_numbers(spark: SparkSession, kind: Kind, arguments: int) -> None:
    names = [
        f
        for f in (*ARITHMETIC, *CONVERTING)
        if (f in UNARY) == (arguments == 1)
        and not (kind is Kind.FLOAT and f in FOR_INTEGERS)
        and (f, kind) != ("neg", Kind.UNSIGNED)
    ]
    cases = [([Compute(R, name, (X, Y)[:arguments], kind)], RESULTS.get(name, TYPES[kind])) for name in names]
    Cases.of([TYPES[kind]] * arguments, rows_of_kind(kind, arguments), cases).check(spark)


@pytest.mark.parametrize("arguments", [1, 2])
def test_functions_of_symbols(spark: SparkSession, arguments: int) -> None:
    names = ["to_string", "to_number", "to_unsigned", "to_float", "strlen"] if arguments == 1 else ["cat", "min", "max"]
    cases: list[tuple[Literals, Type]] = [
        ([Compute(R, name, (X, Y)[:arguments], Kind.SYMBOL)], RESULTS.get(name, S)) for name in names
    ]
    if arguments == 2:
        cases.append(([Compute(R, "cat", (X, Const("-'ä", S), Y, X), Kind.SYMBOL)], S))
    Cases.of([S] * arguments, rows_of_kind(Kind.SYMBOL, arguments), cases).check(spark, seed=7)


def test_parts_of_symbols(spark: SparkSession) -> None:
    places = [-1, 0, 1, 2, 3, 5, 9]
    rows = [(text, a, b) for text in texts(60) for a in places for b in places]
    Cases.of([S, N, N], rows, [([Compute(R, "substr", (X, Y, Z), Kind.SYMBOL)], S)]).check(spark)


@pytest.mark.parametrize("kind", list(TYPES))
def test_comparisons(spark: SparkSession, kind: Kind) -> None:
    operators = ["=", "!=", "<", "<=", ">", ">="] + (["contains", "not_contains"] if kind is Kind.SYMBOL else [])
    copied = Compute(R, "+", (I, Const(0, N)), Kind.NUMBER)
    cases = [([Compare(operator, X, Y, kind), copied], N) for operator in operators]
    Cases.of([TYPES[kind]] * 2, rows_of_kind(kind, 2), cases).check(spark)


def test_patterns(spark: SparkSession) -> None:
    patterns = ["", ".*", "[a-c]+x?", "a.*", "-?[0-9]+", "ä|日.", "(", "[[:digit:]]+(\\.[[:digit:]]+)?", "."]
    rows = [(p, t) for p in patterns for t in texts(100)]
    copied = Compute(R, "+", (I, Const(0, N)), Kind.NUMBER)
    Cases.of(
        [S, S],
        rows,
        [([Compare(operator, X, Y, Kind.SYMBOL), copied], N) for operator in ("match", "not_match")]
        + [([Compare("match", Const("a.*", S), Y, Kind.SYMBOL), copied], N)],
    ).check(spark)


def test_ranges(spark: SparkSession) -> None:
    numbers = [-3, -2, -1, 0, 1, 2, 3, 2**31 - 1, 2**31 - 2, -(2**31), -(2**31) + 2]
    rows = [(a, b, c) for a in numbers for b in numbers for c in (-7, -2, -1, 0, 1, 2, 5) if abs(a - b) < 100]
    Cases.of(
        [N, N, N],
        rows,
        [([Generate(R, "range", (X, Y), Kind.NUMBER)], N), ([Generate(R, "range", (X, Y, Z), Kind.NUMBER)], N)],
    ).check(spark)
    few = [0, 1, 2, 5, 2**32 - 1, 2**32 - 3]
    Cases.of(
        [U, U, U],
        [(a, b, c) for a in few for b in few for c in (0, 1, 2) if abs(a - b) < 100],
        [([Generate(R, "range", (X, Y), Kind.UNSIGNED)], U), ([Generate(R, "range", (X, Y, Z), Kind.UNSIGNED)], U)],
    ).check(spark)
    parts = [0.0, 1.5, -2.25, 4.0]
    Cases.of(
        [F, F, F],
        [(a, b, c) for a in parts for b in parts for c in (0.0, 0.5, -1.0)],
        [([Generate(R, "range", (X, Y), Kind.FLOAT)], F), ([Generate(R, "range", (X, Y, Z), Kind.FLOAT)], F)],
    ).check(spark)


# ---- records and functions of the program

FUNCTORS = """
from dataclasses import dataclass
from typing import NamedTuple

import helper_of_functors

class Pair(NamedTuple):
    number: int
    text: str

@dataclass(frozen=True)
class Box:
    inside: Pair

def boxed(number, text): return Box(Pair(number, text))
def opened(box): return box.inside.number + len(box.inside.text)
def halved(number): return helper_of_functors.half(number)
def measured(f, u): return f * 2 + u
def length(items):
    count = 0
    while items is not None:
        count, items = count + 1, items[1]
    return count
def reverse(items):
    found = None
    while items is not None:
        found, items = (items[0], found), items[1]
    return found
def tails(items):
    while items is not None:
        yield items
        items = items[1]
def letters(text): return text + text[:2]
def weight(tree):
    return 0 if tree[0] == "Leaf" else 1 + weight(tree[1]) + weight(tree[3]) if tree[0] == "Node" else tree[1] + tree[2]
def grown(tree, text): return ("Node", tree, text, ("Weight", 0.5, 4294967295))
def one(): return 1
"""
HELPER = "def half(number): return number // 2\n"
TEXT = """
.type List = [head: number, tail: List]
.type Tree = Leaf {} | Node {left: Tree, label: symbol, right: Tree} | Weight {w: float, u: unsigned}
.lattice Any = "ladder.lattices:flat"
.functor boxed(x: number, s: symbol): Any = "functors.py:boxed"
.functor opened(x: Any): number = "functors.py:opened"
.functor halved(x: number): number = "functors.py:halved"
.functor measured(f: float, u: unsigned): float = "functors.py:measured"
.functor length(l: List): number = "functors.py:length"
.functor reverse(l: List): List = "functors.py:reverse"
.functor tails(l: List): List = "functors.py:tails" several
.functor letters(s: symbol): symbol = "functors.py:letters" several
.functor weight(t: Tree): float = "functors.py:weight"
.functor grown(t: Tree, s: symbol): Tree = "functors.py:grown"
.functor one(): number = "functors.py:one"
.decl all(l: List, t: Tree, a: Any, n: number, f: float, s: symbol)
all(nil, $Leaf, @boxed(1, "x"), @opened(@boxed(1, "x")) + @halved(3) + @length(nil) + @one(),
    @weight($Leaf) + @measured(0.5, 1), @letters("x")).
all(@reverse(nil), @grown($Leaf, "x"), @boxed(1, "x"), 1, 1.0, "x") :- all(@tails(nil), _, _, _, _, _).
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A program whose functors lie in a file that only this process can import, as does what that file imports."""
    folder = tmp_path_factory.mktemp("functors")
    (folder / "functors.py").write_text(FUNCTORS, "utf-8")
    (folder / "helper_of_functors.py").write_text(HELPER, "utf-8")
    sys.path.insert(0, str(folder))
    try:
        yield compile_program(TEXT, directory=folder).core
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("helper_of_functors")


def lists(count: int) -> list[Any]:
    chosen = random.Random(3)
    found: list[Any] = [None]
    for _ in range(count):
        found.append((chosen.randrange(-5, 5), chosen.choice(found)))
    return found


def trees(count: int) -> list[Any]:
    chosen = random.Random(4)
    found: list[Any] = [("Leaf",), ("Weight", 0.25, 2**32 - 1), ("Weight", -1.5, 0)]
    for _ in range(count):
        found.append(("Node", chosen.choice(found), chosen.choice(["", "ä", "bb"]), chosen.choice(found)))
    return found


def test_records(spark: SparkSession, program: Program) -> None:
    """Made, looked for and taken apart; those made in the same rule, too."""
    list_, tree = program.types["List"], program.types["Tree"]
    a, b, c = map(Var, "abc")
    rows = [(items, n) for items in lists(40) for n in (-1, 7)]
    made = Pack(R, (Y, X), list_)
    Cases.of(
        [list_, N],
        rows,
        [
            ([made], list_),
            ([Find(R, (Y, X), list_)], list_),
            ([Unpack(X, (R, None), list_)], N),
            ([Unpack(X, (None, R), list_)], list_),
            ([Unpack(X, (None, a), list_), Unpack(a, (R, None), list_)], N),
            ([Pack(a, (Y, X), list_), Unpack(a, (None, b), list_), Unpack(b, (R, None), list_)], N),
            (
                [
                    Pack(a, (Y, X), list_),
                    Pack(b, (Const(3, N), a), list_),
                    Unpack(b, (None, c), list_),
                    Unpack(c, (None, R), list_),
                ],
                list_,
            ),
            ([Pack(a, (Const(1, N), Const(None, list_)), list_), Unpack(a, (None, R), list_)], list_),
        ],
        program,
    ).check(spark)
    some = [(t, f, u) for t in trees(30) for f in (0.5, -0.0) for u in (0, 2**32 - 1)]
    Cases.of(
        [tree, F, U],
        some,
        [
            ([Pack(R, (Y, Z), tree, "Weight")], tree),
            ([Unpack(X, (None, R), tree, "Weight")], U),
            ([Unpack(X, (R, None), tree, "Weight")], F),
            ([Pack(R, (), tree, "Leaf")], tree),
            ([Unpack(X, (R, None, None), tree, "Node")], tree),
            ([Unpack(X, (None, R, None), tree, "Node")], S),
            ([Pack(a, (X, Const("new", S), X), tree, "Node"), Unpack(a, (None, R, None), tree, "Node")], S),
            ([Unpack(X, (), tree, "Leaf"), Compute(R, "+", (Z, Z), Kind.UNSIGNED)], U),
            ([Pack(a, (Y, Z), tree, "Weight"), Unpack(a, (None, R), tree, "Weight")], U),
        ],
        program,
    ).check(spark)


def test_functions_of_the_program(spark: SparkSession, program: Program) -> None:
    list_, tree, any_ = (program.types[name] for name in ("List", "Tree", "Any"))
    a, b, c, d, e = map(Var, "abcde")
    numbers = [(n, s) for n in (-3, 0, 5) for s in texts(30)]
    Cases.of(
        [N, S],
        numbers,
        [
            ([Compute(R, "boxed", (X, Y))], any_),
            ([Compute(a, "boxed", (X, Y)), Compute(R, "opened", (a,))], N),
            ([Compute(R, "halved", (X,))], N),
            ([Generate(R, "letters", (Y,))], S),
            ([Compute(R, "one", ())], N),
            ([Generate(a, "letters", (Y,)), Compute(R, "strlen", (a,), Kind.SYMBOL)], N),
        ],
        program,
    ).check(spark)
    Cases.of(
        [list_, N],
        [(items, n) for items in lists(40) for n in (-1, 7)],
        [
            ([Compute(R, "length", (X,))], N),
            ([Compute(R, "reverse", (X,))], list_),
            ([Generate(R, "tails", (X,))], list_),
            ([Compute(a, "reverse", (X,)), Unpack(a, (R, None), list_)], N),
            ([Pack(a, (Y, X), list_), Compute(R, "length", (a,))], N),
            ([Compute(a, "reverse", (X,)), Pack(b, (Y, a), list_), Compute(R, "reverse", (b,))], list_),
            ([Generate(a, "tails", (X,)), Unpack(a, (None, b), list_), Compute(R, "length", (b,))], N),
        ],
        program,
    ).check(spark)
    Cases.of(
        [tree, F, U],
        [(t, f, u) for t in trees(30) for f in (0.5, -2.0) for u in (0, 2**32 - 1)],
        [
            ([Compute(R, "weight", (X,))], F),
            ([Compute(R, "measured", (Y, Z))], F),
            ([Compute(R, "grown", (X, Const("label", S)))], tree),
            ([Pack(a, (X, Const("label", S), X), tree, "Node"), Compute(R, "weight", (a,))], F),
            (
                [
                    Compute(a, "grown", (X, Const("", S))),
                    Unpack(a, (None, None, b), tree, "Node"),
                    Unpack(b, (None, R), tree, "Weight"),
                ],
                U,
            ),
            (
                [
                    Compute(a, "grown", (X, Const("!", S))),
                    Unpack(a, (None, b, None), tree, "Node"),
                    Compute(R, "cat", (b, b), Kind.SYMBOL),
                ],
                S,
            ),
            (
                [
                    Compute(a, "cat", (Const("?", S), Const("!", S)), Kind.SYMBOL),
                    Pack(b, (X, a, X), tree, "Node"),
                    Pack(c, (b, a, X), tree, "Node"),
                    Unpack(c, (d, None, None), tree, "Node"),
                    Unpack(d, (None, e, None), tree, "Node"),
                    Compute(R, "cat", (e, e), Kind.SYMBOL),
                ],
                S,
            ),
        ],
        program,
    ).check(spark)


def failing(number: int) -> int:
    if number == 2:
        raise ValueError("two is too much")
    return number << 31


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (2, "failing(2) raised ValueError: two is too much"),
        (3, "failing(3) returned what it must not: 6442450944 is not a value"),
    ],
)
def test_errors_of_functions_are_told(spark: SparkSession, row: int, expected: str) -> None:
    base = Program({}, (), {"failing": Function("failing", (N,), N, failing)}, types=PLAIN)
    from pyspark.errors import PythonException

    with pytest.raises(PythonException) as caught:
        Cases.of([N], [(0,), (row,)], [([Compute(R, "failing", (X,))], N)], base).found(spark)
    error = error_in(str(caught.value))
    assert error is not None
    assert expected in error.message


def test_a_functor_that_cannot_be_sent_is_refused(spark: SparkSession) -> None:
    lock = threading.Lock()

    def locked(number: int) -> int:
        with lock:
            return number

    base = Program({}, (), {"locked": Function("locked", (N,), N, locked)}, types=PLAIN)
    with pytest.raises(LadderError, match="cannot be sent to Spark's workers"):
        Cases.of([N], [(1,)], [([Compute(R, "locked", (X,))], N)], base).found(spark)


def test_numbers_of_symbols_are_refused() -> None:
    program = compile_program(
        """
        .decl r(x: symbol)
        .decl s(n: number)
        s(ord(x)) :- r(x).
        """,
        "here.dl",
    ).core
    (refused,) = refusals(program)
    assert "ord" in refused.message and "here.dl:4" in refused.message
    assert "local" in refused.hint


def test_answers_are_remembered_while_they_are_few() -> None:
    """A function is asked once about equal arguments, and again when too much has been remembered since."""
    asked: list[str] = []

    def noted(text: str) -> str:
        asked.append(text)
        return text + "!"

    column = pa.array([b"a", b"b", b"a"])
    needs = Needs({"noted": noted}, PLAIN, {}, 42, (), Distributing(remembered_bytes=2 * column.nbytes))
    answerer = Answerer(Signature("noted", Kind.OBJECT, (S,), S), needs)
    assert answerer.columns([column]).to_pylist() == [b"a!", b"b!", b"a!"]
    answerer.columns([column])
    assert asked == ["a", "b"]
    answerer.columns([column])
    assert asked == ["a", "b", "a", "b"]
