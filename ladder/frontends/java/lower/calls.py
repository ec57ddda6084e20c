"""Calls of methods and constructors."""

from __future__ import annotations

from ladder.frontends.java import ir, names, tree
from ladder.frontends.java.lower.arguments import arguments, type_arguments
from ladder.frontends.java.lower.body import BodyBuilder
from ladder.frontends.java.lower.dispatch import Contexts, Target, lowers_expression, lowers_statement, preserve, value
from ladder.frontends.java.lower.names_in_scope import enclosing_named, name_value, this_variable
from ladder.frontends.java.lower.types import anonymous_class, call_initializer


@lowers_expression(tree.MethodCall)
def lower_call(b: BodyBuilder, node: tree.MethodCall, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `target.name(arguments)`, the value of which is used."""
    kind, base, qualifier = _receiver(b, node)
    return _call(b, node, kind, base, qualifier, target[0] if target else b.temporary())


def call_statement(b: BodyBuilder, node: tree.MethodCall) -> None:
    """Lower a call whose value is not used."""
    kind, base, qualifier = _receiver(b, node)
    _call(b, node, kind, base, qualifier, None)


def _call(
    b: BodyBuilder, node: tree.MethodCall, kind: str, base: str | None, qualifier: ir.Use | None, result: str | None
) -> str:
    id = b.new_id(f"call {node.name}", node.name_position)
    mark, writes = len(b.code), b.writes.get(base, 0) if base else 0
    passed = arguments(b, node.arguments, id)
    if base is not None and b.writes.get(base, 0) != writes:
        kept: list[ir.Operand] = [base]
        preserve(b, [node], kept, [(mark, writes)])
        base = str(kept[0])
    types = type_arguments(b, node.type_arguments) if node.type_arguments else ()
    b.emit(ir.Call(id, kind, node.name, result, base, qualifier, None, None, passed, types, False))
    return result or ""


def _receiver(b: BodyBuilder, node: tree.MethodCall) -> tuple[str, str | None, ir.Use | None]:
    """Return the kind of call, the variable that it is called on, and the use of its qualifier as a type."""
    target = node.target
    if target is None:
        b.all_instances(node.name)
        return "unqualified", None, None
    if isinstance(target, tree.Super):
        return _super_receiver(b, target)
    if isinstance(target, tree.Name):
        base, use = name_value(b, target)
        return "expression" if use is None else "name", base, use
    return "expression", value(b, target), None


def _super_receiver(b: BodyBuilder, target: tree.Super) -> tuple[str, str, ir.Use | None]:
    if target.qualifier is None:
        return "super", this_variable(b, None), None
    use = b.file.uses.named(b.scope, target.qualifier.parts, target.position)
    context = enclosing_named(b, target.qualifier)
    return "super", this_variable(b, None if context is None else target.qualifier), use


@lowers_expression(tree.New)
def lower_new(b: BodyBuilder, node: tree.New, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `new T(arguments)` or `outer.new T(arguments)`, each possibly with a class body."""
    outer = None if node.target is None else value(b, node.target)
    if outer is None:
        _know_instances(b, node)
    use = b.file.uses.use(b.scope, node.type)
    id = b.new_id(f"new {node.type.name}", node.name_position)
    mark, writes = len(b.code), b.writes.get(outer, 0) if outer else 0
    passed = arguments(b, node.arguments, id)
    if outer is not None and b.writes.get(outer, 0) != writes:
        kept: list[ir.Operand] = [outer]
        preserve(b, [node], kept, [(mark, writes)])
        outer = str(kept[0])
    types = type_arguments(b, node.type_arguments) if node.type_arguments else ()
    anonymous = constructor = None
    if node.body is not None:
        anonymous, constructor = anonymous_class(b, node.body, use, passed, outer)
    to = target[0] if target else b.temporary(*_types_made(use, anonymous, outer))
    b.emit(ir.NewObject(id, to, use, anonymous, constructor, None if anonymous else outer, passed, types, False))
    return to


def _types_made(use: ir.Use, anonymous: str | None, outer: str | None) -> tuple[ir.Use, ...]:
    """Return the type of the object made, if the file shows it: the name in `outer.new T()` is that of a member of a
    type that linking finds."""
    if anonymous is not None:
        return (names.known_use_id(anonymous),)
    return () if outer is not None else (use,)


def _know_instances(b: BodyBuilder, node: tree.New) -> None:
    """Load the enclosing instances, unless the class is evidently no inner class."""
    if node.body is not None or (len(node.type.parts) == 1 and node.type.name not in b.file.imported):
        b.all_instances()


@lowers_statement(tree.ConstructorCall)
def lower_constructor_call(b: BodyBuilder, node: tree.ConstructorCall) -> None:
    """Lower `this(…)` or `super(…)`; after the latter the initialisers run."""
    outer = None if node.target is None else value(b, node.target)
    if node.keyword == "super":
        b.all_instances()
    id = b.new_id("call <init>", node.name_position)
    passed = arguments(b, node.arguments, id)
    types = type_arguments(b, node.type_arguments) if node.type_arguments else ()
    kind = f"{node.keyword}-constructor"
    b.emit(ir.Call(id, kind, "<init>", None, b.this, None, outer, None, passed, types, False))
    if node.keyword == "super":
        call_initializer(b, node.name_position)
