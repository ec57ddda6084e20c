"""Which partitioned replicas of a relation there are: as few as let every look-up of a recursive component find its
rows in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ladder.engine.spark.layout import Key, Layout
from ladder.engine.spark.lowering.lower import first_keys
from ladder.language.core import Atom, Not, Rule, Var
from ladder.plan.components import Expanded
from ladder.plan.steps import Member, Plan, Probe, Role, Scan


def usual_keys(expanded: Expanded) -> dict[str, Key]:
    """The column of each relation that rules join by most often."""
    uses: dict[str, Counter[int]] = {name: Counter() for name in expanded.relations}
    for component in expanded.components:
        for rule in component.rules:
            _count_joins(rule, uses)
    return {
        name: (max(range(relation.arity), key=lambda c: (uses[name][c], -c)),)
        for name, relation in expanded.relations.items()
    }


def _count_joins(rule: Rule, uses: dict[str, Counter[int]]) -> None:
    atoms = [
        literal.atom if isinstance(literal, Not) else literal
        for literal in rule.body
        if isinstance(literal, Atom | Not)
    ]
    for atom in atoms:
        elsewhere = {t for other in atoms if other is not atom for t in other.terms if isinstance(t, Var)}
        for column, term in enumerate(atom.terms):
            uses[atom.relation][column] += term in elsewhere


def keys_of_stage(plans: Sequence[Plan], arities: Mapping[str, int], usual: Mapping[str, Key]) -> dict[str, list[Key]]:
    """Keys of the replicas of a stage's own relations."""
    wanted, whole, first = look_ups(plans), members(plans), starts(plans)
    return {
        name: chosen_keys(wanted.get(name, [])) or [first.get(name) or next(iter(whole.get(name, [])), usual[name])]
        for name in arities
    }


def further_keys(plans: Sequence[Plan], layout: Layout) -> dict[str, list[Key]]:
    """Keys of the further replicas that a stage's own relations need beside replica 0."""
    wanted = look_ups(plans)
    return {name: chosen_keys(wanted.get(name, []), [layout.replicas_of(name)[0].key]) for name in layout.arities}


def keys_of_inputs(plans: Sequence[Plan], there: Mapping[str, Layout]) -> dict[str, list[Key]]:
    """Keys of the further replicas that relations of earlier stages lack: what plans look up again and again."""
    wanted, found = look_ups(plans), {}
    for name, layout in there.items():
        keys = [replica.key for replica in layout.replicas_of(name)]
        if lacking := chosen_keys(wanted.get(name, []), keys):
            found[name] = [*keys[1:], *lacking]
    return found


def look_ups(plans: Iterable[Plan]) -> dict[str, list[Key]]:
    """Per relation the columns by which plans of later iterations look rows up, those of whole rows left out."""
    found: dict[str, list[Key]] = {}
    for plan in plans:
        for step in plan.steps:
            if plan.role is Role.ITERATED and isinstance(step, Probe):
                columns = tuple(sorted(c for c, t in step.keys if isinstance(t, Var)))
                if columns:
                    found.setdefault(step.relation, []).append(columns)
    return found


def members(plans: Iterable[Plan]) -> dict[str, list[Key]]:
    """Per relation the columns by which plans look up whole rows, constants left out; a replica by any one of them will
    do."""
    found: dict[str, list[Key]] = {}
    for plan in plans:
        for step in plan.steps:
            if plan.role is Role.ITERATED and isinstance(step, Member):
                columns = tuple(c for c, t in enumerate(step.atom.terms) if isinstance(t, Var))
                if columns:
                    found.setdefault(step.atom.relation, []).append(columns)
    return found


def chosen_keys(wanted: Sequence[Key], there: Sequence[Key] = ()) -> list[Key]:
    """Keys that serve all look-ups, those that are there first: each look-up has a key that is a part of
    its columns."""
    chosen: list[Key] = []
    left = [columns for columns in wanted if not any(set(key) <= set(columns) for key in there)]
    while left:
        candidates = {key for columns in left for key in ((c,) for c in columns)} | set(left)
        best = max(sorted(candidates), key=lambda key: (sum(set(key) <= set(columns) for columns in left), len(key)))
        chosen.append(best)
        left = [columns for columns in left if not set(best) <= set(columns)]
    return chosen


def starts(plans: Iterable[Plan]) -> dict[str, Key]:
    """Per relation the columns of its delta that are looked up first most often: by them its rows are at the right
    place."""
    found: dict[str, Counter[Key]] = {}
    for plan in plans:
        scan, *rest = plan.steps
        if plan.role is not Role.ITERATED or not isinstance(scan, Scan):
            continue
        column_of = {variable: column for column, variable in scan.binds}
        key = tuple(column_of[t] for t in first_keys(rest) if isinstance(t, Var) and t in column_of)
        if key:
            found.setdefault(scan.relation, Counter())[key] += 1
    return {name: max(sorted(keys), key=lambda key: keys[key]) for name, keys in found.items()}
