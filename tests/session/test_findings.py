"""Findings of `analyze`: where they are, what became of them, who suppresses them, what they make of the exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pygit2
import pytest

from ladder.errors import LadderError, ProjectError
from ladder.frontends.java.suppressions import SUPPRESSIONS
from ladder.project.files import Project
from ladder.report.findings import Findings, Found, Rule, Spot, as_lines, coloured
from ladder.report.sarif import as_sarif, fingerprints_of
from ladder.report.summary import Report, as_json, as_text
from ladder.session.describing import LONG_WAY
from ladder.session.findings import compared
from ladder.session.remarks import comments_of, generated_line
from tests.session.projects import CALLS, FLAWED, FLAWS, analyse, commit, write

A, B = FLAWED.values()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    write(folder, FLAWED)
    return folder


def flaws(root: Path, **wishes: Any) -> Report:
    return analyse(root, **({"analyses": [FLAWS]} | wishes))


def found(report: Report) -> list[tuple[str, str, str, str]]:
    return [(f.rule, str(f.spot), f.state, f.suppressed) for f in report.findings.found]


def test_a_finding_has_words_a_place_a_flow_and_a_source_line(root: Path) -> None:
    report = flaws(root)
    [finding] = report.findings.found
    assert finding.message == "B.oldDone is old, A.run calls it"
    assert (str(finding.spot), finding.source) == ("src/p/B.java:4:5", "    oldDone(1);")
    assert [(str(spot), text) for spot, text in finding.related] == [("src/p/B.java:6:8", "declared here")]
    assert [(str(spot), text) for spot, text in finding.flow] == [
        ("src/p/A.java:3:8", "A.run"),
        ("src/p/A.java:3:24", "B.help"),
        ("src/p/B.java:4:5", "B.oldDone"),
    ]
    text = as_text(report)
    assert "findings: 1\nsrc/p/B.java\n  4:5  error  B.oldDone is old" in text and "[old-call]" in text
    assert "          oldDone(1);\n          ^~~~~~~" in text


KEPT = """package p;
import java.util.*;
class Kept {
  public static void main(String[] args) throws Exception {
    List<Object> all = new ArrayList<>();
    all.add(args[0]);
    Runtime.getRuntime().exec((String) all.get(0));
  }
}
"""


TESTED = """
import java.util.Map;

class Tested {
    public static void main(String[] args) throws Exception {
        String word = args[0];
        if (word instanceof String) {
            Runtime.getRuntime().exec(word);
        }
        Object found = find(Map.of("a", "b"), args.length);
        if (!(found instanceof Integer)) {
            System.out.println(found.toString());
        }
    }

    static Object find(Map<String, String> all, int n) {
        if (n > 3) return null;
        return all.get("a");
    }
}
"""
ASKED = """package p;
import javax.servlet.http.*;
public class Asked extends HttpServlet {
  public static void main(String[] args) throws Exception {
    Runtime.getRuntime().exec(args);
  }
  @Override protected void doGet(HttpServletRequest request, HttpServletResponse response) { }
}
"""


@pytest.mark.slow
def test_a_way_begins_with_the_words_of_its_source(tmp_path: Path) -> None:
    """A parameter is the source, and the first variable of the way."""
    write(tmp_path, {"Asked.java": ASKED})
    [finding] = analyse(tmp_path, analyses=["taint"], entry="main", keep=False, verify=False).findings.found
    assert [text for _, text in finding.flow] == ["comes from the command line", "reaches exec()"]


@pytest.mark.slow
def test_steps_without_a_text_are_not_shown_but_for_the_first(tmp_path: Path) -> None:
    """What a container gives, and the cast of it, have no words in the relation of steps, which has texts."""
    write(tmp_path, {"Kept.java": KEPT})
    [finding] = analyse(tmp_path, analyses=["taint"], entry="main", keep=False, verify=False).findings.found
    assert [text for _, text in finding.flow] == [
        "comes from the command line",
        "read from the array",
        "put into the list, and taken by get()",
        "reaches exec()",
    ]


@pytest.mark.slow
def test_tests_of_types_are_no_steps(tmp_path: Path) -> None:
    """Uses behind a test read a part of the variable, which nothing in the source assigns."""
    write(tmp_path, {"Tested.java": TESTED})
    taint = analyse(tmp_path, analyses=["taint"], entry="main", keep=False, verify=False).findings.found
    assert [[text for _, text in finding.flow] for finding in taint] == [
        ["comes from the command line", "read from the array", "reaches exec()"]
    ]
    null = analyse(tmp_path, analyses=["nullness"], entry="main", keep=False, verify=False).findings.found
    assert [[text for _, text in finding.flow] for finding in null] == [
        ["null", "returned by find()", "dereferenced"],
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("calls", "level"), [(3, "error"), (LONG_WAY, "note")])
def test_what_is_found_at_the_end_of_a_long_way_is_a_note(tmp_path: Path, calls: int, level: str) -> None:
    """Each call on the way is a step."""
    hops = "\n".join(f"  void hop{i}(String it) throws Exception {{ hop{i + 1}(it); }}" for i in range(calls))
    last = f"  void hop{calls}(String it) throws Exception {{ Runtime.getRuntime().exec(it); }}\n"
    get = "  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {\n"
    begin = '    hop0(request.getParameter("name"));\n  }\n'
    text = f"import javax.servlet.http.*;\nclass Far extends HttpServlet {{\n{get}{begin}{hops}\n{last}}}\n"
    write(tmp_path, {"Far.java": text})
    [finding] = analyse(tmp_path, analyses=["taint"], keep=False, verify=False).findings.found
    assert finding.level == level and len(finding.flow) > calls


def test_findings_are_new_unchanged_or_fixed(root: Path) -> None:
    flaws(root)
    write(root, {"src/p/A.java": A + "\n"})
    assert found(flaws(root)) == [("old-call", "src/p/B.java:4:5", "unchanged", "")]
    write(root, {"src/p/B.java": B.replace("oldDone(1);", "oldDone(1);\n    oldDone(2);")})
    report = flaws(root)
    assert found(report) == [
        ("old-call", "src/p/B.java:4:5", "unchanged", ""),
        ("old-call", "src/p/B.java:5:5", "new", ""),
    ]
    assert "findings: 2 (1 new, 0 fixed, 1 unchanged since the last run)" in as_text(report)
    write(root, {"src/p/B.java": B.replace("oldDone(1);", "")})
    report = flaws(root)
    assert [state for _, _, state, _ in found(report)] == ["absent", "absent"]
    assert "findings: 0 (0 new, 2 fixed, 0 unchanged since the last run)" in as_text(report)


@pytest.mark.parametrize(
    "edited",
    [
        B.replace("class B {", "class B {\n\n  // moved\n\n"),
        B.replace("oldDone(1);", "oldDone( 1 ) ;"),
        B.replace("void help()", "void helped()"),
    ],
    ids=["moved", "formatted", "renamed"],
)
def test_a_finding_stays_the_same(root: Path, edited: str) -> None:
    pygit2.init_repository(str(root))
    first = commit(root)
    flaws(root)
    write(root, {"src/p/B.java": edited, "src/p/A.java": A.replace("help", "helped") if "helped" in edited else A})
    assert [state for _, _, state, _ in found(flaws(root, baseline=first))] == ["unchanged"]


@pytest.mark.parametrize(
    ("line", "suppressed"),
    [
        ("oldDone(1); // ladder: ignore old-call it is fine", "comment in line 4: it is fine"),
        ("// ladder: ignore *\n    oldDone(1);", "comment in line 4"),
        ("oldDone(1); // ladder: ignore far", ""),
        ("int n = 1; // ladder: ignore old-call\n    oldDone(1);", ""),
    ],
)
def test_comments_suppress(root: Path, line: str, suppressed: str) -> None:
    write(root, {"src/p/B.java": B.replace("oldDone(1);", line)})
    report = flaws(root)
    assert [f.suppressed for f in report.findings.found] == [suppressed]
    assert len(report.findings.idle) == (not suppressed)
    assert ("suppresses nothing" in as_text(report)) == (not suppressed)


@pytest.mark.parametrize(
    ("annotation", "suppressed"),
    [
        ('@SuppressWarnings("ladder:old-call") void help()', "annotation of p.B.help()"),
        ('@SuppressWarnings({"unchecked", "ladder"}) void help()', "annotation of p.B.help()"),
        ('@SuppressWarnings("old-call") void help()', ""),
        ("@Deprecated void help()", ""),
    ],
)
def test_annotations_suppress(root: Path, annotation: str, suppressed: str) -> None:
    write(root, {"src/p/B.java": B.replace("void help()", annotation)})
    assert [f.suppressed for f in flaws(root).findings.found] == [suppressed]


@pytest.mark.parametrize(
    ("head", "suppressed"),
    [
        ("// Generated by JFlex 1.9.1 http://jflex.de/\n", "generated code: Generated by JFlex 1.9.1 http://jflex.de"),
        ("/*\n * DO NOT EDIT!\n */\n", "generated code: DO NOT EDIT!"),
        ("// Numbers that the caller has generated.\n", ""),
    ],
)
def test_generated_files_suppress(root: Path, head: str, suppressed: str) -> None:
    write(root, {"src/p/B.java": head + B})
    report = flaws(root)
    assert [f.suppressed for f in report.findings.found] == [suppressed]
    assert ("1 finding in 1 file of generated code" in as_text(report)) == bool(suppressed)


def test_reasons_of_suppressions_are_looked_through_once() -> None:
    long = " " * 200_000
    lines = [f"// ladder: ignore rule known{long}b", "/* ladder: ignore rule a */ f(); /* b */"]
    assert [comment.reason for comment in comments_of(lines)] == [f"known{long}b", "a"]


def test_a_declaration_says_that_it_is_generated() -> None:
    head = ["package p;", "", "import q.Q;"]
    assert generated_line([*head, "/** This class is generated by jOOQ. */", "class A { }"])
    assert generated_line([*head, '@javax.annotation.processing.Generated("tool")', "class A { }"])
    assert not generated_line([*head, "/** Keys generated by the server. */", "class A { }", "// was generated"])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "oldDone(1); // ladder: ignore old-cal",
            "neither this run nor Ladder has a rule old-cal, did you mean old-call?",
        ),
        ("oldDone(1); // ladder: ignore sql-injektion", "did you mean sql-injection?"),
        ("oldDone(1); // ladder: ignore sql-injection", ""),
        ("oldDone(1); // ladder: ignore a-rule-of-another-team", ""),
        ("oldDone(1); // ladder: ignore sql-injection, old-call both", ""),
    ],
)
def test_names_of_rules_that_are_misspelt_are_told(root: Path, line: str, said: str) -> None:
    write(root, {"src/p/B.java": B.replace("oldDone(1);", line)})
    report = flaws(root)
    assert [text.endswith(said) for _, text in report.findings.idle] == [True] * bool(said)
    assert [f.suppressed for f in report.findings.found] == ["comment in line 4: both" if "," in line else ""]


def test_of_several_analyses_one_is_enough_to_use_a_suppression(root: Path, tmp_path: Path) -> None:
    write(root, {"src/p/B.java": B.replace("oldDone(1);", "oldDone(1); // ladder: ignore * all")})
    both = [FLAWS, "resources"]
    report = flaws(root, analyses=both)
    assert [f.suppressed for f in report.findings.found if f.rule == "old-call"] == ["comment in line 4: all"]
    assert not report.findings.idle
    log = tmp_path / "known.sarif"
    log.write_text(as_sarif(report))
    assert not flaws(root, analyses=both, known=[log]).findings.idle
    alone = flaws(root, analyses=["resources"], known=[log]).findings.idle
    assert [spot is not None for spot, _ in alone] == [True]  # of the comment, not of what the log has of `flaws`


def test_two_analyses_do_not_declare_the_same_rule(root: Path, tmp_path: Path) -> None:
    """Analyses that include the same declaration have the same rule."""
    copy, including = tmp_path / "copy.dl", tmp_path / "including.dl"
    for name in ("calls.dl", "old.md"):
        (tmp_path / name).write_text(Path(FLAWS).with_name(name).read_text())
    copy.write_text(Path(FLAWS).read_text())
    with pytest.raises(LadderError, match=r"Two analyses declare a rule old-call: .*copy.dl.*: suppressions"):
        flaws(root, analyses=[FLAWS, str(copy)])
    including.write_text(f'.include "{FLAWS}"\n')
    report = flaws(root, analyses=[FLAWS, str(including)])
    assert [f.rule for f in report.findings.found] == ["old-call"]


def test_annotations_for_compilers_suppress_what_finds_the_same() -> None:
    facts = {
        "Annotation": [("p.B.help()/@SuppressWarnings#1", "p.B.help()", "p.B/type SuppressWarnings")],
        "AnnotationElement": [
            ("p.B.help()/@SuppressWarnings#1", "value", place, "string", value)
            for place, value in enumerate(['"resource"', '"unchecked"', '"ladder:sql-injection"'])
        ],
    }
    rules = {"unclosed-resource", "unclosed-on-exception", "sql-injection"}
    assert SUPPRESSIONS.of(facts) == {"p.B.help()": rules}


def test_a_log_suppresses_what_it_has(root: Path, tmp_path: Path) -> None:
    log = tmp_path / "known.sarif"
    log.write_text(as_sarif(flaws(root)))
    assert [f.suppressed for f in flaws(root, known=[log]).findings.found] == ["known by known.sarif"]
    write(root, {"src/p/B.java": B.replace("oldDone(1);", "")})
    report = flaws(root, known=[log])
    assert "1 finding of known.sarif is not there any more" in as_text(report)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"runs": 1}', '{"runs": [{"results": [7]}]}', "null"])
def test_what_is_no_log_is_refused(tmp_path: Path, content: str) -> None:
    log = tmp_path / "log"
    log.write_text(content)
    with pytest.raises(LadderError, match="is no SARIF log"):
        fingerprints_of([log])
    with pytest.raises(LadderError, match="cannot be read: No such file"):
        fingerprints_of([tmp_path / "none"])


def test_the_base_is_where_the_work_left_the_main_branch(root: Path) -> None:
    with pytest.raises(ProjectError, match="has no commit to compare with"):
        Project(root).base()
    repository = pygit2.init_repository(str(root), initial_head="main")
    first = commit(root)
    repository.branches.local.create("work", repository[first])
    write(root, {"README": "more"})
    commit(root)
    repository.checkout(repository.branches["work"])
    write(root, {"src/p/A.java": A + "\n"})
    commit(root)
    assert Project(root).base() == first
    repository.branches["main"].rename("other")
    with pytest.raises(ProjectError, match="has no branch origin/HEAD or"):
        Project(root).base()


def test_sarif_says_it_all(root: Path) -> None:
    flaws(root)
    write(root, {"src/p/B.java": B.replace("oldDone(1);", "oldDone(1); // ladder: ignore old-call why not")})
    log = json.loads(as_sarif(flaws(root)))
    [run] = log["runs"]
    rule = run["tool"]["driver"]["rules"][0]
    assert rule["id"] == "old-call" and rule["help"]["markdown"].startswith("# Old calls")
    assert rule["defaultConfiguration"] == {"level": "error"} and rule["properties"]["tags"] == ["CWE-477", "age"]
    [result] = run["results"]
    assert result["baselineState"] == "unchanged" and result["ruleIndex"] == 0
    assert result["suppressions"] == [{"kind": "inSource", "justification": "comment in line 4: why not"}]
    assert len(result["codeFlows"][0]["threadFlows"][0]["locations"]) == 3
    assert set(result["partialFingerprints"]) == {"ladder/v1", "ladderLine/v1"}
    assert run["originalUriBaseIds"]["PROJECT"]["uri"] == f"{root.resolve().as_uri()}/"


def test_limits_of_code_hosts_are_kept_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from ladder.report import sarif

    for name in ("MOST_RESULTS", "MOST_LOCATIONS", "MOST_STEPS"):
        monkeypatch.setattr(sarif, name, 2)
    spot = Spot("a", 1)
    many = tuple((spot, str(number)) for number in range(3))
    findings = [Found("r", "note", str(n), spot, related=many, flow=many, fingerprint=str(n)) for n in range(4)]
    log = json.loads(as_sarif(report_of(Findings(findings, {"r": Rule("r", "note")}))))
    [run] = log["runs"]
    assert [result["message"]["text"] for result in run["results"]] == ["0", "1"]
    assert len(run["results"][0]["relatedLocations"]) == 2
    assert len(run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]) == 2
    said = [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]]
    assert said[0].startswith("2 results of 4 left out") and len(said) == 3


def report_of(findings: Findings) -> Report:
    from ladder.report.summary import AnalysisReport

    analyses = [AnalysisReport("x", "bootstrap", {}, findings=findings)]
    return Report("/p", "directory", 1, 1, 1, 1, "local", 1, {}, [], {"total": 1.0}, (1, 0), analyses)


SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("analyses", [[FLAWS], [CALLS], [FLAWS, CALLS]], ids=["findings", "none", "two"])
def test_the_json_has_the_form_that_the_documentation_describes(root: Path, analyses: list[str]) -> None:
    pygit2.init_repository(str(root))
    commit(root)
    analyse(root, analyses=analyses)
    write(
        root, {"src/p/B.java": B.replace("oldDone(1);", "oldDone(2); // ladder: ignore far"), "src/p/C.java": "class {"}
    )
    for wishes in ({}, {"baseline": "HEAD"}):
        jsonschema.validate(json.loads(as_json(analyse(root, analyses=analyses, **wishes))), SCHEMA)


def test_the_json_has_findings_and_rows(root: Path) -> None:
    flaws(root)
    write(root, {"src/p/B.java": B.replace("oldDone(1);", "oldDone(1);\n    oldDone(2);")})
    report = json.loads(as_json(flaws(root)))
    assert report["version"] == 2 and report["findings_counts"]["new"] == 1
    assert [finding["state"] for finding in report["findings"]] == ["unchanged", "new"]
    assert report["findings"][1]["row"][0] == "p.B.help()/call oldDone: oldDone(2)"
    [analysis] = report["analyses"]
    assert {row["change"] for row in analysis["changes"]["Call"]} == {"+"}


def test_the_json_has_fixed_findings_apart(root: Path) -> None:
    flaws(root)
    write(root, {"src/p/B.java": B.replace("oldDone(1);", "")})
    report = json.loads(as_json(flaws(root)))
    assert all(finding["state"] == "unchanged" for finding in report["findings"])
    assert [finding["state"] for finding in report["fixed"]] == ["absent"] and report["findings_counts"]["fixed"] == 1


def test_compared_by_line() -> None:
    def finding(key: str, line: str) -> Found:
        return Found("r", "note", key, fingerprint=key, by_line=line)

    here = [finding("a", "x"), finding("b", "x"), finding("c", "y")]
    gone = [finding("d", "x"), finding("e", "z"), finding("f", ""), finding("a", "x")]
    states = {f.message: f.state for f in compared(here, gone, {"a", "b", "c"})}
    assert states == {"a": "unchanged", "b": "unchanged", "c": "new", "e": "absent", "f": "absent"}


def test_colours_and_long_flows() -> None:
    spot = Spot("a\x1b", 1)
    flow = tuple((spot, f"step {number}") for number in range(20))
    finding = Found("r", "error", "m\x1b[2J", spot, flow=flow, fingerprint="f", state="new")
    lines = list(as_lines(Findings([finding], {"r": Rule("r", "error")}, since="x"), coloured))
    assert "\x1b[31merror" in "".join(lines) and "\x1b[2J" not in "".join(lines)
    assert sum("step" in line for line in lines) == 12 and any("… 8 more steps …" in line for line in lines)


def test_the_gravest_are_shown_and_all_are_counted_by_rule() -> None:
    def found(number: int, rule: str, level: str, **more: object) -> Found:
        return Found(rule, level, f"no {number}", Spot(f"F{number:03}.java", 1), **more)  # type: ignore[arg-type]

    notes = [found(number, "dull", "note") for number in range(60)]
    related = tuple((Spot("G.java", line), "the number comes from here") for line in range(1, 8))
    others = [found(70, "bad", "error", related=related), found(80, "odd", "warning"), found(90, "odd", "warning")]
    told = list(as_lines(Findings([*notes, *others], {"dull": Rule("dull", "note")})))
    assert told[:4] == ["findings: 63", "  1 error: bad 1", "  2 warnings: odd 2", "  60 notes: dull 60"]
    files = [line for line in told if line.endswith(".java")]
    assert len(files) == 50 and files[:4] == ["F070.java", "F080.java", "F090.java", "F000.java"]
    assert told[-1] == "… 13 notes are not shown; --format json or sarif has all"
    places = [line for line in told if "the number comes from here" in line]
    assert len(places) == 4 and "      … and 3 more places" in told
    errors = [found(number, "bad", "error") for number in range(100, 180)]
    told = list(as_lines(Findings([*notes, *others, *errors], {"dull": Rule("dull", "note")})))
    assert told[-1] == "… 31 errors, 2 warnings and 60 notes are not shown; --format json or sarif has all"
    told = list(as_lines(Findings([*notes[:48], *others], {"dull": Rule("dull", "note")})))
    assert told[-1] == "… 1 note is not shown; --format json or sarif has all"
    assert list(as_lines(Findings(others[1:], {"odd": Rule("odd", "warning")})))[:2] == ["findings: 2", "F080.java"]


def test_of_many_errors_one_of_each_rule_and_those_with_short_ways_are_shown() -> None:
    def found(number: int, rule: str, steps: int) -> Found:
        spot = Spot(f"F{number:03}.java", 1)
        return Found(rule, "error", f"no {number}", spot, flow=((spot, "step"),) * steps)

    many = [found(number, "many", 60 - number) for number in range(60)]
    told = list(as_lines(Findings([*many, found(70, "one", 9)], {"many": Rule("many", "error")})))
    files = [line for line in told if line.endswith(".java")]
    assert len(files) == 50 and files[:2] == ["F059.java", "F070.java"]
    assert "F010.java" not in files and "F011.java" in files


def test_the_gravest_of_those_that_were_there_before_are_listed() -> None:
    def found(number: int, level: str) -> Found:
        return Found(level, level, f"no {number}", Spot(f"F{number:03}.java", 1), state="unchanged")

    rules = {level: Rule(level, level) for level in ("error", "note")}  # type: ignore[arg-type]
    before = [found(number, "note") for number in range(40)] + [found(50, "error")]
    told = list(as_lines(Findings(before, rules, since="the last run")))
    assert [line for line in told if "F050" in line] == ["unchanged  F050.java:1:1  error  no 50  [error]"]
    assert told[-1] == "… and 21 notes more unchanged; --format json or sarif has all"
