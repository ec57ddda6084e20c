"""The three-address form of a Java file: declarations, and one list of simple instructions per body.

Variables, fields, methods and types are named by the ids of `names`; a `Use` is a type as written in the source (see
`relations`). Control flow is expressed by `Label`s and `Goto`s in the list; other instructions are followed by the next
one. Docstrings of instructions show what they do, in terms of their fields. `printer` prints this form, `verifier`
checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Use = str
Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal operand: its value as text, and its primitive type (`null` for null)."""

    value: str
    type: str


Operand = str | Constant


@dataclass(frozen=True, slots=True)
class Exact:
    """What compiled code names: the member of `owner`, or of what that inherits from, with this `signature` and this
    `result`; the signature is `name(T1,T2)` with erased types, that of a field its name."""

    owner: Use
    signature: str
    result: Use


@dataclass(frozen=True, slots=True)
class Label:
    """A place that jumps go to."""

    name: str


@dataclass(frozen=True, slots=True)
class Goto:
    """An unconditional jump; it does not count as an instruction."""

    label: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """Anything that is executed; `id` is unique in the project."""

    id: str


# Assignments


@dataclass(frozen=True, slots=True)
class AssignConstant(Instruction):
    """`target = literal`: a number, boolean, character, null, or a string (type `java.lang.String`)."""

    target: str
    value: Constant


@dataclass(frozen=True, slots=True)
class AssignClass(Instruction):
    """`target = type.class`."""

    target: str
    type: Use


@dataclass(frozen=True, slots=True)
class Copy(Instruction):
    """`target = source`."""

    target: str
    source: str


@dataclass(frozen=True, slots=True)
class Cast(Instruction):
    """`target = (type) source`."""

    target: str
    source: str
    type: Use


@dataclass(frozen=True, slots=True)
class CastAs(Instruction):
    """`target = (type of like) source`, the implicit cast of compound assignments."""

    target: str
    source: str
    like: str


@dataclass(frozen=True, slots=True)
class InstanceOf(Instruction):
    """`target = source instanceof type`."""

    target: str
    source: str
    type: Use


@dataclass(frozen=True, slots=True)
class Binary(Instruction):
    """`target = left operator right`."""

    target: str
    operator: str
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Unary(Instruction):
    """`target = operator operand`."""

    target: str
    operator: str
    operand: Operand


# Fields and arrays


@dataclass(frozen=True, slots=True)
class LoadField(Instruction):
    """`target = base.field`, for a field that the file declares; `base` is None for a static one."""

    target: str
    base: str | None
    field: str


@dataclass(frozen=True, slots=True)
class StoreField(Instruction):
    """`base.field = source`, for a field that the file declares; `base` is None for a static one."""

    base: str | None
    field: str
    source: str


@dataclass(frozen=True, slots=True)
class LoadMember(Instruction):
    """`target = base.name`; `of_super` says that the name is looked up in the superclass."""

    target: str
    base: str
    name: str
    of_super: bool
    exact: Exact | None = None


@dataclass(frozen=True, slots=True)
class StoreMember(Instruction):
    """`base.name = source`; `of_super` says that the name is looked up in the superclass."""

    base: str
    name: str
    source: str
    of_super: bool
    exact: Exact | None = None


@dataclass(frozen=True, slots=True)
class LoadName(Instruction):
    """`target = name`, or with a qualifier `target = base.name` or `target = type.name`: linking decides whether the
    qualifier is the value `base` or the type `type`."""

    target: str
    base: str | None
    type: Use | None
    name: str
    exact: Exact | None = None


@dataclass(frozen=True, slots=True)
class StoreName(Instruction):
    """`name = source`, or with a qualifier as in LoadName."""

    base: str | None
    type: Use | None
    name: str
    source: str
    exact: Exact | None = None


@dataclass(frozen=True, slots=True)
class LoadComponent(Instruction):
    """`target = base.component`, for record component number `index`."""

    target: str
    base: str
    index: int


@dataclass(frozen=True, slots=True)
class LoadArray(Instruction):
    """`target = base[index]`; the index is None if it is not known."""

    target: str
    base: str
    index: Operand | None


@dataclass(frozen=True, slots=True)
class StoreArray(Instruction):
    """`base[index] = source`; the index is None if it is not known."""

    base: str
    index: Operand | None
    source: str


# Allocations and calls


@dataclass(frozen=True, slots=True)
class NewArray(Instruction):
    """`target = new type[length]`; `elements` are the literals in its initialiser."""

    target: str
    type: Use
    length: Operand | None
    elements: tuple[Constant, ...]


@dataclass(frozen=True, slots=True)
class NewObject(Instruction):
    """`target = new type(arguments)`: allocation and constructor call in one.

    `anonymous` and `constructor` are the class and the constructor that were made for a class body, `outer` is an
    explicit enclosing instance.
    """

    target: str
    type: Use
    anonymous: str | None
    constructor: str | None
    outer: str | None
    arguments: tuple[str, ...]
    type_arguments: tuple[Use, ...]
    synthetic: bool
    exact: Exact | None = None


@dataclass(frozen=True, slots=True)
class Call(Instruction):
    """`result = base.name(arguments)`; the kinds are those of the relation `Invocation`."""

    kind: str
    name: str
    result: str | None
    base: str | None
    qualifier: Use | None
    outer: str | None
    method: str | None
    arguments: tuple[str, ...]
    type_arguments: tuple[Use, ...]
    synthetic: bool
    exact: Exact | None = None


FunctionalTarget = tuple[str, str, int]
"""(kind, target, index) as in relation `FunctionalTarget`."""


@dataclass(frozen=True, slots=True)
class NewLambda(Instruction):
    """`target = (a lambda whose body is method)`; `function` is the method that it implements, by name and number of
    parameters, where the file says that."""

    target: str
    method: str
    contexts: tuple[FunctionalTarget, ...]
    function: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class NewReference(Instruction):
    """`target = base::name` or `target = type::name`; the kinds are those of the relation `MethodReference`."""

    target: str
    kind: str
    base: str | None
    type: Use | None
    name: str
    contexts: tuple[FunctionalTarget, ...]


# Control flow


@dataclass(frozen=True, slots=True)
class If(Instruction):
    """`if left operator right goto yes else goto no`."""

    operator: str
    left: Operand
    right: Operand
    yes: str
    no: str


@dataclass(frozen=True, slots=True)
class Switch(Instruction):
    """Jump by the value of `subject`; cases are (kind, label value, label), with the kinds of the relation
    `SwitchCase`."""

    subject: str
    cases: tuple[tuple[str, str, str], ...]
    default: str


@dataclass(frozen=True, slots=True)
class Fork(Instruction):
    """Go on at one of the labels, without saying at which one."""

    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Return(Instruction):
    """`return value`, or `return`."""

    value: str | None


@dataclass(frozen=True, slots=True)
class Throw(Instruction):
    """`throw value`."""

    value: str


@dataclass(frozen=True, slots=True)
class Handler(Instruction):
    """The place where exceptions of the given types arrive, in `target`; only exception edges lead to it."""

    target: str
    types: tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class Monitor(Instruction):
    """The start or the end of a synchronized block."""

    enter: bool
    value: str


@dataclass(frozen=True, slots=True)
class Nop(Instruction):
    """An instruction that does nothing and keeps an empty loop visible."""


Code = Instruction | Label | Goto
ENDS = (If, Switch, Fork, Return, Throw)
"""Instructions that control does not fall through."""


# Variables, bodies, declarations


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a body.

    `types` are its declared types, or those that are evident from the source; `inferred` marks `var` and untyped lambda
    parameters; `typed_by` are the (kind, source, source) of the relations Var_TypeFromVar (kind `var`),
    Var_TypeFromElement (`element`) and Var_TypeFromConditional; `part_of` is the declared variable of which this one is
    a part, with assignments and uses of its own; `known` is what a test has told of all that it holds: the name of a
    relation, and the type or variable that is its second column.
    """

    id: str
    types: tuple[Use, ...] = ()
    inferred: bool = False
    typed_by: tuple[tuple[str, str, str], ...] = ()
    part_of: str | None = None
    known: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """The code of a method, all its variables, and, for each instruction that may throw, the handlers around it,
    innermost first."""

    code: tuple[Code, ...]
    variables: tuple[Variable, ...]
    handlers: Mapping[str, tuple[str, ...]]
    positions: Mapping[str, Position]


@dataclass(frozen=True, slots=True)
class TypeParameter:
    """A type variable: its name, its id, and the uses of its bounds (at least one)."""

    name: str
    id: str
    bounds: tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class Method:
    """A method, constructor or initialiser of `type`, or the body of a lambda, which stands in the body `enclosing`.

    `parameters` are variables, `parameter_types` their declared types (None where none is written). `instances` are the
    (type, variable) of the enclosing instances, `captured` the (source, copy) of variables of enclosing bodies.
    `left_out` says that its code cannot be read, or of initialisers some of it.
    """

    id: str
    name: str
    type: str
    position: Position
    modifiers: tuple[str, ...]
    type_parameters: tuple[TypeParameter, ...]
    parameters: tuple[Variable, ...]
    parameter_types: tuple[Use | None, ...]
    return_type: Use | None
    throws: tuple[Use, ...]
    this: str | None
    instances: tuple[tuple[str, str], ...] = ()
    captured: tuple[tuple[str, str], ...] = ()
    body: Body | None = None
    enclosing: str | None = None
    lambda_kind: str | None = None
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A field; `initial` is the value of a literal initialiser, `role` is (constant or component, number) for fields of
    enums and records."""

    id: str
    name: str
    type: Use
    position: Position
    modifiers: tuple[str, ...]
    initial: Constant | None = None
    role: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class TypeDeclaration:
    """A declared type; `place` is (top, package), (member, outer type), (local, scope) or (anonymous, method).

    `outer` is the type around it, `enclosing_method` the body around a local or anonymous type, `supertype` the type
    that an anonymous class was written with, `lexical` the type itself and the types around it, from inside out,
    `this_field` the field that holds the enclosing instance.
    """

    id: str
    kind: str
    name: str
    canonical: str | None
    place: tuple[str, str]
    position: Position
    outer: str | None
    enclosing_method: str | None
    scope_parent: str
    lexical: tuple[str, ...]
    modifiers: tuple[str, ...]
    type_parameters: tuple[TypeParameter, ...]
    superclass: Use | None
    superinterfaces: tuple[Use, ...]
    supertype: Use | None
    this_field: str | None
    fields: tuple[Field, ...]
    methods: tuple[Method, ...]


@dataclass(frozen=True, slots=True)
class AnnotationElement:
    """A value of an element of an annotation; the columns are those of the relation `AnnotationElement`."""

    name: str
    index: int
    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation of the type `type`; `declaration` is the type, field, method or parameter that has it, or the
    annotation that it stands in."""

    id: str
    declaration: str
    type: Use
    elements: tuple[AnnotationElement, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """An import of the kind type, package, static or static-package; the name that it declares, and what that means."""

    kind: str
    name: str
    text: str
    use: Use


@dataclass(frozen=True, slots=True)
class SimpleUse:
    """The use of a type by a simple name in a scope."""

    id: Use
    text: str
    scope: str
    name: str


@dataclass(frozen=True, slots=True)
class QualifiedUse:
    """The use of a type as `qualifier.name`; `qualifier_text` is the qualifier as written."""

    id: Use
    text: str
    qualifier: Use
    qualifier_text: str
    name: str


@dataclass(frozen=True, slots=True)
class ArrayUse:
    """The use of an array type, `component[]`."""

    id: Use
    text: str
    component: Use


@dataclass(frozen=True, slots=True)
class ParameterizedUse:
    """The use of a type with type arguments for the last part of its name, each as (wildcard, use)."""

    id: Use
    text: str
    erasure: Use
    arguments: tuple[tuple[str, Use], ...]


@dataclass(frozen=True, slots=True)
class KnownUse:
    """The use of a type that this file declares, by its id."""

    id: Use
    text: str
    type: str


@dataclass(frozen=True, slots=True)
class BinaryUse:
    """The use of a type by its binary name, which means the same everywhere."""

    id: Use
    text: str
    type: str


TypeUse = BinaryUse | KnownUse | SimpleUse | QualifiedUse | ArrayUse | ParameterizedUse


@dataclass(frozen=True, slots=True)
class Unit:
    """A file: its types in textual order (nested types after their outer type), the annotations of all declarations,
    its scopes, and its uses of types.

    `defaults` are the values that annotation types declare for their elements, with the ids of the types. `modules` are
    those that it imports. A module's file has `exports`, the (module, package) that it exports, `provides`, the
    (service, provider) that it declares, and `reads`, the (module, other module) that those read, too, who read the
    module.
    """

    id: str
    package: str
    imports: tuple[Import, ...]
    types: tuple[TypeDeclaration, ...]
    annotations: tuple[Annotation, ...]
    scopes: tuple[tuple[str, str], ...]
    uses: tuple[TypeUse, ...]
    use_positions: Mapping[Use, Position]
    modules: tuple[str, ...] = ()
    exports: tuple[tuple[str, str], ...] = ()
    reads: tuple[tuple[str, str], ...] = ()
    defaults: tuple[tuple[str, AnnotationElement], ...] = ()
    provides: tuple[tuple[str, str], ...] = ()
