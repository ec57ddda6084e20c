"""Lowering of names of variables, fields and arrays: loads and stores of everything but local variables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ladder.frontends.java import ir, tree
from ladder.frontends.java.lower.body import BodyBuilder
from ladder.frontends.java.lower.context import KnownField, TypeContext
from ladder.frontends.java.lower.dispatch import Contexts, Target, destination, lowers_expression, operands, value
from ladder.frontends.java.lower.texts import cut


class Load(Protocol):
    """Emits the load of a place; returns the variable that holds its value."""

    def __call__(self, target: Target | None, part: str | None = None) -> str: ...


@dataclass(frozen=True, slots=True)
class Place:
    """Something that can be assigned and is not a local variable: how to load it and to store into it.

    `load(target, part)` emits the load, named after the subject or the `part` of it that it loads; `store(id, source)`
    emits the store. `type` is the declared type, if the file shows it.
    `held` are the operands that load and store use: base and index.
    """

    position: ir.Position
    load: Load
    store: Callable[[str, str], None]
    held: list[ir.Operand]
    type: ir.Use | None = None


@lowers_expression(tree.Name)
def lower_name(b: BodyBuilder, node: tree.Name, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `a.b.c`: a local variable or field and members of it, or a chain of names that linking resolves."""
    found = b.resolve(node.parts[0])
    if isinstance(found, str) and len(node.parts) == 1:
        return found
    return _name_place(b, node, found).load(target)


@lowers_expression(tree.FieldAccess)
def lower_field_access(b: BodyBuilder, node: tree.FieldAccess, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `target.name`."""
    return field_place(b, node).load(target)


@lowers_expression(tree.ArrayAccess)
def lower_array_access(b: BodyBuilder, node: tree.ArrayAccess, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `array[index]`."""
    return array_place(b, node).load(target)


@lowers_expression(tree.This)
def lower_this(b: BodyBuilder, node: tree.This, target: Target | None, contexts: Contexts) -> ir.Operand:
    """Lower `this` or `Outer.this`."""
    return this_variable(b, node.qualifier)


def this_variable(b: BodyBuilder, qualifier: tree.Name | None) -> str:
    """Return the variable of `this`, or of the enclosing instance whose class has the last name of the qualifier."""
    context = b.type if qualifier is None else enclosing_named(b, qualifier) or b.type
    # Without an instance (an error in the program) a variable that nothing assigns stands for it.
    return b.instance(context) or b.temporary()


def enclosing_named(b: BodyBuilder, qualifier: tree.Name) -> TypeContext | None:
    """Return the innermost lexically enclosing type whose simple name is the last name of the qualifier."""
    return next((context for context in b.type.chain() if context.name == qualifier.parts[-1]), None)


def place(b: BodyBuilder, node: tree.Expression) -> Place | str:
    """Lower the left side of an assignment to a local variable's id, or to a place whose operands are evaluated."""
    if isinstance(node, tree.Name):
        found = b.resolve(node.parts[0])
        return found if isinstance(found, str) and len(node.parts) == 1 else _name_place(b, node, found)
    if isinstance(node, tree.FieldAccess):
        return field_place(b, node)
    if isinstance(node, tree.ArrayAccess):
        return array_place(b, node)
    return value(b, node)


def name_value(b: BodyBuilder, node: tree.Name) -> tuple[str, ir.Use | None]:
    """Lower a dotted name before a member; return its value, and its use as a type if it may be a type."""
    found = b.resolve(node.parts[0])
    if isinstance(found, str) and len(node.parts) == 1:
        return found, None
    around, b.subject = b.subject, (node, None, b.subject[0])
    base = _name_place(b, node, found).load(None)
    b.subject = around
    return base, None if found is not None else b.file.uses.named(b.scope, node.parts, node.positions[0])


def field_place(b: BodyBuilder, node: tree.FieldAccess) -> Place:
    """Return the place `target.name`."""
    if isinstance(node.target, tree.Super):
        return _member_place(b, this_variable(b, None), node.name, node.name_position, of_super=True)
    known = (
        b.type.fields.get(node.name) if isinstance(node.target, tree.This) and node.target.qualifier is None else None
    )
    base = value(b, node.target)
    if known is not None:
        return _known_place(b, None if known.static else base, known, node.name_position)
    return _member_place(b, base, node.name, node.name_position)


def array_place(b: BodyBuilder, node: tree.ArrayAccess) -> Place:
    """Return the place `array[index]`."""
    base, index = operands(b, [node.array, node.index])
    # A literal as an array is an error in the program; a variable that nothing assigns stands for it.
    return element_place(b, base if isinstance(base, str) else b.temporary(), index, node.position)


def element_place(b: BodyBuilder, base: str, index: ir.Operand, position: ir.Position) -> Place:
    """Return the place of an element of an array in a variable."""
    held: list[ir.Operand] = [base, index]

    def load(target: Target | None, part: str | None = None) -> str:
        to, at = destination(b, target, position, part=part)
        b.emit(ir.LoadArray(b.new_id("load", at, part=part), to, str(held[0]), held[1]))
        return to

    return Place(position, load, lambda id, source: b.emit(ir.StoreArray(id, str(held[0]), held[1], source)), held)


def _name_place(b: BodyBuilder, node: tree.Name, found: str | tuple[TypeContext, KnownField] | None) -> Place:
    if found is None:
        return _unknown_place(b, node)
    if isinstance(found, str):
        current: Place | str = found
    else:
        current = known_field_place(b, *found, node.positions[0])
    what = node.parts[0]
    for part, position in zip(node.parts[1:], node.positions[1:]):
        base = current if isinstance(current, str) else current.load(None, what)
        current = _member_place(b, base, part, position)
        what = cut(f"{what}.{part}")
    assert isinstance(current, Place)
    return current


def known_field_place(b: BodyBuilder, context: TypeContext, known: KnownField, position: ir.Position) -> Place:
    """Return the place of a field of a lexically enclosing type."""
    base = None if known.static else b.instance(context) or b.temporary()
    return _known_place(b, base, known, position)


def _known_place(b: BodyBuilder, base: str | None, known: KnownField, position: ir.Position) -> Place:
    held: list[ir.Operand] = [] if base is None else [base]

    def object() -> str | None:
        return str(held[0]) if held else None

    def load(target: Target | None, part: str | None = None) -> str:
        to, at = destination(b, target, position, part=part)
        b.emit(ir.LoadField(b.new_id("load", at, part=part), to, object(), known.id))
        return to

    def store(id: str, source: str) -> None:
        b.emit(ir.StoreField(id, object(), known.id, source))

    return Place(position, load, store, held, known.type)


def _member_place(b: BodyBuilder, base: str, name: str, position: ir.Position, of_super: bool = False) -> Place:
    held: list[ir.Operand] = [base]

    def load(target: Target | None, part: str | None = None) -> str:
        to, at = destination(b, target, position, part=part)
        b.emit(ir.LoadMember(b.new_id("load", at, part=part), to, str(held[0]), name, of_super))
        return to

    def store(id: str, source: str) -> None:
        b.emit(ir.StoreMember(id, str(held[0]), name, source, of_super))

    return Place(position, load, store, held)


def _unknown_place(b: BodyBuilder, node: tree.Name) -> Place:
    """Return the place of a name that may be an inherited or imported field, or may begin with a type or package; each
    part of the name is loaded by one instruction."""
    b.all_instances()
    base: str | None = None
    use: ir.Use | None = None
    uses = b.file.uses
    what = ""
    for part, position in zip(node.parts[:-1], node.positions):
        what = cut(f"{what}.{part}" if what else part)
        step = b.temporary(part=what)
        b.emit(ir.LoadName(b.new_id("load", position, part=what), step, base, use, part))
        base = step
        if use is None:
            use = uses.named(b.scope, (part,), node.positions[0])
        else:
            use = uses.member(b.scope, use, part, node.positions[0])
    return _unknown_step(b, base, use, node.parts[-1], node.positions[-1])


def _unknown_step(b: BodyBuilder, base: str | None, use: ir.Use | None, name: str, position: ir.Position) -> Place:
    def load(target: Target | None, part: str | None = None) -> str:
        to, at = destination(b, target, position, part=part)
        b.emit(ir.LoadName(b.new_id("load", at, part=part), to, base, use, name))
        return to

    return Place(position, load, lambda id, source: b.emit(ir.StoreName(id, base, use, name, source)), [])
