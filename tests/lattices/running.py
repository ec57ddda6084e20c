"""A program over lattices, run by an engine and updated, compared with the definition after each step."""

from __future__ import annotations

from typing import Any

from ladder import lattices
from ladder.api.program import Program
from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference import evaluate as naive

from ..engine.comparison import check_structure, difference, state_of

FUNCTORS: dict[str, Any] = {
    "join": lambda a, b: a if a == b or b == ("No",) else b if a == ("No",) else ("All",),
    "meet": lambda a, b: a if a == b or b == ("All",) else b if a == ("All",) else ("No",),
    "next": lambda a: ("One", a[1] + 1) if a[0] == "One" else a,
    "hull": lambda a, b: b if a is None else a if b is None else (min(a[0], b[0]), max(a[1], b[1])),
    "overlap": lambda a, b: (
        None if a is None or b is None or max(a[0], b[0]) > min(a[1], b[1]) else (max(a[0], b[0]), min(a[1], b[1]))
    ),
    "far": lambda a, b: (
        FUNCTORS["hull"](a, b)
        if a == b or None in (a, b)
        else (min(0, *FUNCTORS["hull"](a, b)), 99 if max(a[1], b[1]) > 9 else 9)
    ),
    "up": lambda a: a if a is None else (a[0] + 1, a[1] + 1),
    "only": lambda n: (n, n),
    "known": lattices.known,
    "members": lattices.members,
    "shifted": lattices.shifted,
    "at_most": lattices.at_most,
    "few": lattices.singleton,
}


def run(
    text: str, facts: dict[str, list[Any]], *changes: tuple[dict[str, list[Any]], dict[str, list[Any]]]
) -> naive.State:
    """The last of a program's states after the changes (insert, delete), each compared on both engines,
    from scratch."""
    program = Program.parse(text, functors=FUNCTORS)
    engine = LocalEngine(program.core)

    def encoded(rows: dict[str, list[Any]]) -> dict[str, Any]:
        return {name: engine.encode_facts(name, some) for name, some in rows.items()}

    engine.bootstrap(encoded(facts))
    expected = naive.evaluate(program.core, facts)
    assert difference(state_of(engine), expected) == ""
    current = {name: dict.fromkeys(rows) for name, rows in facts.items()}
    for insert, delete in changes:
        for name, rows in delete.items():
            for row in rows:
                del current[name][row]
        for name, rows in insert.items():
            current.setdefault(name, {}).update(dict.fromkeys(rows))
        engine.update(encoded(delete), encoded(insert))
        engine.finish()
        check_structure(engine)
        expected = naive.evaluate(program.core, {name: list(rows) for name, rows in current.items()})
        assert difference(state_of(engine), expected) == "", (insert, delete)
    return expected
