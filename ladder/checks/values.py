"""Hypothesis strategies of a program's values: of any type, and of its lattices.

A lattice written in Python provides its values itself. For one made of the program's functors they are all values of
its type, if there are few; otherwise those that the program can make: its constants, values in heads of rules, results
of functors, and joins and meets of these. (A record of two bounds, for example, has values that are no intervals.)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import islice, product
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ladder.checks.rules import Heads, argument_types
from ladder.language.core import Const, Kind, Not, Program, Rule, Type, Var
from ladder.language.objects.lattice_tables import DUAL, WIDENED, DeclaredLattice
from ladder.lattices.base import Lattice

_FEW = 120  # a type with at most this many values is drawn from completely
_LETTERS = "abcdefgh"


class Values:
    """The strategies of one program, which are made on demand."""

    def __init__(self, program: Program, lattices: Mapping[str, Any]) -> None:
        self.program, self.lattices = program, lattices
        self._symbols = [*_LETTERS, *_constants(program)][:_FEW]
        self._of_lattice: dict[str, SearchStrategy[Any]] = {}
        self._of_type: dict[str, SearchStrategy[Any]] = {}

    def of_column(self, type_: Type) -> SearchStrategy[Any]:
        """Values that a column or variable of a type may have: those of the lattice if it is the type of one."""
        return self.of_lattice(type_.name) if type_.name in self.lattices else self.of_type(type_)

    def of_lattice(self, name: str) -> SearchStrategy[Any]:
        """The values of a lattice."""
        if name not in self._of_lattice:
            self._of_lattice[name] = st.deferred(lambda: self._of_type[f"lattice {name}"])
            self._of_type[f"lattice {name}"] = self._lattice(name)
        return self._of_lattice[name]

    def _lattice(self, name: str) -> SearchStrategy[Any]:
        lattice = self.lattices[name]
        if not isinstance(lattice, DeclaredLattice):
            own = _own_values(lattice)
            if isinstance(own, SearchStrategy):
                return own
            if own is not None:
                raise TypeError("values() must return a hypothesis strategy")
        carrier = self.program.types[name]
        if carrier.kind is Kind.OBJECT:
            raise LookupError(f"the lattice {name} has no values() to test it on")
        few = list(islice(self._all(carrier, ()), _FEW + 1))
        if len(few) <= _FEW and None not in few:
            return st.sampled_from(few)
        return self._made(name, lattice, carrier)

    def _made(self, name: str, lattice: Any, carrier: Type) -> SearchStrategy[Any]:
        """The values of a lattice that the program can make."""
        known = {getattr(lattice, extreme) for extreme in ("bottom", "top") if hasattr(lattice, extreme)}
        builders = [
            rule
            for rule in self.program.rules
            if self.program.relations[rule.head.relation].columns[-1].type.name == name
        ]
        for relation in self.program.relations.values():
            for position, column in enumerate(relation.columns):
                if column.type.name == name:
                    known |= {row[position] for row in self.program.facts.get(relation.name, ())}
        inputs = {d.relation for d in self.program.directives if d.kind == "input"}
        if any(column.type.name == name for relation in inputs for column in self.program.relations[relation].columns):
            return self.of_type(carrier)
        base = [st.sampled_from(sorted(known, key=repr))] if known else []
        from_own = [
            rule for rule in builders if name in argument_types(rule, self.program, rule.head.terms[-1:]).values()
        ]
        base += [self._built(rule, {}) for rule in builders if rule not in from_own]
        functors = [
            f for f in self.program.functions.values() if f.result.name == name and "." not in f.name and not f.several
        ]
        base += [self._called(f, {}) for f in functors if name not in {t.name for t in f.arguments}]
        if not base:
            return self.of_type(carrier)

        def extended(children: SearchStrategy[Any]) -> SearchStrategy[Any]:
            own = {name: children}
            more = [
                st.builds(_quiet(getattr(lattice, operation)), children, children)
                for operation in ("join", "meet")
                if hasattr(lattice, operation)
            ]
            more += [self._called(f, own) for f in functors if name in {t.name for t in f.arguments}]
            more += [self._built(rule, own) for rule in from_own]
            return st.one_of(more).filter(lambda value: value is not _NOTHING)

        return st.recursive(st.one_of(base).filter(lambda value: value is not _NOTHING), extended, max_leaves=3)

    def _called(self, functor: Any, own: Mapping[str, SearchStrategy[Any]]) -> SearchStrategy[Any]:
        arguments = [own[t.name] if t.name in own else self.of_column(t) for t in functor.arguments]
        return st.builds(_quiet(functor.call), *arguments)

    def _built(self, rule: Rule, own: Mapping[str, SearchStrategy[Any]]) -> SearchStrategy[Any]:
        """The last value of a rule's head, for any values of the variables that its atoms bind."""
        result = rule.head.terms[-1:]
        drawn = {
            var: own[type_] if type_ in own else self.of_column(self.program.types[type_])
            for var, type_ in argument_types(rule, self.program, result).items()
        }
        head = Heads(rule, self.program, result)

        def last(bindings: dict[Var, Any]) -> Any:
            return next((row[-1] for row in head.rows(bindings)), _NOTHING)

        return st.fixed_dictionaries(drawn).map(_quiet(last))

    # ---- types

    def of_type(self, type_: Type) -> SearchStrategy[Any]:
        """Any values of a type."""
        if type_.name not in self._of_type:
            self._of_type[type_.name] = st.deferred(lambda: made)
            made = self._typed(type_)
        return self._of_type[type_.name]

    def _typed(self, type_: Type) -> SearchStrategy[Any]:
        match type_.kind:
            case Kind.NUMBER:
                return st.integers(-9, 9) | st.integers(-(2**31), 2**31 - 1)
            case Kind.UNSIGNED:
                return st.integers(0, 9) | st.integers(0, 2**32 - 1)
            case Kind.FLOAT:
                return st.floats(width=32, allow_nan=False)
            case Kind.SYMBOL:
                return st.sampled_from(self._symbols)
            case Kind.RECORD if type_.branches:
                simple = sorted(type_.branches, key=lambda branch: len(branch[1]))
                return st.one_of(
                    [st.tuples(st.just(name), *(self._field(t) for _, t in fields)) for name, fields in simple]
                )
            case Kind.RECORD:
                record = st.tuples(*(self._field(t) for _, t in type_.fields))
                return st.none() | record if self._recursive(type_) else record
        raise LookupError(f"the type {type_.name} has no values to draw")

    def _field(self, name: str) -> SearchStrategy[Any]:
        return self.of_column(self.program.types[name])

    def _recursive(self, type_: Type) -> bool:
        """Whether a record may contain records of its own type, so that some must be nil."""
        pending, seen = [t for _, t in type_.fields], set[str]()
        while pending:
            name = pending.pop()
            if name == type_.name:
                return True
            if name not in seen:
                seen.add(name)
                inner = self.program.types[name]
                pending += [t for _, t in inner.fields] + [t for _, fields in inner.branches for _, t in fields]
        return False

    def _all(self, type_: Type, within: tuple[str, ...]) -> Iterator[Hashable]:
        """Iterate over all values of a type; of a type with too many, over more than `_FEW` placeholders."""
        if type_.kind is not Kind.RECORD or type_.name in within or not type_.branches and self._recursive(type_):
            yield from [None] * (_FEW + 1)
            return
        for branch, fields in type_.branches or ((None, type_.fields),):
            inner = [list(islice(self._all(self.program.types[t], (*within, type_.name)), _FEW + 1)) for _, t in fields]
            for values in product(*inner):
                yield values if branch is None else (branch, *values)


def _constants(program: Program) -> list[str]:
    """The symbols in a program's rules, with which functors may be called."""
    found = [
        term.value
        for rule in program.rules
        for literal in (rule.head, *rule.body)
        if not isinstance(literal, Not)
        for term in _terms(literal)
        if isinstance(term, Const)
    ]
    return list(dict.fromkeys(value for value in found if isinstance(value, str)))


def _terms(literal: Any) -> tuple[Any, ...]:
    """The terms of a literal that may be constants."""
    if hasattr(literal, "terms"):
        return tuple(literal.terms)
    if hasattr(literal, "left"):
        return literal.left, literal.right
    return tuple(getattr(literal, "arguments", getattr(literal, "fields", ())))


_NOTHING = object()


def _quiet(call: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which returns a marker instead of raising where it has no result for its arguments."""

    def quiet(*arguments: Any) -> Any:
        try:
            return _NOTHING if _NOTHING in arguments else call(*arguments)
        except Exception:  # noqa: BLE001 - a functor that is never called with these
            return _NOTHING

    return quiet


def _own_values(lattice: Any) -> SearchStrategy[Any] | None:
    """The strategy of a lattice written in Python; None if it provides none."""
    kind = type(lattice)
    for method in ("values", "examples"):
        if callable(getattr(lattice, method, None)) and getattr(kind, method, None) is not getattr(Lattice, method):
            if hasattr(lattice, "values"):
                values: SearchStrategy[Any] = lattice.values()
                return values
            return st.sampled_from(list(lattice.examples()))
    carrier = getattr(lattice, "carrier", "object")
    if carrier == "number":
        return st.integers(-(2**31), 2**31 - 1)
    return st.text(max_size=4) if carrier == "symbol" else None


def base_name(aggregate: str) -> str:
    """The name of the lattice of an aggregate, which may be derived from the lattice (`L.dual`, `L.widen`)."""
    return aggregate.removesuffix(WIDENED).removesuffix(DUAL)
