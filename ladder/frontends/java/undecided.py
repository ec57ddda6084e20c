"""What cannot be told of a file of which parts are left out: bodies whose facts would be others if they were there.

A left-out part of a type may declare a field that a body names, a method that it calls, an initialiser that
constructors run, or anonymous and local classes, by which those after it are numbered. A left-out import may name a
class that a body makes objects of. Such bodies are left out, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ladder.frontends.java import tree
from ladder.frontends.java.visit import walk

Told = tuple[tree.Position, str]
_NAMED_LIKE_A_TYPE = re.compile("[A-Z].*[a-z]")


@dataclass(frozen=True, slots=True)
class _Around:
    """What is known around a body: fields and methods of the types around it, whether some may be missing (fields;
    methods of a type that is in another one), and the classes that are known not to be inner classes of another file,
    if an import is missing."""

    fields: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    lacks_fields: bool = False
    lacks_methods: bool = False
    classes: frozenset[str] | None = None
    depth: int = 0


@dataclass(slots=True)
class _Mentioned:
    """The names in a body: those that it declares, fields of classes in it among them, and those that it uses; `alone`:
    those of values, which are not the first part of a longer name, as that of a type may be."""

    declared: set[str] = field(default_factory=set)
    methods: set[str] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)
    of_this: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)
    declares_classes: bool = False


def leave_undecided_out(unit: tree.CompilationUnit, lost_import: bool) -> list[Told]:
    """Leave out of the tree what cannot be told; return where, and why."""
    classes = None
    if lost_import:
        imported = {node.name.rpartition(".")[2] for node in unit.imports if not node.static}
        classes = frozenset(imported | set(_declared_types(unit.types)))
    return [told for declared in unit.types for told in _in_type(declared, _Around(classes=classes))]


def _declared_types(types: list[tree.TypeDeclaration]) -> Iterator[str]:
    pending = list(types)
    while pending:
        declared = pending.pop()
        yield declared.name
        pending += [member for member in declared.members if isinstance(member, tree.TypeDeclaration)]


def _in_type(declared: tree.TypeDeclaration, outer: _Around) -> Iterator[Told]:
    around = _around(declared, outer)
    members = declared.members
    gone = [member for member in members if isinstance(member, tree.LeftOut)]
    unsure = any(part.kind == "unknown" for part in gone) and not any(map(_initialises_instances, members))
    numbered = not any(map(_is_incomplete_constructor, members))
    kept: list[tree.Member] = []
    for member in members:
        kept.append(member)
        if isinstance(member, tree.TypeDeclaration):
            yield from _in_type(member, around)
        elif isinstance(member, tree.LeftOut):
            numbered = numbered and member.kind == "type"
        elif isinstance(getattr(member, "body", None), tree.LeftOut):
            numbered = False
        elif _has_code(member):
            reason = _reason(member, around, numbered, unsure)
            if reason:
                numbered = False
                yield member.position, f"A body is left out: {reason}"
                kept[-1:] = _without_code(member)
    declared.members = kept


def _around(declared: tree.TypeDeclaration, outer: _Around) -> _Around:
    """Return what is known in a type within the given surroundings; what the type may lack hides what is outside."""
    lacks = any(isinstance(member, tree.LeftOut) and member.kind == "unknown" for member in declared.members)
    fields, methods = (set[str](), set[str]()) if lacks else (set(outer.fields), set(outer.methods))
    fields.update(node.name for node in getattr(declared, "constants", ()))
    components = {node.name for node in getattr(declared, "components", ())}
    fields |= components
    methods |= components | ({"values", "valueOf"} if isinstance(declared, tree.EnumDeclaration) else set())
    for member in declared.members:
        if isinstance(member, tree.FieldDeclaration):
            fields.update(declarator.name for declarator in member.declarators)
        elif isinstance(member, tree.MethodDeclaration) or isinstance(member, tree.LeftOut) and member.kind == "method":
            methods.add(member.name)
    return replace(
        outer,
        fields=frozenset(fields),
        methods=frozenset(methods),
        lacks_fields=outer.lacks_fields or lacks,
        lacks_methods=outer.lacks_methods or (lacks and outer.depth > 0),
        depth=outer.depth + 1,
    )


def _reason(member: tree.Member, around: _Around, numbered: bool, unsure: bool) -> str:
    """Return why the code of a member cannot be told, or ""."""
    if unsure and isinstance(member, tree.ConstructorDeclaration):
        return "which initialisers it runs is not known"
    if numbered and not around.lacks_fields and around.classes is None:
        return ""
    found = _mentioned(member)
    if not numbered and found.declares_classes:
        return "it declares classes, which are numbered after those of parts that are left out"
    unknown: set[str] = set()
    if around.lacks_fields:
        unknown |= {name for name in found.values if not _NAMED_LIKE_A_TYPE.match(name)} - found.declared
        unknown |= found.alone - found.declared
        unknown |= found.of_this - found.fields
        unknown -= around.fields
    if around.lacks_methods:
        unknown |= found.calls - around.methods - found.methods
    if around.classes is not None:
        unknown |= found.made - around.classes - found.declared
    return f"what {min(unknown)} means, a part that is left out may say" if unknown else ""


def _mentioned(member: tree.Member) -> _Mentioned:
    found = _Mentioned()
    labels: set[tree.Node] = set()
    targets: set[tree.Node] = set()
    for node in walk(member):
        if isinstance(node, tree.MethodCall | tree.MethodReference | tree.FieldAccess) and isinstance(
            node.target, tree.Name
        ):
            targets.add(node.target)
        if isinstance(node, tree.SwitchCase):
            labels.update(label for label in node.labels if isinstance(label, tree.Name))
        elif isinstance(node, tree.Name):
            if node not in labels:
                found.values.add(node.parts[0])
                if len(node.parts) == 1 and node not in targets:
                    found.alone.add(node.parts[0])
        elif isinstance(node, tree.FieldAccess):
            if isinstance(node.target, tree.This):
                found.of_this.add(node.name)
        elif isinstance(node, tree.MethodCall):
            if node.target is None:
                found.calls.add(node.name)
        elif isinstance(node, tree.New):
            if node.target is None and len(node.type.parts) == 1:
                found.made.add(node.type.name)
        elif isinstance(node, _DECLARING):
            found.declared.add(node.name)
        elif node is member:
            continue
        elif isinstance(node, tree.FieldDeclaration):
            found.fields.update(declarator.name for declarator in node.declarators)
        elif isinstance(node, tree.MethodDeclaration):
            found.methods.add(node.name)
        found.declares_classes = found.declares_classes or isinstance(node, tree.ClassBody | tree.TypeDeclaration)
    return found


def _without_code(member: tree.Member) -> list[tree.Member]:
    """Return what stands for a member whose code is left out."""
    at = member.position
    if isinstance(member, tree.Initializer):
        return [tree.LeftOut(at, member.end, "static" if member.static else "instance", "")]
    if isinstance(member, tree.FieldDeclaration):
        for declarator in member.declarators:
            declarator.initializer = None
        return [
            member,
            tree.LeftOut(member.end, member.end, "static" if "static" in member.modifiers else "instance", ""),
        ]
    assert not isinstance(member, tree.TypeDeclaration | tree.LeftOut)
    assert isinstance(member.body, tree.Block)
    member.body = tree.LeftOut(member.body.position, member.body.end, "body", "")
    return [member]


def _has_code(member: tree.Member) -> bool:
    """Return whether a member is no abstract method and no field without an initialiser."""
    if isinstance(member, tree.FieldDeclaration):
        return any(part.initializer for part in member.declarators)
    return not (isinstance(member, tree.MethodDeclaration) and member.body is None)


def _initialises_instances(member: tree.Member) -> bool:
    if isinstance(member, tree.LeftOut):
        return member.kind == "instance"
    if isinstance(member, tree.Initializer):
        return not member.static
    if isinstance(member, tree.FieldDeclaration):
        return "static" not in member.modifiers and any(part.initializer for part in member.declarators)
    return False


def _is_incomplete_constructor(member: tree.Member) -> bool:
    """Return whether a member is a compact constructor, which is lowered before all others, without its body."""
    return isinstance(member, tree.CompactConstructorDeclaration) and isinstance(member.body, tree.LeftOut)


_DECLARING = (
    tree.VariableDeclarator,
    tree.Parameter,
    tree.TypePattern,
    tree.CatchParameter,
    tree.TypeDeclaration,
)
