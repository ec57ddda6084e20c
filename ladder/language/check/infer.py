"""Types of the variables and expressions of one clause, by constraints on sets of types.

Positive literals are sources: the values of a variable belong to all declared types of its occurrences there. Heads and
negated atoms are sinks: they take values of their primitive type, and their declared types must accept those of the
values. Constants and arithmetic have only a primitive type and fit every type below it.
"""

from __future__ import annotations

from collections.abc import Callable

from ladder.language.check.constraints import Constraints, TypeSet
from ladder.language.check.environment import Environment
from ladder.language.check.records import anonymous_records
from ladder.language.check.typecheck import TypeCheck
from ladder.language.check.types import CONSTANTS, NUMERIC, PRIMITIVES
from ladder.language.check.typings import Typing
from ladder.language.core import Kind
from ladder.language.errors import Errors
from ladder.language.expressions import aggregated_value, article, everything, literals, parts, written
from ladder.language.syntax import nodes as s
from ladder.language.syntax.branches import paired_fields
from ladder.language.values.functions import FUNCTIONS, INFIX, OVERLOADS, shown

__all__ = ("FUNCTIONS", "Typing", "aggregated_value", "article", "everything", "infer", "literals", "parts")

_KINDS = {
    "": ("number", "unsigned", "float"),
    "x": ("number", "unsigned", "float"),
    "u": ("unsigned",),
    "f": ("float",),
}


def infer(clause: s.Clause, environment: Environment, errors: Errors) -> Typing:
    """Infer the types of a clause whose names and numbers of arguments are right; conflicts are added to `errors`."""
    before = errors.noted
    inference = _Inference(environment, errors)
    if clause.body is not None:
        inference.body(clause.body, True)
    for head in clause.heads:
        inference.head(head)
    inference.typing.constraints.solve()
    anonymous_records(inference.typing, inference.records)
    check = TypeCheck(inference.typing, errors, before)
    check.clause(clause)
    return inference.typing


class _Inference:
    """Visits a clause and collects its constraints, with a message for each possible conflict."""

    def __init__(self, environment: Environment, errors: Errors) -> None:
        self.environment = environment
        self.types = environment.types
        self.errors = errors
        self.constraints = Constraints(environment.types)
        self.typing = Typing(environment, self.constraints)
        self.records: list[s.Record] = []

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
                    self._against(argument, column.type.name, positive, f"column {column.name} of {relation.name}")
            case s.Comparison():
                self._comparison(body)
            case s.Unsupported():
                self.errors.add(body.place, f"{body.what} is not supported", body.hint)

    def head(self, head: s.Call) -> None:
        relation = self.environment.relations[head.name]
        lattice = self.environment.lattices.get(relation.aggregate or "")
        for position, (argument, column) in enumerate(zip(head.arguments, relation.columns, strict=True)):
            value = aggregated_value(argument) or argument
            if position == len(relation.columns) - 1 and callable(getattr(lattice, "inject", None)):
                self.expression(value)  # it may be injected, whatever its type
            else:
                self._against(value, column.type.name, False, f"column {column.name} of {relation.name}")

    def _comparison(self, comparison: s.Comparison) -> None:
        if pairs := paired_fields(comparison):
            for pair in pairs:
                self._comparison(pair)
            return
        left, right = self.expression(comparison.left), self.expression(comparison.right)
        if comparison.operator.removeprefix("not_") in ("match", "contains"):
            for side, node in ((comparison.left, left), (comparison.right, right)):
                self.constraints.below(
                    node, (CONSTANTS["symbol"],), self._expected(side, f"{comparison.operator} compares symbols")
                )
        self.constraints.equal(left, right, self._unequal(comparison))

    def _against(self, expression: s.Expression, type_name: str, source: bool, where: str) -> None:
        """Add the constraints of an expression in a column, field or argument of a declared type."""
        node = self.expression(expression)
        if type_name not in self.types.types:
            return  # reported where it is declared
        tell = self._mismatch(expression, type_name, where)
        base = self.types.bases[type_name]
        branches = self.types.types[base].branches
        if branches and isinstance(expression, s.Nil | s.Record):
            self.constraints.broken.add(node)
            self.errors.add(
                expression.place,
                f"nil is a record, not {article(base)}"
                if isinstance(expression, s.Nil)
                else f"{written(expression)} is a record, {article(base)} is expected",
            )
        elif source:
            self.constraints.below(node, (type_name,), tell)
        elif base in PRIMITIVES:
            self.constraints.below(node, (CONSTANTS[base],), tell)
        elif not branches and self.types.types[base].kind is Kind.RECORD:
            self.constraints.below(node, (type_name,), tell)

    # ---- expressions

    def expression(self, expression: s.Expression) -> int:
        """The node of an expression, whose parts are visited once."""
        if id(expression) in self.typing.nodes:
            return self.typing.nodes[id(expression)]
        if isinstance(expression, s.Variable):
            if expression.name not in self.typing.variables:
                self.typing.variables[expression.name] = self.constraints.node()
            node = self.typing.variables[expression.name]
        else:
            node = self.constraints.node()
        self.typing.nodes[id(expression)] = node
        self.typing.kept.append(expression)
        self._constrain(expression, node)
        return node

    def _constrain(self, expression: s.Expression, node: int) -> None:
        match expression:
            case s.Number():
                self.constraints.numeric(
                    node, _KINDS[expression.suffix], self._expected(expression, "a symbol is expected")
                )
            case s.String():
                self.constraints.below(node, (CONSTANTS["symbol"],), self._expected(expression, "numbers are expected"))
            case s.Record():
                self.records.append(expression)
                for position, part in enumerate(expression.fields):
                    self.constraints.component(self.expression(part), node, position, self._unfit(part, node, position))
            case s.Variant():
                self._variant(expression, node)
            case s.Counter():
                self.constraints.below(node, (CONSTANTS["number"],), self._expected(expression, "it is a number"))
            case s.Cast():
                self._cast(expression, node)
            case s.UserCall():
                self._user_call(expression, node)
            case s.Call():
                self._call(expression, node)
            case s.Aggregate():
                self._aggregate(expression, node)
            case s.Unsupported():
                self.errors.add(expression.place, f"{expression.what} is not supported", expression.hint)

    def _variant(self, variant: s.Variant, node: int) -> None:
        arguments = [self.expression(argument) for argument in variant.arguments]
        fields = self.types.branch(variant.branch)
        if fields is None or len(fields) != len(arguments):
            return
        self.constraints.below(
            node,
            (self.types.branches[variant.branch],),
            self._expected(variant, f"it is of type {self.types.branches[variant.branch]}"),
        )
        for argument, (name, type_name) in zip(variant.arguments, fields, strict=True):
            self._against(argument, type_name, True, f"field {name} of {variant.branch}")

    def _cast(self, cast: s.Cast, node: int) -> None:
        inner = self.expression(cast.value)
        if cast.type not in self.types.types:
            return
        self.constraints.below(node, (cast.type,), self._expected(cast, f"it is {article(cast.type)}"))
        if isinstance(cast.value, s.Number | s.String | s.Nil | s.Record | s.Variant):
            self.constraints.below(inner, (cast.type,), self._mismatch(cast.value, cast.type, "the cast's type"))

    def _user_call(self, call: s.UserCall, node: int) -> None:
        functor = self.environment.functors.get(call.name)
        for argument in call.arguments:
            self.expression(argument)
        if functor is None or len(functor.arguments) != len(call.arguments):
            return
        self.constraints.below(
            node, (functor.result.name,), self._expected(call, f"the functor gives {article(functor.result.name)}")
        )
        for argument, type_ in zip(call.arguments, functor.arguments, strict=True):
            self._against(argument, type_.name, True, f"an argument of @{call.name}")

    def _call(self, call: s.Call, node: int) -> None:
        arguments = [self.expression(argument) for argument in call.arguments]
        overloads = [o for o in OVERLOADS.get(call.name, ()) if o.takes(len(arguments))]
        if not overloads:
            return
        if call.name in INFIX:
            for argument, part in zip(arguments, call.arguments, strict=True):
                self.constraints.same_base(argument, node, self._unlike(part, call))
        self.constraints.call(node, arguments, overloads, self._no_overload(call))

    def _aggregate(self, aggregate: s.Aggregate, node: int) -> None:
        function = aggregate.function
        self.body(aggregate.body, True)
        if function in ("count", "mean"):
            base = "number" if function == "count" else "float"
            self.constraints.below(
                node, (CONSTANTS[base],), self._expected(aggregate, f"{function} gives {article(base)}")
            )
        else:
            self.constraints.numeric(
                node, ("number", "unsigned", "float"), self._expected(aggregate, f"{function} gives a number")
            )
        if aggregate.target is not None:
            target = aggregate.target
            self.constraints.equal(self.expression(target), node, self._aggregated(aggregate, target))

    # ---- words for conflicts

    def _mismatch(self, expression: s.Expression, type_name: str, where: str) -> Callable[[TypeSet, TypeSet], None]:
        def tell(known: TypeSet, allowed: TypeSet) -> None:
            base, found = self.types.bases[type_name], self._base(known)
            text = written(expression)
            if base == found and isinstance(expression, s.Variable):
                other = self._declared(known)
                self.errors.add(
                    expression.place,
                    f"{text} is {article(other)} and {article(type_name)}, which have no value in common",
                    f"write as({text}, {other}) if this is meant",
                )
            elif isinstance(expression, s.Nil):
                self.errors.add(expression.place, f"nil is a record, not {article(base)}")
            else:
                wanted = article(type_name) if type_name == base else f"{article(type_name)} ({base})"
                self.errors.add(expression.place, f"{text} is {article(found)}, {where} is {wanted}")

        return tell

    def _unfit(self, part: s.Expression, record: int, position: int) -> Callable[[TypeSet, TypeSet], None]:
        def tell(known: TypeSet, allowed: TypeSet) -> None:
            owner = self.types.types[self.types.bases[min(self.constraints.sets[record] or ("number",))]]
            name = owner.fields[position][0] if position < len(owner.fields) else str(position + 1)
            self._mismatch(part, min(allowed), f"field {name} of {owner.name}")(known, allowed)

        return tell

    def _expected(self, expression: s.Expression, why: str) -> Callable[[TypeSet, TypeSet], None]:
        def tell(known: TypeSet, allowed: TypeSet) -> None:
            self.errors.add(expression.place, f"{written(expression)} is {article(self._base(known))}: {why}")

        return tell

    def _unequal(self, comparison: s.Comparison) -> Callable[[TypeSet, TypeSet], None]:
        def tell(left: TypeSet, right: TypeSet) -> None:
            names = self._base(left), self._base(right)
            if names[0] == names[1]:
                names = self._declared(left), self._declared(right)
                self.errors.add(
                    comparison.place,
                    f"{written(comparison.left)} is {article(names[0])} and {written(comparison.right)} is "
                    f"{article(names[1])}, which have no value in common",
                    f"write as({written(comparison.right)}, {names[0]}) if this is meant",
                )
            else:
                self.errors.add(
                    comparison.place,
                    f"the two sides of {comparison.operator} have different types: {names[0]} and {names[1]}",
                )

        return tell

    def _unlike(self, part: s.Expression, call: s.Call) -> Callable[[TypeSet, TypeSet], None]:
        def tell(known: TypeSet, other: TypeSet) -> None:
            for types in (known, other):
                if types and self._base(types) not in PRIMITIVES:
                    self.errors.add(call.place, f"{shown(call.name)} is for numbers, not {article(self._base(types))}")
                    return
            self.errors.add(
                part.place,
                f"the arguments of {shown(call.name)} have different types: "
                f"{self._base(other)} and {self._base(known)}",
            )

        return tell

    def _no_overload(self, call: s.Call) -> Callable[[list[TypeSet | None]], None]:
        def tell(arguments: list[TypeSet | None]) -> None:
            overloads = [o for o in OVERLOADS[call.name] if o.takes(len(arguments))]
            name = shown(call.name)
            for position, types in enumerate(arguments):
                kinds = {o.parameter(position) for o in overloads}
                if types and not any(self.types.bases[t] in kinds for t in types):
                    base = article(self._base(types))
                    if len(kinds) == 1:
                        part = call.arguments[position]
                        self.errors.add(
                            part.place, f"{written(part)} is {base}: {name} takes {article(min(kinds))} here"
                        )
                    else:
                        what = (
                            "numbers"
                            if kinds >= NUMERIC
                            else "numbers that are signed"
                            if "float" in kinds
                            else "integers"
                        )
                        self.errors.add(
                            call.place,
                            f"{name} is for {what}, not {base.split(' ', 1)[1]}s"
                            if base.endswith("float")
                            else f"{name} is for {what}, not {base}",
                        )
                    return
            results = " or ".join(sorted({o.result for o in overloads}))
            self.errors.add(call.place, f"{written(call)} gives a {results}, which does not fit its use")

        return tell

    def _aggregated(self, aggregate: s.Aggregate, target: s.Expression) -> Callable[[TypeSet, TypeSet], None]:
        def tell(known: TypeSet, allowed: TypeSet) -> None:
            found = self._base(known)
            hint = (
                f"write mean to_float({written(target)})" if aggregate.function == "mean" and found in NUMERIC else None
            )
            self.errors.add(
                target.place,
                f"{written(target)} is {article(found)}, {aggregate.function} here takes "
                f"{article(self._base(allowed))}",
                hint,
            )

        return tell

    def _base(self, types: TypeSet) -> str:
        bases = {self.types.bases[name] for name in types}
        return next((name for name in PRIMITIVES if name in bases), min(bases, default="number"))

    def _declared(self, types: TypeSet) -> str:
        names = sorted(types)
        return self.types.bases[names[0]] if names[0] in CONSTANTS.values() else names[0]
