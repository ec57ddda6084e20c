"""Checked clauses → core rules: one head, a plain conjunction, each value computed by a literal of its own.

a(x + 1), b(y) :- c(x, "k"), (d(x, y) ; y = x), !e(x, _).
→  a($1) :- c(x, "k"), d(x, _), !e$0(x), $1 = +(x, 1).      and so on for the other branch and head
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ladder.language import core
from ladder.language.check.environment import Environment
from ladder.language.check.typings import Typing
from ladder.language.core import Var
from ladder.language.errors import Errors
from ladder.language.normalise.equivalence import declare_equivalences
from ladder.language.normalise.heads import lower_head
from ladder.language.normalise.lattice_columns import alternatives, declare_parts
from ladder.language.normalise.lower import Lowering
from ladder.language.normalise.terms import Normalised, rule
from ladder.language.syntax import nodes as s
from ladder.language.syntax.branches import MOST_BRANCHES, TooManyBranches


def normalise_clause(
    clause: s.Clause, typing: Typing, environment: Environment, result: Normalised, errors: Errors
) -> None:
    """Add the rules or the fact of a clause; variables that nothing binds are errors."""
    for literals in _conjunctions(clause, environment, errors):
        lowering = Lowering(clause, typing, environment, result, errors)
        if lowering.body(literals, clause.heads):
            for head in clause.heads:
                lower_head(lowering, head)


def subsumption_clause(subsumption: s.SubsumptionClause) -> s.Clause:
    """A clause that has a subsumption's atoms and body as its body, and no head."""
    atoms = tuple(s.AtomLiteral(atom.place, atom) for atom in (subsumption.dominated, subsumption.dominating))
    return s.Clause(
        subsumption.place, (), s.Conjunction(subsumption.place, (*atoms, subsumption.body)), subsumption.plans
    )


def normalise_subsumption(
    clause: s.Clause, typing: Typing, environment: Environment, result: Normalised, errors: Errors
) -> None:
    """Add the subsumptions of a clause that `subsumption_clause` made; none for a relation of which no column is
    stored, whose one row no other dominates."""
    for literals in _conjunctions(clause, environment, errors):
        lowering = Lowering(clause, typing, environment, result, errors)
        if not lowering.body(literals):
            continue
        dominated, dominating, *body = lowering.literals
        assert isinstance(dominated, core.Atom) and isinstance(dominating, core.Atom)
        if not dominated.terms:
            continue
        heads = [_without_wildcards(lowering, atom) for atom in (dominated, dominating)]
        lowered = rule(core.Atom("", (*heads[0].terms, *heads[1].terms)), body, clause)
        result.subsumptions.append(core.Subsumption(heads[0], heads[1], lowered.body, clause.place))


def declare_helpers(environment: Environment, result: Normalised) -> None:
    """Add the helper relations of equivalence relations and of relations with several lattice columns."""
    result.replaced |= declare_equivalences(environment, result) | declare_parts(environment, result)


def _conjunctions(clause: s.Clause, environment: Environment, errors: Errors) -> Iterator[list[Any]]:
    try:
        yield from [[]] if clause.body is None else list(alternatives(clause.body, environment))
    except TooManyBranches:
        errors.add(
            clause.place,
            f"the alternatives of this rule multiply to more than {MOST_BRANCHES}",
            "split it: give an alternative a relation of its own",
        )


def _without_wildcards(lowering: Lowering, atom: core.Atom) -> core.Atom:
    columns = lowering.environment.relations[atom.relation].columns
    terms: list[core.Term] = []
    for term, column in zip(atom.terms, columns, strict=True):
        new = lowering.new(column.type) if term is None else term
        if isinstance(new, Var):
            lowering.bound.add(new)
        terms.append(new)
    return core.Atom(atom.relation, tuple(terms))
