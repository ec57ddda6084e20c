"""Walks over expressions and bodies, and words for them."""
from __future__ import annotations

from collections.abc import Iterator

from ladder.language import syntax as s

AGGREGATORS = ("lub", "glb", "min", "max")   # of heads, with one argument


def parts(expression: s.Expression) -> Iterator[s.Expression]:
    """An expression and all expressions inside it; what is inside an aggregate is a matter of its own."""
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


def literals(body: s.Body | None) -> Iterator[s.Body]:
    """The atoms, comparisons, truths and refused parts of a body."""
    match body:
        case s.Conjunction() | s.Disjunction():
            for part in body.parts:
                yield from literals(part)
        case s.Negation():
            yield from literals(body.body)
        case None:
            return
        case _:
            yield body


def sides(literal: s.Body) -> tuple[s.Expression, ...]:
    """The expressions of an atom or a comparison."""
    match literal:
        case s.AtomLiteral():
            return literal.atom.arguments
        case s.Comparison():
            return literal.left, literal.right
    return ()


def heads_of(clause: s.Clause | s.SubsumptionClause) -> tuple[s.Call, ...]:
    """The atoms before the body of a clause."""
    return clause.heads if isinstance(clause, s.Clause) else (clause.dominated, clause.dominating)


def everything(clause: s.Clause | s.SubsumptionClause) -> Iterator[s.Expression]:
    """All expressions of a clause, those inside aggregates, too."""
    for head in heads_of(clause):
        for argument in head.arguments:
            yield from within(argument)
    yield from within_body(clause.body)


def within(expression: s.Expression) -> Iterator[s.Expression]:
    """An expression and all expressions inside it, those inside aggregates, too."""
    for part in parts(expression):
        yield part
        if isinstance(part, s.Aggregate):
            if part.target is not None:
                yield from within(part.target)
            yield from within_body(part.body)


def within_body(body: s.Body | None) -> Iterator[s.Expression]:
    """All expressions of a body, those inside aggregates, too."""
    for literal in literals(body):
        for side in sides(literal):
            yield from within(side)


def all_atoms(body: s.Body | None) -> Iterator[s.Call]:
    """All atoms of a body, those inside aggregates, too."""
    for literal in literals(body):
        if isinstance(literal, s.AtomLiteral):
            yield literal.atom
        for side in sides(literal):
            for part in parts(side):
                if isinstance(part, s.Aggregate):
                    yield from all_atoms(part.body)


def aggregand(argument: s.Expression) -> s.Expression | None:
    """`x` of the aggregator head arguments `lub(x)`, `min(x)` and `max(x)`; None for anything else."""
    if isinstance(argument, s.Call) and argument.name in AGGREGATORS and len(argument.arguments) == 1:
        return argument.arguments[0]
    return None


def article(name: str) -> str:
    """A name with its article."""
    return f"{'an' if name[0] in 'aeiouAEIO' else 'a'} {name}"


def written(name: str) -> str:
    """A variable's name as the program has it: renamed ones carry a `$` and a number."""
    return name.partition("$")[0]
