"""Which relations share the rows of another one, and by which column rows are hashed first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ladder.language.core import Atom, Const, Not, Program, Rule, Var
from ladder.plan.components import Expanded


def row_owners(expanded: Expanded, program: Program) -> dict[str, str]:
    """Relation → the relation whose rows it shares: totals and final totals share those of the aggregate inputs.

    If aggregate inputs have keys, or totals may return to earlier values, only final totals share the rows of totals.
    """
    owners: dict[str, str] = {}
    for a in expanded.aggregates.values():
        shared = not a.keyed and a.join != "sum" and getattr(program.lattices.get(a.join), "idempotent", True)
        owners |= {a.totals: a.inputs, a.name: a.inputs} if shared else {a.name: a.totals}
    return owners


def key_columns(expanded: Expanded, owners: Mapping[str, str]) -> dict[str, int]:
    """The column by which each relation's rows are hashed first: the one that rules look rows up by most often."""
    uses: dict[str, Counter[int]] = {name: Counter() for name in expanded.relations}
    for component in expanded.components:
        for rule in component.rules:
            _count_uses(rule, uses)
    for view, owner in owners.items():  # those that share their rows are hashed alike
        uses[owner] += uses[view]
    for view, owner in owners.items():
        uses[view] = uses[owner]
    return {name: max(range(r.arity), key=lambda c: (uses[name][c], -c)) for name, r in expanded.relations.items()}


def _count_uses(rule: Rule, uses: dict[str, Counter[int]]) -> None:
    atoms = [
        literal.atom if isinstance(literal, Not) else literal
        for literal in rule.body
        if isinstance(literal, Atom | Not)
    ]
    in_atoms = Counter(term for atom in (*atoms, rule.head) for term in set(atom.terms) if isinstance(term, Var))
    for atom in atoms:
        for column, term in enumerate(atom.terms):
            if isinstance(term, Const) or (isinstance(term, Var) and in_atoms[term] > 1):
                uses[atom.relation][column] += 1
