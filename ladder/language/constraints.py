"""Type constraints of one clause and their solution: for each of its nodes the set of types that its values may have.

A node is a variable or an occurrence of another expression. Nothing is known of a node at first; every constraint takes
types away, pairs of types being replaced by the greatest they have in common. A constraint that would leave nothing is a
conflict: it is told once, and both nodes are left alone from then on.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

from ladder.language.core import Kind
from ladder.language.functions import ANY, Overload
from ladder.language.types import CONSTANTS, PRIMITIVES, Types

TypeSet = frozenset[str]
Tell = Callable[[TypeSet, TypeSet], None]   # called with the types of both sides of a conflict


class Constraints:
    """Nodes are numbers from `node()`; `sets`: their types, None while nothing is known; `broken`: told conflicts."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.sets: list[TypeSet | None] = []
        self.broken: set[int] = set()
        self._constraints: list[Callable[[], bool]] = []
        self._literals: list[Callable[[], bool]] = []
        self._calls: list[Callable[[], bool]] = []

    def node(self) -> int:
        self.sets.append(None)
        return len(self.sets) - 1

    def solve(self) -> None:
        """Applies all constraints until nothing changes; then the choices, until there is nothing to choose."""
        self._propagate()
        while self._choose():
            self._propagate()

    def _choose(self) -> bool:
        """Settles all literals of several kinds, or else the first function of several."""
        settled = [choose() for choose in self._literals]
        return any(settled) or any(choose() for choose in self._calls)

    def _propagate(self) -> None:
        changed = True
        while changed:
            changed = False
            for constraint in self._constraints:
                changed |= constraint()

    # ---- constraints

    def below(self, node: int, types: Iterable[str], tell: Tell) -> None:
        """The node has types below one of these."""
        allowed = frozenset(map(self.types.plain, types))
        self._constraints.append(lambda: self._narrow(node, allowed, tell))

    def equal(self, left: int, right: int, tell: Tell) -> None:
        """Both nodes have the same types."""
        def apply() -> bool:
            known, other = self.sets[left], self.sets[right]
            if known is None and other is None or known == other or {left, right} & self.broken:
                return False
            common = self._common(known, other)
            if not common:
                self._break(left, right)
                tell(known or frozenset(), other or frozenset())
                return False
            self.sets[left] = self.sets[right] = common
            return common != known or common != other
        self._constraints.append(apply)

    def same_base(self, left: int, right: int, tell: Tell) -> None:
        """Both nodes have types of one primitive type, and may have different ones."""
        def apply() -> bool:
            known, other = self.sets[left], self.sets[right]
            if known is None and other is None or {left, right} & self.broken:
                return False
            bases = self._bases(known) & self._bases(other) if known and other else self._bases(known or other)
            if not bases:
                self._break(left, right)
                tell(known or frozenset(), other or frozenset())
                return False
            before = known, other
            self.sets[left], self.sets[right] = self._of_bases(known, bases), self._of_bases(other, bases)
            return (self.sets[left], self.sets[right]) != before
        self._constraints.append(apply)

    def component(self, element: int, record: int, position: int, tell: Tell) -> None:
        """The element is a field of the record."""
        def apply() -> bool:
            known = self.sets[record]
            if known is None or record in self.broken:
                return False
            fields = {f[position][1] for f in map(self._fields, known) if len(f) > position}
            return bool(fields) and self._narrow(element, frozenset(map(self.types.plain, fields)), tell)
        self._constraints.append(apply)

    def call(self, result: int, arguments: list[int], overloads: Iterable[Overload],
             tell: Callable[[list[TypeSet | None]], None]) -> None:
        """The result is one of a function; `tell` is called with the arguments' types where no overload is possible."""
        remaining = list(overloads)
        infix_broken = (result, *arguments)

        def apply() -> bool:
            if not remaining or not self.broken.isdisjoint(infix_broken):
                return False
            possible = [o for o in remaining if self._may_be(result, o.result)
                        and all(self._may_be(a, o.parameter(i)) for i, a in enumerate(arguments))]
            if not possible:
                tell([self.sets[a] for a in arguments])
                self._break(*infix_broken)
                remaining.clear()
                return False
            remaining[:] = possible
            wanted = [(result, possible[0].result)] if len({o.result for o in possible}) == 1 else []
            if len(possible) == 1:
                wanted += [(a, possible[0].parameter(i)) for i, a in enumerate(arguments)]
            changed = [self._narrow(node, frozenset((CONSTANTS[kind],)), _no_conflict)
                       for node, kind in wanted if kind != ANY]
            return any(changed)

        def choose() -> bool:
            if len(remaining) > 1 and self.broken.isdisjoint(infix_broken):
                del remaining[1:]
                return True
            return False
        self._constraints.append(apply)
        self._calls.append(choose)

    def numeric(self, node: int, kinds: Iterable[str], tell: Tell) -> None:
        """The node is numeric; where several kinds are left, the first of `kinds` is meant."""
        allowed = tuple(CONSTANTS[kind] for kind in kinds)
        self.below(node, allowed, tell)

        def choose() -> bool:
            known = self.sets[node]
            if known is None or len(known) == 1 or node in self.broken:
                return False
            chosen = next((frozenset(t for t in known if self.types.accepts(c, t)) for c in allowed
                           if any(self.types.accepts(c, t) for t in known)), known)
            if chosen == known:
                return False
            self.sets[node] = chosen
            return True
        self._literals.append(choose)

    # ---- sets of types

    def is_record(self, name: str) -> bool:
        return self.types.types[name].kind is Kind.RECORD and not self.types.types[name].branches

    def _narrow(self, node: int, allowed: TypeSet, tell: Tell) -> bool:
        known = self.sets[node]
        if known == allowed or node in self.broken:
            return False
        common = self._common(known, allowed)
        if not common:
            self._break(node)
            tell(known or frozenset(), allowed)
            return False
        self.sets[node] = common
        return common != known

    def _common(self, left: TypeSet | None, right: TypeSet | None) -> TypeSet:
        if left is None or right is None:
            return left or right or frozenset()
        return frozenset().union(*(self.types.common(a, b) for a, b in product(left, right)))

    def _break(self, *nodes: int) -> None:
        self.broken.update(nodes)

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
    """The caller has looked before that there is none."""
