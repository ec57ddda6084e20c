"""Which relations the rules of a relation read, and how: positively, under a negation, or inside an aggregate."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ladder.language.core import Place
from ladder.language.expressions import heads_of, parts, sides
from ladder.language.syntax import nodes as s
from ladder.support.graphs import reaching, strongly_connected


@dataclass(frozen=True)
class Use:
    """An occurrence of a relation in a rule; `under`: "negation", the word of the outermost aggregate, or None;
    `place`: its place."""

    name: str
    place: Place
    under: str | None = None
    shown: str = ""


@dataclass
class Dependencies:
    """`readers`: relation → relations whose rules read it; `guarded`: uses under negations and aggregates,
    by reader."""

    readers: dict[str, dict[str, None]] = field(default_factory=dict)
    guarded: list[tuple[str, Use]] = field(default_factory=list)
    _groups: dict[str, int] | None = None

    @staticmethod
    def of(clauses: Iterable[s.Clause | s.SubsumptionClause]) -> Dependencies:
        found = Dependencies()
        for clause in clauses:
            for head in heads_of(clause):
                found.readers.setdefault(head.name, {})
                for use in uses(clause, head):
                    found.readers.setdefault(use.name, {})[head.name] = None
                    if use.under is not None:
                        found.guarded.append((head.name, use))
        return found

    def group(self, name: str) -> int | None:
        """A number for the set of mutually dependent relations that a relation is in; None if it is in no rule."""
        if self._groups is None:
            self._groups = strongly_connected(self.readers)
        return self._groups.get(name)

    def recursive(self, clause: s.Clause | s.SubsumptionClause, head: s.Call) -> bool:
        """Whether a rule reads a relation that depends on the one it derives."""
        own = self.group(head.name)
        return any(self.group(use.name) == own for use in uses(clause, head))

    def needed(self, names: Iterable[str]) -> set[str]:
        """These relations and all that their rules read, directly or indirectly."""
        return reaching(self.readers, names)

    def cycle(self, start: str, goal: str) -> list[str]:
        """A path of names from start to goal, each read by the rules of the next; both are in one group."""
        before: dict[str, str | None] = {start: None}
        queue = deque([start])
        while queue and goal not in before:
            name = queue.popleft()
            for following in self.readers.get(name, ()):
                if following not in before:
                    before[following] = name
                    queue.append(following)
        path: list[str] = []
        current: str | None = goal
        while current is not None:
            path.append(current)
            current = before.get(current)
        return path[::-1]


def uses(clause: s.Clause | s.SubsumptionClause, head: s.Call | None = None) -> Iterator[Use]:
    """The atoms of a clause's body, and of the aggregates in a head."""
    if head is not None:
        for argument in head.arguments:
            yield from _in_expression(argument, None)
    if clause.body is not None:
        yield from _in_body(clause.body, None, None)


def _in_body(body: s.Body, guard: Use | None, negated: Place | None) -> Iterator[Use]:
    match body:
        case s.Conjunction() | s.Disjunction():
            for part in body.parts:
                yield from _in_body(part, guard, negated)
        case s.Negation():
            yield from _in_body(body.body, guard, body.place if negated is None else None)
        case s.AtomLiteral() if guard is not None:
            yield Use(body.atom.name, guard.place, guard.under, guard.shown)
        case s.AtomLiteral():
            yield (
                Use(body.atom.name, body.place) if negated is None else Use(body.atom.name, negated, "negation", "!")
            )
    for side in sides(body):
        yield from _in_expression(side, guard)


def _in_expression(expression: s.Expression, guard: Use | None) -> Iterator[Use]:
    for part in parts(expression):
        if isinstance(part, s.Aggregate):
            inside = guard or Use("", part.place, "aggregate", f"{part.function} ")
            yield from _in_body(part.body, inside, None)
            if part.target is not None:
                yield from _in_expression(part.target, inside)


def cycles_within(names: Sequence[str], readers: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The sets of these relations that depend on each other through these relations alone, each in the given order."""
    chosen = dict.fromkeys(names)
    inner = {name: [r for r in readers.get(name, ()) if r in chosen] for name in chosen}
    groups = strongly_connected(inner)
    members: dict[int, list[str]] = {}
    for name in chosen:
        members.setdefault(groups[name], []).append(name)
    return [group for group in members.values() if len(group) > 1 or group[0] in inner[group[0]]]
