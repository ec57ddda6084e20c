"""Pages (JSP) of a project: what is found in them, and after edits of them."""

from __future__ import annotations

from pathlib import Path

from ladder.report.summary import Report
from tests.session.projects import analyse, write

PAGE = """<%@ page import="shop.Names" %>
<h1>Hello</h1>
<p><%= Names.first(request.getParameter("name")) %></p>
<p><%= Names.count(request.getParameter("name")) %></p>
"""
NAMES = """package shop;
public class Names {
    public static String first(String name) { return name.trim(); }
    public static int count(String name) { return name.length(); }
}
"""
PLACE = ("html-injection", "web/hello.jsp:3:4")


def found(report: Report) -> list[tuple[str, str, str]]:
    return sorted((f.rule, str(f.spot), f.state) for f in report.findings.found)


def test_what_a_page_writes_is_found_at_its_place_and_stays_the_same_finding(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, {"src/shop/Names.java": NAMES, "web/hello.jsp": PAGE, "web/text.jsp": "<p>No code</p>"})
    first = analyse(root, analyses=["taint"])
    assert found(first) == [(*PLACE, "")] and not first.diagnostics and first.files == 3
    assert any("returned by first()" in text for _, text in first.findings.found[0].flow)
    write(root, {"web/hello.jsp": PAGE.replace("Hello", "<% Names.count(null); %>\nHello")})
    edited = analyse(root, analyses=["taint"])
    assert edited.analyses[0].mode == "update" and found(edited) == [(PLACE[0], "web/hello.jsp:4:4", "unchanged")]
    assert edited.findings.found[0].fingerprint == first.findings.found[0].fingerprint
    write(root, {"web/hello.jsp": PAGE.replace("Names.first(", "Names.count(")})
    assert found(analyse(root, analyses=["taint"])) == [(PLACE[0], "web/hello.jsp:4:4", "absent")]


def test_pages_of_the_same_text_are_two(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, {"src/shop/Names.java": NAMES, "a/hello.jsp": PAGE, "b/hello.jsp": PAGE})
    report = analyse(root, analyses=["taint"])
    assert [place for _, place, _ in found(report)] == ["a/hello.jsp:3:4", "b/hello.jsp:3:4"]
    assert not report.diagnostics


PART = '<b title="${param.title}"><%= request.getParameter("size") %></b>'
RUNS_PART = """<c:import url="part.jsp">
<c:param name="title" value="${item.title}"/><c:param name="size" value="2"/></c:import>
<jsp:include page="/WEB-INF/part.jsp?title=Items"><jsp:param name="size" value="%s"/></jsp:include>
"""


def test_a_page_that_other_pages_run_takes_what_they_give_it(tmp_path: Path) -> None:
    """Not where one of them gives it what the request says, or nothing, nor where a browser or code gets the page."""
    root = tmp_path / "project"
    write(root, {"web/WEB-INF/part.jsp": PART, "web/WEB-INF/list.jsp": RUNS_PART % "3", "src/A.java": "class A { }"})
    assert found(analyse(root, analyses=["taint"])) == []
    write(root, {"web/WEB-INF/list.jsp": RUNS_PART % "${param.size}"})
    of_size, of_title = (f"web/WEB-INF/part.jsp:1:{column}" for column in (27, 11))
    assert found(analyse(root, analyses=["taint"])) == [("html-injection", of_size, "new")]
    write(root, {"web/WEB-INF/list.jsp": '<%@ include file="part.jsp" %>'})
    assert {place for _, place, _ in found(analyse(root, analyses=["taint"]))} == {of_size, of_title}
    write(root, {"web/WEB-INF/list.jsp": RUNS_PART % "3", "src/A.java": 'class A { String b() { return "part"; } }'})
    assert {place for _, place, _ in found(analyse(root, analyses=["taint"]))} == {of_size, of_title}


def test_a_page_that_a_browser_gets_takes_what_the_request_says(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, {"web/part.jsp": PART, "web/list.jsp": RUNS_PART % "3", "src/A.java": "class A { }"})
    assert len(found(analyse(root, analyses=["taint"]))) == 2
