"""Lowering of try statements: handlers, `finally`, resources."""

from __future__ import annotations

from collections.abc import Callable

from ladder.frontends.java import ir, tree
from ladder.frontends.java.lower.body import BodyBuilder, Finally
from ladder.frontends.java.lower.dispatch import lowers_statement, statement, value
from ladder.frontends.java.lower.statements import declare_local
from ladder.frontends.java.lower.uses import THROWABLE


@lowers_statement(tree.Try)
def lower_try(b: BodyBuilder, node: tree.Try) -> None:
    """Lower `try (resources) body catch … finally …`."""
    if node.finally_body is None:
        _lower_catches(b, node)
        return
    final = node.finally_body
    with_finally(b, final.position, "", lambda: _lower_catches(b, node), lambda: statement(b, final))


def with_finally(
    b: BodyBuilder, at: ir.Position, what: str, body: Callable[[], None], final: Callable[[], None]
) -> None:
    """Lower `body`, and then `final`, however the body is left; `what` is the resource that `final` closes.

    There is one copy of `final`. All ways of leaving the body lead to it, and behind it each has its own continuation:
    the normal end, jumps and returns, and the exception that is thrown again. So code does not multiply with nesting;
    which continuation belongs to which way is not recorded.
    """
    frame = Finally(b.label())
    normal, caught = b.label(), b.label()
    handler = b.new_id("finally", at, what)
    what = f"finally {what}".rstrip()
    b.frames.append(frame)
    with b.guarded_by((handler,), catch_all=True):
        body()
    b.frames.pop()
    completes = b.open
    b.goto(frame.entry)
    error = b.temporary(b.file.uses.absolute(THROWABLE), what=what)
    throws = b.open = handler in b.reached
    b.emit(ir.Handler(handler, error, (b.file.uses.absolute(THROWABLE),)))
    b.goto(frame.entry)
    b.place(frame.entry)
    final()
    ways = [normal] * completes + [label for label, _, _ in frame.pending] + [caught] * throws
    b.fork(ways, what, at)
    for label, action, stop in frame.pending:
        b.place(label)
        b.leave(stop, action)
    b.place(caught)
    b.emit(ir.Throw(b.new_id("throw", at, what), error))
    b.place(normal)


def _lower_catches(b: BodyBuilder, node: tree.Try) -> None:
    if not node.catches:
        _lower_resources(b, node, 0)
        return
    handlers = tuple(b.new_id("catch", catch.position, b.file.texts.of(catch)) for catch in node.catches)
    end = b.label()
    entered = b.open
    with b.guarded_by(handlers):
        _lower_resources(b, node, 0)
    b.goto(end)
    for handler, catch in zip(handlers, node.catches):
        b.open = entered
        with b.block():
            uses = tuple(b.file.uses.use(b.scope, type) for type in catch.parameter.types)
            variable = b.declare(catch.parameter.name, uses).id
            b.emit(ir.Handler(handler, variable, uses))
            statement(b, catch.body)
        b.goto(end)
    b.place(end)


def _lower_resources(b: BodyBuilder, node: tree.Try, index: int) -> None:
    """Open the resources from `index` on, run the body, and close them in reverse order."""
    if index == len(node.resources):
        statement(b, node.body)
        return
    resource = node.resources[index]
    with b.block():
        if isinstance(resource, tree.LocalVariables):
            variable = declare_local(b, resource.type, resource.declarators[0])
        else:
            variable = value(b, resource)
        what = b.file.texts.of(resource)
        body, final = lambda: _lower_resources(b, node, index + 1), lambda: _close(b, variable, resource)
        with_finally(b, resource.position, what, body, final)


def _close(b: BodyBuilder, variable: str, resource: tree.LocalVariables | tree.Expression) -> None:
    close, end, at = b.label(), b.label(), resource.position
    around, b.subject = b.subject, (resource, None, None)
    b.branch("!=", variable, ir.Constant("null", "null"), close, end, at)
    b.place(close)
    call = ir.Call(b.new_id("call close", at), "expression", "close", None, variable, None, None, None, (), (), True)
    b.emit(call)
    b.place(end)
    b.subject = around
