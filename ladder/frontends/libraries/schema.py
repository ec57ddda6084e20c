"""What of a project's facts decides which types of its class path it reaches, and the relations of rows about these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NAMES, PACKAGES, OWN, DOTTED, BINARY, TYPES = "names", "packages", "own packages", "dotted", "binary", "types"
MENTIONED: Mapping[str, Sequence[tuple[str, tuple[str, ...]]]] = {
    NAMES: [
        *((relation, ("name",)) for relation in (
            "SimpleTypeUse", "QualifiedTypeUse", "SingleTypeImport", "StaticImport", "Invocation", "MethodReference",
            "LambdaFunction", "Method", "LoadMember", "StoreMember", "LoadSimpleName", "StoreSimpleName",
            "LoadQualifiedName", "StoreQualifiedName", "ExactMember",
        )),
    ],
    PACKAGES: [("Unit", ("package",)), ("OnDemandImport", ("package",))],
    OWN: [("Unit", ("package",))],
    DOTTED: [("QualifiedTypeUse", ("qualifiertext", "name"))],
    BINARY: [("BinaryTypeUse", ("type",))],
    TYPES: [("Type", ("type",))],
}  # fmt: skip
"""What the facts of a project mention: kind → relations and the columns that have it, joined by dots."""

COLUMNS = {
    "ClassPathType": "type kind self",
    "ClassPathOrigin": "type library",
    "ClassPathTopLevel": "type package name",
    "ClassPathMember": "type outer name",
    "ClassPathPackage": "package",
    "ClassPathSuper": "type role generic super",
    "ClassPathMethod": "method type name arity:number result generic",
    "ClassPathModifier": "member modifier",
    "ClassPathParameter": "method index:number type generic",
    "ClassPathVariable": "declaration index:number variable owner",
    "ClassPathField": "field type name erasure generic",
    "ClassPathConstant": "field value type",
    "ClassPathException": "method type",
    "ClassPathAnnotation": "declaration annotation",
}
"""The relations and their columns, as `protocol.relation` reads them; `java/class_path.dl` says what rows mean."""

RELATIONS = tuple(COLUMNS)
