"""Where the layout of a file contradicts its braces: after an error in the braces, only the layout shows what belongs
to what.

A brace that closes a block stands in the line in which the block opens, or begins a line that is indented as the
statement or declaration that the block belongs to, or as the line in which the block opens, but not that of a body
behind a name (`implements A {`, `throws E {`). What begins in a block is indented more than that. Array initialisers
are laid out in all kinds of ways and are not looked at.

Of blocks that open and close within a line layout says nothing, so that an error in them is seen behind them: a line in
which a contradiction is seen is in doubt from its beginning, or from behind the braces that it begins with and that
close what they may.
"""

from __future__ import annotations

from dataclasses import dataclass

from javalang.tokenizer import Identifier

from ladder.frontends.java.lexer import SourceText, Tokens

_TAB = 8
_BEFORE_INITIALISER = frozenset(["=", "]", ",", "("])
_LABELS = frozenset(["case", "default"])


@dataclass(frozen=True, slots=True)
class _Open:
    """An open brace: its line, the indentation of that line, if the closing one may have it, and of the statement or
    declaration that it belongs to, whether it begins an array initialiser, and the parentheses open around it."""

    line: int
    indent: int
    base: int
    initialiser: bool
    parentheses: int


def first_doubt(tokens: Tokens, source: SourceText) -> int | None:
    """Return the index of the first token in doubt where layout and braces contradict each other; None if they never
    do.

    For each token: note where a statement or declaration begins, and where the doubtful part of its line; then open, or
    close and compare, or compare what begins in a block with the block.
    """
    indents = Indents(source)
    open_: list[_Open] = []
    base = parentheses = last_line = doubt = 0
    before = ";"
    for i, (value, (line, _)) in enumerate(zip(tokens.values, tokens.starts)):
        begins = before in _SEPARATORS and (before != ";" or not parentheses)
        first = line != last_line
        if first or (before == "}" and doubt == i - 1):
            doubt = i
        if value == "}":
            if not open_ or not _closes(open_[-1], line, first, indents):
                return doubt
            parentheses = open_.pop().parentheses
        elif begins and first and open_ and not open_[-1].initialiser and value:
            least = min(open_[-1].base, open_[-1].indent) + (value not in _LABELS)
            if indents.of(line) < least:
                return doubt
        if begins:
            base = indents.of(line)
        if value == "{":
            initialiser = before in _BEFORE_INITIALISER or (before == "{" and bool(open_) and open_[-1].initialiser)
            behind_name = i > 0 and (tokens.kinds[i - 1] is Identifier or before == ">")
            open_.append(_Open(line, base if behind_name else indents.of(line), base, initialiser, parentheses))
            parentheses = 0
        elif value == "(":
            parentheses += 1
        elif value == ")":
            parentheses = max(parentheses - 1, 0)
        before, last_line = value, line
    return None


def _closes(opened: _Open, line: int, first: bool, indents: Indents) -> bool:
    """Return whether a brace in this line, `first` in it or not, stands where one that closes the block may."""
    if opened.initialiser or line == opened.line:
        return True
    return first and indents.of(line) in (opened.indent, opened.base)


class Indents:
    """The indentation of lines, with tabs to the next multiple of 8."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._known: dict[int, int] = {}

    def of(self, line: int) -> int:
        """Return the width of the blanks before the first character of a line."""
        if line not in self._known:
            starts, raw = self._source.line_starts, self._source.raw
            at = end = starts[line - 1]
            while end < len(raw) and raw[end] in " \t":
                end += 1
            self._known[line] = len(raw[at:end].expandtabs(_TAB))
        return self._known[line]


_SEPARATORS = frozenset([";", "{", "}"])
