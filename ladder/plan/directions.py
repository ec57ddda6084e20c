"""The directions in which literals can be evaluated: records are made or unpacked, sums are solved for one term.

p = [x, y]   x and y known: the record is made, or (where a row must have it) looked up;   p known: x and y are its
             fields
z = x + y    x and y known: the sum;   z and y known: x = z - y, since integers wrap around
"""

from __future__ import annotations

from collections.abc import Sequence

from ladder.language.core import BUILT_IN, Compute, Generate, Kind, Literal, Pack, Term, Unpack, Var
from ladder.plan.equalities import is_known, requirements
from ladder.plan.steps import Find

INTEGERS = frozenset((Kind.NUMBER, Kind.UNSIGNED))
OWN_INVERSE = frozenset(("neg", "bnot"))


def may_solve(body: Sequence[Literal]) -> bool:
    """Whether sums of a body may be solved for their terms: not where a functor or range could be called with a value
    that no row has."""
    return all(literal.function in BUILT_IN for literal in body if isinstance(literal, Compute | Generate))


def directed(literal: Literal, known: set[Var], solve: bool) -> Literal | Find | None:
    """The form in which a literal that is no atom is evaluated when these variables are known; None where too few are.

    `solve`: whether sums may be solved (see `may_solve`).
    """
    if isinstance(literal, Pack) and is_known(literal.result, known):
        return Unpack(literal.result, literal.fields, literal.type, literal.branch)  # type: ignore[arg-type]
    if requirements(literal) <= known:
        return literal
    if isinstance(literal, Unpack) and all(f is not None and is_known(f, known) for f in literal.fields):
        assert isinstance(literal.record, Var)
        return Find(literal.record, tuple(f for f in literal.fields if f is not None), literal.type, literal.branch)
    if solve and isinstance(literal, Compute) and literal.kind in INTEGERS and is_known(literal.result, known):
        return _solved(literal, known)
    return None


def _solved(literal: Compute, known: set[Var]) -> Compute | None:
    """`x = …` for the only argument x that is not known, where integers have exactly one solution."""
    arguments, result = literal.arguments, literal.result
    unknown = [a for a in arguments if isinstance(a, Var) and a not in known]
    if len(unknown) != 1:
        return None
    rest: Sequence[Term] = [a for a in arguments if a != unknown[0]]
    if len(arguments) == 1 and literal.function in OWN_INVERSE:
        return Compute(unknown[0], literal.function, (result,), literal.kind)
    if len(arguments) != 2 or len(rest) != 1:
        return None
    match literal.function:
        case "+":
            return Compute(unknown[0], "-", (result, rest[0]), literal.kind)
        case "bxor":
            return Compute(unknown[0], "bxor", (result, rest[0]), literal.kind)
        case "-" if arguments[0] == unknown[0]:
            return Compute(unknown[0], "+", (result, rest[0]), literal.kind)
        case "-":
            return Compute(unknown[0], "-", (rest[0], result), literal.kind)
    return None
