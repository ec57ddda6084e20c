"""One conjunction and its heads → core literals: substitution, evaluation order, records, negation, injection."""
from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ladder.language import core
from ladder.language import syntax as s
from ladder.language.builtins import NoValue, compute, holds, single, wrap
from ladder.language.core import Const, Kind, Place, Term, Var
from ladder.language.environment import Environment
from ladder.language.errors import Errors
from ladder.language.infer import Typing, aggregand, article, parts

_SWAPPABLE = frozenset(("=", "!="))
_VARIADIC = frozenset(("cat", "min", "max"))


@dataclass
class Normalised:
    """What clauses become; `helpers`: relations that stand for others without some columns, with their rules."""

    rules: list[core.Rule] = field(default_factory=list)
    facts: dict[str, dict[tuple[Hashable, ...], None]] = field(default_factory=dict)
    helpers: dict[str, core.Relation] = field(default_factory=dict)
    functions: dict[str, core.Function] = field(default_factory=dict)


class _Impossible(Exception):
    """A constraint between constants fails: the branch derives nothing."""


class Lowering:
    """One conjunction on its way to core literals."""

    def __init__(self, clause: s.Clause, typing: Typing, environment: Environment, result: Normalised,
                 errors: Errors) -> None:
        self.clause = clause
        self.typing = typing
        self.environment = environment
        self.result = result
        self.errors = errors
        self.literals: list[core.Literal] = []
        self.values: dict[str, Term] = {}          # variables that another variable or a constant stands for
        self.bound: set[Var] = set()
        self.fresh = 0

    # ---- bodies

    def body(self, literals: Sequence[s.Body]) -> bool:
        """Lowers a conjunction; False where it derives nothing, because it never holds or cannot be evaluated."""
        try:
            self._substitute(literals)
            equations: list[_Equation] = []
            for literal in literals:
                if isinstance(literal, s.AtomLiteral):
                    self._atom(literal.atom, equations)
            waiting: list[Any] = equations + [p for p in literals if not isinstance(p, s.AtomLiteral)]
            while waiting:
                rest = [item for item in waiting if not self._try(item, waiting)]
                if len(rest) == len(waiting):
                    self._explain(waiting)
                    return False
                waiting = rest
            return True
        except _Impossible:
            return False

    def _substitute(self, literals: Sequence[s.Body]) -> None:
        """Equalities between variables, and of a variable with a constant, hold by giving both one term."""
        for literal in literals:
            if isinstance(literal, s.Comparison) and literal.operator == "=":
                left, right = self._plain(literal.left), self._plain(literal.right)
                if isinstance(left, s.Variable) and (found := self._simple(right)) is not None:
                    self._equate(self._variable(left.name), found)
                elif isinstance(right, s.Variable) and (found := self._simple(left)) is not None:
                    self._equate(self._variable(right.name), found)

    def _simple(self, expression: s.Expression) -> Term | None:
        if isinstance(expression, s.Variable):
            return self._variable(expression.name)
        return self._constant(expression)

    def _equate(self, left: Term, right: Term) -> None:
        if left == right:
            return
        if isinstance(left, Var):
            self.values[left.name] = right
        elif isinstance(right, Var):
            self.values[right.name] = left
        else:
            raise _Impossible

    def _variable(self, name: str) -> Term:
        term: Term = Var(name)
        while isinstance(term, Var) and term.name in self.values:
            term = self.values[term.name]
        return term

    def _atom(self, atom: s.Call, equations: list[_Equation]) -> None:
        terms: list[Term | None] = []
        for argument in map(self._plain, atom.arguments):
            term: Term | None
            if isinstance(argument, s.Wildcard):
                term = None
            elif (simple := self._simple(argument)) is not None:
                term = simple
            else:
                term = self._new()
                equations.append(_Equation(term, argument, argument.place))
            if isinstance(term, Var):
                self.bound.add(term)
            terms.append(term)
        self.literals.append(core.Atom(atom.name, tuple(terms)))

    def _try(self, item: Any, waiting: list[Any]) -> bool:
        """Lowers a pending item if all it needs is bound; may add new items at the end of `waiting`'s next round."""
        match item:
            case _Equation():
                return self._equation(item)
            case s.Comparison(operator="="):
                return self._equality(item)
            case s.Comparison():
                if not (self._ready(item.left) and self._ready(item.right)):
                    return False
                kind = self.typing.kind(item.left)
                self._compare(item.operator, self._term(item.left), self._term(item.right), kind)
                return True
            case s.Negation(body=s.AtomLiteral(atom=atom)):
                if not all(isinstance(a, s.Wildcard) or self._ready(a) for a in atom.arguments):
                    return False
                self._negation(atom)
                return True
        raise AssertionError(item)

    def _equality(self, item: s.Comparison) -> bool:
        left, right = self._plain(item.left), self._plain(item.right)
        if self._simple(left) is not None and self._simple(right) is not None:
            variables = [e for e in (left, right) if isinstance(e, s.Variable)]
            if variables and not all(self._ready(v) for v in variables):
                return False    # substituted, but bound nowhere else
            return True if variables else self._constants_equal(left, right)
        if isinstance(left, s.Record) and isinstance(right, s.Record):
            return self._records_equal(left, right, item.place)
        for target, value in ((left, right), (right, left)):
            if self._ready(value) and isinstance(target, s.Record | s.Variable) and not isinstance(value, s.Record):
                if isinstance(target, s.Variable):
                    return self._bind(self._variable(target.name), value)
                if not self._ready(target):
                    return self._equation(_Equation(self._term(value), target, item.place))
            if isinstance(target, s.Variable) and isinstance(value, s.Record):
                term = self._variable(target.name)
                if not isinstance(term, Var) or term in self.bound:
                    return self._equation(_Equation(term, value, item.place))
                if self._ready(value):
                    return self._bind(term, value)
        if self._ready(left) and self._ready(right):
            self._compare("=", self._term(left), self._term(right), self.typing.kind(left))
            return True
        return False

    def _constants_equal(self, left: s.Expression, right: s.Expression) -> bool:
        if self._constant(left) != self._constant(right):
            raise _Impossible
        return True

    def _records_equal(self, left: s.Record, right: s.Record, place: Place) -> bool:
        if self._ready(left):
            return self._equation(_Equation(self._term(left), right, place))
        if self._ready(right):
            return self._equation(_Equation(self._term(right), left, place))
        return False

    def _bind(self, target: Term, value: s.Expression) -> bool:
        """`target = value` where the value is ready."""
        if isinstance(target, Var) and target not in self.bound:
            self._compute_into(target, value)
        else:
            self._compare("=", target, self._term(value), self.typing.kind(value))
        return True

    def _equation(self, equation: _Equation) -> bool:
        """A bound term equals a pattern or value: records are taken apart, anything else is computed and compared."""
        value = equation.value
        if not isinstance(value, s.Record):
            if not self._ready(value):
                return False
            return self._bind(equation.term, value)
        fields: list[Var | None] = []
        inner: list[_Equation] = []
        taken: set[Var] = set()
        checks: list[tuple[Var, Term, Kind]] = []
        for part in map(self._plain, value.fields):
            if isinstance(part, s.Wildcard):
                fields.append(None)
                continue
            term = self._simple(part)
            if isinstance(term, Var) and term not in self.bound and term not in taken:
                fields.append(term)
                taken.add(term)
                continue
            new = self._new()
            fields.append(new)
            if term is not None:
                checks.append((new, term, self.typing.kind(part)))
            else:
                inner.append(_Equation(new, part, part.place))
        if not all(isinstance(e.value, s.Record) or self._ready(e.value, taken) for e in inner):
            return False
        self.literals.append(core.Unpack(equation.term, tuple(fields), self.typing.type(value)))
        self.bound.update(f for f in fields if f is not None)
        for new, known, kind in checks:
            self._compare("=", new, known, kind)
        if not all([self._equation(e) for e in inner]):
            raise AssertionError("a nested record that is not ready")
        return True

    def _negation(self, atom: s.Call) -> None:
        terms = [None if isinstance(a, s.Wildcard) else self._term(a) for a in atom.arguments]
        if None not in terms:
            self.literals.append(core.Not(core.Atom(atom.name, tuple(terms))))
            return
        kept = [position for position, term in enumerate(terms) if term is not None]
        helper = self._projection(self.environment.relations[atom.name], kept)
        self.literals.append(core.Not(core.Atom(helper, tuple(t for t in terms if t is not None))))

    def _projection(self, relation: core.Relation, kept: Sequence[int]) -> str:
        """The relation that holds some columns of another, for negation: `R$0_2`."""
        name = f"{relation.name}${'_'.join(map(str, kept))}"
        if name not in self.result.helpers:
            columns = tuple(relation.columns[position] for position in kept)
            self.result.helpers[name] = core.Relation(name, columns, None, relation.place)
            terms = tuple(Var(c.name) if i in kept else None for i, c in enumerate(relation.columns))
            head = core.Atom(name, tuple(t for t in terms if t is not None))
            self.result.rules.append(core.Rule(head, (core.Atom(relation.name, terms),), self.clause.place))
        return name

    def _compare(self, operator: str, left: Term, right: Term, kind: Kind) -> None:
        if isinstance(left, Const) and isinstance(right, Const) and kind is not Kind.OBJECT:
            if not holds(operator, left.value, right.value):
                raise _Impossible
            return
        if isinstance(left, Const) and operator in _SWAPPABLE:
            left, right = right, left
        self.literals.append(core.Compare(operator, left, right, kind))

    # ---- heads

    def head(self, head: s.Call) -> None:
        """Adds the rule, or the fact, of one head."""
        literals, bound, fresh = list(self.literals), set(self.bound), self.fresh
        relation = self.environment.relations[head.name]
        unready = [a for a in head.arguments if not self._ready(aggregand(a) or a)]
        if unready:
            self._explain(unready)
            return
        try:
            terms = [self._term(aggregand(a) or a) if relation.aggregate and i == relation.arity - 1 else self._term(a)
                     for i, a in enumerate(head.arguments)]
        except _Impossible:
            return
        if relation.aggregate is not None:
            last = head.arguments[-1]
            terms[-1] = self._injected(terms[-1], aggregand(last) or last, relation)
        self._emit(core.Atom(head.name, tuple(terms)))
        self.literals, self.bound, self.fresh = literals, bound, fresh

    def _injected(self, term: Term, value: s.Expression, relation: core.Relation) -> Term:
        """The value itself if it is of the lattice's type, else what the lattice's `inject` makes of it."""
        name, column = relation.aggregate, relation.columns[-1].type
        inject = getattr(self.environment.lattices.get(name or ""), "inject", None)
        if not callable(inject):
            return term
        base = self.typing.base(value)
        same = base == column.name if column.kind is Kind.OBJECT else column.name in self.typing.declared_types(value)
        if same:
            return term
        function = f"{name}.inject({base})"
        source = self.environment.types.base_type(base)
        self.result.functions.setdefault(function, core.Function(function, (source,), column, inject))
        new = self._new()
        self.literals.append(core.Compute(new, function, (term,), source.kind))
        self.bound.add(new)
        return new

    def _emit(self, head: core.Atom) -> None:
        if self.clause.body is None and not self.literals and all(isinstance(t, Const) for t in head.terms):
            row = tuple(t.value for t in head.terms if isinstance(t, Const))
            self.result.facts.setdefault(head.relation, {})[row] = None
            return
        uses: dict[Var, int] = {}
        for literal in (head, *self.literals):
            for variable in core.variables(literal):
                uses[variable] = uses.get(variable, 0) + 1
        body = tuple(_with_wildcards(literal, uses) for literal in self.literals)
        plan = None if self.clause.plan is None else tuple(n - 1 for n in self.clause.plan)
        self.result.rules.append(core.Rule(head, body, self.clause.place, plan))

    # ---- expressions

    def _new(self) -> Var:
        self.fresh += 1
        return Var(f"${self.fresh}")

    def _ready(self, expression: s.Expression, besides: frozenset[Var] | set[Var] = frozenset()) -> bool:
        """Whether all variables of an expression are bound."""
        for part in parts(expression):
            if isinstance(part, s.Variable):
                term = self._variable(part.name)
                if isinstance(term, Var) and term not in self.bound and term not in besides:
                    return False
            elif isinstance(part, s.Wildcard):
                return False
        return True

    def _constant(self, expression: s.Expression) -> Const | None:
        match expression:
            case s.Number():
                return self._number(expression)
            case s.String():
                return Const(expression.value, self.typing.type(expression))
            case s.Nil():
                return Const(None, self.typing.type(expression))
            case s.Call() if expression.name not in ("range", "ord"):
                arguments = [self._constant(self._plain(a)) for a in expression.arguments]
                return None if None in arguments else self._folded(expression, [a for a in arguments if a is not None])
        return None

    def _folded(self, call: s.Call, arguments: Sequence[Const]) -> Const:
        """The value of a call whose arguments are constants."""
        name = self._function(call)
        kind = self.typing.kind(call.arguments[0])
        values = [a.value for a in arguments]
        try:
            while len(values) > 2 and name in _VARIADIC:
                values[:2] = [compute(name, (values[0], values[1]), kind)]
            return Const(compute(name, tuple(values), kind), self.typing.type(call))
        except NoValue:
            raise _Impossible from None

    def _number(self, number: s.Number) -> Const:
        type_ = self.typing.type(number)
        if type_.kind is Kind.FLOAT:
            return Const(single(float(number.value)), type_)
        value = int(number.value)
        least, most = (0, 1 << 32) if type_.kind is Kind.UNSIGNED else (-(1 << 31), 1 << 31)
        if not least <= value < most and not (number.suffix == "x" and 0 <= value < 1 << 32):
            self.errors.add(number.place, f"{value} does not fit {article(type_.name)} of 32 bits")
        return Const(wrap(value, type_.kind), type_)

    def _term(self, expression: s.Expression) -> Term:
        """The term that holds the value of a ready expression; literals that compute it are added."""
        expression = self._plain(expression)
        simple = self._simple(expression)
        if simple is not None:
            return simple
        new = self._new()
        return self._compute_into(new, expression) or new

    def _compute_into(self, target: Var, expression: s.Expression) -> Const | None:
        """Adds the literal that gives a variable the value of a ready expression; a constant instead if it is one."""
        expression = self._plain(expression)
        literal: core.Literal
        match expression:
            case s.Record():
                literal = core.Pack(target, tuple(map(self._term, expression.fields)), self.typing.type(expression))
            case s.UserCall():
                terms = tuple(map(self._term, expression.arguments))
                function = self.environment.functors[expression.name]
                self.result.functions[function.name] = function
                literal = (core.Generate(target, function.name, terms) if function.several
                           else core.Compute(target, function.name, terms))
            case s.Call(name="range"):
                literal = core.Generate(target, "range", tuple(map(self._term, expression.arguments)))
            case s.Call():
                return self._call(target, expression)
            case _:
                raise AssertionError(expression)
        self.literals.append(literal)
        self.bound.add(target)
        return None

    def _plain(self, expression: s.Expression) -> s.Expression:
        """The expression without casts, and without conversions to what it is already."""
        match expression:
            case s.Cast(value=value):
                return self._plain(value)
            case s.Call(name="to_string" | "to_number", arguments=(value,)):
                if self.typing.base(value) == self.typing.base(expression):
                    return self._plain(value)
        return expression

    def _call(self, target: Var, call: s.Call) -> Const | None:
        terms = list(map(self._term, call.arguments))
        kind = self.typing.kind(call.arguments[0])
        while len(terms) > 2 and call.name in _VARIADIC:
            terms[:2] = [self._apply(self._new(), call, (terms[0], terms[1]), kind)]
        result = self._apply(target, call, tuple(terms), kind)
        return result if isinstance(result, Const) else None

    def _function(self, call: s.Call) -> str:
        """The core's name of a built-in function: symbols are added by `cat`."""
        return "cat" if call.name == "+" and self.typing.kind(call) is Kind.SYMBOL else call.name

    def _apply(self, target: Var, call: s.Call, terms: tuple[Term, ...], kind: Kind) -> Term:
        """`target = function(terms)`, or its value where all are constants."""
        constants = [t for t in terms if isinstance(t, Const)]
        if call.name != "ord" and len(constants) == len(terms):
            self.values[target.name] = self._folded(call, constants)
            return self.values[target.name]
        self.literals.append(core.Compute(target, self._function(call), terms, kind))
        self.bound.add(target)
        return target

    # ---- what is not bound

    def _explain(self, items: Sequence[Any]) -> None:
        """An error for each variable that nothing binds."""
        told: set[Term] = set()
        for item in items:
            for variable, where in _occurrences(item):
                term = self._variable(variable.name)
                if isinstance(term, Var) and term not in self.bound and term not in told:
                    told.add(term)
                    self.errors.add(variable.place,
                                    f"the variable {variable.name} is not bound: it stands only {where}",
                                    "bind it with an atom that is not negated, or by = with a value")
        if not told:
            place = items[0].place
            self.errors.add(place, "a wildcard stands where a value is needed")


@dataclass(frozen=True)
class _Equation:
    """A bound term that must equal an expression."""

    term: Term
    value: s.Expression
    place: Place


def _with_wildcards(literal: core.Literal, uses: Mapping[Var, int]) -> core.Literal:
    """Variables that stand nowhere else become wildcards."""
    match literal:
        case core.Atom(relation, terms):
            return core.Atom(relation, tuple(None if isinstance(t, Var) and uses[t] == 1 else t for t in terms))
        case core.Unpack(record, fields, type_):
            return core.Unpack(record, tuple(None if f is not None and uses[f] == 1 else f for f in fields), type_)
    return literal


def _occurrences(item: Any) -> Iterator[tuple[s.Variable, str]]:
    """Variables of something that cannot be evaluated, and in words where they stand."""
    match item:
        case s.Negation(body=s.AtomLiteral(atom=atom)):
            expressions, where = atom.arguments, f"in the negated atom !{atom}"
        case s.Comparison():
            sides = (item.left, item.right)
            defined = [side for side in sides if item.operator == "=" and isinstance(side, s.Variable)]
            expressions = tuple(side for side in sides if len(defined) != 1 or side is not defined[0])
            where = f"in {item}"
        case _Equation():
            expressions, where = (item.value,), f"inside {item.value}"
        case _:
            expressions, where = (item,), "in the head"
    for expression in expressions:
        for part in parts(expression):
            if isinstance(part, s.Variable):
                yield part, where
