"""The bytes of one Java file → its syntax tree: our parser first, tree-sitter for what that cannot read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from javalang.parser import JavaSyntaxError

from ladder.frontends.java.lexer import JavaLexer, JavaLexicalError, SourceText
from ladder.frontends.java.parser import JavaParser
from ladder.frontends.java.tree import CompilationUnit


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something to know about a file.

    `kind` is "encoding", "syntax" (no parser could read it) or "fallback" (tree-sitter did); of the last two the
    message and the place are what our own parser objected to.
    """

    line: int
    column: int
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file's tree, the parser that made it ("javalang" or "tree-sitter"), and what was noticed on the way."""

    unit: CompilationUnit
    parser: str
    diagnostics: tuple[Diagnostic, ...]


class UnreadableSource(Exception):
    """Neither parser could read the file; `diagnostics` ends with what our parser stumbled over, and where."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        last = diagnostics[-1]
        super().__init__(f"line {last.line}, column {last.column}: {last.message}")


def parse(data: bytes) -> Parsed:
    """The tree of a file; raises UnreadableSource where it is no Java that either parser knows."""
    text, diagnostics = decode(data)
    source = SourceText(text)
    with deep_recursion():
        try:
            return Parsed(parse_javalang(source), "javalang", diagnostics)
        except JavaLexicalError as error:
            raise UnreadableSource((*diagnostics, _diagnostic("syntax", error))) from None
        except JavaSyntaxError as error:
            first = error
        except RecursionError:
            first = JavaSyntaxError("Nested too deeply", (1, 1))
        from ladder.frontends.java import treesitter  # rarely needed, and not to be paid for by every start

        try:
            unit = treesitter.parse(source)
        except (JavaSyntaxError, RecursionError):
            raise UnreadableSource((*diagnostics, _diagnostic("syntax", first))) from None
    return Parsed(unit, "tree-sitter", (*diagnostics, _diagnostic("fallback", first)))


def _diagnostic(kind: str, error: JavaSyntaxError) -> Diagnostic:
    line, column = error.at
    return Diagnostic(line, column, kind, error.description)


def parse_javalang(source: SourceText) -> CompilationUnit:
    """The tree by our subclass of javalang's parser alone; raises JavaSyntaxError (`description`, `at`)."""
    unit: CompilationUnit = JavaParser(JavaLexer(source).tokenize()).parse()
    return unit


def decode(data: bytes) -> tuple[str, tuple[Diagnostic, ...]]:
    """The text of a file: UTF-8, with or without a byte order mark, else Latin-1 with a diagnostic at the place."""
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError as error:
        text = data.decode("latin-1")
        line, column = SourceText(text[: error.start]).position(error.start)
        return text, (Diagnostic(line, column, "encoding", "Not UTF-8, read as ISO-8859-1"),)


@contextmanager
def deep_recursion(depth: int = 400_000) -> Iterator[None]:
    """Let pure Python recurse this deep: since CPython 3.11 that costs heap, not the C stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, depth))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
