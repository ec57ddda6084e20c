"""Our graph functions against a library's, on random graphs."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from ladder.support.graphs import components_in_order, reaching, strongly_connected, successors_of

NODES = st.sampled_from("abcdefgh")
EDGES = st.lists(st.tuples(NODES, NODES), max_size=20)


@given(EDGES)
def test_components_are_those_of_a_library_and_in_its_order(edges: list[tuple[str, str]]) -> None:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from("hgfedcba")
    graph.add_edges_from(edges)
    condensed = nx.condensation(graph)
    place = {name: number for number, name in enumerate("hgfedcba")}
    members = {node: sorted(condensed.nodes[node]["members"], key=place.__getitem__) for node in condensed}
    expected = [
        members[node]
        for node in nx.lexicographical_topological_sort(condensed, key=lambda node: place[members[node][0]])
    ]
    assert components_in_order(successors_of(edges, "hgfedcba")) == expected


@given(EDGES, st.sets(NODES))
def test_what_reaches_a_target(edges: list[tuple[str, str]], targets: set[str]) -> None:
    graph: nx.DiGraph[str] = nx.DiGraph(edges)
    graph.add_nodes_from(targets)
    expected = targets.union(*(nx.ancestors(graph, target) for target in targets))
    assert reaching(successors_of(edges), targets) == expected


def test_long_chains_need_no_deep_recursion() -> None:
    edges = [(str(i), str(i + 1)) for i in range(20_000)]
    assert len(set(strongly_connected(successors_of(edges)).values())) == 20_001
    assert len(components_in_order(successors_of([*edges, ("20000", "0")]))) == 1
