"""Resolved types: how their values are represented, which type accepts which, and which have values in common.

A subtype is below its parent, a member below its unions; an alias is the type that it stands for. Records and algebraic
data types are base types, like the primitive types. `CONSTANTS` are the types of literals and arithmetic: one above
each primitive type, so that what is compared with them keeps its declared type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ladder.language.core import Fields, Kind, Type
from ladder.language.errors import Errors, did_you_mean
from ladder.language.syntax.nodes import Attribute, TypeDeclaration

PRIMITIVES = {name: Type(name, Kind(name)) for name in ("number", "unsigned", "float", "symbol")}
NUMERIC = frozenset(("number", "unsigned", "float"))
_ELSEWHERE = {
    "int": "number",
    "integer": "number",
    "long": "number",
    "bool": "number",
    "string": "symbol",
    "str": "symbol",
    "text": "symbol",
    "double": "float",
    "real": "float",
    "uint": "unsigned",
    "nat": "unsigned",
}
CONSTANTS = {name: f"{name} constant" for name in PRIMITIVES}


@dataclass
class Types:
    """The types of a program by name, with their declarations; `bases`: name → its base: a primitive type, record,
    algebraic data type or lattice."""

    types: dict[str, Type] = field(default_factory=lambda: dict(PRIMITIVES))
    bases: dict[str, str] = field(
        default_factory=lambda: (
            {name: name for name in PRIMITIVES} | {constant: name for name, constant in CONSTANTS.items()}
        )
    )
    parents: dict[str, str] = field(default_factory=lambda: dict(CONSTANTS))
    aliases: dict[str, str] = field(default_factory=dict)  # what they stand for in the end
    unions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)  # of all algebraic data types: branch → type
    broken: bool = False  # a declaration has an error: what follows from it means nothing
    _subtypes: dict[tuple[str, str], bool] = field(default_factory=dict)
    _common: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)

    def accepts(self, sink: str, source: str) -> bool:
        """Whether every value of `source` is one of `sink`."""
        key = source, sink
        if key not in self._subtypes:
            self._subtypes[key] = self._below(self.plain(source), self.plain(sink))
        return self._subtypes[key]

    def common(self, left: str, right: str) -> frozenset[str]:
        """The greatest types whose values belong to both types."""
        found = self._common.get((left, right))
        if found is None:
            found = self._common[left, right] = self._greatest(self.plain(left), self.plain(right))
        return found

    def _greatest(self, left: str, right: str) -> frozenset[str]:
        if self.accepts(right, left):
            return frozenset((left,))
        if self.accepts(left, right):
            return frozenset((right,))
        if left in self.unions and right in self.unions:
            return frozenset(self._members_within(left, right))
        return frozenset()

    def plain(self, name: str) -> str:
        """The type that an alias stands for; any other type itself."""
        return self.aliases.get(name, name)

    def base_type(self, base: str) -> Type:
        return self.types[base]

    def branch(self, name: str) -> Fields | None:
        """The fields of a branch of an algebraic data type."""
        return dict(self.types[self.branches[name]].branches)[name] if name in self.branches else None

    def add_lattice(self, name: str, kind: Kind) -> None:
        """Add the type of a lattice's values, below the primitive type that carries them, if there is one."""
        self.types[name] = Type(name, kind)
        carrier = kind.value if kind is not Kind.OBJECT else name
        self.bases[name] = carrier
        if carrier != name:
            self.parents[name] = carrier

    def _below(self, lower: str, upper: str) -> bool:
        if lower == upper:
            return True
        if lower in self.unions:
            return all(self.accepts(upper, member) for member in self.unions[lower])
        if upper in self.unions and any(self.accepts(member, lower) for member in self.unions[upper]):
            return True
        return lower in self.parents and self.accepts(upper, self.parents[lower])

    def _members_within(self, union: str, other: str) -> Iterable[str]:
        for member in map(self.plain, self.unions[union]):
            if self.accepts(other, member):
                yield member
            elif member in self.unions:
                yield from self._members_within(member, other)


def like_type(name: str, known: Iterable[str]) -> str | None:
    """A hint that proposes the type that may be meant by a name."""
    primitive = _ELSEWHERE.get(name.lower())
    return did_you_mean(name, known) if primitive is None else f"did you mean {primitive}?"


def resolve_types(declarations: Sequence[TypeDeclaration], lattices: Mapping[str, Kind], errors: Errors) -> Types:
    """Resolve the types of a program; unknown members, cycles and unions of types with different bases are added to
    `errors`."""
    table = Types()
    for name, kind in lattices.items():
        table.add_lattice(name, kind)
    pending = {d.name: d for d in declarations}
    for declaration in declarations:
        _resolve(declaration, table, pending, (), errors)
    for declaration in declarations:
        for attributes in (declaration.fields, *(b.fields for b in declaration.branches)):
            _check_fields(attributes, table, errors)
        _check_names(declaration, errors)
        _check_parent(declaration, table, errors)
    return table


def _resolve(
    declaration: TypeDeclaration,
    table: Types,
    pending: Mapping[str, TypeDeclaration],
    within: tuple[str, ...],
    errors: Errors,
) -> None:
    name = declaration.name
    if name in table.types:
        return
    if declaration.kind == "record":
        _add_base(table, Type(name, Kind.RECORD, _fields(declaration.fields)))
        return
    if declaration.kind == "variant":
        branches = _branches(declaration, table, errors)
        _add_base(table, Type(name, Kind.RECORD, branches=branches))
        return
    members = []
    for member, place in declaration.members:
        if member in (*within, name):
            _tell_cycle((*within, name)[(*within, name).index(member) :], pending, errors)
        elif member in pending:
            _resolve(pending[member], table, pending, (*within, name), errors)
        if member in table.types:
            members.append(member)
        elif member not in pending:
            errors.add_undeclared(
                place, member, f"the type {member} is not declared", like_type(member, (*table.types, *pending))
            )
    _add_derived(declaration, members, table, errors)


def _tell_cycle(names: Sequence[str], declarations: Mapping[str, TypeDeclaration], errors: Errors) -> None:
    for position, name in enumerate(names):
        way = " → ".join((*names[position:], *names[:position], name))
        errors.add(declarations[name].place, f"the type {name} is defined by itself: {way}")


def _add_base(table: Types, type_: Type) -> None:
    table.types[type_.name] = type_
    table.bases[type_.name] = type_.name


def _add_derived(declaration: TypeDeclaration, members: Sequence[str], table: Types, errors: Errors) -> None:
    """Add a subtype, an alias or a union of known types."""
    name = declaration.name
    bases = list(dict.fromkeys(table.bases[m] for m in members))
    if len(bases) > 1:
        errors.add(
            declaration.place,
            f"the union {name} mixes {' and '.join(bases)} values",
            "all members of a union must have the same primitive type",
        )
    elif len(declaration.members) > 1:
        for member in members:
            if table.bases[member] not in PRIMITIVES and table.plain(member) == table.bases[member]:
                errors.add(
                    declaration.place,
                    f"the union {name} has the member {member}, which is no primitive type",
                    "its members are primitive types, their subtypes, and unions of those",
                )
                break
    base = bases[0] if bases else "symbol"
    known = table.types[base]
    table.types[name] = Type(name, known.kind, known.fields, known.branches)
    table.bases[name] = base
    if declaration.kind == "subtype":
        table.parents[name] = members[0] if members else base
    elif len(declaration.members) == 1:
        table.aliases[name] = table.plain(members[0]) if members else base
    else:
        table.unions[name] = tuple(members)


def _check_parent(declaration: TypeDeclaration, table: Types, errors: Errors) -> None:
    """Check that the parent of a subtype is no union and no record."""
    if declaration.kind != "subtype":
        return
    parent = table.plain(declaration.members[0][0])
    kind = (
        "union"
        if parent in table.unions
        else "record type"
        if parent in table.types and table.types[parent].fields and table.bases[parent] == parent
        else None
    )
    if kind is not None:
        errors.add(
            declaration.place,
            f"{declaration.name} cannot be a subtype of the {kind} {parent}",
            f"write .type {declaration.name} = {parent} for another name of it",
        )


def _fields(attributes: Sequence[Attribute]) -> Fields:
    return tuple((a.name, a.type) for a in attributes)


def _branches(declaration: TypeDeclaration, table: Types, errors: Errors) -> tuple[tuple[str, Fields], ...]:
    """The branches of an algebraic data type; a name that is a branch already is an error."""
    branches = {}
    for branch in declaration.branches:
        if branch.name in table.branches:
            errors.add(
                branch.place,
                f"the branch {branch.name} is declared twice",
                f"it is already a branch of {table.branches[branch.name]}",
            )
            continue
        table.branches[branch.name] = declaration.name
        branches[branch.name] = _fields(branch.fields)
    return tuple(branches.items())


def _check_fields(attributes: Sequence[Attribute], table: Types, errors: Errors) -> None:
    for attribute in attributes:
        if attribute.type not in table.types:
            errors.add_undeclared(
                attribute.place,
                attribute.type,
                f"the type {attribute.type} of field {attribute.name} is not declared",
                like_type(attribute.type, table.types),
            )


def _check_names(declaration: TypeDeclaration, errors: Errors) -> None:
    """Check that the fields of a record have different names; those of a branch need not."""
    seen: set[str] = set()
    for attribute in declaration.fields:
        if attribute.name in seen:
            errors.add(attribute.place, f"the type {declaration.name} has two fields {attribute.name}")
        seen.add(attribute.name)
