"""One conjunction and its heads → core literals: substitution, evaluation order, patterns, negation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ladder.language import core
from ladder.language.check.environment import Environment
from ladder.language.check.typings import Typing
from ladder.language.core import Const, Kind, Place, Term, Var
from ladder.language.errors import Errors
from ladder.language.expressions import written
from ladder.language.normalise.aggregates import Pending, lower_aggregate, pending_aggregates
from ladder.language.normalise.lattice_columns import Disjoint, LatticeArguments, columns_of, parts_of
from ladder.language.normalise.terms import Conjunction, Impossible, Normalised, Pattern, inner, parts
from ladder.language.roles import Part, Role
from ladder.language.syntax import nodes as s
from ladder.language.values.builtins import holds

_SWAPPABLE = frozenset(("=", "!="))


class Lowering(Conjunction):
    """Lowers one conjunction to core literals."""

    def __init__(
        self, clause: s.Clause, typing: Typing, environment: Environment, result: Normalised, errors: Errors
    ) -> None:
        super().__init__(clause, typing, environment, result, errors)
        self.lattice_arguments = LatticeArguments(self)
        self.more: list[Any] = []

    def body(self, literals: Sequence[Any], besides: Sequence[s.Node] = (), outer: core.Atom | None = None) -> bool:
        """Lower the literals of a body (see `Conjunction.body`)."""
        try:
            waiting: list[Any] = pending_aggregates(self, literals, besides)
            self._substitute(literals)
            if outer is not None:
                terms = tuple(self.variable(t.name) for t in outer.terms if isinstance(t, Var))
                self.add(core.Atom(outer.relation, terms), *(t for t in terms if isinstance(t, Var)))
            for literal in literals:
                if isinstance(literal, s.AtomLiteral):
                    self._atom(literal.atom, waiting)
                else:
                    waiting.append(literal)
            waiting = self._settle(waiting)
            while self.lattice_arguments.resolve():
                waiting = self._settle(waiting)
            if waiting:
                self.explain(waiting)
            return not waiting
        except Impossible:
            return False

    def _settle(self, waiting: list[Any]) -> list[Any]:
        """Lower items as long as there are some that can be, aggregates after all others. Returns the items that are
        left."""
        while True:
            self.more = []
            rest = [item for item in waiting if isinstance(item, Pending) or not self._try(item)]
            if len(rest) == len(waiting):
                found = next((item for item in rest if isinstance(item, Pending) and self._try(item)), None)
                if found is None:
                    return waiting
                rest.remove(found)
            waiting = rest + self.more

    def _substitute(self, literals: Sequence[s.Body]) -> None:
        """Resolve equalities between variables, and of a variable with a constant, by giving both the same term.

        This is not done for float constants that equal others with different bits, 0.0 and -0.0; float variables are
        unified if they have the same bits.
        """
        for literal in literals:
            if isinstance(literal, s.Comparison) and literal.operator == "=":
                left, right = self.plain(literal.left), self.plain(literal.right)
                pairs = [(a, self.simple(b)) for a, b in ((left, right), (right, left)) if isinstance(a, s.Variable)]
                found = next(((a, b) for a, b in pairs if b is not None), None)
                if found is not None and not _equal_to_others(found[1]):
                    self._equate(self.variable(found[0].name), found[1])

    def _equate(self, left: Term, right: Term) -> None:
        if left == right:
            return
        if isinstance(left, Var):
            self.values[left.name] = right
        elif isinstance(right, Var):
            self.values[right.name] = left
        else:
            raise Impossible

    def _atom(self, atom: s.Call, waiting: list[Any]) -> None:
        terms: list[Term | None] = []
        lattices = columns_of(self.environment, atom.name)
        columns = self.environment.relations[atom.name].columns
        for position, (argument, column) in enumerate(zip(map(self.plain, atom.arguments), columns, strict=True)):
            term: Term | None
            if isinstance(argument, s.Wildcard):
                term = None
            elif position in lattices:
                term = self.lattice_arguments.add(argument, column.type, lattices[position])
                self.sources[term] = id(atom), position
            elif (simple := self.simple(argument)) is not None:
                term = simple
            else:
                term = self.new(column.type)
                self.sources[term] = id(atom), position
                waiting.append(Equation(term, argument, argument.place))
            if isinstance(term, Var):
                self.bound.add(term)
                self.types.setdefault(term, column.type)
            terms.append(term)
        self.literals.extend(parts_of(self, atom.name, terms, id(atom)))

    def _try(self, item: Any) -> bool:
        """Lower a pending item if everything that it needs is bound; whether this was so. New items may be added to
        `more`."""
        match item:
            case Equation():
                return self._equation(item)
            case Pending():
                return lower_aggregate(self, item)
            case s.Comparison(operator="="):
                return self._equality(item)
            case s.Comparison():
                if not (self.ready(item.left) and self.ready(item.right)):
                    return False
                self.compare(item.operator, self.term(item.left), self.term(item.right), self.typing.kind(item.left))
                return True
            case s.Negation(body=s.AtomLiteral(atom=atom)):
                if not all(isinstance(a, s.Wildcard) or self.ready(a) for a in atom.arguments):
                    return False
                self._negation(atom)
                return True
            case Disjoint(atom, position, lattice):
                if not all(isinstance(a, s.Wildcard) or self.ready(a) for a in atom.arguments):
                    return False
                given = [None if isinstance(a, s.Wildcard) else self.term(a) for a in atom.arguments]
                keys = given[: len(given) - len(self.environment.lattice_columns[atom.name])]
                if None in keys:
                    self.errors.add(
                        atom.arguments[keys.index(None)].place,
                        f"!{atom} compares a lattice column for any key",
                        f"its value may meet {atom.arguments[position]} for one key and not for another: bind the key "
                        "with an atom that is "
                        "not negated",
                    )
                self.lattice_arguments.disjoint(atom.name, given, position, lattice)
                return True
        raise AssertionError(item)

    def _equality(self, item: s.Comparison) -> bool:
        left, right = self.plain(item.left), self.plain(item.right)
        one, other = self.simple(left), self.simple(right)
        if one is not None and other is not None:
            return self._simple_equality(one, other, self.typing.kind(left))
        for target, value in ((left, right), (right, left)):
            if isinstance(target, s.Wildcard) and self.ready(value):
                self.term(value)
                return True
            term = self.simple(target)
            if term is not None and self.known(term) and isinstance(value, Pattern):
                return self._take_apart(term, value)
            if self.ready(value):
                if term is not None:
                    return self.bind(term, value)
                if isinstance(target, Pattern):
                    return self._take_apart(self.term(value), target)
        if self.ready(left) and self.ready(right):
            self.compare("=", self.term(left), self.term(right), self.typing.kind(left))
            return True
        return False

    def _simple_equality(self, one: Term, other: Term, kind: Kind) -> bool:
        """Whether an equality holds because substitution has given both sides the same term."""
        if self.known(one) and self.known(other):
            if one != other:
                self.compare("=", one, other, kind)
            return True
        for unknown, known in ((one, other), (other, one)):
            if isinstance(unknown, Var) and self.known(known):
                self.values[unknown.name] = known
                return True
        return False  # bound nowhere else

    def bind(self, target: Term, value: s.Expression) -> bool:
        """Lower `target = value` if all variables of the value are bound; whether they were."""
        if isinstance(target, Var) and target not in self.bound:
            simple = self.simple(self.plain(value))
            if simple is None:
                constant = self.compute_into(target, value)
                if constant is not None:
                    self.values[target.name] = constant
            else:
                self.values[target.name] = simple
        else:
            self.compare("=", target, self.term(value), self.typing.kind(value))
        return True

    def _equation(self, equation: Equation) -> bool:
        """Lower that a bound term equals an expression: patterns are unpacked, other expressions are computed and
        compared; whether this was possible."""
        value = equation.value
        if isinstance(value, Pattern):
            return self._take_apart(equation.term, value)
        return self.ready(value) and self.bind(equation.term, value)

    def _take_apart(self, term: Term, pattern: Pattern) -> bool:
        """Lower that a known record or variant has the fields of a pattern; fields that are not variables become
        further equations."""
        if isinstance(term, Const) and term.value is None:
            raise Impossible  # nil has none
        fields: list[Var | None] = []
        equations: list[Equation] = []
        for part in map(self.plain, inner(pattern)):
            if isinstance(part, s.Wildcard) or self.typing.base(part) in self.environment.single_branches:
                fields.append(None)
                continue
            simple = self.simple(part)
            if isinstance(simple, Var) and simple not in self.bound and simple not in fields:
                fields.append(simple)
            else:
                new = self.new(self.typing.type(part))
                fields.append(new)
                equations.append(Equation(new, part, part.place))
        branch = pattern.branch if isinstance(pattern, s.Variant) else None
        self.add(
            core.Unpack(term, tuple(fields), self.typing.type(pattern), branch), *(f for f in fields if f is not None)
        )
        self.more.extend(e for e in equations if not self._equation(e))
        return True

    def _negation(self, atom: s.Call) -> None:
        terms = [None if isinstance(a, s.Wildcard) else self.term(a) for a in atom.arguments]
        if None not in terms:
            self.literals.append(core.Not(core.Atom(atom.name, tuple(terms))))
            return
        kept = [position for position, term in enumerate(terms) if term is not None]
        helper = self._projection(self.environment.relations[atom.name], kept)
        self.literals.append(core.Not(core.Atom(helper, tuple(t for t in terms if t is not None))))

    def _projection(self, relation: core.Relation, kept: Sequence[int]) -> str:
        """The name of the projection of a relation to some columns, for negation: `R$0_2`."""
        part = Part(Role.PROJECTION, relation.name, "_".join(map(str, kept)))
        name = part.name
        if name not in self.result.helpers:
            columns = tuple(relation.columns[position] for position in kept)
            self.result.helpers[name] = core.helper(part, columns, place=relation.place)
            terms = tuple(Var(c.name) if i in kept else None for i, c in enumerate(relation.columns))
            head = core.Atom(name, tuple(t for t in terms if t is not None))
            self.result.rules.append(core.Rule(head, (core.Atom(relation.name, terms),), self.clause.place))
        return name

    def compare(self, operator: str, left: Term, right: Term, kind: Kind) -> None:
        if isinstance(left, Const) and isinstance(right, Const) and kind is not Kind.OBJECT:
            if not holds(operator, left.value, right.value):
                raise Impossible
            return
        if isinstance(left, Const) and operator in _SWAPPABLE:
            left, right = right, left
        self.literals.append(core.Compare(operator, left, right, kind))

    def occurrences(self, items: Iterable[Any]) -> Iterator[s.Variable]:
        """The unbound variables of items that wait for them."""
        for item in items:
            match item:
                case s.Comparison():
                    expressions: Sequence[s.Expression] = (item.left, item.right)
                case s.Negation(body=s.AtomLiteral(atom=atom)) | Disjoint(atom):
                    expressions = atom.arguments
                case Equation():
                    expressions = (item.value,)
                case Pending():
                    expressions = item.injected
                case _:
                    expressions = (item,)
            for expression in expressions:
                yield from (part for part in parts(expression) if isinstance(part, s.Variable))

    # ---- what is not bound

    def explain(self, items: Sequence[Any]) -> None:
        """Add an error for each variable that nothing binds."""
        reported: set[Term] = set()
        for item in items:
            for variable, where in _occurrences(item):
                term = self.variable(variable.name)
                if isinstance(term, Var) and term not in self.bound and term not in reported:
                    reported.add(term)
                    name = written(variable.name)
                    self.errors.add(
                        variable.place,
                        f"the variable {name} is not bound: it stands only {where}",
                        "bind it with an atom that is not negated, or by = with a value",
                    )
        if not reported:
            place = items[0].place
            self.errors.add(place, "a wildcard stands where a value is needed")


def _equal_to_others(term: Term) -> bool:
    """Whether a constant equals floats with other bits (0.0) or does not equal itself (NaN)."""
    return isinstance(term, Const) and isinstance(term.value, float) and (term.value == 0 or term.value != term.value)


@dataclass(frozen=True)
class Equation:
    """A bound term that must equal an expression."""

    term: Term
    value: s.Expression
    place: Place


def _occurrences(item: Any) -> Iterator[tuple[s.Variable, str]]:
    """The variables of an item that cannot be evaluated, with words for where they occur."""
    match item:
        case s.Negation(body=s.AtomLiteral(atom=atom)) | Disjoint(atom):
            expressions, where = atom.arguments, f"in the negated atom !{atom}"
        case s.Comparison():
            sides = (item.left, item.right)
            defined = [side for side in sides if item.operator == "=" and isinstance(side, s.Variable)]
            expressions = tuple(side for side in sides if len(defined) != 1 or side is not defined[0])
            where = f"in {item.in_program}"
        case Equation():
            expressions, where = (item.value,), f"inside {item.value}"
        case Pending():
            expressions, where = item.injected, f"in the aggregate {item.aggregate}"
        case _:
            expressions, where = (item,), "in the head"
    for expression in expressions:
        for part in parts(expression):
            if isinstance(part, s.Variable):
                yield part, where
