"""`.finding`: what it declares, and what is wrong with one that says too little, too much or what is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder import Program
from ladder.errors import LadderError
from ladder.language import parse
from ladder.language.core import Finding
from ladder.language.errors import ProgramError

DECLARED = """\
.type Id <: symbol
.decl steps(from: Id, to: Id, at: Id)
.decl pairs(x: Id, y: Id)
.decl a(x: Id, y: Id, line: number)
"""
GOOD = 'rule="r", message="m", at=x'


def test_what_it_declares() -> None:
    program = parse(
        DECLARED + '.finding a(rule="my/rule-1", level=error, title="T", message="{x} is {{{y}}} in {line}", at="x", '
        'related="y: there; x", flow="steps(x, y)", identity="x, y", tags="CWE-1, two")'
    )
    [finding] = program.findings
    assert finding == Finding(
        "a",
        "my/rule-1",
        "error",
        "T",
        (("x",), " is {", ("y",), "}", " in ", ("line",)),
        ("x",),
        (("y", "there"), ("x", "x")),
        ("steps", "x", "y"),
        ("x", "y"),
        ("CWE-1", "two"),
    )
    assert [(d.kind, d.relation) for d in program.directives] == [("output", "a")]


def test_the_program_says_how_it_is_written() -> None:
    program = parse(DECLARED + f'.finding a({GOOD})\n.output a(filename="x.csv")')
    assert [d.parameters for d in program.directives if d.kind == "output"] == [{"filename": "x.csv"}]


def test_in_components_names_are_those_of_the_instance() -> None:
    program = parse(
        ".comp C { .decl s(from: symbol, to: symbol) .decl f(x: symbol, y: symbol)\n"
        '.finding f(rule="r", message="m", at=x, flow="s(x, y)") }\n.init c = C'
    )
    [finding] = program.findings
    assert (finding.relation, finding.flow) == ("c.f", ("c.s", "x", "y"))


def test_the_level_of_each_row_may_stand_in_a_column() -> None:
    [finding] = parse(DECLARED + f".finding a({GOOD}, level=y)").findings
    assert (finding.level, finding.usual_level) == ("y", "warning")
    assert finding.level_of({"x": "here", "y": "note", "line": 1}) == "note"
    with pytest.raises(LadderError, match="A row of a has the level 'grave'"):
        finding.level_of({"x": "here", "y": "grave", "line": 1})


WRONG = [
    ('rule="r", message="m"', "a has no at", 10),
    ('rule="r", at=x', "a has no message", 10),
    ('message="m", at=x', "a has no rule", 10),
    (f"{GOOD}, sort=y", "has no option sort", 46),
    (f"{GOOD}, tgs=y", "has no option tgs", 45),
    ('rule="no rule", message="m", at=x', "'no rule' cannot be the name of a rule", 17),
    (f"{GOOD}, level=bad", "there is no level bad", 47),
    (f"{GOOD}, level=line", "the column line holds no symbols", 47),
    ('rule="r", message="{z}", at=x', "the relation a has no column z", 30),
    ('rule="r", message="{", at=x', "the braces of the message do not match", 30),
    ('rule="r", message="{x:3}", at=x', "{x} in the message has a form", 30),
    ('rule="r", message="m", at=z', "the relation a has no column z", 38),
    ('rule="r", message="m", at=line', "the column line holds no symbols", 38),
    ('rule="r", message="m", at="x, y"', "the column y holds no numbers", 38),
    (f'{GOOD}, related="z: there"', "the relation a has no column z", 49),
    (f'{GOOD}, related="line"', "the column line holds no symbols", 49),
    (f'{GOOD}, flow="steps"', "'steps' is no flow", 46),
    (f'{GOOD}, flow="step(x, y)"', "the relation step of flow is not declared", 46),
    (f'{GOOD}, flow="pairs(x, y)"', "the relation pairs has no column from", 46),
    (f'{GOOD}, flow="steps(x, z)"', "the relation a has no column z", 46),
    (f'{GOOD}, identity="z"', "the relation a has no column z", 50),
    (f'{GOOD}, help="none.md"', "cannot read none.md: No such file or directory", 46),
]


@pytest.mark.parametrize(("options", "message", "column"), WRONG)
def test_what_is_wrong_is_told_at_its_place(options: str, message: str, column: int) -> None:
    with pytest.raises(ProgramError) as refused:
        parse(DECLARED + f".finding a({options})")
    [error] = refused.value.errors
    assert message in error.message and (error.place.line, error.place.column) == (5, column)


def test_what_is_declared_twice() -> None:
    with pytest.raises(ProgramError) as refused:
        parse(DECLARED + f".finding a, pairs({GOOD})\n.finding a(rule=s, message=m, at=x)\n.finding b({GOOD})")
    assert [error.message for error in refused.value.errors] == [
        "the findings of the rule r are declared twice",
        "the findings of the relation a are declared twice",
        "the relation b of .finding is not declared",
    ]


def test_a_page_of_help_is_a_source(tmp_path: Path) -> None:
    text = DECLARED + f'.finding a({GOOD}, help="a.md")'
    (tmp_path / "p.dl").write_text(text)
    (tmp_path / "a.md").write_text("# Help\n")
    first = Program.load(tmp_path / "p.dl")
    assert first.core.findings[0].help == "# Help\n"
    (tmp_path / "a.md").write_text("# More help\n")
    again = Program.load(tmp_path / "p.dl")
    assert again.core.findings[0].help == "# More help\n"
