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
