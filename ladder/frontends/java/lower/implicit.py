"""Members that the language implies: default and anonymous constructors, members of enums and records."""

from __future__ import annotations

from collections.abc import Callable

from ladder.frontends.java import ir, names, tree
from ladder.frontends.java.lower.annotations import annotate
from ladder.frontends.java.lower.arguments import arguments
from ladder.frontends.java.lower.body import BodyBuilder
from ladder.frontends.java.lower.dispatch import statement
from ladder.frontends.java.lower.lambdas import last_position
from ladder.frontends.java.lower.members import (
    Declared,
    call_initializer,
    call_super,
    declare_parameters,
    finish_method,
)
from ladder.frontends.java.lower.uses import OBJECT, STRING

AnonymousClass = Callable[[BodyBuilder, tree.ClassBody, ir.Use, tuple[str, ...]], tuple[str, str]]
ACCESS = ("public", "protected", "private")


def default_constructor(declared: Declared) -> None:
    """Add the constructor of a class or enum that declares none; records and anonymous classes have their own."""
    context = declared.context
    if declared.kind not in ("class", "enum") or not context.name:
        return
    if any(_may_construct(member, context.name) for member in declared.body):
        return
    access = tuple(word for word in declared.modifiers if word in ACCESS)
    b = _body(declared, "<init>", (), False)
    call_super(b, declared.position)
    modifiers = (*(("private",) if declared.kind == "enum" else access), "synthetic")
    finish_method(declared, b, "<init>", modifiers, declared.position)


def _may_construct(member: tree.Member, name: str) -> bool:
    """Return whether a member of the class `name` is a constructor, or a part that is left out and may be one."""
    if isinstance(member, tree.LeftOut):
        return member.kind == "unknown" or member.name == name
    return isinstance(member, tree.ConstructorDeclaration)


def anonymous_constructor(declared: Declared, passed: tuple[str, ...], outer: str | None) -> str:
    """Add the constructor of an anonymous class, which calls the superclass's with its arguments; return its id."""
    context = declared.context
    b = _body(declared, "<init>", tuple("?" for _ in passed), False)
    parameters = tuple(
        b.declare(f"@parameter{index}", (), False, (("var", source, ""),)) for index, source in enumerate(passed)
    )
    enclosing = b.copy_of(outer) if outer is not None else None
    call_super(b, declared.position, tuple(parameter.id for parameter in parameters), enclosing)
    finish_method(declared, b, "<init>", ("synthetic",), declared.position, parameters, tuple(None for _ in passed))
    return names.method_id(context.id, "<init>", ("?" for _ in passed))


def enum_constants(declared: Declared, node: tree.EnumDeclaration, anonymous_class: AnonymousClass) -> None:
    """Add the constants, their creation, and `values` and `valueOf`."""
    context = declared.context
    itself = context.file.uses.known(context.id, context.name)
    for index, constant in enumerate(node.constants):
        id = context.unique(names.field_id(context.id, constant.name))
        annotate(context.file, id, context.scope, constant.annotations)
        at, role = constant.name_position, ("constant", index)
        modifiers = ("public", "static", "final")
        declared.fields.append(ir.Field(id, constant.name, itself, at, modifiers, None, role))
        _create_constant(declared.initializer(static=True), id, constant, itself, anonymous_class)
    _values(declared, node, itself)
    _value_of(declared, itself)


def _create_constant(
    b: BodyBuilder, field: str, node: tree.EnumConstant, itself: ir.Use, anonymous_class: AnonymousClass
) -> None:
    id = b.new_id(f"new {b.type.name}", node.name_position, node.name)
    passed = arguments(b, node.arguments, id)
    anonymous = constructor = None
    if node.body is not None:
        anonymous, constructor = anonymous_class(b, node.body, itself, passed)
    to = b.temporary(itself, what=node.name)
    b.emit(ir.NewObject(id, to, itself, anonymous, constructor, None, passed, (), True))
    b.emit(ir.StoreField(b.new_id("store", node.name_position, node.name), None, field, to))


def _values(declared: Declared, node: tree.EnumDeclaration, itself: ir.Use) -> None:
    """Add `values()`, which returns a new array with all constants."""
    at = declared.position
    array_use = declared.context.file.uses.array(declared.context.scope, itself, 1, at)
    b = _body(declared, "values", (), True)
    array = b.temporary(array_use, what="array")
    id = b.new_id(f"new {declared.context.name}[]", at, "")
    b.emit(ir.NewArray(id, array, array_use, ir.Constant(str(len(node.constants)), "int"), ()))
    for index, constant in enumerate(node.constants):
        element = b.temporary(what=constant.name)
        field = names.field_id(declared.context.id, constant.name)
        b.emit(ir.LoadField(b.new_id("load", at, constant.name), element, None, field))
        store = b.new_id("store", at, constant.name)
        b.emit(ir.StoreArray(store, array, ir.Constant(str(index), "int"), element))
    b.emit(ir.Return(b.new_id("return", at, "array"), array))
    finish_method(declared, b, "values", ("public", "static", "synthetic"), at, return_type=array_use)


def _value_of(declared: Declared, itself: ir.Use) -> None:
    """Add `valueOf(String)`, which returns some element of `values()`."""
    at, context = declared.position, declared.context
    string = context.file.uses.absolute(STRING)
    b = _body(declared, "valueOf", ("String",), True)
    name = b.declare("name", (string,))
    array, result = b.temporary(what="values()"), b.temporary(itself, what="element")
    values = names.method_id(context.id, "values", ())
    call = b.new_id("call values", at, "values()")
    b.emit(ir.Call(call, "direct", "values", array, None, None, None, values, (), (), True))
    b.emit(ir.LoadArray(b.new_id("load", at, "element"), result, array, None))
    b.emit(ir.Return(b.new_id("return", at, "element"), result))
    modifiers = ("public", "static", "synthetic")
    finish_method(declared, b, "valueOf", modifiers, at, (name,), (string,), itself)


def record_members(declared: Declared, node: tree.RecordDeclaration) -> None:
    """Add the fields, accessors, canonical constructor and object methods that a record does not declare; of those that
    parts which are left out may declare, none."""
    context = declared.context
    whole = not any(isinstance(member, tree.LeftOut) and member.kind != "type" for member in node.members)
    for index, component in enumerate(node.components):
        known = context.fields[component.name]
        id = context.unique(known.id)
        annotate(context.file, id, context.scope, component.annotations)
        modifiers = ("private", "final")
        field = ir.Field(id, component.name, known.type, component.name_position, modifiers, None, ("component", index))
        declared.fields.append(field)
        if whole and not _declares(declared, component.name, 0):
            _accessor(declared, component, known.id, known.type)
    if not whole:
        return
    _canonical_constructor(declared, node)
    uses = context.file.uses
    _opaque(declared, "toString", (), uses.absolute(STRING))
    _opaque(declared, "hashCode", (), "int")
    _opaque(declared, "equals", (uses.absolute(OBJECT),), "boolean")


def _accessor(declared: Declared, component: tree.Parameter, field: str, use: ir.Use) -> None:
    b = _body(declared, component.name, (), False)
    at = component.name_position
    result = b.temporary(use, what=component.name)
    b.emit(ir.LoadField(b.new_id("load", at, component.name), result, b.this, field))
    b.emit(ir.Return(b.new_id("return", at, component.name), result))
    finish_method(declared, b, component.name, ("public", "synthetic"), at, return_type=use)


def _canonical_constructor(declared: Declared, node: tree.RecordDeclaration) -> None:
    """Add the constructor that takes all components, if it is in the compact form or not written; it assigns the fields
    at its end."""
    written = tuple(tree.erased_text(c.type) for c in node.components if c.type is not None)
    compact = next((m for m in node.members if isinstance(m, tree.CompactConstructorDeclaration)), None)
    if compact is None and any(_parameter_texts(member) == written for member in node.members):
        return
    b = _body(declared, "<init>", written, False)
    annotate(b.file, b.id, b.type.scope, [] if compact is None else compact.annotations)
    variables, types = declare_parameters(b, node.components)
    at = declared.position if compact is None else compact.name_position
    left_out = compact is not None and isinstance(compact.body, tree.LeftOut)
    if not left_out:
        call_initializer(b, at)
    if compact is not None and isinstance(compact.body, tree.Block):
        statement(b, compact.body)
    end = at if compact is None else last_position(compact.body)
    for component, variable in zip(node.components, variables if not left_out else ()):
        field = b.type.fields[component.name].id
        b.emit(ir.StoreField(b.new_id("store", end, component.name), b.this, field, variable.id))
    varargs = ("varargs",) if node.components and node.components[-1].varargs else ()
    access = tuple(word for word in declared.modifiers if word in ACCESS)
    modifiers = (*access, "synthetic") if compact is None else tuple(compact.modifiers)
    finish_method(
        declared, b, "<init>", modifiers + varargs, at, variables, types,
        end=end, has_body=not left_out, left_out=left_out,
    )  # fmt: skip


def _parameter_texts(member: tree.Member) -> tuple[str, ...] | None:
    if not isinstance(member, tree.ConstructorDeclaration):
        return None
    return tuple(tree.erased_text(p.type) for p in member.parameters if p.type is not None)


def _opaque(declared: Declared, name: str, types: tuple[ir.Use, ...], returns: ir.Use) -> None:
    """Add an implied method whose code is not modelled."""
    if _declares(declared, name, len(types)):
        return
    texts = tuple(declared.context.file.uses.text(use).rpartition(".")[2] for use in types)
    b = _body(declared, name, texts, False)
    parameters = tuple(b.declare("other", (use,)) for use in types)
    modifiers = ("public", "final", "synthetic")
    finish_method(declared, b, name, modifiers, declared.position, parameters, types, returns, has_body=False)


def _declares(declared: Declared, name: str, arity: int) -> bool:
    return (name, arity) in declared.arities


def _body(declared: Declared, name: str, types: tuple[str, ...], static: bool) -> BodyBuilder:
    context = declared.context
    return BodyBuilder(context.unique(names.method_id(context.id, name, types)), context, context.scope, static)
