"""Several programs as one, in which relations that mean the same are there once.

    united((("dead", dead), ("taint", taint)))   one program, and what each relation of each program is called in it

Two relations mean the same if their columns do and their rules are the same but for the names of variables and of
relations that mean the same: the coarsest such partition, so that recursive relations are shared, too (a bisimulation;
the refinement is that of Paige and Tarjan, SIAM Journal on Computing 16(6), 1987, with the process-the-smaller-half
step). Inputs mean the same if they have the same name; one that programs declare in different ways is copied by a rule.
Equal rules over equal facts have equal rows, so each program keeps the rows that it has alone.

    relations → blocks, by columns, lattices, facts and inputs
    while a relation is marked:
        its signature = its rules, with blocks in the place of relations
        the block is split by signatures; the largest part keeps its number; readers of the others are marked

Types, lattices and functions of one name that differ between programs get different names: the first program keeps it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ladder.language import core
from ladder.language.core import Atom, Const, Literal, Not, Program, Relation, Rule, Type
from ladder.language.roles import Part, unused
from ladder.language.versions.identity import identity
from ladder.language.versions.rule_changes import Key, cell_signature, rule_key

Node = tuple[int, str]  # the number of a program, one of its relations


@dataclass(frozen=True)
class Union:
    """One program for several. `names`: for each of them, relation → what it is called here; `origins`: function, or
    "lattice " and a lattice → the number of the program that it is from and its name there."""

    core: Program
    names: tuple[Mapping[str, str], ...]
    origins: Mapping[str, tuple[int, str]]


class NotPossible(Exception):
    """Raised for programs that cannot be one; the message says why."""


def united(programs: Sequence[tuple[str, Program]]) -> Union:
    """One program of these, which have different labels; `NotPossible` if they have inputs that cannot be the same, or
    ordered relations, whose rows would depend on the other programs."""
    for label, program in programs:
        if ordered := sorted(core.ordered_relations(program)):
            raise NotPossible(f"rows of {ordered[0]} in {label} depend on the order in which they are derived")
    labels = [label for label, _ in programs]
    apart = _Apart(labels, [program for _, program in programs])
    parts = [apart.of(number) for number in range(len(programs))]
    blocks = _Blocks(parts).found()
    copies = _copies(labels, parts, blocks)
    names = _Names(labels, parts, blocks)
    return Union(_joined(parts, names, copies), tuple(names.of), apart.origins)


# ---- types, lattices and functions of the same name


class _Apart:
    """Finds new names for types, lattices and functions whose names mean something else in an earlier program."""

    def __init__(self, labels: Sequence[str], programs: Sequence[Program]) -> None:
        self.labels, self.programs = labels, programs
        self.types: list[dict[str, str]] = [{} for _ in programs]
        self.functions: list[dict[str, str]] = [{} for _ in programs]
        self.origins: dict[str, tuple[int, str]] = {}
        self._name_types()
        for number, program in enumerate(programs):
            for name in program.lattices:
                self.origins.setdefault(f"lattice {self.types[number].get(name, name)}", (number, name))
        self._name_functions()

    def of(self, number: int) -> Program:
        """A program under these names."""
        types, functions = self.types[number], self.functions[number]
        return (
            _Renaming(types, functions).program(self.programs[number]) if types or functions else self.programs[number]
        )

    def _name_types(self) -> None:
        """Types and lattices: until no type has a field of a type with a new name and itself the old one."""
        changed = True
        while changed:
            changed = False
            known: dict[str, list[tuple[Any, str]]] = defaultdict(list)
            for number, program in enumerate(self.programs):
                for name in dict.fromkeys((*program.types, *program.lattices)):
                    new = self._named(name, number, self._meaning(number, name), known[name], _same_type)
                    changed |= self.types[number].get(name, name) != new
                    if new != name:
                        self.types[number][name] = new

    def _meaning(self, number: int, name: str) -> Any:
        program, new = self.programs[number], self.types[number]
        type_ = program.types.get(name)

        def fields(given: core.Fields) -> Key:
            return tuple((field, new.get(of, of)) for field, of in given)

        form = type_ and (
            type_.kind,
            type_.wide,
            fields(type_.fields),
            tuple((b, fields(f)) for b, f in type_.branches),
        )
        return form, program.lattices.get(name)

    def _name_functions(self) -> None:
        known: dict[str, list[tuple[Any, str]]] = defaultdict(list)
        for number, program in enumerate(self.programs):
            types = self.types[number]
            for name, function in program.functions.items():
                form = (
                    tuple(types.get(a.name, a.name) for a in function.arguments),
                    types.get(function.result.name, function.result.name),
                    function.several,
                )
                new = self._named(name, number, (form, function.call), known[name], _same_function)
                if new != name:
                    self.functions[number][name] = new
                self.origins.setdefault(new, (number, name))

    def _named(
        self,
        name: str,
        number: int,
        meaning: Any,
        known: list[tuple[Any, str]],
        same: Callable[[Any, Any], bool],
    ) -> str:
        """The name of a meaning: that of an equal one, else a new one; `known`: the meanings so far and their names."""
        for other, called in known:
            if same(meaning, other):
                return called
        known.append((meaning, name if not known else f"{self.labels[number]}.{name}"))
        return known[-1][1]


def _same_type(one: Any, other: Any) -> bool:
    (form, lattice), (other_form, other_lattice) = one, other
    if form is None or other_form is None:  # a lattice without a type of its name, as `max`
        form = other_form
    return bool(form == other_form) and _same_object(lattice, other_lattice)


def _same_function(one: Any, other: Any) -> bool:
    return bool(one[0] == other[0]) and _same_object(one[1], other[1])


def _same_object(one: Any, other: Any) -> bool:
    return one is other or one is not None and other is not None and identity(one) == identity(other)


@dataclass(frozen=True)
class _Renaming:
    """Writes a program with other names of types, lattices and functions."""

    types: Mapping[str, str]
    functions: Mapping[str, str]

    def program(self, program: Program) -> Program:
        """The program with these names."""
        return replace(
            program,
            relations={name: self._relation(relation) for name, relation in program.relations.items()},
            rules=tuple(map(self._rule, program.rules)),
            functions={self.functions.get(name, name): self._function(f) for name, f in program.functions.items()},
            lattices={self.types.get(name, name): lattice for name, lattice in program.lattices.items()},
            types={self.types.get(name, name): self._type(type_) for name, type_ in program.types.items()},
        )

    def _relation(self, relation: Relation) -> Relation:
        return replace(
            relation,
            columns=self._columns(relation.columns),
            keys=self._columns(relation.keys),
            aggregate=relation.aggregate and self.types.get(relation.aggregate, relation.aggregate),
        )

    def _columns(self, columns: tuple[core.Column, ...]) -> tuple[core.Column, ...]:
        return tuple(replace(column, type=self._type(column.type)) for column in columns)

    def _type(self, type_: Type) -> Type:
        return replace(
            type_,
            name=self.types.get(type_.name, type_.name),
            fields=self._fields(type_.fields),
            branches=tuple((branch, self._fields(fields)) for branch, fields in type_.branches),
        )

    def _fields(self, fields: core.Fields) -> core.Fields:
        return tuple((field, self.types.get(of, of)) for field, of in fields)

    def _function(self, function: core.Function) -> core.Function:
        return replace(
            function,
            name=self.functions.get(function.name, function.name),
            arguments=tuple(map(self._type, function.arguments)),
            result=self._type(function.result),
        )

    def _rule(self, rule: Rule) -> Rule:
        return replace(rule, head=self._literal(rule.head), body=tuple(map(self._literal, rule.body)))

    def _literal(self, literal: Any) -> Any:
        match literal:
            case Atom(_, terms):
                return replace(literal, terms=tuple(map(self._term, terms)))
            case Not(atom):
                return Not(self._literal(atom))
            case core.Compare(_, left, right):
                return replace(literal, left=self._term(left), right=self._term(right))
            case core.Compute(_, function, arguments) | core.Generate(_, function, arguments):
                return replace(
                    literal,
                    function=self.functions.get(function, function),
                    arguments=tuple(map(self._term, arguments)),
                )
            case core.Pack(_, fields, type_):
                return replace(literal, fields=tuple(map(self._term, fields)), type=self._type(type_))
        assert isinstance(literal, core.Unpack)
        return replace(literal, record=self._term(literal.record), type=self._type(literal.type))

    def _term(self, term: Any) -> Any:
        return replace(term, type=self._type(term.type)) if isinstance(term, Const) else term


# ---- relations that mean the same


class _Blocks:
    """The coarsest partition of the relations of programs whose blocks have the same rules over blocks."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self.programs = programs
        self.rules: dict[Node, list[tuple[int, tuple[Node, ...]]]] = {}
        self.readers: dict[Node, set[Node]] = defaultdict(set)
        self.block: dict[Node, int] = {}
        self.members: dict[int, set[Node]] = defaultdict(set)
        self.numbers: dict[Key, int] = {}
        for number, program in enumerate(programs):
            self._enter(number, program)

    def found(self) -> Mapping[Node, int]:
        """Relation → its block; relations of a block mean the same."""
        signatures: dict[Node, Key] = {}
        marked = set(self.block)
        while marked:
            for node in marked:
                signatures[node] = self._signature(node)
            moved = [node for block in {self.block[node] for node in marked} for node in self._split(block, signatures)]
            marked = {reader for node in moved for reader in self.readers[node]}
        return self.block

    def _number(self, key: Key) -> int:
        return self.numbers.setdefault(key, len(self.numbers))

    def _enter(self, number: int, program: Program) -> None:
        inputs = set(_inputs(program))
        for name, relation in program.relations.items():
            node = number, name
            self.rules[node] = []
            self._put(node, self._number(("columns", *_columns(program, relation, inputs))))
        names = dict.fromkeys(program.relations, "")
        for rule in program.rules:
            structure = self._number((rule_key(rule, program.types, names), rule.plan))
            read = tuple((number, name) for name in _read(rule))
            self.rules[number, rule.head.relation].append((structure, read))
            for other in read:
                self.readers[other].add((number, rule.head.relation))
        for name, relation in program.relations.items():
            if relation.facts is not None:
                self.rules[number, name].append((self._number("facts"), ((number, relation.facts),)))
                self.readers[number, relation.facts].add((number, name))

    def _put(self, node: Node, block: int) -> None:
        self.block[node] = block
        self.members[block].add(node)

    def _signature(self, node: Node) -> Key:
        return frozenset(
            (structure, tuple(self.block[other] for other in read)) for structure, read in self.rules[node]
        )

    def _split(self, block: int, signatures: Mapping[Node, Key]) -> Iterator[Node]:
        """Split a block by signatures; yields the relations that are in another block now."""
        parts: dict[Key, list[Node]] = defaultdict(list)
        for node in self.members[block]:
            parts[signatures[node]].append(node)
        largest = max(parts.values(), key=len)
        for part in parts.values():
            if part is largest:
                continue
            new = self._number(("block", len(self.numbers)))
            for node in part:
                self.members[block].discard(node)
                self._put(node, new)
                yield node


def _columns(program: Program, relation: Relation, inputs: set[str]) -> Iterator[Key]:
    """What tells a relation from others, beside its rules."""
    for part in (relation.columns, relation.keys):
        yield tuple((c.name, c.type.name, cell_signature(c.type, program.types)) for c in part)
    yield relation.aggregate
    yield relation.name if relation.name in inputs else ""
    yield (relation.part.role, relation.part.word) if relation.part else ""
    yield frozenset(map(repr, program.facts.get(relation.name, ())))


def _read(rule: Rule) -> Iterator[str]:
    """The relations that a rule mentions, in the order in which its key does; a recursive rule mentions its head."""
    yield rule.head.relation
    for literal in rule.body:
        atom = literal.atom if isinstance(literal, Not) else literal
        if isinstance(atom, Atom):
            yield atom.relation


# ---- inputs


def _copies(
    labels: Sequence[str], programs: Sequence[Program], blocks: Mapping[Node, int]
) -> dict[Node, tuple[Node, tuple[int, ...]]]:
    """Inputs of a name that an earlier program declares in another way → that input, and where it has their columns: by
    name, or else by position. `NotPossible` if they do not have the same columns, or have rules or facts of their own,
    too."""
    found: dict[Node, tuple[Node, tuple[int, ...]]] = {}
    first: dict[str, Node] = {}
    for number, program in enumerate(programs):
        for name in dict.fromkeys(_inputs(program)):
            node, other = (number, name), first.setdefault(name, (number, name))
            if blocks[node] == blocks[other]:
                continue
            places = None
            if _is_given(program, name) and _is_given(programs[other[0]], name):
                places = _places(program, programs[other[0]], name)
            if places is None:
                raise NotPossible(f"the input {name} is another one in {labels[number]} than in {labels[other[0]]}")
            found[node] = other, places
    return found


def _inputs(program: Program) -> list[str]:
    return [directive.relation for directive in program.directives if directive.kind == "input"]


def _is_given(program: Program, name: str) -> bool:
    """Whether a relation has asserted facts alone."""
    relation = program.relations[name]
    if relation.aggregate is not None or relation.facts is not None or program.facts.get(name):
        return False
    return all(rule.head.relation != name for rule in program.rules)


def _places(one: Program, other: Program, name: str) -> tuple[int, ...] | None:
    """Where `other` has the columns of the input in `one`; None if they are not the same."""
    ours, theirs = (program.relations[name].columns for program in (one, other))
    names = [column.name for column in theirs]
    if len(ours) != len(theirs):
        return None
    by_name = sorted(column.name for column in ours) == sorted(names)
    places = tuple(names.index(column.name) if by_name else place for place, column in enumerate(ours))
    cells = [
        [cell_signature(column.type, program.types) for column in columns]
        for program, columns in ((one, ours), (other, [theirs[place] for place in places]))
    ]
    return places if cells[0] == cells[1] else None


# ---- the program


class _Names:
    """The names of relations in the program of all. `of`: for each program, relation → the name of its block: that of
    the block's first relation, with a label where it is taken; `parts`: name → the part that it is the name of.

    Relations that the texts declare come first, since helper relations are named after them.
    """

    def __init__(self, labels: Sequence[str], programs: Sequence[Program], blocks: Mapping[Node, int]) -> None:
        self.labels, self.blocks = labels, blocks
        self.of: list[dict[str, str]] = [{} for _ in programs]
        self.parts: dict[str, Part | None] = {}
        self.by_block: dict[int, str] = {}
        nodes = [(number, relation) for number, part in enumerate(programs) for relation in part.relations.values()]
        for number, relation in (*(node for node in nodes if node[1].declared), *_owners_first(nodes)):
            self._enter(number, relation)

    def _enter(self, number: int, relation: Relation) -> None:
        block = self.blocks[number, relation.name]
        if block not in self.by_block:
            part = None if relation.part is None else self._part(number, relation.part)
            name = self._declared(number, relation.name) if part is None else part.name
            self.by_block[block], self.parts[name] = name, part
        self.of[number][relation.name] = self.by_block[block]

    def _declared(self, number: int, name: str) -> str:
        while name in self.parts:
            name = f"{self.labels[number]}.{name}"
        return name

    def _part(self, number: int, part: Part) -> Part:
        part = replace(part, of=self.of[number].get(part.of, part.of))
        if part.name in self.parts and part.numbered:
            return unused(part, self.parts)
        while part.name in self.parts:
            part = replace(part, of=f"{self.labels[number]}.{part.of}")
        return part


def _owners_first(nodes: Sequence[tuple[int, Relation]]) -> list[tuple[int, Relation]]:
    """The helper relations, each after the one that it belongs to."""
    helpers = {(number, relation.name): (number, relation) for number, relation in nodes if not relation.declared}

    def depth(number: int, relation: Relation) -> int:
        of = helpers.get((number, relation.part.of)) if relation.part else None
        return 0 if of is None else 1 + depth(*of)

    return sorted(helpers.values(), key=lambda node: depth(*node))


def _joined(programs: Sequence[Program], names: _Names, copies: Mapping[Node, tuple[Node, tuple[int, ...]]]) -> Program:
    """The program with one relation for each block, with the rules of the first that has this name. Which relations are
    findings is left to each program."""
    first: dict[str, Node] = {}
    for number, program in enumerate(programs):
        for name in program.relations:
            first.setdefault(names.of[number][name], (number, name))
    relations, facts = {}, {}
    for here, (number, name) in first.items():
        relation, of = programs[number].relations[name], names.of[number]
        relations[here] = replace(
            relation, name=here, part=names.parts[here], facts=relation.facts and of[relation.facts]
        )
        if name in programs[number].facts:
            facts[here] = programs[number].facts[name]
    rules = [
        with_names(rule, names.of[number])
        for number, program in enumerate(programs)
        for rule in program.rules
        if first[names.of[number][rule.head.relation]] == (number, rule.head.relation)
    ]
    rules += [_copied(names, node, *origin) for node, origin in copies.items()]
    directives = {
        (directive.kind, here): replace(directive, relation=here)
        for number, program in enumerate(programs)
        for directive in program.directives
        for here in (names.of[number][directive.relation],)
        if directive.kind != "input" or (number, directive.relation) not in copies
    }
    backwards = programs[::-1]
    types = {name: type_ for program in backwards for name, type_ in program.types.items()}
    return Program(
        relations,
        _different(rules, types),
        {name: function for program in backwards for name, function in program.functions.items()},
        {name: lattice for program in backwards for name, lattice in program.lattices.items()},
        facts,
        tuple(directives.values()),
        types,
    )


def _different(rules: Sequence[Rule], types: Mapping[str, Type]) -> tuple[Rule, ...]:
    """The rules without those that an earlier one is equal to, now that what they read has one name."""
    return tuple({(rule_key(rule, types), rule.plan): rule for rule in reversed(rules)}.values())[::-1]


def _copied(names: _Names, node: Node, origin: Node, places: tuple[int, ...]) -> Rule:
    """The rule by which an input is a copy of another one with these places of columns."""
    variables = [core.Var(f"x{place}") for place in range(len(places))]
    there = [variables[places.index(place)] for place in range(len(places))]
    head, source = (names.of[number][name] for number, name in (node, origin))
    return Rule(Atom(head, tuple(variables)), (Atom(source, tuple(there)),))


def with_names(rule: Rule, names: Mapping[str, str]) -> Rule:
    """The rule with other names for the relations that have one."""

    def atom(part: Atom) -> Atom:
        return replace(part, relation=names.get(part.relation, part.relation))

    def literal(part: Literal) -> Literal:
        return Not(atom(part.atom)) if isinstance(part, Not) else atom(part) if isinstance(part, Atom) else part

    return replace(rule, head=atom(rule.head), body=tuple(map(literal, rule.body)))
