"""The shortest ways of flows: searched among few steps, they are those that a search among all finds. How they are
told."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa

from ladder.report.findings import Spot
from ladder.session.describing import Spots, _steps, _Table, _ways


def test_ways_among_few_steps_are_those_among_all() -> None:
    numbers, found = random.Random(7), 0
    for _ in range(60):
        nodes = [f"n{n}" for n in range(numbers.randrange(2, 30))]
        steps = sorted({(numbers.choice(nodes), numbers.choice(nodes)) for _ in range(numbers.randrange(1, 90))})
        texts = [numbers.choice(("", "passed", "kept")) for _ in steps]
        names = ["from", "to", "text"]
        columns = [[source for source, _ in steps], [target for _, target in steps], texts]
        table = _Table.of(pa.table([pa.array(column) for column in columns], names), names)
        everything: dict[object, list[tuple[object, str, str]]] = {}
        for (source, target), text in zip(steps, texts, strict=True):
            everything.setdefault(source, []).append((target, "", text))
        for targets in everything.values():
            targets.sort(key=str)
        start, wanted = numbers.choice(nodes), set(numbers.sample(nodes, min(3, len(nodes))))
        ways = _ways(start, wanted, table.graph(start, wanted))
        assert ways == _ways(start, wanted, everything)  # type: ignore[arg-type]
        found += sum(len(way) > 2 for way in ways.values())
    assert found > 20


def test_the_nearest_start_is_that_of_the_shortest_way() -> None:
    """Of several that are equally near, the first; what is before and behind other steps."""
    numbers, far = random.Random(8), 0
    for _ in range(60):
        nodes = [f"n{n:02}" for n in range(numbers.randrange(2, 30))]
        steps = sorted({(numbers.choice(nodes), numbers.choice(nodes)) for _ in range(numbers.randrange(1, 60))})
        table = _Table.of(pa.table([[a for a, _ in steps], [b for _, b in steps]], ["from", "to"]), ["from", "to"])
        starts = sorted(numbers.sample([*nodes, "none"], min(4, len(nodes))))
        lengths = {start: _lengths(start, steps) for start in starts}
        for end, found in zip([*nodes, "none"], table.nearest(starts, [*nodes, "none"]), strict=True):
            here = any(end in step for step in steps)
            ways = [(lengths[start][end], start) for start in starts if here and end in lengths[start]]
            assert found == (min(ways)[1] if ways else None)
            far += bool(ways) and min(ways)[0] > 1
        known = [node for node in nodes if any(node in step for step in steps)]
        assert table.behind(known[:1]) == set(_lengths(known[0], steps))
        assert table.before(known[:1]) == {node for node in known if known[0] in _lengths(node, steps)}
    assert far > 20


def _lengths(start: str, steps: list[tuple[str, str]]) -> dict[str, int]:
    found, open_ = {start: 0}, [start]
    for node in open_:
        new = [b for a, b in steps if a == node and b not in found]
        found.update(dict.fromkeys(new, found[node] + 1))
        open_ += dict.fromkeys(new)
    return found


def test_what_is_said_of_a_place_is_said_once() -> None:
    """The steps of the parts of `a + b + c`, which begin at one column."""
    sum_, argument, other = Spot("A.java", 3, 9), Spot("A.java", 3, 20), Spot("A.java", 4, 9)
    owners: Any = None
    spots = Spots({"a": argument, "a + b": sum_, "a + b + c": sum_, "d": other}, owners)
    flow = (("a", "read"), ("a + b", "joined"), ("a + b + c", "joined"), ("d", "joined"), ("a", "read"))
    assert _steps(flow, spots) == ((argument, "read"), (sum_, "joined"), (other, "joined"), (argument, "read"))
