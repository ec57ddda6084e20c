"""Lattice columns, written `x: L<>`: the meaning of arguments of body atoms, and relations with several such columns.

If the lattice has a meet and a bottom, an argument that is bound elsewhere matches all values above it, and a variable
that occurs in several such columns is their meet, which must not be bottom. Otherwise arguments must equal the values.
A relation with several lattice columns becomes one relation for each, aggregated separately:

    R(k, a, b) :- …      →  R$lattice1(k, a) :- …   R$lattice2(k, b) :- …
    R(k, a, b)           ←  R$lattice1(k, a), R$lattice2(k, b)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from ladder.language import core
from ladder.language.check.environment import Environment
from ladder.language.check.types import PRIMITIVES
from ladder.language.core import Const, Kind, Term, Type, Var
from ladder.language.normalise.terms import Conjunction, Normalised, Terms
from ladder.language.objects.lattice_tables import lattice_functions
from ladder.language.roles import Part, Role
from ladder.language.syntax import nodes as s
from ladder.language.syntax.branches import branches

_TRUE = Const(1, PRIMITIVES["number"])


def columns_of(environment: Environment, relation: str) -> dict[int, str]:
    """Position → lattice of those lattice columns of a relation that are read by their order."""
    lattices = environment.lattice_columns.get(relation)
    if lattices is None:
        return {}
    first = environment.relations[relation].arity - len(lattices)
    return {
        first + i: name
        for i, name in enumerate(lattices)
        if callable(getattr(environment.lattices[name], "meet", None)) and hasattr(environment.lattices[name], "bottom")
    }


def part_name(relation: str, position: int) -> str:
    return _part(relation, position).name


def _part(relation: str, position: int) -> Part:
    return Part(Role.LATTICE_COLUMN, relation, number=position + 1)


def split(environment: Environment, relation: str) -> int:
    """How many relations the lattice columns of a relation become; 0 for a single lattice column."""
    lattices = environment.lattice_columns.get(relation, ())
    return len(lattices) if len(lattices) > 1 else 0


def parts_of(terms_of: Terms, relation: str, terms: Sequence[Term | None], node: int) -> list[core.Atom]:
    """The atoms that an atom of a body becomes; `node`: its number as a source of variables."""
    count = split(terms_of.environment, relation)
    if not count:
        return [core.Atom(relation, tuple(terms))]
    keys, values = list(terms[:-count]), terms[-count:]
    used = [i for i, term in enumerate(values) if term is not None] or [0]
    if len(used) > 1:
        columns = terms_of.environment.relations[relation].columns
        for position, term in enumerate(keys):
            if term is None:
                keys[position] = new = terms_of.new(columns[position].type)
                terms_of.bound.add(new)
                terms_of.sources[new] = node, position
    return [core.Atom(part_name(relation, i), (*keys, values[i])) for i in used]


def heads_of(environment: Environment, head: core.Atom) -> list[core.Atom]:
    """The heads that a head becomes."""
    count = split(environment, head.relation)
    if not count:
        return [head]
    keys, values = head.terms[:-count], head.terms[-count:]
    return [core.Atom(part_name(head.relation, i), (*keys, value)) for i, value in enumerate(values)]


def declare_parts(environment: Environment, result: Normalised) -> dict[str, core.Relation]:
    """Add the relations of columns, with rules that join them and that split facts. Returns the relations that this
    changes."""
    changed = {}
    for name, lattices in environment.lattice_columns.items():
        if len(lattices) < 2:
            continue
        relation = environment.relations[name]
        facts = core.helper(Part(Role.UNSPLIT_FACTS, name), relation.columns, place=relation.place)
        changed[name] = core.Relation(name, relation.columns, None, relation.place, facts=facts.name)
        result.helpers[facts.name] = facts
        count = len(lattices)
        variables = tuple(Var(column.name) for column in relation.columns)
        keys = variables[:-count]
        body = []
        for i, lattice in enumerate(lattices):
            part, value = part_name(name, i), variables[i - count]
            columns = (*relation.columns[:-count], relation.columns[i - count])
            result.helpers[part] = core.helper(_part(name, i), columns, lattice, relation.place)
            body.append(core.Atom(part, (*keys, value)))
            whole = core.Atom(facts.name, tuple(v if v in (*keys, value) else None for v in variables))
            result.rules.append(core.Rule(body[-1], (whole,), relation.place))
        result.rules.append(core.Rule(core.Atom(name, variables), tuple(body), relation.place))
    return changed


@dataclass(frozen=True)
class _Argument:
    """An argument of a lattice column in a positive atom, with the variable of the column's value."""

    value: Var
    argument: s.Expression
    lattice: str
    type: Type


class LatticeArguments:
    """The arguments of lattice columns of one conjunction, whose meaning depends on which other literals bind them."""

    def __init__(self, lowering: Conjunction) -> None:
        self.lowering = lowering
        self.pending: list[_Argument] = []

    def add(self, argument: s.Expression, type_: Type, lattice: str) -> Var:
        """Add an argument. Returns the variable that the atom has in the column."""
        value = self.lowering.new(type_)
        self.pending.append(_Argument(value, argument, lattice, type_))
        return value

    def resolve(self) -> bool:
        """Add the literals of all arguments, once everything else is bound; False if there are no arguments."""
        pending, self.pending = self.pending, []
        groups: dict[Var, list[_Argument]] = {}
        ready = [self.lowering.ready(entry.argument) for entry in pending]
        for entry, bound in zip(pending, ready, strict=True):
            term = self.lowering.simple(entry.argument)
            if bound:
                self._below(entry)
            elif isinstance(term, Var):
                groups.setdefault(term, []).append(entry)
            else:
                self.lowering.errors.add(
                    entry.argument.place,
                    f"{entry.argument} in a lattice column is not bound",
                    "bind its variables elsewhere, or write a variable and take it apart",
                )
                self.lowering.bound.update(_unbound(self.lowering, entry.argument))
        for variable, entries in groups.items():
            self._bind(variable, entries)
        return bool(pending)

    def _below(self, entry: _Argument) -> None:
        """Add that a bound argument is below the value."""
        result = self.lowering.new(PRIMITIVES["number"])
        self._compute("leq", result, (self.lowering.term(entry.argument), entry.value), entry)
        self.lowering.literals.append(core.Compare("=", result, _TRUE, Kind.NUMBER))

    def _bind(self, variable: Var, entries: Sequence[_Argument]) -> None:
        """Bind a variable that occurs in lattice columns only: it is the value, or the meet of the values."""
        if len(entries) == 1:
            self._rename(entries[0].value, variable)
        else:
            met: Var = entries[0].value
            for position, entry in enumerate(entries[1:], 2):
                new = variable if position == len(entries) else self.lowering.new(entry.type)
                self._compute("meet", new, (met, entry.value), entry)
                met = new
        self.lowering.bound.add(variable)

    def _compute(self, method: str, result: Var, arguments: tuple[Term, ...], entry: _Argument) -> None:
        function = lattice_functions(entry.lattice, self.lowering.environment.lattices[entry.lattice], entry.type)[
            method
        ]
        self.lowering.result.functions[function.name] = function
        self.lowering.add(core.Compute(result, function.name, arguments), result)

    def disjoint(self, relation: str, terms: Sequence[Term | None], position: int, lattice: str) -> None:
        """Add that the meet of a term with the value of a column, in the row with these other terms, is bottom."""
        column = self.lowering.environment.relations[relation].columns[position]
        value, result = self.lowering.new(column.type), self.lowering.new(PRIMITIVES["number"])
        term = terms[position]
        assert term is not None
        lattices = len(self.lowering.environment.lattice_columns[relation])
        atom_terms = [value if i == position else t if i < len(terms) - lattices else None for i, t in enumerate(terms)]
        self.lowering.bound.add(value)
        self.lowering.negated.add(value)
        self.lowering.literals.extend(parts_of(self.lowering, relation, atom_terms, id(terms)))
        self._compute(
            "disjoint",
            result,
            (value, term),
            _Argument(value, s.Wildcard(self.lowering.clause.place), lattice, column.type),
        )
        self.lowering.literals.append(core.Compare("=", result, _TRUE, Kind.NUMBER))

    def _rename(self, old: Var, new: Var) -> None:
        """Replace a variable that occurs in a single atom so far."""
        literals = self.lowering.literals
        for position, literal in enumerate(literals):
            if isinstance(literal, core.Atom) and old in literal.terms:
                literals[position] = core.Atom(literal.relation, tuple(new if t == old else t for t in literal.terms))
        self.lowering.types.setdefault(new, self.lowering.types[old])


def _unbound(lowering: Conjunction, expression: s.Expression) -> Iterator[Var]:
    for variable in lowering.occurrences((expression,)):
        term = lowering.variable(variable.name)
        if isinstance(term, Var):
            yield term


@dataclass(frozen=True)
class Disjoint:
    """An alternative under which a negated atom holds: the meet of its argument with the value of a lattice column is
    bottom."""

    atom: s.Call
    position: int
    lattice: str


def negation_alternatives(negation: s.Negation, environment: Environment) -> list[Any]:
    """The alternatives whose disjunction is the meaning of a negated atom with arguments in lattice columns."""
    if not isinstance(negation.body, s.AtomLiteral):
        return [negation]
    atom = negation.body.atom
    columns = {
        position: lattice
        for position, lattice in columns_of(environment, atom.name).items()
        if not isinstance(atom.arguments[position], s.Wildcard)
    }
    if not columns:
        return [negation]
    arguments = tuple(s.Wildcard(a.place) if i in columns else a for i, a in enumerate(atom.arguments))
    whole = s.AtomLiteral(negation.body.place, s.Call(atom.place, atom.name, arguments))
    return [s.Negation(negation.place, whole), *(Disjoint(atom, i, lattice) for i, lattice in columns.items())]


def alternatives(body: s.Body, environment: Environment) -> Iterator[list[Any]]:
    """Conjunctions whose disjunction is the body; raises `TooManyBranches`."""
    for literals in branches(body):
        ways = [negation_alternatives(p, environment) if isinstance(p, s.Negation) else [p] for p in literals]
        for choice in product(*ways):
            yield list(choice)
