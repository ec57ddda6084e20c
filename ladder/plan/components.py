"""Components: the program cut into strongly connected parts, in topological order, with aggregated relations taken
apart.

An aggregated relation R becomes

    R$facts    its facts (they are aggregate inputs like any other); a relation with keys has none
    R$in       the aggregate inputs: what rules derive, and R$in(x) :- R$facts(x); with the keys before the value
               (LADDDER calls these rows the elements of the collecting relation)
    R$all      every total, at the iteration at which it appears: what rules of R's own component read
    R          the final total of each group: what all other rules read

An ordered relation R, whose rows are derived without plans (see `ladder.engine.ordered.components`), becomes R$facts
and R.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from ladder.language.core import (
    Atom,
    Column,
    Compute,
    Const,
    Generate,
    Kind,
    Literal,
    Not,
    Program,
    Relation,
    Rule,
    Term,
    Type,
    Var,
    dependencies,
    helper,
    ordered_relations,
)
from ladder.language.limits import LIMITS
from ladder.language.roles import Part, Role, records_part
from ladder.plan.equalities import propagate_equalities
from ladder.support.graphs import components_in_order, successors_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Cell = TypeVar("Cell", bound="np.generic")
_OF_ALL = (Part(Role.UNIT), Part(Role.SWITCH, word="added"), Part(Role.SWITCH, word="removed"))
# a relation of one row, from which rules without positive atoms start; switches of rules that come and go (see
# `differences`), empty otherwise
UNIT, ADDED, REMOVED = (part.name for part in _OF_ALL)
FILLER = Column("$filler", Type("number", Kind.NUMBER))


@dataclass(frozen=True)
class Aggregate:
    """The relations that an aggregated relation becomes, and the name of its join.

    `keyed`: the relation has keys, so that several aggregate inputs of a group may have the same value.
    """

    name: str
    join: str
    keyed: bool = False

    @property
    def facts(self) -> str:
        return facts_of(self.name)

    @property
    def inputs(self) -> str:
        return Part(Role.AGGREGATE_INPUTS, self.name).name

    @property
    def totals(self) -> str:
        return Part(Role.TOTALS, self.name).name


@dataclass(frozen=True)
class Component:
    """Relations that depend on each other, their rules, and `inputs`: the relations of earlier components that the
    rules read.

    `ordered`: the relations of an ordered component, whose rules have no plans and are not among `rules`.
    """

    relations: tuple[Relation, ...]
    rules: tuple[Rule, ...] = ()
    aggregates: tuple[Aggregate, ...] = ()
    inputs: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(relation.name for relation in self.relations)

    def __str__(self) -> str:
        lines = [f"component {', '.join(r.name for r in self.relations)}"]
        return "\n  ".join((*lines, *map(str, self.rules)))


@dataclass(frozen=True)
class Expanded:
    """Components in topological order; `aggregates`: aggregated relations by name; `relations`: all of them, in order.

    `ordered`: relations of ordered components; none of them is among the aggregates.
    """

    components: tuple[Component, ...]
    aggregates: dict[str, Aggregate]
    relations: dict[str, Relation]
    ordered: frozenset[str]
    order: tuple[tuple[str, ...], ...]  # of the program's own relations

    @cached_property
    def aggregated(self) -> frozenset[str]:
        """The relations that aggregated relations become, except for those of facts."""
        return frozenset(name for a in self.aggregates.values() for name in (a.name, a.inputs, a.totals))

    @cached_property
    def last_read_by(self) -> list[list[str]]:
        """For each component the relations that it holds or reads, and no later one reads."""
        last = {name: at for at, each in enumerate(self.components) for name in (*each.names, *each.inputs)}
        found: list[list[str]] = [[] for _ in self.components]
        for name, position in last.items():
            found[position].append(name)
        return found


def record_width(type_: Type) -> int:
    """The number of cells of a type's records; the first cell of an algebraic data type tells the branch."""
    if type_.branches:
        return 1 + max(len(fields) for _, fields in type_.branches)
    return max(1, len(type_.fields))


def record_relation(type_: Type) -> str:
    """The name of the relation whose rows are the records of a type; record number n is row n - 1.

    Record types with the same number of cells share it, so that equal records of different types are the same record.
    """
    return _records_part(type_).name


def _records_part(type_: Type) -> Part:
    return records_part(record_width(type_), branches=bool(type_.branches))


def arguments_relation(count: int) -> str:
    """The name of the relation that holds the arguments of functions with too many of them: such a call passes the
    number of a row."""
    return records_part(count, branches=False).name


def record_terms(type_: Type, branch: str | None, fields: Sequence[Term]) -> tuple[Term, ...]:
    """The terms of a row in the relation of a type's records: the number of the branch if it has branches, the fields,
    zeros as padding."""
    head: tuple[Term, ...] = (Const(branch_number(type_, branch), FILLER.type),) if branch is not None else ()
    missing = record_width(type_) - len(head) - len(fields)
    return (*head, *fields, *(Const(0, FILLER.type) for _ in range(missing)))


def branch_number(type_: Type, branch: str) -> int:
    """Position of a branch in its type, counted from 0."""
    return [name for name, _ in type_.branches].index(branch)


def expand(program: Program, order: Sequence[Sequence[str]] | None = None) -> Expanded:
    """Expand a core program to components, in which every relation has at least one column and every aggregated one at
    least one group column.

    `order`: the program's relations by component, if they are known already (see `component_order`).
    """
    work = Expansion(program, component_order(program) if order is None else order)
    for run in TO_COMPONENTS.values():
        run(work)
    return Expanded(
        tuple(work.components),
        work.aggregates,
        {r.name: r for component in work.components for r in component.relations},
        work.ordered,
        tuple(map(tuple, work.order)),
    )


@dataclass
class Expansion:
    """What the passes from the core program to components read and write.

    `ordered`: relations of ordered components; `relations`: those of the program, as they are stored; `rules`: relation
    → the rules that derive it.
    """

    program: Program
    order: Sequence[Sequence[str]]
    ordered: frozenset[str] = frozenset()
    aggregates: dict[str, Aggregate] = field(default_factory=dict)
    relations: dict[str, Relation] = field(default_factory=dict)
    rules: dict[str, list[Rule]] = field(default_factory=dict)
    components: list[Component] = field(default_factory=list)


def _classify(work: Expansion) -> None:
    """Find the relations of ordered components, and which of the others are aggregated."""
    in_order = ordered_relations(work.program)
    work.ordered = frozenset(name for members in work.order if in_order.intersection(members) for name in members)
    work.aggregates = {
        r.name: Aggregate(r.name, r.aggregate, bool(r.keys))
        for r in work.program.relations.values()
        if r.aggregate and r.name not in work.ordered
    }


def _pad(work: Expansion) -> None:
    """Add a filler column, with a constant, to relations without columns to hash, and to the rules that mention
    them."""
    for relation in work.program.relations.values():
        padded = replace(relation, columns=(FILLER, *relation.columns)) if needs_filler(relation) else relation
        work.relations[relation.name], work.rules[relation.name] = padded, []
    for rule in work.program.rules:
        work.rules[rule.head.relation].append(pad_rule(rule, work.program))


def _propagate(work: Expansion) -> None:
    """Turn equalities between variables into joins."""
    work.rules = {name: [propagate_equalities(rule) for rule in rules] for name, rules in work.rules.items()}


def _ground(work: Expansion) -> None:
    """Add the components of helper relations that every rule may read."""
    work.components += _ground_components(work.program)


def _take_apart(work: Expansion) -> None:
    """Add the program's components, with aggregated relations expanded."""
    for members in work.order:
        if work.ordered.intersection(members):
            work.components += _ordered_components(tuple(members), work.program, work.relations)
            continue
        rules = [rule for name in members for rule in work.rules[name]]
        work.components += _components_of(list(members), rules, work.relations, work.aggregates)


TO_COMPONENTS: dict[str, Callable[[Expansion], None]] = {
    "classify": _classify,
    "pad": _pad,
    "propagate equalities": _propagate,
    "ground": _ground,
    "take apart": _take_apart,
}
"""Core program → components; `build` makes plans of their rules, with the statistics of what is there."""


def component_order(program: Program) -> list[list[str]]:
    """The program's relations by strongly connected component, in topological order."""
    return components_in_order(successors_of(dependencies(program), program.relations))


def needs_filler(relation: Relation) -> bool:
    """Whether a relation has the filler column, which comes first and is always 0, so that there is a column to
    hash."""
    return relation.arity == (1 if relation.aggregate else 0)


def pad_rule(rule: Rule, program: Program) -> Rule:
    """The rule with the constant of the filler column in atoms whose relations have one."""

    def pad(atom: Atom) -> Atom:
        if needs_filler(program.relations[atom.relation]):
            return Atom(atom.relation, (Const(0, FILLER.type), *atom.terms))
        return atom

    def pad_literal(literal: Literal) -> Literal:
        if isinstance(literal, Atom):
            return pad(literal)
        return Not(pad(literal.atom)) if isinstance(literal, Not) else literal

    return replace(rule, head=pad(rule.head), body=tuple(map(pad_literal, rule.body)))


def _read(rule: Rule) -> set[str]:
    return {
        a.relation
        for literal in rule.body
        if isinstance(a := literal.atom if isinstance(literal, Not) else literal, Atom)
    }


def _ground_components(program: Program) -> Iterator[Component]:
    """The components that every rule may read: the unit row, the switches, and the tables of records and of long
    argument lists."""
    yield Component(tuple(helper(part, (FILLER,)) for part in _OF_ALL))
    widths = {_records_part(t): record_width(t) for t in program.types.values() if t.kind is Kind.RECORD}
    counts = {
        len(literal.arguments)
        for rule in program.rules
        for literal in rule.body
        if isinstance(literal, Compute | Generate)
    }
    widths |= {records_part(count, branches=False): count for count in counts if count > LIMITS.arguments}
    for part, width in sorted(widths.items(), key=lambda item: item[0].name):
        yield Component((helper(part, tuple(Column(f"cell{i}", FILLER.type) for i in range(width))),))


def role_of(relation: Relation) -> Role | None:
    """The role of a stored relation; None for one that the program declares."""
    return None if relation.part is None else relation.part.role


def is_record_table(relation: Relation) -> bool:
    """Whether a stored relation holds records."""
    return role_of(relation) is Role.RECORDS


def shown_columns(relation: Relation) -> tuple[Column, ...]:
    """The columns of a stored relation, without the filler."""
    return tuple(column for column in relation.columns if column != FILLER)


def shown_cells(relation: Relation, cells: npt.NDArray[Cell]) -> npt.NDArray[Cell]:
    """The rows of cells of a stored relation, without the filler, which comes first."""
    return cells[:, cells.shape[1] - len(shown_columns(relation)) :]


def _components_of(
    members: list[str], rules: list[Rule], relations: dict[str, Relation], aggregates: dict[str, Aggregate]
) -> list[Component]:
    """The component of these relations, after one for the facts of each aggregated relation among them."""
    own = [aggregates[name] for name in members if name in aggregates]
    facts = [Component((part_of(relations[a.name], Role.FACTS),)) for a in own if not a.keyed]
    expanded: list[Relation] = []
    for name in members:
        relation, keys = replace(relations[name], aggregate=None, keys=()), relations[name].keys
        if name in aggregates:
            *group, value = relation.columns
            collecting = replace(relation, columns=(*group, *keys, value))
            expanded += [part_of(collecting, Role.AGGREGATE_INPUTS), part_of(relation, Role.TOTALS)]
        expanded.append(relation)
    renamed = [_rename_aggregated(rule, {a.name: a for a in own}, aggregates) for rule in rules]
    renamed += [rule_of_facts(a.inputs, a.facts, relations[a.name].arity) for a in own if not a.keyed]
    names = {r.name for r in expanded}
    inputs = sorted(set().union(*map(_read, renamed)) - names) if renamed else []
    return [*facts, Component(tuple(expanded), tuple(renamed), tuple(own), tuple(inputs))]


def fact_relation(name: str, program: Program, expanded: Expanded) -> str:
    """The stored EDB relation that holds the facts of a relation of the program; of one with keys, its aggregate
    inputs."""
    edb = program.relations[name].facts
    if edb is not None:
        return fact_relation(edb, program, expanded)
    if name in expanded.ordered:
        return facts_of(name)
    aggregate = expanded.aggregates.get(name)
    if aggregate is None:
        return name
    return aggregate.inputs if aggregate.keyed else aggregate.facts


def facts_of(name: str) -> str:
    """Name of the EDB relation that holds the facts of an ordered or aggregated relation."""
    return Part(Role.FACTS, name).name


def _ordered_components(members: tuple[str, ...], program: Program, relations: dict[str, Relation]) -> list[Component]:
    """The components of the relations' facts, then one with the relations themselves, which has no rules of plans."""
    facts = [Component((replace(part_of(relations[name], Role.FACTS), keys=()),)) for name in members]
    inputs = {read for read, derived in dependencies(program) if derived in members and read not in members}
    return [
        *facts,
        Component(
            tuple(replace(relations[name], aggregate=None, keys=()) for name in members),
            inputs=(*sorted(inputs), *map(facts_of, members)),
            ordered=members,
        ),
    ]


def part_of(relation: Relation, role: Role) -> Relation:
    """The helper relation with this role, which has the columns of the relation."""
    part = Part(role, relation.name)
    return replace(relation, name=part.name, part=part, aggregate=None)


def rule_of_facts(head: str, facts: str, arity: int) -> Rule:
    """The rule that makes the rows of a relation rows of another one."""
    terms: tuple[Any, ...] = tuple(Var(f"x{i}") for i in range(arity))
    return Rule(Atom(head, terms), (Atom(facts, terms),))


def _rename_aggregated(rule: Rule, own: dict[str, Aggregate], aggregates: dict[str, Aggregate]) -> Rule:
    """The rule with the relations that it derives and reads: its head derives aggregate inputs, atoms of the same
    component read all totals."""

    def body_literal(literal: Literal) -> Literal:
        if isinstance(literal, Atom) and literal.relation in own:
            return replace(literal, relation=own[literal.relation].totals)
        return literal

    head = rule.head
    if head.relation not in aggregates and not any(isinstance(b, Atom) and b.relation in own for b in rule.body):
        return rule
    if head.relation in aggregates:
        head = replace(head, relation=aggregates[head.relation].inputs)
    return replace(rule, head=head, body=tuple(map(body_literal, rule.body)))
