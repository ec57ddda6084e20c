"""Declarations → the names that clauses may use: types, relations, functors, lattices, with their Python objects."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from ladder.language import syntax as s
from ladder.language.bindings import Unresolved, resolve
from ladder.language.core import Column, Directive, Function, Kind, Relation
from ladder.language.errors import Errors, did_you_mean
from ladder.language.types import NUMERIC, Types, resolve_types

Declared = TypeVar("Declared", s.RelationDeclaration, s.TypeDeclaration, s.FunctorDeclaration, s.LatticeDeclaration)
Functors = ModuleType | Mapping[str, Callable[..., Any]]


@dataclass
class Environment:
    """What a program declares; `bindings` says where functions and lattices came from, for finding them again."""

    types: Types
    relations: dict[str, Relation] = field(default_factory=dict)
    functors: dict[str, Function] = field(default_factory=dict)
    lattices: dict[str, Any] = field(default_factory=dict)
    directives: list[Directive] = field(default_factory=list)
    bindings: dict[str, str] = field(default_factory=dict)
    unusable: set[str] = field(default_factory=set)     # functors whose declaration has an error


def declare(items: Sequence[s.Item], directory: Path, functors: Functors | None, errors: Errors) -> Environment:
    """The environment of a program; redefined and unknown names and objects that cannot be found are errors."""
    for item in items:
        if isinstance(item, s.Unsupported):
            errors.add(item.place, f"{item.what} is not supported", item.mend)
            errors.incomplete |= item.declares
    lattice_items = _once([i for i in items if isinstance(i, s.LatticeDeclaration)], "lattice", errors)
    lattices = {i.name: _lattice(i, directory, errors) for i in lattice_items}
    type_items = _once([i for i in items if isinstance(i, s.TypeDeclaration)], "type", errors)
    kinds = {name: Kind(getattr(lattice, "carrier", "object")) for name, lattice in lattices.items()}
    for declaration in type_items:
        if declaration.name in kinds or declaration.name in (*NUMERIC, "symbol"):
            errors.add(declaration.place, f"the type {declaration.name} is declared twice")
    environment = Environment(resolve_types(type_items, kinds, errors), lattices=lattices)
    environment.bindings = {i.name: i.binding for i in lattice_items}
    for functor in _once([i for i in items if isinstance(i, s.FunctorDeclaration)], "functor", errors):
        _functor(functor, environment, directory, functors, errors)
    for relation in _once([i for i in items if isinstance(i, s.RelationDeclaration)], "relation", errors):
        _relation(relation, environment, errors)
    for item in items:
        if isinstance(item, s.DirectiveItem):
            _directive(item, environment, errors)
    return environment


def _once(declarations: Sequence[Declared], kind: str, errors: Errors) -> list[Declared]:
    """The first declaration of each name."""
    first: dict[str, Declared] = {}
    for declaration in declarations:
        if declaration.name in first:
            place = first[declaration.name].place
            errors.add(declaration.place, f"the {kind} {declaration.name} is declared twice",
                       f"it is already declared in {place.file}:{place.line}:{place.column}")
        else:
            first[declaration.name] = declaration
    return list(first.values())


def _lattice(item: s.LatticeDeclaration, directory: Path, errors: Errors) -> Any:
    try:
        lattice = resolve(item.binding, directory)
        if isinstance(lattice, type):
            lattice = lattice()
    except (Unresolved, TypeError) as problem:
        errors.add(item.place, f"the lattice {item.name} cannot be found: {problem}")
        return None
    if not callable(getattr(lattice, "join", None)):
        errors.add(item.place, f"{item.binding} is no lattice: it has no method join(a, b)",
                   "see ladder.lattices.Lattice")
    return lattice


def _functor(item: s.FunctorDeclaration, environment: Environment, directory: Path, given: Functors | None,
             errors: Errors) -> None:
    types = environment.types.types
    environment.unusable.add(item.name)
    for place, name in [(p.place, p.type) for p in item.parameters] + [(item.place, item.result)]:
        if name not in types:
            errors.add_undeclared(place, name, f"the type {name} in the functor {item.name} is not declared",
                                  did_you_mean(name, types))
            return
    call = _callable(item, directory, given, errors)
    if call is not None:
        arguments = tuple(types[p.type] for p in item.parameters)
        environment.unusable.discard(item.name)
        environment.functors[item.name] = Function(item.name, arguments, types[item.result], call, item.several)
    if item.binding is not None:
        environment.bindings["@" + item.name] = item.binding


def _callable(item: s.FunctorDeclaration, directory: Path, given: Functors | None, errors: Errors) -> Any:
    """The Python function of a functor: given by the caller, or the one its declaration names."""
    if given is not None:
        found = given.get(item.name) if isinstance(given, Mapping) else getattr(given, item.name, None)
        if callable(found):
            return found
    if item.binding is None:
        errors.add(item.place, f"the functor {item.name} has no function",
                   f'write = "module:function" after its declaration, or give a module that has {item.name}')
        return None
    try:
        found = resolve(item.binding, directory)
    except Unresolved as problem:
        errors.add(item.place, f"the function of the functor {item.name} cannot be found: {problem}")
        return None
    if not callable(found):
        errors.add(item.place, f"{item.binding} is not a function")
        return None
    return found


def _relation(item: s.RelationDeclaration, environment: Environment, errors: Errors) -> None:
    if "eqrel" in item.qualifiers:
        errors.add(item.place, f"the relation {item.name}: equivalence relations (eqrel) are not supported",
                   "write its rules: symmetric and transitive")
    columns, seen = [], set[str]()
    types = environment.types.types
    for attribute in item.attributes:
        if attribute.type not in types:
            errors.add_undeclared(attribute.place, attribute.type, f"the type {attribute.type} is not declared",
                                  did_you_mean(attribute.type, types))
        if attribute.name in seen:
            errors.add(attribute.place, f"the relation {item.name} has two columns {attribute.name}")
        seen.add(attribute.name)
        columns.append(Column(attribute.name, types.get(attribute.type, types["symbol"])))
    aggregate = None
    for position, attribute in enumerate(item.attributes):
        if not attribute.lattice:
            continue
        if attribute.type not in environment.lattices:
            errors.add_undeclared(attribute.place, attribute.type, f"{attribute.type} is no lattice",
                                  f'declare it: .lattice {attribute.type} = "module:attribute"')
        elif position != len(item.attributes) - 1:
            errors.add(attribute.place, f"the lattice column {attribute.name} must be the last of its relation")
        else:
            aggregate = attribute.type
    environment.relations[item.name] = Relation(item.name, tuple(columns), aggregate, item.place)


def _directive(item: s.DirectiveItem, environment: Environment, errors: Errors) -> None:
    if item.relation not in environment.relations:
        errors.add_undeclared(item.place, item.relation,
                              f"the relation {item.relation} of .{item.kind} is not declared",
                              did_you_mean(item.relation, environment.relations))
    if item.kind == "limitsize":
        errors.add(item.place, ".limitsize is not supported", "its result would depend on the order of evaluation")
    parameters = {key.lower(): value for key, value in item.parameters}
    directive = Directive(item.kind, item.relation, parameters, item.place)
    if directive not in environment.directives:
        environment.directives.append(directive)
