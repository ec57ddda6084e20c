"""Relations with the iteration in which rows appeared (`debug_delta`) → ordinary rules.

.decl d = debug_delta(r)   →   .decl d(x: number, iteration: unsigned) choice-domain (x)
                               d(x, recursive_iteration_cnt() - 1) :- r(x).   r(x) :- d(x, _).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ladder.language.errors import Errors, did_you_mean
from ladder.language.expressions import heads_of
from ladder.language.syntax import nodes as s
from ladder.language.values.functions import ITERATION


def with_deltas(items: Sequence[s.Item], errors: Errors) -> list[s.Item]:
    """The items with declarations and rules of delta relations."""
    deltas = {i.name: i for i in items if isinstance(i, s.RelationDeclaration) and i.delta_of is not None}
    if not deltas:
        return list(items)
    declarations = {i.name: i for i in items if isinstance(i, s.RelationDeclaration)}
    expanded: list[s.Item] = []
    for item in items:
        if isinstance(item, s.RelationDeclaration) and item.delta_of is not None:
            observed = declarations.get(item.delta_of)
            if observed is None or observed.delta_of is not None:
                errors.add_undeclared(
                    item.place,
                    item.delta_of,
                    f"the relation {item.delta_of} of debug_delta is not declared",
                    did_you_mean(item.delta_of, declarations.keys() - deltas.keys()),
                )
                errors.incomplete = True
            else:
                expanded += _delta(item, observed)
            continue
        expanded.append(item)
        heads = [head.name for head in heads_of(item)] if isinstance(item, s.Clause | s.SubsumptionClause) else []
        if isinstance(item, s.DirectiveItem) and item.kind == "input":
            heads = [item.relation]
        for name in heads:
            if name in deltas:
                errors.add(
                    item.place, f"{name} tells how {deltas[name].delta_of} changes: it has no facts or rules of its own"
                )
    return expanded


def _delta(item: s.RelationDeclaration, observed: s.RelationDeclaration) -> list[s.Item]:
    place = item.place
    columns = tuple(a.name for a in observed.attributes)
    name = "iteration" if "iteration" not in columns else "iteration_"
    variables = tuple(s.Variable(place, f"x{position}") for position in range(len(columns)))
    iteration = s.Call(place, "-", (s.Call(place, ITERATION, ()), s.Number(place, 1)))
    atom, delta = s.Call(place, observed.name, variables), s.Call(place, item.name, (*variables, iteration))
    known = s.Call(place, item.name, (*variables, s.Wildcard(place)))
    # A row of the relation is there for the rules of an iteration in the one after that in which it came.
    return [
        replace(
            item,
            attributes=(*observed.attributes, s.Attribute(place, name, "unsigned")),
            choices=(columns,) if columns else (),
            delta_of=None,
        ),
        s.Clause(place, (delta,), s.AtomLiteral(place, atom)),
        s.Clause(place, (atom,), s.AtomLiteral(place, known)),
    ]
