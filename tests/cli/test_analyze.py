"""`analyze`: what it prints and writes, its exit codes, and what it refuses."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pygit2
import pytest

from ladder import cli
from ladder.errors import LadderError
from ladder.frontends.java import FRONT_END
from ladder.session import run as session
from ladder.session.analyze import load, those_with
from tests.session.projects import CALLS, FILES, FLAWS, commit, write

Result = tuple[int, str, str]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    write(folder, FILES)
    return folder


@pytest.fixture
def analyze(capfd: pytest.CaptureFixture[str]) -> object:
    def call(*arguments: object) -> Result:
        with pytest.raises(SystemExit) as leaving:
            cli.analyze_main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return int(leaving.value.code or 0), captured.out, captured.err

    return call


def test_a_run_prints_a_summary_and_then_what_changed(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    code, out, err = analyze(root, "--analysis", CALLS)
    assert code == 0 and "files 3, lines 13" in out and "calls: bootstrap" in out and "Reaches" in out
    for stage in ("discover", "extract", "load", "evaluate", "save", "report", "total"):
        assert f"{stage} " in out
    assert "3 Java files" in err
    write(root, {"src/p/B.java": FILES["src/p/B.java"].replace("C.done();", "")})
    code, out, err = analyze(root, "--analysis", CALLS, "--verify", "--quiet")
    assert code == 0 and not err
    assert "calls: update, equal to a run from scratch" in out and "since the last run:" in out
    assert "    - Reaches  <p.B: help>  <p.C: done>" in out and "src/p/B.java: +0 -" in out


def test_one_file_is_named_in_the_singular(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    for path in list(FILES)[1:]:
        (root / path).unlink()
    code, out, err = analyze(root, "--analysis", CALLS)
    assert code == 0 and "extracted: 1 file in this process" in out and ": 1 Java file\n" in err


def test_a_file_that_is_broken_and_mended_is_an_update_each_time(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    analyze(root, "--analysis", CALLS, "--quiet")
    whole = FILES["src/p/B.java"]
    write(root, {"src/p/B.java": whole.replace("C.done();", "C.done(;")})
    code, out, _ = analyze(root, "--analysis", CALLS, "--verify", "--quiet")
    assert code == 0 and "0 files could not be read, 1 in part" in out
    assert "calls: update, equal to a run from scratch" in out and "The body of a method is left out" in out
    assert "    - Reaches  <p.B: help>  <p.C: done>" in out
    write(root, {"src/p/B.java": whole})
    code, out, _ = analyze(root, "--analysis", CALLS, "--verify", "--quiet")
    assert code == 0 and "in part" not in out and "    + Reaches  <p.B: help>  <p.C: done>" in out


def test_generated_sources_and_skipped_repositories_are_counted(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    write(root, {".gitignore": "target/\n", "target/generated-sources/p/G.java": "package p; class G { }"})
    for folder in (root, root / "other"):
        pygit2.init_repository(str(folder))
    code, out, _ = analyze(root, "--analysis", CALLS, "--quiet", "--no-state")
    assert code == 0 and "files 4 (generated 1, repositories skipped 1), lines" in out
    assert "other:1:1" in out and "a repository of its own, and no submodule" in out
    code, out, _ = analyze(root, "--analysis", CALLS, "--quiet", "--no-state", "--no-generated", "--format", "json")
    summary = json.loads(out)
    assert (summary["files"], summary["generated_files"], summary["skipped_repositories"]) == (3, 0, 1)


def test_files_are_excluded_and_come_back(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    write(root, {"src/test/p/T.java": "package p; class T { void t() { C.done(); } }"})
    run = ("--analysis", CALLS, "--quiet", "--verify")
    code, out, err = analyze(root, *run, "--exclude", "src/test/")
    assert code == 0 and "files 3 (excluded 1), lines" in out and "<p.T: t>" not in out and not err
    code, out, err = analyze(root, *run)
    assert code == 0 and "files 4, lines" in out and "calls: update" in out and "+ Reaches  <p.T: t>" in out
    code, out, err = analyze(root, *run, "--exclude", "T.java", "--format", "json")
    assert code == 0 and json.loads(out)["excluded_files"] == 1
    code, out, err = analyze(root, *run, "--exclude", "Nothing*.java")
    assert code == 0 and "--exclude leaves out no file: nothing matches Nothing*.java." in err
    code, out, err = analyze(root, *run, "--exclude", "*.java")
    assert code == 2 and "no Java files (*.java, *.jsp, *.jspf) but the 4 that --exclude leaves out" in err
    code, out, err = analyze(root, *run, "--exclude", "!")
    assert code == 2 and "'!' is no pattern of files" in err and ".gitignore" in err


def test_files_whose_names_are_no_text_are_counted_and_named(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    for name in (b"B\xff.java", b"\xfe\x1b[2J/C.java"):
        path = root / os.fsdecode(name)
        path.parent.mkdir(exist_ok=True)
        path.write_text("class C { }")
    code, out, _ = analyze(root, "--analysis", CALLS, "--quiet", "--no-state")
    assert code == 0 and "files 3, " in out and "2 files could not be read" in out
    assert "  B\\xff.java:1:1: unreadable: the file's name is not UTF-8" in out and "\x1b" not in out


@pytest.mark.parametrize("strategy", [pytest.param("counting", marks=pytest.mark.slow), "dredc"])
def test_a_strategy_keeps_a_state_of_its_own(strategy: str, root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    analyze(root, "--analysis", CALLS, "--quiet")
    chosen = (root, "--analysis", CALLS, "--strategy", strategy, "--verify", "--quiet")
    code, out, err = analyze(*chosen)
    assert code == 0 and "calls: bootstrap" in out and not err
    write(root, {"src/p/B.java": FILES["src/p/B.java"].replace("C.done();", "")})
    code, out, err = analyze(*chosen)
    assert code == 0 and not err and "calls: update, equal to a run from scratch" in out
    code, out, err = analyze(*chosen)
    assert code == 0 and not err and "bootstrap" not in out


def test_json_says_what_text_says(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    analyze(root, "--analysis", CALLS, "--quiet")
    write(root, {"src/p/B.java": FILES["src/p/B.java"].replace("C.done();", "")})
    code, out, _ = analyze(root, "--analysis", CALLS, "--quiet", "--format", "json")
    summary = json.loads(out)
    [analysis] = summary["analyses"]
    assert code == 0 and analysis["mode"] == "update" and summary["files"] == 3 and summary["changed_files"] == 1
    assert analysis["delta"]["Reaches"] == {"inserted": 0, "deleted": 2} and analysis["relations"]["Reaches"] > 0
    assert {"discover", "extract", "load", "evaluate", "save", "report", "total"} <= set(summary["seconds"])
    assert summary["peak_memory_bytes"] > 10**7 and summary["parse_failures"] == 0


def test_complete_tables_in_every_form_hold_the_same(root: Path, tmp_path: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    found = {}
    for form in ("csv", "json", "parquet"):
        code, _, _ = analyze(root, "--analysis", CALLS, "--quiet", "--format", form, "--output", tmp_path / form)
        assert code == 0
        file = tmp_path / form / f"Call.{form}"
        if form == "csv":
            with file.open(newline="", encoding="utf-8") as rows:
                found[form] = list(csv.DictReader(rows))
        else:
            found[form] = json.loads(file.read_text("utf-8")) if form == "json" else pq.read_table(file).to_pylist()
        assert (tmp_path / form / f"Diagnostics.{form}").exists()
    assert found["csv"] == found["json"] == found["parquet"]
    assert {"invocation": "src/p/A.java:3:16/step", "method": "<p.A: step>"} in found["csv"]


def test_output_alone_is_csv_and_several_analyses_get_folders(root: Path, tmp_path: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    other = tmp_path / "other.dl"
    other.write_text(Path(CALLS).read_text())
    assert analyze(root, "--analysis", CALLS, "--analysis", other, "--quiet", "--output", tmp_path / "out")[0] == 0
    assert (tmp_path / "out/calls/Call.csv").read_text() == (tmp_path / "out/other/Call.csv").read_text()


def test_sarif_reports_diagnostics(root: Path, tmp_path: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    write(root, {"src/p/Broken.java": "package p; class Broken { void m( }"})
    code, out, _ = analyze(root, "--analysis", CALLS, "--quiet", "--format", "sarif")
    log = json.loads(out)
    assert code == 0 and log["version"] == "2.1.0"
    assert (
        log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        == "src/p/Broken.java"
    )
    assert analyze(root, "--analysis", CALLS, "--quiet", "--format", "sarif", "--output", tmp_path / "x.sarif")[1] == ""
    assert json.loads((tmp_path / "x.sarif").read_text()) == log


def test_error_says_which_findings_fail(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    def codes(*more: str) -> list[int]:
        wishes = ("none", "note", "warning", "error", "all", "new")
        return [analyze(root, "--analysis", FLAWS, "--quiet", "--error", wish, *more)[0] for wish in wishes]

    repository = pygit2.init_repository(str(root), initial_head="main")
    commit(root)
    assert codes() == [0, 0, 0, 0, 0, 0]
    write(root, {"src/p/C.java": "package p;\nclass C {\n  void far() { far(); }\n  static void done() { }\n}\n"})
    assert codes() == [0, 1, 0, 0, 1, 1]
    repository.create_branch("work", repository[commit(root)])
    repository.checkout("refs/heads/work")
    assert codes() == [0, 1, 0, 0, 1, 0]
    write(root, {"src/p/Broken.java": "package p; class Broken { void m( }"})
    assert codes() == [0, 1, 1, 0, 1, 1]
    commit(root)
    assert codes("--baseline-commit", "HEAD") == [0, 1, 1, 0, 1, 0]
    assert analyze(root, "--analysis", FLAWS, "--quiet", "--error")[0] == 1
    assert analyze(root, "--analysis", FLAWS, "--quiet", "--error", "bad")[0] == 2


@pytest.mark.slow
def test_without_an_analysis_those_that_look_for_findings_run(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    code, out, err = analyze(root, "--entry", "main", "--no-state")
    assert (
        code == 0
        and "ladder: no --analysis: taint, dead, conditions, resources, ranges, which look for findings" in err
    )
    heads = [line.partition(": bootstrap")[0] for line in out.splitlines() if ": bootstrap" in line]
    assert sorted(", ".join(heads).split(", ")) == ["conditions", "dead", "ranges", "resources", "taint"]
    assert len(heads) < 5 and out.count("bootstrap in ") == 1 and "\nfindings: " in out


@pytest.mark.slow
def test_without_an_analysis_those_run_that_have_the_contexts(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    code, out, err = analyze(root, "--entry", "main", "--no-state", "--context", "selective")
    assert code == 0 and "no --analysis: taint, dead, which look for findings and have contexts selective; " in err
    assert "conditions, resources, ranges have none, and are left out" in err
    heads = [line.partition(": bootstrap")[0] for line in out.splitlines() if ": bootstrap" in line]
    assert sorted(", ".join(heads).split(", ")) == ["dead", "taint"]


def test_which_analyses_have_contexts() -> None:
    names = ("taint", "conditions", "resources", "pointsto")
    assert those_with("selective", names, FRONT_END) == ("taint", "pointsto")
    assert those_with("2-call", names, FRONT_END) == ("taint", "conditions", "pointsto")
    assert those_with("ci", names, FRONT_END) == those_with("", names, FRONT_END) == names
    with pytest.raises(LadderError, match="no contexts nothing"):
        those_with("nothing", names, FRONT_END)


def test_which_contexts_analyses_have_where_none_are_named() -> None:
    def fingerprint(name: str, context: str) -> str:
        return load(name, FRONT_END, context).fingerprint

    assert fingerprint("taint", "") == fingerprint("taint", "selective") != fingerprint("taint", "ci")
    assert fingerprint("pointsto", "") == fingerprint("pointsto", "ci") != fingerprint("pointsto", "selective")


def test_without_an_analysis_another_language_wants_one(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    code, _, err = analyze(root, "--front-end", "bytecode", "--quiet")
    assert code == 2 and "Name at least one analysis with --analysis" in err


def test_new_needs_something_to_compare_with(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    code, _, err = analyze(root, "--analysis", FLAWS, "--quiet", "--error", "new")
    assert code == 2 and "has no commit to compare with" in err


def test_exit_codes(root: Path, tmp_path: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    assert analyze(root, "--analysis", CALLS, "--quiet", "--error")[0] == 0
    write(root, {"src/p/Broken.java": "package p; class Broken { void m( }"})
    assert analyze(root, "--analysis", CALLS, "--quiet")[0] == 0
    assert analyze(root, "--analysis", CALLS, "--quiet", "--error")[0] == 1
    bad = tmp_path / "bad.dl"
    bad.write_text(".decl A(x: number)\nA(x) :- B(x).\n")
    code, _, err = analyze(root, "--analysis", bad, "--quiet")
    assert code == 2 and "bad.dl:2:9" in err and "^" in err and "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{tmp}/none", "--analysis", CALLS], "There is no project"),
        (["{root}", "--analysis", "nothing"], "ladder: There is no analysis nothing. There are conditions, "),
        (
            ["{root}", "--analysis", "pointto"],
            "There is no analysis pointto. Did you mean pointsto? There are ",
        ),
        (["{root}", "--analysis", "pointsto", "--context", "9-obj"], "ladder: There are no contexts 9-obj for Java."),
        (
            ["{root}", "--analysis", CALLS, "--engine", "spark", "--strategy", "bf"],
            "The spark engine has no strategy bf",
        ),
        (["{root}", "--analysis", CALLS, "--format", "csv"], "--output"),
        pytest.param(
            ["{root}", "--analysis", "constprop", "--strategy", "bf"], "bf cannot maintain", marks=pytest.mark.slow
        ),
        (["{root}", "--analysis", CALLS, "--format", "xml"], "'xml' is not one of"),
        (["{root}", "--analysis", CALLS, "--state", "x", "--no-state"], "exclude"),
        (["{root}", "--analysis", CALLS, "--baseline-commit", "HEAD"], "not under git"),
        (["{root}", "--analysis", CALLS, "--state", "{root}/src"], "not a state directory"),
        (["{root}", "--analysis", CALLS, "--analysis", CALLS], "named twice"),
        (["{tmp}/empty", "--analysis", CALLS], "no Java files"),
        (["{root}", "--analysis", CALLS, "--classpath", "{root}:{tmp}/none.jar"], "There is no {tmp}/none.jar. Name "),
        (["{root}", "--analysis", CALLS, "--wrong"], "No such option"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_code_2(
    root: Path, tmp_path: Path, analyze, arguments: list[str], message: str
) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "empty").mkdir()
    code, out, err = analyze(*(argument.format(tmp=tmp_path, root=root) for argument in arguments))
    assert code == 2 and message.format(tmp=tmp_path) in err and "Traceback" not in err and not out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["interval", "--context", "1-obj"],
            "interval has no contexts of which 1-obj could be chosen. It has 1-call, ",
        ),
        (["linking", "--context", "1-obj"], "linking has no contexts of which 1-obj could be chosen. Leave --context"),
        (["nothing"], "There is no analysis nothing."),
    ],
)
def test_analyses_are_refused_before_any_file_is_read(
    arguments: list[str], message: str, root: Path, analyze, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(session, "Facts", None)
    code, _, err = analyze(root, "--analysis", *arguments)
    assert code == 2 and message in err


def test_no_state_leaves_nothing_and_a_state_elsewhere_is_used(root: Path, tmp_path: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    assert analyze(root, "--analysis", CALLS, "--no-state", "--quiet")[0] == 0
    assert not (root / ".ladder").exists()
    assert analyze(root, "--analysis", CALLS, "--state", tmp_path / "state", "--quiet")[0] == 0
    assert "unchanged" in analyze(root, "--analysis", CALLS, "--state", tmp_path / "state", "--quiet")[1]
    assert not (root / ".ladder").exists() and (tmp_path / "state/FORMAT").exists()


def test_an_interrupt_is_a_sentence(root: Path, analyze, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    analyze(root, "--analysis", CALLS, "--quiet")
    write(root, {"src/p/B.java": FILES["src/p/B.java"].replace("C.done();", "")})
    with monkeypatch.context() as patch:
        patch.setattr("ladder.session.analyze.moved", interrupt)
        code, _, err = analyze(root, "--analysis", CALLS, "--quiet")
    assert code == 130 and "interrupted" in err
    assert "calls: update, equal" in analyze(root, "--analysis", CALLS, "--quiet", "--verify")[1]


def test_memory_that_is_used_up_is_exit_code_4(root: Path, analyze, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("ladder.session.run.run", exhausted)
    code, _, err = analyze(root, "--analysis", CALLS, "--quiet")
    assert code == 4 and "memory" in err


def test_without_git_and_java_on_the_path(root: Path, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME",)} | {
        "PATH": str(tmp_path)
    }
    done = subprocess.run(
        [sys.executable, "-c", "from ladder.cli import analyze_main; analyze_main()", str(root), "--analysis", CALLS],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "calls: bootstrap" in done.stdout


def test_an_old_python_is_told_which_to_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "OLDEST_PYTHON", (4, 0))
    with pytest.raises(SystemExit) as leaving:
        cli.analyze_main([])
    assert leaving.value.code == 2 and "is too old. Use Python 4.0 or later" in capsys.readouterr().err


def test_a_reanalysis_imports_neither_spark_nor_pandas_nor_rich(root: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    analyze(root, "--analysis", CALLS, "--quiet")
    write(root, {"src/p/B.java": FILES["src/p/B.java"].replace("C.done();", "")})
    program = (
        "import atexit, sys\nfrom ladder.cli import analyze_main\natexit.register(lambda: print(sorted({'pyspark', "
        "'pandas', 'rich', 'tree_sitter'} & set(sys.modules))))\nanalyze_main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(root), "--analysis", CALLS, "--quiet"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "calls: update" in done.stdout and done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr
    assert done.returncode == 0


def test_a_damaged_state_is_told_even_if_quiet(root: Path, tmp_path: Path, analyze) -> None:  # type: ignore[no-untyped-def]
    options = (root, "--analysis", CALLS, "--state", tmp_path / "state", "--quiet")
    assert analyze(*options)[2] == ""
    write(root, {"src/p/B.java": FILES["src/p/B.java"].replace("C.done();", "")})
    for file in (tmp_path / "state" / "states").rglob("*"):
        if file.is_file() and file.stat().st_size > 100:
            file.write_bytes(file.read_bytes()[:-20] + bytes(20))
    code, out, err = analyze(*options)
    assert (
        code == 0 and "calls: bootstrap" in out and err.startswith("ladder: The saved state") and err.count("\n") == 1
    )
    assert analyze(*options)[2] == ""
