"""Checks of clauses that precede types: names, numbers of arguments, aggregator heads, wildcards, arguments of
facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ladder.language.check.environment import Environment
from ladder.language.check.types import like_type
from ladder.language.core import Kind, Type
from ladder.language.errors import Errors, did_you_mean
from ladder.language.expressions import aggregated_value, everything, literals, parts
from ladder.language.objects.lattice_tables import DUAL, lattice_named
from ladder.language.syntax import nodes as s
from ladder.language.syntax.tree import PRECEDENCE
from ladder.language.values.functions import FUNCTIONS, ITERATION, OVERLOADS, counts
from ladder.support.counts import counted


def check_clause(clause: s.Clause, environment: Environment, errors: Errors) -> bool:
    """Whether names and numbers of arguments of a clause are right, so that its types can be inferred."""
    before = errors.noted
    for head in clause.heads:
        if _atom(head, environment, errors):
            _head(head, environment, errors)
    if clause.body is not None:
        _body(clause.body, environment, errors)
    else:
        _fact(clause, errors)
    return errors.noted == before


def _fact(clause: s.Clause, errors: Errors) -> None:
    """Check that a fact has no counters; a fact with aggregates or functions of several results is a rule without a
    body."""
    found = everything(clause)
    if not any(isinstance(e, s.Aggregate) or isinstance(e, s.Call) and e.name == "range" for e in found):
        for counter in found:
            if isinstance(counter, s.Counter) or isinstance(counter, s.Call) and counter.name == ITERATION:
                errors.add(counter.place, "a fact cannot have a counter", "write a rule: head :- true.")


def _body(body: s.Body, environment: Environment, errors: Errors) -> None:
    for literal in literals(body):
        match literal:
            case s.AtomLiteral(atom=atom):
                _atom(atom, environment, errors)
                for argument in atom.arguments:
                    _expression(argument, environment, errors, wildcard=True)
            case s.Comparison(left=left, right=right):
                whole = literal.operator == "=" and any(isinstance(e, s.Aggregate | s.Record) for e in (left, right))
                for side in (left, right):
                    _expression(side, environment, errors, wildcard=whole)


def choose_aggregates(clauses: Sequence[s.Clause], environment: Environment, errors: Errors) -> None:
    """Set the aggregates of relations with aggregator heads; a relation has a single aggregate."""
    for clause in clauses:
        for head in clause.heads:
            relation = environment.relations.get(head.name)
            if relation is None or not head.arguments or len(head.arguments) != relation.arity:
                continue
            last = head.arguments[-1]
            if aggregated_value(last) is None or not isinstance(last, s.Call):
                continue
            aggregate = _aggregate(last, relation.columns[-1].type, environment, errors)
            if aggregate is None:
                continue
            columns = environment.lattice_columns.get(head.name)
            if columns is not None and aggregate == columns[-1]:
                continue
            if columns is not None and aggregate.endswith(DUAL):
                errors.add(
                    last.place,
                    f"glb on the column {relation.columns[-1].name}, which is joined",
                    f"declare the column without <>: {relation.columns[-1].name}: {relation.columns[-1].type.name}",
                )
            elif relation.aggregate is not None and relation.aggregate != aggregate:
                errors.add(
                    last.place,
                    f"the relation {relation.name} is aggregated by {relation.aggregate} elsewhere, "
                    f"by {aggregate} here",
                    "a relation has one aggregate: split it into two relations",
                )
            else:
                environment.relations[relation.name] = replace(relation, aggregate=aggregate)


def _aggregate(call: s.Call, type_: Type, environment: Environment, errors: Errors) -> str | None:
    """The name of the aggregate that an aggregator head means."""
    type_name = type_.name
    if call.name in ("min", "max"):
        if type_name in environment.lattices:
            errors.add(call.place, f"{call.name} on a column of the lattice {type_name}", "write lub")
        elif type_.kind not in (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT):
            errors.add(call.place, f"{call.name} aggregates numbers, not a {type_name}")
        else:
            return call.name
    elif type_name not in environment.lattices:
        errors.add(
            call.place,
            f"{call.name} on a column of type {type_name}, which is no lattice",
            'declare the column with a lattice\'s type: .lattice Name = "module:attribute"',
        )
    elif call.name == "lub":
        return type_name
    elif not callable(getattr(environment.lattices[type_name], "meet", None)):
        errors.add(
            call.place, f"glb on a column of the lattice {type_name}, which has no meet", "give it one, or write lub"
        )
    else:
        environment.lattices[type_name + DUAL] = lattice_named(type_name + DUAL, environment.lattices)
        return type_name + DUAL
    return None


def _atom(atom: s.Call, environment: Environment, errors: Errors) -> bool:
    relation = environment.relations.get(atom.name)
    if relation is None:
        hint = did_you_mean(atom.name, environment.relations)
        if atom.name in environment.functors:
            hint = f"a functor is called with @: @{atom.name}(…)"
        errors.add_undeclared(atom.place, atom.name, f"the relation {atom.name} is not declared", hint)
        return False
    if len(atom.arguments) != relation.arity:
        shown = ", ".join(f"{c.name}: {c.type.name}" for c in relation.columns)
        errors.add(
            atom.place,
            f"{atom.name} has {counted(relation.arity, 'column')}, not {len(atom.arguments)}",
            f"it is declared as {atom.name}({shown})",
        )
        return False
    return True


def _head(head: s.Call, environment: Environment, errors: Errors) -> None:
    inlined = head.name in environment.inlined  # then `_` is an argument that the rule does not look at
    for position, argument in enumerate(head.arguments):
        value = aggregated_value(argument)
        if value is not None and position != len(head.arguments) - 1:
            errors.add(
                argument.place,
                f"{argument} must be the last column of {head.name}",
                "the columns before it are the group",
            )
        elif (
            value is not None
            and environment.relations[head.name].aggregate is None
            and head.name not in environment.lattice_columns
        ):
            errors.add_unreported()  # `choose_aggregates` has reported why
        _expression(value if value is not None else argument, environment, errors, wildcard=inlined)


def _expression(expression: s.Expression, environment: Environment, errors: Errors, wildcard: bool) -> None:
    """Check the calls in an expression; `wildcard`: whether the expression may be `_`."""
    if isinstance(expression, s.Wildcard) and wildcard:
        return
    for part in parts(expression):
        match part:
            case s.Wildcard():
                if not isinstance(expression, s.Record | s.Variant):
                    errors.add(part.place, "the wildcard _ has no value here", "it may stand in atoms of a body only")
            case s.UserCall():
                _functor_call(part, environment, errors)
            case s.Call():
                _function_call(part, environment, errors)
            case s.Variant():
                _variant(part, environment, errors)
            case s.Cast() if part.type not in environment.types.types:
                errors.add_undeclared(
                    part.place,
                    part.type,
                    f"the type {part.type} is not declared",
                    like_type(part.type, environment.types.types),
                )
            case s.Aggregate():
                _body(part.body, environment, errors)
                if part.target is not None:
                    _expression(part.target, environment, errors, wildcard=False)


def _variant(variant: s.Variant, environment: Environment, errors: Errors) -> None:
    fields = environment.types.branch(variant.branch)
    if fields is None:
        errors.add_undeclared(
            variant.place,
            variant.branch,
            f"no type has the branch {variant.branch}",
            did_you_mean(variant.branch, environment.types.branches),
        )
    elif len(fields) != len(variant.arguments):
        shown = ", ".join(f"{name}: {type_}" for name, type_ in fields)
        errors.add(
            variant.place,
            f"the branch {variant.branch} has {counted(len(fields), 'field')}, not {len(variant.arguments)}",
            f"it is declared as {variant.branch} {{{shown}}} of {environment.types.branches[variant.branch]}",
        )


def _functor_call(call: s.UserCall, environment: Environment, errors: Errors) -> None:
    functor = environment.functors.get(call.name)
    if call.name in environment.unusable:
        errors.add_unreported()
    elif functor is None:
        errors.add_undeclared(
            call.place,
            call.name,
            f"the functor {call.name} is not declared",
            did_you_mean(call.name, environment.functors),
        )
    elif len(functor.arguments) != len(call.arguments):
        errors.add(
            call.place,
            f"the functor {call.name} takes {counted(len(functor.arguments), 'argument')}, not {len(call.arguments)}",
        )


def _function_call(call: s.Call, environment: Environment, errors: Errors) -> None:
    name = call.name
    if name in PRECEDENCE:
        if len(call.arguments) != 2:
            errors.add_unreported()  # the parser said that this is no operator
        return
    if name not in OVERLOADS:
        if name in ("lub", "glb"):
            errors.add(call.place, f"{name}(…) stands in the head of a rule only")
        elif name in environment.functors:
            errors.add(call.place, f"{name} is a functor", f"write @{name}(…)")
        elif name in environment.types.branches:
            errors.add(call.place, f"{name} is a branch of {environment.types.branches[name]}", f"write ${name}(…)")
        elif name in environment.relations:
            errors.add(call.place, f"the atom {name}(…) stands where a value is expected")
        else:
            errors.add(call.place, f"there is no function {name}", did_you_mean(name, FUNCTIONS))
        return
    if name in ("min", "max") and len(call.arguments) == 1:
        errors.add(call.place, f"{name}(x) with one argument is an aggregator: the last column of a head only")
    elif not any(overload.takes(len(call.arguments)) for overload in OVERLOADS[name]):
        errors.add(call.place, f"{name} takes {counts(name)}, not {len(call.arguments)}")
