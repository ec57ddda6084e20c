"""The relations for the facts of a Java file, as data: (name, columns, what a row says) by group; `schema` reads it.

Facts follow Doop's schema where it has the relation (Doop's instruction indexes are replaced by `Next` edges). They
depend on one file's bytes alone, so nothing is resolved: a type is a *use* (a name with the scope it is written
in), a call is a name with arguments. The columns hold:

- `unit`: a file, named after its first top-level type; `type`: a declared type (`a.b.Outer$Inner`); `method`: a method,
  constructor, initialiser or lambda body; `field`, `var`, `instruction`, `invocation`, `heap`: ids that follow from the
  structure below these. An invocation is the id of the instruction that performs it; a heap is the id of the
  instruction that allocates, or a string constant.
- `scope`: where a name is looked up: a unit, a type, a method with type parameters of its own, or a block that declares
  local types.
- `use`: a type as written. It is either the name of a primitive type or `void` (`int`), or an id that exactly one of
  `SimpleTypeUse`, `QualifiedTypeUse`, `KnownTypeUse`, `BinaryTypeUse`, `ArrayTypeUse`, `ParameterizedTypeUse`
  explains. Imports and the
  library types that the language itself brings in are qualified uses below a root segment that has no row of its own,
  so that they resolve as absolute names.
- numbers inside a program (`value`): symbols with decimal numbers; characters are their code, booleans `0` and `1`, and
  long has no suffix.

Every row names a declaration of its own file in some column. Lines and columns occur in `Position` alone.
"""

Entry = tuple[str, str, str]
"""Name, columns (`name` holds symbols, `name:number` numbers), and one sentence."""

GROUPS: dict[str, tuple[Entry, ...]] = {
    "Units, packages, imports": (
        ("Unit", "unit package", "The file `unit` belongs to `package` (empty for the unnamed one)."),
        ("SingleTypeImport", "unit name use", "`import use;` makes the type `use` known as `name` in the whole unit."),
        (
            "OnDemandImport",
            "unit package use",
            "`import package.*;`: the name as a package, and as a type whose member types are meant.",
        ),
        (
            "StaticImport",
            "unit use name",
            "`import static use.name;`: fields, methods and member types called `name` of `use`.",
        ),
        ("StaticOnDemandImport", "unit use", "`import static use.*;`: all static members of `use`."),
        (
            "ModuleImport",
            "unit module",
            (
                "`import module module;`: all packages that `module` exports, as if imported on demand, but after "
                "those that are; a compact source file imports `java.base`."
            ),
        ),
        (
            "ModuleExport",
            "unit module package",
            "`exports package` of `module`, which `unit` declares; also `to` some modules.",
        ),
        ("ModuleReads", "unit module other", "`requires transitive other` of `module`, which `unit` declares."),
        (
            "ModuleProvides",
            "unit service provider",
            "`provides service with provider` of the module that `unit` declares, both names as written.",
        ),
    ),
    "Scopes and uses of types": (
        (
            "Scope",
            "scope parent",
            (
                "What `scope` does not declare (or inherit) is looked up in `parent`; a unit has no parent. The scope "
                "of the supertypes of a type that have the name of one of its members is `parent/header`: it knows the "
                "type's parameters, but not its members."
            ),
        ),
        (
            "SimpleTypeUse",
            "use scope name",
            (
                "The type called by the simple `name` in `scope`: a type variable, a type, or nothing (the name of a "
                "value or package)."
            ),
        ),
        (
            "QualifiedTypeUse",
            "use qualifier qualifiertext name",
            "The member type `name` of the use `qualifier`, or the type `name` of the package `qualifiertext`.",
        ),
        (
            "KnownTypeUse",
            "use type",
            (
                "The declared `type` itself, of the same file: where the language implies it (the type of `this$0`, "
                "of enum constants, of `values()`)."
            ),
        ),
        (
            "BinaryTypeUse",
            "use type",
            "The type with this binary name, whichever file declares it: how class files name types.",
        ),
        ("ArrayTypeUse", "use component", "An array type; `component` is a use with one dimension less."),
        (
            "ParameterizedTypeUse",
            "use erasure",
            "A type with type arguments; `erasure` is the use without them (of all its segments).",
        ),
        (
            "TypeArgument",
            "use index:number wildcard argument",
            (
                "Type argument `index` (from 0) of the last segment of a parameterized use; `wildcard` is empty, "
                "`extends` or `super`; an unbounded `?` extends Object; a diamond has none."
            ),
        ),
        ("TypeUseText", "use text", "The use's name as written, without type arguments: `Map.Entry`, `String[]`."),
        (
            "TypeParameter",
            "declaration index:number name variable",
            "Type parameter `index` of a type or method: `name` means `variable` within it.",
        ),
        (
            "TypeParameterBound",
            "variable index:number use",
            "Bound `index` of a type variable; bound 0 (java.lang.Object if none is written) is its erasure.",
        ),
    ),
    "Types": (
        (
            "Type",
            "type kind name unit",
            (
                "A declared type: kind class, interface, enum, record or annotation; `name` is the simple name, empty "
                "if anonymous."
            ),
        ),
        ("TypeCanonicalName", "type name", "The dotted name of a top-level or member type: `a.b.Outer.Inner`."),
        ("TopLevelType", "type package name", "`type` is the type `name` of `package`."),
        ("MemberType", "type outer name", "`type` is declared as member `name` of type `outer`."),
        ("LocalType", "type scope name", "`type` is declared locally and called `name` in `scope`."),
        (
            "AnonymousType",
            "type method use",
            (
                "`type` is the anonymous class created in `method` as a subtype of `use`, which may be a class or an "
                "interface."
            ),
        ),
        (
            "EnclosingType",
            "type outer",
            "`outer` is the type whose body immediately encloses `type` (members, local and anonymous types).",
        ),
        (
            "LexicalType",
            "type depth:number enclosing",
            (
                "`enclosing` is `type` itself (depth 0) or the type `depth` levels outside it: search names by "
                "growing depth."
            ),
        ),
        (
            "EnclosingMethod",
            "type method",
            "The local or anonymous `type` is declared in the body of `method` (which may be a lambda body).",
        ),
        (
            "Type_Modifier",
            "type modifier",
            (
                "A modifier, written or implied (member types of interfaces are public static, nested enums, records "
                "and interfaces static)."
            ),
        ),
        (
            "DirectSuperclass",
            "type use",
            (
                "The superclass as written, or java.lang.Object, Enum, Record as implied; none for interfaces and "
                "anonymous classes."
            ),
        ),
        (
            "DirectSuperinterface",
            "type use",
            (
                "A superinterface as written (`extends` of interfaces included), java.lang.annotation.Annotation for "
                "annotations."
            ),
        ),
        (
            "InnerType",
            "type field",
            (
                "Objects of `type` have an enclosing instance, kept in the synthetic `field` named `this$0`; "
                "constructor calls must store it."
            ),
        ),
    ),
    "Fields and methods": (
        (
            "Field",
            "field type name use",
            (
                "Field `name` declared by `type` with the declared type `use`; enum constants and record components "
                "included."
            ),
        ),
        (
            "Field_Modifier",
            "field modifier",
            "A modifier, written or implied (fields of interfaces are public static final, enum constants too).",
        ),
        (
            "EnumConstant",
            "field type index:number",
            "The field is the enum constant number `index` (from 0) of `type`.",
        ),
        (
            "RecordComponent",
            "field type index:number",
            "The field is record component number `index` (from 0) of `type`.",
        ),
        (
            "FieldInitialValue",
            "field value literal",
            (
                "A field initialised with a literal: its value and the literal's type (a primitive type, "
                "java.lang.String or null)."
            ),
        ),
        (
            "Method",
            "method type name arity:number use",
            (
                "A member of `type`: method, constructor `<init>` (implicit ones too), `<clinit>`, or `<init-block>` "
                "(field initialisers and instance initialisers); `use` is its return type."
            ),
        ),
        (
            "LambdaMethod",
            "method enclosing body arity:number",
            (
                "The body of a lambda expression that stands in the body of `enclosing`; `body` is `expression` (its "
                "value is returned, even if it is a call of a void method), `statement` (an expression that needs no "
                "value: call, new, assignment, ++), `value` (a block that returns one), `void` (a block that returns "
                "or completes without one) or `either` (a block that does neither)."
            ),
        ),
        (
            "Method_DeclaringType",
            "method type",
            "The type whose body holds the method; for lambda bodies the type around the lambda.",
        ),
        (
            "Method_Modifier",
            "method modifier",
            (
                "A modifier, written or implied (`abstract public` in interfaces, `varargs`, `synthetic` for implicit "
                "members, `static`/instance as the context of a lambda)."
            ),
        ),
        (
            "Method_HasBody",
            "method",
            "The method has code (it is neither abstract nor native, nor a synthetic member without instructions).",
        ),
        (
            "Method_LeftOut",
            "method",
            (
                "The method has code that cannot be read because of a syntax error: all of its code, or of `<clinit>` "
                "and `<init-block>` some."
            ),
        ),
        (
            "MethodParameter",
            "method index:number use",
            "The declared type of parameter `index` (from 0); the type of a varargs parameter is the array.",
        ),
        ("Method_Throws", "method use", "An exception type of the throws clause."),
        (
            "FormalParam",
            "index:number method var",
            "Parameter `index` (from 0) of the method or lambda body is the variable `var`.",
        ),
        (
            "ThisVar",
            "method var",
            (
                "The receiver of an instance method, constructor or instance initialiser; lambda bodies capture it "
                "instead."
            ),
        ),
        (
            "EnclosingInstance",
            "method type var",
            (
                "In `method`, `var` holds the instance of the lexically enclosing `type` (the receiver, a load of "
                "`this$0`, or a captured one)."
            ),
        ),
    ),
    "Annotations": (
        (
            "Annotation",
            "annotation declaration use",
            (
                "The type, field, method or parameter (a variable) `declaration` has an annotation of the type `use`; "
                "so has the annotation `declaration` in the value of an element."
            ),
        ),
        (
            "AnnotationElement",
            "annotation name index:number kind value",
            (
                "The element `name` has the value: a literal of the type `kind` (strings in quotes), a use (kind "
                "`class`), a `name` as written (of an enum constant or another constant), an `annotation`, or an "
                "`expression`, which is left out; `index` is its place in an array, -1 in none. Where `annotation` is "
                "an annotation type, it is the default of its element."
            ),
        ),
    ),
    "Variables": (
        ("Var_DeclaringMethod", "var method", "The variable belongs to the method's body."),
        (
            "Var_PartOf",
            "var source",
            (
                "The variable is a part of `source`, which the program declares: some of its assignments, and the uses "
                "that they reach. The first part has the name of the declared variable, and no row."
            ),
        ),
        (
            "Var_InstanceOf",
            "var use",
            (
                "The variable is the part of another one that uses behind a test `instanceof use` read: a copy, of "
                "what passed the test."
            ),
        ),
        (
            "Var_NoInstanceOf",
            "var use",
            "The variable is such a part behind a test that failed: what it holds is null or no instance of the type.",
        ),
        ("Var_ClassIs", "var use", "The variable is such a part behind `==` of its class and `use.class`."),
        ("Var_SameAs", "var source", "The variable is such a part behind `==`: `source` holds what it holds, too."),
        (
            "Var_Type",
            "var use",
            (
                "The variable's type, declared as written or evident (casts, allocations, literals, comparisons); a "
                "multi-catch parameter has several."
            ),
        ),
        (
            "InferredVar",
            "var",
            "A local declared with `var` or a lambda parameter without a type: its type follows from what defines it.",
        ),
        (
            "Var_TypeFromVar",
            "var source",
            (
                "The variable has the type of `source` (assignments to temporaries, `var` locals, results of ++ and "
                "assignments)."
            ),
        ),
        (
            "Var_TypeFromConditional",
            "var left right",
            (
                "The variable has the type that `left` and `right` have in common, the branches of a conditional or "
                "switch expression; of more than two branches, one of them is a variable of its own that has what "
                "others have in common."
            ),
        ),
        ("Var_TypeFromElement", "var source", "The variable has the element type of the array or Iterable `source`."),
        (
            "CapturedVar",
            "source target method",
            (
                "`target`, a variable of the lambda body or method `method` of a local or anonymous class, is the "
                "captured copy of `source`."
            ),
        ),
    ),
    "Allocations and constants": (
        (
            "AssignHeapAllocation",
            "instruction heap target method",
            "`target = new …`; also lambdas and method references, whose heap is the instruction.",
        ),
        ("NormalHeap", "heap use", "Objects allocated at `heap` have the class or array type `use`."),
        (
            "AnonymousHeap",
            "heap type",
            "Objects allocated at `heap` are instances of the anonymous class or enum constant body `type`.",
        ),
        ("ArrayAllocation_Length", "instruction var", "The (outermost) length of the array allocated."),
        (
            "ArrayAllocation_ConstantLength",
            "instruction value",
            "The (outermost) length of the array allocated, a constant.",
        ),
        (
            "ArrayConstantElement",
            "heap value type",
            "An array initialiser holds a literal of primitive `type` (or null); such elements have no store.",
        ),
        (
            "AssignStringConstant",
            "instruction value target method",
            '`target = "…"`; `value`, quotes included, is the heap.',
        ),
        ("AssignClassConstant", "instruction use target method", "`target = use.class`."),
        ("AssignNull", "instruction target method", "`target = null`."),
        (
            "AssignNumConstant",
            "instruction value type target method",
            "`target = value`, a literal of the primitive `type` (float and double as Python prints them).",
        ),
    ),
    "Assignments and operators": (
        (
            "AssignLocal",
            "instruction source target method",
            "`target = source` (implicit conversions, boxing included, are left implicit).",
        ),
        (
            "AssignCast",
            "instruction source target use method",
            "`target = (use) source`, between references or primitives.",
        ),
        (
            "AssignCastAs",
            "instruction source target like method",
            "`target = (type of like) source`: the implicit cast of compound assignments, ++ and --.",
        ),
        ("AssignInstanceOf", "instruction source target use method", "`target = source instanceof use`."),
        (
            "AssignBinop",
            "instruction operator target method",
            "`target = left operator right`; `+` on strings allocates: the instruction is then the heap.",
        ),
        ("AssignUnop", "instruction operator target method", "`target = operator operand`: `-`, `~`, `+` or `!`."),
        (
            "AssignOperFrom",
            "instruction position:number var",
            "The operand at position 1 (left or only) or 2 (right) of a binary or unary operator is `var`.",
        ),
        (
            "AssignOperFromConstant",
            "instruction position:number value type",
            "That operand is a literal of primitive `type` (or `null` of type null).",
        ),
    ),
    "Fields and arrays": (
        (
            "LoadInstanceField",
            "instruction target base field method",
            "`target = base.field`, the field known from the file.",
        ),
        (
            "StoreInstanceField",
            "instruction source base field method",
            "`base.field = source`, the field known from the file.",
        ),
        ("LoadStaticField", "instruction target field method", "`target = field`, a static field known from the file."),
        (
            "StoreStaticField",
            "instruction source field method",
            "`field = source`, a static field known from the file.",
        ),
        (
            "LoadMember",
            "instruction target base name method",
            "`target = base.name`: a field of the static type of `base` (static ones too, `length` of arrays).",
        ),
        ("StoreMember", "instruction source base name method", "`base.name = source`."),
        (
            "SuperMember",
            "instruction",
            (
                "The LoadMember or StoreMember looks its name up in the superclass of the method's declaring type "
                "(`super.name`)."
            ),
        ),
        (
            "ExactMember",
            "instruction use name result",
            (
                "The LoadMember, StoreMember, LoadSimpleName or StoreSimpleName of compiled code names the field of "
                "this name and with the type `result` of the class `use`, or of what that inherits from."
            ),
        ),
        (
            "LoadSimpleName",
            "instruction target name method",
            (
                "`target = name`: a field of a lexically enclosing type, declared or inherited, or statically "
                "imported; no value at all if the name turns out to be a type or package (only a qualifier of later "
                "rows)."
            ),
        ),
        ("StoreSimpleName", "instruction source name method", "`name = source`, the name as in LoadSimpleName."),
        (
            "LoadQualifiedName",
            "instruction target base use name method",
            (
                "`target = q.name`: if the name `q` is a value, which `base` then holds, its field; else the static "
                "field of the type `use`; else no value, as in LoadSimpleName."
            ),
        ),
        (
            "StoreQualifiedName",
            "instruction source base use name method",
            "`q.name = source`, with `q` as in LoadQualifiedName.",
        ),
        ("LoadArrayIndex", "instruction target base method", "`target = base[…]`."),
        ("StoreArrayIndex", "instruction source base method", "`base[…] = source`."),
        (
            "LoadRecordComponent",
            "instruction target base index:number method",
            "`target` is record component number `index` of the static type of `base` (record patterns).",
        ),
        ("ArrayInsnIndex", "instruction var", "The index of an array load or store is a variable."),
        ("ArrayInsnConstantIndex", "instruction value", "The index of an array load or store is a constant."),
    ),
    "Calls": (
        (
            "Invocation",
            "invocation kind name arity:number method",
            (
                "A call in `method` of `name` with `arity` arguments. Kinds: `unqualified` (f()), `expression` "
                "(base.f()), `name` (q.f(), q a value or a type), `super` (super.f(), Q.super.f()), `new` "
                "(constructor of the allocated class), `this-constructor`, `super-constructor`, `direct` (target "
                "known); of compiled code also `exact` (named by its signature) and `dynamic` (made when it runs)."
            ),
        ),
        (
            "ExactInvocation",
            "invocation use signature result",
            (
                "The call of compiled code names the method of the class `use`, or of what that inherits from, with "
                "this signature, `name(T1,T2)` with erased types, and with this result."
            ),
        ),
        (
            "Invocation_Base",
            "invocation var",
            (
                "The receiver; for kind `name` only if the qualifier is a value; the allocated object for `new`; none "
                "for `unqualified`."
            ),
        ),
        (
            "Invocation_Qualifier",
            "invocation use",
            (
                "Kind `name`: the qualifier as a type; kind `super`: Q of Q.super.f(); kind `new`: the class as "
                "written (of anonymous classes the written supertype)."
            ),
        ),
        (
            "Invocation_Outer",
            "invocation var",
            "The enclosing instance given explicitly: `var.new T()`, `var.super()`.",
        ),
        (
            "Invocation_OuterName",
            "invocation use",
            (
                "In `q.new T()` the class is member T of the static type of the explicit enclosing instance; `use` is "
                "T as written."
            ),
        ),
        (
            "Invocation_Target",
            "invocation method",
            "The target known from the file: kind `direct`, and constructors of anonymous classes.",
        ),
        ("Invocation_TypeArgument", "invocation index:number use", "An explicit type argument."),
        (
            "SyntheticInvocation",
            "invocation",
            (
                "The call is not written but implied (super() and initialisers of constructors, for-each, "
                "try-with-resources, assert, enum members); unresolved ones are no defect."
            ),
        ),
        ("ActualParam", "index:number invocation var", "Argument `index` (from 0)."),
        (
            "AssignReturnValue",
            "invocation target",
            "The result is assigned to `target` (a temporary if the value is used).",
        ),
    ),
    "Lambdas and method references": (
        ("Lambda", "heap method", "The lambda object `heap` runs the lambda body `method`."),
        (
            "LambdaFunction",
            "heap name arity:number",
            "The lambda object of compiled code implements the method `name` with `arity` parameters of its interface.",
        ),
        (
            "MethodReference",
            "heap kind name method",
            (
                "A method reference in `method`; the heap is also the invocation it performs. Kinds: `expression` "
                "(base::f), `name` (q::f, q a value or a type), `type` (T::f, T::new), `super`; `name` is `<init>` "
                "for new."
            ),
        ),
        (
            "MethodReference_Base",
            "heap var",
            "The value left of `::`, for `name` only if it is a value; the receiver for `super`.",
        ),
        ("MethodReference_Type", "heap use", "The type left of `::`, for `name` only if it is a type."),
        (
            "FunctionalTarget",
            "heap kind target index:number",
            (
                "What gives a lambda or method reference its interface: kind `argument` (invocation `target`, "
                "`index`), `type` (a use), `var` (a variable), `return` (a method), `store` (the storing instruction) "
                "or `element` (of the array variable `target`); the index is 0 otherwise."
            ),
        ),
    ),
    "Control flow": (
        ("Instruction", "instruction kind method", "Every instruction, with its kind as in its name."),
        ("Entry", "instruction method", "The first instruction executed."),
        ("Next", "instruction successor", "Control may pass from one to the other (exceptions aside)."),
        (
            "If",
            "instruction operator method",
            "A two-way branch on `left operator right`: ==, !=, <, <=, > or >=; a boolean b is `b != 0`.",
        ),
        ("IfVar", "instruction position:number var", "The operand at position 1 or 2 of a branch is `var`."),
        (
            "IfConstant",
            "instruction position:number value type",
            "The operand at position 1 or 2 of a branch is a literal.",
        ),
        (
            "Branch",
            "instruction outcome:number successor",
            "A branch goes to `successor` if its condition is true (1) or false (0).",
        ),
        ("Switch", "instruction var method", "A many-way branch on `var`."),
        (
            "SwitchCase",
            "instruction kind label successor",
            (
                "It goes to `successor` for `label`: kind `number`, `string`, `name` (an enum constant or constant "
                "variable, as written), `null`, or `other` (a constant expression that is not evaluated; the label is "
                "its number)."
            ),
        ),
        ("SwitchDefault", "instruction successor", "It goes there if no label matches."),
        ("Return", "instruction var method", "`return var`."),
        ("ReturnVoid", "instruction method", "`return`, written or at the end of the body."),
        ("Throw", "instruction var method", "`throw var`."),
        (
            "ExceptionHandler",
            "handler var method",
            (
                "The entry of a catch clause with its parameter, or of a `finally` reached by an exception (any "
                "Throwable)."
            ),
        ),
        (
            "ExceptionHandler_Type",
            "handler use",
            "An exception type that the handler catches (several for multi-catch).",
        ),
        (
            "ExceptionEdge",
            "instruction handler order:number",
            (
                "If the instruction throws, control may pass to the handler, with the values before the instruction; "
                "handlers are tried by growing `order`."
            ),
        ),
        ("EnterMonitor", "instruction var method", "The start of a synchronized block."),
        ("ExitMonitor", "instruction var method", "Its end."),
    ),
    "Positions": (
        (
            "Position",
            "id line:number column:number",
            (
                "Where a type, method, field, instruction or (first) use of a type stands: 1-based, the column in "
                "characters."
            ),
        ),
    ),
}
