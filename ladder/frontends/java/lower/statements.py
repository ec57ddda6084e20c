"""Lowering of all statements but `switch` and `try`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ladder.frontends.java import ir, tree
from ladder.frontends.java.lower.body import BodyBuilder, Finally, Guarded, Target
from ladder.frontends.java.lower.calls import call_statement
from ladder.frontends.java.lower.conditions import condition, is_constant
from ladder.frontends.java.lower.dispatch import assign, copy_to, lowers_statement, operand, statement, value
from ladder.frontends.java.lower.expressions import initialised_array, update_statement


@lowers_statement(tree.Block)
def lower_block(b: BodyBuilder, node: tree.Block) -> None:
    """Lower `{…}`."""
    with b.block():
        for part in node.statements:
            statement(b, part)


@lowers_statement(tree.Empty)
def lower_empty(b: BodyBuilder, node: tree.Empty) -> None:
    """Lower `;` to nothing."""


@lowers_statement(tree.LocalVariables)
def lower_local_variables(b: BodyBuilder, node: tree.LocalVariables) -> None:
    """Lower `T a = 1, b;`."""
    for declarator in node.declarators:
        declare_local(b, node.type, declarator)


def declare_local(b: BodyBuilder, type: tree.Type, declarator: tree.VariableDeclarator) -> str:
    """Declare and initialise one local variable; return it."""
    inferred = isinstance(type, tree.InferredType)
    types = () if inferred else (b.file.uses.use(b.scope, tree.declared_type(type, declarator)),)
    variable = b.declare(declarator.name, types, inferred).id
    initial = declarator.initializer
    target = (variable, declarator.position)
    with b.block():
        if isinstance(initial, tree.ArrayInitializer):
            initialised_array(b, initial, types[0] if types else "", target, initial.position)
        elif initial is not None and inferred:
            _infer(b, variable, initial, declarator.position)
        elif initial is not None:
            assign(b, initial, target, (("var", variable, 0),))
    return variable


def _infer(b: BodyBuilder, variable: str, initial: tree.Expression, at: ir.Position) -> None:
    """Initialise a `var`, whose type is that of the value."""
    source = value(b, initial)
    b.retype(variable, (("var", source, ""),))
    copy_to(b, initial, source, (variable, at))


@lowers_statement(tree.ExpressionStatement)
def lower_expression_statement(b: BodyBuilder, node: tree.ExpressionStatement) -> None:
    """Lower `expression;`."""
    with b.block():
        effect(b, node.expression)


def effect(b: BodyBuilder, node: tree.Expression) -> None:
    """Lower an expression whose value is not used."""
    around, b.subject = b.subject, (node, None, None)
    if isinstance(node, tree.MethodCall):
        call_statement(b, node)
    elif isinstance(node, tree.Update):
        update_statement(b, node)
    else:
        operand(b, node)
    b.subject = around


@lowers_statement(tree.If)
def lower_if(b: BodyBuilder, node: tree.If) -> None:
    """Lower `if (c) x else y`; a chain of `else if` is walked in a loop.

    Pattern variables stay in scope after an `if` of which one branch does not complete.
    """
    end = b.label()
    rest: tree.Statement | None = node
    with b.block():
        keep = False
        while isinstance(rest, tree.If):
            yes, no = b.label(), b.label()
            condition(b, rest.condition, yes, no)
            b.place(yes)
            with b.block():
                statement(b, rest.then)
            keep = keep or not b.open
            b.goto(end)
            b.place(no)
            rest = rest.otherwise
        if rest is not None:
            with b.block():
                statement(b, rest)
            keep = keep or not b.open
        if keep:
            b.keep_bindings()
    b.place(end)


@lowers_statement(tree.Labeled)
def lower_labeled(b: BodyBuilder, node: tree.Labeled) -> None:
    """Lower `label: statement`."""
    labels = [node.label]
    inner = node.statement
    while isinstance(inner, tree.Labeled):
        labels.append(inner.label)
        inner = inner.statement
    lower = _LOOPS.get(type(inner))
    if lower is not None:
        b.subject = inner, None, None
        lower(b, inner, tuple(labels))
        return
    end = b.label()
    b.frames.append(Target(tuple(labels), end, plain=False))
    with b.block():
        statement(b, inner)
    b.frames.pop()
    b.place(end)


@lowers_statement(tree.While)
def lower_while(b: BodyBuilder, node: tree.While, labels: tuple[str, ...] = ()) -> None:
    """Lower `while (c) body`."""
    _loop(b, node, labels, node.condition, [])


@lowers_statement(tree.For)
def lower_for(b: BodyBuilder, node: tree.For, labels: tuple[str, ...] = ()) -> None:
    """Lower `for (…; c; …) body`."""
    with b.block():
        for part in node.initializers:
            if isinstance(part, tree.LocalVariables):
                statement(b, part)
            else:
                effect(b, part)
        _loop(b, node, labels, node.condition, node.updates)


def _loop(
    b: BodyBuilder,
    node: tree.While | tree.For,
    labels: tuple[str, ...],
    test: tree.Expression | None,
    updates: list[tree.Expression],
) -> None:
    head, body, step, end = b.label(), b.label(), b.label(), b.label()
    b.place(head)
    empty = len(b.code)
    with b.block():
        if not is_constant(test, True) and test is not None:
            condition(b, test, body, end)
            b.place(body)
        with b.block():
            b.frames.append(Target(labels, end, step))
            statement(b, node.body)
            b.frames.pop()
            b.place(step)
            for update in updates:
                effect(b, update)
        if b.open and b.only_labels_since(empty):
            b.emit(ir.Nop(b.new_id("nop", node.position)))
        if isinstance(test, tree.Unary):
            b.keep_bindings()
    b.goto(head)
    b.place(end)


@lowers_statement(tree.Do)
def lower_do(b: BodyBuilder, node: tree.Do, labels: tuple[str, ...] = ()) -> None:
    """Lower `do body while (c);`."""
    head, step, end = b.label(), b.label(), b.label()
    b.goto(head)
    b.place(head)
    empty = len(b.code)
    b.frames.append(Target(labels, end, step))
    statement(b, node.body)
    b.frames.pop()
    b.place(step)
    if is_constant(node.condition, True):
        if b.open and b.only_labels_since(empty):
            b.emit(ir.Nop(b.new_id("nop", node.position)))
        b.goto(head)
    else:
        with b.block():
            condition(b, node.condition, head, end)
    b.place(end)


@lowers_statement(tree.ForEach)
def lower_for_each(b: BodyBuilder, node: tree.ForEach, labels: tuple[str, ...] = ()) -> None:
    """Lower `for (T x : e) body`: over an array by index, over an iterable by its iterator; as both, if the file does
    not show which one it is."""
    source = value(b, node.iterable)
    shape = _shape(b, node.iterable, source)
    if shape != "iterable":
        source = own_copy(b, source, node.iterable.position)
    head, body, end = b.label(), b.label(), b.label()
    at = node.iterable.position
    iterator = None if shape == "array" else _synthetic_call(b, "iterator", source, at, "java.util.Iterator")
    index = _new_index(b, at) if shape == "array" else None
    step = b.label() if index is not None else head
    b.place(head)
    with b.block():
        variable = _declare_element(b, node.variable, source)
        if index is not None:
            _next_of_array(b, source, index, variable, (body, end), at)
        else:
            assert iterator is not None
            _next_of_iterator(
                b, iterator, source if shape == "unknown" else None, node.variable, variable, (body, end), at
            )
        b.frames.append(Target(labels, end, step))
        statement(b, node.body)
        b.frames.pop()
    if index is not None:
        b.place(step)
        b.emit(ir.Binary(b.new_id("assign", at, b.implied("step")), index, "+", index, ir.Constant("1", "int")))
    b.goto(head)
    b.place(end)


def _shape(b: BodyBuilder, node: tree.Expression, source: str) -> str:
    """Return "array", "iterable" or "unknown", as far as the file shows it."""
    types = b.variables[source].types
    if not types and isinstance(node, tree.Name) and len(node.parts) == 1:
        found = b.resolve(node.parts[0])
        types = (found[1].type,) if isinstance(found, tuple) else ()
    if not types and isinstance(node, tree.FieldAccess) and isinstance(node.target, tree.This):
        known = b.type.fields.get(node.name)
        types = (known.type,) if known is not None else ()
    if not types:
        captured = b.originals.get(source)
        types = _original_types(b, captured) if captured is not None else ()
    if not types:
        return "unknown"
    return "array" if b.file.uses.component(types[0]) is not None else "iterable"


def _original_types(b: BodyBuilder, source: str) -> tuple[ir.Use, ...]:
    """Return the declared types of a variable of the body around this one."""
    outer = b.parent or b.type.body
    while outer is not None:
        if source in outer.variables:
            return outer.variables[source].types
        outer = outer.parent or outer.type.body
    return ()


def own_copy(b: BodyBuilder, source: str, at: ir.Position) -> str:
    """Copy a named variable that may be assigned by code that runs before its value is used; return the copy."""
    if b.is_temporary(source):
        return source
    what = b.implied("copy")
    copy = b.temporary(typed_by=(("var", source, ""),), what=what)
    b.emit(ir.Copy(b.new_id("assign", at, what), copy, source))
    return copy


def _new_index(b: BodyBuilder, at: ir.Position) -> str:
    what = b.implied("index")
    index = b.temporary("int", what=what)
    b.emit(ir.AssignConstant(b.new_id("assign", at, what), index, ir.Constant("0", "int")))
    return index


def _declare_element(b: BodyBuilder, node: tree.Parameter, source: str) -> str:
    if node.type is None or isinstance(node.type, tree.InferredType):
        return b.declare(node.name, (), True, (("element", source, ""),)).id
    return b.declare(node.name, (b.file.uses.use(b.scope, node.type),)).id


def _next_of_array(
    b: BodyBuilder, source: str, index: str, variable: str, exits: tuple[str, str], at: ir.Position
) -> None:
    what = b.implied("length")
    length = b.temporary("int", what=what)
    b.emit(ir.LoadMember(b.new_id("load", at, what), length, source, "length", False))
    b.branch("<", index, length, *exits, at)
    b.place(exits[0])
    b.emit(ir.LoadArray(b.new_id("load", at), variable, source, index))


def _next_of_iterator(
    b: BodyBuilder,
    iterator: str,
    array: str | None,
    node: tree.Parameter,
    variable: str,
    exits: tuple[str, str],
    at: ir.Position,
) -> None:
    """Assign the next element of the iterator; if `array` is given, or else some element of that."""
    more = _synthetic_call(b, "hasNext", iterator, at, "boolean")
    body, end = exits
    iterate, load = b.label(), b.label()
    if array is None:
        b.branch("!=", more, ir.Constant("0", "boolean"), iterate, end, at)
    else:
        choose = b.label()
        b.branch("!=", more, ir.Constant("0", "boolean"), choose, end, at)
        b.place(choose)
        b.fork([iterate, load], b.text(), at)
    b.place(iterate)
    element = _synthetic_call(b, "next", iterator, at, None)
    types = b.variables[variable].types
    if types:
        b.emit(ir.Cast(b.new_id("cast", node.name_position), variable, element, types[0]))
    else:
        b.emit(ir.Copy(b.new_id("assign", node.name_position), variable, element))
    if array is not None:
        b.goto(body)
        b.place(load)
        b.emit(ir.LoadArray(b.new_id("load", at), variable, array, None))
        b.place(body)


def _synthetic_call(b: BodyBuilder, name: str, base: str, at: ir.Position, type: str | None) -> str:
    """Add a call, which the source does not show, of a method without arguments; return its result."""
    types = () if type is None else (type,) if type == "boolean" else (b.file.uses.absolute(type),)
    result = b.temporary(*types, what=b.implied(name))
    b.emit(ir.Call(b.new_id(f"call {name}", at), "expression", name, result, base, None, None, None, (), (), True))
    return result


_LOOPS: dict[type[tree.Node], Callable[[BodyBuilder, Any, tuple[str, ...]], None]] = {
    tree.While: lower_while,
    tree.For: lower_for,
    tree.Do: lower_do,
    tree.ForEach: lower_for_each,
}


@lowers_statement(tree.Break)
def lower_break(b: BodyBuilder, node: tree.Break) -> None:
    """Lower `break` or `break label`."""
    target = b.target(node.label, loop=False)
    if target is not None:
        b.leave(target, lambda: b.goto(target.break_to), target.break_to)


@lowers_statement(tree.Continue)
def lower_continue(b: BodyBuilder, node: tree.Continue) -> None:
    """Lower `continue` or `continue label`."""
    target = b.target(node.label, loop=True)
    if target is not None and target.continue_to is not None:
        to = target.continue_to
        b.leave(target, lambda: b.goto(to), to)


@lowers_statement(tree.Return)
def lower_return(b: BodyBuilder, node: tree.Return) -> None:
    """Lower `return` or `return e`; the value is computed before any `finally` part runs."""
    if node.value is None:
        b.returns_void = True
        b.leave(None, lambda: b.emit(ir.Return(b.new_id("return", node.position, ""), None)))
        return
    b.returns_value = True
    with b.block():
        result = value(b, node.value, (("return", b.id, 0),))
    if any(isinstance(frame, Finally) for frame in b.frames):
        result = own_copy(b, result, node.position)
    what = b.text()
    b.leave(None, lambda: b.emit(ir.Return(b.new_id("return", node.position, what), result)))


@lowers_statement(tree.Throw)
def lower_throw(b: BodyBuilder, node: tree.Throw) -> None:
    """Lower `throw e`."""
    b.emit(ir.Throw(b.new_id("throw", node.position), value(b, node.value)))


@lowers_statement(tree.Assert)
def lower_assert(b: BodyBuilder, node: tree.Assert) -> None:
    """Lower `assert c : m`; it may be disabled, so afterwards nothing more is known than before."""
    check, failed, end = b.label(), b.label(), b.label()
    b.fork([check, end], b.text(), node.position)
    b.place(check)
    with b.block():
        condition(b, node.condition, end, failed)
        b.place(failed)
        use = b.file.uses.absolute("java.lang.AssertionError")
        passed = () if node.message is None else (value(b, node.message),)
        error = b.temporary(use)
        id = b.new_id("new java.lang.AssertionError", node.position)
        b.emit(ir.NewObject(id, error, use, None, None, None, passed, (), True))
        b.emit(ir.Throw(b.new_id("throw", node.position), error))
    b.place(end)


@lowers_statement(tree.Synchronized)
def lower_synchronized(b: BodyBuilder, node: tree.Synchronized) -> None:
    """Lower `synchronized (x) body`; no instruction releases the monitor when an exception leaves the body."""
    lock = value(b, node.lock)
    b.emit(ir.Monitor(b.new_id("monitor", node.position, f"enter {b.text()}"), True, lock))
    leave = f"exit {b.text()}"
    b.frames.append(Guarded(lock, node.position, leave))
    statement(b, node.body)
    b.frames.pop()
    b.emit(ir.Monitor(b.new_id("monitor", node.position, leave), False, lock))
