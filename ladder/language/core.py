"""The core program: what a checked program becomes when all syntactic sugar is removed.

Text → syntax tree (`syntax`) → checked → **core** (`normalise`) → plans (`ladder.plan`).
The planner, the naive evaluator and every engine read this form and nothing before it:

- an atom's terms are variables, constants or None (a wildcard); nested expressions have become
  `Compute` literals with fresh variables, disjunctions and several heads have become several rules;
- a negated atom has no wildcard left (a projection relation stands in its place) and all its variables are
  bound by positive literals;
- a variable is bound by positive atoms or by exactly one of `Compute`, `Generate`, `Pack`, `Unpack`; computing into a
  bound variable has become a fresh variable and an equality. A positive atom after the literal that binds a variable
  may contain it as well (the atom that reads an aggregate of a computed group); then the two values must be equal;
- an aggregated relation's rules derive its *aggregate inputs*: the last term of the head is a value of the lattice
  (an `inject`, where the lattice has one, has become a `Compute`); where the relation has `keys`, they stand between
  the group columns and the value, and tell aggregate inputs with the same value apart.

Every node can be printed (`str`) and a whole program verified (`verify`).
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ladder.errors import ProgramError
from ladder.language.roles import Part, can_be_declared


class Kind(enum.Enum):
    """How a cell of 32 bits represents a value of a type."""

    NUMBER = "number"  # signed integer, as it is
    UNSIGNED = "unsigned"  # the same bits
    FLOAT = "float"  # IEEE 754 single precision, its bits
    SYMBOL = "symbol"  # number of an interned string
    RECORD = "record"  # number of an interned tuple of cells; nil is number 0
    OBJECT = "object"  # number of an interned Python value: values of lattices written in Python


Fields = tuple[tuple[str, str], ...]  # (field name, type name)


@dataclass(frozen=True)
class Type:
    """A resolved type: aliases and subtypes keep their name, `kind` says what a cell represents.

    `fields`: those of a record type. `branches`: those of an algebraic data type, whose kind is RECORD as well; in
    Python its values are tuples that start with the name of their branch: `$Node(1, nil)` is ("Node", 1, None), `$Leaf`
    is ("Leaf",). `wide`: the kind of the numbers of 64 bits that a type of kind OBJECT stands for.
    """

    name: str
    kind: Kind
    fields: Fields = ()
    branches: tuple[tuple[str, Fields], ...] = ()
    wide: Kind | None = None

    def is_nil(self, value: object) -> bool:
        """Whether a value is nil, in Python None: a value of record types, but not of algebraic data types."""
        return value is None and self.kind is Kind.RECORD and not self.branches

    @property
    def written(self) -> Kind:
        """The kind of the type's values in files."""
        return self.kind if self.wide is None else self.wide


def inside(type_: Type, types: Mapping[str, Type]) -> Iterable[Type]:
    """A type and the types of the fields of its records, transitively."""
    found: dict[str, Type] = {}
    waiting = [type_]
    while waiting:
        one = waiting.pop()
        if one.name not in found:
            found[one.name] = one
            waiting += [
                types[name] for fields in (one.fields, *(fields for _, fields in one.branches)) for _, name in fields
            ]
    return found.values()


@dataclass(frozen=True)
class Place:
    """A place in a program's text; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @staticmethod
    def of(text: str) -> Place | None:
        """The place that is written as this text; None where the text is no place."""
        file, *numbers = text.rsplit(":", 2)
        return Place(file, *map(int, numbers)) if len(numbers) == 2 and all(map(str.isdecimal, numbers)) else None


@dataclass(frozen=True)
class Var:
    """A variable, named uniquely within its rule."""

    name: str

    def __hash__(self) -> int:  # planning asks for it all the time
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Const:
    """A constant: int for numbers, float, str for symbols, None for nil, any hashable value for OBJECT."""

    value: Hashable
    type: Type

    @property
    def stands_for_nil(self) -> bool:
        """Whether it is nil, or fills a key of an algebraic data type that a row has not."""
        return self.value is None and self.type.kind is Kind.RECORD

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
    """`!relation(terms)`: the terms are no row of the relation, which belongs to an earlier component."""

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

    `kind`: the kind of the arguments, where a built-in function exists for several (number, unsigned, float; any for
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
    """`result` takes each of the values of a function with several results (`range`, elements of a set).

    `kind`: the kind of the results of `range`.
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

    Each field is a fresh variable or None. A record that is nil or of another branch does not match.
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
    """`head :- body.`; `plan`: the join order of a `.plan` directive as positions of the positive atoms, None without
    one."""

    head: Atom
    body: tuple[Literal, ...]
    place: Place | None = field(default=None, compare=False)
    plan: tuple[int, ...] | None = field(default=None, compare=False)

    @cached_property
    def relational(self) -> tuple[Atom | Not, ...]:
        """Body atoms and negated atoms in the order of the text: a rule's literals are numbered so."""
        return tuple([literal for literal in self.body if isinstance(literal, Atom | Not)])

    def __str__(self) -> str:
        return f"{self.head} :- {', '.join(map(str, self.body))}."


@dataclass(frozen=True)
class Column:
    name: str
    type: Type


@dataclass(frozen=True)
class Relation:
    """A relation of a core program.

    `aggregate` names the join of the last column of an aggregated relation (see `Program.lattices`). `keys`: columns
    that the heads of its rules have before that value, and that atoms do not have; with them the aggregate inputs are a
    bag: `sum` adds one value per distinct (group, keys, value). Only relations without facts have keys. `facts` names
    the EDB relation that stores the facts, where that is another relation.

    A relation is *ordered* when its rows depend on the order in which they are derived, so that it is evaluated anew
    when its inputs change. These are relations with `choice`, keys (positions of columns) for each value of which only
    the row derived first is kept; with `limit`, the number of rows at which the evaluation of its component stops; the
    relations of `Program.subsumptions`; and those derived by a rule with the function "autoinc" or "iteration".

    `part`: the role of a helper relation, which determines its name; None for a relation that the text declares.
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
        """Whether the text declares the relation."""
        return self.part is None

    @property
    def arity(self) -> int:
        return len(self.columns)

    @property
    def head_arity(self) -> int:
        """The number of terms in the heads of the relation's rules."""
        return len(self.columns) + len(self.keys)


def helper(
    part: Part,
    columns: tuple[Column, ...],
    aggregate: str | None = None,
    place: Place | None = None,
    keys: tuple[Column, ...] = (),
) -> Relation:
    """A helper relation, which the text does not declare."""
    return Relation(part.name, columns, aggregate, place, keys, part=part)


@dataclass(frozen=True)
class Subsumption:
    """`dominated <= dominating :- body.`: a row is dropped when another row of its relation dominates it.

    Both are atoms of one relation and have no wildcards; they and the body are joined like the body of a rule.
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


LEVELS = ("error", "warning", "note")  # of findings, the worst first


@dataclass(frozen=True)
class Finding:
    """`.finding`: each row of the relation is a finding, something that a person should look at.

    Columns are named. `message`: texts, and columns (a tuple of one name) whose values stand between them. `at`: the
    column whose id has a place, or those of a path, a line and, if given, a column. `related`: further columns of
    ids with places, and what each is. `flow`: the relation of the steps that lead from the value of one column to that
    of another, and these two columns. `identity`: the columns that tell findings of the rule apart. `help`: a page
    about the rule, as Markdown. `level`: one of LEVELS, or the column that has one of each row.
    """

    relation: str
    rule: str
    level: str
    title: str
    message: tuple[str | tuple[str], ...]
    at: tuple[str, ...]
    related: tuple[tuple[str, str], ...] = ()
    flow: tuple[str, str, str] | None = None
    identity: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    help: str = ""
    place: Place | None = field(default=None, compare=False)

    @property
    def usual_level(self) -> str:
        """The level of the rule: that of findings whose rows say none."""
        return self.level if self.level in LEVELS else "warning"

    def level_of(self, row: Mapping[str, object]) -> str:
        """The level of a row, by columns."""
        if self.level in LEVELS:
            return self.level
        level = str(row[self.level])
        if level not in LEVELS:
            raise ProgramError(f"A row of {self.relation} has the level {level!r}. Levels are {', '.join(LEVELS)}.")
        return level


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
    findings: tuple[Finding, ...] = ()

    def declares(self, name: str) -> bool:
        """Whether the text declares a relation of this name, which is no helper relation."""
        return name in self.relations and self.relations[name].declared

    @property
    def declared(self) -> tuple[str, ...]:
        """Names of the relations that the text declares."""
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
    """The terms that a literal reads: of an atom, negated or not, its terms; of a comparison, both sides; of a
    computation, the arguments; of an `Unpack`, the record."""
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
    """All variables of a literal in textual order."""
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
    """The rule with a variable replaced by a term in its head and all literals."""
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
    """The variables to which a literal gives values once its other variables are known."""
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
    """The variables that must be known before a literal can be evaluated."""
    return frozenset() if isinstance(literal, Atom) else frozenset(variables(literal)) - binds(literal)


def dependencies(program: Program) -> Iterator[tuple[str, str]]:
    """Pairs (relation read, relation derived) of all rules and subsumptions."""
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
    """The declared name of a relation or, for a helper relation, of the one that it belongs to; "" where it belongs to
    none.

    `relations`: all relations by name; a helper relation may belong to another helper relation.
    """
    part, name = relation.part, relation.name
    while part is not None:
        name = part.of
        part = relations[name].part if name in relations else None
    return name


class Invalid(Exception):
    """Raised for a core program that breaks an invariant of this module, which is a bug in the pass that made it."""


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
    """Verify a body, joined with the atoms `before` it. Returns the variables that it binds."""
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
