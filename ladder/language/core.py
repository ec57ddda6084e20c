"""The core program: what is left of a checked program once all sugar is gone.

Text → syntax tree (`syntax`) → checked → **core** (`normalise`) → plans (`ladder.plan`).
The planner, the naive evaluator and every engine read this form and nothing before it:

- an atom's terms are variables, constants or None (a wildcard); nested expressions have become
  `Compute` literals with fresh variables, disjunctions and several heads have become several rules;
- a negated atom has no wildcard left (a projection relation stands in its place) and all its variables are
  bound by positive literals;
- a variable is bound by positive atoms or by exactly one of `Compute`, `Generate`, `Pack`, `Unpack`; computing into a
  bound variable has become a fresh variable and an equality. A positive atom behind the literal that binds a variable
  may have it, too (the atom that reads an aggregate of a computed group): then the two are equal;
- an aggregated relation's rules derive its *aggregate inputs*: the last term of the head is a value of the lattice
  (an `inject`, where the lattice has one, has become a `Compute`); where the relation has `keys`, they stand between
  the group columns and the value, and tell aggregate inputs with the same value apart.

Every node can be printed (`str`) and a whole program verified (`verify`).
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ladder.language.roles import Part, can_be_declared


class Kind(enum.Enum):
    """How a cell (32 bits) holds a value of a type."""

    NUMBER = "number"  # signed integer, as it is
    UNSIGNED = "unsigned"  # the same bits
    FLOAT = "float"  # IEEE 754 single precision, its bits
    SYMBOL = "symbol"  # number of an interned string
    RECORD = "record"  # number of an interned tuple of cells; nil is number 0
    OBJECT = "object"  # number of an interned Python value: values of lattices written in Python


Fields = tuple[tuple[str, str], ...]  # (field name, type name)


@dataclass(frozen=True)
class Type:
    """A type after resolution: aliases and subtypes keep their name, `kind` says what a cell holds.

    `fields`: of a record type. `branches`: of an algebraic data type, whose kind is RECORD, too; in Python its values
    are tuples that start with the name of their branch: `$Node(1, nil)` is ("Node", 1, None), `$Leaf` is ("Leaf",).
    `wide`: of a type of OBJECT that holds the numbers, unsigned or floats of a program with 64 bits.
    """

    name: str
    kind: Kind
    fields: Fields = ()
    branches: tuple[tuple[str, Fields], ...] = ()
    wide: Kind | None = None

    @property
    def written(self) -> Kind:
        """The kind of its values in files."""
        return self.kind if self.wide is None else self.wide


@dataclass(frozen=True)
class Place:
    """Where something stands in a program's text; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @staticmethod
    def of(text: str) -> Place | None:
        """The place that `str` gave; None for what is none."""
        file, *numbers = text.rsplit(":", 2)
        return Place(file, *map(int, numbers)) if len(numbers) == 2 and all(map(str.isdecimal, numbers)) else None


@dataclass(frozen=True)
class Var:
    """A variable, named uniquely within its rule."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Const:
    """A constant: int for numbers, float, str for symbols, None for nil, any hashable value for OBJECT."""

    value: Hashable
    type: Type

    def __str__(self) -> str:
        return (
            '"' + self.value + '"' if isinstance(self.value, str) else "nil" if self.value is None else str(self.value)
        )


Term = Var | Const


@dataclass(frozen=True)
class Atom:
    """`relation(terms)`; None is a wildcard."""

    relation: str
    terms: tuple[Term | None, ...]

    def __str__(self) -> str:
        return f"{self.relation}({', '.join('_' if t is None else str(t) for t in self.terms)})"


@dataclass(frozen=True)
class Not:
    """The atom is not a row; its relation belongs to an earlier component."""

    atom: Atom

    def __str__(self) -> str:
        return f"!{self.atom}"


@dataclass(frozen=True)
class Compare:
    """`left operator right`; operators = != < <= > >=, and `match`, `contains` on symbols."""

    operator: str
    left: Term
    right: Term
    kind: Kind

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True)
class Compute:
    """`result = function(arguments)`; a built-in function ("+", "cat", …; see `BUILT_IN`) or one of the program's
    functions.

    `kind` is the kind of the arguments of a built-in that exists for several (number, unsigned, float; any for
    conversions).
    """

    result: Var
    function: str
    arguments: tuple[Term, ...]
    kind: Kind = Kind.NUMBER

    def __str__(self) -> str:
        return f"{self.result} = {self.function}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Generate:
    """`result` is each of the values of a function with several results, in turn (`range`, elements of a set).

    `kind` is the kind of the result of `range`.
    """

    result: Var
    function: str
    arguments: tuple[Term, ...]
    kind: Kind = Kind.NUMBER

    def __str__(self) -> str:
        return f"{self.result} in {self.function}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Pack:
    """`result = [fields]`, or `$branch(fields)` of an algebraic data type; the record is made if it does not exist."""

    result: Var
    fields: tuple[Term, ...]
    type: Type
    branch: str | None = None

    def __str__(self) -> str:
        return f"{self.result} = {_record(self.branch, map(str, self.fields))}"


@dataclass(frozen=True)
class Unpack:
    """`record = [fields]`, or `record = $branch(fields)`, where the record is bound.

    Each field is a fresh variable or None. nil has no fields and another branch has others: no match.
    """

    record: Term
    fields: tuple[Var | None, ...]
    type: Type
    branch: str | None = None

    def __str__(self) -> str:
        return f"{self.record} = {_record(self.branch, ('_' if f is None else str(f) for f in self.fields))}"


def _record(branch: str | None, fields: Iterable[str]) -> str:
    return f"[{', '.join(fields)}]" if branch is None else f"${branch}({', '.join(fields)})"


Literal = Atom | Not | Compare | Compute | Generate | Pack | Unpack


@dataclass(frozen=True)
class Rule:
    """`head :- body.`; `plan` is the join order a `.plan` asks for, positions of the positive atoms, or None."""

    head: Atom
    body: tuple[Literal, ...]
    place: Place | None = field(default=None, compare=False)
    plan: tuple[int, ...] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.head} :- {', '.join(map(str, self.body))}."


@dataclass(frozen=True)
class Column:
    name: str
    type: Type


@dataclass(frozen=True)
class Relation:
    """A relation as its readers see it.

    `aggregate` names the join of its last column where it is aggregated (see `Program.lattices`); `keys`: columns that
    the heads of its rules have before that value and readers do not see. They make a bag of what is aggregated: `sum`
    adds one value per distinct (group, keys, value). Only relations without facts have keys. `facts` names the EDB
    relation that stores the facts of this one, where that is another. A relation is *ordered* when its rows depend on
    the order in which they are derived, so that it is evaluated anew when what it depends on changes: `choice`, each a
    key (positions of columns) of which only the first row that is derived is kept; `limit`, the number of rows at which
    its component stops; the relations of `Program.subsumptions`; and those that a rule with the function "autoinc" or
    "iteration" derives. `part`: what it is for, where the text does not declare it; its name follows from that.
    """

    name: str
    columns: tuple[Column, ...]
    aggregate: str | None = None
    place: Place | None = field(default=None, compare=False)
    keys: tuple[Column, ...] = ()
    facts: str | None = None
    choice: tuple[tuple[int, ...], ...] = ()
    limit: int | None = None
    part: Part | None = None

    @property
    def declared(self) -> bool:
        """Whether the text declares it."""
        return self.part is None

    @property
    def arity(self) -> int:
        return len(self.columns)

    @property
    def head_arity(self) -> int:
        """Number of terms in the heads of its rules."""
        return len(self.columns) + len(self.keys)


def helper(
    part: Part,
    columns: tuple[Column, ...],
    aggregate: str | None = None,
    place: Place | None = None,
    keys: tuple[Column, ...] = (),
) -> Relation:
    """A relation that the text does not declare."""
    return Relation(part.name, columns, aggregate, place, keys, part=part)


@dataclass(frozen=True)
class Subsumption:
    """`dominated <= dominating :- body.`: a row is dropped when another row of its relation dominates it.

    Both atoms are of one relation and have no wildcards; they and the body are joined like the body of a rule.
    """

    dominated: Atom
    dominating: Atom
    body: tuple[Literal, ...]
    place: Place | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.dominated} <= {self.dominating} :- {', '.join(map(str, self.body))}."


@dataclass(frozen=True)
class Function:
    """A user functor: a pure Python function of hashable Python values; `several`: it returns an iterable
    of results."""

    name: str
    arguments: tuple[Type, ...]
    result: Type
    call: Callable[..., Any] = field(compare=False)
    several: bool = False


@dataclass(frozen=True)
class Directive:
    """`.input`, `.output` or `.printsize` of a relation with its parameters."""

    kind: str
    relation: str
    parameters: Mapping[str, str]
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Program:
    """A program in core form.

    `lattices`: name → object with `join(a, b)` on Python values (see `ladder.lattices.Lattice`); the names "min" and
    "max" (number, unsigned, float) and "sum" (number, unsigned: it wraps around) need no entry. A join must be
    associative and commutative; it need not be idempotent over a relation with keys, or if it has `idempotent = False`.
    `facts`: relation → the program facts of its text, as rows of Python values.
    """

    relations: Mapping[str, Relation]
    rules: tuple[Rule, ...]
    functions: Mapping[str, Function] = field(default_factory=dict)
    lattices: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, tuple[tuple[Hashable, ...], ...]] = field(default_factory=dict)
    directives: tuple[Directive, ...] = ()
    types: Mapping[str, Type] = field(default_factory=dict)
    subsumptions: tuple[Subsumption, ...] = ()

    def declares(self, name: str) -> bool:
        """Whether the text declares a relation of that name; others stand for parts of its rules."""
        return name in self.relations and self.relations[name].declared

    @property
    def declared(self) -> tuple[str, ...]:
        """The relations that the text declares."""
        return tuple(name for name, relation in self.relations.items() if relation.declared)

    def __str__(self) -> str:
        declarations = (
            f"{r.name}({', '.join(f'{c.name}: {c.type.name}' for c in r.columns)})"
            + (f" aggregated by {r.aggregate}" if r.aggregate else "")
            for r in self.relations.values()
        )
        return "\n".join((*declarations, *map(str, self.rules), *map(str, self.subsumptions)))


# Built-in functions by the kind of their arguments; results have the same kind unless said otherwise.
ARITHMETIC = (
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "neg",
    "band",
    "bor",
    "bxor",
    "bnot",
    "bshl",
    "bshr",
    "bshru",
    "land",
    "lor",
    "lxor",
    "lnot",
    "min",
    "max",
)
ON_SYMBOLS = ("cat", "strlen", "substr", "ord")
# From a value of `Compute.kind` (number, unsigned, float or symbol) to one of the kind named.
CONVERSIONS = ("to_number", "to_unsigned", "to_float", "to_string")
# The bits of such a value read as another kind: the number inside of a symbol or record, too.
REINTERPRETATIONS = ("bits_number", "bits_unsigned", "bits_float")
# Without arguments: the next number of a counter; the iteration at hand of the rule's component (see `Relation`).
ORDERED = ("autoinc", "iteration")
BUILT_IN = frozenset((*ARITHMETIC, *ON_SYMBOLS, *CONVERSIONS, *REINTERPRETATIONS, *ORDERED))
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=", "match", "contains", "not_match", "not_contains")


def terms_read(literal: Literal) -> tuple[Term | None, ...]:
    """The terms of an atom, negated or not, the sides of a comparison, the arguments of what computes, the record that
    is taken apart."""
    match literal:
        case Atom(_, terms) | Not(Atom(_, terms)):
            return terms
        case Compare(_, left, right):
            return left, right
        case Compute(_, _, arguments) | Generate(_, _, arguments) | Pack(_, arguments):
            return arguments
        case Unpack(record):
            return (record,)


def variables(literal: Literal) -> Iterator[Var]:
    """All variables of a literal, in the order of its text."""
    match literal:
        case Atom(_, terms) | Not(Atom(_, terms)):
            found: tuple[Term | None, ...] = terms
        case Compare(_, left, right):
            found = (left, right)
        case Compute(result, _, arguments) | Generate(result, _, arguments):
            found = (result, *arguments)
        case Pack(result, fields):
            found = (result, *fields)
        case Unpack(record, unpacked):
            found = (record, *unpacked)
    return (term for term in found if isinstance(term, Var))


def substituted(rule: Rule, old: Var, new: Term) -> Rule:
    """The rule with a term in the place of a variable, in its head and in all literals."""
    return replace(
        rule, head=_in_atom(rule.head, old, new), body=tuple(_in_literal(literal, old, new) for literal in rule.body)
    )


def _in_literal(literal: Literal, old: Var, new: Term) -> Literal:
    def term(t: Term) -> Term:
        return new if t == old else t

    match literal:
        case Atom():
            return _in_atom(literal, old, new)
        case Not(atom):
            return Not(_in_atom(atom, old, new))
        case Compare(_, left, right):
            return replace(literal, left=term(left), right=term(right))
        case Compute(result, _, arguments) | Generate(result, _, arguments):
            return _bound_twice(replace(literal, arguments=tuple(map(term, arguments))), result, old, new)
        case Pack(result, fields):
            return _bound_twice(replace(literal, fields=tuple(map(term, fields))), result, old, new)
        case Unpack(record, unpacked):
            return replace(literal, record=term(record), fields=tuple(None if f is None else term(f) for f in unpacked))  # type: ignore[misc]


def _bound_twice(literal: Literal, result: Var, old: Var, new: Term) -> Literal:
    return replace(literal, result=new) if result == old else literal  # type: ignore[arg-type]


def _in_atom(atom: Atom, old: Var, new: Term) -> Atom:
    return replace(atom, terms=tuple(new if t == old else t for t in atom.terms))


def binds(literal: Literal) -> frozenset[Var]:
    """Variables that a literal gives a value once the others it has are known."""
    match literal:
        case Atom(_, terms):
            return frozenset(t for t in terms if isinstance(t, Var))
        case Compute(result) | Generate(result) | Pack(result):
            return frozenset((result,))
        case Unpack(_, fields):
            return frozenset(f for f in fields if f is not None)
        case _:
            return frozenset()


def needs(literal: Literal) -> frozenset[Var]:
    """Variables that must be known before a literal can be evaluated."""
    return frozenset() if isinstance(literal, Atom) else frozenset(variables(literal)) - binds(literal)


def dependencies(program: Program) -> Iterator[tuple[str, str]]:
    """(relation read, relation derived) of all rules; a subsumption reads what its body does."""
    clauses = [(rule.head.relation, rule.body) for rule in program.rules]
    clauses += [(s.dominated.relation, (s.dominating, *s.body)) for s in program.subsumptions]
    for derived, body in clauses:
        for literal in body:
            atom = literal.atom if isinstance(literal, Not) else literal
            if isinstance(atom, Atom):
                yield atom.relation, derived


def ordered_relations(program: Program) -> frozenset[str]:
    """Relations whose rows depend on the order in which they are derived (see `Relation`)."""
    counting = {
        rule.head.relation
        for rule in program.rules
        if any(isinstance(literal, Compute) and literal.function in ORDERED for literal in rule.body)
    }
    return frozenset(
        counting.union(
            (r.name for r in program.relations.values() if r.choice or r.limit is not None),
            (s.dominated.relation for s in program.subsumptions),
        )
    )


def declared_name(relation: Relation, relations: Mapping[str, Relation]) -> str:
    """What the text calls the relation that another one is, or is a part of; "" where it is part of none.

    `relations`: by name; a part may be one of another part.
    """
    part, name = relation.part, relation.name
    while part is not None:
        name = part.of
        part = relations[name].part if name in relations else None
    return name


class Invalid(Exception):
    """A core program breaks one of the invariants of this module: a defect of the pass that made it."""


def verify(program: Program) -> Program:
    """The program itself, or `Invalid` where it breaks an invariant of this module."""
    for relation in program.relations.values():
        _verify_relation(relation, program)
    for rule in program.rules:
        head_relation = program.relations.get(rule.head.relation)
        if head_relation is None or head_relation.head_arity != len(rule.head.terms):
            raise Invalid(f"head of {rule}")
        if None in rule.head.terms:
            raise Invalid(f"wildcard in the head of {rule}")
        bound = _verify_body(rule.body, (), program, rule)
        if unbound := {t for t in rule.head.terms if isinstance(t, Var)} - bound:
            raise Invalid(f"{', '.join(map(str, unbound))} of the head is unbound in {rule}")
    for subsumption in program.subsumptions:
        atoms = (subsumption.dominated, subsumption.dominating)
        if any(None in atom.terms for atom in atoms) or len({atom.relation for atom in atoms}) > 1:
            raise Invalid(f"the atoms of {subsumption}")
        _verify_body(subsumption.body, atoms, program, subsumption)
    for name, rows in program.facts.items():
        if (
            name not in program.relations
            or program.relations[name].keys
            or program.relations[name].facts is not None
            or any(len(row) != program.relations[name].arity for row in rows)
        ):
            raise Invalid(f"facts of {name}")
    return program


def _verify_relation(relation: Relation, program: Program) -> None:
    if not (can_be_declared(relation.name) if relation.part is None else relation.part.name == relation.name):
        raise Invalid(f"the name of {relation.name} is not that of its part")
    if relation.keys and relation.aggregate is None:
        raise Invalid(f"{relation.name} has keys but is not aggregated")
    if relation.aggregate not in (None, "min", "max", "sum", *program.lattices):
        raise Invalid(f"the lattice {relation.aggregate} of {relation.name} is missing")
    if relation.facts is not None:
        other = program.relations.get(relation.facts)
        if (
            other is None
            or other.facts is not None
            or [c.type.kind for c in other.columns] != [c.type.kind for c in relation.columns]
        ):
            raise Invalid(f"{relation.name} leaves its facts to {relation.facts}")
    if any(not 0 <= position < relation.arity for key in relation.choice for position in key):
        raise Invalid(f"the choice of {relation.name}")


def _verify_body(
    body: tuple[Literal, ...], before: tuple[Atom, ...], program: Program, whole: Rule | Subsumption
) -> set[Var]:
    """The variables that a body, joined with the atoms before it, binds."""
    bound: set[Var] = set()
    for literal in (*before, *body):
        match literal:
            case Atom(relation, terms) | Not(Atom(relation, terms)):
                if relation not in program.relations or program.relations[relation].arity != len(terms):
                    raise Invalid(f"{literal} in {whole}")
            case Pack(_, fields, type_, branch) | Unpack(_, fields, type_, branch):
                if len(fields) != len(type_.fields if branch is None else dict(type_.branches)[branch]):
                    raise Invalid(f"{literal} in {whole}")
            case Compute(_, function) if function not in BUILT_IN and function not in program.functions:
                raise Invalid(f"the function {function} in {whole}")
        if isinstance(literal, Not) and None in literal.atom.terms:
            raise Invalid(f"wildcard in {literal} of {whole}")
        if binds(literal) & bound and not isinstance(literal, Atom):
            raise Invalid(f"{literal} binds a bound variable in {whole}")
        bound |= binds(literal)
    bound = {variable for literal in (*before, *body) if isinstance(literal, Atom) for variable in binds(literal)}
    pending = [literal for literal in body if not isinstance(literal, Atom)]
    while ready := [literal for literal in pending if needs(literal) <= bound]:
        bound |= frozenset().union(*map(binds, ready))
        pending = [literal for literal in pending if literal not in ready]
    if pending:
        raise Invalid(f"{pending[0]} of {whole} can never be evaluated")
    return bound
