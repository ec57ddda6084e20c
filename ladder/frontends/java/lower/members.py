"""Lowering of fields, methods, constructors and initialisers as written."""

from __future__ import annotations

from dataclasses import dataclass, field

from ladder.frontends.java import ir, names, tree
from ladder.frontends.java.lower.annotations import annotate, declare_default
from ladder.frontends.java.lower.body import BodyBuilder
from ladder.frontends.java.lower.context import FileContext, TypeContext
from ladder.frontends.java.lower.dispatch import assign, statement
from ladder.frontends.java.lower.expressions import constant_value, initialised_array
from ladder.frontends.java.lower.lambdas import END, instances_of, last_position
from ladder.frontends.java.lower.uses import OBJECT

INITIALIZER = "<init-block>"


@dataclass(slots=True, eq=False)
class Declared:
    """A type whose members are being lowered: its context, its declaration, and its fields and initialisers so far."""

    context: TypeContext
    position: ir.Position
    kind: str
    modifiers: tuple[str, ...]
    body: list[tree.Member]
    fields: list[ir.Field] = field(default_factory=list)
    static_body: BodyBuilder | None = None
    instance_body: BodyBuilder | None = None
    arities: set[tuple[str, int]] = field(init=False)

    def __post_init__(self) -> None:
        methods = (member for member in self.body if isinstance(member, tree.MethodDeclaration))
        self.arities = {(member.name, len(member.parameters)) for member in methods}
        if any(_initialises(member, static=False) for member in self.body) and self.kind not in (
            "interface",
            "annotation",
        ):
            self.context.initializer = names.method_id(self.context.id, INITIALIZER, ())

    def initializer(self, static: bool) -> BodyBuilder:
        """Return the body that collects static or instance initialisers in textual order."""
        context = self.context
        if static:
            if self.static_body is None:
                id = names.method_id(context.id, "<clinit>", ())
                self.static_body = BodyBuilder(id, context, context.scope, True)
            return self.static_body
        if self.instance_body is None:
            id = names.method_id(context.id, INITIALIZER, ())
            self.instance_body = BodyBuilder(id, context, context.scope, False)
        return self.instance_body


def lower_member(declared: Declared, node: tree.Member) -> None:
    """Lower any member that is not a type."""
    declared.context.file.budget.at = node.position
    if isinstance(node, tree.MethodDeclaration):
        _lower_method(declared, node)
    elif isinstance(node, tree.ConstructorDeclaration):
        _lower_constructor(declared, node)
    elif isinstance(node, tree.FieldDeclaration):
        _lower_field(declared, node)
    elif isinstance(node, tree.Initializer):
        statement(declared.initializer(node.static), node.body)
    elif isinstance(node, tree.LeftOut) and node.kind in ("static", "instance"):
        declared.initializer(node.kind == "static" or declared.kind in ("interface", "annotation")).left_out = True


def with_implied(node: tree.TypeDeclaration, kind: str, outer_kind: str | None) -> tuple[str, ...]:
    """Return a type's modifiers, with those that its kind and place imply."""
    implied = list(node.modifiers)
    if kind in ("interface", "annotation"):
        implied.append("abstract")
    if kind == "record" or (kind == "enum" and not any(c.body for c in getattr(node, "constants", ()))):
        implied.append("final")
    if outer_kind is not None and kind != "class":
        implied.append("static")
    if outer_kind in ("interface", "annotation"):
        implied.extend(("public", "static"))
    return tuple(dict.fromkeys(implied))


def type_parameters(
    file: FileContext, declaration: str, scope: str, written: list[tree.TypeParameter]
) -> tuple[ir.TypeParameter, ...]:
    """Return the type parameters of a declaration; names in their bounds are looked up in its own scope."""
    result = []
    for parameter in written:
        bounds = tuple(file.uses.use(scope, bound) for bound in parameter.bounds) or (file.uses.absolute(OBJECT),)
        id = names.type_variable_id(declaration, parameter.name)
        result.append(ir.TypeParameter(parameter.name, id, bounds))
    return tuple(result)


def call_initializer(b: BodyBuilder, position: ir.Position) -> None:
    """Call the instance initialisers of the type, if it has any."""
    if b.type.initializer is not None:
        id = b.new_id(f"call {INITIALIZER}", position, "")
        call = ir.Call(id, "direct", INITIALIZER, None, b.this, None, None, b.type.initializer, (), (), True)
        b.emit(call)


def call_super(b: BodyBuilder, position: ir.Position, passed: tuple[str, ...] = (), outer: str | None = None) -> None:
    """Emit the implied call of the superclass's constructor, and the call of the initialisers after it."""
    if b.type.kind == "class" and b.type.id != OBJECT:
        b.all_instances()
        id = b.new_id("call <init>", position, "super()")
        b.emit(ir.Call(id, "super-constructor", "<init>", None, b.this, None, outer, None, passed, (), True))
    call_initializer(b, position)


def finish_method(
    declared: Declared,
    b: BodyBuilder,
    name: str,
    modifiers: tuple[str, ...],
    position: ir.Position,
    parameters: tuple[ir.Variable, ...] = (),
    types: tuple[ir.Use | None, ...] = (),
    return_type: ir.Use = "void",
    *,
    end: ir.Position | None = None,
    generic: tuple[ir.TypeParameter, ...] = (),
    throws: tuple[ir.Use, ...] = (),
    has_body: bool = True,
    left_out: bool = False,
) -> None:
    """End a body with the implied return and add the method to its type; `left_out`: not all of its code is here."""
    if has_body and b.open:
        b.emit(ir.Return(b.new_id("return", end or position, END), None))
    body = b.finish(position, parameters)
    declared.context.lowered_methods.append(
        ir.Method(
            b.id, name, b.type.id, position, modifiers, generic, parameters, types, return_type, throws,
            b.this if has_body or left_out else None, instances_of(b) if has_body else (), tuple(b.captured.items()),
            body if has_body else None, left_out=left_out,
        )
    )  # fmt: skip


def finish_initializers(declared: Declared) -> None:
    """Add the bodies that collect the initialisers; of those that parts which are left out may belong to, not all code
    is there."""
    unsure = any(isinstance(member, tree.LeftOut) and member.kind == "unknown" for member in declared.body)
    for b, name, modifier in (
        (declared.instance_body, INITIALIZER, "private"),
        (declared.static_body, "<clinit>", "static"),
    ):
        if b is not None:
            modifiers = (modifier, "synthetic")
            finish_method(declared, b, name, modifiers, declared.position, left_out=unsure or b.left_out)


def declare_parameters(
    b: BodyBuilder, written: list[tree.Parameter]
) -> tuple[tuple[ir.Variable, ...], tuple[ir.Use, ...]]:
    """Declare the parameters of a method; return them and their types."""
    variables, types = [], []
    for parameter in written:
        assert parameter.type is not None
        b.budget.at = parameter.position
        use = b.file.uses.use(b.scope, parameter.type)
        variable = b.declare(parameter.name, (use,))
        annotate(b.file, variable.id, b.type.scope, parameter.annotations)
        variables.append(variable)
        types.append(use)
    return tuple(variables), tuple(types)


def _lower_method(declared: Declared, node: tree.MethodDeclaration) -> None:
    context = declared.context
    modifiers = _method_modifiers(node, declared.kind)
    b, generic = _begin(declared, node.name, node.parameters, node.type_parameters, "static" in modifiers)
    annotate(b.file, b.id, context.scope, node.annotations)
    if declared.kind == "annotation":
        declare_default(b.file, context.id, context.scope, node.name, node.default)
    variables, types = declare_parameters(b, node.parameters)
    returns = context.file.uses.use(b.scope, node.return_type)
    throws = tuple(context.file.uses.use(b.scope, type) for type in node.throws)
    if isinstance(node.body, tree.Block):
        statement(b, node.body)
    finish_method(
        declared, b, node.name, modifiers, node.name_position, variables, types, returns,
        end=None if node.body is None else last_position(node.body), generic=generic, throws=throws,
        has_body=isinstance(node.body, tree.Block), left_out=isinstance(node.body, tree.LeftOut),
    )  # fmt: skip


def _lower_constructor(declared: Declared, node: tree.ConstructorDeclaration) -> None:
    context = declared.context
    varargs = ("varargs",) if node.parameters and node.parameters[-1].varargs else ()
    modifiers = tuple(dict.fromkeys((*node.modifiers, *(("private",) if declared.kind == "enum" else ()), *varargs)))
    b, generic = _begin(declared, "<init>", node.parameters, node.type_parameters, False)
    annotate(b.file, b.id, context.scope, node.annotations)
    variables, types = declare_parameters(b, node.parameters)
    throws = tuple(context.file.uses.use(b.scope, type) for type in node.throws)
    if isinstance(node.body, tree.Block):
        if not any(isinstance(part, tree.ConstructorCall) for part in node.body.statements):
            call_super(b, node.name_position)
        statement(b, node.body)
    left_out = isinstance(node.body, tree.LeftOut)
    finish_method(
        declared, b, "<init>", modifiers, node.name_position, variables, types,
        end=last_position(node.body), generic=generic, throws=throws, has_body=not left_out, left_out=left_out,
    )  # fmt: skip


def _begin(
    declared: Declared, name: str, parameters: list[tree.Parameter], generic: list[tree.TypeParameter], static: bool
) -> tuple[BodyBuilder, tuple[ir.TypeParameter, ...]]:
    context = declared.context
    texts = (tree.erased_text(p.type) for p in parameters if p.type is not None)
    id = context.unique(names.method_id(context.id, name, texts))
    scope = context.scope
    if generic:
        context.file.scope(id, scope)
        scope = id
    return BodyBuilder(id, context, scope, static), type_parameters(context.file, id, scope, generic)


def _method_modifiers(node: tree.MethodDeclaration, kind: str) -> tuple[str, ...]:
    modifiers = list(node.modifiers)
    if kind in ("interface", "annotation"):
        if "private" not in modifiers:
            modifiers.append("public")
        if node.body is None:
            modifiers.append("abstract")
    if node.parameters and node.parameters[-1].varargs:
        modifiers.append("varargs")
    return tuple(dict.fromkeys(modifiers))


def _lower_field(declared: Declared, node: tree.FieldDeclaration) -> None:
    context = declared.context
    modifiers = tuple(node.modifiers)
    if declared.kind in ("interface", "annotation"):
        modifiers = tuple(dict.fromkeys((*modifiers, "public", "static", "final")))
    for declarator in node.declarators:
        use = context.file.uses.use(context.scope, tree.declared_type(node.type, declarator))
        id = context.unique(names.field_id(context.id, declarator.name))
        annotate(context.file, id, context.scope, node.annotations)
        initial = declarator.initializer
        constant = None if initial is None else constant_value(initial)
        declared.fields.append(ir.Field(id, declarator.name, use, declarator.position, modifiers, constant))
        if initial is not None:
            b = declared.initializer("static" in modifiers)
            _initialise(b, id, use, declarator, "static" in modifiers)


def _initialise(b: BodyBuilder, field_id: str, use: ir.Use, declarator: tree.VariableDeclarator, static: bool) -> None:
    initial, position = declarator.initializer, declarator.position
    assert initial is not None
    store = b.new_id("store", position, declarator.name)
    source = b.temporary(use, what=declarator.name)
    with b.block():
        if isinstance(initial, tree.ArrayInitializer):
            initialised_array(b, initial, use, (source, position), initial.position)
        else:
            assign(b, initial, (source, position), (("type", use, 0),))
    b.emit(ir.StoreField(store, None if static else b.this, field_id, source))


def _initialises(member: tree.Member, static: bool) -> bool:
    if isinstance(member, tree.Initializer):
        return member.static == static
    if isinstance(member, tree.FieldDeclaration):
        return ("static" in member.modifiers) == static and any(d.initializer for d in member.declarators)
    if isinstance(member, tree.LeftOut):
        return member.kind == ("static" if static else "instance")
    return False
