"""What is known of the Java class library: signatures, read from `java/library.zip` package by package when asked for.

Its functions are the functors with which `java/*.dl` types calls into classes that a project does not declare. All of
them are pure; a class outside the archive is unknown: no members, no supertypes but Object. A library method is named
as results name it, `<java.util.Map: java.lang.Object get(java.lang.Object)>`, a field likewise,
`<java.lang.System: java.io.PrintStream out>`.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from ladder.analyses import java_types
from ladder.analyses.java_types import BOXES, NULL, OBJECT, PRIMITIVES, UNKNOWN, WIDER, erasure, is_variable, substitute

PUBLIC, PROTECTED, STATIC, VARARGS, INTERFACE, ABSTRACT = 0x1, 0x4, 0x8, 0x80, 0x200, 0x400
STRICT, LOOSE, VARIABLE, NOT = 1, 2, 3, 0
FINAL = frozenset((*BOXES.values(), "java.lang.String", "java.lang.Class", "java.lang.Math", "java.lang.System"))
ARRAY_SUPERS = (OBJECT, "java.lang.Cloneable", "java.io.Serializable")
OF_OTHER_USE = ("java.lang.Iterable",)  # interfaces that lambdas can be of, but are only where nothing else is possible
NO_SCORE = -1


@dataclass(frozen=True)
class Method:
    """A method of the library: erased and generic types, `flags` as in class files."""

    symbol: str
    owner: str
    name: str
    flags: int
    parameters: tuple[str, ...]
    result: str
    generic_parameters: tuple[str, ...]
    generic_result: str
    bounds: tuple[str, ...]


@dataclass(frozen=True)
class Field:
    symbol: str
    owner: str
    static: bool
    type: str


@dataclass(frozen=True)
class Class:
    """A class of the library: direct supertypes are generic types, its superclass first unless it is an interface."""

    name: str
    flags: int
    variables: int
    supers: tuple[str, ...]
    methods: dict[str, tuple[Method, ...]]
    fields: dict[str, Field]


# ---- names


def kind(type_: str) -> str:
    """`class` or `interface` for a known class, else ""."""
    found = _class(type_)
    return "" if found is None else "interface" if found.flags & INTERFACE else "class"


def type_in_package(package: str, name: str) -> str:
    """The public type `name` of a package, or ""."""
    found = _class(f"{package}.{name}") if package else None
    return found.name if found is not None and found.flags & PUBLIC else ""


def is_package(name: str) -> int:
    """1 if the library has types in this package, else 0."""
    return int(name in _names())


def is_module(name: str) -> int:
    """1 if this is a module of the JDK, else 0."""
    return int(name in _modules())


@cache
def _modules_by_package() -> dict[str, str]:
    return {package: module for module, said in _modules().items() for package in said["exports"]}


def module_of(package: str) -> str:
    """The module of the JDK that exports a package to everybody, or ""."""
    return _modules_by_package().get(package, "")


def type_in_module(module: str, name: str) -> str:
    """The public type `name` of the packages that a module of the JDK exports, or that those modules export which it
    makes its readers read; "" if there is none, or more than one, which the compiler does not allow to be named."""
    found = {found for package in _exported(module) if (found := type_in_package(package, name))}
    return found.pop() if len(found) == 1 else ""


def binary_name(dotted: str) -> str:
    """The binary name of a dotted name: exact for known types, else packages are taken to be in lower case."""
    parts = dotted.split(".")
    for length in range(len(parts), 1, -1):
        candidate = ".".join(parts[:length])
        if _class(candidate) is not None:
            return "$".join((candidate, *parts[length:]))
    first = next((i for i, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    return ".".join(parts[: first + 1]) + "".join("$" + part for part in parts[first + 1 :])


def member_type(type_: str, name: str) -> str:
    """The member type `name` that a library class declares or inherits, or ""."""
    return next((found.name for above in _ancestors(type_) if (found := _class(f"{above}${name}")) is not None), "")


def member_types(type_: str) -> tuple[str, ...]:
    """The simple names of the member types that a library class declares or inherits, each once."""
    return tuple(dict.fromkeys(name for above in _ancestors(type_) for name in _nested(above)))


# ---- hierarchy


def supertypes(type_: str) -> tuple[str, ...]:
    """All supertypes of a class, itself and Object included; for an unknown one those two."""
    return _ancestors(type_)


def direct_supertypes(type_: str) -> tuple[str, ...]:
    """The direct supertypes, erased."""
    found = _class(type_)
    return () if found is None else tuple(map(erasure, found.supers))


def superclass(type_: str) -> str:
    """The erased superclass of a known class, "" for interfaces, Object and unknown classes."""
    found = _class(type_)
    return "" if found is None or found.flags & INTERFACE or not found.supers else erasure(found.supers[0])


def depth(type_: str) -> int:
    """How specific a type is: subtypes are deeper than their supertypes; primitive types by widening."""
    if type_ in BOXES:
        return 1 + len(WIDER.get(type_, ()))
    if type_.endswith("[]"):
        return 1 + depth(type_[:-2])
    return _depth(type_)


def as_super(type_: str, class_: str) -> str:
    """The generic type `type_` of the library seen as an instance of its supertype `class_`, or ""."""
    if type_.endswith("[]"):
        return ""
    return _views(erasure(type_)).get(class_, "") and substitute(_views(erasure(type_))[class_], erasure(type_), type_)


def with_variables(class_: str) -> str:
    """The class of the library with its own type variables as arguments, "" if it is not known."""
    return _views(class_).get(class_, "")


def told_by(class_: str, target: str) -> str:
    """The class of the library with the type arguments that make it a `target`, one of its supertypes; "" if that does
    not tell all of them, or if it is `target` itself."""
    views = _views(class_)
    view = views.get(erasure(target), "")
    if not view or erasure(target) == class_ or "<" not in views[class_]:
        return ""
    told = java_types.apply(views[class_], java_types.bind("", view, target))
    return "" if java_types.mentions(told, class_) else told


def is_subtype(sub: str, super_: str) -> int:
    """1 if one erased reference type is known to be a subtype of the other, else 0."""
    return int(convert(sub, super_) == STRICT)


def related(type_: str, target: str) -> int:
    """1 if an object of the erased type may be one of `target`; Object, for want of type arguments, may."""
    return int(type_ in (OBJECT, UNKNOWN) or (type_ not in BOXES and convert(type_, target) != NOT))


def convert(type_: str, target: str) -> int:
    """How an erased argument type converts to a parameter's: 1 subtyping or widening, 2 with boxing, 0 not.

    An unknown class converts to any reference type that is not final (2). What is of unknown type is rather a reference
    than a number.
    """
    if type_ == target or target == UNKNOWN:
        return STRICT
    if type_ == UNKNOWN:
        return LOOSE if target in BOXES else STRICT
    if type_ in BOXES:
        if target in BOXES:
            return STRICT if target in WIDER.get(type_, ()) else NOT
        return LOOSE if target in _ancestors(BOXES[type_]) else NOT
    if target in BOXES:
        unboxed = PRIMITIVES.get(type_)
        return LOOSE if unboxed is not None and (unboxed == target or target in WIDER.get(unboxed, ())) else NOT
    if type_ == NULL:
        return STRICT
    if type_.startswith("->"):
        return _convert_lambda(int(type_[2:].rstrip("=;")), target, type_[-1])
    if type_ == "::":
        return _convert_lambda(None, target, "?")
    if type_.endswith("[]"):
        if not target.endswith("[]"):
            return STRICT if target in ARRAY_SUPERS else NOT
        inner, outer = type_[:-2], target[:-2]
        return STRICT if inner not in BOXES and outer not in BOXES and convert(inner, outer) == STRICT else NOT
    if _class(type_) is not None:
        return STRICT if target in _ancestors(type_) else NOT
    if target == OBJECT:
        return STRICT
    return NOT if target.endswith("[]") or target in FINAL else LOOSE


def part_class(type_: str, path: str) -> str:
    """The class of the library that parts of an object of the type have (`java_types.part_class`), or else Object."""
    found = java_types.part_class(type_, path) if type_ else OBJECT
    return found if _class(found) is not None else OBJECT


# ---- methods and fields


def methods(type_: str, name: str) -> tuple[str, ...]:
    """The methods called `name` that a class itself declares."""
    found = _class(type_)
    return () if found is None else tuple(m.symbol for m in found.methods.get(name, ()))


def inherited(type_: str, name: str) -> tuple[str, ...]:
    """Those of them that subtypes inherit: not the static ones of an interface."""
    found = methods(type_, name)
    return tuple(symbol for symbol in found if not is_static(symbol)) if kind(type_) == "interface" else found


def all_methods(type_: str, name: str) -> tuple[str, ...]:
    """The methods called `name` that a class declares or inherits; constructors are not inherited."""
    if name == "<init>":
        return methods(type_, name)
    return tuple(
        symbol
        for above in _ancestors(type_)
        for symbol in methods(above, name)
        if above == type_ or not (is_static(symbol) and kind(above) == "interface")
    )


def exact(type_: str, signature_: str, result_: str) -> str:
    """The method with this signature that a class declares or inherits, preferably with this erased result, or ""."""
    found = [symbol for symbol in all_methods(type_, signature_.partition("(")[0]) if signature(symbol) == signature_]
    same = (symbol for symbol in found if erasure(result(symbol)) == result_)
    return next(same, found[0] if found else "")


def declares(type_: str, name: str) -> int:
    """1 if a library class itself declares a method of that name, else 0."""
    return int(bool(methods(type_, name)))


def has(type_: str, name: str) -> int:
    """1 if a library class declares or inherits a method of that name, else 0."""
    return int(bool(all_methods(type_, name)))


def owner(method: str) -> str:
    """The class that declares a library method or field."""
    return method[1 : method.index(":")] if method.startswith("<") else ""


def arity(method: str) -> int:
    """The number of parameters of a library method, -1 for any other symbol."""
    found = _method(method)
    return -1 if found is None else len(found.parameters)


def is_varargs(method: str) -> int:
    """1 if a library method takes a variable number of arguments, else 0."""
    found = _method(method)
    return int(found is not None and bool(found.flags & VARARGS))


def is_static(method: str) -> int:
    """1 if a library method is static, else 0."""
    found = _method(method)
    return int(found is not None and bool(found.flags & STATIC))


def score(method: str) -> int:
    """How specific a library method is, in the unit of `java/members.dl`; -1 for any other symbol."""
    found = _method(method)
    if found is None:
        return NO_SCORE
    in_class = kind(found.owner) != "interface" and found.owner != OBJECT and not found.flags & ABSTRACT
    return 200 * sum(map(depth, found.parameters)) + depth(found.owner) + 100 * in_class


def parameter(method: str, form: int, index: int) -> str:
    """The erased type that argument `index` meets, "" if there is none.

    Form 3: as a varargs method with any number of arguments.
    """
    found = _method(method)
    return "" if found is None else _at(found.parameters, found.flags, form, index)


def generic_parameter(method: str, form: int, index: int) -> str:
    """Return the type of a parameter, as `parameter` does, but as it is declared, with type variables."""
    found = _method(method)
    return "" if found is None else _at(found.generic_parameters, found.flags, form, index)


def _at(parameters: tuple[str, ...], flags: int, form: int, index: int) -> str:
    if index < 0:  # the receiver
        return ""
    last = len(parameters) - 1
    if form == VARIABLE and flags & VARARGS and index >= last:
        return parameters[last][:-2]
    return parameters[index] if index <= last else ""


def is_supplied(method: str, variable: str) -> int:
    """1 if a `Supplier<T>` among the parameters of a library method tells what its type variable T is, else 0."""
    found = _method(method)
    if found is None:
        return 0
    return int(any(f"java.util.function.Supplier<{w}{variable}>" in found.generic_parameters for w in ("", "+")))


def plain_result(method: str) -> str:
    """The result type of a library method if it mentions no type variable, else ""."""
    found = _method(method)
    return "" if found is None or "{" in found.generic_result else found.generic_result


def generic_owner(method: str) -> str:
    """The class that declares a library method, if it has type parameters and the method is not static, else ""."""
    found = _method(method)
    if found is None or found.flags & STATIC:
        return ""
    class_ = _class(found.owner)
    return found.owner if class_ is not None and class_.variables else ""


def variables(method: str) -> str:
    """How the type variables that a library method declares name their owner; "" if it seems to have none."""
    found = _method(method)
    if found is None:
        return ""
    owner_ = _variables_owner(found)
    return owner_ if any(f" {owner_} " in type_ for type_ in (found.generic_result, *found.generic_parameters)) else ""


def method_variable(method: str, index: int) -> str:
    """Type variable `index` of a library method, or ""."""
    found = _method(method)
    if found is None:
        return ""
    start = f"{{{index} {_variables_owner(found)} "
    for type_ in (found.generic_result, *found.generic_parameters):
        at = type_.find(start)
        if at >= 0:
            return type_[at : type_.index("}", at) + 1]
    return ""


def bound(method: str, variable: str) -> str:
    """The bound of a type variable, with its type arguments if it is one of the library method, else erased."""
    found = _method(method)
    number, owner_, _ = variable[1:].split(" ", 2)
    if found is not None and owner_ == _variables_owner(found) and int(number) < len(found.bounds):
        return found.bounds[int(number)] or erasure(variable)
    return erasure(variable)


def bind(bindings: str, parameter_: str, argument: str) -> str:
    """Bind type variables as `java_types.bind` does, but view a library type as an instance of the parameter's class
    first."""
    if "{" not in parameter_:
        return bindings
    class_ = erasure(parameter_)
    seen = as_super(argument, class_) if "<" in argument or _class(erasure(argument)) is not None else ""
    known = seen if seen and not parameter_.startswith("{") else argument
    return java_types.bind(bindings, parameter_, _inner_seen(known, parameter_))


def _inner_seen(type_: str, parameter_: str) -> str:
    """The type with its first argument seen as the class of the library that the parameter's is bounded by: a list of
    `CompletableFuture<T>` as one of `Future<T>`."""
    inner, wanted = java_types.inner(type_), erasure(java_types.inner(parameter_))
    if not wanted or not inner or erasure(inner) == wanted:
        return type_
    seen = as_super(inner, wanted) if "<" in inner or _class(erasure(inner)) is not None else ""
    return java_types.with_inner(type_, seen) if seen else type_


def result(method: str) -> str:
    """The result type of a library method as declared, "" for any other symbol."""
    found = _method(method)
    return "" if found is None else found.generic_result


def signature(method: str) -> str:
    """`name(T1,T2)` of a library method, "" for any other symbol."""
    return method[method.rindex(" ") + 1 : -1] if method.startswith("<") and method.endswith(")>") else ""


def method_name(method: str) -> str:
    """The name of a library method, "" for any other symbol."""
    return signature(method).partition("(")[0]


def overridden(type_: str, name: str, signature_: str) -> int:
    """1 if a method `signature_` of a subclass seems to override one that a library class itself declares, else 0.

    A parameter of a type variable's type is taken to match any.
    """
    parameters = tuple(filter(None, signature_[len(name) + 1 : -1].split(",")))
    found = _class(type_)
    return int(found is not None and any(_matches(m, parameters) for m in found.methods.get(name, ())))


def _matches(method: Method, parameters: tuple[str, ...]) -> bool:
    return (
        not method.flags & STATIC
        and len(method.parameters) == len(parameters)
        and all(
            own == other or "{" in generic
            for own, generic, other in zip(method.parameters, method.generic_parameters, parameters, strict=True)
        )
    )


def bridges(view: str, name: str, parameters: str) -> Iterator[str]:
    """Signatures of a generic class's methods `name` that, seen as `view`, have these erased parameter types."""
    class_ = erasure(view)
    found = _class(class_)
    for method in found.methods.get(name, ()) if found is not None else ():
        if ",".join(erasure(substitute(each, class_, view)) for each in method.generic_parameters) == parameters:
            yield signature(method.symbol)


def inferred_bridges(class_: str, name: str, parameters: str) -> Iterator[str]:
    """Signatures of a generic class's methods `name` that have these erased parameter types where they say more than a
    type variable."""
    found, wanted = _class(class_), parameters.split(",")
    for method in found.methods.get(name, ()) if found is not None else ():
        own = method.generic_parameters
        if len(own) == len(wanted) and all(is_variable(a) or erasure(a) == b for a, b in zip(own, wanted, strict=True)):
            yield signature(method.symbol)


def field(type_: str, name: str) -> str:
    """The field `name` that a library class declares or inherits, or ""."""
    return next(
        (
            found.fields[name].symbol
            for above in _ancestors(type_)
            if (found := _class(above)) is not None and name in found.fields
        ),
        "",
    )


def field_type(field_: str) -> str:
    """The type of a library field as declared, or ""."""
    found = _field(field_)
    return "" if found is None else found.type


def is_static_field(field_: str) -> int:
    """1 if a library field is static, else 0."""
    found = _field(field_)
    return int(found is not None and found.static)


def function(type_: str) -> str:
    """The single abstract method of a functional interface of the library, or ""."""
    found = _class(type_)
    if found is None or not found.flags & INTERFACE:
        return ""
    candidates: dict[str, str] = {}
    concrete: set[str] = set()
    for above in _ancestors(type_):
        for declared in (m for group in (_class(above) or found).methods.values() for m in group):
            key = signature(declared.symbol)
            if above == OBJECT or not declared.flags & ABSTRACT:
                concrete.add(key)
            elif key not in candidates:
                candidates[key] = declared.symbol
    abstract = [symbol for key, symbol in candidates.items() if key not in concrete]
    if len(abstract) > 1:  # the same method with more specific types, redeclared below
        names = {(method_name(symbol), arity(symbol)) for symbol in abstract}
        abstract = abstract[:1] if len(names) == 1 else []
    return abstract[0] if abstract else ""


# ---- the archive


@cache
def _archive() -> zipfile.ZipFile:
    return zipfile.ZipFile(Path(__file__).with_name("java") / "library.zip")


@cache
def _names() -> frozenset[str]:
    return frozenset(name.removesuffix(".json") for name in _archive().namelist())


@cache
def _modules() -> dict[str, dict[str, list[str]]]:
    modules: dict[str, dict[str, list[str]]] = json.loads(
        Path(__file__).with_name("java").joinpath("modules.json").read_text()
    )
    return modules


@cache
def _exported(module: str) -> tuple[str, ...]:
    """The packages that who reads a module of the JDK may use."""
    modules = _modules()
    pending, read = [module], set[str]()
    while pending:
        each = pending.pop()
        if each in modules and each not in read:
            read.add(each)
            pending += modules[each]["transitive"]
    return tuple(package for each in sorted(read) for package in modules[each]["exports"])


@cache
def _package(name: str) -> dict[str, list[Any]]:
    return json.loads(_archive().read(name + ".json")) if name in _names() else {}


@cache
def _class(name: str) -> Class | None:
    package, _, simple = name.rpartition(".")
    described = _package(package).get(simple)
    if described is None:
        return None
    flags, variables, supers, methods_, fields = described
    by_name: dict[str, tuple[Method, ...]] = {}
    for each in methods_:
        method = _read_method(name, each)
        by_name[method.name] = (*by_name.get(method.name, ()), method)
    by_field = {
        field_: Field(f"<{name}: {erasure(type_)} {field_}>", name, bool(static), type_)
        for field_, static, type_ in fields
    }
    return Class(name, flags, variables, tuple(supers), by_name, by_field)


def _nested(name: str) -> tuple[str, ...]:
    """The simple names of the member types that a class itself declares."""
    package, _, simple = name.rpartition(".")
    return _nested_of_package(package).get(simple, ())


@cache
def _nested_of_package(package: str) -> dict[str, tuple[str, ...]]:
    """The simple names of the member types of each class of a package that declares some."""
    found: dict[str, tuple[str, ...]] = {}
    for name in _package(package):
        outer, _, simple = name.rpartition("$")
        if outer:
            found[outer] = (*found.get(outer, ()), simple)
    return found


def _read_method(owner_: str, described: list[Any]) -> Method:
    name, flags, parameters, result_, *generic = described
    generic_parameters, generic_result, *bounds = generic or (parameters, result_)
    return Method(
        f"<{owner_}: {result_} {name}({','.join(parameters)})>",
        owner_,
        name,
        flags,
        tuple(parameters),
        result_,
        tuple(generic_parameters),
        generic_result,
        tuple(bounds[0]) if bounds else (),
    )


@lru_cache(maxsize=1 << 14)
def _method(symbol: str) -> Method | None:
    if not symbol.startswith("<"):
        return None
    found = _class(owner(symbol))
    name = signature(symbol).partition("(")[0]
    return None if found is None else next((m for m in found.methods.get(name, ()) if m.symbol == symbol), None)


def _variables_owner(method: Method) -> str:
    return f"{method.owner}.{method.name}({','.join(method.parameters)})"


@lru_cache(maxsize=1 << 12)
def _field(symbol: str) -> Field | None:
    found = _class(owner(symbol)) if symbol.startswith("<") else None
    return None if found is None else found.fields.get(symbol[:-1].rpartition(" ")[2])


@cache
def _ancestors(type_: str) -> tuple[str, ...]:
    """The class and its supertypes, each once, nearest first (breadth first), Object last."""
    found = dict.fromkeys(_upwards(type_))
    found.pop(OBJECT, None)
    return (*found, OBJECT)


def _upwards(type_: str) -> Iterator[str]:
    level = [type_]
    while level:
        yield from level
        level = [above for name in level if name != OBJECT for above in direct_supertypes(name)]


@cache
def _depth(type_: str) -> int:
    above = direct_supertypes(type_)
    return 0 if type_ == OBJECT else 1 + max(map(_depth, above), default=0)


@cache
def _views(type_: str) -> dict[str, str]:
    """Supertype → that type as `type_` (with its own variables as arguments) extends it."""
    found = _class(type_)
    if found is None:
        return {}
    own = type_ + (f"<{','.join(_own_variables(found))}>" if found.variables else "")
    views = {type_: own}
    for above in found.supers:
        for name, view in _views(erasure(above)).items():
            views.setdefault(name, substitute(view, erasure(above), above))
    return views


def _own_variables(found: Class) -> Iterator[str]:
    """The class's variables; the erasure of their bounds does not matter where they are replaced."""
    return (f"{{{i} {found.name} {OBJECT}}}" for i in range(found.variables))


def _convert_lambda(parameters: int | None, target: str, body: str = "") -> int:
    """How a lambda or method reference converts; `body`: `=` if it gives a value, `;` if it gives none,
    `?` where a reference names a method that is not known."""
    if target.endswith("[]") or target in PRIMITIVES.values():
        return NOT
    if _class(target) is None:
        return LOOSE
    method = function(target)
    if not method or (parameters is not None and arity(method) != parameters):
        return NOT
    if body == "?":
        return LOOSE
    if result(method) == "void":
        return LOOSE if body == "=" else STRICT
    if target in OF_OTHER_USE:
        return NOT if body == ";" else LOOSE
    return NOT if body == ";" else STRICT
