"""Lowering of literals, operators, casts, arrays, and assignments."""

from __future__ import annotations

from ladder.frontends.java import ir, names, tree
from ladder.frontends.java.lexer import shortened
from ladder.frontends.java.lower.body import PRIMITIVES, BodyBuilder
from ladder.frontends.java.lower.conditions import boolean, condition
from ladder.frontends.java.lower.dispatch import (
    Contexts,
    Target,
    Unlowerable,
    assign,
    copy_to,
    destination,
    lowers_expression,
    operand,
    operands,
    preserve,
    value,
)
from ladder.frontends.java.lower.names_in_scope import Place, place
from ladder.frontends.java.lower.uses import STRING

WIDE = frozenset(("int", "long", "float", "double"))
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


@lowers_expression(tree.Literal)
def lower_literal(b: BodyBuilder, node: tree.Literal, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower a literal: a number, boolean, character or null is an operand itself, a string is assigned."""
    if node.kind not in ("string", "text"):
        return literal(node)
    to, at = destination(b, target, node.position, b.file.uses.absolute(STRING))
    text = node.value
    assert isinstance(text, str)
    b.emit(ir.AssignConstant(b.new_id("assign", at), to, ir.Constant(names.string_id(text), STRING)))
    return to


def literal(node: tree.Literal, sign: int = 1) -> ir.Constant:
    """Return the constant of a literal that is not a string."""
    try:
        content = node.value
    except (ValueError, OverflowError) as error:
        raise Unlowerable(f"Malformed literal {shortened(node.text)}", node.position) from error
    if content is None:
        return ir.Constant("null", "null")
    if isinstance(content, bool):
        return ir.Constant(str(int(content)), "boolean")
    if isinstance(content, str):
        return ir.Constant(str(sign * ord(content)), "int" if sign < 0 else "char")
    return ir.Constant(str(sign * content), node.kind)


@lowers_expression(tree.Unary)
def lower_unary(b: BodyBuilder, node: tree.Unary, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `-x`, `~x`, `+x` or `!x`; the minus before a number literal becomes part of that."""
    if node.operator == "-" and isinstance(node.operand, tree.Literal) and node.operand.kind in (*WIDE, "char"):
        return literal(node.operand, -1)
    source = operand(b, node.operand)
    to, at = destination(b, target, node.position, *(("boolean",) if node.operator == "!" else ()))
    b.emit(ir.Unary(b.new_id("assign", at), to, node.operator, source))
    return to


@lowers_expression(tree.Binary)
def lower_binary(b: BodyBuilder, node: tree.Binary, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower arithmetic or a comparison; chains nest to the left thousands deep, so they are walked in a loop."""
    if node.operator in ("&&", "||"):
        return boolean(b, node, target)
    spine = [node]
    while isinstance(spine[-1].left, tree.Binary) and spine[-1].left.operator not in ("&&", "||"):
        spine.append(spine[-1].left)
    whole = b.subject
    b.subject = spine[-1], None, None
    result = operand(b, spine[-1].left)
    for step in reversed(spine):
        b.subject = whole if step is node else (step, None, None)
        result = _binary_step(b, step, result, target if step is node else None)
    return result


def _binary_step(b: BodyBuilder, node: tree.Binary, left: ir.Operand, target: Target | None) -> ir.Operand:
    mark, writes = len(b.code), b.writes.get(left, 0) if isinstance(left, str) else 0
    right = operand(b, node.right)
    if isinstance(left, str) and b.writes.get(left, 0) != writes:
        what = f"old {b.file.texts.of(node.left)}"
        copy = b.temporary(typed_by=(("var", left, ""),), what=what)
        b.code.insert(mark, ir.Copy(b.new_id("assign", node.left.position, what), copy, left))
        left = copy
    to, at = destination(b, target, node.position, *(("boolean",) if node.operator in COMPARISONS else ()))
    b.emit(ir.Binary(b.new_id("assign", at), to, node.operator, left, right))
    return to


@lowers_expression(tree.InstanceOf)
def lower_instance_of(b: BodyBuilder, node: tree.InstanceOf, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `x instanceof T`, also with a pattern, which is a branching test."""
    if node.type is None:
        return boolean(b, node, target)
    source = value(b, node.operand)
    to, at = destination(b, target, node.position, "boolean")
    b.emit(ir.InstanceOf(b.new_id("assign", at), to, source, b.file.uses.use(b.scope, node.type)))
    return to


@lowers_expression(tree.Conditional)
def lower_conditional(b: BodyBuilder, node: tree.Conditional, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `c ? x : y` to branches that assign one variable; a chain in the last part is walked in a loop."""
    to, at = destination(b, target, node.position)
    end = b.label()
    contexts = contexts or (("var", to, 0),)
    results: list[str] = []
    rest: tree.Expression = node
    while isinstance(rest, tree.Conditional):
        yes, no = b.label(), b.label()
        condition(b, rest.condition, yes, no)
        b.place(yes)
        results.append(_branch_value(b, rest.if_true, (to, at), contexts))
        b.goto(end)
        b.place(no)
        rest = rest.if_false
    results.append(_branch_value(b, rest, (to, at), contexts))
    b.place(end)
    if target is None:
        b.retype(to, typed_by_branches(b, node, results[::-1]))
    return to


def typed_by_branches(b: BodyBuilder, node: tree.Expression, values: list[str]) -> tuple[tuple[str, str, str], ...]:
    """Return what types an expression that has one of several values: of the first two, a temporary has the type that
    both have in common, that one and the third have another one in common, and so on. Of values that are seen to have
    the same type one is enough, but for numbers, which may fit into the type of the others."""
    types = {each: b.variables[each].types for each in values}
    values = list({types[each] if types[each] not in ((), ("int",)) else each: each for each in values}.values())
    if len(values) < 2:
        return tuple(("var", each, "") for each in values)
    common, what = values[0], f"branches of {b.file.texts.of(node)}"
    for each in values[1:-1]:
        common = b.temporary(typed_by=(("conditional", each, common),), what=what)
    return (("conditional", values[-1], common),)


def _branch_value(b: BodyBuilder, node: tree.Expression, target: Target, contexts: Contexts) -> str:
    result = value(b, node, contexts)
    copy_to(b, node, result, target)
    return result


@lowers_expression(tree.Cast)
def lower_cast(b: BodyBuilder, node: tree.Cast, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `(T) x`."""
    bounds = node.type.bounds if isinstance(node.type, tree.IntersectionType) else [node.type]
    uses = [b.file.uses.use(b.scope, bound) for bound in bounds]
    source = value(b, node.operand, tuple(("type", use, 0) for use in uses))
    to, at = destination(b, target, node.position, uses[0])
    b.emit(ir.Cast(b.new_id("cast", at), to, source, uses[0]))
    return to


@lowers_expression(tree.ClassLiteral)
def lower_class_literal(
    b: BodyBuilder, node: tree.ClassLiteral, target: Target | None, contexts: Contexts
) -> ir.Operand:
    """Lower `T.class`."""
    to, at = destination(b, target, node.position, b.file.uses.absolute("java.lang.Class"))
    b.emit(ir.AssignClass(b.new_id("assign", at), to, b.file.uses.use(b.scope, node.type)))
    return to


# Arrays


@lowers_expression(tree.NewArray)
def lower_new_array(b: BodyBuilder, node: tree.NewArray, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `new T[n][m]`, which allocates one array in another, or `new T[] {…}`."""
    element = b.file.uses.use(b.scope, node.element)
    use = b.file.uses.array(b.scope, element, node.dimensions, node.position)
    if node.initializer is not None:
        return initialised_array(b, node.initializer, use, target, node.position)
    lengths = operands(b, node.lengths)
    outer = _allocate_array(b, use, lengths[0] if lengths else None, target, node.position)
    inner = outer
    for length in lengths[1:]:
        component = b.file.uses.component(use)
        assert component is not None
        use = component
        part = _allocate_array(b, use, length, None, node.position)
        b.emit(ir.StoreArray(b.new_id("store", node.position), inner, ir.Constant("0", "int"), part))
        inner = part
    return outer


def initialised_array(
    b: BodyBuilder, node: tree.ArrayInitializer, use: ir.Use, target: Target | None, position: ir.Position
) -> str:
    """Lower `{a, b}` to an array of the type `use`; literals other than strings become part of the allocation.

    The elements are evaluated first, since they may use the variable that is assigned.
    """
    around, b.subject = b.subject, (node, None if target is None else target[0], b.subject[2])
    id = b.new_id(f"new {b.file.uses.text(use)}", position)
    component = b.file.uses.component(use) or use
    constants: dict[ir.Constant, None] = {}
    stored: list[tuple[int, tree.Expression]] = []
    values: list[ir.Operand] = []
    marks: list[tuple[int, int]] = []
    for index, element in enumerate(node.elements):
        constant = constant_value(element)
        if constant is not None:
            constants[constant] = None
            continue
        source = _element(b, element, component)
        stored.append((index, element))
        values.append(source)
        marks.append((len(b.code), b.writes.get(source, 0)))
    preserve(b, [element for _, element in stored], values, marks)
    to = target[0] if target else b.temporary(use)
    b.emit(ir.NewArray(id, to, use, ir.Constant(str(len(node.elements)), "int"), tuple(constants)))
    for (index, element), value_ in zip(stored, values):
        assert isinstance(value_, str)
        store = b.new_id("store", element.position, b.file.texts.of(element))
        b.emit(ir.StoreArray(store, to, ir.Constant(str(index), "int"), value_))
    b.subject = around
    return to


def _element(b: BodyBuilder, element: tree.Expression, component: ir.Use) -> str:
    if isinstance(element, tree.ArrayInitializer):
        return initialised_array(b, element, component, None, element.position)
    return value(b, element, (("type", component, 0),))


def constant_value(node: tree.Expression) -> ir.Constant | None:
    """Return the constant of an expression that is a literal other than a string, possibly negated; None for others."""
    if isinstance(node, tree.Literal) and node.kind not in ("string", "text"):
        return literal(node)
    if isinstance(node, tree.Unary) and node.operator == "-" and isinstance(node.operand, tree.Literal):
        return literal(node.operand, -1) if node.operand.kind in (*WIDE, "char") else None
    return None


def _allocate_array(
    b: BodyBuilder,
    use: ir.Use,
    length: ir.Operand | None,
    target: Target | None,
    position: ir.Position,
) -> str:
    to = target[0] if target else b.temporary(use)
    id = b.new_id(f"new {b.file.uses.text(use)}", position)
    b.emit(ir.NewArray(id, to, use, length, ()))
    return to


# Assignments


@lowers_expression(tree.Assignment)
def lower_assignment(b: BodyBuilder, node: tree.Assignment, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `x = e` or `x op= e`; its value is that of the variable, or the one that was stored."""
    to = place(b, node.target)
    if node.operator != "=":
        return _compound(b, to, node)
    if isinstance(to, str):
        assign(b, node.value, (to, node.position), (("var", to, 0),))
        b.writes[to] = b.writes.get(to, 0) + 1
        return to
    id = b.new_id("store", node.position)
    marks = _marks(b, to)
    source = _stored_value(b, node.value, to, (("store", id, 0),))
    preserve(b, [node.target] * len(to.held), to.held, marks)
    to.store(id, source)
    return source


def _marks(b: BodyBuilder, place: Place) -> list[tuple[int, int]]:
    """Return the marks of the operands that a place holds, for `preserve` after its value is computed."""
    return [(len(b.code), b.writes.get(operand, 0) if isinstance(operand, str) else 0) for operand in place.held]


def _stored_value(b: BodyBuilder, node: tree.Expression, to: Place, contexts: Contexts) -> str:
    if isinstance(node, tree.ArrayInitializer):
        return initialised_array(b, node, to.type or "", None, node.position)
    return value(b, node, contexts)


def _compound(b: BodyBuilder, to: Place | str, node: tree.Assignment) -> str:
    old = to if isinstance(to, str) else to.load(None)
    kept: list[ir.Operand] = [old]
    mark = (len(b.code), b.writes.get(old, 0))
    marks = [] if isinstance(to, str) else _marks(b, to)
    right = operand(b, node.value)
    if not isinstance(to, str):
        preserve(b, [node.target] * len(to.held), to.held, marks)
    preserve(b, [node], kept, [mark])
    old = str(kept[0])
    operator = node.operator[:-1]
    fits = isinstance(right, ir.Constant) and right.type == "int"
    return _update(b, to, old, operator, right, node.position, fits)


@lowers_expression(tree.Update)
def lower_update(b: BodyBuilder, node: tree.Update, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `++x` or `x--`; the postfix form keeps the old value."""
    to = place(b, node.target)
    old = to if isinstance(to, str) else to.load(None)
    kept = old
    if not node.prefix and isinstance(to, str):
        what = b.implied("old value")
        kept = b.temporary(typed_by=(("var", to, ""),), what=what)
        b.emit(ir.Copy(b.new_id("assign", node.position, what), kept, to))
    new = _update(b, to, old, node.operator[0], ir.Constant("1", "int"), node.position, True)
    return new if node.prefix else kept


def update_statement(b: BodyBuilder, node: tree.Update) -> None:
    """Lower `x++` where its value is not used."""
    to = place(b, node.target)
    old = to if isinstance(to, str) else to.load(None)
    _update(b, to, old, node.operator[0], ir.Constant("1", "int"), node.position, True)


def _update(
    b: BodyBuilder, to: Place | str, old: str, operator: str, right: ir.Operand, at: ir.Position, fits: bool
) -> str:
    """Store `old operator right`, cast back to the type of the place; `fits` says that `right` is an int constant."""
    if isinstance(to, str):
        types = b.variables[to].types
        b.writes[to] = b.writes.get(to, 0) + 1
        if types and (types[0] not in PRIMITIVES or (fits and types[0] in WIDE)):
            b.emit(ir.Binary(b.new_id("assign", at), to, operator, old, right))
            return to
        result = b.temporary()
        b.emit(ir.Binary(b.new_id("assign", at), result, operator, old, right))
        _cast_back(b, to, result, types[0] if types else None, to, at)
        return to
    result = b.temporary()
    b.emit(ir.Binary(b.new_id("assign", at), result, operator, old, right))
    if to.type is None or (to.type in PRIMITIVES and not (fits and to.type in WIDE)):
        narrow = b.temporary(*((to.type,) if to.type else ()), typed_by=() if to.type else (("var", old, ""),))
        _cast_back(b, narrow, result, to.type, old, at)
        result = narrow
    to.store(b.new_id("store", at), result)
    return result


def _cast_back(b: BodyBuilder, to: str, source: str, type: ir.Use | None, like: str, at: ir.Position) -> None:
    if type is None:
        b.emit(ir.CastAs(b.new_id("cast", at), to, source, like))
    else:
        b.emit(ir.Cast(b.new_id("cast", at), to, source, type))
