"""Rules of relations with choice, where a key is known before the last atoms are read: what follows a key that is
taken is not looked at.

next(x, y) :- end(x), begin(y).             x and y are keys
→   for each match of end(x), in order
        if x is taken: continue
        for each match of begin(y), in order
            take (x, y), unless y is taken
            if x is taken: break

Rows of begin(y) whose y is taken never have to be looked at again: those at the beginning of the order are dropped, so
that n rows which are taken one after the other cost n steps, not n² / 2.

The order is that of `sorted_rule`, where all matches are made before they are sorted: the rows of the atoms as they
stand in the text. So rows of the last atoms are looked at in that order only where they would be read in it anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from ladder.engine.ordered.rules import Body, OrderedRule, drawing, matches_in_order, shown_key, started
from ladder.engine.ordered.tables import Row, Table
from ladder.language.core import Atom, Generate, Literal, Rule, Var, binds, needs
from ladder.language.values.value_order import has_equal_values


@dataclass(frozen=True)
class OwnKey:
    """A key of a rule's head that a row of one atom has by itself: its columns of that row, and the keys that are
    taken."""

    columns: tuple[int, ...]
    taken: Collection[Any]


class InOrder:
    """The rows of a table by a key, sorted when they are asked for first; less those at the beginning of which a key of
    their own is taken."""

    def __init__(
        self,
        table: Table,
        columns: tuple[int, ...],
        order: Callable[[Row], Any] | None,
        own: Sequence[OwnKey] = (),
    ) -> None:
        self.buckets = table.index(columns) if columns else {(): table.rows}
        self.order, self.sorted = order, dict[Any, list[Row]]()  # the last row of a list is the first one in order
        self.own = [(itemgetter(*key.columns), key.taken) for key in own]

    def __call__(self, key: Any) -> Iterator[Row]:
        found = self.sorted.get(key)
        if found is None:
            found = self.sorted[key] = sorted(self.buckets.get(key, ()), key=self.order)
            found.reverse()
        while found and any(of(found[-1]) in taken for of, taken in self.own):
            found.pop()
        return reversed(found)


def choosing_rule(ordered: OrderedRule) -> Callable[..., None] | None:
    """The function run(deltas, iteration) of a rule whose order matters, as `sorted_rule`; None if no key is known
    before its last atoms are read, or if these would be read in another order."""
    rule, relation = ordered.rule, ordered.target.relation
    atoms = [b for b in rule.body if isinstance(b, Atom)]
    if (
        len(ordered.atoms) < len(atoms)
        or any(isinstance(b, Generate) for b in rule.body)
        or drawing(rule)
        or has_equal_values(ordered.program, relation.name)
    ):
        return None
    for length in range((ordered.start or 0) + 1, len(atoms)):
        first, rest = _parted(rule.body, atoms[:length])
        known = frozenset[Var]().union(*map(binds, first))
        key = next((k for k, columns in enumerate(relation.choice) if _known(rule, columns, known)), None)
        body = Body(ordered.program, ordered.tables)
        if key is not None and _in_this_order(atoms[length:], length, rest, known, body):
            return _cut(ordered, first, rest, length, key)
    return None


def _parted(body: Sequence[Literal], atoms: Sequence[Atom]) -> tuple[list[Literal], list[Literal]]:
    """(these atoms, which are the first of the body, with all that can be computed from them; the rest)"""
    first: list[Literal] = list(atoms)
    rest = [b for b in body if not isinstance(b, Atom)]
    known = frozenset[Var]().union(*map(binds, first))
    while ready := next((b for b in rest if needs(b) <= known), None):
        rest.remove(ready)
        first.append(ready)
        known |= binds(ready)
    others = [b for b in body if isinstance(b, Atom)][len(atoms) :]
    return first, [*others, *rest]


def _known(rule: Rule, columns: Sequence[int], known: Collection[Var]) -> bool:
    """Whether the terms of the head in these columns of its rows have values."""
    terms = [t for t in rule.head.terms if t is not None]
    return all(not isinstance(terms[c], Var) or terms[c] in known for c in columns)


def _in_this_order(
    atoms: Sequence[Atom], position: int, literals: Sequence[Literal], known: Collection[Var], body: Body
) -> bool:
    """Whether atoms would be read as they stand in the text, after those that bind the `known` variables."""
    waiting = dict(enumerate(atoms, position))
    for variable in known:
        body.name(variable)
    others = [b for b in literals if not isinstance(b, Atom)]
    for i, atom in enumerate(atoms, position):
        for literal in others:
            if needs(literal) <= body.variables.keys():
                for variable in binds(literal):
                    body.name(variable)
        if min(waiting, key=lambda j: body.cost(waiting[j], j)) != i:
            return False
        for variable in binds(waiting.pop(i)):
            body.name(variable)
    return True


def _cut(
    ordered: OrderedRule, first: Sequence[Literal], rest: Sequence[Literal], length: int, key: int
) -> Callable[[Mapping[str, Any], int], None]:
    """The function run(deltas, iteration) of a rule whose `first` literals, with `length` atoms, bind a key."""
    wanted = sorted(
        frozenset[Var]().union(*map(binds, first))
        & frozenset[Var]().union(
            *(_variables(b) for b in rest), (t for t in ordered.rule.head.terms if isinstance(t, Var))
        ),
        key=lambda variable: variable.name,
    )
    collect = _collecting(ordered, first, length, wanted)
    conclude, lists = _concluding(ordered, rest, length, key, wanted)

    def run(deltas: Mapping[str, Any], iteration: int) -> None:
        conclude(matches_in_order(collect, deltas), deltas)
        for rows in lists:
            rows.sorted.clear()

    return run


def _collecting(
    ordered: OrderedRule, first: Sequence[Literal], length: int, wanted: Sequence[Var]
) -> Callable[..., Any]:
    """The function f(deltas, append): the matches of the first literals, each with what it is sorted by."""
    body = started(ordered.program, ordered.tables)
    ordered.gather(body, first)
    keys = [ordered.sorted_by(body, i) for i in range(length)]
    values = "".join(body.variables[v] + ", " for v in wanted)
    body.write(f"append((({''.join(k + ', ' for k in keys)}), ({values})))")
    return body.function("deltas, append")


def _concluding(
    ordered: OrderedRule, rest: Sequence[Literal], length: int, key: int, wanted: Sequence[Var]
) -> tuple[Callable[..., Any], list[InOrder]]:
    """The function f(found, deltas) that takes rows, and the lists of rows that change between its calls."""
    body, lists = Body(ordered.program, ordered.tables), list[InOrder]()
    body.open(f"for _, ({''.join(body.name(v) + ', ' for v in wanted)}) in found:")
    taken = body.use(ordered.target.taken[key], "taken")
    terms = [t for t in ordered.rule.head.terms if t is not None]
    body.write(f"known = {shown_key([body.term(terms[c]) for c in ordered.target.relation.choice[key]])}")
    body.write(f"if known in {taken}: continue")
    outer = body.depth
    pending: list[Literal] = [b for b in rest if not isinstance(b, Atom)]
    for position in range(length, len(ordered.atoms)):
        body.ready(pending)
        _rows(ordered, body, position, lists)
    body.ready(pending)
    body.take(ordered.rule.head, ordered.target)
    for depth in range(body.depth, outer, -1):
        body.depth = depth
        body.write(f"if known in {taken}: break")
    return body.function("found, deltas"), lists


def _rows(ordered: OrderedRule, body: Body, position: int, lists: list[InOrder]) -> None:
    """Generate a loop over the rows that match an atom, in order."""
    atom = ordered.atoms[position]

    def look_up(columns: tuple[int, ...], key: str) -> str:
        rows = InOrder(ordered.tables[atom.relation], columns, ordered.key_of(position), _own_keys(ordered, atom))
        if atom.relation in ordered.own:
            lists.append(rows)
        return f"{body.use(rows, 'sorted')}({key})"

    body.atom(atom, position, None, look_up)
    if position in ordered.later:
        body.write(f"if r{position} in {ordered.later[position]}: continue")


def _own_keys(ordered: OrderedRule, atom: Atom) -> list[OwnKey]:
    """The keys of the rule's head that the rows of an atom have by themselves; none where rows of the head are
    dominated, since their keys are free again."""
    terms = [t for t in ordered.rule.head.terms if t is not None]
    if any(s.dominated.relation == ordered.rule.head.relation for s in ordered.program.subsumptions):
        return []
    return [
        OwnKey(tuple(atom.terms.index(terms[c]) for c in columns), taken)
        for columns, taken in zip(ordered.target.relation.choice, ordered.target.taken, strict=True)
        if columns and all(isinstance(terms[c], Var) and terms[c] in atom.terms for c in columns)
    ]


def _variables(literal: Literal) -> frozenset[Var]:
    return binds(literal) | needs(literal)
