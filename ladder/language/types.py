"""Types after resolution: what a cell holds, which type accepts which, and which have values in common."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ladder.language.core import Kind, Type
from ladder.language.errors import Errors, did_you_mean
from ladder.language.syntax import TypeDeclaration

PRIMITIVES = {name: Type(name, Kind(name)) for name in ("number", "unsigned", "float", "symbol")}
NUMERIC = frozenset(("number", "unsigned", "float"))


@dataclass
class Types:
    """By name: a type; `above`: it and all that accept its values; `bases`: its primitive, record or lattice."""

    types: dict[str, Type] = field(default_factory=lambda: dict(PRIMITIVES))
    above: dict[str, set[str]] = field(default_factory=lambda: {name: {name} for name in PRIMITIVES})
    bases: dict[str, str] = field(default_factory=lambda: {name: name for name in PRIMITIVES})

    def accepts(self, sink: str, source: str) -> bool:
        """Whether every value of `source` is one of `sink`."""
        return sink in self.above[source]

    def overlap(self, left: str, right: str) -> bool:
        """Whether a declared type lies below both."""
        return any(left in above and right in above for above in self.above.values())

    def base_type(self, base: str) -> Type:
        return self.types[base]

    def add_lattice(self, name: str, kind: Kind) -> None:
        """A lattice's values are a type of its own, below the primitive type that carries them, if one does."""
        self.types[name] = Type(name, kind)
        carrier = kind.value if kind is not Kind.OBJECT else name
        self.above[name] = {name, carrier}
        self.bases[name] = carrier


def resolve_types(declarations: Sequence[TypeDeclaration], lattices: Mapping[str, Kind], errors: Errors) -> Types:
    """The types of a program; unknown members, cycles and unions of unlike types are errors."""
    table = Types()
    for name, kind in lattices.items():
        table.add_lattice(name, kind)
    pending = {d.name: d for d in declarations}
    for declaration in declarations:
        _resolve(declaration, table, pending, (), errors)
    for declaration in declarations:
        for attribute in declaration.fields:
            if attribute.type not in table.types:
                errors.add_undeclared(attribute.place, attribute.type,
                                      f"the type {attribute.type} of field {attribute.name} is not declared",
                                      did_you_mean(attribute.type, table.types))
    _close(table, declarations)
    return table


def _resolve(declaration: TypeDeclaration, table: Types, pending: Mapping[str, TypeDeclaration],
             within: tuple[str, ...], errors: Errors) -> None:
    name = declaration.name
    if name in table.types:
        return
    if declaration.kind == "record":
        table.types[name] = Type(name, Kind.RECORD, tuple((a.name, a.type) for a in declaration.fields))
        table.bases[name] = name
        table.above[name] = {name}
        return
    members = []
    for member, place in declaration.members:
        if member in within or member == name:
            errors.add(place, f"the type {name} is defined by itself: {' → '.join((*within, name, member))}")
        elif member in pending:
            _resolve(pending[member], table, pending, (*within, name), errors)
        if member in table.types:
            members.append(member)
        elif member not in pending:
            errors.add_undeclared(place, member, f"the type {member} is not declared",
                                  did_you_mean(member, (*table.types, *pending)))
    bases = list(dict.fromkeys(table.bases[m] for m in members))
    if len(bases) > 1:
        errors.add(declaration.place, f"the union {name} mixes {' and '.join(bases)} values",
                   "all members of a union must have the same primitive type")
    base = bases[0] if bases else "symbol"
    table.types[name] = Type(name, table.types[base].kind, table.types[base].fields)
    table.bases[name] = base
    table.above[name] = {name, base}


def _close(table: Types, declarations: Iterable[TypeDeclaration]) -> None:
    """Fills `above`: a subtype lies below its parent, a member below its union, an alias's names below each other."""
    edges: list[tuple[str, str]] = []
    for declaration in declarations:
        members = [m for m, _ in declaration.members if m in table.types]
        if declaration.kind == "subtype" or len(members) == 1 and declaration.kind == "union":
            edges.extend((declaration.name, m) for m in members)
        if declaration.kind == "union":
            edges.extend((m, declaration.name) for m in members)
    changed = True
    while changed:
        changed = False
        for lower, upper in edges:
            before = len(table.above[lower])
            table.above[lower] |= table.above[upper]
            changed |= len(table.above[lower]) > before
