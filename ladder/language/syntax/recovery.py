"""Messages for syntax errors, and recovery: where parsing can go on after one."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.parsers.lalr_analysis import Shift

from ladder.language.core import Place
from ladder.language.errors import Error

DIRECTIVES = (
    ".decl",
    ".type",
    ".functor",
    ".lattice",
    ".input",
    ".output",
    ".printsize",
    ".include",
    ".once",
    ".pragma",
    ".plan",
    ".comp",
    ".init",
    ".override",
    ".use",
    ".limitsize",
    ".number_type",
    ".symbol_type",
)
_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|#[^\n]*|/\*(?:[^*]|\*(?!/))*\*/')
_BOUNDARY = re.compile(r'"(?:[^"\\\n]|\\.)*"|(?P<end>\.(?=\s|$))|(?P<declaration>^[ \t]*\.[a-z_]+)', re.MULTILINE)
_EXPECTATIONS = (
    ("BANG", "an atom or a constraint"),
    ("NIL", "a value"),
    ("_DOT", "'.'"),
    ("RPAR", "')'"),
    ("RSQB", "']'"),
    ("RBRACE", "'}'"),
    ("COLON", "':'"),
    ("LEFT", "'('"),
    ("EQUAL", "'='"),
    ("STRING", "a string"),
    ("IDENT", "a name"),
)
_AGGREGATE = re.compile(r"\b(count|(?:sum|min|max|mean)\s+[?\w]+)\s*$")
_LIMIT = re.compile(r"\.limitsize\s+[?\w.]+\s*\(\s*n\s*=\s*$")
# What users of other languages write, and what it is here; looked for at or right before the error.
_HABITS = (
    (re.compile(r"not\b"), "negation is written !"),
    (re.compile(r"and\b|&"), "a conjunction is written with ,"),
    (re.compile(r"or\b|\|"), "a disjunction is written with ;"),
    (re.compile(r"=>"), "write >="),
    (re.compile(r"=<"), "write <="),
    (re.compile(r"==+"), "equality is written ="),
    (re.compile(r"<>|\\=|/="), "inequality is written !="),
    (re.compile(r"is\b"), "equality is written ="),
    (re.compile(r"<-|<=|:\s+-|-->?|:="), "a rule is written head :- body."),
    (re.compile(r"\?-"), "there are no queries: write a rule and .output its relation"),
    (re.compile("'"), 'symbols are written in double quotes: "text"'),
)


def describe(problem: UnexpectedInput, text: str, file: str) -> Error:
    """The error for a parser's exception."""
    bare = without_comments(text)
    at_end = isinstance(problem, UnexpectedToken) and problem.token.type == "$END"
    position = len(bare.rstrip()) if at_end else problem.pos_in_stream or 0
    before = len(bare[:position].rstrip())
    accepted = _accepted(problem)
    if at_end and "COMPONENT" in accepted and "RBRACE" in accepted and (opened := _open_components(bare)):
        return Error(_place(bare, opened[-1], file), "a component that is not closed", "write } where it ends")
    if at_end:
        return Error(
            _place(bare, before - 1, file),
            "the text ends in the middle of a clause or declaration",
            "a . is missing?" if "_DOT" in accepted else None,
        )
    place = _place(bare, position, file)
    if known := _known_trouble(bare, position, place):
        return known
    word = _word(bare, position)
    if "_DOT" in accepted and ("\n" in bare[before:position] or word in DIRECTIVES):
        end = _place(bare, before - 1, file)
        return Error(
            end,
            "a . is missing at the end of this clause",
            f"or what follows, {word} in line {place.line}, does not belong here",
        )
    if word == ".plan":
        return Error(place, "this plan does not follow a rule", "a rule has one .plan: .plan 0:(2,1), 1:(1,2)")
    if word == "{" and (aggregate := _AGGREGATE.search(bare[:position])):
        return Error(place, "unexpected '{', ':' is expected", f"write {aggregate[1]} : {{ … }}")
    if reserved := re.search(r"\b(count|sum|min|max|mean)\s*$", bare[:position]):
        start = _place(bare, reserved.start(), file)
        return Error(start, f"{reserved.group(1)} is a reserved word", "use another name")
    expected = next((words for terminal, words in _EXPECTATIONS if terminal in accepted), None)
    if expected and expected.startswith("'") and "COMMA" in accepted:
        expected = f"',' or {expected}"
    return Error(
        place, f"unexpected {word!r}" + (f", {expected} is expected" if expected else ""), _habit(bare, position)
    )


def without_faulty_part(text: str, problem: UnexpectedInput) -> tuple[str, str]:
    """(the text with the clause or declaration that contains the error replaced by spaces, what was replaced)."""
    bare = without_comments(text)
    at_end = isinstance(problem, UnexpectedToken) and problem.token.type == "$END"
    position = len(bare.rstrip()) if at_end else problem.pos_in_stream or 0
    if at_end and (opened := _open_components(bare)):
        return bare[: opened[0]], bare[opened[0] :]
    components = _components(bare)
    starts = [0]
    for _, first, last in components:
        starts += [place for place in (first + 1, last, last + 1) if place]
    for match in _BOUNDARY.finditer(bare):
        if match.lastgroup == "end":
            starts.append(match.end())
        elif match.lastgroup == "declaration" and match.group().strip() in DIRECTIVES:
            starts.append(match.end() - len(match.group().strip()))
    start = max((s for s in starts if s < position), default=0)
    end = min((s for s in starts if s > position), default=len(bare))
    word = _word(bare, position)
    next_to_come = word in DIRECTIVES and word != ".plan" or any(position == last for _, _, last in components)
    if next_to_come and start < len(bare[:position].rstrip()):
        end = position  # what follows is not to blame
    elif bare.startswith("}", position) and not bare[start:position].strip():
        end = position + 1
    for head, first, last in components:
        if head <= start <= position <= (first if first >= 0 else position) and last >= 0:
            end = last + 1  # without its head a component means nothing
    return bare[:start] + re.sub(r"[^\n]", " ", bare[start:end]) + bare[end:], bare[start:end]


def without_comments(text: str) -> str:
    """The text with comments replaced by spaces, so that all places stay the same."""
    return _COMMENT.sub(lambda m: m.group() if m.group(1) else re.sub(r"[^\n]", " ", m.group()), text)


def _open_components(bare: str) -> list[int]:
    """The positions of components without a closing brace, outer ones first."""
    return sorted(word for word, _, last in _components(bare) if last < 0)


def _components(bare: str) -> list[tuple[int, int, int]]:
    """For each component the positions of its `.comp`, `{` and `}`, -1 for what is missing."""
    found: list[tuple[int, int, int]] = []
    opened: list[tuple[int, int]] = []  # `.comp` or -1, and `{` or -1
    for match in re.finditer(r'"(?:[^"\\\n]|\\.)*"|\.comp\b|[{}]', bare):
        if match.group() == ".comp":
            opened.append((match.start(), -1))
        elif match.group() == "{":
            head = opened.pop()[0] if opened and opened[-1][1] < 0 else -1
            opened.append((head, match.start()))
        elif match.group() == "}" and opened:
            found.append((*opened.pop(), match.start()))
    return [part for part in found + [(*part, -1) for part in opened] if part[0] >= 0]


def _known_trouble(bare: str, position: int, place: Place) -> Error | None:
    """The error for common mistakes that are recognised by the text at the position; None for others."""
    if bare.startswith('"', position) and '"' not in re.sub(r"\\.", "", bare[position + 1 :].split("\n")[0]):
        return Error(
            place, "a string that is not closed on its line", 'write " where it ends, and \\" for a quote inside'
        )
    if bare.startswith("/*", position):
        return Error(place, "a comment that is not closed", "write */ where it ends")
    if _LIMIT.search(bare[:position]):
        return Error(place, ".limitsize takes a number of rows", "write n=1000, for example")
    word = _word(bare, position)
    if re.fullmatch(r"\.[a-z_]+", word) and word not in DIRECTIVES and not bare[:position].split("\n")[-1].strip():
        close = get_close_matches(word, DIRECTIVES, n=1)
        return Error(place, f"there is no directive {word}", f"did you mean {close[0]}?" if close else None)
    return None


def _habit(bare: str, position: int) -> str | None:
    line_start = bare.rfind("\n", 0, position) + 1
    for habit, hint in _HABITS:
        for match in habit.finditer(bare, line_start):
            if match.start() <= position <= match.end() + 1 and (match.end() >= position or habit.pattern == r"not\b"):
                return hint
            if match.start() > position:
                break
    return None


def _accepted(problem: UnexpectedInput) -> set[str]:
    """The terminals that may follow; an LALR state alone also lists some that a later reduction would reject."""
    state: Any = problem.state
    table = state.parse_conf.parse_table.states
    return {
        terminal
        for terminal in table[state.position]
        if terminal.isupper() and _shifts(table, list(state.state_stack), terminal)
    }


def _shifts(table: Any, stack: list[Any], terminal: str) -> bool:
    """Whether a parser with this stack of states reduces until it shifts the terminal."""
    while terminal in table[stack[-1]]:
        action, argument = table[stack[-1]][terminal]
        if action is Shift:
            return True
        if argument.expansion:
            del stack[-len(argument.expansion) :]
        stack.append(table[stack[-1]][argument.origin.name][1])
    return False


def _place(text: str, position: int, file: str) -> Place:
    position = max(position, 0)
    return Place(file, text.count("\n", 0, position) + 1, position - (text.rfind("\n", 0, position) + 1) + 1)


def _word(text: str, position: int) -> str:
    match = re.compile(r'"[^"\n]*"?|\.?\w+|:-|[<>!=]=|\S').match(text, position)
    return match.group() if match else ""
