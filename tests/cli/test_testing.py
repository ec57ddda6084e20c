"""`ladder test`: cases that pass, and every way in which one does not."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path

import pytest

from ladder import cli
from ladder.cli.cases import Case, cases_below, first_error
from ladder.cli.outcomes import Status, judge

COPY = (
    ".decl e(x: number, y: symbol)\n.input e\n.decl f(x: number, y: symbol)\n.output f\n.printsize f\nf(x, y) :- "
    "e(x, y).\n"
)
WRONG = ".decl a(x: number)\na(x) :- b(x).\n"


def write(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        file = folder / name.replace("__", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    good = write(tmp_path / "good", good__dl=COPY, f__csv="1\ta\n2\tb\n", good__out="f\t2\n", good__err="")
    write(good / "facts", e__facts="2\tb\n1\ta\n")
    other = write(tmp_path / "other", program__dl=COPY, f__csv="1\ta\n1\tc\n")
    write(other / "facts", e__facts="1\ta\n1\tb\n")
    several = write(tmp_path / "several", several__dl=COPY)
    write(several / "one", e__facts="1\ta\n", f__csv="1\ta\n", several__out="f\t1\n")
    write(several / "two", e__facts="1\ta\n", f__csv="1\ta\n", several__out="f\t2\n")
    write(
        tmp_path / "deep" / "refused",
        refused__dl=WRONG,
        refused__err="Error: Undefined relation b in file refused.dl at line 2\n",
    )
    write(
        tmp_path / "deep" / "elsewhere",
        elsewhere__dl=WRONG,
        elsewhere__err="Error: Bad type in file elsewhere.dl at line 1\n",
    )
    write(tmp_path / "deep" / "marked", marked__dl=WRONG, rejected="")
    write(tmp_path / "deep" / "accepted", accepted__dl=COPY, rejected="", e__facts="")
    write(tmp_path / "unknown", unknown__dl=WRONG)
    return tmp_path


def test_outcomes_and_exit_codes(cases: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        cli.main(["test", str(cases), "--json", "--time-limit", "120"])
    outcomes = {o["case"]: o for o in json.loads(capfd.readouterr().out)}
    assert leaving.value.code == 1
    assert {name: o["status"] for name, o in outcomes.items()} == {
        "good": "passed",
        "other": "failed",
        "several/one": "passed",
        "several/two": "failed",
        "deep/refused": "passed",
        "deep/elsewhere": "misplaced",
        "deep/marked": "passed",
        "deep/accepted": "failed",
        "unknown": "refused",
    }
    assert outcomes["other"]["reason"] == "f.csv: 2 lines expected, 2 found; 1 missing '1\\tc', 1 too many '1\\tb'"
    assert (
        "standard output" in outcomes["several/two"]["reason"]
        and "was not refused" in outcomes["deep/accepted"]["reason"]
    )
    assert "elsewhere.dl:1" in outcomes["deep/elsewhere"]["reason"] and "unknown.dl:2" in outcomes["unknown"]["reason"]
    with pytest.raises(SystemExit) as leaving:
        cli.main(["test", str(cases), "--only", "good", "--keep", str(cases / "kept")])
    assert leaving.value.code == 0 and (cases / "kept/good/written/f.csv").is_file()
    assert capfd.readouterr().out.splitlines()[-1].split()[1:3] == ["1", "1"]


def test_a_case_that_does_not_end_is_stopped(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "endless", endless__dl=".decl a(x: number)\n.output a\na(0).\na(x + 1) :- a(x).\n", a__csv="")
    with pytest.raises(SystemExit) as leaving:
        cli.main(["test", str(tmp_path), "--time-limit", "1"])
    assert leaving.value.code == 1 and "endless: timed out: more than 1 s" in capfd.readouterr().out


def test_names_in_a_list_must_be_refused(cases: Path) -> None:
    assert [case.name for case in cases_below(cases, {"good"}) if case.rejected] == [
        "deep/accepted",
        "deep/elsewhere",
        "deep/marked",
        "deep/refused",
        "good",
    ]


def test_files_of_other_forms_are_compared(tmp_path: Path) -> None:
    write(
        tmp_path / "c",
        c__dl="",
        r__json='[{"x": 1}]\n',
        z__csv="1\n2\n",
        q__csv="1|a\n",
        q__sqlite__output__script="SELECT * FROM q;",
    )
    (case,) = cases_below(tmp_path)
    written = write(tmp_path / "written", r__json='[{"x": 1}]\n')
    with sqlite3.connect(written / "q.sqlite.output") as database:
        database.executescript("CREATE TABLE q (x INTEGER, s TEXT); INSERT INTO q VALUES (1, 'a');")
    (written / "z.csv.gz.output").write_bytes(gzip.compress(b"2\n1\n"))
    assert judge(case, 0, "", "", written, 0).status is Status.PASSED
    (written / "z.csv.gz.output").write_bytes(gzip.compress(b"2\n3\n"))
    assert judge(case, 0, "", "", written, 0).reason.startswith("z.csv: ")
    (written / "r.json").write_text("[]\n")
    assert judge(case, 0, "", "", written, 0).reason.startswith("r.json: ")
    (written / "more.csv").write_text("")
    assert judge(case, 0, "", "", written, 0).reason == "unexpected more.csv"
    (written / "z.csv.gz.output").write_bytes(b"text")
    assert "cannot be read" in judge(case, 0, "", "", written, 0).reason


def test_errors_in_our_own_form_are_compared_word_for_word(tmp_path: Path) -> None:
    write(tmp_path / "c", c__dl="", c__err="c.dl:2:9: error: the relation b is not declared\n")
    (case,) = cases_below(tmp_path)
    assert case.rejected
    assert _judged(case, "c.dl:2:9: error: the relation b is not declared\n") is Status.PASSED
    assert _judged(case, "c.dl:2:9: error: the relation c is not declared\n") is Status.FAILED
    assert _judged(case, "Traceback (most recent call last):\n  …\nValueError\n") is Status.CRASHED


def _judged(case: Case, err: str) -> Status:
    return judge(case, 2, "", err, case.expected, 0).status


def test_the_first_error_has_a_place() -> None:
    assert first_error(
        "Warning: No rules in file a.dl at line 1\nx\nError: Undefined in file a.dl at line 22\nError: in file a.dl "
        "at line 3"
    ) == ("a.dl", 22)
    assert first_error("a.dl:4:1: warning: unused\nlib/b.dl:7:3: error: wrong") == ("b.dl", 7)
    assert first_error("Error: there is no such file\n") is None


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ('[[1, ["a"]],\n[2, ["b"]]]\n', Status.PASSED),
        ('[[2, ["b"]],\n[1, ["a"]]]\n', Status.PASSED),
        ('[[2, ["b"]],\n[1, ["b"]]]\n', Status.FAILED),
        ('[[2, ["b"]]\n[1, ["a"]]]\n', Status.FAILED),
        ('[[2, ["b"]],\n[1, ["a"]]\n', Status.FAILED),
        ('[2, ["b"]],\n[1, ["a"]]]\n', Status.FAILED),
    ],
)
def test_rows_in_json_may_come_in_any_order(written: str, status: Status, tmp_path: Path) -> None:
    folder = write(tmp_path / "case", case__dl=COPY, case__out='f\t2\n[[1, ["a"]],\n[2, ["b"]]]\n')
    [case] = cases_below(folder)
    (tmp_path / "written").mkdir()
    assert judge(case, 0, f"f\t2\n{written}", "", tmp_path / "written", 0.0).status is status


COMPILES = """
import time
from numba.core import event
def f(x):
    {how}time.sleep(2.5)
    return x
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "status"),
    [("with event.trigger_event('numba:compile'): ", "passed"), ("", "timed out")],
)
def test_compiling_does_not_count(tmp_path: Path, capfd: pytest.CaptureFixture[str], how: str, status: str) -> None:
    write(
        tmp_path / "slow",
        slow__dl='.decl e(x: number)\ne(1).\n.functor f(x: number): number = "mine:f"\n.decl q(x: number)\nq(@f(x)) '
        ":- e(x).\n.output q\n",
        mine__py=COMPILES.format(how=how),
        q__csv="1\n",
    )
    with pytest.raises(SystemExit):
        cli.main(["test", str(tmp_path), "--json", "--time-limit", "2"])
    (outcome,) = json.loads(capfd.readouterr().out)
    assert outcome["status"] == status and outcome["seconds"] < (2 if how else 6)
