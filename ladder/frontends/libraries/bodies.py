"""A class file of a library → its facts with the code of its methods, in rows that are taken method by method.

The facts are those of the front end for class files, in its schema, with two differences. Members have the ids that
linking has for those of the class path, `<a.b.C: R name(T1,T2)>` and `<a.b.C: T name>`, so that a body is the body of
the method that a project's call names. And each row has an `owner`: the method whose code it is part of, or the class,
for what declares it and its members; a run reads the rows of the classes and methods that it needs.

`Code` has what decides which methods these are (see `reach`): rows by `kind`,

    class       type: the superclass, empty without one; name: the kind; more: `abstract` or empty
    interface   type: a direct superinterface
    method      type: the method's id; name: its signature `name(T1,T2)`; more: its modifiers, and `code`
    names       type: a type that the class names
    call        type, name, more: the class, the signature and the result of a method that the owner calls
    super       the same, without a choice by the receiver
    new         type: a class of which the owner makes objects
    cast        type: one that the owner casts to
    use         type: a class with a static field that the owner reads or writes; more: the field's type if it reads it

Left out: native methods, which the declarations of the class path have; annotations, positions, and what names in
source are looked up in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ladder.frontends.bytecode.descriptors import PRIMITIVES
from ladder.frontends.protocol import Column, Display, FileFacts, Models, Relation, Row, relation

OWNER = Column("owner", "symbol")
CODE = relation("Code", "kind type name more", "What decides which methods of libraries are reached, by `kind`.")
OF_CLASSES = frozenset(
    (
        "Type", "Type_Modifier", "DirectSuperclass", "DirectSuperinterface", "BinaryTypeUse", "ArrayTypeUse", "Field",
        "Field_Modifier", "FieldInitialValue", "EnumConstant", "RecordComponent", "Method", "Method_DeclaringType",
        "Method_Modifier", "Method_Throws", "MethodParameter", "FormalParam", "ThisVar",
    )
)  # fmt: skip
"""Relations whose rows belong to the class, but for those of lambdas."""
LEFT_OUT = frozenset(
    (
        "Unit", "Scope", "TypeUseText", "TopLevelType", "MemberType", "LocalType", "TypeCanonicalName", "EnclosingType",
        "EnclosingMethod", "LexicalType", "Annotation", "AnnotationElement", "Position",
    )
)  # fmt: skip
INSIDE = "/"
"""Follows the id of a method in those of what it consists of."""


class LibraryBodies:
    """The front end for class files of libraries.

    `builds_on`: the packages whose code makes facts together with this one.
    """

    language = "Java bytecode"
    suffixes = (".class",)
    generated: tuple[str, ...] = ()
    builds_on = ("ladder.frontends.bytecode", "ladder.frontends.java")
    analyses: Path | None = None
    contexts: Path | None = None
    display = Display()

    def relations(self) -> Sequence[Relation]:
        """Return the schema: that of source with owners, and `Code`."""
        from ladder.frontends.java import FRONT_END as JAVA

        found = [each for each in JAVA.relations() if each.name not in LEFT_OUT]
        return tuple(Relation(each.name, (*each.columns, OWNER), each.doc) for each in (*found, CODE))

    def models(self, folders: Sequence[Path]) -> Models:
        """Return no models: bodies need none."""
        return Models()

    def facts_of(self, data: bytes) -> FileFacts:
        """Return the facts of a class file with these bytes."""
        from ladder.frontends.bytecode.facts import facts_of
        from ladder.frontends.bytecode.ids import LIBRARY

        found = facts_of(data, LIBRARY)
        if not found.types:
            return FileFacts(parser=found.parser, diagnostics=found.diagnostics, final=found.final)
        rows = owned(found.types[0], found.relations)
        return FileFacts(
            found.unit, found.types, found.parser, found.lines, found.source_lines, rows, found.diagnostics, found.final
        )


BODIES = LibraryBodies()


def owned(type: str, relations: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
    """Return the rows of a class with their owners, and those of `Code`."""
    native = {row[0] for row in relations.get("Method_Modifier", ()) if row[1] == "native"}
    methods = {row[0] for row in relations.get("Method", ())}
    found: dict[str, list[Row]] = {}
    for name, rows in relations.items():
        if name in LEFT_OUT:
            continue
        of_class = name in OF_CLASSES
        kept = found[name] = []
        for row in rows:
            method, inside = _method_of(row, methods)
            if method not in native:
                kept.append((*row, method if method and (inside or not of_class) else type))
    found[CODE.name] = [*_of_class(type, found), *_of_methods(found)]
    return found


def _method_of(row: Row, methods: set[str | int]) -> tuple[str, bool]:
    """Return the method that a row is about, empty for none, and whether it is about a lambda within it."""
    for cell in row:
        if isinstance(cell, str):
            head, slash, rest = cell.partition(INSIDE)
            if head in methods:
                return head, bool(slash) and rest.startswith("lambda#")
    return "", False


def _of_class(type: str, rows: Mapping[str, Sequence[Row]]) -> Iterator[Row]:
    """Yield the rows of `Code` that the class owns."""
    types = _types(rows)
    flags: dict[str, set[str]] = {}
    for member, modifier, _ in (*rows.get("Method_Modifier", ()), *rows.get("Type_Modifier", ())):
        flags.setdefault(str(member), set()).add(str(modifier))
    above = [types[str(use)] for _, use, _ in rows.get("DirectSuperclass", ())]
    kind = str(rows["Type"][0][1])
    yield "class", above[0] if above else "", kind, "abstract" if "abstract" in flags.get(type, ()) else "", type
    for _, use, _ in rows.get("DirectSuperinterface", ()):
        yield "interface", types[str(use)], "", "", type
    with_code = {row[0] for row in rows.get("Method_HasBody", ())}
    for id, *_ in rows.get("Method", ()):
        more = {"code"} if id in with_code else set[str]()
        signature = str(id)[:-1].partition(": ")[2].partition(" ")[2]
        yield "method", str(id), signature, " ".join(sorted(more | flags.get(str(id), set()))), type
    for _, named, _ in rows.get("BinaryTypeUse", ()):
        yield "names", str(named), "", "", type


def _of_methods(rows: Mapping[str, Sequence[Row]]) -> Iterator[Row]:
    """Yield the rows of `Code` that methods own."""
    types = _types(rows)
    fixed = {row[0] for row in rows.get("Invocation", ()) if row[1] == "super"}
    for invocation, use, signature, result, owner in rows.get("ExactInvocation", ()):
        yield (
            "super" if invocation in fixed else "call", types[str(use)], str(signature), types[str(result)], owner,
        )  # fmt: skip
    for _, use, owner in rows.get("NormalHeap", ()):
        yield "new", types[str(use)], "", "", owner
    for _, kind, target, _, owner in rows.get("FunctionalTarget", ()):
        if kind == "type":
            yield "new", types[str(target)], "", "", owner
    for *_, use, _, owner in rows.get("AssignCast", ()):
        yield "cast", types[str(use)], "", "", owner
    read, written = ({row[0] for row in rows.get(name, ())} for name in ("LoadSimpleName", "StoreSimpleName"))
    for instruction, use, _, field, owner in rows.get("ExactMember", ()):
        if instruction in read or instruction in written:
            yield "use", types[str(use)], "", types[str(field)] if instruction in read else "", owner


def _types(rows: Mapping[str, Sequence[Row]]) -> dict[str, str]:
    """Return use → type; the uses of primitive types are these themselves."""
    found = {name: name for name in (*PRIMITIVES.values(), "void")}
    found.update((str(use), str(type)) for use, type, _ in rows.get("BinaryTypeUse", ()))
    arrays = {str(use): str(component) for use, component, _ in rows.get("ArrayTypeUse", ())}
    for use in arrays:
        dimensions, component = "", use
        while component in arrays:
            dimensions, component = dimensions + "[]", arrays[component]
        found[use] = found[component] + dimensions
    return found
