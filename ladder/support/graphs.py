"""Small graphs of names: strongly connected components and their order. Edges are pairs or a mapping of successors.

For a few dozen nodes, importing a graph library would take longer than evaluating a small program.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence


def successors_of(edges: Iterable[tuple[str, str]], nodes: Iterable[str] = ()) -> dict[str, list[str]]:
    """The successors of each node, once each; `nodes` come first, in order, then further ones as edges name them."""
    found: dict[str, dict[str, None]] = {node: {} for node in nodes}
    for source, target in edges:
        found.setdefault(source, {})[target] = None
        found.setdefault(target, {})
    return {node: list(following) for node, following in found.items()}


def strongly_connected(successors: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Node → number of its component, by Tarjan's algorithm without recursion (SIAM J. Comput. 1(2), 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    groups: dict[str, int] = {}
    stack: list[str] = []
    for root in successors:
        if root in index:
            continue
        work: list[tuple[str, Iterator[str]]] = [(root, iter(successors[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while work:
            name, following = work[-1]
            for other in following:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    work.append((other, iter(successors.get(other, ()))))
                    break
                if other not in groups:
                    low[name] = min(low[name], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    _close(name, stack, groups)
    return groups


def _close(name: str, stack: list[str], groups: dict[str, int]) -> None:
    number = len(groups)
    while True:
        member = stack.pop()
        groups[member] = number
        if member == name:
            return


def components_in_order(successors: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The strongly connected components, each before its successors; of those that could be next, that of the earliest
    node is."""
    groups = strongly_connected(successors)
    members: dict[int, list[str]] = {}
    for node in successors:
        members.setdefault(groups[node], []).append(node)
    place = {node: number for number, node in enumerate(successors)}
    following = {
        group: {groups[other] for node in nodes for other in successors[node]} - {group}
        for group, nodes in members.items()
    }
    waiting = Counter(other for others in following.values() for other in others)
    ready = [(place[nodes[0]], group) for group, nodes in members.items() if not waiting[group]]
    heapq.heapify(ready)
    order = []
    while ready:
        _, group = heapq.heappop(ready)
        order.append(members[group])
        for other in following[group]:
            waiting[other] -= 1
            if not waiting[other]:
                heapq.heappush(ready, (place[members[other][0]], other))
    return order


def reaching(successors: Mapping[str, Iterable[str]], targets: Iterable[str]) -> set[str]:
    """The nodes from which a target is reachable, including the targets."""
    before: dict[str, list[str]] = {}
    for node, following in successors.items():
        for other in following:
            before.setdefault(other, []).append(node)
    found = set[str]()
    pending = list(targets)
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending.extend(before.get(node, ()))
    return found
