"""Analyses that are evaluated together have the rows and findings that each has alone, from run to run."""

from __future__ import annotations

import json
import random
import shutil
from itertools import combinations
from pathlib import Path

import pytest

from ladder.errors import StateError
from ladder.frontends.java import FRONT_END
from ladder.report.findings import Found
from ladder.report.summary import Report, as_json, as_text
from ladder.session.inspect import explanation, rows, saved
from tests.marks import sampled
from tests.session.projects import CALLS, FILES, analyse, state_of, tables, write

SAMPLE = Path(__file__).parents[2] / "corpora/bookshop"
CLIENTS = tuple(FRONT_END.findings)
SETS = [CLIENTS, *combinations(CLIENTS, 2)]
OTHER = (
    ".decl Method(m: symbol, t: symbol, n: symbol, a: number, u: symbol)\n.input Method\n"
    ".decl Reaches(n: symbol)\n.output Reaches\nReaches(n) :- Method(_, _, n, _, _).\n"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    write(folder, FILES)
    return folder


@pytest.fixture
def other(tmp_path: Path) -> str:
    program = tmp_path / "names.dl"
    program.write_text(OTHER)
    return str(program)


def found(report: Report) -> dict[str, list[tuple[object, ...]]]:
    """What is found by each analysis, with fingerprints and steps."""
    return {a.name: sorted(map(_cells, a.findings.found)) for a in report.analyses}


def _cells(f: Found) -> tuple[object, ...]:
    return f.rule, f.fingerprint, f.by_line, f.message, str(f.spot), f.suppressed, repr(f.flow), repr(f.related), f.row


def written(folder: Path) -> dict[str, list[str]]:
    return {file.stem: file.read_text("utf-8").splitlines() for file in sorted(folder.glob("*.csv"))}


@pytest.mark.parametrize("names", sampled(SETS, slow=[CLIENTS]), ids="+".join)
def test_together_they_have_the_tables_and_findings_that_each_has_alone(names: tuple[str, ...], tmp_path: Path) -> None:
    both = analyse(SAMPLE, analyses=names, keep=False, verify=False, output=tmp_path / "both", format_="csv")
    for name in names:
        one = analyse(SAMPLE, analyses=[name], keep=False, verify=False, output=tmp_path / name, format_="csv")
        assert found(both)[name] == found(one)[name]
        assert both.analyses[names.index(name)].relations == one.analyses[0].relations
        assert written(tmp_path / "both" / name) == written(tmp_path / name)


def test_relations_of_one_name_stay_those_of_their_analysis(root: Path, other: str, tmp_path: Path) -> None:
    analyse(root, analyses=[CALLS, other], output=tmp_path / "both", format_="csv")
    assert written(tmp_path / "both/calls") == tables(root, tmp_path / "calls", keep=False)
    assert written(tmp_path / "both/names") == tables(root, tmp_path / "names", keep=False, analyses=[other])
    assert len(list((state_of(root) / "states").iterdir())) == 1


def test_each_is_told_what_changed_for_it(root: Path, other: str) -> None:
    analyse(root, analyses=[CALLS, other])
    write(root, {"src/p/C.java": FILES["src/p/C.java"].replace("done", "finished")})
    report = analyse(root, analyses=[CALLS, other])
    assert [a.mode for a in report.analyses] == ["update", "update"] and all(a.verified for a in report.analyses)
    calls, names = (a.changes["Reaches"].to_pylist() for a in report.analyses)
    assert {tuple(row.values()) for row in names} == {("-", "done"), ("+", "finished")}
    assert ("-", "<p.B: help>", "<p.C: done>") in {tuple(row.values()) for row in calls}
    assert as_text(report).count("rows came or went. The change") == 1
    assert all(a["engine"]["mode"] == "update" for a in json.loads(as_json(report))["analyses"])


def test_one_of_them_is_read_from_the_state_of_all(root: Path, other: str) -> None:
    analyse(root, analyses=[CALLS, other])
    again = analyse(root, analyses=[other]).analyses[0]
    assert (again.mode, again.since) == ("unchanged", "the last run of calls, names")
    write(root, {"src/p/C.java": FILES["src/p/C.java"].replace("done", "finished")})
    first, second = (analyse(root, analyses=[other]).analyses[0] for _ in range(2))
    assert first.mode == second.mode == "update" and first.changes == second.changes
    both = analyse(root, analyses=[CALLS, other])
    assert [a.mode for a in both.analyses] == ["update", "update"] and both.analyses[0].changes
    assert len(list((state_of(root) / "states").iterdir())) == 1


def test_a_state_of_its_own_is_used_if_it_is_later(root: Path, other: str) -> None:
    analyse(root, analyses=[CALLS, other])
    shutil.rmtree(next((state_of(root) / "states").iterdir()))
    analyse(root, analyses=[other])
    write(root, {"src/p/C.java": FILES["src/p/C.java"].replace("done", "finished")})
    analyse(root, analyses=[CALLS, other])
    assert analyse(root, analyses=[other]).analyses[0].mode == "unchanged"
    write(root, {"src/p/C.java": FILES["src/p/C.java"].replace("done", "ready")})
    assert analyse(root, analyses=[other]).analyses[0].since == "the last run of calls, names"


def test_a_program_of_the_set_that_is_gone_is_in_nobodys_way(root: Path, other: str) -> None:
    analyse(root, analyses=[CALLS, other])
    Path(other).unlink()
    assert analyse(root).analyses[0].mode == "bootstrap"
    with saved(root, CALLS, "auto", None) as result:
        assert rows(result, "Reaches", names=False, match=None)[0].num_columns == 2


def test_rows_and_reasons_are_those_of_the_analysis_that_is_named(root: Path, other: str) -> None:
    analyse(root, analyses=[CALLS, other])
    with saved(root, other, "auto", None) as result:
        assert rows(result, "Reaches", names=False, match=None)[0].to_pylist()[0].keys() == {"n"}
        assert str(explanation(result, "Reaches", ["done"]).rule).startswith("Reaches(n) :- Method(")
    with saved(root, CALLS, "auto", None) as result:
        assert rows(result, "Reaches", names=False, match=None)[0].num_columns == 2
    with pytest.raises(StateError, match="no result of constprop"), saved(root, "constprop", "auto", None):
        pass


def test_what_cannot_be_evaluated_together_is_evaluated_one_by_one(root: Path, tmp_path: Path) -> None:
    program, messages = tmp_path / "first.dl", []
    program.write_text(
        ".decl Method(m: symbol, t: symbol, n: symbol, a: number, u: symbol)\n.input Method\n"
        ".decl One(t: symbol, n: symbol) choice-domain t\n.output One\nOne(t, n) :- Method(_, t, n, _, _).\n"
    )
    report = analyse(root, analyses=[CALLS, str(program)], messages=messages)
    assert [a.mode for a in report.analyses] == ["bootstrap", "bootstrap"]
    assert any("one after the other: rows of One in first depend on the order" in message for message in messages)
    assert len(list((state_of(root) / "states").iterdir())) == 2


def test_an_edited_program_of_several_is_maintained(root: Path, other: str) -> None:
    analyse(root, analyses=[CALLS, other])
    Path(other).write_text(OTHER + ".decl Types(t: symbol)\n.output Types\nTypes(t) :- Method(_, t, _, _, _).\n")
    report = analyse(root, analyses=[CALLS, other])
    assert [a.mode for a in report.analyses] == ["update", "update"]
    assert report.analyses[1].relations["Types"] == 3 and "Types" in report.analyses[1].changes


@pytest.mark.nightly  # tests/session/test_kept_findings.py makes some edits in every run of slow tests
@pytest.mark.parametrize(
    ("edits", "every"),
    [(4, 2), (50, 1)],
)
def test_findings_after_random_edits_are_those_of_a_run_from_scratch(tmp_path: Path, edits: int, every: int) -> None:
    """`every`: how many edits there are from one that is compared to the next."""
    root = tmp_path / "shop"
    shutil.copytree(SAMPLE, root)
    source = random.Random(0)
    files = sorted(root.rglob("*.java"))
    originals = {file: file.read_text() for file in files}
    analyse(root, analyses=CLIENTS, verify=False)
    known: dict[str, set[tuple[object, ...]]] = {}
    for step in range(edits):
        for file in source.sample(files, 2):
            file.write_text(edited(originals[file], source))
        report = analyse(root, analyses=CLIENTS, verify=False)
        assert {a.mode for a in report.analyses} <= {"update", "unchanged", "bootstrap"}
        here = {name: {row for row in cells} for name, cells in present(report).items()}
        if step % every == every - 1:
            scratch = analyse(root, analyses=CLIENTS, verify=False, keep=False)
            assert here == {name: {row for row in cells} for name, cells in present(scratch).items()}, f"edit {step}"
        if known:
            came = {(f.rule, f.fingerprint) for f in report.findings.found if f.state == "new"}
            gone = {(f.rule, f.fingerprint) for f in report.findings.found if f.state == "absent"}
            before, now = ({row[:2] for cells in rows_.values() for row in cells} for rows_ in (known, here))
            assert came <= now - before and gone <= before - now, f"edit {step}"
        known = here


def present(report: Report) -> dict[str, list[tuple[object, ...]]]:
    return {a.name: sorted(_cells(f) for f in a.findings.found if f.state != "absent") for a in report.analyses}


def edited(text: str, source: random.Random) -> str:
    """The text of a file with one of its statements left out, doubled or made conditional, if it is like that."""
    lines = text.splitlines(keepends=True)
    calls = [i for i, line in enumerate(lines) if line.strip().endswith(");") and line.strip()[0].islower()]
    calls = [i for i in calls if not lines[i].strip().startswith(("return", "throw", "super", "this(", "."))]
    if not calls:
        return text
    at = source.choice(calls)
    line = lines[at]
    lines[at] = source.choice(["\n", line + line, f"if (1 > 2) {{ {line.strip()} }}\n"])
    return "".join(lines)
