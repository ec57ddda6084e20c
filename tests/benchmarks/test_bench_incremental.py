"""`ladder bench incremental` measures what it says: impacts are right, changes are undone, what differs is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pygit2
import pytest
from click.testing import CliRunner

from ladder.cli.bench import INCREMENTAL_CASES
from ladder.cli.bench import bench as command
from ladder.errors import LadderError, ProjectError, StateError
from ladder.project.files import Project
from ladder_bench.incremental import sessions, tables
from ladder_bench.incremental.cases import ANALYSES, COMMITS, IncrementalBench, of_commits
from ladder_bench.incremental.changes import drawn
from ladder_bench.incremental.projects import Analysed, verified_by_its_facts, versions
from ladder_bench.report import Section
from tests.marks import sampled

CODE = """
class A {
    static final int N = 3;
    int f = 2;
    int g() { return f + 1; }
    static int length(int[] of) { return of.length; }
    public static void main(String[] a) {
        int x = 7, y = 8;
        if (N > x) x = 9;
        A m = new A();
        Object o = new Object();
        System.out.println(m.g() + x + length(new int[4]));
        System.out.println(o);
    }
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "A.java").write_text(CODE, encoding="utf-8")
    return folder


def lines_of(project: Path, name: str, **more: Any) -> list[dict[str, Any]]:
    one = ANALYSES[name]
    named = {"analysis": one.program, "context": one.context, "relation": one.relation, "kind": one.kind}
    arguments = {**named, "entry": "public", "count": 3, "seed": 0, "verified": False, **more}
    return list(sessions.random_changes(str(project), str(project.parent / "kept"), **arguments))


def database(project: Path, name: str) -> Any:
    analysed = Analysed(ANALYSES[name].program, "", "public", project.parent / "kept")
    facts = analysed.facts(Project(project))
    return analysed.bootstrapped(facts, facts.of(facts.now()))


def test_literals_and_reads_of_fields_become_zero(project: Path) -> None:
    ready, others = drawn(database(project, "constprop").db, "zeros", 100, 0)
    kinds = {(edit.kind, *edit.gone, *edit.come) for edit in ready + others}
    assert ("literal", "AssignNumConstant", "AssignNumConstant") in kinds
    assert {kind for kind, *_ in kinds} == {"literal", "field read"}
    literals = [edit for edit in ready + others if edit.kind == "literal"]
    for edit in literals:
        assert list(edit.gone) == list(edit.come)
        for (old,), (new,) in zip(edit.gone.values(), edit.come.values(), strict=True):
            assert [now for was, now in zip(old, new, strict=True) if was != now] == ["0"]
    # an initialiser's literal is said twice: where it is assigned, and of the field
    assert any(list(edit.gone) == ["AssignNumConstant", "FieldInitialValue"] for edit in literals)
    # the length of an array is no field
    assert not any("length" in edit.place for edit in ready + others if edit.kind == "field read")


@pytest.mark.slow
def test_allocations_go(project: Path) -> None:
    ready, others = drawn(database(project, "pointsto").db, "allocations", 100, 0)
    found = [row for edit in ready + others for row in edit.gone["AssignHeapAllocation"]]
    assert len(found) == len(set(found)) == 3
    assert not any(edit.come for edit in ready + others)


def test_the_same_changes_are_drawn_by_the_same_seed(project: Path) -> None:
    db = database(project, "constprop").db
    assert drawn(db, "zeros", 3, 1) == drawn(db, "zeros", 3, 1) != drawn(db, "zeros", 3, 2)


@pytest.mark.parametrize("name", sampled(["constprop", "interval"], slow=["constprop"]))
def test_changes_are_made_undone_and_compared(project: Path, name: str) -> None:
    lines = lines_of(project, name, verified=True)
    updates = [line for line in lines if "impact" in line]
    assert [line["undone"] for line in updates] == [False, True] * 3
    assert [line["impact"] for line in updates[::2]] == [line["impact"] for line in updates[1::2]]
    assert max(line["impact"] for line in updates) > 0 and {line["mode"] for line in updates} == {"update"}
    assert lines[-1] == {"what": "verified", "changes": 3, "sample": sessions.SAMPLE}
    assert lines[0]["files"] == 1 and lines[0]["rows"]["If"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["selective", "kupdate1", "kupdate5"])
def test_points_to_is_measured_too(project: Path, name: str) -> None:
    lines = lines_of(project, name, count=2)
    assert sum("impact" in line for line in lines) == 4 and lines[-1]["what"] == "verified"


@pytest.mark.slow
def test_what_differs_from_an_evaluation_from_scratch_is_told(project: Path) -> None:
    outcome = database(project, "constprop")
    verified_by_its_facts(outcome)
    engine = outcome.db._ready()
    first = engine.store.first(engine.numbers["ConstantAfter"])
    first[np.flatnonzero(first > 0)[0]] += 1
    with pytest.raises(StateError, match="differs from one computed from scratch in ConstantAfter"):
        verified_by_its_facts(outcome)


@pytest.mark.slow
def test_a_change_that_is_not_undone_is_told(project: Path) -> None:
    db = database(project, "constprop").db
    edits = [edit for side in drawn(db, "zeros", 100, 0) for edit in side]
    there, back = db.update(edits[0].come, edits[0].gone), db.update(edits[1].come, edits[1].gone)
    with pytest.raises(LadderError, match="did not bring the old rows back"):
        sessions._refuse_other_way(edits[0], there, back)


# ---- commits


def commit(repository: pygit2.Repository, text: str) -> None:
    (Path(repository.workdir) / "A.java").write_text(text, encoding="utf-8")
    repository.index.add_all()
    parents = [] if repository.head_is_unborn else [repository.head.target]
    author = pygit2.Signature("A", "a@example.org", 1_700_000_000, 0)
    repository.create_commit("HEAD", author, author, "a commit", repository.index.write_tree(), parents)


@pytest.fixture
def history(project: Path) -> Path:
    repository = pygit2.init_repository(str(project), initial_head="main")
    for text in (CODE, CODE + "// the end", CODE.replace("x = 7", "x = 8"), CODE.replace("N = 3", "N = 11")):
        commit(repository, text)
    return project


def test_versions_are_commits_or_folders(history: Path, tmp_path: Path) -> None:
    assert len(versions(history, 3)) == 3
    assert len({version.snapshot.id for version in versions(history, 10)}) == 4
    for name in ("1.9.0", "1.10.0", "1.2.0"):
        (tmp_path / "series" / name).mkdir(parents=True)
        (tmp_path / "series" / name / "A.java").write_text(CODE, encoding="utf-8")
    assert [version.name for version in versions(tmp_path / "series", 2)] == ["1.9.0", "1.10.0"]
    with pytest.raises(ProjectError, match="has no versions to compare"):
        versions(tmp_path / "series" / "1.9.0", 2)


@pytest.mark.slow
def test_commits_are_measured_and_compared(history: Path, tmp_path: Path) -> None:
    lines = list(
        sessions.commits(str(history), str(tmp_path / "kept"), "constprop", "", "public", "ConstantAfter", 10, True)
    )
    first, ready, *changed, memory, verified = lines
    assert (
        first["what"] == "bootstrap"
        and ready["what"] == "first updates"
        and memory["same"] == 1
        and verified["changes"] == 3
    )
    assert [line["what"] for line in changed] == ["commit"] * 2
    assert all(line["impact"] and line["facts"] and line["files"] == 2 for line in changed)


def test_a_session_that_fails_is_told(tmp_path: Path) -> None:
    bench = IncrementalBench(tmp_path, False, 1, None, None, histories=(tmp_path,), chosen=("constprop",))
    section = Section("Real commits")
    of_commits(bench, section)
    assert any("has no versions" in note for note in section.notes) and not any(one.rows for one in section.tables)


# ---- tables


def session(points: list[tuple[int, float]]) -> tables.Session:
    lines = [
        {
            "what": "literal",
            "impact": rows,
            "all": rows,
            "cpu": seconds,
            "wall": seconds,
            "mode": "update",
            "place": "a",
        }
        for rows, seconds in points
    ]
    return tables.Session("a", [{"what": "bootstrap", "evaluation": 1.0}, *lines])


def test_the_exponent_of_time_against_impact() -> None:
    power = session([(rows, 1e-6 * rows**1.5) for rows in range(1, 200)])
    assert tables.exponent(power.updates, "impact", 0.0) == pytest.approx(1.5)
    above = session([(0, 0.001), *((rows, 0.001 + 1e-6 * rows) for rows in range(1, 200))])
    assert tables.fixed_cost(above) == 0.001
    assert tables.exponent(above.updates, "all", tables.fixed_cost(above)) == pytest.approx(1.0, abs=0.01)
    assert tables.exponent(session([(5, 0.1)] * 20).updates, "impact", 0.0) is None


def test_a_histogram_of_impacts_and_bars() -> None:
    section, one = Section("Constants"), session([(0, 0.001), (9, 0.002), (10, 0.003), (99, 0.2)])
    tables.impacts(section, [one])
    assert [row[:2] for row in section.tables[0].rows] == [["0", "1"], ["1 … 9", "1"], ["10 … 99", "2"]]
    tables.updates(section, [one])
    assert section.tables[1].rows[0][2:7] == ["4", "3", "200", "200", "200"]
    tables.bar_of_percentile(section, one, "Constants", 5.0)
    tables.bar_of_share(section, one, "Constants")
    assert [check.verdict for check in section.checks] == ["**missed**"] * 2
    assert "were not compared" in tables.verified(one)


# ---- the command


def test_every_case_can_be_named() -> None:
    assert INCREMENTAL_CASES == (*ANALYSES, COMMITS)


@pytest.mark.slow
def test_a_run_tells_what_it_measured(project: Path, tmp_path: Path) -> None:
    arguments = [
        "--only",
        "constprop",
        "--projects",
        str(project),
        "--changes",
        "2",
        "--output",
        str(tmp_path / "bench"),
    ]
    done = CliRunner().invoke(command, ["incremental", *arguments])
    assert done.exit_code == 0, done.exception
    assert done.stdout == (tmp_path / "bench" / "incremental.md").read_text("utf-8") + "\n"
    for text in ("| LADDDER | 5–23 |", "Constants, p99 of updates: project", "are those of an evaluation from scratch"):
        assert text in done.stdout


def test_without_projects_the_command_says_how_to_name_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder_bench.incremental.projects.CHECKOUT", tmp_path)
    done = CliRunner().invoke(command, ["incremental", "--only", "constprop", "--output", str(tmp_path / "bench")])
    assert isinstance(done.exception, ProjectError) and "--projects" in done.exception.hint
