"""Functions that SQL does not have, as functions of whole Arrow columns in Python workers: the program's functors and
some built-ins.

Arguments are cells (BIGINT) of numbers, unsigned and floats, and contents (BINARY, see `canonical`) of symbols, objects
and records. Results, NULL where there is none:

    number, unsigned, float   BIGINT                      the cell
    symbol, object            BINARY                      the content
    record                    STRUCT<c, e ARRAY<ENTRY>>   its id, and the entries that it needs: records, nested ones
                              included, and texts

or an ARRAY of distinct results where a function has several. ENTRY: STRUCT<r: relation, c: cells, x: content>.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ladder.engine.canonical import Classes, bytes_text, value_of
from ladder.engine.classes import classes_of
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering.floats import FLOAT_FUNCTIONS
from ladder.engine.spark.lowering.values import Encoder
from ladder.engine.spark.values.shipping import Shipped, failure, out_of_memory
from ladder.engine.spark.worker_calls import Call, clear_call, note_call, shown
from ladder.errors import LadderError
from ladder.language.core import (
    COMPARISONS,
    ON_SYMBOLS,
    Compute,
    Generate,
    Kind,
    Pack,
    Place,
    Program,
    Rule,
    Type,
    inside,
)
from ladder.language.faults import raised, returned
from ladder.language.values import builtins
from ladder.plan.components import record_relation
from ladder.support.tuning import DEFAULT, Distributing

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

ENTRY = "struct<r:string,c:array<bigint>,x:binary>"
RECORD = f"struct<c:bigint,e:array<{ENTRY}>>"
NUMERIC = (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT)
OF_KIND = {kind: Type(kind.value, kind) for kind in (*NUMERIC, Kind.SYMBOL, Kind.OBJECT)}
_ARGUMENTS = {"substr": (OF_KIND[Kind.SYMBOL], OF_KIND[Kind.NUMBER], OF_KIND[Kind.NUMBER])}
_RESULTS = {
    "cat": Kind.SYMBOL,
    "strlen": Kind.NUMBER,
    "substr": Kind.SYMBOL,
    "to_number": Kind.NUMBER,
    "to_unsigned": Kind.UNSIGNED,
    "to_float": Kind.FLOAT,
    "to_string": Kind.SYMBOL,
}
KEPT = frozenset(("min", "max"))  # functions whose result is one of the arguments
_MOST_ANSWERERS = 256


@dataclass(frozen=True)
class Signature:
    """A function with the types of its arguments and of its result; `several`: it has any number of results."""

    name: str
    kind: Kind
    arguments: tuple[Type, ...]
    result: Type
    several: bool = False

    @property
    def returns(self) -> str:
        """The SQL type of the result."""
        one = "bigint" if self.result.kind in NUMERIC else RECORD if self.result.kind is Kind.RECORD else "binary"
        return f"array<{one}>" if self.several else one


@dataclass(frozen=True)
class Needs:
    """The data that the functions of a program need on a worker: Python functions, types and classes of values, and the
    parameters of ids."""

    calls: Mapping[str, Callable[..., Any]]
    types: Mapping[str, Type]
    classes: Classes
    seed: int
    tuple_types: Collection[str]
    tuning: Distributing = DEFAULT.distributing


class Functions:
    """The functions of a program in a Spark session, registered there when they are first used."""

    def __init__(
        self, program: Program, spark: SparkSession, seed: int, tuning: Distributing = DEFAULT.distributing
    ) -> None:
        self.program, self.spark = program, spark
        self._seed, self._tuning = seed, tuning
        self.tuple_types = tuple_types(program)
        self._shipped: Shipped[Needs] | None = None
        self._names: dict[tuple[Signature, str], str] = {}

    def signature(self, name: str, kind: Kind, count: int) -> Signature:
        """The signature of a function of the program, or of a built-in or a comparison with `count` arguments of a
        kind."""
        return signature_of(self.program, name, kind, count)

    def sql_name(self, signature: Signature, place: Place | None = None) -> str:
        """The name by which SQL calls a function, which is registered if necessary; `place`: of the rule that calls it,
        for messages."""
        key = signature, str(place or "")
        if key not in self._names:
            from pyspark.sql.pandas.functions import ArrowUDFType, arrow_udf

            if self._shipped is None:
                self._shipped = Shipped(needs_of(self.program, self._seed, self._tuning))
            name = f"ladder_{self._shipped.digest[:16]}_{len(self._names)}"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # it would rather read type hints
                function = arrow_udf(
                    _Call(signature, self._shipped, key[1]).columns, signature.returns, ArrowUDFType.SCALAR
                )
            # Spark would call a deterministic one twice, for a filter on its results below the projection, too.
            self.spark.udf.register(name, function.asNondeterministic())
            self._names[key] = name
        return self._names[key]


def signature_of(program: Program, name: str, kind: Kind, count: int) -> Signature:
    """The signature of a function of the program, or of a built-in or a comparison with `count` arguments of a kind."""
    declared = program.functions.get(name)
    if declared is not None:
        return Signature(name, Kind.OBJECT, declared.arguments, declared.result, declared.several)
    if name == "range":
        return Signature(name, kind, (OF_KIND[kind],) * count, OF_KIND[kind], several=True)
    side = OF_KIND[Kind.SYMBOL if name in ON_SYMBOLS else kind]
    result = Kind.NUMBER if name in COMPARISONS else _RESULTS.get(name, kind)
    return Signature(name, kind, _ARGUMENTS.get(name) or (side,) * count, OF_KIND[result])


def makes(rule: Rule, program: Program) -> frozenset[str]:
    """The relations of values (the dictionary and tables of records) that a rule may add rows to."""
    found: set[str] = set()
    for literal in rule.body:
        if isinstance(literal, Pack):
            found |= {record_relation(literal.type), TEXTS}
        elif isinstance(literal, Compute | Generate) and literal.function not in KEPT:
            result = signature_of(program, literal.function, literal.kind, len(literal.arguments)).result
            if result.kind not in NUMERIC:
                found |= {TEXTS} | {record_relation(t) for t in inside(result, program.types) if t.kind is Kind.RECORD}
    return frozenset(found)


def needs_of(program: Program, seed: int, tuning: Distributing) -> Needs:
    """The data that the functions of a program need on a worker."""
    used = {
        literal.function for rule in program.rules for literal in rule.body if isinstance(literal, Compute | Generate)
    }
    calls = {name: function.call for name, function in program.functions.items() if name in used}
    return Needs(calls, dict(program.types), classes_of(program), seed, tuple_types(program), tuning)


def tuple_types(program: Program) -> frozenset[str]:
    """Names of the record types whose values functions and joins of lattices take as Python tuples, and of the record
    types nested in them."""
    used = {
        literal.function for rule in program.rules for literal in rule.body if isinstance(literal, Compute | Generate)
    }
    waiting = [t for name, function in program.functions.items() if name in used for t in function.arguments]
    waiting += [r.columns[-1].type for r in program.relations.values() if r.aggregate in program.lattices]
    return frozenset(t.name for type_ in waiting for t in inside(type_, program.types) if t.kind is Kind.RECORD)


# ---- on workers


@dataclass(frozen=True)
class _Call:
    """A function over columns, as it is sent to workers; `place`: of the rule that calls it."""

    signature: Signature
    needs: Shipped[Needs]
    place: str = ""

    def columns(self, *columns: pa.Array) -> pa.Array:
        """The results for the rows of these columns."""
        key = (self.needs.digest, self.signature)
        if key not in _answerers:
            if len(_answerers) >= _MOST_ANSWERERS:
                _answerers.clear()
            _answerers[key] = Answerer(self.signature, self.needs.get())
        try:
            return _answerers[key].columns(columns, self.place)
        except LadderError as error:
            raise failure(error.at(self.place)) from error
        finally:
            clear_call()


_answerers: dict[tuple[str, Signature], Answerer] = {}


@dataclass
class Answerer:
    """Calls a function once for each distinct row of arguments; results are cached up to the limits of the tuning."""

    signature: Signature
    needs: Needs
    remembered: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    size: int = 0  # bytes of arguments since the cache was empty

    def columns(self, columns: Sequence[pa.Array], place: str = "") -> pa.Array:
        """The results for the rows of these columns, as an Arrow array of the type that the signature returns; `place`:
        of the rule that calls."""
        import pyarrow as pa

        signature = self.signature
        vectorised = (
            FLOAT_FUNCTIONS.get((signature.name, signature.kind)) if signature.name not in self.needs.calls else None
        )
        if vectorised is not None:
            return pa.array(
                vectorised(*(column.to_numpy(zero_copy_only=False).astype(np.int64) for column in columns)), pa.int64()
            )
        rows = list(zip(*(column.to_pylist() for column in columns), strict=True))
        self.size += sum(column.nbytes for column in columns)
        tuning = self.needs.tuning
        if len(self.remembered) + len(rows) > tuning.remembered or self.size > tuning.remembered_bytes:
            self.remembered.clear()
            self.size = 0
        call = Call(signature.name, place)
        for row in dict.fromkeys(rows):
            if row not in self.remembered:
                self.remembered[row] = self.answer(row, call)
        return pa.array([self.remembered[row] for row in rows], _arrow_type(signature))

    def answer(self, row: tuple[Any, ...], call: Call) -> Any:
        """The result for a row of arguments as Spark gets it: None, a result, or a list of results; `call`: noted, so
        that it is known which call a worker ended in."""
        # A function without arguments is called with a column, too, for there to be rows.
        arguments = tuple(
            self.argument(part, type_) for part, type_ in zip(row, self.signature.arguments, strict=False)
        )
        note_call(call, arguments)
        try:
            result = self.call(*arguments)
            results = list(result) if self.signature.several else [result]
        except builtins.NoValue:
            return [] if self.signature.several else None
        except MemoryError as error:
            raise out_of_memory(f"{self.signature.name}({', '.join(map(shown, arguments))})") from error
        except BaseException as error:
            raise raised(self.signature.name, arguments, error) from error
        try:
            made = [self.result(value) for value in results]
        except LadderError as error:
            raise returned(self.signature.name, arguments, error) from error
        return list(made_once(made)) if self.signature.several else made[0]

    def call(self, *arguments: Any) -> Any:
        """The result of the function for Python values."""
        name, kind = self.signature.name, self.signature.kind
        if name in self.needs.calls:
            return self.needs.calls[name](*arguments)
        if name in COMPARISONS:
            return int(builtins.holds(name, *arguments))
        return builtins.generate_range(*arguments) if name == "range" else builtins.compute(name, arguments, kind)

    def argument(self, part: Any, type_: Type) -> Any:
        """The Python value of an argument; `LadderError` where the dictionary lacks it."""
        if type_.kind is Kind.NUMBER or type_.kind is Kind.UNSIGNED:
            return part
        if type_.kind is Kind.FLOAT:
            return float(np.int32(part).view(np.float32))
        if part is None:
            raise LadderError(
                f"{self.signature.name} is asked about a {type_.kind.value} that the dictionary does not have.",
                "The state is damaged; make it again.",
            )
        return bytes_text(part) if type_.kind is Kind.SYMBOL else value_of(part, self.needs.classes)

    def result(self, value: Any) -> Any:
        """A result as Spark gets it; `LadderError` where it is not a value of the result type."""
        type_, encoder = self.signature.result, Encoder(self.needs.types, self.needs.seed, self.needs.tuple_types)
        cell = encoder.cell(value, type_)
        if type_.kind in NUMERIC:
            return cell
        if type_.kind is not Kind.RECORD:
            return encoder.texts[cell]
        entries: list[dict[str, Any]] = [
            {"r": table, "c": [id_, *cells], "x": None}
            for table, rows in encoder.records.items()
            for id_, cells in rows.items()
        ]
        entries += [{"r": TEXTS, "c": [id_], "x": content} for id_, content in encoder.texts.items()]
        return {"c": cell, "e": entries}


def made_once(results: Iterable[Any]) -> Iterable[Any]:
    """The results without repetitions."""
    return {result["c"] if isinstance(result, dict) else result: result for result in results}.values()


def _arrow_type(signature: Signature) -> pa.DataType:
    import pyarrow as pa

    kind = signature.result.kind
    entry = pa.struct([("r", pa.string()), ("c", pa.list_(pa.int64())), ("x", pa.binary())])
    one = (
        pa.int64()
        if kind in NUMERIC
        else pa.binary()
        if kind is not Kind.RECORD
        else pa.struct([("c", pa.int64()), ("e", pa.list_(entry))])
    )
    return pa.list_(one) if signature.several else one
