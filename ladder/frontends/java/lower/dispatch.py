"""Which function lowers which node: tables that the modules of this package fill, and the functions that use them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any, TypeVar

from ladder.frontends.java import ir, tree
from ladder.frontends.java.lower.body import BodyBuilder


class Unlowerable(Exception):
    """Raised for code that can be parsed but has no meaning, such as the number `08`; `description` says what it is,
    `at` where."""

    def __init__(self, description: str, at: ir.Position) -> None:
        super().__init__(description)
        self.description = description
        self.at = at


Target = tuple[str, ir.Position]
"""A variable that is to receive a value, and where the instruction that assigns it stands."""

Contexts = tuple[ir.FunctionalTarget, ...]
"""What a lambda in this place would get its type from."""

ExpressionHandler = Callable[[BodyBuilder, Any, Target | None, Contexts], ir.Operand]
StatementHandler = Callable[[BodyBuilder, Any], None]

EXPRESSIONS: dict[type[tree.Node], ExpressionHandler] = {}
AnyExpressionHandler = TypeVar("AnyExpressionHandler", bound=ExpressionHandler)
AnyStatementHandler = TypeVar("AnyStatementHandler", bound=StatementHandler)

STATEMENTS: dict[type[tree.Node], StatementHandler] = {}


def lowers_expression(*kinds: type[tree.Node]) -> Callable[[AnyExpressionHandler], AnyExpressionHandler]:
    """Register a function that lowers expressions of these kinds.

    The function returns the value as an operand; if it is given a target variable, it may assign the value to that and
    return the variable.
    """

    def register(handler: AnyExpressionHandler) -> AnyExpressionHandler:
        EXPRESSIONS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def lowers_statement(*kinds: type[tree.Node]) -> Callable[[AnyStatementHandler], AnyStatementHandler]:
    """Register a function that lowers statements of these kinds."""

    def register(handler: AnyStatementHandler) -> AnyStatementHandler:
        STATEMENTS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def statement(b: BodyBuilder, node: tree.Node) -> None:
    """Lower a statement or local declaration."""
    around, b.subject = b.subject, (node, None, None)
    STATEMENTS[type(node)](b, node)
    b.subject = around


def operand(b: BodyBuilder, node: tree.Node, target: Target | None = None, contexts: Contexts = ()) -> ir.Operand:
    """Lower an expression to an operand: a variable (`target`, if the value was assigned to that) or a literal."""
    around, b.subject = b.subject, (node, None if target is None else target[0], b.subject[0])
    result = EXPRESSIONS[type(node)](b, node, target, contexts)
    b.subject = around
    return result


def value(b: BodyBuilder, node: tree.Node, contexts: Contexts = ()) -> str:
    """Lower an expression to a variable; literals are loaded into a temporary."""
    result = operand(b, node, None, contexts)
    return result if isinstance(result, str) else materialise(b, node, result, None)


def assign(b: BodyBuilder, node: tree.Node, target: Target, contexts: Contexts = ()) -> None:
    """Lower an expression and assign its value to the target variable."""
    result = operand(b, node, target, contexts)
    if isinstance(result, ir.Constant):
        materialise(b, node, result, target)
    elif result != target[0]:
        copy_to(b, node, result, target)


def copy_to(b: BodyBuilder, node: tree.Node, source: str, target: Target) -> None:
    """Copy the value of an expression from the variable `source` to the target."""
    around, b.subject = b.subject, (node, target[0], None)
    b.emit(ir.Copy(b.new_id("assign", target[1]), target[0], source))
    b.subject = around


def materialise(b: BodyBuilder, node: tree.Node, constant: ir.Constant, target: Target | None) -> str:
    """Assign the literal that an expression stands for to the target or to a new temporary; return that variable."""
    around, b.subject = b.subject, (node, None if target is None else target[0], b.subject[0])
    types = () if constant.type == "null" else (constant.type,)
    variable, at = destination(b, target, node.position, *types)
    b.emit(ir.AssignConstant(b.new_id("assign", at), variable, constant))
    b.subject = around
    return variable


def destination(
    b: BodyBuilder, target: Target | None, position: ir.Position, *types: ir.Use, part: str | None = None
) -> Target:
    """Return the target, or a new temporary (with the given evident type) that is assigned at `position`."""
    return target or (b.temporary(*types, part=part), position)


def operands(b: BodyBuilder, nodes: list[tree.Expression]) -> list[ir.Operand]:
    """Lower expressions from left to right; a variable that a later expression changes is copied before."""
    results: list[ir.Operand] = []
    marks: list[tuple[int, int]] = []
    for node in nodes:
        result = operand(b, node)
        results.append(result)
        marks.append((len(b.code), b.writes.get(result, 0) if isinstance(result, str) else 0))
    preserve(b, nodes, results, marks)
    return results


def preserve(
    b: BodyBuilder, nodes: list[tree.Expression], results: list[ir.Operand], marks: list[tuple[int, int]]
) -> None:
    """Copy the operands that were changed after their evaluation; `marks` are (length of the code, number of writes to
    the variable) just after each evaluation."""
    end = len(b.code)
    moved: list[list[ir.Code]] = []
    for index in range(len(results) - 1, -1, -1):
        result = results[index]
        if isinstance(result, str) and b.writes.get(result, 0) != marks[index][1]:
            what = f"old {b.file.texts.of(nodes[index])}"
            copy = b.temporary(typed_by=(("var", result, ""),), what=what)
            at = marks[index][0]
            moved += (b.code[at:end], [ir.Copy(b.new_id("assign", nodes[index].position, what), copy, result)])
            results[index], end = copy, at
    if moved:
        b.code[end:] = chain.from_iterable(reversed(moved))
