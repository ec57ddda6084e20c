"""Run after run: what is computed after a change equals a run from scratch, and what is reported is the change."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pygit2
import pytest

from ladder.errors import LadderError, ProjectError
from ladder.report.summary import Report, as_text
from ladder.session.run import _unlisted
from ladder.support.tuning import DEFAULT
from tests.marks import slow_after
from tests.session.projects import CALLS, FILES, analyse, changes, commit, state_of, tables, write

A, B, C = FILES


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    write(folder, FILES)
    return folder


@pytest.fixture
def repository(root: Path) -> Path:
    pygit2.init_repository(str(root), initial_head="main")
    commit(root)
    return root


def test_a_first_run_bootstraps_and_names_everything(root: Path, tmp_path: Path) -> None:
    report = analyse(root, verify=True)
    assert (report.files, report.lines, report.parse_failures, report.changed_files) == (3, 13, 0, 3)
    outcome = report.analyses[0]
    assert outcome.mode == "bootstrap" and outcome.verified and not outcome.since
    found = tables(root, tmp_path / "out")
    assert found["Call"][0].replace(chr(34), "") == "invocation,method"
    assert any(line.replace('"', "") == "src/p/A.java:3:16/step,<p.A: step>" for line in found["Call"])
    assert any(line.replace('"', "") == "src/p/A.java:3:33/help,<p.B: help>" for line in found["Call"])
    assert "<p.A: step>/n" in {line.strip('"') for line in found["Variable"]}
    assert set(found) == {"Call", "Reaches", "Variable", "Diagnostics"}


def test_nothing_changed_is_nothing_computed(root: Path) -> None:
    analyse(root)
    report = analyse(root, verify=False)
    assert (
        report.analyses[0].mode == "unchanged"
        and report.extracted_files == report.changed_files == 0
        and not changes(report)
    )


def test_a_changed_body_is_an_update_of_its_own_rows(root: Path) -> None:
    analyse(root)
    write(root, {B: FILES[B].replace("C.done();", "C.done(); new A().run();")})
    report = analyse(root)
    assert report.analyses[0].mode == "update" and report.extracted_files == 1 and report.extracted_where == "process"
    assert ("+", "src/p/B.java:3:35/run", "<p.A: run>") in changes(report)["Call"]
    assert {sign for rows in changes(report).values() for sign, *_ in rows} == {"+"}
    assert set(report.analyses[0].owners["Call"]) == {B}


@pytest.mark.parametrize(
    "edit",
    slow_after(
        1,
        [
            lambda text: "// a comment\n\n" + text,
            lambda text: text.replace("{ ", "{\n\t/* x */ "),
            lambda text: text.replace("\n", "\r\n"),
        ],
    ),
)
def test_layout_changes_no_row(root: Path, tmp_path: Path, edit: object) -> None:
    analyse(root)
    write(root, {A: edit(FILES[A])})  # type: ignore[operator]
    report = analyse(root)
    assert report.analyses[0].mode == "unchanged" and report.extracted_files == 1 and not changes(report)
    assert tables(root, tmp_path / "incremental") == tables(root, tmp_path / "scratch", keep=False)


def test_names_move_with_their_lines(root: Path, tmp_path: Path) -> None:
    analyse(root)
    write(root, {A: "// a comment\n" + FILES[A]})
    analyse(root)
    assert any("src/p/A.java:4:16/step" in line for line in tables(root, tmp_path / "out")["Call"])
    write(root, {A: "// a comment\n" + FILES[A].replace("step(1); ", "")})
    rows = changes(analyse(root))["Call"]
    assert ("-", "src/p/A.java:4:16/step", "<p.A: step>") in rows


@pytest.mark.slow
def test_new_deleted_and_moved_files(root: Path, tmp_path: Path) -> None:
    analyse(root)
    write(root, {"src/p/D.java": "package p; class D { void more() { new A().run(); } }"})
    (root / C).unlink()
    report = analyse(root)
    assert report.analyses[0].mode == "update" and report.changed_files == 2
    (root / "other").mkdir()
    (root / A).rename(root / "other/A.java")
    report = analyse(root)
    assert report.analyses[0].mode == "unchanged" and report.extracted_files == 0
    assert tables(root, tmp_path / "incremental") == tables(root, tmp_path / "scratch", keep=False)


@pytest.mark.slow
def test_two_files_with_the_same_type(root: Path, tmp_path: Path) -> None:
    analyse(root)
    more = " ".join(f"int more{i}() {{ return {i}; }}" for i in range(20))
    write(root, {"a/p/A.java": f"package p; class A {{ void other() {{ C.done(); }} {more} }}"})
    report = analyse(root)
    assert [(row[0], row[3]) for row in report.diagnostics] == [("src/p/A.java", "duplicate")]
    assert ("-", "<p.A: run>", "<p.A: step>") in changes(report)["Reaches"]
    (root / "a/p/A.java").unlink()
    report = analyse(root)
    assert not report.diagnostics and ("+", "<p.A: run>", "<p.A: step>") in changes(report)["Reaches"]
    assert tables(root, tmp_path / "incremental") == tables(root, tmp_path / "scratch", keep=False)


def test_dirty_tree_commit_branch_and_revert(repository: Path) -> None:
    first = analyse(repository)
    assert first.at.startswith("main ")
    write(repository, {B: FILES[B].replace("C.done();", "")})
    dirty = analyse(repository)
    assert dirty.analyses[0].mode == "update" and ("-", "<p.B: help>", "<p.C: done>") in changes(dirty)["Reaches"]
    second = commit(repository)
    committed = analyse(repository)
    assert committed.analyses[0].mode == "unchanged" and committed.at == f"main {second[:10]}"
    git = pygit2.Repository(str(repository))
    git.create_branch("topic", git.revparse_single("HEAD~1"))
    git.checkout("refs/heads/topic")
    switched = analyse(repository)
    assert switched.at.startswith("topic ") and switched.extracted_files == 0
    assert changes(switched) == {
        name: {("-" if sign == "+" else "+", *cells) for sign, *cells in rows} for name, rows in changes(dirty).items()
    }
    git.checkout("refs/heads/main")
    assert changes(analyse(repository)) == changes(dirty)
    write(repository, {B: FILES[B]})
    assert changes(analyse(repository)) == changes(switched)


def test_changes_since_a_commit(repository: Path) -> None:
    first = pygit2.Repository(str(repository)).head.target
    write(repository, {B: FILES[B].replace("C.done();", "")})
    commit(repository)
    write(repository, {A: FILES[A].replace("step(1); ", "")})
    commit(repository)
    analyse(repository)
    since = analyse(repository, baseline=str(first))
    assert since.analyses[0].since == f"commit {first}"
    assert {("-", "<p.B: help>", "<p.C: done>"), ("-", "<p.A: run>", "<p.A: step>")} <= changes(since)["Reaches"]
    assert analyse(repository).analyses[0].mode == "unchanged"
    shutil.rmtree(state_of(repository))
    assert changes(analyse(repository, baseline="HEAD~1"))["Reaches"] == {("-", "<p.A: run>", "<p.A: step>")}
    with pytest.raises(ProjectError, match="no revision nowhere"):
        analyse(repository, baseline="nowhere")


@pytest.mark.slow
def test_several_analyses_and_options_have_states_of_their_own(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "methods.dl"
    other.write_text(
        ".decl Method(m: symbol, t: symbol, n: symbol, a: number, u: symbol)\n.input Method\n"
        ".decl EntryPolicy(p: symbol)\n.input EntryPolicy\n"
        ".decl Named(n: symbol, p: symbol)\n.output Named\nNamed(n, p) :- Method(_, _, n, _, _), EntryPolicy(p).\n"
    )
    both = analyse(root, analyses=[CALLS, str(other)])
    assert [a.mode for a in both.analyses] == ["bootstrap", "bootstrap"]
    write(root, {C: FILES[C].replace("done", "finished")})
    again = analyse(root, analyses=[str(other), CALLS])
    assert [a.mode for a in again.analyses] == ["update", "update"]
    assert {("+", "finished", "auto"), ("-", "done", "auto")} == {
        tuple(r.values()) for r in again.analyses[0].changes["Named"].to_pylist()
    }
    assert analyse(root, analyses=[str(other)], entry="all").analyses[0].mode == "bootstrap"
    assert analyse(root, analyses=[str(other)]).analyses[0].mode == "unchanged"


def test_a_changed_program_is_maintained(root: Path, tmp_path: Path) -> None:
    program, messages = tmp_path / "mine.dl", []
    program.write_text(Path(CALLS).read_text())
    analyse(root, analyses=[str(program)])
    program.write_text(Path(CALLS).read_text() + "\nReaches(m, m) :- MethodName(m, _).\n")
    report = analyse(root, analyses=[str(program)], messages=messages)
    assert report.analyses[0].mode == "update" and any("1 rule added" in message for message in messages)
    assert ("+", "<p.C: done>", "<p.C: done>") in changes(report)["Reaches"]
    write(root, {C: FILES[C].replace("done", "finished")})
    program.write_text(
        Path(CALLS).read_text()
        + ".decl Policy(p: symbol)\n.output Policy\n.decl EntryPolicy(p: symbol)\n.input EntryPolicy\n"
        "Policy(p) :- EntryPolicy(p).\nReaches(m, t) :- Policy(_), Call(_, t), Call(_, m), t != m.\n"
    )
    report = analyse(root, analyses=[str(program)])
    assert report.analyses[0].mode == "update" and ("+", "auto") in changes(report)["Policy"]
    assert analyse(root, analyses=[str(program)]).analyses[0].mode == "unchanged"


MODELS = """extensions:
- addsTo: {pack: p, extensible: summaryModel}
  data:
  - [q, Bag, True, get, "", "", "Argument[this].Element", ReturnValue, value, manual]
"""
NAMED = (
    ".decl SummaryModel(package: symbol, type: symbol, subtypes: symbol, name: symbol, signature: symbol,\n"
    "    ext: symbol, input: symbol, output: symbol, kind: symbol, provenance: symbol)\n.input SummaryModel\n"
    ".decl Method(m: symbol, t: symbol, n: symbol, a: number, u: symbol)\n.input Method\n"
    '.decl Known(t: symbol, n: symbol)\n.output Known\nKnown(t, n) :- SummaryModel("q", t, _, n, _, _, _, _, _, _).\n'
    ".decl Own(n: symbol)\n.output Own\nOwn(n) :- Method(_, _, n, _, _).\n"
)


@pytest.mark.slow
def test_changed_models_of_libraries_are_changed_facts(root: Path, tmp_path: Path) -> None:
    program, folder, messages = tmp_path / "mine.dl", tmp_path / "models", []
    program.write_text(NAMED)
    folder.mkdir()
    (folder / "q.yml").write_text(MODELS)

    def again(*models: Path) -> Report:
        messages.clear()
        return analyse(root, analyses=[str(program)], models=models, messages=messages)

    first = again(folder)
    assert first.analyses[0].mode == "bootstrap" and first.analyses[0].relations["Known"] == 1
    assert again(folder).analyses[0].mode == "unchanged" and not any("left out" in message for message in messages)
    (folder / "q.yml").write_text(MODELS + MODELS.splitlines()[-1].replace("get", "take") + "\n  - [one]\n")
    write(root, {C: FILES[C].replace("done", "finished")})
    report = again(folder)
    assert report.analyses[0].mode == "update" and changes(report)["Known"] == {("+", "Bag", "take")}
    assert changes(report)["Own"] == {("+", "finished"), ("-", "done")}
    assert any("q.yml:6: a row of summaryModel has 10 texts" in message for message in messages)
    assert again(folder).analyses[0].mode == "unchanged"
    assert changes(again())["Known"] == {("-", "Bag", "get"), ("-", "Bag", "take")}
    with pytest.raises(LadderError, match="There is no folder"):
        again(tmp_path / "none")
    assert again().analyses[0].mode == "unchanged"
    program.write_text(NAMED + ".decl Both(n: symbol)\n.output Both\nBoth(n) :- Own(n), Known(_, n).\n")
    assert changes(again(folder))["Known"] == {("+", "Bag", "get"), ("+", "Bag", "take")}


def test_names_in_files_beside_the_sources_are_changed_facts(root: Path, tmp_path: Path) -> None:
    program = tmp_path / "mine.dl"
    program.write_text(
        ".decl ResourceName(name: symbol)\n.input ResourceName\n"
        ".decl Known(n: symbol)\n.output Known\nKnown(n) :- ResourceName(n).\n"
        ".decl Method(m: symbol, t: symbol, n: symbol, a: number, u: symbol)\n.input Method\n"
        ".decl Own(n: symbol)\n.output Own\nOwn(n) :- Method(_, _, n, _, _).\n"
    )
    (root / "plugins.properties").write_text("one=p.One\n")

    def again(reflection: str = "resources") -> Report:
        return analyse(root, analyses=[str(program)], reflection=reflection, verify=True)

    assert again("strings").analyses[0].relations["Known"] == 0
    report = again()
    assert report.analyses[0].mode == "update" and changes(report)["Known"] == {("+", "p.One")}
    assert again().analyses[0].mode == "unchanged"
    (root / "plugins.properties").write_text("one=p.One\ntwo = Two\n")
    (root / "META-INF/services").mkdir(parents=True)
    (root / "META-INF/services/p.S").write_text("p.Three\n")
    write(root, {C: FILES[C].replace("done", "finished")})
    report = again()
    assert changes(report)["Known"] == {("+", "Two"), ("+", "p.Three")}
    assert changes(report)["Own"] == {("+", "finished"), ("-", "done")}
    (root / "plugins.properties").unlink()
    assert changes(again())["Known"] == {("-", "Two"), ("-", "p.One")}
    assert changes(again("strings"))["Known"] == {("-", "p.Three")}


def test_programs_that_read_what_is_not_extracted_are_refused(root: Path, tmp_path: Path) -> None:
    program = tmp_path / "mine.dl"
    program.write_text(".decl Edge(a: symbol)\n.input Edge\n.decl R(a: symbol)\n.output R\nR(a) :- Edge(a).\n")
    with pytest.raises(LadderError, match="reads Edge"):
        analyse(root, analyses=[str(program)])
    with pytest.raises(LadderError, match="no analysis nothing"):
        analyse(root, analyses=["nothing"])


@pytest.mark.slow
def test_bad_files_are_counted_and_kill_nothing(root: Path, tmp_path: Path) -> None:
    (root / "src/p/Broken.java").write_text("package p; class Broken { void m( }")
    (root / "src/p/Empty.java").write_bytes(b"")
    (root / "src/p/Noise.java").write_bytes(bytes(range(256)) * 10)
    (root / "src/p/Latin.java").write_bytes(
        "package p; class Latin { void \xe9t\xe9() { C.done(); } }".encode("latin-1")
    )
    report = analyse(root)
    assert report.files == 7 and 1 <= report.parse_failures <= 3
    assert {"src/p/Broken.java", "src/p/Noise.java"} <= {row[0] for row in report.diagnostics}
    (root / "src/p/Broken.java").write_text("package p; class Broken { void m() { } }")
    report = analyse(root)
    assert report.analyses[0].mode == "update" and "src/p/Broken.java" not in {row[0] for row in report.diagnostics}
    assert tables(root, tmp_path / "incremental") == tables(root, tmp_path / "scratch", keep=False)


@pytest.mark.slow
def test_what_a_run_writes_grows_with_the_change(root: Path) -> None:
    write(
        root,
        {
            f"src/q/C{i}.java": f"package q; class C{i} {{ void m{i}(int a, int b) {{ m{i}(a + b, {i}); }} }}"
            for i in range(300)
        },
    )
    analyse(root, verify=False)
    state = state_of(root)
    before = {file: file.stat().st_size for file in state.rglob("*") if file.is_file()}
    write(root, {B: FILES[B].replace("C.done();", "")})
    analyse(root, verify=False)
    grown = {
        file: file.stat().st_size - before.get(file, 0)
        for file in state.rglob("*")
        if file.is_file() and (file not in before or file.stat().st_size != before[file] or file.name == "stat")
    }
    written = sum(size for size in grown.values() if size > 0)
    assert 0 < written < sum(before.values()) / 10, grown


@pytest.mark.slow
def test_old_facts_are_collected(root: Path) -> None:
    analyse(root)
    for step in range(25):
        write(root, {B: FILES[B].replace("help", f"help{step}")})
        analyse(root, verify=False)
    (facts,) = (state_of(root) / "facts").iterdir()
    assert len(list(facts.glob("*.parquet"))) <= 18
    report = analyse(root)
    assert report.analyses[0].mode == "unchanged" and report.analyses[0].verified


def test_changes_that_are_too_many_are_counted_alone(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    analyse(root)
    write(root, {B: FILES[B].replace("C.done();", "C.done(); new A().run();")})
    monkeypatch.setattr(_unlisted, "__defaults__", (replace(DEFAULT.keeping, listed=1),))
    report = analyse(root)
    [found] = report.analyses
    assert found.unlisted > 1 and not found.changes
    assert f"{found.unlisted} rows of the tables came or went, too many to be listed" in as_text(report)
    monkeypatch.undo()
    write(root, {B: FILES[B]})
    assert changes(analyse(root))
