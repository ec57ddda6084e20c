"""Lowering of type declarations: top-level, member, local and anonymous types."""

from __future__ import annotations

from ladder.frontends.java import ir, names, tree
from ladder.frontends.java.lower import implicit, members
from ladder.frontends.java.lower.annotations import annotate
from ladder.frontends.java.lower.body import BodyBuilder
from ladder.frontends.java.lower.context import FileContext, KnownField, TypeContext, numbered
from ladder.frontends.java.lower.dispatch import lowers_statement
from ladder.frontends.java.lower.members import call_initializer, with_implied

KINDS: dict[type[tree.TypeDeclaration], str] = {
    tree.ClassDeclaration: "class",
    tree.InterfaceDeclaration: "interface",
    tree.EnumDeclaration: "enum",
    tree.RecordDeclaration: "record",
    tree.AnnotationDeclaration: "annotation",
}

__all__ = ["anonymous_class", "call_initializer", "lower_top_level"]


def lower_top_level(file: FileContext, node: tree.TypeDeclaration, package: str) -> None:
    """Lower a top-level type and everything in it."""
    id = _unique_type(file, names.type_id(package, node.name))
    canonical = names.type_id(package, node.name)
    context = _context(file, node, id, None, None, file.unit, static=True)
    _lower_declared(context, node, ("top", package), canonical, file.unit)


def _lower_member_type(outer: TypeContext, node: tree.TypeDeclaration, canonical: str | None) -> None:
    id = _unique_type(outer.file, names.member_type_id(outer.id, node.name))
    static = "static" in with_implied(node, KINDS[type(node)], outer.kind)
    context = _context(outer.file, node, id, outer, None, outer.scope, static)
    name = None if canonical is None else f"{canonical}.{node.name}"
    _lower_declared(context, node, ("member", outer.id), name, outer.scope)


@lowers_statement(*KINDS)
def lower_local_type(b: BodyBuilder, node: tree.TypeDeclaration) -> None:
    """Lower a type that is declared in a block; its name is known from here to the end of the block."""
    scope = b.type_scope(node.name)
    id = _unique_type(b.file, names.local_type_id(b.type.id, b.type.local_number(node.name), node.name))
    static = not isinstance(node, tree.ClassDeclaration) or b.instance(b.type) is None
    context = _context(b.file, node, id, b.type, b, scope, static)
    _lower_declared(context, node, ("local", scope), None, scope)


def anonymous_class(
    b: BodyBuilder, node: tree.ClassBody, supertype: ir.Use, passed: tuple[str, ...], outer: str | None = None
) -> tuple[str, str]:
    """Lower the body of an anonymous class or enum constant; return its type and the constructor for `passed`."""
    file = b.file
    id = names.local_type_id(b.type.id, b.type.local_number(""), "")
    file.type_ids.setdefault(id, 1)
    context = TypeContext(file, id, "", "class", id, b.type, b, b.instance(b.type) is None, may_inherit=True)
    file.uses.known(id, "")
    slot = _open(context, b.scope, [])
    _collect(context, node.members, "class")
    declared = members.Declared(context, node.position, "class", (), node.members)
    constructor = implicit.anonymous_constructor(declared, passed, outer)
    _lower_members(declared, None)
    file.types[slot] = ir.TypeDeclaration(
        id, "class", "", None, ("anonymous", b.id), node.position, b.type.id, b.id, b.scope,
        tuple(c.id for c in context.chain()), () if context.this_field else ("static",), (), None, (), supertype,
        context.this_field, tuple(declared.fields), tuple(context.lowered_methods),
    )  # fmt: skip
    return id, constructor


def _context(
    file: FileContext,
    node: tree.TypeDeclaration,
    id: str,
    outer: TypeContext | None,
    body: BodyBuilder | None,
    parent: str,
    static: bool,
) -> TypeContext:
    file.budget.at = node.name_position
    may_inherit = bool(_superinterfaces(node)) or (isinstance(node, tree.ClassDeclaration) and node.extends is not None)
    return TypeContext(file, id, node.name, KINDS[type(node)], id, outer, body, static, may_inherit)


def _open(context: TypeContext, parent: str, type_parameters: list[tree.TypeParameter]) -> int:
    """Add the type's scope and reserve its place in the list of types, before the types inside it; return it."""
    context.file.scope(context.scope, parent)
    enclosing = len(context.chain())
    context.file.budget.spend(enclosing, enclosing * len(context.id))
    if not context.static:
        context.this_field = names.field_id(context.id, "this$0")
    context.file.types.append(None)  # type: ignore[arg-type]
    return len(context.file.types) - 1


def _lower_declared(
    context: TypeContext, node: tree.TypeDeclaration, place: tuple[str, str], canonical: str | None, parent: str
) -> None:
    file, kind = context.file, context.kind
    slot = _open(context, parent, node.type_parameters)
    modifiers = with_implied(node, kind, context.outer.kind if place[0] == "member" and context.outer else None)
    # no scope is the unit's alone, so that annotations of a top-level type see its members, too
    annotate(file, context.id, parent if context.outer else context.scope, node.annotations)
    parameters = members.type_parameters(context.file, context.id, context.scope, node.type_parameters)
    superclass, interfaces = _supertypes(context, node)
    _collect(context, node.members, kind, node)
    declared = members.Declared(context, node.name_position, kind, modifiers, node.members)
    if isinstance(node, tree.EnumDeclaration):
        implicit.enum_constants(declared, node, anonymous_class)
    if isinstance(node, tree.RecordDeclaration):
        implicit.record_members(declared, node)
    _lower_members(declared, canonical)
    file.types[slot] = ir.TypeDeclaration(
        context.id, kind, node.name, canonical, place, node.name_position,
        context.outer.id if context.outer else None, context.body.id if context.body else None, parent,
        tuple(c.id for c in context.chain()), modifiers, parameters, superclass, interfaces, None,
        context.this_field, tuple(declared.fields), tuple(context.lowered_methods),
    )  # fmt: skip


def _superinterfaces(node: tree.TypeDeclaration) -> list[tree.Type]:
    if isinstance(node, tree.InterfaceDeclaration):
        return node.extends
    if isinstance(node, tree.ClassDeclaration | tree.EnumDeclaration | tree.RecordDeclaration):
        return node.implements
    return []


def _supertypes(context: TypeContext, node: tree.TypeDeclaration) -> tuple[ir.Use | None, tuple[ir.Use, ...]]:
    uses, scope = context.file.uses, _header_scope(context, node)
    interfaces = tuple(uses.use(scope, type) for type in _superinterfaces(node))
    if isinstance(node, tree.AnnotationDeclaration):
        return None, (uses.absolute("java.lang.annotation.Annotation"),)
    if isinstance(node, tree.InterfaceDeclaration) or context.id == "java.lang.Object":
        return None, interfaces
    if isinstance(node, tree.ClassDeclaration) and node.extends is not None:
        return uses.use(scope, node.extends), interfaces
    implied = {"class": "java.lang.Object", "enum": "java.lang.Enum", "record": "java.lang.Record"}
    return uses.absolute(implied[context.kind]), interfaces


def _header_scope(context: TypeContext, node: tree.TypeDeclaration) -> str:
    """The scope of the supertypes as written: that of the type, or, where they have the name of one of its member
    types, which are not in scope there (JLS 6.3), one of their own, of the type's parameters and what is outside."""
    members = {member.name for member in node.members if isinstance(member, tree.TypeDeclaration)}
    extends = [node.extends] if isinstance(node, tree.ClassDeclaration) and node.extends is not None else []
    written = [*_superinterfaces(node), *extends]
    if not any(isinstance(type, tree.ClassType) and type.parts[0].name in members for type in written):
        return context.scope
    scope = f"{context.scope}/header"
    context.file.scope(scope, context.scope)
    return scope


def _collect(
    context: TypeContext, body: list[tree.Member], kind: str, node: tree.TypeDeclaration | None = None
) -> None:
    """Note the fields and the names of methods, before any body is lowered."""
    if isinstance(node, tree.EnumDeclaration):
        itself = context.file.uses.known(context.id, context.name)
        for constant in node.constants:
            context.fields[constant.name] = KnownField(names.field_id(context.id, constant.name), True, itself)
        context.methods.update(("values", "valueOf"))
    if isinstance(node, tree.RecordDeclaration):
        for component in node.components:
            assert component.type is not None
            use = context.file.uses.use(context.scope, component.type)
            context.fields[component.name] = KnownField(names.field_id(context.id, component.name), False, use)
            context.methods.add(component.name)
    for member in body:
        if isinstance(member, tree.MethodDeclaration) or isinstance(member, tree.LeftOut) and member.kind == "method":
            context.methods.add(member.name)
        elif isinstance(member, tree.FieldDeclaration):
            static = "static" in member.modifiers or kind in ("interface", "annotation")
            for declarator in member.declarators:
                use = context.file.uses.use(context.scope, tree.declared_type(member.type, declarator))
                id = names.field_id(context.id, declarator.name)
                context.fields.setdefault(declarator.name, KnownField(id, static, use))


def _lower_members(declared: members.Declared, canonical: str | None) -> None:
    context = declared.context
    for member in declared.body:
        if isinstance(member, tree.TypeDeclaration):
            _lower_member_type(context, member, canonical)
        else:
            members.lower_member(declared, member)
    implicit.default_constructor(declared)
    if context.this_field is not None and context.outer is not None:
        outer = context.file.uses.known(context.outer.id, context.outer.name)
        modifiers = ("final", "synthetic")
        declared.fields.append(ir.Field(context.this_field, "this$0", outer, declared.position, modifiers))
    members.finish_initializers(declared)


def _unique_type(file: FileContext, id: str) -> str:
    return numbered(file.type_ids, id)
