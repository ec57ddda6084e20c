"""Disjoint sets of numbers: union-find with path halving (Tarjan and van Leeuwen, JACM 1984)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class DisjointSets:
    """Nodes 0, 1, … in sets; at first each is alone in one."""

    parent: list[int] = field(default_factory=list)

    def new(self) -> int:
        """Return a new node."""
        self.parent.append(len(self.parent))
        return len(self.parent) - 1

    def find(self, node: int) -> int:
        """Return the node that stands for a set."""
        parent = self.parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def unite(self, one: int, other: int) -> None:
        """Let two sets be one, for which its oldest node stands."""
        one, other = self.find(one), self.find(other)
        if one != other:
            self.parent[max(one, other)] = min(one, other)
