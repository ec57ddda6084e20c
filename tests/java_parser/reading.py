"""Short ways to parse a piece of Java and to see what came out."""

from __future__ import annotations

from ladder.frontends.java.parse import parse
from ladder.frontends.java.tree import CompilationUnit, MethodDeclaration, Node, Position
from ladder.frontends.java.visit import dump, verify, walk


def unit(source: str) -> CompilationUnit:
    """The tree of a file, read by the javalang subclass (not by its fallback) and verified."""
    parsed = parse(source.encode())
    assert parsed.parser == "javalang", parsed.diagnostics
    assert parsed.diagnostics == ()
    verify(parsed.unit)
    return parsed.unit


def members(source: str) -> list[str]:
    """The printed members of a class with this body."""
    return [dump(member) for member in unit(f"class C {{ {source} }}").types[0].members]


def statements(source: str) -> list[str]:
    """The printed statements of a method with this body."""
    (method,) = unit(f"class C {{ void m() {{ {source} }} }}").types[0].members
    assert isinstance(method, MethodDeclaration) and method.body
    return [dump(statement) for statement in method.body.statements]


def statement(source: str) -> str:
    (only,) = statements(source)
    return only


def expression(source: str) -> str:
    """The printed expression."""
    printed = statement(f"x = {source};")
    head, tail = "(ExpressionStatement (Assignment = x ", "))"
    assert printed.startswith(head) and printed.endswith(tail)
    return printed[len(head) : -len(tail)]


def at(root: Node, kind: type[Node]) -> list[tuple[Position, Position]]:
    """Start and end of every node of a class, in the order of `walk`."""
    return [(node.position, node.end) for node in walk(root) if isinstance(node, kind)]
