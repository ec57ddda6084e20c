"""Disjoint unions of programs, so that one run of an engine checks many of them.

    program = union([a, b, c], glued=True)
    states = split(state_of(program, unite([facts_of_a, facts_of_b, facts_of_c])), 3)

Relations, types, functions and lattices of the i-th program get the prefix `u{i}_`. *Glued*, components at the same
height of different programs become one, by rules that never fire: what is evaluated in as many rounds as the highest of
the programs has components still has the state of each program, first and count included, because rows of other
components count as iteration 0 wherever they are read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from ladder.engine.reference import evaluate as naive
from ladder.language.core import (
    Atom,
    Column,
    Compute,
    Const,
    Generate,
    Kind,
    Program,
    Relation,
    Rule,
    Term,
    Type,
    Var,
    dependencies,
    ordered_relations,
    verify,
)

from ..engine.programs import Rows

_NUMBER = Type("number", Kind.NUMBER)
_PREFIX = re.compile(r"u(\d+)_(.*)", re.DOTALL)
_BUILT_IN_JOINS = ("min", "max", "sum")


def union(programs: Sequence[Program], glued: bool = False) -> Program:
    """A program whose relations are those of all these programs, each under a name of its own."""
    renamed = [_Renaming(program, f"u{number}_").program() for number, program in enumerate(programs)]
    united = Program(
        {name: relation for program in renamed for name, relation in program.relations.items()},
        tuple(rule for program in renamed for rule in program.rules),
        {name: function for program in renamed for name, function in program.functions.items()},
        {name: lattice for program in renamed for name, lattice in program.lattices.items()},
        {name: rows for program in renamed for name, rows in program.facts.items()},
        (),
        {name: type_ for program in renamed for name, type_ in program.types.items()},
        tuple(subsumption for program in renamed for subsumption in program.subsumptions),
    )
    return verify(_glued(united) if glued else united)


def unite(facts: Sequence[Mapping[str, Any]]) -> Rows:
    """The facts of a union from those of its programs."""
    return {f"u{number}_{name}": rows for number, given in enumerate(facts) for name, rows in given.items()}


def split(state: naive.State, count: int) -> list[naive.State]:
    """The states of the programs of a union of so many."""
    found = [naive.State() for _ in range(count)]
    for part in fields(naive.State):
        for name, rows in getattr(state, part.name).items():
            if match := _PREFIX.fullmatch(name):
                getattr(found[int(match[1])], part.name)[match[2]] = rows
    return found


class _Renaming:
    """One program under a prefix."""

    def __init__(self, source: Program, prefix: str) -> None:
        self.source, self.prefix = source, prefix
        self.types = {name for name, type_ in source.types.items() if name != type_.kind.value}

    def program(self) -> Program:
        source = self.source
        return Program(
            {self.prefix + name: self.relation(relation) for name, relation in source.relations.items()},
            tuple(map(self.inside, source.rules)),
            {
                self.prefix + name: replace(
                    function,
                    name=self.prefix + name,
                    arguments=tuple(map(self.type, function.arguments)),
                    result=self.type(function.result),
                )
                for name, function in source.functions.items()
            },
            {self.prefix + name: lattice for name, lattice in source.lattices.items()},
            {self.prefix + name: rows for name, rows in source.facts.items()},
            (),
            {self.type_name(name): self.type(type_) for name, type_ in source.types.items()},
            tuple(map(self.inside, source.subsumptions)),
        )

    def relation(self, relation: Relation) -> Relation:
        joined = relation.aggregate in (None, *_BUILT_IN_JOINS)
        return replace(
            self.inside(relation),
            name=self.prefix + relation.name,
            aggregate=relation.aggregate if joined else f"{self.prefix}{relation.aggregate}",
            facts=None if relation.facts is None else self.prefix + relation.facts,
            part=None if relation.part is None else replace(relation.part, of=self.prefix + relation.part.of),
        )

    def type_name(self, name: str) -> str:
        return self.prefix + name if name in self.types else name

    def type(self, type_: Type) -> Type:
        def of_fields(found: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
            return tuple((name, self.type_name(of)) for name, of in found)

        return replace(
            type_,
            name=self.type_name(type_.name),
            fields=of_fields(type_.fields),
            branches=tuple((name, of_fields(found)) for name, found in type_.branches),
        )

    def inside(self, node: Any) -> Any:
        """A node of a core program with all names in it changed."""
        if isinstance(node, Type):
            return self.type(node)
        if isinstance(node, Const):
            return replace(node, type=self.type(node.type))
        if isinstance(node, tuple):
            return tuple(map(self.inside, node))
        if not is_dataclass(node) or isinstance(node, type):
            return node
        changed = {field.name: self.inside(getattr(node, field.name)) for field in fields(node)}
        if isinstance(node, Atom):
            changed["relation"] = self.prefix + node.relation
        if isinstance(node, Compute | Generate) and node.function in self.source.functions:
            changed["function"] = self.prefix + node.function
        return replace(node, **changed)


def _glued(program: Program) -> Program:
    """Components of the same height made one by rules with an empty relation in their bodies."""
    heights = _heights(program)
    never = Relation("never", (Column("x", _NUMBER),))
    relations, rules = {**program.relations, never.name: never}, list(program.rules)
    nothing = Atom(never.name, (Const(0, _NUMBER),))
    for height in sorted(set(heights.values())):
        glue = Relation(f"glue{height}", (Column("x", _NUMBER),))
        relations[glue.name] = glue
        atom = Atom(glue.name, (Const(height, _NUMBER),))
        for members in (members for members, at in heights.items() if at == height):
            relation = program.relations[min(members)]
            own = tuple(Var(f"x{i}") for i in range(relation.arity))
            keys: tuple[Term, ...] = tuple(Const(0, _NUMBER) for _ in relation.keys)
            head = (*own[:-1], *keys, own[-1]) if relation.keys else own
            rules += [
                Rule(atom, (nothing, Atom(relation.name, own))),
                Rule(Atom(relation.name, head), (nothing, atom, Atom(relation.name, own))),
            ]
    return replace(program, relations=relations, rules=tuple(rules))


def _heights(program: Program) -> dict[frozenset[str], int]:
    """Component → number of components on the longest way down from it; without ordered ones, and what has no rules."""
    below: dict[str, set[str]] = {name: set() for name in program.relations}
    for read, derived in dependencies(program):
        below[derived].add(read)
    ordered, derived = ordered_relations(program), {rule.head.relation for rule in program.rules}
    heights: dict[str, int] = {}
    found = {}
    for members in naive.components(program):
        height = 1 + max((heights[name] for member in members for name in below[member] if name in heights), default=-1)
        heights.update(dict.fromkeys(members, height))
        if members & derived and not members & ordered:
            found[frozenset(members)] = height
    return found
