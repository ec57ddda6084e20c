"""The relations a Java file is turned into: names, typed columns, and what each row says.

Facts follow Doop's schema where it has the relation (Doop's instruction indexes are replaced by `Next` edges). They depend on one
file's bytes alone, so nothing is resolved: a type is a *use* (a name together with the scope it is written in), a call is a name
with arguments. What the columns hold:

- `unit`: a file, named after its first top-level type; `type`: a declared type (`a.b.Outer$Inner`); `method`: a method, constructor,
  initialiser or lambda body; `field`, `var`, `instruction`, `invocation`, `heap`: structural names below those.
  An invocation, and a heap other than a string constant, is the instruction that performs it, under the same name.
- `scope`: where a name is looked up: a unit, a type, a method with type parameters of its own, or a block that declares local types.
- `use`: a type as written. Either a primitive type's name or `void` as it is (`int`), or an id that exactly one of `SimpleTypeUse`,
  `QualifiedTypeUse`, `KnownTypeUse`, `ArrayTypeUse`, `ParameterizedTypeUse` explains. Well-known library types that the language itself brings in
  are qualified uses below a root segment that has no row of its own, so they resolve as absolute names.
- numbers inside a program (`value`) are decimal symbols; characters are their code, booleans `0` and `1`, long has no suffix.

Every row names a declaration of its own file in some column. Lines and columns occur in `Position` alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SYMBOL = "symbol"
NUMBER = "number"


@dataclass(frozen=True)
class Column:
    """A column: its name and its type, `symbol` or `number`."""

    name: str
    type: str


@dataclass(frozen=True)
class Relation:
    """A relation of facts: its name, its columns in order, and one sentence on what a row says."""

    name: str
    columns: tuple[Column, ...]
    doc: str

    @property
    def arity(self) -> int:
        return len(self.columns)


def _relation(name: str, columns: str, doc: str) -> Relation:
    """Build a relation from `"a b n:number"`; a column without a type holds symbols."""
    parts = (column.partition(":") for column in columns.split())
    return Relation(name, tuple(Column(column, kind or SYMBOL) for column, _, kind in parts), doc)


GROUPS: dict[str, tuple[Relation, ...]] = {
    "Units, packages, imports": (
        _relation("Unit", "unit package", "The file `unit` belongs to `package` (empty for the unnamed one)."),
        _relation("SingleTypeImport", "unit name use", "`import use;` makes the type `use` known as `name` in the whole unit."),
        _relation("OnDemandImport", "unit package use", "`import package.*;`: the name as a package, and as a type whose member types are meant."),
        _relation("StaticImport", "unit use name", "`import static use.name;`: fields, methods and member types called `name` of `use`."),
        _relation("StaticOnDemandImport", "unit use", "`import static use.*;`: all static members of `use`."),
    ),
    "Scopes and uses of types": (
        _relation("Scope", "scope parent", "What `scope` does not declare (or inherit) is looked up in `parent`; a unit has no parent."),
        _relation("SimpleTypeUse", "use scope name", "The type called by the simple `name` in `scope`: a type variable, a type, or nothing (the name of a value or package)."),
        _relation("QualifiedTypeUse", "use qualifier qualifiertext name", "The member type `name` of the use `qualifier`, or the type `name` of the package `qualifiertext`."),
        _relation("KnownTypeUse", "use type", "The declared `type` itself, of the same file: where the language implies it (the type of `this$0`, of enum constants, of `values()`)."),
        _relation("ArrayTypeUse", "use component", "An array type; `component` is a use with one dimension less."),
        _relation("ParameterizedTypeUse", "use erasure", "A type with type arguments; `erasure` is the use without them (of all its segments)."),
        _relation("TypeArgument", "use index:number wildcard argument", "Type argument `index` (from 0) of the last segment of a parameterized use; `wildcard` is empty, `extends` or `super`; an unbounded `?` extends Object; a diamond has none."),
        _relation("TypeUseText", "use text", "The use's name as written, without type arguments: `Map.Entry`, `String[]`."),
        _relation("TypeParameter", "declaration index:number name variable", "Type parameter `index` of a type or method: `name` means `variable` within it."),
        _relation("TypeParameterBound", "variable index:number use", "Bound `index` of a type variable; bound 0 (java.lang.Object if none is written) is its erasure."),
    ),
    "Types": (
        _relation("Type", "type kind name unit", "A declared type: kind class, interface, enum, record or annotation; `name` is the simple name, empty if anonymous."),
        _relation("TypeCanonicalName", "type name", "The dotted name of a top-level or member type: `a.b.Outer.Inner`."),
        _relation("TopLevelType", "type package name", "`type` is the type `name` of `package`."),
        _relation("MemberType", "type outer name", "`type` is declared as member `name` of type `outer`."),
        _relation("LocalType", "type scope name", "`type` is declared locally and called `name` in `scope`."),
        _relation("AnonymousType", "type method use", "`type` is the anonymous class created in `method` as a subtype of `use`, which may be a class or an interface."),
        _relation("EnclosingType", "type outer", "`outer` is the type whose body immediately encloses `type` (members, local and anonymous types)."),
        _relation("LexicalType", "type depth:number enclosing", "`enclosing` is `type` itself (depth 0) or the type `depth` levels outside it: search names by growing depth."),
        _relation("EnclosingMethod", "type method", "The local or anonymous `type` is declared in the body of `method` (which may be a lambda body)."),
        _relation("Type_Modifier", "type modifier", "A modifier, written or implied (member types of interfaces are public static, nested enums, records and interfaces static)."),
        _relation("DirectSuperclass", "type use", "The superclass as written, or java.lang.Object, Enum, Record as implied; none for interfaces and anonymous classes."),
        _relation("DirectSuperinterface", "type use", "A superinterface as written (`extends` of interfaces included), java.lang.annotation.Annotation for annotations."),
        _relation("InnerType", "type field", "Objects of `type` have an enclosing instance, kept in the synthetic `field` named `this$0`; constructor calls must store it."),
    ),
    "Fields and methods": (
        _relation("Field", "field type name use", "Field `name` declared by `type` with the declared type `use`; enum constants and record components included."),
        _relation("Field_Modifier", "field modifier", "A modifier, written or implied (fields of interfaces are public static final, enum constants too)."),
        _relation("EnumConstant", "field type index:number", "The field is the enum constant number `index` (from 0) of `type`."),
        _relation("RecordComponent", "field type index:number", "The field is record component number `index` (from 0) of `type`."),
        _relation("FieldInitialValue", "field value literal", "A field initialised with a literal: its value and the literal's type (a primitive type, java.lang.String or null)."),
        _relation("Method", "method type name arity:number use", "A member of `type`: method, constructor `<init>` (implicit ones too), `<clinit>`, or `<init-block>` (field initialisers and instance initialisers); `use` is its return type."),
        _relation("LambdaMethod", "method enclosing body arity:number", "The body of a lambda expression that stands in the body of `enclosing`; `body` is `expression` (its value is returned, even if it is a call of a void method), `statement` (an expression that needs no value: call, new, assignment, ++), `value` (a block that returns one), `void` (a block that returns or completes without one) or `either` (a block that does neither)."),
        _relation("Method_DeclaringType", "method type", "The type whose body holds the method; for lambda bodies the type around the lambda."),
        _relation("Method_Modifier", "method modifier", "A modifier, written or implied (`abstract public` in interfaces, `varargs`, `synthetic` for implicit members, `static`/instance as the context of a lambda)."),
        _relation("Method_HasBody", "method", "The method has code (it is neither abstract nor native, nor a synthetic member without instructions)."),
        _relation("MethodParameter", "method index:number use", "The declared type of parameter `index` (from 0); the type of a varargs parameter is the array."),
        _relation("Method_Throws", "method use", "An exception type of the throws clause."),
        _relation("FormalParam", "index:number method var", "Parameter `index` (from 0) of the method or lambda body is the variable `var`."),
        _relation("ThisVar", "method var", "The receiver of an instance method, constructor or instance initialiser; lambda bodies capture it instead."),
        _relation("EnclosingInstance", "method type var", "In `method`, `var` holds the instance of the lexically enclosing `type` (the receiver, a load of `this$0`, or a captured one)."),
    ),
    "Variables": (
        _relation("Var_DeclaringMethod", "var method", "The variable belongs to the method's body."),
        _relation("Var_Type", "var use", "The variable's type, declared as written or evident (casts, allocations, literals, comparisons); a multi-catch parameter has several."),
        _relation("InferredVar", "var", "A local declared with `var` or a lambda parameter without a type: its type follows from what defines it."),
        _relation("Var_TypeFromVar", "var source", "The variable has the type of `source` (assignments to temporaries, `var` locals, results of ++ and assignments)."),
        _relation("Var_TypeFromConditional", "var left right", "The variable has the type of a conditional expression over `left` and `right` (of each pair of branches in a switch expression)."),
        _relation("Var_TypeFromElement", "var source", "The variable has the element type of the array or Iterable `source`."),
        _relation("CapturedVar", "source target method", "`target`, a variable of the lambda body or method `method` of a local or anonymous class, is the captured copy of `source`."),
    ),
    "Allocations and constants": (
        _relation("AssignHeapAllocation", "instruction heap target method", "`target = new …`; also lambdas and method references, whose heap is the instruction."),
        _relation("NormalHeap", "heap use", "Objects allocated at `heap` have the class or array type `use`."),
        _relation("AnonymousHeap", "heap type", "Objects allocated at `heap` are instances of the anonymous class or enum constant body `type`."),
        _relation("ArrayAllocation_Length", "instruction var", "The (outermost) length of the array allocated."),
        _relation("ArrayAllocation_ConstantLength", "instruction value", "The (outermost) length of the array allocated, a constant."),
        _relation("ArrayConstantElement", "heap value type", "An array initialiser holds a literal of primitive `type` (or null); such elements have no store."),
        _relation("AssignStringConstant", "instruction value target method", "`target = \"…\"`; `value`, quotes included, is the heap."),
        _relation("AssignClassConstant", "instruction use target method", "`target = use.class`."),
        _relation("AssignNull", "instruction target method", "`target = null`."),
        _relation("AssignNumConstant", "instruction value type target method", "`target = value`, a literal of the primitive `type` (float and double as Python prints them)."),
    ),
    "Assignments and operators": (
        _relation("AssignLocal", "instruction source target method", "`target = source` (implicit conversions, boxing included, are left implicit)."),
        _relation("AssignCast", "instruction source target use method", "`target = (use) source`, between references or primitives."),
        _relation("AssignCastAs", "instruction source target like method", "`target = (type of like) source`: the implicit cast of compound assignments, ++ and --."),
        _relation("AssignInstanceOf", "instruction source target use method", "`target = source instanceof use`."),
        _relation("AssignBinop", "instruction operator target method", "`target = left operator right`; `+` on strings allocates: the instruction is then the heap."),
        _relation("AssignUnop", "instruction operator target method", "`target = operator operand`: `-`, `~`, `+` or `!`."),
        _relation("AssignOperFrom", "instruction position:number var", "The operand at position 1 (left or only) or 2 (right) of a binary or unary operator is `var`."),
        _relation("AssignOperFromConstant", "instruction position:number value type", "That operand is a literal of primitive `type` (or `null` of type null)."),
    ),
    "Fields and arrays": (
        _relation("LoadInstanceField", "instruction target base field method", "`target = base.field`, the field known from the file."),
        _relation("StoreInstanceField", "instruction source base field method", "`base.field = source`, the field known from the file."),
        _relation("LoadStaticField", "instruction target field method", "`target = field`, a static field known from the file."),
        _relation("StoreStaticField", "instruction source field method", "`field = source`, a static field known from the file."),
        _relation("LoadMember", "instruction target base name method", "`target = base.name`: a field of the static type of `base` (static ones too, `length` of arrays)."),
        _relation("StoreMember", "instruction source base name method", "`base.name = source`."),
        _relation("SuperMember", "instruction", "The LoadMember or StoreMember looks its name up in the superclass of the method's declaring type (`super.name`)."),
        _relation("LoadSimpleName", "instruction target name method", "`target = name`: a field of a lexically enclosing type, declared or inherited, or statically imported; no value at all if the name turns out to be a type or package (only a qualifier of later rows)."),
        _relation("StoreSimpleName", "instruction source name method", "`name = source`, the name as in LoadSimpleName."),
        _relation("LoadQualifiedName", "instruction target base use name method", "`target = q.name`: if the name `q` is a value, which `base` then holds, its field; else the static field of the type `use`; else no value, as in LoadSimpleName."),
        _relation("StoreQualifiedName", "instruction source base use name method", "`q.name = source`, with `q` as in LoadQualifiedName."),
        _relation("LoadArrayIndex", "instruction target base method", "`target = base[…]`."),
        _relation("StoreArrayIndex", "instruction source base method", "`base[…] = source`."),
        _relation("LoadRecordComponent", "instruction target base index:number method", "`target` is record component number `index` of the static type of `base` (record patterns)."),
        _relation("ArrayInsnIndex", "instruction var", "The index of an array load or store is a variable."),
        _relation("ArrayInsnConstantIndex", "instruction value", "The index of an array load or store is a constant."),
    ),
    "Calls": (
        _relation("Invocation", "invocation kind name arity:number method", "A call in `method` of `name` with `arity` arguments. Kinds: `unqualified` (f()), `expression` (base.f()), `name` (q.f(), q a value or a type), `super` (super.f(), Q.super.f()), `new` (constructor of the allocated class), `this-constructor`, `super-constructor`, `direct` (target known)."),
        _relation("Invocation_Base", "invocation var", "The receiver; for kind `name` only if the qualifier is a value; the allocated object for `new`; none for `unqualified`."),
        _relation("Invocation_Qualifier", "invocation use", "Kind `name`: the qualifier as a type; kind `super`: Q of Q.super.f(); kind `new`: the class as written (of anonymous classes the written supertype)."),
        _relation("Invocation_Outer", "invocation var", "The enclosing instance given explicitly: `var.new T()`, `var.super()`."),
        _relation("Invocation_OuterName", "invocation use", "In `q.new T()` the class is member T of the static type of the explicit enclosing instance; `use` is T as written."),
        _relation("Invocation_Target", "invocation method", "The target known from the file: kind `direct`, and constructors of anonymous classes."),
        _relation("Invocation_TypeArgument", "invocation index:number use", "An explicit type argument."),
        _relation("SyntheticInvocation", "invocation", "The call is not written but implied (super() and initialisers of constructors, for-each, try-with-resources, assert, enum members); unresolved ones are no defect."),
        _relation("ActualParam", "index:number invocation var", "Argument `index` (from 0)."),
        _relation("AssignReturnValue", "invocation target", "The result is assigned to `target` (a temporary if the value is used)."),
    ),
    "Lambdas and method references": (
        _relation("Lambda", "heap method", "The lambda object `heap` runs the lambda body `method`."),
        _relation("MethodReference", "heap kind name method", "A method reference in `method`; the heap is also the invocation it performs. Kinds: `expression` (base::f), `name` (q::f, q a value or a type), `type` (T::f, T::new), `super`; `name` is `<init>` for new."),
        _relation("MethodReference_Base", "heap var", "The value left of `::`, for `name` only if it is a value; the receiver for `super`."),
        _relation("MethodReference_Type", "heap use", "The type left of `::`, for `name` only if it is a type."),
        _relation("FunctionalTarget", "heap kind target index:number", "What gives a lambda or method reference its interface: kind `argument` (invocation `target`, `index`), `type` (a use), `var` (a variable), `return` (a method), `store` (the storing instruction) or `element` (of the array variable `target`); the index is 0 otherwise."),
    ),
    "Control flow": (
        _relation("Instruction", "instruction kind method", "Every instruction, with its kind as in its name."),
        _relation("Entry", "instruction method", "The first instruction executed."),
        _relation("Next", "instruction successor", "Control may pass from one to the other (exceptions aside)."),
        _relation("If", "instruction operator method", "A two-way branch on `left operator right`: ==, !=, <, <=, > or >=; a boolean b is `b != 0`."),
        _relation("IfVar", "instruction position:number var", "The operand at position 1 or 2 of a branch is `var`."),
        _relation("IfConstant", "instruction position:number value type", "The operand at position 1 or 2 of a branch is a literal."),
        _relation("Branch", "instruction outcome:number successor", "A branch goes to `successor` if its condition is true (1) or false (0)."),
        _relation("Switch", "instruction var method", "A many-way branch on `var`."),
        _relation("SwitchCase", "instruction kind label successor", "It goes to `successor` for `label`: kind `number`, `string`, `name` (an enum constant or constant variable, as written), `null`, or `other` (a constant expression that is not evaluated; the label is its number)."),
        _relation("SwitchDefault", "instruction successor", "It goes there if no label matches."),
        _relation("Return", "instruction var method", "`return var`."),
        _relation("ReturnVoid", "instruction method", "`return`, written or at the end of the body."),
        _relation("Throw", "instruction var method", "`throw var`."),
        _relation("ExceptionHandler", "handler var method", "The entry of a catch clause with its parameter, or of a `finally` reached by an exception (any Throwable)."),
        _relation("ExceptionHandler_Type", "handler use", "An exception type that the handler catches (several for multi-catch)."),
        _relation("ExceptionEdge", "instruction handler order:number", "If the instruction throws, control may pass to the handler, with the values before the instruction; handlers are tried by growing `order`."),
        _relation("EnterMonitor", "instruction var method", "The start of a synchronized block."),
        _relation("ExitMonitor", "instruction var method", "Its end."),
    ),
    "Positions": (
        _relation("Position", "id line:number column:number", "Where a type, method, field, instruction or (first) use of a type stands: 1-based, the column in characters."),
    ),
}

RELATIONS: dict[str, Relation] = {relation.name: relation for group in GROUPS.values() for relation in group}


def declarations(names: Iterable[str] | None = None) -> str:
    """Return Soufflé `.decl` and `.input` lines for the named relations (all by default)."""
    return "".join(_declaration(RELATIONS[name]) for name in (RELATIONS if names is None else names))


def markdown() -> str:
    """Return the schema as a Markdown page: one table per group."""
    return "\n".join(_markdown_lines())


def check(relation: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Raise ValueError if a row does not have the relation's columns and types."""
    if relation not in RELATIONS:
        raise ValueError(f"unknown relation {relation}")
    kinds = tuple(int if column.type == NUMBER else str for column in RELATIONS[relation].columns)
    for row in rows:
        if tuple(map(type, row)) != kinds:
            raise ValueError(f"{relation}: {row!r} does not have the columns {_columns(RELATIONS[relation])}")


def _columns(relation: Relation) -> str:
    return ", ".join(f"{column.name}: {column.type}" for column in relation.columns)


def _declaration(relation: Relation) -> str:
    return f"// {relation.doc}\n.decl {relation.name}({_columns(relation)})\n.input {relation.name}\n"


def _markdown_lines() -> Iterator[str]:
    for title, relations in GROUPS.items():
        yield f"## {title}\n"
        yield "| relation | a row says |\n|---|---|"
        for relation in relations:
            columns = ", ".join(c.name if c.type == SYMBOL else f"{c.name}: {c.type}" for c in relation.columns)
            yield f"| `{relation.name}({columns})` | {relation.doc.replace('|', chr(92) + '|')} |"
        yield ""
