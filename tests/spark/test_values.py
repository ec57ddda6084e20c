"""Ids and canonical bytes of values: the same in Python, numpy and SQL; equal values alike, and given back as they
were."""

from __future__ import annotations

import enum
import math
import random
import struct
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder import lattices
from ladder.engine.canonical import canonical, class_name, key_of, text_bytes, value_of
from ladder.engine.spark.lowering.values import Decoder, Encoder, constants
from ladder.engine.spark.values import dictionary as d
from ladder.errors import LadderError
from ladder.language.compile import compile_program
from ladder.language.core import Kind, Type
from ladder.language.values.arithmetic import NAN

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Colour(enum.Enum):
    RED = 1
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 7


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Pair(NamedTuple):
    left: Any
    right: Any


@dataclass(frozen=True)
class Box:
    content: Any
    note: str = field(default="", compare=False)


@dataclass(frozen=True, eq=False)
class Identical:
    content: Any


@dataclass(frozen=True, slots=True)
class Slim:
    content: Any


class Foreign:
    pass


CLASSES = {class_name(c): c for c in (Colour, Level, Rights, Pair, Box, Slim, type(lattices.TOP))}

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.sampled_from([*Colour, *Level, *Rights, Rights.READ | Rights.WRITE, lattices.TOP, lattices.BOTTOM])
    | st.integers(-3, 3)
    | st.sampled_from([0.0, -0.0, 1.0, -1.5, math.inf, 2.0**70])
)
OBJECTS = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.frozensets(inner, max_size=4)
        | st.builds(Pair, inner, inner)
        | st.builds(Box, inner, st.sampled_from(["", "noted"]))
        | st.builds(Slim, inner)
    ),
    max_leaves=8,
)


@given(OBJECTS)
def test_an_object_is_given_back_as_it_was(value: Hashable) -> None:
    found = value_of(canonical(value), CLASSES)
    assert found == value
    assert shape(found) == shape(value)


@given(OBJECTS, OBJECTS)
def test_objects_have_one_key_if_and_only_if_they_are_equal(a: Hashable, b: Hashable) -> None:
    assert (key_of(canonical(a)) == key_of(canonical(b))) == (a == b)


@given(st.lists(OBJECTS, max_size=6), st.randoms())
def test_the_order_of_a_set_does_not_matter(values: list[Any], order: random.Random) -> None:
    shuffled = order.sample(values, len(values))
    assert key_of(canonical(frozenset(values))) == key_of(canonical(frozenset(shuffled)))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        (Level.HIGH, 7),
        (Pair(1, 2), (1, 2)),
        (Box(1, "x"), Box(1, "y")),
        (frozenset((1, 2)), frozenset((2.0, True))),
    ],
)
def test_equal_objects_of_different_types_are_one(a: Hashable, b: Hashable) -> None:
    assert key_of(canonical(a)) == key_of(canonical(b))
    assert d.object_id(canonical(a)) == d.object_id(canonical(b))
    assert canonical(a) != canonical(b)
    assert shape(value_of(canonical(a), CLASSES)) == shape(a)


def test_numbers_that_are_none_keep_their_sign_and_stay_the_same_object() -> None:
    for value in (NAN, math.nan):
        assert value_of(canonical(value), {}) is value
    assert canonical(struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000123))[0]) == canonical(math.nan)


@pytest.mark.parametrize("value", [Foreign(), [1], Identical(1), (1, Foreign()), frozenset((1 + 2j,))])
def test_other_types_are_refused_by_name(value: Any) -> None:
    with pytest.raises(LadderError, match="cannot be part of a state on Spark"):
        canonical(value)


def test_classes_that_the_program_does_not_name_are_not_read() -> None:
    with pytest.raises(LadderError, match="Box"):
        value_of(canonical(Box(1)), {})


def test_long_lists_need_no_recursion() -> None:
    value: Any = None
    for i in range(20_000):
        value = (i, value)
    data = canonical(value)
    found = value_of(data, {})
    assert canonical(found) == data


EXAMPLES = [
    lattices.sign,
    lattices.parity,
    lattices.Interval(),
    lattices.congruence,
    lattices.Strided(),
    lattices.flat,
    lattices.k_set(3),
    lattices.powerset,
    lattices.boolean,
    lattices.maximum,
    lattices.product(lattices.flat, lattices.k_set(2)),
    lattices.pointwise(lattices.flat),
]


@pytest.mark.parametrize("lattice", EXAMPLES, ids=lambda lattice: type(lattice).__name__)
def test_values_of_the_librarys_lattices(lattice: Any) -> None:
    lattice = lattice() if isinstance(lattice, type) else lattice
    for value in lattice.examples():
        assert value_of(canonical(value), CLASSES) == value


def test_values_of_a_lattice_beside_a_program(tmp_path: Path) -> None:
    """Classes of modules loaded from files have names, too."""
    (tmp_path / "mine.py").write_text("from typing import NamedTuple\nclass P(NamedTuple):\n    a: int\n", "utf-8")
    from ladder.language.objects.bindings import resolve

    kind = resolve("mine.py:P", tmp_path)
    assert type(value_of(canonical(kind(3)), {class_name(kind): kind})) is kind


def shape(value: Any) -> Any:
    """A value with the types of all its parts, signs of zeros included."""
    if isinstance(value, tuple):
        return type(value), tuple(map(shape, value))
    if isinstance(value, frozenset):
        return type(value), frozenset(map(shape, value))
    if isinstance(value, Box):
        return Box, shape(value.content), value.note
    if isinstance(value, Slim):
        return Slim, shape(value.content)
    return type(value), repr(value)


# ---- ids

TEXTS = [
    "",
    "a",
    "Ärger",
    "日本語",
    "\ud800",
    "x\udfff y",
    "\x00",
    "a\x00b",
    "'quoted' \\ \"text\"",
    "\U0001f600",
    "x" * 1000,
]


def random_texts(count: int) -> list[str]:
    chosen = random.Random(7)
    alphabet = "ab\x00\nÄß日\ud8ff\U0001f600"
    return [*TEXTS, *("".join(chosen.choices(alphabet, k=chosen.randrange(70))) for _ in range(count))]


def random_longs(count: int) -> list[int]:
    chosen = random.Random(8)
    edges = [0, 1, -1, 2**31, -(2**31), 2**63 - 1, -(2**63)]
    return [*edges, *(chosen.randrange(-(2**63), 2**63) >> chosen.randrange(64) for _ in range(count))]


@pytest.mark.parametrize("seed", [d.SEED, 0, 7])
def test_ids_in_numpy_and_python_are_the_same(seed: int) -> None:
    texts, longs = random_texts(300), random_longs(299)
    assert d.text_ids(texts, seed).tolist() == [d.symbol_id(text, seed) for text in texts]
    rows = np.array(longs).reshape(-1, 3)
    assert d.record_ids("[]3", rows, seed).tolist() == [d.record_id("[]3", row, seed) for row in rows.tolist()]
    assert d.record_id("[]$3", (1, 2, 3), seed) != d.record_id("[]3", (1, 2, 3), seed)


@pytest.mark.parametrize("seed", [d.SEED, 7])
def test_ids_in_spark_are_the_same(spark: SparkSession, seed: int) -> None:
    texts, longs = random_texts(3000), random_longs(3000)
    some: list[Hashable] = [1, True, 1.5, (1, True), frozenset((1, 2.0)), Pair(1, "x"), "x", None]
    objects = [canonical(some[i % len(some)]) for i in range(len(texts))]
    rows = [(text_bytes(t), o, a, b) for t, o, a, b in zip(texts, objects, longs, reversed(longs), strict=False)]
    given_ = spark.createDataFrame(rows, "x binary, o binary, a bigint, b bigint")
    found = given_.selectExpr(
        "x",
        d.text_id_sql("x", seed),
        "o",
        d.object_id_sql("o", seed),
        "a",
        "b",
        d.record_id_sql("[]2", ["a", "b"], seed),
    ).collect()
    assert len(found) == len(rows)
    for x, text_id, o, object_id, a, b, record in found:
        assert text_id == d.bytes_id(bytes(x), seed)
        assert object_id == d.object_id(bytes(o), seed)
        assert record == d.record_id("[]2", (a, b), seed)


def test_texts_are_compared_and_searched_as_in_python(spark: SparkSession) -> None:
    texts = random_texts(40)
    given_ = spark.createDataFrame([(text_bytes(t),) for t in texts], "x binary")
    pairs = (
        given_.crossJoin(given_.withColumnRenamed("x", "y")).selectExpr("x", "y", "x < y", "contains(y, x)").collect()
    )
    for x, y, less, contained in pairs:
        a, b = (bytes(z).decode("utf-8", "surrogatepass") for z in (x, y))
        assert less == (a < b)
        assert contained == (a in b)


def test_two_contents_with_one_id_are_told(spark: SparkSession) -> None:
    rows = [(1, b"one"), (1, b"other"), (2, b"same"), (2, b"same"), (3, canonical(1)), (3, canonical(True))]
    spark.createDataFrame([(i, bytearray(x)) for i, x in rows], "c0 bigint, x binary").createOrReplaceTempView(
        "entries"
    )
    texts, numbers = (
        d.collision(bytes(one), bytes(other))
        for _, one, other in spark.sql(f"{d.collision_sql('entries')} ORDER BY c0").collect()
    )
    assert "'one' and 'other' have the same hash" in texts.message
    assert "spark.ladder.seed" in texts.hint
    assert "1 and True are equal" in numbers.message


def test_two_texts_with_one_id_are_told_where_values_are_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "ladder.engine.spark.lowering.values.text_ids", lambda texts, seed: np.ones(len(texts), np.int64)
    )
    with pytest.raises(LadderError, match="have the same hash"):
        Encoder({}).column(["a", "b"], Type("symbol", Kind.SYMBOL))


def test_ids_are_no_numbers() -> None:
    """Whatever is hashed: hashes at the edges of the ranges of numbers and unsigned."""
    edges = np.array([0, -1, -(2**31), -(2**31) - 1, 2**32 - 1, 2**32, 5, 2**62, 2**62 + 1], np.int64).view(np.uint64)
    ids = d._all_apart(edges).tolist()
    assert not any(-(2**31) <= id_ < 2**32 for id_ in ids)
    assert ids == [d._apart(int(h)) for h in edges]
    assert ids[3] == -(2**31) - 1 and ids[5] == 2**32


def test_ids_are_no_numbers_in_spark_either(spark: SparkSession) -> None:
    edges = [0, -1, -(2**31), -(2**31) - 1, 2**32 - 1, 2**32, 5, 2**62]
    found = spark.createDataFrame([(h,) for h in edges], "h bigint").selectExpr(d._apart_sql("h")).collect()
    assert [id_ for (id_,) in found] == [d._apart(h % 2**64) for h in edges]


# ---- values and cells

PROGRAM = """
.type List = [head: number, tail: List]
.type Tree = Leaf {} | Node {left: Tree, label: symbol, right: Tree} | Weight {w: float, u: unsigned}
.lattice Objects = "ladder.lattices:k_set(3)"
.type Mixed = [u: unsigned, f: float, s: symbol, l: List, o: Objects]
.decl r(x: Mixed, t: Tree)
"""

NUMBERS = st.integers(-(2**31), 2**31 - 1)
LISTS = st.recursive(st.none(), lambda inner: st.tuples(NUMBERS, inner), max_leaves=5)
FLOATS = st.floats(width=32, allow_nan=False)
TREES = st.recursive(
    st.just(("Leaf",)) | st.tuples(st.just("Weight"), FLOATS, st.integers(0, 2**32 - 1)),
    lambda inner: st.tuples(st.just("Node"), inner, st.text(max_size=3), inner),
    max_leaves=5,
)
SETS = st.just(lattices.TOP) | st.frozensets(st.text(max_size=2), max_size=3)
MIXED = st.none() | st.tuples(st.integers(0, 2**32 - 1), FLOATS, st.text(), LISTS, SETS)


@pytest.fixture(scope="module")
def types() -> dict[str, Type]:
    return dict(compile_program(PROGRAM).core.types)


@given(st.lists(st.tuples(MIXED, TREES), max_size=4))
def test_records_are_given_back(types: dict[str, Type], rows: list[tuple[Any, ...]]) -> None:
    encoder = Encoder(types, tuple_types=("Mixed", "Tree", "List"))
    columns = [types["Mixed"], types["Tree"]]
    cells = encoder.rows(rows, columns)
    decoder = decoder_of(encoder)
    assert [tuple(decoder.value(c, t) for c, t in zip(row, columns, strict=True)) for row in cells.tolist()] == rows
    for row, values in zip(cells.tolist(), rows, strict=True):
        for cell, value in zip(row, values, strict=True):
            assert (cell == 0) == (value is None)
            if value is not None:
                assert value_of(encoder.texts[cell], CLASSES) == value
    assert Encoder(types).rows(rows, columns).tolist() == cells.tolist()


def test_what_is_no_value_of_a_type_is_refused(types: dict[str, Type]) -> None:
    for value, name in (
        (2**31, "number"),
        (True, "number"),
        (-1, "unsigned"),
        (1, "symbol"),
        ((1,), "List"),
        (("Leaf", 1), "Tree"),
        (("Stem",), "Tree"),
        (None, "Tree"),
        (1e39, "float"),
        ("x", "float"),
    ):
        with pytest.raises(LadderError, match=f"is not a value of type {name}"):
            Encoder(types).cell(value, types[name])


def decoder_of(encoder: Encoder) -> Decoder:
    find: Callable[[str, int], Any] = lambda table, id_: encoder.records.get(table, {}).get(id_)
    return Decoder(encoder.types, encoder.texts.__getitem__, find, CLASSES)


def test_the_constants_of_rules_are_in_the_dictionary() -> None:
    program = compile_program("""
        .decl r(x: symbol, y: number)
        .decl s(x: symbol)
        s("head") :- r("in an atom", 1), !s2("in a negated atom"), "compared" < x, r(x, _).
        s(cat("given", x)) :- r(x, _).
        .decl s2(x: symbol)
        s2("fact").
        """).core
    texts = constants(program, Encoder(program.types)).texts
    assert {t.decode() for t in texts.values()} == {"head", "in an atom", "in a negated atom", "compared", "given"}
