"""Numbers of 64 bits: they are interned Python values, and functions on them are Python functions.

    next(y) :- at(x), y = x + 1, y < 10.
    →  next(y) :- at(x), y = "+ number number 64"(x, 1), $w1 = "< number number 64"(y, 10), $w1 = 1.

Every column of numbers, unsigned and floats becomes one of objects, whose type knows the kind of its values
(`Type.wide`), so that engines need no support for 64 bits. Joins cost as much as with 32 bits, arithmetic costs calls
of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ladder.language.core import (
    ORDERED,
    Atom,
    Column,
    Compare,
    Compute,
    Const,
    Function,
    Generate,
    Kind,
    Literal,
    Not,
    Pack,
    Program,
    Relation,
    Rule,
    Subsumption,
    Term,
    Type,
    Unpack,
    Var,
    verify,
)
from ladder.language.values import exact
from ladder.language.values.arithmetic import WIDE, held
from ladder.language.values.builtins import compute, holds

NUMERIC = (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT)
FLAG = Type("number", Kind.NUMBER)  # of what stays a cell: the results of comparisons
SYMBOL = Type("symbol", Kind.SYMBOL)
RESULTS = {
    "strlen": Kind.NUMBER,
    "ord": Kind.NUMBER,
    "to_number": Kind.NUMBER,
    "to_unsigned": Kind.UNSIGNED,
    "to_float": Kind.FLOAT,
    "bits_number": Kind.NUMBER,
    "bits_unsigned": Kind.UNSIGNED,
    "bits_float": Kind.FLOAT,
}
# Functions that look inside an aggregate's exact sum, with what they give in 64 bits.
SUMS: Mapping[str, Callable[..., Any]] = {
    "$sum.total": lambda value: exact.total(value, WIDE),
    "$sum.mean": lambda value: exact.mean(value, WIDE),
}


def widen(program: Program) -> Program:
    """The program with numbers of 64 bits."""
    return _Widening(program).program()


@dataclass(frozen=True)
class Join:
    """A built-in aggregate of numbers of 64 bits."""

    join: Callable[[Any, Any], Any]
    idempotent: bool


@cache
def wide_type(type_: Type) -> Type:
    """The type in a program with numbers of 64 bits."""
    return replace(type_, kind=Kind.OBJECT, wide=type_.kind) if type_.kind in NUMERIC else type_


def join_named(name: str) -> Join:
    """The join of numbers of 64 bits with a name such as "max float 64". `KeyError` if there is none."""
    aggregate, _, rest = name.partition(" ")
    kind = next((kind for kind in NUMERIC if rest == f"{kind.value} 64"), None)
    if aggregate not in ("min", "max", "sum") or kind is None:
        raise KeyError(name)
    function = "+" if aggregate == "sum" else aggregate
    return Join(
        lambda a, b: held(WIDE.compute(function, (held(a, kind), held(b, kind)), kind), kind), aggregate != "sum"
    )


class _Widening:
    def __init__(self, program: Program) -> None:
        self.source = program
        self.functions = {name: _wide_function(function) for name, function in program.functions.items()}
        self.lattices = dict(program.lattices)
        self.fresh = 0

    def program(self) -> Program:
        source = self.source
        return verify(
            replace(
                source,
                relations={name: self._relation(relation) for name, relation in source.relations.items()},
                rules=tuple(map(self._rule, source.rules)),
                functions=self.functions,
                lattices=self.lattices,
                facts={
                    name: tuple(
                        tuple(_constant(v, c.type) for v, c in zip(row, source.relations[name].columns, strict=True))
                        for row in rows
                    )
                    for name, rows in source.facts.items()
                },
                types={name: wide_type(type_) for name, type_ in source.types.items()},
                subsumptions=tuple(map(self._subsumption, source.subsumptions)),
            )
        )

    def _relation(self, relation: Relation) -> Relation:
        aggregate = relation.aggregate
        if (
            aggregate is not None
            and aggregate not in self.source.lattices
            and relation.columns[-1].type.kind in NUMERIC
        ):
            aggregate = self._join(aggregate, relation.columns[-1].type.kind)
        return replace(relation, aggregate=aggregate, columns=_columns(relation.columns), keys=_columns(relation.keys))

    def _join(self, aggregate: str, kind: Kind) -> str:
        name = f"{aggregate} {kind.value} 64"
        self.lattices[name] = join_named(name)
        return name

    def _rule(self, rule: Rule) -> Rule:
        return replace(rule, head=self._atom(rule.head), body=self._body(rule.body))

    def _subsumption(self, clause: Subsumption) -> Subsumption:
        return replace(
            clause,
            dominated=self._atom(clause.dominated),
            dominating=self._atom(clause.dominating),
            body=self._body(clause.body),
        )

    def _body(self, body: Sequence[Literal]) -> tuple[Literal, ...]:
        self.fresh = 0
        return tuple(new for literal in body for new in self._literal(literal))

    def _literal(self, literal: Literal) -> Iterator[Literal]:
        match literal:
            case Atom():
                yield self._atom(literal)
            case Not(atom):
                yield Not(self._atom(atom))
            case Compare(operator, left, right, kind) if kind in NUMERIC:
                yield from self._comparison(operator, _term(left), _term(right), kind)
            case Compare(operator, left, right, kind):
                yield Compare(operator, _term(left), _term(right), kind)
            case Compute():
                yield from self._computation(literal)
            case Generate(function=name) if name in self.functions:
                yield replace(literal, arguments=_terms(literal.arguments))
            case Generate(result, name, arguments, kind):
                generated = self._function(name, [kind] * len(arguments), kind, WIDE.generate_range, several=True)
                yield Generate(result, generated, _terms(arguments), kind)
            case Pack():
                yield replace(literal, fields=_terms(literal.fields))
            case Unpack():
                yield replace(literal, record=_term(literal.record))

    def _atom(self, atom: Atom) -> Atom:
        return replace(atom, terms=tuple(None if term is None else _term(term) for term in atom.terms))

    def _comparison(self, operator: str, left: Term, right: Term, kind: Kind) -> Iterator[Literal]:
        if operator in ("=", "!=") and kind is not Kind.FLOAT:
            yield Compare(operator, left, right, Kind.OBJECT)
            return
        flag = self._new()
        name = self._function(operator, [kind, kind], None, lambda a, b: int(holds(operator, a, b)))
        yield Compute(flag, name, (left, right), kind)
        yield Compare("=", flag, Const(1, FLAG), Kind.NUMBER)

    def _computation(self, literal: Compute) -> Iterator[Literal]:
        name, kind, arguments = literal.function, literal.kind, _terms(literal.arguments)
        if name in self.functions or kind is Kind.SYMBOL and name in ("cat", "min", "max", "to_string", "+"):
            yield replace(literal, arguments=arguments)
        elif (
            name in ORDERED
            or name in RESULTS
            and kind not in (*NUMERIC, Kind.SYMBOL)
            or name in ("ord", "bits_number", "bits_unsigned")
            and kind is Kind.SYMBOL
        ):
            cell = self._new()
            yield replace(literal, result=cell, arguments=arguments)
            yield Compute(literal.result, self._conversion(RESULTS.get(name, Kind.NUMBER)), (cell,))
        else:
            kinds = (
                [Kind.SYMBOL, Kind.NUMBER, Kind.NUMBER]
                if name == "substr"
                else [Kind.SYMBOL]
                if name == "strlen"
                else [kind] * len(arguments)
            )
            result = Kind.SYMBOL if name in ("substr", "to_string") else RESULTS.get(name, kind)
            called = self._function(name, kinds, result, lambda *values: compute(name, values, kind, WIDE))
            yield Compute(literal.result, called, arguments, kind)

    def _conversion(self, kind: Kind) -> str:
        """The name of the function that converts a value of 32 bits to one of 64."""
        name = f"cell {kind.value} 64"
        self.functions.setdefault(
            name, Function(name, (Type(kind.value, kind),), _of_kind(kind), lambda value: held(value, kind))
        )
        return name

    def _function(
        self, name: str, arguments: Sequence[Kind], result: Kind | None, call: Callable[..., Any], several: bool = False
    ) -> str:
        """Add a function on wide values. Returns its name; a result without a kind is 0 or 1."""
        full = f"{name} {' '.join(kind.value for kind in arguments)} 64"
        if full not in self.functions:
            types = tuple(map(_of_kind, arguments))
            self.functions[full] = Function(
                full,
                types,
                FLAG if result is None else _of_kind(result),
                _on_held(types, result, call, several),
                several,
            )
        return full

    def _new(self) -> Var:
        self.fresh += 1
        return Var(f"$w{self.fresh}")


def _wide_function(function: Function) -> Function:
    call = SUMS.get(function.name, function.call)
    arguments, result = tuple(map(wide_type, function.arguments)), wide_type(function.result)
    return replace(
        function, arguments=arguments, result=result, call=_on_held(arguments, result.wide, call, function.several)
    )


def _on_held(
    arguments: Sequence[Type], result: Kind | None, call: Callable[..., Any], several: bool
) -> Callable[..., Any]:
    """The function with its arguments and results converted to the representation of their types."""
    kinds = [type_.wide for type_ in arguments]

    def called(*values: Any) -> Any:
        given = call(*(held(value, kind) for value, kind in zip(values, kinds, strict=True)))
        return (held(value, result) for value in given) if several else held(given, result)

    return called


def _of_kind(kind: Kind) -> Type:
    return wide_type(Type(kind.value, kind))


def _columns(columns: Sequence[Column]) -> tuple[Column, ...]:
    return tuple(Column(column.name, wide_type(column.type)) for column in columns)


def _terms(terms: Sequence[Term]) -> tuple[Term, ...]:
    return tuple(map(_term, terms))


def _term(term: Term) -> Term:
    return Const(_constant(term.value, term.type), wide_type(term.type)) if isinstance(term, Const) else term


def _constant(value: Any, type_: Type) -> Any:
    return held(value, type_.kind) if type_.kind in NUMERIC else value
