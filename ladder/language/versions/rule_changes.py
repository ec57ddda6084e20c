"""Comparison of two versions of a program: which rules are the same, and names of helper relations that stay the same.

    rule_key(rule, types)          the same for rules that differ in the names of variables only
    cell_signature(type_, types)   the same for types whose values have the same cells
    aligned(new, old)              `new` with the helper relations that `old` has, too, under the names they have there

Helper relations (`path$count1`, `r$if2`, …) are numbered in textual order. When an earlier clause is added or removed,
the numbers change, so helper relations are identified by their rules.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from ladder.language.core import (
    Atom,
    Compute,
    Const,
    Fields,
    Generate,
    Literal,
    Not,
    Program,
    Relation,
    Rule,
    Subsumption,
    Type,
    Var,
)
from ladder.language.roles import Part, unused

Key = Hashable


def cell_signature(type_: Type, types: Mapping[str, Type], inside: tuple[str, ...] = ()) -> Key:
    """What the representation of a type's values in cells depends on: its kind and, for records, the types of their
    fields."""
    if type_.name in inside:
        return type_.kind.value, type_.name
    within = (*inside, type_.name)

    def signatures(declared: tuple[tuple[str, str], ...]) -> Key:
        return tuple(cell_signature(types[name], types, within) if name in types else name for _, name in declared)

    branches = tuple((name, signatures(declared)) for name, declared in type_.branches)
    wide = type_.wide.value if type_.wide else None
    named = type_.name if type_.kind.value == "object" else None
    return type_.kind.value, wide, named, signatures(type_.fields), branches


def same_cells(name: str, old: Program, new: Program) -> bool:
    """Whether the columns of a relation of two programs have the same cells in both."""
    one, other = (
        [cell_signature(column.type, program.types) for column in program.relations[name].columns]
        for program in (old, new)
    )
    return one == other


def names_moved(old: Fields, new: Fields, old_types: Mapping[str, Type], new_types: Mapping[str, Type]) -> str:
    """A name of a column, or of a field of a record in one, that is at another position than before; "" where there is
    none.

    If all names differ, the columns count as renamed.
    """
    met, waiting = set(), [(old, new)]
    while waiting:
        before, after = waiting.pop()
        places = {name: place for place, (name, _) in enumerate(before)}
        if moved := next((name for place, (name, _) in enumerate(after) if places.get(name, place) != place), ""):
            return moved
        for (_, one), (_, other) in zip(before, after, strict=False):
            if (one, other) in met or one not in old_types or other not in new_types:
                continue
            met.add((one, other))
            forms = [(t.fields, *(fields for _, fields in t.branches)) for t in (old_types[one], new_types[other])]
            waiting += zip(*forms, strict=False)
    return ""


def rule_key(rule: Rule | Subsumption, types: Mapping[str, Type], names: Mapping[str, Key] | None = None) -> Key:
    """A key for the content of a rule, in which variables are numbered in the order in which they appear.

    `names`: relation → key that stands for its name.
    """
    return _Keys(types, names or {}).key(rule)


class _Keys:
    """Makes the key of one rule."""

    def __init__(self, types: Mapping[str, Type], names: Mapping[str, Key]) -> None:
        self.types, self.names = types, names
        self.numbers: dict[Var, int] = {}

    def key(self, rule: Rule | Subsumption) -> Key:
        heads = (rule.head,) if isinstance(rule, Rule) else (rule.dominated, rule.dominating)
        return tuple(self._literal(literal) for literal in (*heads, *rule.body))

    def _literal(self, literal: Literal) -> Key:
        if isinstance(literal, Not):
            return "not", self._literal(literal.atom)
        if isinstance(literal, Atom):
            return "atom", self.names.get(literal.relation, literal.relation), tuple(map(self._part, literal.terms))
        return (type(literal).__name__, *(self._part(getattr(literal, f.name)) for f in fields(literal)))

    def _part(self, part: Any) -> Key:
        match part:
            case Var():
                return "variable", self.numbers.setdefault(part, len(self.numbers))
            case Const(value, type_):
                shown = repr(value) if isinstance(value, float) else value
                return "constant", type(value).__name__, shown, cell_signature(type_, self.types)
            case Type():
                return part.name, cell_signature(part, self.types)
            case tuple():
                return tuple(map(self._part, part))
        known: Key = part
        return known


def aligned(new: Program, old: Program) -> Program:
    """The new program, in which helper relations that are also in the old one have the same names as there."""
    parts = helper_parts(new, old)
    return renamed(new, parts) if any(name != part.name for name, part in parts.items()) else new


def helper_parts(new: Program, old: Program) -> dict[str, Part]:
    """Numbered helper relation of the new program → its part: that of the helper relation of the old program with the
    same rules, if there is one."""
    ours, theirs = _contents(new), _contents(old)
    free: dict[tuple[Part, Key], list[Part]] = {}
    for name, content in theirs.items():
        part = _part(old, name)
        free.setdefault((part.kind, content), []).append(part)
    parts, taken = dict[str, Part](), set(old.relations) | {name for name in new.relations if name not in ours}
    for name, content in ours.items():
        if same := free.get((_part(new, name).kind, content)):
            parts[name] = same.pop(0)
    left: dict[Part, list[Part]] = {}
    for (kind, _), rest in free.items():
        left.setdefault(kind, []).extend(rest)
    for name in ours:
        if name not in parts:
            kind = _part(new, name).kind
            # A helper whose rules were edited takes the place of one that is gone: then they differ in those rules.
            alike = [other for other in left.get(kind, ()) if _columns(new, name) == _columns(old, other.name)]
            if alike:
                left[kind].remove(alike[0])
            parts[name] = alike[0] if alike else unused(kind, taken)
            taken.add(parts[name].name)
    return parts


def renamed(program: Program, parts: Mapping[str, Part]) -> Program:
    """The program with other parts, and so other names, for some helper relations."""
    names = {name: part.name for name, part in parts.items()}

    def of(name: str) -> str:
        return names.get(name, name)

    def atom(a: Atom) -> Atom:
        return replace(a, relation=of(a.relation)) if a.relation in names else a

    def literal(part: Literal) -> Literal:
        return atom(part) if isinstance(part, Atom) else Not(atom(part.atom)) if isinstance(part, Not) else part

    def body(literals: tuple[Literal, ...]) -> tuple[Literal, ...]:
        return tuple(map(literal, literals))

    def relation(r: Relation) -> Relation:
        return replace(
            r, name=of(r.name), facts=None if r.facts is None else of(r.facts), part=parts.get(r.name, r.part)
        )

    return replace(
        program,
        relations={of(name): relation(r) for name, r in program.relations.items()},
        rules=tuple(replace(r, head=atom(r.head), body=body(r.body)) for r in program.rules),
        facts={of(name): rows for name, rows in program.facts.items()},
        subsumptions=tuple(
            replace(s, dominated=atom(s.dominated), dominating=atom(s.dominating), body=body(s.body))
            for s in program.subsumptions
        ),
    )


def with_objects_of(new: Program, old: Program, other: Collection[str]) -> Program:
    """The new program with the Python functions and lattices of the old one, except for those that have changed (see
    `identity`).

    Stored values were made by these objects, and another instance of the same lattice might not accept them.
    """
    functions = {
        name: replace(f, call=old.functions[name].call) if name in old.functions and name not in other else f
        for name, f in new.functions.items()
    }
    lattices = {
        name: old.lattices[name] if name in old.lattices and f"lattice {name}" not in other else lattice
        for name, lattice in new.lattices.items()
    }
    return replace(new, functions=functions, lattices=lattices)


def _part(program: Program, name: str) -> Part:
    part = program.relations[name].part
    assert part is not None
    return part


def _columns(program: Program, name: str) -> Key:
    relation = program.relations[name]
    return (
        relation.aggregate,
        *(tuple(cell_signature(c.type, program.types) for c in part) for part in (relation.columns, relation.keys)),
    )


def _contents(program: Program) -> dict[str, Key]:
    """Numbered helper relation → key of its rules, in which keys of other helper relations stand for their names."""
    helpers = [
        name for name, r in program.relations.items() if r.part is not None and r.part.numbered and r.facts is None
    ]
    rules: dict[str, list[Rule]] = {name: [] for name in helpers}
    for rule in program.rules:
        if rule.head.relation in rules:
            rules[rule.head.relation].append(rule)
    found: dict[str, Key] = {}
    for name in helpers:
        _enter_content(program, name, rules, found)
    return {name: found[name] for name in helpers}


def _enter_content(program: Program, name: str, rules: Mapping[str, list[Rule]], found: dict[str, Key]) -> None:
    """Enter the key of a helper relation in `found`, after those that its rules read; in its own rules it is
    represented by its kind."""
    waiting = [name]
    open_: set[str] = set()
    while waiting:
        current = waiting[-1]
        if current in found:
            waiting.pop()
            continue
        missing = (
            []
            if current in open_
            else [r for rule in rules[current] for r in _read(rule) if r in rules and r not in found and r not in open_]
        )
        open_.add(current)
        if missing:
            waiting += missing
            continue
        names: dict[str, Key] = {
            other: found.get(other, ("open", _part(program, other).kind))
            for rule in rules[current]
            for other in (*_read(rule), current)
            if other in rules
        }
        found[current] = (
            _columns(program, current),
            tuple(sorted((rule_key(rule, program.types, names) for rule in rules[current]), key=repr)),
        )
        waiting.pop()


def _read(rule: Rule) -> Iterator[str]:
    for literal in rule.body:
        atom = literal.atom if isinstance(literal, Not) else literal
        if isinstance(atom, Atom):
            yield atom.relation


def functions_of(rule: Rule | Subsumption) -> set[str]:
    """Names of the functions that a rule calls."""
    return {literal.function for literal in rule.body if isinstance(literal, Compute | Generate)}
