"""What the lowering knows about the types around the code it is in, from the file alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ladder.frontends.java import ir
from ladder.frontends.java.lower.uses import Uses

if TYPE_CHECKING:
    from ladder.frontends.java.lower.body import BodyBuilder


@dataclass(slots=True)
class FileContext:
    """One file being lowered: its unit id, uses, scopes, and types so far."""

    unit: str
    uses: Uses
    imported: frozenset[str] = frozenset()
    types: list[ir.TypeDeclaration] = field(default_factory=list)
    scopes: list[tuple[str, str]] = field(default_factory=list)
    type_ids: set[str] = field(default_factory=set)

    def scope(self, scope: str, parent: str) -> None:
        """Record that names not found in `scope` are looked up in `parent`."""
        self.scopes.append((scope, parent))


@dataclass(frozen=True, slots=True)
class KnownField:
    """A field declared in this file."""

    id: str
    static: bool
    type: ir.Use


@dataclass(slots=True, eq=False)
class TypeContext:
    """A type being lowered: its members by name, and where it stands.

    `body` is the body around a local or anonymous class; `this_field` is set if its objects have an enclosing instance;
    `may_inherit` says that a supertype is written, so that fields may exist which this file does not show.
    """

    file: FileContext
    id: str
    name: str
    kind: str
    scope: str
    outer: TypeContext | None
    body: BodyBuilder | None
    static: bool
    may_inherit: bool
    fields: dict[str, KnownField] = field(default_factory=dict)
    methods: set[str] = field(default_factory=set)
    member_ids: set[str] = field(default_factory=set)
    this_field: str | None = None
    initializer: str | None = None
    local: dict[str, int] = field(default_factory=dict)
    lowered_methods: list[ir.Method] = field(default_factory=list)

    def unique(self, id: str) -> str:
        """Return `id`, or with a number if the type has a member of that id already (only in erroneous programs)."""
        number, unique = 1, id
        while unique in self.member_ids:
            number += 1
            unique = f"{id}#{number}"
        self.member_ids.add(unique)
        return unique

    def chain(self) -> list[TypeContext]:
        """Return the lexically enclosing types, from this one outwards."""
        contexts, context = [], self
        while context is not None:
            contexts.append(context)
            context = context.outer  # type: ignore[assignment]
        return contexts

    def local_number(self, name: str) -> int:
        """Return the number of the next local class of that name (anonymous: the empty name)."""
        self.local[name] = self.local.get(name, 0) + 1
        return self.local[name]
