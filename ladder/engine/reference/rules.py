"""The instantiations of one rule over rows, by definition, for the reference evaluator."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ladder.language.core import (
    Atom,
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
    Rule,
    Term,
    Unpack,
    Var,
    binds,
    needs,
)
from ladder.language.faults import located, raised
from ladder.language.values import builtins

Row = tuple[Hashable, ...]
Bindings = dict[Var, Any]


class TooMuch(Exception):
    """Raised for a component that still derives new rows after the allowed number of iterations, or has too many
    instantiations."""


class Instantiations:
    """All instantiations of a rule over rows: iterates over (head row, iteration of each positive atom's row)."""

    def __init__(self, rule: Rule, program: Program, first: Mapping[str, Mapping[Row, int]]) -> None:
        self.rule = rule
        self.program = program
        self.first = first
        self.steps = schedule(rule)
        self.atoms = atoms_of(rule)
        self.indexes: dict[tuple[str, tuple[int, ...]], dict[Row, list[Row]]] = {}

    def __iter__(self) -> Iterator[tuple[Row, list[int]]]:
        for bindings, rows in self.with_rows():
            yield (
                tuple(value_of(t, bindings) for t in self.rule.head.terms),
                [self.first[atom.relation][row] for atom, row in zip(self.atoms, rows, strict=True)],
            )

    def with_rows(self) -> Iterator[tuple[Bindings, list[Row]]]:
        """All instantiations as (variable → value, row of each positive atom)."""
        return self._from(0, {}, [])

    def _from(self, position: int, bindings: Bindings, rows: list[Row]) -> Iterator[tuple[Bindings, list[Row]]]:
        if position == len(self.steps):
            yield bindings, rows
            return
        step = self.steps[position]
        if isinstance(step, Atom):
            for row, extended in self._matches(step, bindings):
                yield from self._from(position + 1, extended, [*rows, row])
        else:
            for extended in self.solutions(step, bindings):
                yield from self._from(position + 1, extended, rows)

    def _matches(self, atom: Atom, bindings: Bindings) -> Iterator[tuple[Row, Bindings]]:
        """The rows that match an atom, each with the extended bindings."""
        known = tuple(
            i for i, t in enumerate(atom.terms) if isinstance(t, Const) or isinstance(t, Var) and t in bindings
        )
        key = (atom.relation, known)
        if key not in self.indexes:
            self.indexes[key] = {}
            for row in self.first[atom.relation]:
                self.indexes[key].setdefault(tuple(row[i] for i in known), []).append(row)
        for row in self.indexes[key].get(tuple(value_of(atom.terms[i], bindings) for i in known), ()):
            extended = dict(bindings)
            if all(extended.setdefault(t, value) == value for t, value in zip(atom.terms, row) if isinstance(t, Var)):
                yield row, extended

    def solutions(self, literal: Literal, bindings: Bindings) -> Iterator[Bindings]:
        """The bindings extended by a literal that is no positive atom; none if it does not hold."""
        match literal:
            case Not(atom):
                if tuple(value_of(t, bindings) for t in atom.terms) not in self.first[atom.relation]:
                    yield bindings
            case Compare(operator, left, right):
                if builtins.holds(operator, value_of(left, bindings), value_of(right, bindings)):
                    yield bindings
            case Compute(result, function, arguments, kind):
                try:
                    value = self._call(function, [value_of(a, bindings) for a in arguments], kind)
                except builtins.NoValue:
                    return
                yield from _bound(bindings, (result,), (value,))
            case Generate(result, function, arguments):
                for value in dict.fromkeys(self._generate(function, [value_of(a, bindings) for a in arguments])):
                    yield from _bound(bindings, (result,), (value,))
            case Pack(result, fields, _, branch):
                values = tuple(value_of(f, bindings) for f in fields)
                yield from _bound(bindings, (result,), (values if branch is None else (branch, *values),))
            case Unpack(record, unpacked, _, branch):
                cells = value_of(record, bindings)
                if cells is not None and (branch is None or cells[0] == branch):
                    yield from _bound(bindings, unpacked, cells if branch is None else cells[1:])

    def _call(self, name: str, arguments: Sequence[Any], kind: Kind) -> Any:
        if name in self.program.functions:
            function = self.program.functions[name]
            return held(_result(function, arguments, self.program), function)
        return builtins.compute(name, tuple(arguments), kind)

    def _generate(self, name: str, arguments: Sequence[Any]) -> Iterable[Any]:
        if name in self.program.functions:
            function = self.program.functions[name]
            return (held(value, function) for value in _result(function, arguments, self.program))
        return builtins.generate_range(*arguments)


def _result(function: Function, arguments: Sequence[Any], program: Program) -> Any:
    try:
        result = function.call(*arguments)
        return list(result) if function.several else result
    except builtins.NoValue:
        raise
    except BaseException as error:
        raise located(raised(function.name, arguments, error), program, function.name) from error


def _bound(bindings: Bindings, variables: Sequence[Var | None], values: Sequence[Any]) -> Iterator[Bindings]:
    """The bindings extended by these variables; none if one of them has another value already."""
    found = dict(bindings)
    if all(found.setdefault(v, value) == value for v, value in zip(variables, values, strict=True) if v is not None):
        yield found


def schedule(rule: Rule) -> list[Literal]:
    """The literals in an order of evaluation: atoms in textual order, each other literal as soon as its variables are
    known."""
    atoms = atoms_of(rule)
    pending = [literal for literal in rule.body if not isinstance(literal, Atom)]
    bound: set[Var] = set()
    steps: list[Literal] = []
    for atom in (None, *atoms):
        if atom is not None:
            steps.append(atom)
            bound |= binds(atom)
        while ready := next((literal for literal in pending if needs(literal) <= bound), None):
            pending.remove(ready)
            steps.append(ready)
            bound |= binds(ready)
    return steps


def held(value: Any, function: Function) -> Any:
    """The result of a user functor converted to a value of its type."""
    kind = function.result.kind
    if kind in (Kind.NUMBER, Kind.UNSIGNED):
        return builtins.wrap(int(value), kind)
    return builtins.single(value) if kind is Kind.FLOAT else value


def atoms_of(rule: Rule) -> list[Atom]:
    """The positive atoms of a body."""
    return [literal for literal in rule.body if isinstance(literal, Atom)]


def join_of(program: Program, relation: str) -> Callable[[Any, Any], Any]:
    """The join of an aggregated relation's values."""
    aggregate = program.relations[relation].aggregate or ""
    if aggregate in program.lattices:
        join: Callable[[Any, Any], Any] = program.lattices[aggregate].join
        return join
    kind = program.relations[relation].columns[-1].type.kind
    if aggregate == "sum":
        return lambda a, b: builtins.compute("+", (a, b), kind)
    return lambda a, b: {"min": min, "max": max}[aggregate](a, b)


def value_of(term: Term | None, bindings: Bindings) -> Any:
    """The value of a constant or bound variable."""
    return term.value if isinstance(term, Const) else bindings[term]  # type: ignore[index]


def fact_relation(program: Program, name: str) -> str:
    """The EDB relation that stores the facts of a relation."""
    target = program.relations[name].facts
    return name if target is None else fact_relation(program, target)


def program_facts(program: Program, name: str) -> list[Row]:
    """The program facts that an EDB relation stores, in the order of the program, each once."""
    lists = (rows for other, rows in program.facts.items() if fact_relation(program, other) == name)
    return list(dict.fromkeys(row for rows in lists for row in rows))
