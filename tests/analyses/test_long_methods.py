"""Generated code has methods of thousands of statements: what is derived of one grows with its length, and not with the
square of it."""

from __future__ import annotations

import pytest

from long_methods import program
from tests.analyses.annotated import Project, analyse
from tests.marks import slow_but

SHORT, GROWTH, MANY = 40, 2.6, 1000


def sizes(name: str, length: int) -> dict[str, int]:
    """How many rows each relation has, for methods of so many statements."""
    database = analyse(name, Project.of({"M.java": program(length)})).database
    return {relation: len(database.state(relation)) for relation in database.stored_relations}


@pytest.mark.parametrize("name", slow_but((), ("ranges", "taint", "conditions", "nullness")))
def test_rows_grow_with_the_length_of_methods(name: str) -> None:
    few, many = sizes(name, SHORT), sizes(name, 2 * SHORT)
    assert sum(many.values()) > 100 * SHORT
    assert {
        relation: (few[relation], number)
        for relation, number in many.items()
        if number > max(MANY, GROWTH * few[relation])
    } == {}
