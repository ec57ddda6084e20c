"""Types of the variables and expressions of one clause: primitive types by unification, declared types from atoms.

Bodies are sources: a variable's values are those of all declared types it meets there. Heads and functor arguments are
sinks: they must accept them. Constants and arithmetic have a primitive type only and fit every type above it.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ladder.language import syntax as s
from ladder.language.branches import paired_fields
from ladder.language.core import Kind, Place, Type
from ladder.language.environment import Environment
from ladder.language.errors import Errors, did_you_mean
from ladder.language.types import NUMERIC

SOURCE, SINK, NEUTRAL = "source", "sink", "neutral"

_NUMERIC_FUNCTIONS = {"+": 2, "-": 2, "*": 2, "/": 2, "%": 2, "^": 2, "neg": 1, "min": -2, "max": -2, "range": -2}
_INTEGER_FUNCTIONS = {"band": 2, "bor": 2, "bxor": 2, "bnot": 1, "bshl": 2, "bshr": 2, "bshru": 2,
                      "land": 2, "lor": 2, "lxor": 2, "lnot": 1}
_TEXT_FUNCTIONS = {"cat": ("symbol", None), "strlen": ("number", ("symbol",)), "to_number": ("number", ("any",)),
                   "substr": ("symbol", ("symbol", "number", "number")), "to_string": ("symbol", ("any",)),
                   "to_float": ("float", ("any",)), "to_unsigned": ("unsigned", ("any",)), "ord": ("number", ("any",)),
                   "itof": ("float", ("number",)), "itou": ("unsigned", ("number",)), "utof": ("float", ("unsigned",)),
                   "utoi": ("number", ("unsigned",)), "ftoi": ("number", ("float",)), "ftou": ("unsigned", ("float",))}
FUNCTIONS = (*(n for n in (*_NUMERIC_FUNCTIONS, *_INTEGER_FUNCTIONS) if n.isidentifier()), *_TEXT_FUNCTIONS)
SIGNS = {"neg": "-"}


@dataclass(eq=False)
class _Cell:
    """A primitive type to be found; cells are unified by pointing one at the other."""

    base: str | None = None
    numeric: bool = False
    broken: bool = False    # an error was told: no more about this one
    target: _Cell | None = None

    def find(self) -> _Cell:
        cell = self
        while cell.target is not None:
            cell = cell.target
        return cell


@dataclass
class Typing:
    """Result: the primitive (or record, or lattice) type of each expression, and the declared types of variables."""

    environment: Environment
    errors: Errors
    cells: dict[int, _Cell] = field(default_factory=dict)
    variables: dict[str, _Cell] = field(default_factory=dict)
    declared: dict[str, dict[str, Place]] = field(default_factory=dict)
    _records: list[tuple[s.Record, str]] = field(default_factory=list)
    _operations: list[s.Call] = field(default_factory=list)
    _nils: list[s.Nil] = field(default_factory=list)
    _sinks: list[tuple[s.Expression, str, str]] = field(default_factory=list)
    _equal: list[tuple[s.Expression, s.Expression]] = field(default_factory=list)

    def base(self, expression: s.Expression) -> str:
        """Name of the primitive, record or lattice type of an expression; numbers where nothing says otherwise."""
        cell = self.variables[expression.name] if isinstance(expression, s.Variable) else self.cells[id(expression)]
        return cell.find().base or "number"

    def type(self, expression: s.Expression) -> Type:
        return self.environment.types.base_type(self.base(expression))

    def kind(self, expression: s.Expression) -> Kind:
        return self.type(expression).kind

    def declared_types(self, expression: s.Expression) -> tuple[str, ...]:
        """Declared types whose values an expression has, all of them; none for constants and arithmetic."""
        match expression:
            case s.Variable():
                return tuple(self.declared.get(expression.name, ()))
            case s.UserCall() if expression.name in self.environment.functors:
                return (self.environment.functors[expression.name].result.name,)
            case s.Cast():
                return (expression.type,)
        return ()


def infer(clause: s.Clause, environment: Environment, errors: Errors) -> Typing:
    """Types of a clause whose names and numbers of arguments are right; what does not fit is an error."""
    inference = _Inference(environment, errors)
    if clause.body is not None:
        inference.body(clause.body, True)
    for head in clause.heads:
        inference.head(head)
    inference.finish()
    return inference.typing


class _Inference:
    def __init__(self, environment: Environment, errors: Errors) -> None:
        self.environment = environment
        self.types = environment.types
        self.errors = errors
        self.errors_before = errors.noted
        self.typing = Typing(environment, errors)

    # ---- clauses

    def body(self, body: s.Body, positive: bool) -> None:
        match body:
            case s.Conjunction() | s.Disjunction():
                for part in body.parts:
                    self.body(part, positive)
            case s.Negation():
                self.body(body.body, not positive)
            case s.AtomLiteral():
                relation = self.environment.relations[body.atom.name]
                for argument, column in zip(body.atom.arguments, relation.columns, strict=True):
                    self.against(argument, column.type.name, SOURCE if positive else NEUTRAL,
                                 f"column {column.name} of {relation.name}")
            case s.Comparison():
                self._comparison(body)
            case s.Unsupported():
                self.errors.add(body.place, f"{body.what} is not supported", body.mend)

    def head(self, head: s.Call) -> None:
        relation = self.environment.relations[head.name]
        for position, (argument, column) in enumerate(zip(head.arguments, relation.columns, strict=True)):
            value = aggregand(argument) or argument
            last = position == len(relation.columns) - 1
            if relation.aggregate is not None and last and self._injects(value, relation.aggregate, column.type):
                continue
            self.against(value, column.type.name, SINK, f"column {column.name} of {relation.name}")

    def _injects(self, value: s.Expression, lattice: str, column: Type) -> bool:
        """Whether the value is to be injected into the lattice; then it may have any type."""
        if not callable(getattr(self.environment.lattices.get(lattice), "inject", None)):
            return False
        cell = self.expression(value).find()
        if column.kind is Kind.OBJECT:
            return cell.base != self.types.bases[column.name]
        return column.name not in self.typing.declared_types(value)

    def _comparison(self, comparison: s.Comparison) -> None:
        if pairs := paired_fields(comparison):
            for pair in pairs:
                self._comparison(pair)
            return
        left, right = self.expression(comparison.left), self.expression(comparison.right)
        if comparison.operator in ("match", "contains"):
            for side, cell in ((comparison.left, left), (comparison.right, right)):
                self._require(cell, "symbol", side, f"{comparison.operator} compares symbols")
            return
        self.unify(left, right, comparison, f"the two sides of {comparison.operator}")
        if comparison.operator == "=":
            self.typing._equal.append((comparison.left, comparison.right))

    def finish(self) -> None:
        """Gives records their types, passes declared types along equalities, then checks what meets what."""
        progress = True
        while progress:
            progress = False
            for entry in list(self.typing._records):
                record, flow = entry
                base = self.typing.cells[id(record)].find().base
                if base is not None:
                    self.typing._records.remove(entry)
                    self._fields(record, base, flow)
                    progress = True
        self._check_records()
        self._check_operations()
        self._pass_along()
        for name, sources in self.typing.declared.items():
            self._check_overlap(name, sources)
        for value, sink, where in self.typing._sinks:
            self._check_sink(value, sink, where)

    def _check_records(self) -> None:
        """Every nil is a record; records of unknown type are told unless they follow from an earlier error."""
        unknown: dict[int, s.Record] = {}
        unknown_nils: list[s.Nil] = []
        for nil in self.typing._nils:
            cell = self.typing.cells[id(nil)].find()
            if cell.base is not None and self.types.types[cell.base].kind is not Kind.RECORD:
                self.errors.add(nil.place, f"nil is a record, not {article(cell.base)}")
            elif cell.base is None:
                unknown_nils.append(nil)
        for record, _ in self.typing._records:
            unknown.setdefault(id(self.typing.cells[id(record)].find()), record)
        if self.errors.noted == self.errors_before:
            for node in unknown.values() or unknown_nils:
                self.errors.add(node.place, "the type of this record is not known", f"write as({node}, its type)")

    def _check_operations(self) -> None:
        for call in self.typing._operations:
            cell = self.typing.cells[id(call)].find()
            if cell.broken or cell.base is None:
                continue
            if call.name in (*_INTEGER_FUNCTIONS, "%") and cell.base == "float":
                self.errors.add(call.place, f"{call.name} is for integers, not floats")
            elif call.name not in _TEXT_FUNCTIONS and cell.base not in (*NUMERIC, "symbol"):
                sign = SIGNS.get(call.name, call.name)
                self.errors.add(call.place, f"{sign} is for numbers, not {article(cell.base)}")

    def _fields(self, record: s.Record, base: str, flow: str) -> None:
        type_ = self.types.types[base]
        if type_.kind is not Kind.RECORD:
            self.errors.add(record.place, f"{record} is a record, {article(base)} is expected")
        elif len(type_.fields) != len(record.fields):
            self.errors.add(record.place, f"{article(base)} has {len(type_.fields)} fields, not {len(record.fields)}",
                            f"it is declared as [{', '.join(f'{n}: {t}' for n, t in type_.fields)}]")
        else:
            for value, (field_name, name) in zip(record.fields, type_.fields, strict=True):
                if name in self.types.types:
                    self.against(value, name, flow, f"field {field_name} of {base}")

    def _pass_along(self) -> None:
        declared = self.typing.declared
        changed = True
        while changed:
            changed = False
            for left, right in self.typing._equal:
                for to, source in ((left, right), (right, left)):
                    if isinstance(to, s.Variable) and to.name not in declared:
                        if types := self.typing.declared_types(source):
                            declared[to.name] = {name: to.place for name in types}
                            changed = True

    def _check_overlap(self, name: str, sources: dict[str, Place]) -> None:
        names = list(sources)
        for position, right in enumerate(names):
            for left in names[:position]:
                if self.types.bases[left] == self.types.bases[right] and not self.types.common(left, right):
                    self.errors.add(sources[right],
                                    f"{name} is {article(left)} and {article(right)}, which have no value in common",
                                    f"write as({name}, {left}) if this is meant")

    def _check_sink(self, value: s.Expression, sink: str, where: str) -> None:
        names = self.typing.declared_types(value)
        same = [n for n in names if self.types.bases[n] == self.types.bases[sink]]
        if same and not any(self.types.accepts(sink, name) for name in same):
            self.errors.add(value.place, f"{value} is {article(same[0])}, {where} is {article(sink)}",
                            f"write as({value}, {sink}) if this is meant")

    # ---- expressions

    def against(self, expression: s.Expression, type_name: str, flow: str, where: str) -> None:
        """An expression in a column, field or argument of a declared type."""
        cell = self.expression(expression, flow)
        base = self.types.bases[type_name]
        if not self._set_base(cell, base):
            found = cell.find()
            if not found.broken:
                wanted = article(type_name) if type_name == base else f"{article(type_name)} ({base})"
                self.errors.add(expression.place,
                                f"{expression} is {article(found.base or 'number')}, {where} is {wanted}")
            found.broken = True
            return
        if flow == SOURCE and isinstance(expression, s.Variable):
            self.typing.declared.setdefault(expression.name, {}).setdefault(type_name, expression.place)
        if flow == SINK:
            self.typing._sinks.append((expression, type_name, where))

    def expression(self, expression: s.Expression, flow: str = NEUTRAL) -> _Cell:
        """The cell of an expression; its parts are visited once."""
        if isinstance(expression, s.Variable):
            return self.typing.variables.setdefault(expression.name, _Cell())
        if id(expression) in self.typing.cells:
            return self.typing.cells[id(expression)]
        cell = self.typing.cells[id(expression)] = _Cell()
        match expression:
            case s.Number():
                cell.base = {"u": "unsigned", "f": "float"}.get(expression.suffix)
                cell.numeric = True
            case s.String():
                cell.base = "symbol"
            case s.Nil():
                self.typing._nils.append(expression)
            case s.Record():
                for part in expression.fields:
                    self.expression(part)
                self.typing._records.append((expression, flow))
            case s.Cast():
                self._cast(expression, cell)
            case s.UserCall():
                self._user_call(expression, cell)
            case s.Call():
                self._call(expression, cell)
            case s.Variant():
                self._variant(expression, cell)
            case s.Counter():
                cell.base = "number"
            case s.Aggregate():
                self._aggregate(expression, cell)
            case s.Unsupported():
                self.errors.add(expression.place, f"{expression.what} is not supported", expression.mend)
        return cell

    def _variant(self, variant: s.Variant, cell: _Cell) -> None:
        fields = self.types.branch(variant.branch)
        if fields is None or len(fields) != len(variant.arguments):
            for argument in variant.arguments:
                self.expression(argument)
            return
        cell.base = self.types.branches[variant.branch]
        for argument, (name, type_name) in zip(variant.arguments, fields, strict=True):
            self.against(argument, type_name, NEUTRAL, f"field {name} of {variant.branch}")

    def _aggregate(self, aggregate: s.Aggregate, cell: _Cell) -> None:
        self.body(aggregate.body, True)
        target = None if aggregate.target is None else self.expression(aggregate.target)
        if aggregate.function in ("count", "mean"):
            cell.base = "number" if aggregate.function == "count" else "float"
            cell.numeric = True
        elif target is not None:
            self.unify(cell, target, aggregate, f"the result and the target of {aggregate.function}")

    def _cast(self, cast: s.Cast, cell: _Cell) -> None:
        inner = self.expression(cast.value)
        if cast.type not in self.types.types:
            self.errors.add_undeclared(cast.place, cast.type, f"the type {cast.type} is not declared",
                                       did_you_mean(cast.type, self.types.types))
            return
        cell.base = self.types.bases[cast.type]
        found = inner.find()
        if found.base is None and not (found.numeric and cell.base not in NUMERIC):
            found.base = cell.base

    def _user_call(self, call: s.UserCall, cell: _Cell) -> None:
        functor = self.environment.functors.get(call.name)
        if functor is None:
            for argument in call.arguments:
                self.expression(argument)
            return
        cell.base = self.types.bases[functor.result.name]
        for argument, type_ in zip(call.arguments, functor.arguments):
            self.against(argument, type_.name, SINK, f"an argument of @{call.name}")

    def _call(self, call: s.Call, cell: _Cell) -> None:
        name = call.name
        if name in _NUMERIC_FUNCTIONS or name in _INTEGER_FUNCTIONS:
            cell.numeric = name not in ("+", "min", "max")    # symbols are added too: end to end
            for argument in call.arguments:
                found = self.expression(argument)
                self.unify(cell, found, argument, f"the arguments of {SIGNS.get(name, name)}")
            self.typing._operations.append(call)
        elif name in _TEXT_FUNCTIONS:
            self.typing._operations.append(call)
            cell.base, expected = _TEXT_FUNCTIONS[name]
            for position, argument in enumerate(call.arguments):
                wanted = cell.base if expected is None else expected[position] if position < len(expected) else "any"
                found = self.expression(argument)
                if wanted != "any":
                    self._require(found, wanted, argument, f"{name} takes {article(wanted)} here")
        else:
            for argument in call.arguments:
                self.expression(argument)

    # ---- unification

    def _set_base(self, cell: _Cell, base: str) -> bool:
        cell = cell.find()
        if cell.base is None:
            if cell.numeric and base not in NUMERIC:
                return False
            cell.base = base
        return cell.base == base

    def _require(self, cell: _Cell, base: str, expression: s.Expression, why: str) -> None:
        if not self._set_base(cell, base):
            found = cell.find()
            if not found.broken:
                self.errors.add(expression.place, f"{expression} is {article(found.base or 'number')}: {why}")
            found.broken = True

    def unify(self, left: _Cell, right: _Cell, at: s.Node, what: str) -> None:
        left, right = left.find(), right.find()
        if left is right:
            return
        base = left.base or right.base
        numeric = left.numeric or right.numeric
        if left.base and right.base and left.base != right.base or numeric and base not in (None, *NUMERIC):
            if not (left.broken or right.broken):
                types = f"{left.base or 'number'} and {right.base or 'number'}"
                self.errors.add(at.place, f"{what} have different types: {types}")
            left.broken = right.broken = True
            return
        right.target = left
        left.base, left.numeric, left.broken = base, numeric, left.broken or right.broken


def aggregand(argument: s.Expression) -> s.Expression | None:
    """`x` of the aggregator head arguments `lub(x)`, `min(x)` and `max(x)`; None for anything else."""
    if isinstance(argument, s.Call) and argument.name in ("lub", "glb", "min", "max") and len(argument.arguments) == 1:
        return argument.arguments[0]
    return None


def article(name: str) -> str:
    """A name with its article."""
    return f"{'an' if name[0] in 'aeiouAEIO' else 'a'} {name}"


def parts(expression: s.Expression) -> Iterator[s.Expression]:
    """An expression and all expressions inside it."""
    yield expression
    match expression:
        case s.Call() | s.UserCall() | s.Variant():
            inner: tuple[s.Expression, ...] = expression.arguments
        case s.Record():
            inner = expression.fields
        case s.Cast():
            inner = (expression.value,)
        case _:
            inner = ()
    for part in inner:
        yield from parts(part)


def everything(clause: s.Clause | s.SubsumptionClause) -> Iterator[s.Expression]:
    """All expressions of a clause, those inside aggregates, too."""
    heads = clause.heads if isinstance(clause, s.Clause) else (clause.dominated, clause.dominating)
    for head in heads:
        for argument in head.arguments:
            yield from _within(argument)
    if clause.body is not None:
        yield from _within_body(clause.body)


def _within(expression: s.Expression) -> Iterator[s.Expression]:
    for part in parts(expression):
        yield part
        if isinstance(part, s.Aggregate):
            if part.target is not None:
                yield from _within(part.target)
            yield from _within_body(part.body)


def _within_body(body: s.Body) -> Iterator[s.Expression]:
    match body:
        case s.Conjunction() | s.Disjunction():
            for part in body.parts:
                yield from _within_body(part)
        case s.Negation():
            yield from _within_body(body.body)
        case s.AtomLiteral():
            for argument in body.atom.arguments:
                yield from _within(argument)
        case s.Comparison():
            yield from _within(body.left)
            yield from _within(body.right)
