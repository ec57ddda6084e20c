"""`ladder bench findings`: how suites are read, and what counts as found."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ladder.cli.commands import ladder
from ladder_bench.findings import density, juliet, owasp, securibench
from ladder_bench.findings.measure import cases_of
from ladder_bench.findings.score import Score, name_cases, tabulate
from ladder_bench.report import Section
from tests.session.projects import write


def finding(path: str, line: int = 1, rule: str = "sql-injection", **more: object) -> dict[str, object]:
    return {"path": path, "line": line, "rule": rule, "level": "error", **more}


def test_lines_of_securibench(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "src/basic/A.java": "a\nb /* BAD */\nc // BAD\nd /* OK */\n",
            "src/inter/B.java": "a /*  BAD */\n/* BADLY */\n",
        },
    )
    found = [
        finding("src/basic/A.java", 2),
        finding("src/basic/A.java", 2, "html-injection"),
        finding("src/basic/A.java", 4),
        finding("src/inter/B.java", 1, "trust-boundary-violation"),
    ]  # fmt: skip
    assert dict(securibench.graded(tmp_path, found)) == {
        "basic": Score(2, 1, 1, missed=["A.java:3"], extra=["A.java:4"]), "inter": Score(1, 0, 0, missed=["B.java:1"]),
    }  # fmt: skip


def test_tests_of_owasp_and_the_score_cards(tmp_path: Path) -> None:
    row = "<tr> <td>{}</td> <td>78</td> <td>{}</td> <td>{}</td> <td>{}</td> <td>{}</td> <td>{}</td> <td>1%</td></tr>"
    write(
        tmp_path,
        {
            "expectedresults-1.2.csv": "# test, category, real, cwe\nT1,cmdi,true,78\nT2,cmdi,false,78\n"
            "T3,sqli,true,89\nT4,other,true,327\nT5,sqli,false,89\n",
            "scorecard/Benchmark_v1.2_Scorecard_for_Some_Tool_v3.html": row.format("Command Injection", 3, 1, 2, 1, 7)
            + row.format("SQL Injection", 1, 3, 4, 0, 8) + row.format("Another Weakness", 9, 0, 0, 0, 9),
            "scorecard/Benchmark_v1.1_Scorecard_for_Old.html": row.format("Command Injection", 3, 1, 2, 1, 7),
            **{f"src/T{n}.java": "" for n in (1, 2, 3, 4)},
        },
    )  # fmt: skip
    found = [
        finding("src/Helper.java", rule="command-injection", flow=[{"path": "src/T1.java"}]),
        finding("src/T2.java", rule="command-injection"),
        finding("src/T3.java", rule="command-injection"),
    ]
    assert dict(owasp.graded(tmp_path, found)) == {
        "cmdi": Score(1, 1, 1, 1, extra=["T2"]), "sqli": Score(1, 0, 0, missed=["T3"]),
    }  # fmt: skip
    assert owasp.published(tmp_path) == {
        "Some Tool v3": {"cmdi": "75.0% / 75.0%", "sqli": "25.0% / 100.0%", "all": "50.0% / 80.0%"}
    }


def test_methods_of_juliet(tmp_path: Path) -> None:
    lines = ["class A {", "    public void bad() throws Throwable {", "        call();", "    }"]
    text = "\n".join([*lines, "    private void goodG2B() {", "    }"])
    begins = juliet.methods(text)
    assert begins == {2: "bad", 5: "goodG2B"}
    assert juliet.method_at(begins, 3) == "bad" and juliet.method_at(begins, 1) == ""
    assert (
        juliet.verdict("CWE1_x_01.java", "goodG2B") == "good"
        and juliet.verdict("CWE1_x_81_bad.java", "action") == "bad"
    )
    assert juliet.verdict("CWE1_x_01.java", "helper") == ""
    for part in ("s02", "s01"):
        (tmp_path / "CWE369_Divide" / part).mkdir(parents=True)
    (tmp_path / "CWE667_Lock").mkdir()
    assert [path.name for path in juliet.folders_of(tmp_path, "CWE369")] == ["s01", "s02"]
    assert [path.name for path in juliet.folders_of(tmp_path, "CWE667")] == ["CWE667_Lock"]


@pytest.mark.slow
def test_a_weakness_of_juliet_is_graded(tmp_path: Path) -> None:
    divides = "int d = new java.util.Random().nextInt(); System.out.println({} 7 / d);"
    write(
        tmp_path,
        {
            "testcases/CWE369_Divide/CWE369_a_01.java": "package testcases.CWE369_Divide;\npublic class CWE369_a_01 {\n"
            f"    public void bad() {{\n{divides.format('')}\n    }}\n"
            f"    public void good() {{\n{divides.format('d == 0 ? 0 :')}\n    }}\n}}\n",
            "testcasesupport/IO.java": "package testcasesupport;\npublic class IO { }\n",
        },
    )
    folders = juliet.folders_of(tmp_path / "testcases", "CWE369")
    assert juliet.graded(folders, tmp_path / juliet.SUPPORT, "CWE369") == Score(1, 1, 0, 1)


def test_what_is_printed() -> None:
    scores = {"b": Score(4, 3, 1, missed=["x"], extra=["y"]), "a": Score(0, 0, 0)}
    section = Section("S")
    tabulate(section, scores, {"Tool": {"b": "50.0% / 60.0%"}})
    name_cases(section, scores)
    assert section.tables[0].rows == [
        ["a", "0", "0", "-", "0", "-", "-", ""], ["b", "4", "3", "-", "1", "75.0%", "75.0%", "50.0% / 60.0%"],
        ["all", "4", "3", "-", "1", "75.0%", "75.0%", ""],
    ]  # fmt: skip
    assert [table.rows for table in section.tables[1:]] == [[["b", "x"]], [["b", "y"]]]


def test_findings_of_projects_are_counted_by_rule_and_level() -> None:
    found = [finding("a", rule="r"), finding("b", rule="r"), finding("a", rule="n") | {"level": "note"}]
    assert density.counted({"findings": found}) == {("r", "error"): 2, ("n", "note"): 1, ("all", density.WARNINGS): 2}


def test_what_was_given_is_measured(tmp_path: Path) -> None:
    names = [name for name, _, _ in cases_of({"owasp": tmp_path, "juliet": None}, [tmp_path])]
    assert names == ["owasp", "projects"]
    result = CliRunner().invoke(ladder, ["bench", "findings"])
    assert result.exit_code == 2 and "Name a suite or a project" in result.output


def test_a_weakness_that_is_not_graded_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        ladder, ["bench", "findings", "--juliet", str(tmp_path), "--weakness", "CWE1", "--output", str(tmp_path / "o")]
    )
    assert result.exit_code and "CWE1 is not graded." in str(result.exception) and not (tmp_path / "o").exists()
