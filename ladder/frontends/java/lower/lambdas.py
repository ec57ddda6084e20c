"""Lambda expressions and method references: allocations that name the code they run."""

from __future__ import annotations

from collections.abc import Callable

from ladder.frontends.java import ir, names, tree
from ladder.frontends.java.lower.body import BodyBuilder
from ladder.frontends.java.lower.dispatch import Contexts, Target, destination, lowers_expression, statement, value
from ladder.frontends.java.lower.names_in_scope import name_value, this_variable
from ladder.frontends.java.lower.texts import SHORTEST, cut

END = "end"
"""What the return at the end of a body is named by."""
STATEMENT_EXPRESSIONS = (tree.MethodCall, tree.New, tree.Assignment, tree.Update)


@lowers_expression(tree.Lambda)
def lower_lambda(b: BodyBuilder, node: tree.Lambda, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `(x) -> body`."""
    variable, finish = begin_lambda(b, node, target, contexts)
    finish()
    return variable


def begin_lambda(
    b: BodyBuilder, node: tree.Lambda, target: Target | None, contexts: Contexts
) -> tuple[str, Callable[[], None]]:
    """Allocate a lambda; return its variable, and a function that lowers its body.

    Bodies of lambdas among arguments are lowered after the other arguments, as javac does; this decides how anonymous
    classes are numbered.
    """
    around, b.subject = b.subject, (node, None if target is None else target[0], None)
    to, _ = destination(b, target, node.position)
    id = b.new_id("lambda", node.position, _lambda_text(b, node, contexts))
    b.emit(ir.NewLambda(id, to, id, contexts))
    b.subject = around
    scope = b.scope
    return to, lambda: _lower_body(b, node, id, scope)


def _lambda_text(b: BodyBuilder, node: tree.Lambda, contexts: Contexts) -> str:
    """Return what a lambda is named by: what it is passed to or stored in, and its parameters; not by its body. As the
    names of everything in the body begin with it, it is short."""
    kind, where, _ = contexts[0] if contexts else ("", "", 0)
    parameters = f"({', '.join([parameter.name for parameter in node.parameters])})"
    if kind == "argument":
        what = names.instruction_kind(where, b.id).rpartition(" ")[2]
    elif kind == "store":
        what = where[len(b.id) + 1 :].partition(names.DETAIL)[2].partition(" = ")[0]
    else:
        variable = where if kind == "var" else b.subject[1]
        what = "" if variable is None else names.name_of(variable, b.id)
    return cut(f"{what}{parameters}", SHORTEST)


def _lower_body(b: BodyBuilder, node: tree.Lambda, id: str, scope: str) -> None:
    body = BodyBuilder(id, b.type, scope, b.static, b)
    parameters, types = [], []
    for parameter in node.parameters:
        written = parameter.type is not None and not isinstance(parameter.type, tree.InferredType)
        use = b.file.uses.use(scope, parameter.type) if written and parameter.type is not None else None
        types.append(use)
        parameters.append(body.declare(parameter.name, () if use is None else (use,), use is None))
    kind = _lower_block(body, node.body) if isinstance(node.body, tree.Block) else _lower_result(body, node.body)
    lowered = body.finish(node.position, tuple(parameters))
    b.type.lowered_methods.append(
        ir.Method(
            id, "lambda", b.type.id, node.position, ("static",) if b.static else (), (), tuple(parameters),
            tuple(types), None, (), None, instances_of(body), tuple(body.captured.items()), lowered, b.id, kind,
        )
    )  # fmt: skip


def instances_of(body: BodyBuilder) -> tuple[tuple[str, str], ...]:
    """Return the (type, variable) of the enclosing instances that a body has loaded."""
    return tuple((context.id, variable) for context, variable in body.instances.items() if variable is not None)


def _lower_block(body: BodyBuilder, node: tree.Block) -> str:
    statement(body, node)
    if body.open:
        body.returns_void = True
        body.emit(ir.Return(body.new_id("return", last_position(node), END), None))
    return "value" if body.returns_value else "void" if body.returns_void else "either"


def _lower_result(body: BodyBuilder, node: tree.Expression) -> str:
    result = value(body, node, (("return", body.id, 0),))
    body.emit(ir.Return(body.new_id("return", node.position, "value"), result))
    return "statement" if isinstance(node, STATEMENT_EXPRESSIONS) else "expression"


def last_position(node: tree.Node) -> ir.Position:
    """Return the position of the last character of a node."""
    line, column = node.end
    return line, column - 1


@lowers_expression(tree.MethodReference)
def lower_reference(
    b: BodyBuilder, node: tree.MethodReference, target: Target | None, contexts: Contexts
) -> ir.Operand:
    """Lower `target::name`."""
    kind, base, use = _reference_target(b, node)
    to, _ = destination(b, target, node.name_position)
    name = "<init>" if node.name == "new" else node.name
    id = b.new_id("reference", node.name_position)
    b.emit(ir.NewReference(id, to, kind, base, use, name, contexts))
    return to


def _reference_target(b: BodyBuilder, node: tree.MethodReference) -> tuple[str, str | None, ir.Use | None]:
    target = node.target
    if isinstance(target, tree.Type):
        if node.name == "new":
            b.all_instances()
        return "type", None, b.file.uses.use(b.scope, target)
    if isinstance(target, tree.Super):
        use = b.file.uses.named(b.scope, target.qualifier.parts, target.position) if target.qualifier else None
        return "super", this_variable(b, None), use
    if isinstance(target, tree.Name):
        if node.name == "new":
            b.all_instances()
            return "type", None, b.file.uses.named(b.scope, target.parts, target.position)
        base, use = name_value(b, target)
        return "expression" if use is None else "name", base, use
    return "expression", value(b, target), None
