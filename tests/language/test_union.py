"""Several programs as one: what is shared, what is told apart, and that each keeps the rows that it has alone."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.api.together import Together
from ladder.errors import LadderError
from ladder.language.core import verify
from ladder.language.errors import ProgramError
from ladder.language.versions.union import NotPossible, united
from ladder.support.limits import Limits
from tests.marks import slow_after
from tests.random_programs.programs import FEATURES, build

EDGES = ".decl edge(a: number, b: number)\n.input edge\n"
CLOSURE = EDGES + (
    ".decl path(a: number, b: number)\n.output path\npath(a, b) :- edge(a, b).\npath(a, c) :- path(a, b), edge(b, c).\n"
)
RENAMED = EDGES + (
    ".decl way(a: number, b: number)\nway(x, y) :- way(x, z), edge(z, y).\nway(x, y) :- edge(x, y).\n"
    ".decl loops(a: number)\n.output loops\nloops(a) :- way(a, a).\n"
)
BACKWARDS = EDGES + ".decl path(a: number, b: number)\n.output path\npath(b, a) :- edge(a, b).\n"


def together(**texts: str) -> Together:
    made = Together.of({label: Program.parse(text) for label, text in texts.items()})
    verify(made.whole.core)
    return made


def rows(made: Together, facts: Mapping[str, list[tuple[object, ...]]]) -> list[dict[str, set[object]]]:
    """The rows of each program's relations in one database of all."""
    db = Database(made.whole)
    db.bootstrap({name: facts[name] for name in made.whole.inputs if name in facts})
    return [{name: set(made.view(db, i)[name]) for name in part.core.declared} for i, part in enumerate(made.parts)]


def alone(part: Program, facts: Mapping[str, list[tuple[object, ...]]]) -> dict[str, set[object]]:
    db = Database(part)
    db.bootstrap({name: facts[name] for name in part.inputs if name in facts})
    return {name: set(db[name]) for name in part.core.declared}


def test_recursive_relations_of_other_names_are_there_once() -> None:
    made = together(one=CLOSURE, two=RENAMED)
    assert made.names[0]["path"] == made.names[1]["way"] == "path"
    assert set(made.whole.core.relations) == {"edge", "path", "loops"} and len(made.whole.core.rules) == 3
    facts = {"edge": [(1, 2), (2, 1), (2, 3)]}
    assert rows(made, facts) == [alone(part, facts) for part in made.parts]


def test_relations_of_one_name_that_mean_something_else_are_told_apart() -> None:
    made = together(one=CLOSURE, two=BACKWARDS)
    assert [names["path"] for names in made.names] == ["path", "two.path"]
    facts = {"edge": [(1, 2), (2, 3)]}
    assert rows(made, facts) == [alone(part, facts) for part in made.parts]
    assert set(made.whole.outputs) == {"path", "two.path"}


def test_what_differs_far_away_is_told_apart_along_the_whole_way() -> None:
    chain = EDGES + "".join(
        f".decl r{i}(a: number)\nr{i}(a) :- {f'r{i - 1}(a)' if i else 'edge(a, _), a > 0'}.\n" for i in range(20)
    )
    other = chain.replace("a > 0", "a > 1")
    assert together(one=chain, two=chain).whole.core.relations.keys() == Program.parse(chain).core.relations.keys()
    made = together(one=chain, two=other)
    assert {made.names[1][f"r{i}"] for i in range(20)} == {f"two.r{i}" for i in range(20)}


def test_equal_rules_of_one_relation_count_once() -> None:
    twice = CLOSURE + ".decl edge2(a: number, b: number)\nedge2(a, b) :- edge(a, b).\n"
    copies = twice + ".decl edge3(a: number, b: number)\nedge3(a, b) :- edge(a, b).\n"
    copies += ".decl all(a: number)\n.output all\nall(a) :- edge2(a, _).\nall(a) :- edge3(a, _).\n"
    made = together(one=copies, two=twice)
    assert len([rule for rule in made.whole.core.rules if rule.head.relation == "all"]) == 1
    facts = {"edge": [(1, 2)]}
    assert rows(made, facts) == [alone(part, facts) for part in made.parts]


def test_lattices_of_one_name_are_told_apart() -> None:
    one = ".decl given(a: number)\n.input given\n.decl best(a: number, v: number)\nbest(a % 2, min(a)) :- given(a).\n"
    made = together(one=one, two=one.replace("min(a)", "max(a)"))
    facts = {"given": [(1,), (3,), (4,)]}
    assert made.names[1]["best"] == "two.best" and rows(made, facts) == [alone(p, facts) for p in made.parts]


def test_lattices_and_functors_of_one_name_from_other_modules() -> None:
    text = (
        '.lattice Abstract = "ladder.analyses.java_values:{}"\n'
        '.functor literal_value(literal: symbol, type: symbol): Abstract = "ladder.analyses.java_values:{}"\n'
        ".decl given(k: number, x: symbol)\n.input given\n.decl value(k: number, v: Abstract<>)\n.output value\n"
        'value(k, @literal_value(x, "int")) :- given(k, x).\n'
    )
    made = together(one=text.format("constants", "constant"), two=text.format("ranges", "range_of"))
    assert set(made.whole.core.lattices) == {"Abstract", "two.Abstract"}
    assert set(made.whole.core.functions) >= {"literal_value", "two.literal_value"}
    facts = {"given": [(1, "3"), (1, "5"), (2, "7")]}
    assert rows(made, facts) == [alone(part, facts) for part in made.parts]


def test_programs_whose_rows_depend_on_an_order_stay_alone() -> None:
    choosing = EDGES + ".decl one(a: number, b: number) choice-domain a\none(a, b) :- edge(a, b).\n"
    with pytest.raises(NotPossible, match="rows of one in two depend on the order"):
        together(one=CLOSURE, two=choosing)


def test_inputs_that_are_declared_in_other_ways_are_copied() -> None:
    turned = (
        ".decl edge(b: number, a: number)\n.input edge\n.decl ends(b: number)\n.output ends\nends(b) :- edge(b, _).\n"
    )
    other = ".decl edge(x: number, y: number)\n.input edge\n.decl starts(x: number)\nstarts(x) :- edge(x, _).\n"
    made = together(one=CLOSURE, two=turned, three=other)
    assert made.whole.inputs == ("edge",)
    found = rows(made, {"edge": [(1, 2), (2, 3)]})
    assert found[1] == {"edge": {(2, 1), (3, 2)}, "ends": {(2,), (3,)}}
    assert found[2] == {"edge": {(1, 2), (2, 3)}, "starts": {(1,), (2,)}}


@pytest.mark.parametrize("other", [".decl edge(a: number)\n", EDGES.split(".input")[0] + "edge(1, 2).\n"])
def test_inputs_that_cannot_be_the_same_are_told(other: str) -> None:
    with pytest.raises(NotPossible, match="the input edge is another one in two than in one"):
        together(one=CLOSURE, two=other + ".input edge\n")


def test_an_explanation_tells_the_names_of_its_program() -> None:
    made = together(one=CLOSURE, two=RENAMED)
    db = Database(made.whole)
    db.bootstrap({"edge": [(1, 2), (2, 1)]})
    found = made.view(db, 1).explain("loops", (1,))
    assert [reason.relation for reason in found.because] == ["way"] and str(found.rule).startswith("loops(a) :- way(")


def test_a_kept_program_of_several_is_the_one_that_is_made() -> None:
    first = together(one=CLOSURE, two=BACKWARDS)
    again = together(one=CLOSURE, two=BACKWARDS)
    assert first.whole == again.whole and first.names == again.names
    core = united([("one", first.parts[0].core), ("two", first.parts[1].core)]).core
    assert core.relations == again.whole.core.relations and core.rules == again.whole.core.rules


def variant(text: str, source: random.Random) -> Program | None:
    """The program without one of its rules or facts, if it is still one."""
    lines = text.splitlines()
    clauses = [i for i, line in enumerate(lines) if line.endswith(".") and not line.startswith(".")]
    source.shuffle(clauses)
    for i in clauses[:5]:
        try:
            return Program.parse("\n".join([*lines[:i], *lines[i + 1 :], ""]), functors={})
        except ProgramError:
            continue
    return None


@pytest.mark.parametrize("block", slow_after(1, [range(15), range(15, 60), range(1000, 1060), range(2000, 2060)]))
def test_versions_of_random_programs_keep_their_rows(block: range) -> None:
    tried = 0
    for seed in block:
        source = random.Random(seed)
        case = build(source, FEATURES - {"choice", "limits", "subsumption", "autoinc"})
        try:
            one, other = Program.parse(case.text, functors={}), variant(case.text, source)
        except ProgramError:
            continue
        if other is None:
            continue
        try:
            made = Together.of({"one": one, "other": other})
        except NotPossible:
            continue
        verify(made.whole.core)
        if naive_too_large(made.whole, case.facts):
            continue
        tried += 1
        assert rows(made, case.facts) == [alone(part, case.facts) for part in made.parts], f"seed {seed}"
    assert tried >= len(block) // 12


def naive_too_large(program: Program, facts: Mapping[str, list[tuple[object, ...]]]) -> bool:
    """Whether the program makes more rows than a test needs, or fails on its facts."""
    db = Database(program, limits=Limits(seconds=2))
    try:
        db.bootstrap({name: facts[name] for name in program.inputs if name in facts})
    except LadderError:
        return True
    return False
