"""Which types of the class path a project can reach, and the rows of `java/class_path.dl` that say what they declare.

    roots    types that the project names: in full, or simply where a package of such a type is imported or its own
    closure  supertypes and bounds; member types whose names the project has; and what the types of those members name
             that the project may use

A member may be used only if some file of the project has its name, in whatever sense; but all methods of interfaces
count, because which of them are abstract says which are functional, and constructors. The result depends on what is
mentioned and on the packs alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ladder.analyses import java_library
from ladder.frontends.bytecode.classfile import ABSTRACT, FINAL, PROTECTED, PUBLIC, STATIC, VARARGS
from ladder.frontends.libraries.pack import Description, Pack
from ladder.frontends.libraries.schema import BINARY, DOTTED, NAMES, OWN, PACKAGES, RELATIONS, TYPES
from ladder.frontends.libraries.signatures import classes_in, erasure
from ladder.frontends.protocol import Row

MODIFIERS = {
    STATIC: "static", ABSTRACT: "abstract", VARARGS: "varargs", FINAL: "final", PUBLIC: "public",
    PROTECTED: "protected",
}  # fmt: skip
IMPLIED = (
    "java.lang.Object", "java.lang.String", "java.lang.Class", "java.lang.Enum", "java.lang.Record",
    "java.lang.Throwable", "java.lang.Exception", "java.lang.RuntimeException", "java.lang.Error", "java.lang.Iterable",
    "java.lang.AutoCloseable", "java.lang.Cloneable", "java.lang.Boolean", "java.lang.Byte", "java.lang.Character",
    "java.lang.Short", "java.lang.Integer", "java.lang.Long", "java.lang.Float", "java.lang.Double", "java.lang.Void",
    "java.lang.annotation.Annotation", "java.io.Serializable",
)  # fmt: skip
"""Types that the language uses without naming them."""

CONSTRUCTOR = "<init>"
Mentions = Mapping[str, frozenset[str]]


def packages_of(packs: Sequence[Pack]) -> Mapping[str, Sequence[Pack]]:
    """Package → the packs that have types of it, a JDK first; packages of the JDK are looked for in a JDK alone."""
    found: dict[str, list[Pack]] = defaultdict(list)
    has_jdk = any(pack.is_jdk for pack in packs)
    for pack in sorted(packs, key=lambda pack: not pack.is_jdk):
        for package in pack.packages:
            if pack.is_jdk or has_jdk or not java_library.is_package(package):
                found[package].append(pack)
    return found


def find(of_package: Mapping[str, Sequence[Pack]], name: str) -> tuple[Pack, Description] | None:
    """The first pack with a type, and the type's description."""
    package, _, simple = name.rpartition(".")
    for pack in of_package.get(package, ()):
        description = pack.package(package).get(simple)
        if description is not None:
            return pack, description
    return None


@dataclass
class _Selecting:
    """What has been selected of the packs, which have names; `hidden`: packages that the
    JDK has, in packs that are none."""

    packs: Sequence[Pack]
    mentions: Mentions
    names: Sequence[str]
    rows: dict[str, list[Row]] = field(default_factory=lambda: {relation: [] for relation in RELATIONS})
    pending: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.of_package = packages_of(self.packs)
        self.called = dict(zip(map(id, self.packs), self.names, strict=True))

    def find(self, name: str) -> tuple[Pack, Description] | None:
        """The first pack with a type, and the type's description."""
        return find(self.of_package, name)

    def want(self, types: set[str] | Sequence[str]) -> None:
        """Note types that are reached."""
        for name in types:
            if name not in self.seen:
                self.seen.add(name)
                self.pending.append(name)


def selected(packs: Sequence[Pack], mentions: Mentions, names: Sequence[str]) -> dict[str, list[Row]]:
    """Relation → rows of what a project that mentions this can reach of these packs, of which earlier ones hide later
    ones, and a JDK all others; `names`: what each pack is called.

    want the roots
    while types are wanted: add the rows of the type; want what its supertypes and its usable members name
    """
    state = _Selecting(packs, mentions, names)
    state.want(_roots(state))
    own = mentions[TYPES]
    while state.pending:
        name = state.pending.pop()
        found = None if name in own else state.find(name)
        if found is not None:
            _add(state, name, *found)
    on_demand = mentions[PACKAGES] & state.of_package.keys()
    state.rows["ClassPathPackage"] = [(package,) for package in sorted(on_demand)]
    return {relation: sorted(set(rows)) for relation, rows in state.rows.items()}


def _roots(state: _Selecting) -> set[str]:
    """The types that the project may name."""
    mentions = state.mentions
    found = set(IMPLIED) | mentions[DOTTED] | mentions[BINARY]
    for package in {*mentions[PACKAGES], "java.lang"} & state.of_package.keys():
        for pack in state.of_package[package]:
            found.update(f"{package}.{name}" for name in pack.package(package).keys() & mentions[NAMES])
    return {name for name in found if name.rpartition(".")[0] in state.of_package}


def _add(state: _Selecting, name: str, pack: Pack, description: Description) -> None:
    """Add the rows of a type, and want what it leads to."""
    kind, access, outer, simple, variables, supers, methods, fields, annotations = description
    package, _, in_package = name.rpartition(".")
    rows, names = state.rows, state.mentions[NAMES]
    inside = package in state.mentions[OWN]
    own = f"{name}<{','.join(variables)}>" if variables else name
    rows["ClassPathType"].append((name, kind, own))
    rows["ClassPathOrigin"].append((name, state.called[id(pack)]))
    if access in ("public", "protected") or (access == "package" and inside):
        if outer:
            rows["ClassPathMember"].append((name, outer, simple))
        else:
            rows["ClassPathTopLevel"].append((name, package, simple))
    for index, generic in enumerate(supers):
        if generic:
            rows["ClassPathSuper"].append((name, "interface" if index else "class", generic, erasure(generic)))
    _add_variables(state, name, name, variables)
    _add_annotations(state, name, annotations)
    state.want(classes_in([*supers, *variables]))
    state.want([outer] if outer else [])
    siblings = pack.package(package)
    members = [member for member in pack.members(package, in_package) if siblings[member][3] in names]
    state.want([f"{package}.{member}" if package else member for member in members])
    if kind == "annotation":
        state.want(annotations)
    is_interface = kind in ("interface", "annotation")
    functional = is_interface and sum(bool(method[1] & ABSTRACT) for method in methods) == 1
    for method in methods:
        named = method[0] in names or method[0] == CONSTRUCTOR
        if (named or is_interface) and (inside or method[1] & (PUBLIC | PROTECTED)):
            reached = _add_method(state, name, method)
            if named or (functional and method[1] & ABSTRACT):
                state.want(classes_in(reached))
    for each in fields:
        if each[0] in names and (inside or each[1] & (PUBLIC | PROTECTED)):
            state.want(classes_in([_add_field(state, name, each)]))


def _add_method(state: _Selecting, owner: str, method: Description) -> list[str]:
    """Add the rows of a method → the types in its signature."""
    name, flags, erased, result, generic, returned, variables, exceptions, annotations = method
    rows = state.rows
    signature = f"{name}({','.join(erased)})"
    symbol = f"<{owner}: {result} {signature}>"
    rows["ClassPathMethod"].append((symbol, owner, name, len(erased), result, returned or result))
    _add_modifiers(state, symbol, flags)
    parameters = generic or erased
    rows["ClassPathParameter"] += [
        (symbol, index, plain, type_) for index, (plain, type_) in enumerate(zip(erased, parameters, strict=True))
    ]
    rows["ClassPathException"] += [(symbol, type_) for type_ in exceptions]
    _add_variables(state, symbol, f"{owner}.{signature}", variables)
    _add_annotations(state, symbol, annotations)
    return [*parameters, returned or result, *variables]


def _add_field(state: _Selecting, owner: str, described: Description) -> str:
    """Add the rows of a field → its type."""
    name, flags, erased, generic, constant, annotations = described
    symbol = f"<{owner}: {erased} {name}>"
    state.rows["ClassPathField"].append((symbol, owner, name, erased, generic or erased))
    _add_modifiers(state, symbol, flags)
    if constant:
        state.rows["ClassPathConstant"].append((symbol, *constant))
    _add_annotations(state, symbol, annotations)
    return str(generic or erased)


def _add_modifiers(state: _Selecting, symbol: str, flags: int) -> None:
    state.rows["ClassPathModifier"] += [(symbol, word) for flag, word in MODIFIERS.items() if flags & flag]


def _add_variables(state: _Selecting, declaration: str, owner: str, variables: list[str]) -> None:
    state.rows["ClassPathVariable"] += [
        (declaration, index, variable, owner) for index, variable in enumerate(variables)
    ]


def _add_annotations(state: _Selecting, declaration: str, types: list[str]) -> None:
    state.rows["ClassPathAnnotation"] += [(declaration, type_) for type_ in types]
