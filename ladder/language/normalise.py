"""Checked clauses → core rules: one head, a plain conjunction, each value computed by a literal of its own.

    a(x + 1), b(y) :- c(x, "k"), (d(x, y) ; y = x), !e(x, _).
    →  a($1) :- c(x, "k"), d(x, _), !e$0(x), $1 = +(x, 1).      and so on for the other branch and head
"""
from __future__ import annotations

from ladder.language import syntax as s
from ladder.language.branches import MOST_BRANCHES, TooManyBranches, branches
from ladder.language.environment import Environment
from ladder.language.errors import Errors
from ladder.language.infer import Typing
from ladder.language.lower import Lowering, Normalised


def normalise_clause(clause: s.Clause, typing: Typing, environment: Environment, result: Normalised,
                     errors: Errors) -> None:
    """Adds a clause's rules or fact; variables that nothing binds are errors."""
    try:
        bodies = list(branches(clause.body)) if clause.body is not None else [[]]
    except TooManyBranches:
        errors.add(clause.place, f"the alternatives of this rule multiply to more than {MOST_BRANCHES}",
                   "split it: give an alternative a relation of its own")
        return
    for literals in bodies:
        lowering = Lowering(clause, typing, environment, result, errors)
        if lowering.body(literals):
            for head in clause.heads:
                lowering.head(head)
