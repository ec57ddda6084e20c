"""Expressions of one conjunction → terms of core literals, and the literals that compute them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ladder.language import core
from ladder.language.check.environment import Environment
from ladder.language.check.infer import article
from ladder.language.check.typings import Typing
from ladder.language.core import Const, Kind, Term, Type, Var
from ladder.language.errors import Errors
from ladder.language.limits import LIMITS
from ladder.language.roles import Part, Role, unused
from ladder.language.syntax import nodes as s
from ladder.language.values.builtins import NoValue, compute

_VARIADIC = frozenset(("cat", "min", "max"))
# Conversions by the name of the primitive type they lead to.
CONVERSIONS = {
    "to_number": "number",
    "ftoi": "number",
    "utoi": "number",
    "to_unsigned": "unsigned",
    "itou": "unsigned",
    "ftou": "unsigned",
    "to_float": "float",
    "itof": "float",
    "utof": "float",
    "to_string": "symbol",
}
_ORDERED = {"recursive_iteration_cnt": "iteration"}
_NEVER_FOLDED = frozenset(("range", "ord", *_ORDERED))
_WITH_BITS = frozenset((Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT))
Pattern = s.Record | s.Variant


@dataclass
class Normalised:
    """The result of lowering clauses; `helpers`: helper relations, whose rules are among `rules`.

    `replaced`: declared relations that differ in the core program because they are derived from helper relations.
    `lattices`: joins of helper relations that the program does not declare. `shared`: rules of an aggregate, without
    names of variables → the helper relation that has these rules.
    """

    rules: list[core.Rule] = field(default_factory=list)
    facts: dict[str, dict[Hashable, tuple[Hashable, ...]]] = field(default_factory=dict)  # by their bits
    helpers: dict[str, core.Relation] = field(default_factory=dict)
    replaced: dict[str, core.Relation] = field(default_factory=dict)
    functions: dict[str, core.Function] = field(default_factory=dict)
    lattices: dict[str, Any] = field(default_factory=dict)
    subsumptions: list[core.Subsumption] = field(default_factory=list)
    shared: dict[str, str] = field(default_factory=dict)

    def unused(self, role: Role, of: str, word: str = "") -> Part:
        """A part for a new helper relation, with an unused number."""
        return unused(Part(role, of, word), self.helpers)


class Impossible(Exception):
    """Raised where a constraint between constants fails, so that the conjunction derives nothing."""


class Terms:
    """The terms of a conjunction: the terms of its variables, which of them are bound, and its literals so far."""

    def __init__(
        self, clause: s.Clause, typing: Typing, environment: Environment, result: Normalised, errors: Errors
    ) -> None:
        self.clause = clause
        self.typing = typing
        self.environment = environment
        self.result = result
        self.errors = errors
        self.literals: list[core.Literal] = []
        self.values: dict[str, Term] = {}  # variables that another variable or a constant stands for
        self.bound: set[Var] = set()
        self.types: dict[Var, Type] = {}  # of variables that the clause does not name
        self.aggregates: dict[int, Var] = {}  # id of an aggregate → the variable that has its value
        self.sources: dict[Var, tuple[int | str, int]] = {}  # variables → id of what they stand in, and which argument
        self.fresh = 0

    @property
    def clause_name(self) -> str:
        """The name of the clause's relation, after which helper relations are named."""
        return self.clause.heads[0].name if self.clause.heads else "subsumption"

    def new(self, type_: Type) -> Var:
        self.fresh += 1
        variable = Var(f"${self.fresh}")
        self.types[variable] = type_
        return variable

    def type_of(self, variable: Var) -> Type:
        """The primitive, record or lattice type of a variable."""
        found = self.types.get(variable)
        return self.typing.type(s.Variable(self.clause.place, variable.name)) if found is None else found

    def variable(self, name: str) -> Term:
        term: Term = Var(name)
        while isinstance(term, Var) and term.name in self.values:
            term = self.values[term.name]
        return term

    def simple(self, expression: s.Expression) -> Term | None:
        """The term of an expression that needs no literal (a variable, an aggregate or a constant); None for others."""
        match expression:
            case s.Variable():
                return self.variable(expression.name)
            case s.Aggregate():
                return self.variable(self.aggregates[id(expression)].name)
        return self.constant(expression)

    def known(self, term: Term | None) -> bool:
        return isinstance(term, Const) or term in self.bound

    def ready(self, expression: s.Expression) -> bool:
        """Whether all variables of an expression are bound."""
        for part in parts(expression):
            if isinstance(part, s.Variable | s.Aggregate):
                if not self.known(self.simple(part)):
                    return False
            elif isinstance(part, s.Wildcard):
                return False
        return True

    # ---- constants

    def constant(self, expression: s.Expression) -> Const | None:
        match expression:
            case s.Number():
                return self._number(expression)
            case s.String():
                return Const(expression.value, self.typing.type(expression))
            case s.Nil():
                return Const(None, self.typing.type(expression))
            case s.Call() if expression.name not in _NEVER_FOLDED:
                arguments = [self.constant(self.plain(a)) for a in expression.arguments]
                return None if None in arguments else self._folded(expression, [a for a in arguments if a is not None])
        return None

    def ground(self, expression: s.Expression) -> Const | None:
        """The constant of a constant expression, including records and variants; None for others."""
        expression = self.plain(expression)
        if not isinstance(expression, Pattern):
            return self.constant(expression)
        values = [self.ground(part) for part in inner(expression)]
        if None in values:
            return None
        cells = tuple(v.value for v in values if v is not None)
        branch = (expression.branch,) if isinstance(expression, s.Variant) else ()
        return Const((*branch, *cells), self.typing.type(expression))

    def _folded(self, call: s.Call, arguments: Sequence[Const]) -> Const:
        """The value of a call whose arguments are constants."""
        name = self._function(call)
        kind = self.typing.kind(call.arguments[0])
        values = [a.value for a in arguments]
        try:
            while len(values) > 2 and name in _VARIADIC:
                values[:2] = [compute(name, (values[0], values[1]), kind, self.environment.domain)]
            return Const(compute(name, tuple(values), kind, self.environment.domain), self.typing.type(call))
        except NoValue:
            raise Impossible from None

    def _number(self, number: s.Number) -> Const:
        type_, domain = self.typing.type(number), self.environment.domain
        if type_.kind is Kind.FLOAT:
            return Const(domain.round(float(number.value)), type_)
        value = int(number.value)
        least, most = domain.range(type_.kind)
        if not least <= value <= most and not (number.suffix == "x" and 0 <= value < 1 << domain.bits):
            self.errors.add(number.place, f"{value} does not fit {article(type_.name)} of {domain.bits} bits")
        return Const(domain.wrap(value, type_.kind), type_)

    # ---- values

    def term(self, expression: s.Expression) -> Term:
        """The term of the value of a ready expression; literals that compute it are added."""
        expression = self.plain(expression)
        simple = self.simple(expression)
        if simple is not None:
            return simple
        new = self.new(self.typing.type(expression))
        return self.compute_into(new, expression) or new

    def compute_into(self, target: Var, expression: s.Expression) -> Const | None:
        """Add the literal that computes a ready expression into a variable. If the expression is constant, return its
        constant instead."""
        expression = self.plain(expression)
        literal: core.Literal
        match expression:
            case s.Record() | s.Variant():
                branch = expression.branch if isinstance(expression, s.Variant) else None
                literal = core.Pack(
                    target, tuple(map(self.term, inner(expression))), self.typing.type(expression), branch
                )
            case s.UserCall():
                terms = tuple(map(self.term, expression.arguments))
                function = self.environment.functors[expression.name]
                self.sources[target] = id(expression), 0
                self.result.functions[function.name] = function
                literal = (
                    core.Generate(target, function.name, terms)
                    if function.several
                    else core.Compute(target, function.name, terms)
                )
            case s.Counter():
                literal = core.Compute(target, "autoinc", ())
            case s.Cast():
                if self.typing.kind(expression) not in _WITH_BITS:
                    self.errors.add(
                        expression.place,
                        f"{expression} would be what has this number inside, which is not defined",
                        "as(…) leads from symbols and records to numbers, not back",
                    )
                    raise Impossible
                literal = core.Compute(
                    target,
                    f"bits_{self.typing.kind(expression).value}",
                    (self.term(expression.value),),
                    self.typing.kind(expression.value),
                )
            case s.Call(name="range"):
                self.sources[target] = id(expression), 0
                literal = core.Generate(
                    target, "range", tuple(map(self.term, expression.arguments)), self.typing.kind(expression)
                )
            case s.Call():
                return self._call(target, expression)
            case _:
                raise AssertionError(expression)
        self.add(literal, target)
        return None

    def add(self, literal: core.Literal, *bound: Var) -> None:
        self.literals.append(literal)
        self.bound.update(bound)

    def plain(self, expression: s.Expression) -> s.Expression:
        """The expression without casts that keep the bits, and without conversions to its own type."""
        match expression:
            case s.Cast(value=value):
                if self.typing.kind(value) is self.typing.kind(expression) or isinstance(value, s.Nil):
                    return self.plain(value)
            case s.Call(arguments=(value,)) if expression.name in CONVERSIONS:
                if self.typing.kind(value) is self.typing.kind(expression):
                    return self.plain(value)
        return expression

    def _call(self, target: Var, call: s.Call) -> Const | None:
        terms = list(map(self.term, call.arguments))
        kind = self.typing.kind(call.arguments[0] if call.arguments else call)
        at_once = LIMITS.arguments if self._function(call) == "cat" else 2
        while len(terms) > at_once and call.name in _VARIADIC:
            terms[:at_once] = [self._apply(self.new(self.typing.type(call)), call, tuple(terms[:at_once]), kind)]
        result = self._apply(target, call, tuple(terms), kind)
        return result if isinstance(result, Const) else None

    def _function(self, call: s.Call) -> str:
        """The name of a built-in function in core programs: `+` on symbols is `cat`."""
        kind = self.typing.kind(call)
        if call.name == "+" and kind is Kind.SYMBOL:
            return "cat"
        if call.name in CONVERSIONS:
            return "to_string" if kind is Kind.SYMBOL else f"to_{kind.value}"
        return _ORDERED.get(call.name, call.name)

    def _apply(self, target: Var, call: s.Call, terms: tuple[Term, ...], kind: Kind) -> Term:
        """Add `target = function(terms)`. Returns the target, or the constant result if all terms are constants."""
        constants = [t for t in terms if isinstance(t, Const)]
        if call.name not in _NEVER_FOLDED and len(constants) == len(terms):
            self.values[target.name] = self._folded(call, constants)
            return self.values[target.name]
        self.add(core.Compute(target, self._function(call), terms, kind), target)
        return target


class Conjunction(Terms, ABC):
    """The lowering of one conjunction, as the lowering of its aggregates and lattice columns uses it."""

    def __init__(
        self, clause: s.Clause, typing: Typing, environment: Environment, result: Normalised, errors: Errors
    ) -> None:
        super().__init__(clause, typing, environment, result, errors)
        self.outside: frozenset[str] = frozenset()  # names that stand outside aggregates here or around this
        self.derived: set[str] = set()  # helper relations of aggregates
        self.negated: set[Var] = set()  # values of lattice columns that a negated atom looks at
        self.domains: dict[tuple[Var, ...], str] = {}  # group → the relation of its values
        self.offset = 0  # iterations after which the literals of an aggregate's body have all rows of a group

    @abstractmethod
    def body(self, literals: Sequence[Any], besides: Sequence[s.Node] = (), outer: core.Atom | None = None) -> bool:
        """Lower a conjunction; False where it derives nothing, because it never holds or cannot be evaluated.

        `besides`: heads, or an aggregate's target, which may contain aggregates, too. `outer`: an atom whose variables
        have their values from outside of the conjunction.
        """

    @abstractmethod
    def compare(self, operator: str, left: Term, right: Term, kind: Kind) -> None:
        """Add a comparison; `Impossible` where it never holds."""

    @abstractmethod
    def occurrences(self, items: Iterable[Any]) -> Iterator[s.Variable]:
        """The variables of items that are not bound yet."""

    @abstractmethod
    def explain(self, items: Sequence[Any]) -> None:
        """Add an error for each variable that nothing binds."""


def inner(pattern: Pattern) -> tuple[s.Expression, ...]:
    """The fields of a record or the arguments of a variant."""
    return pattern.fields if isinstance(pattern, s.Record) else pattern.arguments


def parts(expression: s.Expression) -> Iterator[s.Expression]:
    """An expression and all expressions inside it, except for those inside aggregates."""
    yield expression
    match expression:
        case s.Call() | s.UserCall() | s.Variant():
            within: tuple[s.Expression, ...] = expression.arguments
        case s.Record():
            within = expression.fields
        case s.Cast():
            within = (expression.value,)
        case _:
            within = ()
    for part in within:
        yield from parts(part)


def with_wildcards(literal: core.Literal, uses: Mapping[Var, int]) -> core.Literal:
    """The literal with wildcards in place of variables that occur nowhere else."""
    match literal:
        case core.Atom(relation, terms):
            return core.Atom(relation, tuple(None if isinstance(t, Var) and uses[t] == 1 else t for t in terms))
        case core.Unpack(record, fields, type_, branch):
            return core.Unpack(
                record, tuple(None if f is not None and uses[f] == 1 else f for f in fields), type_, branch
            )
    return literal


def rule(
    head: core.Atom, literals: Sequence[core.Literal], clause: s.Clause, plan: tuple[int, ...] | None = None
) -> core.Rule:
    """A rule at the place of a clause, with wildcards in place of variables that occur only once."""
    uses: dict[Var, int] = {}
    for literal in (head, *literals):
        for variable in core.variables(literal):
            uses[variable] = uses.get(variable, 0) + 1
    return core.Rule(head, tuple(with_wildcards(literal, uses) for literal in literals), clause.place, plan)
