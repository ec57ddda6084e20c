"""A class file → the three-address form of the source front end, with every type and member named absolutely."""

from __future__ import annotations

from ladder.frontends.bytecode.annotations import Annotations
from ladder.frontends.bytecode.builder import BodyBuilder, Uses
from ladder.frontends.bytecode.classfile import (
    ABSTRACT,
    BRIDGE,
    ENUM,
    FINAL,
    MODULE,
    NATIVE,
    PRIVATE,
    PROTECTED,
    PUBLIC,
    STATIC,
    STRICT,
    SYNCHRONIZED,
    SYNTHETIC,
    TRANSIENT,
    VARARGS,
    VOLATILE,
    ClassFile,
    InnerClass,
    MethodInfo,
    Problem,
)
from ladder.frontends.bytecode.errors import Malformed, place
from ladder.frontends.bytecode.ids import INITIALISER, SOURCE, Ids
from ladder.frontends.bytecode.method import MethodLowering, parameter_slots
from ladder.frontends.bytecode.operations import OPERATIONS
from ladder.frontends.bytecode.pool import DOUBLE, FLOAT, INTEGER, LONG, Loadable
from ladder.frontends.java import ir, names
from ladder.frontends.java.limits import Budget

_ACCESS = {PUBLIC: "public", PRIVATE: "private", PROTECTED: "protected", STATIC: "static", FINAL: "final"}
_OF_TYPES = {**_ACCESS, ABSTRACT: "abstract", SYNTHETIC: "synthetic"}
_OF_FIELDS = {**_ACCESS, VOLATILE: "volatile", TRANSIENT: "transient", SYNTHETIC: "synthetic"}
_OF_METHODS = {
    **_ACCESS, SYNCHRONIZED: "synchronized", BRIDGE: "bridge", VARARGS: "varargs", NATIVE: "native",
    ABSTRACT: "abstract", STRICT: "strictfp", SYNTHETIC: "synthetic",
}  # fmt: skip
LITERALS = {INTEGER: "int", LONG: "long", FLOAT: "float", DOUBLE: "double"}


def lower(file: ClassFile, budget: Budget, ids: Ids = SOURCE) -> tuple[ir.Unit, list[Problem]]:
    """Return the three-address form of a class, whose members are called as `ids` says, and what could not be lowered
    of it; may raise LimitReached."""
    package = file.name.rpartition(".")[0]
    uses = Uses(file.name, budget)
    if file.flags & MODULE:
        return ir.Unit(f"{file.name}/module-info", "", (), (), (), (), (), {}), []
    problems: list[Problem] = []
    annotations = Annotations(uses, budget)
    declaration = _declaration(file, package, uses, annotations, ids, problems)
    annotations.add(file.name, file.annotations)
    return ir.Unit(
        file.name,
        package,
        (),
        (declaration,),
        tuple(annotations.rows),
        (),
        tuple(uses.rows.values()),
        {},
        defaults=tuple(annotations.defaults),
    ), problems


def _declaration(
    file: ClassFile, package: str, uses: Uses, annotations: Annotations, ids: Ids, problems: list[Problem]
) -> ir.TypeDeclaration:
    inner = {entry.inner: entry for entry in file.inner_classes}
    own = inner.get(file.name)
    lexical = _lexical(file, inner)
    outer = lexical[1] if len(lexical) > 1 else None
    simple = own.name if own is not None else file.name.rpartition(".")[2]
    kind = file.kind
    interface = kind in ("interface", "annotation")
    fields = _fields(file, uses, annotations, ids)
    methods = _methods(file, uses, annotations, ids, problems)
    return ir.TypeDeclaration(
        id=file.name,
        kind=kind,
        name=simple,
        canonical=_canonical(lexical, inner),
        place=_place(file, own, outer, package),
        position=place(0),
        outer=outer,
        enclosing_method=_enclosing_method(file),
        scope_parent=outer or file.name,
        lexical=lexical,
        modifiers=_modifiers(own.flags if own is not None else file.flags & ~SYNCHRONIZED, _OF_TYPES),
        type_parameters=(),
        superclass=uses.of(file.superclass) if file.superclass and not interface else None,
        superinterfaces=tuple(map(uses.of, dict.fromkeys(file.interfaces))),
        supertype=None,
        this_field=None,
        fields=fields,
        methods=methods,
    )


def _lexical(file: ClassFile, inner: dict[str, InnerClass]) -> tuple[str, ...]:
    """Return the class and those around it, as far as the file tells, from inside out."""
    found = [file.name]
    while True:
        entry = inner.get(found[-1])
        around = entry.outer if entry is not None else ""
        if not around and len(found) == 1 and file.enclosing is not None:
            around = file.enclosing[0]
        if not around or around in found or around.endswith("[]"):
            return tuple(found)
        found.append(around)


def _canonical(lexical: tuple[str, ...], inner: dict[str, InnerClass]) -> str | None:
    parts = []
    for type in lexical[:-1]:
        entry = inner.get(type)
        if entry is None or not entry.outer or not entry.name:
            return None
        parts.append(entry.name)
    return ".".join([lexical[-1], *reversed(parts)])


def _place(file: ClassFile, own: InnerClass | None, outer: str | None, package: str) -> tuple[str, str]:
    if outer is None:
        return "top", package
    if own is not None and own.outer:
        return "member", outer
    return "local", _enclosing_method(file) or outer


def _enclosing_method(file: ClassFile) -> str | None:
    if file.enclosing is None or not file.enclosing[1]:
        return None
    type, name, descriptor = file.enclosing
    return names.method_id(type, name, file.descriptors.method(descriptor, 0)[0])


def _modifiers(flags: int, known: dict[int, str]) -> tuple[str, ...]:
    return tuple(name for flag, name in known.items() if flags & flag)


# ---- fields


def _fields(file: ClassFile, uses: Uses, annotations: Annotations, ids: Ids) -> tuple[ir.Field, ...]:
    found: dict[str, ir.Field] = {}
    components = {name: index for index, (name, _) in enumerate(file.components or ())}
    constants = 0
    for info in file.fields:
        id = ids.field(file.name, info, found)
        annotations.budget.spend(3, len(id))
        annotations.add(id, info.annotations)
        role = None
        if info.flags & ENUM:
            role, constants = ("constant", constants), constants + 1
        elif not info.flags & STATIC and info.name in components:
            role = "component", components[info.name]
        initial = None if info.value is None else _literal(info.value)
        modifiers = _modifiers(info.flags, _OF_FIELDS)
        found[id] = ir.Field(id, info.name, uses.of(info.type), place(info.offset), modifiers, initial, role)
    return tuple(found.values())


def _literal(value: Loadable) -> ir.Constant:
    if isinstance(value.value, str):
        return ir.Constant(names.string_id(value.value), "java.lang.String")
    return ir.Constant(str(value.value), LITERALS[value.tag])


# ---- methods


def _methods(
    file: ClassFile, uses: Uses, annotations: Annotations, ids: Ids, problems: list[Problem]
) -> tuple[ir.Method, ...]:
    found: list[ir.Method] = []
    for info, id in zip(file.methods, ids.methods(file)):
        lowered = _method(file, info, id, uses, annotations.budget, ids, problems)
        annotations.add(id, info.annotations)
        annotations.add_default(file.name, info)
        annotations.add_parameters(info, [formal.id for formal in lowered[0].parameters])
        found.extend(lowered)
    if any(info.value is not None for info in file.fields) and all(info.name != INITIALISER for info in file.methods):
        b = BodyBuilder(ids.initialiser(file.name), file.name, uses, annotations.budget)
        b.at = place(0)
        code = _constants(file, b, ids)
        b.emit(ir.Return(b.new_id("return"), None))
        body = b.finish(code)
        found.append(
            ir.Method(
                b.id, INITIALISER, file.name, b.at, ("static", "synthetic"), (), (), (), "void", (), None, body=body
            )
        )
    return tuple(found)


def _method(
    file: ClassFile, info: MethodInfo, id: str, uses: Uses, budget: Budget, ids: Ids, problems: list[Problem]
) -> list[ir.Method]:
    """Return a method and the lambdas in it; if its code cannot be lowered, that is a problem, and it has no body."""
    builder = BodyBuilder(id, file.name, uses, budget)
    budget.spend(8, 2 * len(id))
    body: ir.Body | None = None
    lambdas: list[ir.Method] = []
    this: str | None = None
    parameters: tuple[str, ...] = ()
    position = place(info.offset)
    if info.code is not None:
        try:
            lowering = MethodLowering(file, info, info.code, builder, OPERATIONS)
            builder.at = position = lowering.position(0)
            prologue = _constants(file, builder, ids) if info.name == INITIALISER else []
            lowered = lowering.lower(prologue)
            body, parameters, this, lambdas = lowered.body, lowered.parameters, lowered.this, lowered.lambdas
        except Malformed as error:
            problems.append(Problem(f"{id}: {error.description}", error.offset))
            builder = BodyBuilder(id, file.name, uses, budget)
    if body is None:
        named = info.parameter_names if len(info.parameter_names) == len(info.parameters) else ()
        labels = [
            (named[index] if named and named[index] else f"l{slot}") for index, slot in enumerate(parameter_slots(info))
        ]
        parameters = tuple(
            builder.declare(label if labels.index(label) == index else f"{label}#{index}", type)
            for index, (label, type) in enumerate(zip(labels, info.parameters))
        )
    known = {variable.id: variable for variable in (body or builder.finish([])).variables}
    formals = tuple(known[parameter] for parameter in parameters)
    return [
        ir.Method(
            id, info.name, file.name, position, _modifiers(info.flags, _OF_METHODS), (), formals,
            tuple(map(uses.of, info.parameters)), uses.of(info.result), tuple(map(uses.of, info.throws)), this,
            body=body,
        ),
        *lambdas,
    ]  # fmt: skip


def _constants(file: ClassFile, b: BodyBuilder, ids: Ids) -> list[ir.Code]:
    """Return the assignments of the constants of static fields, which happen before the initialiser runs."""
    code: list[ir.Code] = []
    b.code = code
    known: dict[str, ir.Field] = {}
    for info in file.fields:
        id = ids.field(file.name, info, known)
        known[id] = ir.Field(id, info.name, info.type, place(0), ())
        if info.value is None:
            continue
        literal = _literal(info.value)
        source = b.temporary(literal.type)
        b.emit(ir.AssignConstant(b.new_id("assign"), source, literal))
        b.emit(ir.StoreField(b.new_id("store"), None, id, source))
    return code
