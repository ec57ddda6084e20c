"""Which files are tests, by the folders in which they lie: as rows for programs, from run to run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.projects import analyse, changes, write

PROGRAM = """\
.decl TestUnit(unit: symbol)
.input TestUnit
.decl Tested(unit: symbol)
.output Tested
Tested(u) :- TestUnit(u).
"""
FAKE = "package p.test;\nclass Fake { }\n"
SERVED = """\
package p;
import javax.servlet.http.*;
public class Served extends HttpServlet {
  @Override protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
    Runtime.getRuntime().exec(request.getParameter("command"));
  }
}
"""


def changed(program: Path, root: Path) -> set[tuple[str, ...]]:
    """The units that became tests, and those that are none any more, since the last run."""
    report = analyse(root, analyses=[str(program)])
    assert report.analyses[0].mode == "unchanged" or report.analyses[0].verified
    return changes(report).get("Tested", set())


def test_files_in_folders_of_tests_are_tests_wherever_they_go(tmp_path: Path) -> None:
    program, root = tmp_path / "tested.dl", tmp_path / "project"
    program.write_text(PROGRAM)
    # of a package `test`, which makes it no test; in a folder of tests; in one that is only like it
    write(root, {"src/main/p/test/Fake.java": FAKE, "src/test/p/Other.java": "package p;\nclass Other { }\n"})
    write(root, {"src/tester/p/Some.java": "package p;\nclass Some { }\n"})
    assert analyse(root, analyses=[str(program)]).analyses[0].relations == {"Tested": 1}
    assert not changed(program, root)
    (root / "src/test/p/test").mkdir()
    (root / "src/main/p/test/Fake.java").rename(root / "src/test/p/test/Fake.java")
    assert changed(program, root) == {("+", "p.test.Fake")}
    (root / "src/test/p/Other.java").rename(root / "src/tester/p/Other.java")
    assert changed(program, root) == {("-", "p.Other")}


def test_where_all_files_are_in_folders_of_tests_none_is_a_test(tmp_path: Path) -> None:
    program, root = tmp_path / "tested.dl", tmp_path / "project"
    program.write_text(PROGRAM)
    write(root, {"tests/p/A.java": "package p;\nclass A { }\n", "tests/p/B.java": "package p;\nclass B { }\n"})
    assert analyse(root, analyses=[str(program)]).analyses[0].relations == {"Tested": 0}
    write(root, {"src/p/C.java": "package p;\nclass C { }\n"})
    assert changed(program, root) == {("+", "p.A"), ("+", "p.B")}


@pytest.mark.slow
def test_helpers_of_tests_are_attacked_by_nobody(tmp_path: Path) -> None:
    write(
        tmp_path, {"src/test/java/p/Served.java": SERVED, "src/main/java/p/Main.java": "package p;\nclass Main { }\n"}
    )
    assert not analyse(tmp_path, analyses=["taint"], verify=False).findings.found
    (tmp_path / "src/test/java/p/Served.java").rename(tmp_path / "src/main/java/p/Served.java")
    assert {f.rule for f in analyse(tmp_path, analyses=["taint"]).findings.found} == {"command-injection"}
