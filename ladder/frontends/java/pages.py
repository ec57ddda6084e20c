"""Pages of servlet containers (JSP) → Java text: the servlet that a container makes of a page, as far as code goes.

    <%@ page import="a.B" %>    →  import a.B;
    <%! int n; %>               →  a member of the class, before the method
    <% code %>                  →  code
    <%= value %>                →  out.print(value); or, where it is an attribute of a tag with a prefix, value
    ${param.name}               →  out.print(request.getParameter("name"));     so are headers
    <jsp:useBean …>             →  a new object
    <jsp:setProperty …>, <jsp:getProperty …>    →  a call of its setter, its getter's value written

Everything else is text, of which a `;` is left, since what writes it is a statement. Left out are other expressions
`${…}`, those in attributes of tags with a prefix, most of which escape what they write, and what a page includes when
it is compiled (`<%@ include %>`): fragments are pages of their own. After Jakarta Server Pages 3.1, chapters 1 and 5.

The text is in pieces, each of which knows where in the page it stands (`PageText`): positions are those of the page.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ladder.frontends.java.lexer import SourceText

_OPENING = re.compile(r"<%--|<%@|<%!|<%=|<%|<(?P<tag>[A-Za-z][\w.-]*:[A-Za-z][\w.-]*)|\$\{|\\\$\{|<\\%")
_CODE = re.compile(r"<%--|<%=|<%")
_IMPORTS = re.compile(r"""\bimport\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ATTRIBUTE = re.compile(r"""(?<![\w.-])([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_NAME = re.compile(r"[A-Za-z_]\w*")
_TYPE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_LOOKED_UP = re.compile(r"(param|header)(?:\.(\w+)|\[\s*[\"']([\w.-]+)[\"']\s*\])")
_GETTERS = {"param": "request.getParameter", "header": "request.getHeader"}
_CONTEXT = "JspFactory.getDefaultFactory().getPageContext(this, request, response, null, true, 8192, true)"
_IMPLICIT = {
    "pageContext": f"PageContext pageContext = {_CONTEXT};",
    "session": "HttpSession session = request.getSession();",
    "application": "ServletContext application = getServletContext();",
    "config": "ServletConfig config = getServletConfig();",
    "out": f"JspWriter out = {_CONTEXT}.getOut();",
    "page": "Object page = this;",
}
_ERRORS = re.compile(r"""\bisErrorPage\s*=\s*["']true["']""")
_EXCEPTION = "Throwable exception = (Throwable) request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);"
_KNOWN = {
    "": ("RequestDispatcher", "ServletConfig", "ServletContext", "ServletException"),
    "http.": ("Cookie", "HttpServlet", "HttpServletRequest", "HttpServletResponse", "HttpSession"),
    "jsp.": ("JspFactory", "JspWriter", "PageContext"),
}


class PageText(SourceText):
    """The Java text of a page, with the map from its offsets to positions in the page; `path`: that of the page, after
    which its class is named."""

    is_java = False

    def __init__(self, page: str, path: str) -> None:
        super().__init__(page, translate=False)
        text = list[str]()
        at = 0
        for piece, place in _java(page, class_of(path)):
            self._after.append(at)
            self._shift.append(place - at)
            text.append(piece)
            at += len(piece)
        self.text = "".join(text)

    def raw_slice(self, start: int, end: int) -> str:
        """Return `text[start:end]`: of what a page says in Java the two are the same."""
        return self.text[start:end]


Piece = tuple[str, int]  # a part of the Java text, the offset in the page at which it stands


@dataclass
class _Parts:
    """The pieces of a page by where they belong; `bound`: names of beans that are declared already."""

    imports: list[Piece] = field(default_factory=list)
    members: list[Piece] = field(default_factory=list)
    statements: list[Piece] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)

    def say(self, text: str, at: int) -> None:
        """Add generated code, whose words stand at a place of the page."""
        self.statements += _words(text, at)

    def write(self, at: int) -> None:
        """Add what writes the text at a place of the page."""
        self.statements.append((";", at))


def _words(text: str, at: int) -> Iterator[Piece]:
    """Generated code, all of whose words stand at a place of the page."""
    yield from ((word, at) for word in re.findall(r"\w+|\W", text))


def class_of(path: str) -> str:
    """The name of the class of a page: two of a project may have the same file name."""
    name = re.sub(r"\W", "_", path.rpartition("/")[2], flags=re.ASCII)
    return f"_{name}_{hashlib.sha256(path.encode('utf-8', 'surrogateescape')).hexdigest()[:6]}"


def _java(page: str, name: str) -> Iterator[Piece]:
    """Yield the pieces of the class that a page becomes."""
    parts = _Parts()
    _read(page, parts)
    code = "".join(piece for piece, _ in (*parts.members, *parts.statements))
    ee = "jakarta" if "jakarta." in page else "javax"
    known = "".join(f"import {ee}.servlet.{at}{name}; " for at, names in _KNOWN.items() for name in names)
    yield from _words(f"package org.apache.jsp; {known}", 0)
    yield from parts.imports
    yield from _words(f"public final class {name} extends HttpServlet {{\n", 0)
    yield from parts.members
    yield from _words(
        "public void service(HttpServletRequest request, HttpServletResponse response) "
        "throws ServletException, java.io.IOException {\n",
        0,
    )
    for implicit, declaration in _IMPLICIT.items():
        if re.search(rf"\b{implicit}\b", code):
            yield from _words(declaration, 0)
    if _ERRORS.search(page):
        yield from _words(_EXCEPTION, 0)
    yield from parts.statements
    yield from _words("\n}}", len(page))


def _read(page: str, parts: _Parts) -> None:
    """Put what a page has besides text into its parts.

    at ← 0
    while something opens behind `at`: text before it becomes `;`; read it up to where it ends; at ← behind it
    """
    at = 0
    while (opening := _OPENING.search(page, at)) is not None:
        _text(page, at, opening.start(), parts)
        kind = "tag" if opening["tag"] else opening[0]
        at = _READERS[kind](page, opening, parts)
    _text(page, at, len(page), parts)


def _text(page: str, start: int, end: int, parts: _Parts) -> None:
    if page[start:end].strip():
        parts.write(start)


def _until(page: str, start: int, closing: str) -> tuple[int, int]:
    """(where what begins at `start` ends, where what is behind it begins): at the end of the page if nothing closes
    it."""
    end = page.find(closing, start)
    return (len(page), len(page)) if end < 0 else (end, end + len(closing))


def _comment(page: str, opening: re.Match[str], parts: _Parts) -> int:
    return _until(page, opening.end(), "--%>")[1]


def _escaped(page: str, opening: re.Match[str], parts: _Parts) -> int:
    parts.write(opening.start())
    return opening.end()


def _directive(page: str, opening: re.Match[str], parts: _Parts) -> int:
    end, behind = _until(page, opening.end(), "%>")
    text = page[opening.end() : end]
    if text.split(None, 1)[:1] == ["page"]:
        for found in _IMPORTS.finditer(text):
            group = 1 if found[1] is not None else 2
            at = opening.end() + found.start(group)
            for name in found[group].split(","):
                stripped = name.strip()
                if re.fullmatch(r"(?:static\s+)?[\w.]+(?:\.\*)?", stripped):
                    parts.imports += [("import ", at), (stripped, at + name.index(stripped)), (";\n", at)]
                at += len(name) + 1
    return behind


def _code(page: str, opening: re.Match[str], into: list[Piece], after: str) -> int:
    """Add the code behind an opening, and what follows it in the Java text → the place behind its end."""
    end, behind = _until(page, opening.end(), "%>")
    into += [(page[opening.end() : end], opening.end()), (after, end)]
    return behind


def _declaration(page: str, opening: re.Match[str], parts: _Parts) -> int:
    return _code(page, opening, parts.members, "\n")


def _scriptlet(page: str, opening: re.Match[str], parts: _Parts) -> int:
    return _code(page, opening, parts.statements, "\n")


def _expression(page: str, opening: re.Match[str], parts: _Parts) -> int:
    parts.say("out.print(", opening.start())
    return _code(page, opening, parts.statements, "\n);")


def _looked_up(page: str, opening: re.Match[str], parts: _Parts) -> int:
    """`${…}`, of which a parameter or a header of the request is written as it is."""
    end, behind = _until(page, opening.end(), "}")
    found = _LOOKED_UP.fullmatch(page[opening.end() : end].strip())
    if found:
        parts.say(f'out.print({_GETTERS[found[1]]}("{found[2] or found[3]}"));', opening.start())
    else:
        parts.write(opening.start())
    return behind


def _tag(page: str, opening: re.Match[str], parts: _Parts) -> int:
    """A tag with a prefix, whose attributes may have values of code."""
    at = opening.end()
    while at < len(page) and page[at] != ">":
        at = _within_tag(page, at, parts)
    attributes = {m[1]: m[2] if m[2] is not None else m[3] for m in _ATTRIBUTE.finditer(page[opening.end() : at])}
    action = _ACTIONS.get(opening["tag"])
    if action is not None:
        action(attributes, opening.start(), parts)
    else:
        parts.write(opening.start())
    return min(at + 1, len(page))


def _within_tag(page: str, at: int, parts: _Parts) -> int:
    """Read the code, the quoted value without code, or else the character at a place of a tag → the place behind it."""
    if (code := _CODE.match(page, at)) is not None:
        return _used(page, code, parts) if code[0] == "<%=" else _READERS[code[0]](page, code, parts)
    if page[at] in "\"'":
        behind = _until(page, at + 1, page[at])[1]
        if "<%" not in page[at:behind]:
            return behind
    return at + 1


def _used(page: str, opening: re.Match[str], parts: _Parts) -> int:
    parts.say('request.setAttribute("", ', opening.start())
    return _code(page, opening, parts.statements, "\n);")


def _use_bean(attributes: dict[str, str], at: int, parts: _Parts) -> None:
    name, made = attributes.get("id", ""), attributes.get("class", "")
    if _NAME.fullmatch(name) and _TYPE.fullmatch(made) and name not in parts.bound:
        parts.bound.add(name)
        parts.say(f"{made} {name} = new {made}();", at)


def _set_property(attributes: dict[str, str], at: int, parts: _Parts) -> None:
    """A property that a parameter of the request gives; one that is given a value in the page is left out."""
    bean, name = attributes.get("name", ""), attributes.get("property", "")
    if bean in parts.bound and _NAME.fullmatch(name) and "value" not in attributes:
        parameter = attributes.get("param", name)
        if _NAME.fullmatch(parameter):
            parts.say(f'{bean}.set{_capitalised(name)}(request.getParameter("{parameter}"));', at)


def _get_property(attributes: dict[str, str], at: int, parts: _Parts) -> None:
    bean, name = attributes.get("name", ""), attributes.get("property", "")
    if bean in parts.bound and _NAME.fullmatch(name):
        parts.say(f"out.print({bean}.get{_capitalised(name)}());", at)


def _capitalised(name: str) -> str:
    return name[:1].upper() + name[1:]


_ACTIONS = {"jsp:useBean": _use_bean, "jsp:setProperty": _set_property, "jsp:getProperty": _get_property}
_READERS = {
    "<%--": _comment,
    "<%@": _directive,
    "<%!": _declaration,
    "<%=": _expression,
    "<%": _scriptlet,
    "${": _looked_up,
    "\\${": _escaped,
    "<\\%": _escaped,
    "tag": _tag,
}
