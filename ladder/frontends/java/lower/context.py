"""The context of the code that is lowered: the file and the types around it, as far as the file alone shows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from ladder.frontends.java import ir
from ladder.frontends.java.limits import Budget
from ladder.frontends.java.lower.texts import Texts
from ladder.frontends.java.lower.uses import Uses


def numbered(ids: dict[str, int], id: str) -> str:
    """Enter `id` into `ids` and return it, with a number added if it was there before."""
    number = ids[id] = ids.get(id, 0) + 1
    return id if number == 1 else f"{id}#{number}"


@dataclass(slots=True)
class FileContext:
    """A file while it is lowered: its unit id, its uses, scopes, types, annotations and their defaults so far, the
    texts of its nodes, and the variables that other bodies than their own see."""

    unit: str
    uses: Uses
    budget: Budget
    imported: frozenset[str] = frozenset()
    types: list[ir.TypeDeclaration] = field(default_factory=list)
    scopes: list[tuple[str, str]] = field(default_factory=list)
    type_ids: dict[str, int] = field(default_factory=dict)
    annotations: list[ir.Annotation] = field(default_factory=list)
    defaults: list[tuple[str, ir.AnnotationElement]] = field(default_factory=list)
    texts: Texts = field(default_factory=Texts)
    captured: set[str] = field(default_factory=set)

    def scope(self, scope: str, parent: str) -> None:
        """Record that names not found in `scope` are looked up in `parent`."""
        self.budget.spend(1, len(scope))
        self.scopes.append((scope, parent))


@dataclass(frozen=True, slots=True)
class KnownField:
    """A field declared in this file."""

    id: str
    static: bool
    type: ir.Use


class EnclosingBody(Protocol):
    """The body around a local or anonymous class: `body.BodyBuilder`."""

    id: str
    type: TypeContext
    variables: dict[str, ir.Variable]

    @property
    def parent(self) -> EnclosingBody | None:
        """The body around a lambda."""

    def resolve(self, name: str) -> str | tuple[TypeContext, KnownField] | None:
        """Return what a simple name means there: a variable, (type, field), or None if this is unknown."""


@dataclass(slots=True, eq=False)
class TypeContext:
    """A type while it is lowered: its members by name, and where it stands.

    `body` is the body around a local or anonymous class; `this_field` is set if its objects have an enclosing instance;
    `may_inherit` says that a supertype is written, so that there may be fields that this file does not show.
    """

    file: FileContext
    id: str
    name: str
    kind: str
    scope: str
    outer: TypeContext | None
    body: EnclosingBody | None
    static: bool
    may_inherit: bool
    fields: dict[str, KnownField] = field(default_factory=dict)
    methods: set[str] = field(default_factory=set)
    member_ids: dict[str, int] = field(default_factory=dict)
    this_field: str | None = None
    initializer: str | None = None
    local: dict[str, int] = field(default_factory=dict)
    lowered_methods: list[ir.Method] = field(default_factory=list)

    def unique(self, id: str) -> str:
        """Return `id`, with a number added if the type has a member with that id (only in erroneous programs)."""
        return numbered(self.member_ids, id)

    def chain(self) -> list[TypeContext]:
        """Return the lexically enclosing types, from this one outwards."""
        contexts, context = [], self
        while context is not None:
            contexts.append(context)
            context = context.outer  # type: ignore[assignment]
        return contexts

    def local_number(self, name: str) -> int:
        """Return the number of the next local class with that name; anonymous classes have the empty name."""
        self.local[name] = self.local.get(name, 0) + 1
        return self.local[name]
