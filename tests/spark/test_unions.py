"""Unions of programs have the states of their programs: what lets one run on Spark check many of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference import evaluate as naive
from ladder.language import core, parse
from ladder.language.core import ordered_relations

from ..engine.comparison import difference, state_of
from ..engine.programs import Case, random_case
from ..marks import slow_after
from ..random_programs.whole_language import affordable_cases
from .unions import split, union, unite


def unordered_cases() -> Iterator[Case]:
    for case in (*map(random_case, range(300, 306)), *(case for _, case in affordable_cases(range(7000, 7012)))):
        if not ordered_relations(parse(case.text)):
            yield case


@pytest.mark.parametrize("glued", slow_after(1, [False, True]))
def test_states_of_unions(glued: bool) -> None:
    cases = list(islice(unordered_cases(), 12))
    programs = [parse(case.text) for case in cases]
    program, facts = union(programs, glued), unite([case.facts for case in cases])
    engine = LocalEngine(program)
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items() if rows})
    by_definition = split(naive.evaluate(program, facts), len(cases))
    for one, case, defined, computed in zip(
        programs, cases, by_definition, split(state_of(engine), len(cases)), strict=True
    ):
        expected = naive.evaluate(one, case.facts)
        assert difference(defined, expected) == ""
        assert difference(computed, expected) == ""


def test_glue_makes_as_few_components_as_the_highest_program_has() -> None:
    texts = [
        ".decl e(x: number) .input e\n"
        + "".join(f".decl r{i}(x: number)\nr{i}(x) :- {f'r{i - 1}' if i else 'e'}(x).\n" for i in range(n))
        for n in (1, 3, 2)
    ]
    program = union([parse(text) for text in texts], glued=True)
    assert sum(len(members) > 1 for members in naive.components(program)) == 3
    assert recursive(union([parse(text) for text in texts])) == 0


def recursive(program: core.Program) -> int:
    return sum(len(members) > 1 for members in naive.components(program))
