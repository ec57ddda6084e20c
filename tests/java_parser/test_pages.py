"""Pages of servlet containers: the class that they become, and where its parts stand in the page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.pages import PageText, class_of

PATH = "web/a-b.jsp"
BEAN = "<jsp:useBean id='b' class='B'/>"


def code(page: str) -> str:
    """The statements of a page's method, blanks as one."""
    text = " ".join(PageText(page, PATH).text.split())
    return text.partition("java.io.IOException {")[2].removesuffix("}}").strip()


@pytest.mark.parametrize(
    ("page", "statements"),
    [
        ("", ""),
        ("<b>text</b>", ";"),
        ("<% int n = 1; %>", "int n = 1;"),
        ("<% if (a) %>yes<% else b(); %>", "if (a) ; else b();"),
        ("<%-- <% hidden(); %> --%>", ""),
        ("<% first(); // a comment %><% second(); %>", "first(); // a comment second();"),
        ("<\\% no code %>", ";;"),
        ("<c:out value='${param.q}'/>", ";"),
        ("<c:if test='${a > 1}'><% f(); %></c:if>", "; f(); ;"),
        ("<f:x a=\"<%= g() %>\" b='<% h(); %>'>", 'request.setAttribute("", g() ); h(); ;'),
        ("<f:x a='<%= g() %>'/><% h(); %><b title='t'>", 'request.setAttribute("", g() );; h(); ;'),
        ("<f:x a='<%= g(\"'>\") %>' b='2'/>text", 'request.setAttribute("", g("\'>") );;;'),
        ("<jsp:useBean id='b' class='a.B'/>", "a.B b = new a.B();"),
        ("<jsp:useBean id='b' class='a.B; f()'/>", ""),
        ("${a.b}", ";"),
        ("\\${param.q}", ";;"),
        ("<% never closed", "never closed"),
        ("<c:out value='never closed", ";"),
    ],
)
def test_statements(page: str, statements: str) -> None:
    assert code(page) == statements


def test_what_is_written() -> None:
    for page, written in [
        ("<%= a + b %>", "out.print( a + b );"),
        ("${param.q}", 'out.print(request.getParameter("q"));'),
        ("${ header['User-Agent'] }", 'out.print(request.getHeader("User-Agent"));'),
        (
            f"{BEAN}<jsp:setProperty name='b' property='x'/><jsp:getProperty name='b' property='x'/>",
            'B b = new B();b.setX(request.getParameter("x"));out.print(b.getX());',
        ),
    ]:
        declared, _, rest = code(page).partition(".getOut();")
        assert declared.startswith("JspWriter out = ") and rest == written


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("<jsp:include page='b.jsp'/>", ["||"]),
        ("<jsp:include page='b.jsp?x=1&y=${param.q}'></jsp:include>", ["|x|"]),
        ("<c:import url='b.jsp'><c:param name='x' value='${v}'/><c:param name='y'>z</c:param></c:import>", ["|x|"]),
        ("<jsp:forward page='b.jsp'><jsp:param name='x' value='<%= f() %>'/></jsp:forward>", ["||"]),
        ("<%@ include file='b.jsp' %>", ["||"]),
        ("<jsp:include page='${b}'/><jsp:include page='../b.jsp'/><jsp:param name='x' value='1'/>", []),
    ],
)
def test_pages_below_web_inf_that_a_page_runs(page: str, names: list[str]) -> None:
    text = PageText(page, "w/WEB-INF/a.jsp").text
    told = [name.partition('"')[0] for name in text.split(f'("org.apache.jsp.{class_of("w/WEB-INF/b.jsp")}", "')[1:]]
    assert told == [word for name in names for word in ("/w/WEB-INF/b.jsp", name)]


def test_imports_and_members() -> None:
    text = PageText(
        '<%@ page import="a.B, java.util.*" session="true" %><%! int n; %><%@ include file="c.jsp" %>', PATH
    ).text
    assert "import a.B;\nimport java.util.*;\n" in text and " int n; \npublic void service(" in text


PAGE = """<%@ page import="java.util.List" %>
<ul>
  <% for (String name : names()) { %>
    <li><%= shown(name) %></li>
  <% } %>
</ul>
<%! List<String> names() { return List.of("a"); }
    String shown(String text) { return text.trim(); } %>
"""


def test_positions_are_those_of_the_page() -> None:
    found = facts_of(PAGE.encode(), PATH)
    assert found.parser == "javalang" and not found.diagnostics and found.lines == 8
    assert found.types == ("org.apache.jsp._a_b_jsp_e20f44",)
    lines, at = PAGE.splitlines(), {row[0]: row[1:] for row in found.relations["Position"]}
    names = {row[2]: at[row[0]] for row in found.relations["Invocation"]}
    for name, word in (("shown", "shown(name)"), ("names", "names())"), ("trim", "trim()"), ("print", "<%=")):
        line, column = names[name]
        assert lines[line - 1][column - 1 :].startswith(word), (name, line, column)


PARTS = st.sampled_from(
    [
        "<%",
        "<%=",
        "<%!",
        '<%@ page import="a.B" ',
        "<%--",
        "--%>",
        "%>",
        "<c:out a=",
        "<jsp:useBean id='b' class='B'",
        ">",
    ]
    + [
        "/>",
        "'",
        '"',
        "${",
        "param.q",
        "}",
        "\\",
        "{",
        "}",
        "(",
        ")",
        ";",
        "if (a)",
        "f(x)",
        "\n",
        " ",
        "é",
        "\\u0041",
        "//",
    ]
)


@given(st.lists(PARTS, max_size=40))
def test_any_text_is_read_or_refused_at_a_place_of_the_page(parts: list[str]) -> None:
    page = "".join(parts)
    found = facts_of(page.encode(), PATH)
    lines = page.count("\n") + 1
    assert all(1 <= line <= lines and kind != "lowering" for line, _, kind, _ in found.diagnostics)
    assert all(1 <= row[1] <= lines for row in found.relations.get("Position", ()))
