"""Syntax errors in words, and where parsing can go on after one."""
from __future__ import annotations

import re

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from ladder.language.core import Place
from ladder.language.errors import Error

_SKIPPED = r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/'
_BOUNDARY = re.compile(_SKIPPED + r"|(?P<end>\.(?=\s|$))|(?P<declaration>^[ \t]*\.[a-z])", re.MULTILINE)


def describe(problem: UnexpectedInput, text: str, file: str) -> Error:
    """A parser's complaint as an error."""
    place = Place(file, problem.line, problem.column)
    if isinstance(problem, UnexpectedToken) and problem.token.type == "$END":
        return _at_end(text, file, problem)
    if isinstance(problem, UnexpectedToken):
        return _unexpected(problem.token, problem, text, place)
    character = problem.char if isinstance(problem, UnexpectedCharacters) else "?"
    if character == '"':
        return Error(place, "a string that is not closed on its line", 'write " where it ends, and \\" for a quote inside')
    if text.startswith("/*", problem.pos_in_stream):
        return Error(place, "a comment that is not closed", "write */ where it ends")
    if character == "#":
        return Error(place, "a preprocessor line inside a clause", "move it between clauses")
    return Error(place, f"unexpected character {character!r}")


def without_faulty_part(text: str, problem: UnexpectedInput) -> str | None:
    """The text with the clause or declaration that holds the error blanked out, or None where that changes nothing."""
    at_end = isinstance(problem, UnexpectedToken) and problem.token.type == "$END"
    position = len(text) if at_end else problem.pos_in_stream or 0
    starts = [0]
    for match in _BOUNDARY.finditer(text):
        if match.lastgroup == "end":
            starts.append(match.end())
        elif match.lastgroup == "declaration":
            starts.append(match.start())
    start = max((s for s in starts if s < position), default=0)
    end = min((s for s in starts if s > position), default=len(text))
    declaration = _first_word(text, position)
    if declaration.startswith(".") and declaration != ".":   # the next declaration is not to blame
        end = position
    blank = re.sub(r"[^\n]", " ", text[start:end])
    changed = text[:start] + blank + text[end:]
    return changed if changed != text else None


def _at_end(text: str, file: str, problem: UnexpectedToken) -> Error:
    stripped = text.rstrip()
    line = stripped.count("\n") + 1
    column = len(stripped) - (stripped.rfind("\n") + 1)
    return Error(Place(file, line, max(column, 1)), "the text ends in the middle of a clause or declaration",
                 "a . is missing?" if "DOT" in problem.expected else None)


def _unexpected(token: Token, problem: UnexpectedToken, text: str, place: Place) -> Error:
    before = text[:token.start_pos].rstrip() if token.start_pos is not None else ""
    new_line = "\n" in text[len(before):token.start_pos]
    if "DOT" in problem.expected and (new_line or token.type in ("IF", "__ANON_1") or token == ":-"):
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1)
        return Error(Place(place.file, line, max(column, 1)), "a . is missing at the end of this clause",
                     f"or what follows, {str(token)!r} in line {place.line}, does not belong here")
    if token == "=" and "IDENT" not in problem.expected:
        return Error(place, "unexpected '='")
    if token == ":" and token.end_pos is not None and text[token.end_pos:token.end_pos + 1] == "-":
        return Error(place, "unexpected ':-'")
    if token.type == "AGGREGATOR":
        return Error(place, f"{str(token)!r} is a reserved word", "use another name")
    expected = _expectation(problem.expected)
    return Error(place, f"unexpected {str(token)!r}" + (f", {expected} is expected" if expected else ""))


def _expectation(expected: set[str]) -> str | None:
    for terminal, words in (("RPAR", "',' or ')'"), ("RSQB", "',' or ']'"), ("RBRACE", "'}'"), ("DOT", "'.'"),
                            ("COLON", "':'"), ("LPAR", "'('"), ("STRING", "a string"), ("IDENT", "a name")):
        if terminal in expected:
            return words
    return None


def _first_word(text: str, position: int) -> str:
    match = re.compile(r"[ \t]*(\.?\w*)").match(text, position)
    return match.group(1) if match else ""
