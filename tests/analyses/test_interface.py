"""What an analysis declares outside of its component is documented; all other names are free for what includes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.api.together import Together
from ladder.cli.commands import ladder
from ladder.language.errors import ProgramError
from tests.analyses import reference
from tests.marks import sampled, slow_but

CONTEXTS = sorted(path.stem for path in (reference.ANALYSES / "java/contexts").glob("*.dl"))


def private(program: str, context: str = "") -> set[str]:
    """The names of the relations of an analysis's component, without those of the instances around them."""
    return {item.name.rpartition(".")[2] for item in reference.declared(program, context) if "." in item.name}


def own(program: str, context: str = "") -> set[str]:
    """Names that a client declares, all that are private in the analysis."""
    return private(program, context) - {each.name for each in reference.public(program, context)}


def client(program: str) -> str:
    """A program that includes the analysis and declares relations of all names that are private in it."""
    return f".include <{program}.dl>\n" + "".join(
        f'.decl {name}(a: symbol, b: number)\n.output {name}\n{name}("own", 1).\n' for name in sorted(own(program))
    )


@pytest.mark.parametrize("program", slow_but(["kupdate5", "linking", "pointsto"], reference.PROGRAMS))
def test_no_relation_of_a_component_has_the_name_of_a_public_one(program: str) -> None:
    """Rules of the component would mean the wrong one of the two."""
    assert private(program) and own(program) == private(program)


@pytest.mark.slow
@pytest.mark.parametrize("context", CONTEXTS)
def test_contexts_are_private(context: str) -> None:
    name = f"java/contexts/{context}.dl"
    public = {each.name for each in reference.public("pointsto", name)}
    assert public - {"ContextModel"} == {each.name for each in reference.public("pointsto")}
    assert own("pointsto", name) == private("pointsto", name) > own("linking")


@pytest.mark.parametrize("program", sampled(reference.PROGRAMS, slow=["linking", "pointsto"]))
def test_a_client_may_use_all_private_names(program: str) -> None:
    """It says what it says without the client, and the client's relations have the client's rows alone."""
    names = own(program)
    assert len(names) > 200 and {"Chosen", "Signature"} <= names
    alone = reference.results(program).database
    database = Database(Program.parse(client(program)))
    database.bootstrap({relation: list(alone[relation]) for relation in alone.program.inputs})
    for name in names:
        assert list(database[name]) == [("own", 1)]
    for name in alone.program.core.relations:
        if name in {each.name for each in reference.public(program)}:
            assert set(database[name]) == set(alone[name]), name


def test_names_of_the_interface_are_taken() -> None:
    with pytest.raises(ProgramError) as told:
        Program.parse(".include <linking.dl>\n.decl MethodName(a: symbol)\n.decl linking(a: symbol)\n", "mine.dl")
    said = str(told.value)
    assert "the relation MethodName is declared twice" in said and "<java/interface/linking.dl>" in said
    assert "the name linking of this instance is taken" in said


@pytest.mark.slow
def test_commands_find_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From whatever directory, with a client's relations beside those of the analysis."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "far" / "away"
    folder.mkdir(parents=True)
    program = folder / "mine.dl"
    program.write_text(
        ".include <linking.dl>\n.decl Candidate(method: Method)\n.output Candidate\n"
        "Candidate(m) :- Method(m, t, _, _, _), ProjectType(t), linking.Signature(m, _).\n"
    )
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "A.java").write_text("class A { void f() {} }")
    facts = tmp_path / "facts"
    facts.mkdir()
    for name in Program.load(program).inputs:
        (facts / f"{name}.facts").write_text("")
    checked = CliRunner().invoke(ladder, ["check", str(program)])
    assert checked.exit_code == 0 and "error" not in checked.output
    assert CliRunner().invoke(ladder, ["run", str(program), "-F", str(facts), "-D", "out"]).exit_code == 0
    assert (tmp_path / "out" / "Candidate.csv").read_text() == ""
    options = ["--analysis", str(program), "--state", "state"]
    assert CliRunner().invoke(ladder, ["analyze", "shop", *options, "--quiet"]).exit_code == 0
    shown = CliRunner().invoke(ladder, ["show", "shop", "Candidate", *options])
    assert "<A: void f()>" in shown.output
    shown = CliRunner().invoke(ladder, ["show", "shop", "linking.Signature", *options])
    assert "A.f()" in shown.output
    explained = CliRunner().invoke(ladder, ["explain", "shop", "Candidate", "A.f()", "--full", *options])
    assert "linking.Signature" in explained.output


@pytest.mark.slow
def test_the_page_is_up_to_date() -> None:
    written = reference.text()
    assert reference.FILE.read_text("utf-8") == written, "python -m tests.analyses.reference writes it anew"


@pytest.mark.parametrize("name", ["taint", "nullness", "dead", "effects", "dependencies", "ranges", "resources"])
def test_beside_others_points_to_is_what_it_is_alone(name: str) -> None:
    """So it is evaluated once, whichever analyses are asked for together."""
    programs = {
        label: Program.load(str(reference.ANALYSES / f"{label}.dl")) for label in ("pointsto", "conditions", name)
    }
    names = Together.of(programs).names
    for others in names[1:]:
        apart = {own for relation, own in names[0].items() if others.get(relation, own) != own}
        assert not apart
    assert ("VarPointsTo" in names[2]) == (name not in ("ranges", "resources"))
