"""Pages of servlet containers (JSP) → Java text: the servlet that a container makes of a page, as far as code goes.

    <%@ page import="a.B" %>    →  import a.B;
    <%! int n; %>               →  a member of the class, before the method
    <% code %>                  →  code
    <%= value %>                →  out.print(value); or, where it is an attribute of a tag with a prefix, value
    ${param.name}               →  out.print(request.getParameter("name"));     so are headers
    <jsp:useBean …>             →  a new object
    <jsp:setProperty …>, <jsp:getProperty …>    →  a call of its setter, its getter's value written
    <jsp:include page="b.jsp">  →  request.setAttribute("class of that page", "its path"), and the same with the names
                                   of the parameters that it is given, "|name|name|"

That a page runs another one is said of those that no browser gets by themselves, below `WEB-INF`; of `<jsp:forward>`,
`<c:import>` and, without parameters, `<%@ include %>`, too.

Everything else is text, of which a `;` is left, since what writes it is a statement. Left out are other expressions
`${…}`, those in attributes of tags with a prefix, most of which escape what they write, and the text of what a page
includes: fragments are pages of their own. After Jakarta Server Pages 3.1, chapters 1 and 5.

The text is in pieces, each of which knows where in the page it stands (`PageText`): positions are those of the page.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ladder.frontends.java.lexer import SourceText

_OPENING = re.compile(
    r"<%--|<%@|<%!|<%=|<%|<(?P<tag>[A-Za-z][\w.-]*:[A-Za-z][\w.-]*)|</(?P<end>jsp:include|jsp:forward|c:import)|\$\{|\\\$\{|<\\%"
)
_INCLUDING = {"jsp:include": "page", "jsp:forward": "page", "c:import": "url"}
_FROM_REQUEST = re.compile(r"\b(?:param|paramValues|header|headerValues|cookie|pageContext)\b|<%")
_CODE = re.compile(r"<%--|<%=|<%")
_QUOTED = {quote: re.compile(rf"<%--|<%=|<%|{quote}") for quote in "\"'"}
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
        for piece, place in _java(page, path):
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
    """The pieces of a page by where they belong; `path`: that of the page; `bound`: names of beans that are declared
    already; `including`: the page that runs when the open tag ends, and the parameters that it is given."""

    path: str
    imports: list[Piece] = field(default_factory=list)
    members: list[Piece] = field(default_factory=list)
    statements: list[Piece] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    including: tuple[str, list[str]] | None = None

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


def _java(page: str, path: str) -> Iterator[Piece]:
    """Yield the pieces of the class that a page becomes."""
    parts, name = _Parts(path), class_of(path)
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
        kind = "tag" if opening["tag"] else "end" if opening["end"] else opening[0]
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
    elif text.split(None, 1)[:1] == ["include"]:
        _includes(_attributes(text).get("file", ""), [], opening.start(), parts)
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
    attributes = _attributes(page[opening.end() : at])
    action = _ACTIONS.get(opening["tag"])
    if action is not None:
        action(attributes, opening.start(), parts)
    else:
        parts.write(opening.start())
    if opening["tag"] in _INCLUDING:
        _begin_including(attributes.get(_INCLUDING[opening["tag"]], ""), parts)
        if page[at - 1] == "/":
            _end_including(opening.start(), parts)
    return min(at + 1, len(page))


def _attributes(text: str) -> dict[str, str]:
    return {m[1]: m[2] if m[2] is not None else m[3] for m in _ATTRIBUTE.finditer(text)}


def _closing(page: str, opening: re.Match[str], parts: _Parts) -> int:
    parts.write(opening.start())
    _end_including(opening.start(), parts)
    return _until(page, opening.end(), ">")[1]


def _begin_including(address: str, parts: _Parts) -> None:
    """The page at the address runs at the end of the tag, with the parameters behind `?` and those of tags."""
    path, _, query = address.partition("?")
    given = [pair.partition("=") for pair in query.split("&")]
    parts.including = path, [name for name, _, value in given if not _FROM_REQUEST.search(value)]


def _end_including(at: int, parts: _Parts) -> None:
    if parts.including is not None:
        path, names = parts.including
        parts.including = None
        _includes(path, names, at, parts)


def _includes(address: str, names: list[str], at: int, parts: _Parts) -> None:
    """Say that the page runs another one below `WEB-INF`, at each of the places that the address may mean."""
    folder = posixpath.dirname(parts.path)
    folders = [folder]
    if address.startswith("/"):
        folders = [folder[: i or 0] for i in (0, *(m.start() for m in re.finditer("/|$", folder)))]
    for base in dict.fromkeys(folders):
        path = posixpath.normpath(posixpath.join(base, address.lstrip("/")))
        if "WEB-INF" in path.split("/") and re.fullmatch(r"[\w./ -]+", path):
            key = f'request.setAttribute("org.apache.jsp.{class_of(path)}", '
            parts.say(f'{key}"/{path}");{key}"|{"|".join(filter(_NAME.fullmatch, names))}|");', at)


def _parameter(attributes: dict[str, str], at: int, parts: _Parts) -> None:
    """A parameter that the page which is included is given; one that the request decides may be what that has."""
    parts.write(at)
    if parts.including is not None and not _FROM_REQUEST.search(attributes.get("value", "<%")):
        parts.including[1].append(attributes.get("name", ""))


def _within_tag(page: str, at: int, parts: _Parts) -> int:
    """Read the code, the quoted value, or else the character at a place of a tag → the place behind it."""
    if (code := _CODE.match(page, at)) is not None:
        return _code_of_tag(page, code, parts)
    return _quoted(page, at, parts) if page[at] in "\"'" else at + 1


def _quoted(page: str, at: int, parts: _Parts) -> int:
    """Read a quoted value, which may have code in it, with quotes of its own → the place behind it."""
    behind = at + 1
    while (found := _QUOTED[page[at]].search(page, behind)) is not None:
        if found[0] == page[at]:
            return found.end()
        behind = _code_of_tag(page, found, parts)
    return len(page)


def _code_of_tag(page: str, code: re.Match[str], parts: _Parts) -> int:
    return _used(page, code, parts) if code[0] == "<%=" else _READERS[code[0]](page, code, parts)


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


_ACTIONS = {
    "jsp:useBean": _use_bean,
    "jsp:setProperty": _set_property,
    "jsp:getProperty": _get_property,
    "jsp:param": _parameter,
    "c:param": _parameter,
}
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
    "end": _closing,
}
