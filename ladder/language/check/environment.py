"""Declarations → the names that clauses may use: types, relations, functors, lattices, with their Python objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

from ladder.language.check.lattice_declarations import declared_lattice
from ladder.language.check.types import PRIMITIVES, Types, like_type, resolve_types
from ladder.language.core import Column, Directive, Finding, Function, Kind, Place, Relation, Type
from ladder.language.errors import Errors, did_you_mean
from ladder.language.objects.bindings import Unresolved, resolve
from ladder.language.objects.untrusted import is_ours, stand_in_function, stand_in_lattice
from ladder.language.syntax import nodes as s
from ladder.language.values.arithmetic import NARROW, Domain
from ladder.support.counts import counted

Declared = TypeVar("Declared", s.RelationDeclaration, s.TypeDeclaration, s.FunctorDeclaration, s.LatticeDeclaration)
Functors = ModuleType | Mapping[str, Callable[..., Any]]


@dataclass
class Environment:
    """The declarations of a program; `bindings`: name of a function or lattice → "module:attribute", by which it is
    resolved again."""

    types: Types
    relations: dict[str, Relation] = field(default_factory=dict)
    functors: dict[str, Function] = field(default_factory=dict)
    lattices: dict[str, Any] = field(default_factory=dict)
    # lattices, and functors behind an @, whose code is not trusted
    not_run: dict[str, Place] = field(default_factory=dict)
    directives: list[Directive] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    bindings: dict[str, str] = field(default_factory=dict)
    unusable: set[str] = field(default_factory=set)  # functors whose declaration has an error
    unbound: set[str] = field(default_factory=set)  # functors without a Python function: they cannot be called
    eqrels: set[str] = field(default_factory=set)  # equivalence relations
    inlined: set[str] = field(default_factory=set)  # relations whose atoms are replaced by their rules
    # the lattices of a relation's last columns
    lattice_columns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    declarations: dict[str, s.RelationDeclaration] = field(default_factory=dict)
    legacy: bool = False  # heads take any value of their primitive type
    once: dict[tuple[str, str], Place] = field(default_factory=dict)  # directives that a relation has one of
    domain: Domain = NARROW
    # types with one value, whose columns are not stored → their branch (`ladder.language.normalise.unit_columns`)
    single_branches: dict[str, str] = field(default_factory=dict)


def declare(
    items: Sequence[s.Item],
    directory: Path,
    functors: Functors | None,
    errors: Errors,
    trust: bool = True,
    library: Mapping[str, str] = MappingProxyType({}),
) -> Environment:
    """The environment of a program; redefined names, unknown names and objects that cannot be resolved are added to
    `errors`.

    `library`: the files of Ladder that it includes, as places name them, and their texts. Python code that these texts
    name is trusted; a macro of the program may put other names there.
    """
    for item in items:
        if isinstance(item, s.Unsupported):
            errors.add(item.place, f"{item.what} is not supported", item.hint)
            errors.incomplete |= item.declares
    lattice_items = _once([i for i in items if isinstance(i, s.LatticeDeclaration)], "lattice", errors)
    type_items = _once([i for i in items if isinstance(i, s.TypeDeclaration)], "type", errors)
    for declaration in type_items:
        if declaration.name in PRIMITIVES:
            errors.add(declaration.place, f"the type {declaration.name} is declared twice", "it is a primitive type")
    declared = {declaration.name for declaration in type_items}
    not_run = (
        {}
        if trust
        else {
            f"{'@' * isinstance(i, s.FunctorDeclaration)}{i.name}": i.place
            for i in items
            if isinstance(i, s.FunctorDeclaration | s.LatticeDeclaration)
            and i.binding
            and not is_ours(i.binding, directory, i.binding in library.get(i.place.file, ""))
        }
    )
    lattices = {
        i.name: _lattice(i, i.binding, directory, errors, i.name not in not_run)
        for i in lattice_items
        if i.binding is not None
    }
    kinds = {
        name: Kind(getattr(lattice, "carrier", "object")) for name, lattice in lattices.items() if name not in declared
    }
    before = errors.noted
    environment = Environment(resolve_types(type_items, kinds, errors), lattices=lattices, not_run=not_run)
    environment.types.broken = errors.noted > before
    environment.bindings = {i.name: i.binding for i in lattice_items if i.binding is not None}
    for functor in _once([i for i in items if isinstance(i, s.FunctorDeclaration)], "functor", errors):
        _functor(functor, environment, directory, functors, errors)
    for item in lattice_items:
        if item.binding is None:
            environment.lattices[item.name] = declared_lattice(item, environment.types, environment.functors, errors)
    for relation in _once([i for i in items if isinstance(i, s.RelationDeclaration)], "relation", errors):
        declare_relation(relation, environment, errors)
    for item in items:
        if isinstance(item, s.DirectiveItem) and item.kind != s.FINDING:
            _directive(item, environment, errors)
        elif isinstance(item, s.Pragma) and item.key == "inline-exclude":
            environment.inlined -= set((item.value or "").replace(",", " ").split())
        elif isinstance(item, s.Pragma) and item.key == "legacy":
            environment.legacy = True
    return environment


def _once(declarations: Sequence[Declared], kind: str, errors: Errors) -> list[Declared]:
    """The first declaration of each name."""
    first: dict[str, Declared] = {}
    for declaration in declarations:
        if declaration.name in first:
            place = first[declaration.name].place
            errors.add(
                declaration.place,
                f"the {kind} {declaration.name} is declared twice",
                f"it is already declared in {place.file}:{place.line}:{place.column}",
            )
        else:
            first[declaration.name] = declaration
    return list(first.values())


def _lattice(item: s.LatticeDeclaration, binding: str, directory: Path, errors: Errors, trust: bool) -> Any:
    if not trust:
        return stand_in_lattice(binding, directory)
    try:
        lattice = resolve(binding, directory)
        if isinstance(lattice, type):
            lattice = lattice()
    except (Unresolved, TypeError) as problem:
        errors.add(item.place, f"the lattice {item.name} cannot be found: {problem}")
        return None
    if not callable(getattr(lattice, "join", None)):
        errors.add(item.place, f"{binding} is no lattice: it has no method join(a, b)", "see ladder.lattices.Lattice")
    return lattice


def _functor(
    item: s.FunctorDeclaration, environment: Environment, directory: Path, given: Functors | None, errors: Errors
) -> None:
    types = environment.types.types
    environment.unusable.add(item.name)
    for place, name in [(p.place, p.type) for p in item.parameters] + [(item.place, item.result)]:
        if name not in types:
            errors.add_undeclared(
                place, name, f"the type {name} in the functor {item.name} is not declared", like_type(name, types)
            )
            return
    call = _callable(item, environment, directory, given, errors)
    if call is not None and "@" + item.name not in environment.not_run and (moved := _moved_parameter(item, call)):
        errors.add(
            item.place,
            f"the parameter {moved} of the functor {item.name} stands elsewhere in its Python function: arguments go "
            "by position",
            "declare the parameters in the order of the function's",
        )
    if call is not None:
        arguments = tuple(types[p.type] for p in item.parameters)
        environment.unusable.discard(item.name)
        environment.functors[item.name] = Function(item.name, arguments, types[item.result], call, item.several)
    if item.binding is not None:
        environment.bindings["@" + item.name] = item.binding


def _moved_parameter(item: s.FunctorDeclaration, call: Any) -> str:
    """A parameter that the Python function has at another position; "" where there is none."""
    from inspect import signature

    try:
        theirs = [name if p.kind is p.POSITIONAL_OR_KEYWORD else "" for name, p in signature(call).parameters.items()]
    except (TypeError, ValueError):
        return ""  # of a built-in one without a signature
    ours = [parameter.name for parameter in item.parameters]
    return next((name for place, name in enumerate(ours) if name in theirs and theirs[place : place + 1] != [name]), "")


def _callable(
    item: s.FunctorDeclaration, environment: Environment, directory: Path, given: Functors | None, errors: Errors
) -> Any:
    """The Python function of a functor: passed by the caller, or named by its declaration."""
    if given is not None:
        found = given.get(item.name) if isinstance(given, Mapping) else getattr(given, item.name, None)
        if callable(found):
            environment.not_run.pop("@" + item.name, None)
            return found
    if "@" + item.name in environment.not_run:
        return stand_in_function(item.name)
    if item.binding is None:
        environment.unbound.add(item.name)
        return partial(_call_unbound, item.name)
    try:
        found = resolve(item.binding, directory)
    except Unresolved as problem:
        errors.add(item.place, f"the function of the functor {item.name} cannot be found: {problem}")
        return None
    if not callable(found):
        errors.add(item.place, f"{item.binding} is not a function")
        return None
    return found


def _call_unbound(name: str, *arguments: Any) -> Any:
    raise LookupError(f"the functor {name} has no function")


def declare_relation(item: s.RelationDeclaration, environment: Environment, errors: Errors) -> None:
    """Add a relation with its qualifiers, choices and lattice columns."""
    columns, seen = [], set[str]()
    types = environment.types.types
    for attribute in item.attributes:
        if attribute.type not in types:
            errors.add_undeclared(
                attribute.place,
                attribute.type,
                f"the type {attribute.type} is not declared",
                like_type(attribute.type, types),
            )
        if attribute.name in seen:
            errors.add(attribute.place, f"the relation {item.name} has two columns {attribute.name}")
        seen.add(attribute.name)
        columns.append(Column(attribute.name, types.get(attribute.type, Type(attribute.type, Kind.SYMBOL))))
    lattices = _lattice_columns(item, environment, errors)
    aggregate = lattices[0] if len(lattices) == 1 else None
    if lattices:
        environment.lattice_columns[item.name] = lattices
    environment.relations[item.name] = Relation(
        item.name, tuple(columns), aggregate, item.place, choice=_choice(item, errors)
    )
    environment.declarations[item.name] = item
    if "inline" in item.qualifiers and "no_inline" not in item.qualifiers:
        environment.inlined.add(item.name)
    if "eqrel" in item.qualifiers:
        environment.eqrels.add(item.name)
        _check_equivalence(item, errors)


def _lattice_columns(item: s.RelationDeclaration, environment: Environment, errors: Errors) -> tuple[str, ...]:
    """The lattices of the columns written `x: L<>`, which must follow all other columns."""
    found: list[str] = []
    for position, attribute in enumerate(item.attributes):
        if not attribute.lattice:
            continue
        if attribute.type not in environment.lattices:
            errors.add_undeclared(
                attribute.place,
                attribute.type,
                f"{attribute.type} is no lattice",
                did_you_mean(attribute.type, environment.lattices)
                or f'declare it: .lattice {attribute.type} = "module:attribute"',
            )
        elif not all(a.lattice for a in item.attributes[position:]):
            errors.add(
                attribute.place,
                f"the lattice column {attribute.name} stands before one without a lattice",
                "lattice columns are the last of their relation",
            )
        else:
            found.append(attribute.type)
    representation = next((q for q in item.qualifiers if q in ("eqrel", "brie", "btree_delete")), None)
    if found and representation is not None:
        errors.add(item.place, f"the relation {item.name} has lattice columns and cannot be {representation}")
    return tuple(found)


def _choice(item: s.RelationDeclaration, errors: Errors) -> tuple[tuple[int, ...], ...]:
    """The keys of choice domains as positions of columns."""
    positions = {a.name: p for p, a in enumerate(item.attributes)}
    keys = []
    for names in item.choices:
        unknown = [name for name in names if name not in positions]
        for name in unknown:
            errors.add(
                item.place,
                f"the choice domain of {item.name} names {name}, which is no column of it",
                did_you_mean(name, positions),
            )
        if not unknown:
            keys.append(tuple(positions[name] for name in names))
    return tuple(keys)


def _check_equivalence(item: s.RelationDeclaration, errors: Errors) -> None:
    if len(item.attributes) != 2:
        errors.add(
            item.place, f"the equivalence relation {item.name} has {counted(len(item.attributes), 'column')}, not 2"
        )
    elif item.attributes[0].type != item.attributes[1].type:
        errors.add(
            item.place,
            f"the columns of the equivalence relation {item.name} have different types: "
            f"{item.attributes[0].type} and {item.attributes[1].type}",
        )


def domain_of(items: Sequence[s.Item], errors: Errors) -> int:
    """How many bits numbers have: 64 with `.pragma "RamDomain" "64"`, else 32."""
    bits = 32
    for item in items:
        if isinstance(item, s.Pragma) and item.key == "RamDomain":
            if item.value not in ("32", "64"):
                errors.add(item.place, f"numbers have 32 or 64 bits, not {item.value}")
            else:
                bits = int(item.value)
    return bits


def _directive(item: s.DirectiveItem, environment: Environment, errors: Errors) -> None:
    relation = environment.relations.get(item.relation)
    if relation is None:
        errors.add_undeclared(
            item.place,
            item.relation,
            f"the relation {item.relation} of .{item.kind} is not declared",
            did_you_mean(item.relation, environment.relations),
        )
        return
    if item.kind in ("printsize", "limitsize"):
        earlier = environment.once.setdefault((item.kind, item.relation), item.place)
        if earlier is not item.place:
            errors.add(
                item.place,
                f".{item.kind} {item.relation} is given twice",
                f"it is already given in {earlier.file}:{earlier.line}:{earlier.column}",
            )
            return
    parameters = {key.lower(): value for key, value in item.parameters}
    if item.kind == "limitsize":
        limit = parameters.get("n", "")
        if not limit.isdecimal():
            errors.add(
                item.place,
                f".limitsize {item.relation} has no number of rows",
                f"write .limitsize {item.relation}(n=1000)",
            )
            return
        environment.relations[item.relation] = replace(relation, limit=int(limit))
        return
    directive = Directive(item.kind, item.relation, parameters, item.place)
    if directive not in environment.directives:
        environment.directives.append(directive)
