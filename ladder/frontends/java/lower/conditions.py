"""Lowering of boolean expressions to branches."""

from __future__ import annotations

from ladder.frontends.java import ir, tree
from ladder.frontends.java.lower.body import BodyBuilder
from ladder.frontends.java.lower.dispatch import Target, destination, operand, operands, value
from ladder.frontends.java.lower.patterns import match

COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
FALSE = ir.Constant("0", "boolean")


def condition(b: BodyBuilder, node: tree.Expression, yes: str, no: str) -> None:
    """Go to `yes` if the expression is true, else to `no`; chains of && and || are walked in a loop."""
    around, b.subject = b.subject, (node, None, b.subject[0])
    _branch(b, node, yes, no)
    b.subject = around


def _branch(b: BodyBuilder, node: tree.Expression, yes: str, no: str) -> None:
    if isinstance(node, tree.Unary) and node.operator == "!":
        condition(b, node.operand, no, yes)
    elif isinstance(node, tree.Binary) and node.operator in ("&&", "||"):
        _chain(b, node, yes, no)
    elif isinstance(node, tree.Binary) and node.operator in COMPARISONS:
        left, right = operands(b, [node.left, node.right])
        b.branch(node.operator, left, right, yes, no, node.position)
    elif isinstance(node, tree.InstanceOf) and node.pattern is not None:
        match(b, value(b, node.operand), node.pattern, yes, no)
    else:
        _test(b, operand(b, node), yes, no, node.position)


def boolean(b: BodyBuilder, node: tree.Expression, target: Target | None) -> str:
    """Lower a branching condition to a boolean variable."""
    to, at = destination(b, target, node.position, "boolean")
    yes, no, end = b.label(), b.label(), b.label()
    condition(b, node, yes, no)
    for label, constant in ((yes, "1"), (no, "0")):
        b.place(label)
        b.emit(ir.AssignConstant(b.new_id("assign", at), to, ir.Constant(constant, "boolean")))
        b.goto(end)
    b.place(end)
    return to


def is_constant(node: tree.Expression | None, value: bool) -> bool:
    """Return whether a condition is the literal `value`; a condition that is not written is true."""
    return value if node is None else isinstance(node, tree.Literal) and node.value is value


def _chain(b: BodyBuilder, node: tree.Binary, yes: str, no: str) -> None:
    """Lower `x && y && z` (or with ||): each part but the last decides one of the outcomes."""
    parts = [node.right]
    rest = node.left
    while isinstance(rest, tree.Binary) and rest.operator == node.operator:
        parts.append(rest.right)
        rest = rest.left
    parts.append(rest)
    for part in reversed(parts[1:]):
        following = b.label()
        if node.operator == "&&":
            condition(b, part, following, no)
        else:
            condition(b, part, yes, following)
        b.place(following)
    condition(b, parts[0], yes, no)


def _test(b: BodyBuilder, result: ir.Operand, yes: str, no: str, position: ir.Position) -> None:
    if isinstance(result, ir.Constant):
        b.goto(no if result == FALSE else yes)
    else:
        b.branch("!=", result, FALSE, yes, no, position)
