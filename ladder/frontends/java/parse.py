"""The bytes of one Java file → its syntax tree, by our parser, or by tree-sitter if our parser cannot read the file, or
of what parses if neither can."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from javalang.parser import JavaSyntaxError

from ladder.frontends.java.lexer import JavaLexer, JavaLexicalError, SourceText, Tokens
from ladder.frontends.java.limits import BYTES, NESTING, Budget, LimitReached
from ladder.frontends.java.pages import PageText
from ladder.frontends.java.parser import JavaParser
from ladder.frontends.java.tree import CompilationUnit


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A problem of a file, with its place.

    `kind` is "encoding", "syntax" (no parser could read the file, or a part of it that is left out), "fallback" (only
    tree-sitter could) or "limit" (it holds more than a file may); for "syntax" and "fallback", message and place are
    those of our own parser's error.
    """

    line: int
    column: int
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file's tree, the parser that made it ("javalang", "tree-sitter", or "recovered" for ours with parts left out),
    and the diagnostics of the file."""

    unit: CompilationUnit
    parser: str
    diagnostics: tuple[Diagnostic, ...]


class UnreadableSource(Exception):
    """Raised when no parser could read a file; the last of `diagnostics` is our parser's error, or a limit."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        last = diagnostics[-1]
        super().__init__(f"line {last.line}, column {last.column}: {last.message}")


def parse(data: bytes, budget: Budget | None = None, page: str = "") -> Parsed:
    """Return the tree of a file, or of the class that the page (JSP) with the path `page` becomes; raise
    UnreadableSource if no parser can read it, or it holds more than a file may."""
    if len(data) > BYTES:
        found = f"The file has {len(data):,} bytes, more than {BYTES:,}"
        raise UnreadableSource((Diagnostic(1, 1, "limit", found),))
    text, diagnostics = decode(data)
    budget = budget or Budget()
    try:
        with deep_recursion():
            source = PageText(text, page) if page else SourceText(text)
            try:
                return Parsed(parse_javalang(source, budget), "javalang", diagnostics)
            except JavaSyntaxError as error:
                first = error
            # Text that is no token is not Java, even if tree-sitter, which is more lenient, reads it.
            unit = None if isinstance(first, JavaLexicalError) else _parse_again(source, budget)
            if unit is not None:
                return Parsed(unit, "tree-sitter", (*diagnostics, _diagnostic("fallback", first)))
            unit, left_out = _recovered(source, budget, first)
    except JavaSyntaxError as error:
        raise UnreadableSource((*diagnostics, _diagnostic("syntax", error))) from None
    except LimitReached as error:
        raise UnreadableSource((*diagnostics, _diagnostic("limit", error))) from None
    return Parsed(unit, "recovered", (*diagnostics, *left_out))


def _parse_again(source: SourceText, budget: Budget) -> CompilationUnit | None:
    """Return tree-sitter's tree of a file that our parser refused; None if tree-sitter refuses the file, too."""
    from ladder.frontends.java import treesitter  # rarely needed, and not to be paid for by every start

    try:
        _check_brackets(JavaLexer(source).tokenize())
        return treesitter.parse(source, budget) if treesitter.is_readable(source, budget) else None
    except (JavaSyntaxError, LimitReached):
        return None


def _recovered(
    source: SourceText, budget: Budget, first: JavaSyntaxError
) -> tuple[CompilationUnit, tuple[Diagnostic, ...]]:
    """Return what parses of a file that no parser can read, and a diagnostic of each part that is left out; raise the
    error `first` if nothing is to be kept."""
    from ladder.frontends.java import recovery

    try:
        unit, omissions = recovery.recover(source, budget)
    except recovery.NotRecovered:
        raise first from None
    # A comment that does not end is no part that is left out: there the error itself is the diagnostic.
    told = tuple(Diagnostic(*omission.at, "syntax", omission.text) for omission in omissions)
    return unit, told or (_diagnostic("syntax", first),)


def _check_brackets(tokens: Tokens) -> None:
    """Raise LimitReached where brackets are nested too deeply, before they reach tree-sitter, which has no limit.

    Tree-sitter remembers each `<` that no `>` closes until the end of the statement, since it may be a bracket; the
    memory for many of them in a row grows with the square of their number.
    """
    depth = angles = 0
    for value, start in zip(tokens.values, tokens.starts):
        if value in _OPENING:
            depth += 1
        elif value in _CLOSING:
            depth = max(depth - 1, 0)
        elif value == "<":
            angles += 1
        elif value == ">":
            angles = max(angles - 1, 0)
        if value in _ENDING:
            angles = 0
        if depth > NESTING or angles > NESTING:
            raise LimitReached(f"Nested more than {NESTING:,} levels deep", start)


_ENDING = frozenset(";{}")
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


def _diagnostic(kind: str, error: JavaSyntaxError | LimitReached) -> Diagnostic:
    line, column = error.at
    return Diagnostic(line, column, kind, error.description)


def parse_javalang(source: SourceText, budget: Budget | None = None) -> CompilationUnit:
    """Return the tree by our own parser alone; raise JavaSyntaxError or LimitReached (`description`, `at`)."""
    unit: CompilationUnit = JavaParser(JavaLexer(source).tokenize(), budget).parse()
    return unit


def decode(data: bytes) -> tuple[str, tuple[Diagnostic, ...]]:
    """Return the text of a file: UTF-8, with or without a byte order mark; otherwise Latin-1, with a diagnostic at the
    first wrong byte."""
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        text = data.decode("latin-1")
        line, column = SourceText(text[: error.start], translate=False).position(error.start)
        return text, (Diagnostic(line, column, "encoding", "Not UTF-8, read as ISO-8859-1"),)


@contextmanager
def deep_recursion(depth: int = 400_000) -> Iterator[None]:
    """Let pure Python code recurse this deep; since CPython 3.11 this takes heap memory, not the C stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, depth))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
