"""Type constraints of one clause and their solution, which gives for each node the set of types that its values may
have.

A node is a variable or an occurrence of another expression. At first its types are unknown; each constraint removes
types, and replaces pairs of types by the greatest types that they have in common. A constraint that would leave no type
is a conflict: it is reported once, and both nodes are ignored from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

from ladder.language.check.types import CONSTANTS, PRIMITIVES, Types
from ladder.language.values.functions import ANY, Overload

TypeSet = frozenset[str]
Tell = Callable[[TypeSet, TypeSet], None]  # called with the types of both sides of a conflict


class Constraints:
    """The constraints of a clause. Nodes are numbers from `node()`; `sets`: their types, None while unknown; `broken`:
    nodes with a reported conflict."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.sets: list[TypeSet | None] = []
        self.broken: set[int] = set()
        self._constraints: list[Callable[[], object]] = []
        self._of_node: list[list[int]] = []  # node → constraints to look at when its types change
        self._pending: list[int] = []
        self._literals: list[Callable[[], bool]] = []
        self._calls: list[Callable[[], bool]] = []

    def node(self) -> int:
        self.sets.append(None)
        self._of_node.append([])
        return len(self.sets) - 1

    def assign(self, node: int, types: TypeSet) -> None:
        """Set the types of a node, and schedule its constraints again."""
        if self.sets[node] != types:
            self.sets[node] = types
            self._pending.extend(self._of_node[node])

    def solve(self) -> None:
        """Apply all constraints until nothing changes, then make choices between overloads until none is left."""
        self._propagate()
        while self._choose():
            self._propagate()

    def _choose(self) -> bool:
        """Choose the kind of all literals that may have several or, if there are none, the overload of the first such
        function."""
        settled = [choose() for choose in self._literals]
        return any(settled) or any(choose() for choose in self._calls)

    def _propagate(self) -> None:
        while self._pending:
            now, self._pending = self._pending, []
            for constraint in dict.fromkeys(now):
                self._constraints[constraint]()

    def _add(self, constraint: Callable[[], object], *nodes: int) -> None:
        number = len(self._constraints)
        self._constraints.append(constraint)
        self._pending.append(number)
        for node in nodes:
            self._of_node[node].append(number)

    # ---- constraints

    def below(self, node: int, types: Iterable[str], tell: Tell) -> None:
        """Demand that the node has types below one of these."""
        allowed = frozenset(map(self.types.plain, types))
        self._add(lambda: self._narrow(node, allowed, tell), node)

    def equal(self, left: int, right: int, tell: Tell) -> None:
        """Demand that both nodes have the same types."""

        def apply() -> None:
            known, other = self.sets[left], self.sets[right]
            if known is None and other is None or known == other or {left, right} & self.broken:
                return
            common = self._common(known, other)
            if common:
                self.assign(left, common)
                self.assign(right, common)
            else:
                self.broken.update((left, right))
                tell(known or frozenset(), other or frozenset())

        self._add(apply, left, right)

    def same_base(self, left: int, right: int, tell: Tell) -> None:
        """Demand that both nodes have types of one primitive type, which may differ."""

        def apply() -> None:
            known, other = self.sets[left], self.sets[right]
            if known is None and other is None or {left, right} & self.broken:
                return
            bases = self._bases(known) & self._bases(other) if known and other else self._bases(known or other)
            if bases:
                self.assign(left, self._of_bases(known, bases))
                self.assign(right, self._of_bases(other, bases))
            else:
                self.broken.update((left, right))
                tell(known or frozenset(), other or frozenset())

        self._add(apply, left, right)

    def component(self, element: int, record: int, position: int, tell: Tell) -> None:
        """Demand that the element has the type of a field of the record."""

        def apply() -> None:
            known = self.sets[record]
            if known is None or record in self.broken:
                return
            fields = {f[position][1] for f in map(self._fields, known) if len(f) > position}
            if fields:
                self._narrow(element, frozenset(map(self.types.plain, fields)), tell)

        self._add(apply, element, record)

    def call(
        self,
        result: int,
        arguments: list[int],
        overloads: Iterable[Overload],
        tell: Callable[[list[TypeSet | None]], None],
    ) -> None:
        """Demand that arguments and result fit an overload of a function; `tell` is called with the types of the
        arguments if none fits."""
        remaining = list(overloads)
        nodes = (result, *arguments)

        def apply() -> None:
            if not remaining or not self.broken.isdisjoint(nodes):
                return
            possible = [
                o
                for o in remaining
                if self._may_be(result, o.result)
                and all(self._may_be(a, o.parameter(i)) for i, a in enumerate(arguments))
            ]
            if not possible:
                tell([self.sets[a] for a in arguments])
                self.broken.update(nodes)
                return
            remaining[:] = possible
            wanted = [(result, possible[0].result)] if len({o.result for o in possible}) == 1 else []
            if len(possible) == 1:
                wanted += [(a, possible[0].parameter(i)) for i, a in enumerate(arguments)]
            for node, kind in wanted:
                if kind != ANY:
                    self._narrow(node, frozenset((CONSTANTS[kind],)), _no_conflict)

        def choose() -> bool:
            if len(remaining) < 2 or not self.broken.isdisjoint(nodes):
                return False
            del remaining[1:]
            self._pending.append(number)
            return True

        number = len(self._constraints)
        self._add(apply, *nodes)
        self._calls.append(choose)

    def numeric(self, node: int, kinds: Iterable[str], tell: Tell) -> None:
        """Demand that the node is numeric; if several of `kinds` remain, the first is chosen."""
        allowed = tuple(CONSTANTS[kind] for kind in kinds)
        self.below(node, allowed, tell)
        if len(allowed) == 1:
            return

        def choose() -> bool:
            known = self.sets[node]
            if known is None or len(known) == 1 or node in self.broken:
                return False
            chosen = next(
                (
                    frozenset(t for t in known if self.types.accepts(c, t))
                    for c in allowed
                    if any(self.types.accepts(c, t) for t in known)
                ),
                known,
            )
            self.assign(node, chosen)
            return chosen != known

        self._literals.append(choose)

    # ---- sets of types

    def _narrow(self, node: int, allowed: TypeSet, tell: Tell) -> None:
        known = self.sets[node]
        if known == allowed or node in self.broken:
            return
        common = self._common(known, allowed)
        if common:
            self.assign(node, common)
        else:
            self.broken.add(node)
            tell(known or frozenset(), allowed)

    def _common(self, left: TypeSet | None, right: TypeSet | None) -> TypeSet:
        if left is None or right is None:
            return left or right or frozenset()
        if len(left) == len(right) == 1:
            return self.types.common(*left, *right)
        return frozenset().union(*(self.types.common(a, b) for a, b in product(left, right)))

    def _bases(self, types: TypeSet | None) -> TypeSet:
        return frozenset(base for base in map(self.types.bases.__getitem__, types or ()) if base in PRIMITIVES)

    def _of_bases(self, types: TypeSet | None, bases: TypeSet) -> TypeSet:
        if types is None:
            return frozenset(CONSTANTS[base] for base in bases)
        return frozenset(t for t in types if self.types.bases[t] in bases)

    def _may_be(self, node: int, kind: str) -> bool:
        known = self.sets[node]
        return kind == ANY or known is None or any(self.types.bases[t] == kind for t in known)

    def _fields(self, name: str) -> tuple[tuple[str, str], ...]:
        return self.types.types[self.types.bases[name]].fields if name not in CONSTANTS.values() else ()


def _no_conflict(known: TypeSet, allowed: TypeSet) -> None:
    """A `tell` for constraints of which the caller knows that there is no conflict."""
