"""Facts of the front end on Spark: programs may name their columns otherwise, as in an analysis here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ladder.errors import LadderError
from ladder.frontends.java import FRONT_END
from ladder.project.extraction.batch import layout
from ladder.project.files import Project
from ladder.session import workspace
from ladder.session.analyze import Options, bootstrapped, load
from ladder.session.facts import Facts
from ladder.support.console import Console

from ..session.projects import FILES, write


def declared(relation: str, names: list[str]) -> str:
    kinds = [kind for _, kind in layout(FRONT_END).relations[relation]]
    columns = ", ".join(f"{name}: {kind}" for name, kind in zip(names, kinds, strict=True))
    return f".decl {relation}({columns})\n.input {relation}\n.output {relation}\n"


def rows(root: Path, program: Path, **database: Any) -> dict[str, set[Any]]:
    project, console = Project(root), Console(quiet=True)
    with workspace.temporary() as kept:
        facts = Facts(project, kept, console, "local", 1)
        found = bootstrapped(
            str(program),
            load(str(program), FRONT_END),
            Options("all", database=database),
            facts,
            facts.of(facts.now()),
            console,
        )
        answer = {name: set(found.db[name]) for name in found.program.outputs}
        found.db.close()
    return answer


@pytest.mark.spark
def test_columns_under_other_names(spark: Any, tmp_path: Path) -> None:
    """By name where the front end's names are used, in whatever order, else by position; on Spark they were refused."""
    root, program = tmp_path / "project", tmp_path / "p.dl"
    write(root, FILES)
    relation, columns = "Position", [name for name, _ in layout(FRONT_END).relations["Position"]]
    program.write_text(declared(relation, [f"mine{i}" for i in range(len(columns))]))
    here = rows(root, program)
    assert here[relation] and rows(root, program, engine="spark", spark=spark) == here
    kinds = dict(layout(FRONT_END).relations[relation])
    program.write_text(
        f".decl {relation}({', '.join(f'{name}: {kinds[name]}' for name in reversed(columns))})\n.input "
        f"{relation}\n.output {relation}\n"
    )
    turned_here = rows(root, program)
    assert turned_here[relation] == {row[::-1] for row in here[relation]}
    assert rows(root, program, engine="spark", spark=spark) == turned_here
    program.write_text(
        declared(relation, [*columns[1:], "none"][: len(columns)])
        .replace(": symbol", ": number")
        .replace(": number", ": symbol", 1)
    )
    for database in ({}, {"engine": "spark", "spark": spark}):
        with pytest.raises(LadderError, match="Name all columns as the front end does, or none"):
            rows(root, program, **database)
