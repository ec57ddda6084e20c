"""What `--entry` says, in one canonical text; what matches nothing is refused; other entry points are another state."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.errors import LadderError
from ladder.session.analyze import Options, state_name
from ladder.session.entries import entry_of, entry_text, expression
from tests.session.projects import analyse, changes, write

KUPDATE = ["kupdate"]
SERVER = """package p;
    public class Server {
        public static void main(String[] args) { }
        void start(int port) { listen(); }
        void start(String host, int port) { }
        void listen() { }
        static class Inner { void start() { } }
        void test() { new Inner().start(); }
    }
"""


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([], "auto"),
        (["auto"], "auto"),
        (["public", "main"], "main,public"),
        (["tests, main", "main"], "main,tests"),
        (["a.B.f(int,long),main"], "main,a.B.f(int,long)"),
        (["<a.B: int f(int,a.C)>", "a.*"], "<a.B: int f(int,a.C)>,a.*"),
        (["a.B.<init>,a.B.g"], "a.B.<init>,a.B.g"),
        (["a.B.f(int, long) , <a.B: int g(int ,long)>"], "<a.B: int g(int,long)>,a.B.f(int,long)"),
    ],
)
def test_all_ways_to_say_the_same_are_one_text(texts: list[str], said: str) -> None:
    assert entry_text(texts) == said == entry_text([said])


def test_a_text_is_taken_apart_at_commas_outside_of_brackets() -> None:
    entry = entry_of("main,tests,<a.B: int f(int,a.C)>,a.B.f(int,long),a.B.<init>")
    assert entry.policies == ("main", "tests")
    assert [pattern for pattern, _ in entry.patterns] == ["<a.B: int f(int,a.C)>", "a.B.f(int,long)", "a.B.<init>"]


def test_words_that_are_neither_policy_nor_pattern_are_refused() -> None:
    with pytest.raises(LadderError, match="There is no entry policy pubic") as error:
        entry_text(["pubic"])
    assert "auto, main, tests, frameworks, public, all" in error.value.hint


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("a.B$C.f*", r"a\.B\$C\.f.*\(.*\)"),
        ("a.B.<init>", r"a\.B\.<init>\(.*\)"),
        ("a.B.f(int[])", r"a\.B\.f\(int\[\]\)"),
        ("<a.B: int f(*)>", r"<a\.B: int f\(.*\)>"),
    ],
)
def test_patterns_as_regular_expressions(pattern: str, meant: str) -> None:
    assert expression(pattern) == meant


def test_other_entry_points_are_another_state() -> None:
    names = {state_name("pointsto", Options(entry)) for entry in ("auto", "main", "main,tests", "p.A.f", "p.A.g")}
    assert len(names) == 5


# ---- runs


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "project", {"p/Server.java": SERVER})
    return tmp_path / "project"


def taken(root: Path, tmp_path: Path, entry: str) -> set[str]:
    """The methods that a run with `entry` starts in."""
    analyse(root, analyses=KUPDATE, entry=entry_text([entry]), output=tmp_path / "out", format_="csv", verify=False)
    rows = (tmp_path / "out" / "EntryPoint.csv").read_text("utf-8").splitlines()[1:]
    return {row.strip('"').partition(": ")[2].rstrip(">") for row in rows}


@pytest.mark.slow
def test_patterns_name_methods_as_tables_show_them(root: Path, tmp_path: Path) -> None:
    assert taken(root, tmp_path, "p.Server.start(int)") == {"void start(int)"}
    assert taken(root, tmp_path, "p.Server.start") == {"void start(int)", "void start(java.lang.String,int)"}
    assert taken(root, tmp_path, "<p.Server: void start(java.lang.String,int)>, p.Server$*.start") == {
        "void start(java.lang.String,int)",
        "void start()",
    }
    assert taken(root, tmp_path, "main,p.*.listen") == {"void main(java.lang.String[])", "void listen()"}


@pytest.mark.slow
def test_a_pattern_that_matches_nothing_is_one_message(root: Path) -> None:
    analyse(root, analyses=KUPDATE, entry="p.Server.start")
    with pytest.raises(LadderError, match=r"No method with a body is called p\.None\.\*\."):
        analyse(root, analyses=KUPDATE, entry="main,p.None.*")
    write(root, {"p/Server.java": SERVER.replace("start", "run")})
    with pytest.raises(LadderError, match=r"No method with a body is called p\.Server\.start\."):
        analyse(root, analyses=KUPDATE, entry="p.Server.start")
    write(root, {"p/Server.java": SERVER})
    assert analyse(root, analyses=KUPDATE, entry="p.Server.start").analyses[0].mode == "unchanged"


def test_analyses_that_take_no_patterns_say_so(root: Path) -> None:
    with pytest.raises(LadderError, match="does not read EntryPattern"):
        analyse(root, analyses=["linking"], entry="p.Server.start")


@pytest.mark.slow
def test_an_annotation_and_a_row_about_frameworks_are_updates(root: Path, tmp_path: Path) -> None:
    wishes = {"analyses": ["pointsto"], "entry": "main,tests,frameworks"}
    first = analyse(root, **wishes)
    assert first.analyses[0].mode == "bootstrap" and first.analyses[0].scope.entries == {"main": 1}
    write(root, {"p/Server.java": SERVER.replace("void test()", "@org.junit.Test void test()")})
    second = analyse(root, **wishes)
    assert second.analyses[0].mode == "update" and second.analyses[0].verified
    assert ("+", "JUnit 4", "<p.Server: void test()>") in changes(second)["EntryKind"]
    assert ("+", "<p.Server$Inner: void start()>") in changes(second)["Reachable"]
    models = tmp_path / "acme.yml"
    models.write_text(
        "extensions:\n- addsTo: {pack: own, extensible: entryPointModel}\n"
        '  data:\n  - [frameworks, Acme, com.acme, Handler, subtype, "on.*"]\n'
    )
    handler = "package p; class Bell extends com.acme.Handler { void onRing() { } void own() { } }"
    write(root, {"p/Bell.java": handler})
    assert "Acme" not in (analyse(root, **wishes).analyses[0].scope.entries or {})
    with_rows = analyse(root, models=[models], **wishes)
    assert with_rows.analyses[0].mode == "update" and with_rows.analyses[0].verified
    assert (with_rows.analyses[0].scope.entries or {})["Acme"] == 2
    assert with_rows.analyses[0].scope.reached == (7, 11)
