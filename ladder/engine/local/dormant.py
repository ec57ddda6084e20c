"""Rules that can derive nothing, because a relation that they read has no rows: of a large library of rules, a small
input needs few.

Such a rule is *dormant*: it has no plans. A component with dormant rules watches one empty relation of each. When one
of these has rows as an update comes to the component, the update stops there, the rules that may derive something by
now get their plans, and it goes on. Once a rule has plans, it keeps them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ladder.language.core import Atom, Rule
from ladder.plan.components import Component

if TYPE_CHECKING:
    from ladder.engine.local.state import State


def rules_to_plan(engine: State, component: Component) -> list[Rule]:
    """The rules of a component that may derive a row in its bootstrap, now that lower components are complete."""
    return [component.rules[number] for number in awake(engine, component)[0]]


def awake(engine: State, component: Component, planned: Collection[int] = ()) -> tuple[list[int], list[str]]:
    """(positions of a component's rules that may derive a row, relations to watch for the others).

    A rule may derive something if every relation that its body reads has rows, or may get some within the component:
    from such a rule, or from one that is `planned` already. For any other there is an empty relation that gets no row
    by the component's own rules as they are.
    """
    possible = {name for name in component.names if _has_rows(engine, name)}
    possible.update(component.rules[number].head.relation for number in planned)
    possible.update(name for a in component.aggregates for name in (a.inputs, a.totals, a.name))
    read = [{literal.relation for literal in rule.body if isinstance(literal, Atom)} for rule in component.rules]
    empty = {name for names in read for name in names - component.names if not _has_rows(engine, name)}
    heads = [rule.head.relation for rule in component.rules]
    waiting = [(head, names) for head, names in zip(heads, read, strict=True) if empty.isdisjoint(names)]
    lacking = empty | (
        component.names - _closure(possible, [(head, names & component.names) for head, names in waiting])
    )
    found = [number for number, names in enumerate(read) if lacking.isdisjoint(names)]
    rest = set(range(len(read))).difference(found, planned)
    return found, sorted({min(read[number] & lacking) for number in rest})


def _has_rows(engine: State, name: str) -> bool:
    """Whether a relation has rows; one that is not stored may have."""
    number = engine.numbers.get(name)
    return number is None or engine.store.row_count(number) > 0


def _closure(known: set[str], implications: Sequence[tuple[str, set[str]]]) -> set[str]:
    """The least set with the known names that has the head of each implication of which it has the body."""
    missing = [len(body) for _, body in implications]
    readers: dict[str, list[int]] = {}
    for number, (_, body) in enumerate(implications):
        for name in body:
            readers.setdefault(name, []).append(number)
    found: set[str] = set()
    fresh = [*known, *(head for head, body in implications if not body)]
    while fresh:
        name = fresh.pop()
        if name in found:
            continue
        found.add(name)
        for number in readers.get(name, ()):
            missing[number] -= 1
            if not missing[number]:
                fresh.append(implications[number][0])
    return found
