"""States that Spark computed are opened and updated by the local engine, and stay those of the naive evaluator after
every change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from ladder.api.program import Program as Checked
from ladder.engine.reference import evaluate as naive
from ladder.language import parse
from ladder.language.core import Program, ordered_relations

from ..engine.comparison import check_structure, difference, state_of
from ..engine.programs import Case, random_case, states
from ..random_programs.whole_language import affordable_cases
from .comparison import spark_then_local
from .unions import split, union, unite


def unordered(cases: Iterable[Case]) -> Iterable[Case]:
    """Without those that draw numbers: in a union they draw others."""
    return (case for case in cases if not ordered_relations(parse(case.text)))


def check(cases: Sequence[Case], spark: Any, folder: Path) -> None:
    """All cases in one program: their first facts on Spark, their changes, one of each case at a time, by local
    updates."""
    programs, current = [parse(case.text) for case in cases], [list(states(case)) for case in cases]
    engine = spark_then_local(spark, checked(union(programs)), unite([facts[0] for facts in current]), folder)
    for step in range(max(map(len, current))):
        if step:
            deleted, inserted = (
                unite([case.changes[step - 1][side] if step <= len(case.changes) else {} for case in cases])
                for side in ("delete", "insert")
            )
            engine.update(
                *(
                    {name: engine.encode_facts(name, rows) for name, rows in side.items()}
                    for side in (deleted, inserted)
                )
            )
            engine.finish()
            check_structure(engine)
        for number, found in enumerate(split(state_of(engine), len(cases))):
            facts = current[number][min(step, len(current[number]) - 1)]
            assert difference(found, naive.evaluate(programs[number], facts)) == "", (
                f"step {step}, program {number}:\n{cases[number].text}"
            )


def checked(program: Program) -> Checked:
    """A program without a text."""
    return Checked("union", "", program, "of a union")


def test_random_programs(spark: Any, tmp_path: Path) -> None:
    check(
        [
            *map(random_case, range(70_000, 70_002)),
            *islice(unordered(case for _, case in affordable_cases(range(71_000, 71_100))), 2),
        ],
        spark,
        tmp_path,
    )


@pytest.mark.nightly
@pytest.mark.parametrize("block", range(10))
def test_many_random_programs(block: int, spark: Any, tmp_path: Path) -> None:
    check(
        [
            *map(random_case, range(72_000 + 20 * block, 72_020 + 20 * block)),
            *unordered(case for _, case in affordable_cases(range(80_000 + 30 * block, 80_030 + 30 * block))),
        ],
        spark,
        tmp_path,
    )
