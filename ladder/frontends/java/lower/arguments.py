"""Arguments of constructor and method calls."""

from __future__ import annotations

from ladder.frontends.java import ir, tree
from ladder.frontends.java.lower.body import BodyBuilder
from ladder.frontends.java.lower.dispatch import preserve, value
from ladder.frontends.java.lower.lambdas import begin_lambda


def arguments(b: BodyBuilder, nodes: list[tree.Expression], invocation: str) -> tuple[str, ...]:
    """Lower the arguments of an invocation to variables; bodies of lambdas are lowered after all other arguments."""
    if not nodes:
        return ()
    values: list[ir.Operand] = []
    marks: list[tuple[int, int]] = []
    lambdas = []
    for index, node in enumerate(nodes):
        context = (("argument", invocation, index),)
        if isinstance(node, tree.Lambda):
            result, finish = begin_lambda(b, node, None, context)
            lambdas.append(finish)
        else:
            result = value(b, node, context)
        values.append(result)
        marks.append((len(b.code), b.writes.get(result, 0)))
    preserve(b, nodes, values, marks)
    for finish in lambdas:
        finish()
    return tuple(result for result in values if isinstance(result, str))


def type_arguments(b: BodyBuilder, written: list[tree.TypeArgument]) -> tuple[ir.Use, ...]:
    """Return the uses of explicit type arguments; those of a call are types, never wildcards."""
    return tuple(b.file.uses.use(b.scope, type) for type in written if isinstance(type, tree.Type))
