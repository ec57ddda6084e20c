"""The schema is well formed, and rows that do not fit it are refused."""

from __future__ import annotations

import re

import pytest

from ladder.api.program import Program
from ladder.frontends.java import schema


def test_relations_have_distinct_columns_and_a_sentence_each() -> None:
    for relation in schema.RELATIONS.values():
        names = [column.name for column in relation.columns]
        assert len(set(names)) == len(names) > 0
        assert {column.type for column in relation.columns} <= {schema.SYMBOL, schema.NUMBER}
        assert relation.doc.endswith(".") and "\n" not in relation.doc


def test_names_are_unique_across_groups() -> None:
    assert len(schema.RELATIONS) == sum(map(len, schema.GROUPS.values()))


def test_declarations_name_every_relation_once() -> None:
    text = schema.declarations()
    assert (
        re.findall(r"^\.decl (\w+)\(", text, re.MULTILINE)
        == re.findall(r"^\.input (\w+)$", text, re.MULTILINE)
        == list(schema.RELATIONS)
    )
    assert "\n.decl FormalParam(index: number, method: Method, var: Var)\n" in text
    assert schema.declarations(["Unit"]).count(".decl") == 1
    assert set(Program.parse(text).inputs) == set(schema.RELATIONS)


def test_markdown_has_a_row_for_every_relation() -> None:
    assert schema.markdown().count("\n| `") == len(schema.RELATIONS)


def test_positions_are_the_only_lines_and_columns() -> None:
    for name, relation in schema.RELATIONS.items():
        assert name == "Position" or not {"line", "column"} & {column.name for column in relation.columns}


@pytest.mark.parametrize("row", [("a",), ("a", "b", "c"), ("a", 1), (None, "b")])
def test_rows_of_another_shape_are_refused(row: tuple[object, ...]) -> None:
    schema.check("Unit", [("u", "p")])
    with pytest.raises(ValueError, match="Unit"):
        schema.check("Unit", [row])


def test_unknown_relations_are_refused() -> None:
    with pytest.raises(ValueError, match="Nonsense"):
        schema.check("Nonsense", [])
