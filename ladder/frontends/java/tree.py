"""The syntax tree of one Java file (Java 8 to 25), in a normal form with one representation for each meaning.

Both parsers (our subclass of javalang's, and the conversion from tree-sitter) build exactly these nodes. The docstring
of a node shows the Java code that it stands for.

* Every node has `position`, its first character, and `end`, just past its last one: (line, column), both from 1,
  columns in characters of the source text with a tab as one. `name_position` is where the declared or used name stands.
* Selection is nesting: `a.b().c[0]` is ArrayAccess(FieldAccess(MethodCall(Name(a), "b"), "c"), 0). Parentheses leave
  no node; a node whose text starts or ends with a parenthesised operand covers the parenthesis.
* A bare dotted name stays a `Name`: only linking can tell package from type from variable. A `FieldAccess` therefore
  never has a `Name` as its target, unless that name stood in parentheses.
* Dimensions written after a name (`int a[]`, `int m()[]`) are folded into the type, except on a `VariableDeclarator`,
  whose siblings share the type: see `declared_type`.
* Empty declarations (a lone `;` among members or top-level types) leave no node; an empty statement is `Empty`.
* Left-associative operators nest to the left, and method chains in `target`. Both may be thousands deep
  (`ladder.frontends.java.visit` walks trees without recursion).

Nodes compare by identity and hash; `ladder.frontends.java.visit.difference` compares trees by structure.
"""

from __future__ import annotations

from dataclasses import dataclass

from ladder.frontends.java import names
from ladder.frontends.java.literals import literal_value

Position = tuple[int, int]
"""(line, column), both from 1."""


@dataclass(slots=True, eq=False)
class Node:
    """Any node: `position` is that of its first character, `end` the position just past its last one."""

    position: Position
    end: Position


@dataclass(slots=True, eq=False)
class Expression(Node):
    """A node that has a value (or is a call of a void method)."""


@dataclass(slots=True, eq=False)
class Statement(Node):
    """A node of a block. A `TypeDeclaration` may stand in a block, too (local classes, records, enums, interfaces)."""


@dataclass(slots=True, eq=False)
class Type(Node):
    """A type as written."""


@dataclass(slots=True, eq=False)
class Pattern(Node):
    """A pattern after `instanceof`, in a case label, or inside a record pattern."""


# Annotations


@dataclass(slots=True, eq=False)
class Annotation(Node):
    """`@a.b.Name(elements)`; `@A` and `@A()` have no elements, `@A(x)` has the one element `value`."""

    name: str
    elements: list[AnnotationElement]


@dataclass(slots=True, eq=False)
class AnnotationElement(Node):
    """`name = value` in an annotation; the value is a constant expression, an annotation or an array of these."""

    name: str
    value: ElementValue


@dataclass(slots=True, eq=False)
class AnnotationArray(Node):
    """`{a, b}` as the value of an annotation's element."""

    values: list[ElementValue]


ElementValue = Expression | Annotation | AnnotationArray


# Types


@dataclass(slots=True, eq=False)
class PrimitiveType(Type):
    """`int` and the other primitive types, and `void` (as a method's return type and in `void.class`)."""

    name: str
    annotations: list[Annotation]


@dataclass(slots=True, eq=False)
class ClassType(Type):
    """`a.b.C<T>.D`: a class, interface or type variable as written; package parts are parts like any other."""

    parts: list[TypePart]

    @property
    def name(self) -> str:
        """The dotted name without type arguments and annotations: `a.b.C.D`."""
        return ".".join(part.name for part in self.parts)


@dataclass(slots=True, eq=False)
class TypePart(Node):
    """One identifier of a class type; `arguments` is None where there are none, and empty for the diamond `<>`."""

    name: str
    arguments: list[TypeArgument] | None
    annotations: list[Annotation]


@dataclass(slots=True, eq=False)
class ArrayType(Type):
    """`element[]…`; `element` is never an array itself, `dimensions` >= 1, `annotations` are those of all
    dimensions."""

    element: Type
    dimensions: int
    annotations: list[Annotation]


@dataclass(slots=True, eq=False)
class InferredType(Type):
    """`var` in place of a type."""


@dataclass(slots=True, eq=False)
class IntersectionType(Type):
    """`A & B` in a cast; at least two bounds."""

    bounds: list[Type]


@dataclass(slots=True, eq=False)
class Wildcard(Node):
    """`?`, `? extends T` or `? super T` as a type argument; `kind` is "", "extends" or "super"."""

    kind: str
    bound: Type | None
    annotations: list[Annotation]


TypeArgument = Type | Wildcard


@dataclass(slots=True, eq=False)
class TypeParameter(Node):
    """`T extends A & B` in a declaration's `<…>`."""

    annotations: list[Annotation]
    name: str
    bounds: list[Type]


# Compilation unit


@dataclass(slots=True, eq=False)
class CompilationUnit(Node):
    """One file; `module` is set in a module-info file only, `types` are in textual order.

    A `compact` one has methods, fields and types outside of any class: they are the members of the one class in
    `types`, which the file declares implicitly (see `implicit_class`).
    """

    package: PackageDeclaration | None
    imports: list[Import]
    types: list[TypeDeclaration]
    module: ModuleDeclaration | None
    compact: bool


@dataclass(slots=True, eq=False)
class PackageDeclaration(Node):
    """`package a.b;`."""

    annotations: list[Annotation]
    name: str
    name_position: Position


@dataclass(slots=True, eq=False)
class Import(Node):
    """`import a.b.C;`; `wildcard` for `a.b.*` (then `name` is `a.b`), `static` for static imports, `module` for `import
    module a.b`."""

    name: str
    static: bool
    wildcard: bool
    module: bool


@dataclass(slots=True, eq=False)
class ModuleDeclaration(Node):
    """`open module a.b { directives }`."""

    annotations: list[Annotation]
    open: bool
    name: str
    name_position: Position
    directives: list[ModuleDirective]


@dataclass(slots=True, eq=False)
class ModuleDirective(Node):
    """A module's directive: `kind` is requires, exports, opens, uses or provides.

    `name` is the module, package or service; `modifiers` are those of requires (transitive, static); `targets` are
    the modules after `to` or the classes after `with`.
    """

    kind: str
    modifiers: list[str]
    name: str
    targets: list[str]


# Type declarations


@dataclass(slots=True, eq=False)
class TypeDeclaration(Node):
    """Any declared type; begins with its modifiers and annotations, which are in source order.

    `modifiers` holds words: public, static, abstract, final, sealed, non-sealed, strictfp and so on.
    """

    modifiers: list[str]
    annotations: list[Annotation]
    name: str
    name_position: Position
    type_parameters: list[TypeParameter]
    members: list[Member]


@dataclass(slots=True, eq=False)
class ClassDeclaration(TypeDeclaration):
    """`class`; `extends` is None where none is written."""

    extends: Type | None
    implements: list[Type]
    permits: list[Type]


@dataclass(slots=True, eq=False)
class InterfaceDeclaration(TypeDeclaration):
    """`interface`; its methods and fields have only the modifiers that are written, not the implied ones."""

    extends: list[Type]
    permits: list[Type]


@dataclass(slots=True, eq=False)
class EnumDeclaration(TypeDeclaration):
    """`enum`; constants stand before the other members."""

    implements: list[Type]
    constants: list[EnumConstant]


@dataclass(slots=True, eq=False)
class RecordDeclaration(TypeDeclaration):
    """`record`; components are parameters of the canonical constructor, which may be compact or absent."""

    components: list[Parameter]
    implements: list[Type]


@dataclass(slots=True, eq=False)
class AnnotationDeclaration(TypeDeclaration):
    """`@interface`; its elements are methods without parameters, possibly with a `default`."""


@dataclass(slots=True, eq=False)
class EnumConstant(Node):
    """`NAME(arguments) { body }`; `body` makes it an anonymous class of its own."""

    annotations: list[Annotation]
    name: str
    name_position: Position
    arguments: list[Expression]
    body: ClassBody | None


@dataclass(slots=True, eq=False)
class ClassBody(Node):
    """The body `{…}` of an anonymous class: each such node is one anonymous class."""

    members: list[Member]


# Members


@dataclass(slots=True, eq=False)
class FieldDeclaration(Node):
    """`modifiers type a = 1, b[];`."""

    modifiers: list[str]
    annotations: list[Annotation]
    type: Type
    declarators: list[VariableDeclarator]


@dataclass(slots=True, eq=False)
class VariableDeclarator(Node):
    """One name of a field or local variable declaration; `dimensions` counts the `[]` after the name.

    The initializer is an expression or an `ArrayInitializer`; the declared type is `declared_type(type, declarator)`.
    """

    name: str
    dimensions: int
    initializer: Expression | None


@dataclass(slots=True, eq=False)
class MethodDeclaration(Node):
    """A method; `body` is None where it is abstract or native, `default` is that of an annotation's element."""

    modifiers: list[str]
    annotations: list[Annotation]
    type_parameters: list[TypeParameter]
    return_type: Type
    name: str
    name_position: Position
    receiver: ReceiverParameter | None
    parameters: list[Parameter]
    throws: list[Type]
    body: Block | LeftOut | None
    default: ElementValue | None


@dataclass(slots=True, eq=False)
class ConstructorDeclaration(Node):
    """A constructor; an explicit `this(…)` or `super(…)` is a `ConstructorCall` statement in its body."""

    modifiers: list[str]
    annotations: list[Annotation]
    type_parameters: list[TypeParameter]
    name: str
    name_position: Position
    receiver: ReceiverParameter | None
    parameters: list[Parameter]
    throws: list[Type]
    body: Block | LeftOut


@dataclass(slots=True, eq=False)
class CompactConstructorDeclaration(Node):
    """A record's constructor without parameter list: the components are its parameters, assigned at its end."""

    modifiers: list[str]
    annotations: list[Annotation]
    name: str
    name_position: Position
    body: Block | LeftOut


@dataclass(slots=True, eq=False)
class Initializer(Node):
    """`{…}` or `static {…}` among the members."""

    static: bool
    body: Block


@dataclass(slots=True, eq=False)
class LeftOut(Node):
    """A member, or the body of one, that is left out because of a syntax error (see `recovery`).

    `kind` is "body"; what the member evidently is: "static" or "instance" for an initialiser, of a field or of its own,
    "method", of which `name` is the name, or "type"; or else "unknown".
    """

    kind: str
    name: str


Member = (
    FieldDeclaration
    | MethodDeclaration
    | ConstructorDeclaration
    | CompactConstructorDeclaration
    | Initializer
    | LeftOut
    | TypeDeclaration
)


@dataclass(slots=True, eq=False)
class Parameter(Node):
    """A parameter of a method, constructor, record or lambda, or the variable of an enhanced `for`.

    `type` includes dimensions after the name; for a varargs parameter it is the array type, and `varargs` is true. It
    is None for a lambda's parameter without a type (`x -> …`), and `InferredType` for `var`.
    """

    modifiers: list[str]
    annotations: list[Annotation]
    type: Type | None
    name: str
    name_position: Position
    varargs: bool


@dataclass(slots=True, eq=False)
class ReceiverParameter(Node):
    """`Outer Outer.this` as first parameter: it carries annotations and binds nothing. `qualifier` may be dotted or
    ""."""

    annotations: list[Annotation]
    type: Type
    qualifier: str


# Statements


@dataclass(slots=True, eq=False)
class Block(Statement):
    """`{…}`."""

    statements: list[BlockStatement]


@dataclass(slots=True, eq=False)
class LocalVariables(Statement):
    """`final T a = 1, b;`: in a block, as a `for` initializer, or as a resource of `try` (one declarator)."""

    modifiers: list[str]
    annotations: list[Annotation]
    type: Type
    declarators: list[VariableDeclarator]


@dataclass(slots=True, eq=False)
class Empty(Statement):
    """`;`."""


@dataclass(slots=True, eq=False)
class ExpressionStatement(Statement):
    """`expression;`; in an arrow case of a switch statement the node does not include the `;`: `case 1 -> f();`."""

    expression: Expression


@dataclass(slots=True, eq=False)
class ConstructorCall(Statement):
    """`this(…)`, `super(…)` or `outer.super(…)`; `keyword` is "this" or "super", `name_position` its position."""

    target: Expression | None
    type_arguments: list[TypeArgument]
    keyword: str
    name_position: Position
    arguments: list[Expression]


@dataclass(slots=True, eq=False)
class Labeled(Statement):
    """`label: statement`."""

    label: str
    statement: Statement


@dataclass(slots=True, eq=False)
class If(Statement):
    """`if (condition) then else otherwise`."""

    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(slots=True, eq=False)
class While(Statement):
    """`while (condition) body`."""

    condition: Expression
    body: Statement


@dataclass(slots=True, eq=False)
class Do(Statement):
    """`do body while (condition);`."""

    body: Statement
    condition: Expression


@dataclass(slots=True, eq=False)
class For(Statement):
    """`for (initializers; condition; updates) body`; initializers are one `LocalVariables` or expressions."""

    initializers: list[LocalVariables | Expression]
    condition: Expression | None
    updates: list[Expression]
    body: Statement


@dataclass(slots=True, eq=False)
class ForEach(Statement):
    """`for (variable : iterable) body`."""

    variable: Parameter
    iterable: Expression
    body: Statement


@dataclass(slots=True, eq=False)
class Switch(Statement):
    """A switch statement, with colons or with arrows."""

    selector: Expression
    cases: list[SwitchCase]


@dataclass(slots=True, eq=False)
class SwitchCase(Node):
    """One `case labels:` or `case labels when guard ->` or `default`, of a switch statement or expression.

    `labels` holds constant expressions (a `Name` may be an enum constant), patterns, and `DefaultLabel`. With colons,
    `case 1: case 2: s` are two cases, the first without statements. With an arrow there is exactly one statement: a
    `Block`, a `Throw`, an `ExpressionStatement`, or, in a switch expression, the `Yield` of the expression.
    """

    labels: list[Expression | Pattern | DefaultLabel]
    guard: Expression | None
    arrow: bool
    statements: list[BlockStatement]


@dataclass(slots=True, eq=False)
class DefaultLabel(Node):
    """`default`, alone or as in `case null, default`."""


@dataclass(slots=True, eq=False)
class Break(Statement):
    """`break label;`."""

    label: str | None


@dataclass(slots=True, eq=False)
class Continue(Statement):
    """`continue label;`."""

    label: str | None


@dataclass(slots=True, eq=False)
class Yield(Statement):
    """`yield value;`, and the value of an arrow case of a switch expression (then the node covers `value;`)."""

    value: Expression


@dataclass(slots=True, eq=False)
class Return(Statement):
    """`return value;`."""

    value: Expression | None


@dataclass(slots=True, eq=False)
class Throw(Statement):
    """`throw value;`."""

    value: Expression


@dataclass(slots=True, eq=False)
class Assert(Statement):
    """`assert condition : message;`."""

    condition: Expression
    message: Expression | None


@dataclass(slots=True, eq=False)
class Synchronized(Statement):
    """`synchronized (lock) body`."""

    lock: Expression
    body: Block


@dataclass(slots=True, eq=False)
class Try(Statement):
    """`try (resources) body catch … finally …`; a resource is a declaration, or an expression that names a variable."""

    resources: list[LocalVariables | Expression]
    body: Block
    catches: list[Catch]
    finally_body: Block | None


@dataclass(slots=True, eq=False)
class Catch(Node):
    """`catch (A | B name) body`."""

    parameter: CatchParameter
    body: Block


@dataclass(slots=True, eq=False)
class CatchParameter(Node):
    """`final A | B name`: one type or several alternatives."""

    modifiers: list[str]
    annotations: list[Annotation]
    types: list[Type]
    name: str
    name_position: Position


BlockStatement = Statement | TypeDeclaration


# Expressions


@dataclass(slots=True, eq=False)
class Literal(Expression):
    """A literal: `kind` is int, long, float, double, char, string, text (a text block), boolean or null.

    `text` is as in the source, with unicode escapes translated.
    """

    kind: str
    text: str

    @property
    def value(self) -> int | float | str | bool | None:
        """The Python value: see `ladder.frontends.java.literals.literal_value`."""
        return literal_value(self.kind, self.text)


@dataclass(slots=True, eq=False)
class Name(Expression):
    """A bare name `a` or `a.b.c`, not resolved; `positions` are those of its parts."""

    parts: tuple[str, ...]
    positions: tuple[Position, ...]


@dataclass(slots=True, eq=False)
class This(Expression):
    """`this` or `Outer.this`."""

    qualifier: Name | None


@dataclass(slots=True, eq=False)
class Super(Expression):
    """`super` or `Type.super`; only as target of a FieldAccess, MethodCall or MethodReference."""

    qualifier: Name | None


@dataclass(slots=True, eq=False)
class FieldAccess(Expression):
    """`target.name`, where target is not a bare name: `this.x`, `super.x`, `f().x`, `(a).x`; also `array.length`."""

    target: Expression
    name: str
    name_position: Position


@dataclass(slots=True, eq=False)
class ArrayAccess(Expression):
    """`array[index]`."""

    array: Expression
    index: Expression


@dataclass(slots=True, eq=False)
class MethodCall(Expression):
    """`target.<T>name(arguments)`; a `Name` as target may be a variable, field or type."""

    target: Expression | None
    type_arguments: list[TypeArgument]
    name: str
    name_position: Position
    arguments: list[Expression]


@dataclass(slots=True, eq=False)
class MethodReference(Expression):
    """`target::<T>name`; `name` is "new" for constructors.

    `target` is a `Type` where it has type arguments or dimensions (or is primitive), else an expression; a `Name` may
    be either.
    """

    target: Expression | Type
    type_arguments: list[TypeArgument]
    name: str
    name_position: Position


@dataclass(slots=True, eq=False)
class New(Expression):
    """`new T(arguments) { body }` and `target.new T(…)`; `name_position` is that of `new`."""

    target: Expression | None
    type_arguments: list[TypeArgument]
    name_position: Position
    type: ClassType
    arguments: list[Expression]
    body: ClassBody | None


@dataclass(slots=True, eq=False)
class NewArray(Expression):
    """`new element[l1][l2][]…` or `new element[]… {…}`; `element` is no array, `dimensions` >= 1 counts all of them.

    `lengths` are the given sizes, fewer than or as many as `dimensions`, none where there is an initializer.
    """

    element: Type
    lengths: list[Expression]
    dimensions: int
    initializer: ArrayInitializer | None
    annotations: list[Annotation]


@dataclass(slots=True, eq=False)
class ArrayInitializer(Expression):
    """`{a, {b, c}}`: in a NewArray, as a declarator's initializer, or nested."""

    elements: list[Expression]


@dataclass(slots=True, eq=False)
class ClassLiteral(Expression):
    """`T.class`, with arrays, primitive types and void."""

    type: Type


@dataclass(slots=True, eq=False)
class Unary(Expression):
    """`+x`, `-x`, `!x`, `~x`; `-2147483648` is Unary("-", Literal) as well."""

    operator: str
    operand: Expression


@dataclass(slots=True, eq=False)
class Update(Expression):
    """`++x`, `x++`, `--x`, `x--`; `operator` is "++" or "--"."""

    operator: str
    prefix: bool
    target: Expression


@dataclass(slots=True, eq=False)
class Binary(Expression):
    """`left operator right`: arithmetic, shifts, comparison, `& | ^`, `&& ||`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(slots=True, eq=False)
class InstanceOf(Expression):
    """`operand instanceof T`, or with a pattern that binds: exactly one of `type` and `pattern` is set."""

    operand: Expression
    type: Type | None
    pattern: Pattern | None


@dataclass(slots=True, eq=False)
class Cast(Expression):
    """`(T) operand`; `type` may be an `IntersectionType`."""

    type: Type
    operand: Expression


@dataclass(slots=True, eq=False)
class Conditional(Expression):
    """`condition ? if_true : if_false`."""

    condition: Expression
    if_true: Expression
    if_false: Expression


@dataclass(slots=True, eq=False)
class Assignment(Expression):
    """`target operator value`; `operator` is "=" or a compound one such as "+=" (with its implicit cast)."""

    operator: str
    target: Expression
    value: Expression


@dataclass(slots=True, eq=False)
class Lambda(Expression):
    """`(parameters) -> body`; the body is an expression or a block."""

    parameters: list[Parameter]
    body: Expression | Block


@dataclass(slots=True, eq=False)
class SwitchExpression(Expression):
    """A switch whose value is used; if a statement begins with the switch, it is a `Switch` instead."""

    selector: Expression
    cases: list[SwitchCase]


# Patterns


@dataclass(slots=True, eq=False)
class TypePattern(Pattern):
    """`final T name`; `type` is `InferredType` for `var` (inside record patterns)."""

    modifiers: list[str]
    annotations: list[Annotation]
    type: Type
    name: str
    name_position: Position


@dataclass(slots=True, eq=False)
class RecordPattern(Pattern):
    """`T(p1, p2)`."""

    type: Type
    components: list[Pattern]


@dataclass(slots=True, eq=False)
class AnyPattern(Pattern):
    """`_` in a record pattern: matches anything, binds nothing."""


# What a compact source file declares


def implicit_class(members: list[Member], tokens: list[str]) -> ClassDeclaration:
    """Return the class that a compact source file with these members and tokens declares.

    No code can name this class, since the language gives it no name; compilers call it after the file. Here it is named
    after the tokens, so that different files declare different classes, and comments and blanks do not matter.
    """
    start, end = members[0].position, members[-1].end
    name = names.implicit_class_name(tokens)
    return ClassDeclaration(start, end, ["final"], [], name, start, [], members, None, [], [])


# What a type says


def declared_type(type: Type, declarator: VariableDeclarator) -> Type:
    """Return the type of one declared name: `type` with the declarator's own dimensions added."""
    return with_dimensions(type, declarator.dimensions)


def with_dimensions(type: Type, dimensions: int, annotations: list[Annotation] | None = None) -> Type:
    """Return `type` with `dimensions` more array dimensions, 0 or more; its positions are kept."""
    if dimensions == 0:
        return type
    if isinstance(type, ArrayType):
        merged = type.annotations + (annotations or [])
        return ArrayType(type.position, type.end, type.element, type.dimensions + dimensions, merged)
    return ArrayType(type.position, type.end, type, dimensions, annotations or [])


def erased_text(type: Type) -> str:
    """Return the type as written, without type arguments, annotations and blanks: `java.util.Map.Entry[]`, `int`."""
    if isinstance(type, ClassType):
        return type.name
    if isinstance(type, ArrayType):
        return erased_text(type.element) + "[]" * type.dimensions
    if isinstance(type, PrimitiveType):
        return type.name
    if isinstance(type, IntersectionType):
        return "&".join(erased_text(bound) for bound in type.bounds)
    if isinstance(type, InferredType):
        return "var"
    raise TypeError(f"not a type: {type!r}")
