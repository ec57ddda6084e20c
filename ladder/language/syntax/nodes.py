"""The syntax tree of a program, with places; names and types are not resolved yet.

Text → **syntax tree** → checked → core. Nodes are frozen; equality ignores places. `str` of a node is program text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ladder.language.core import Place


@dataclass(frozen=True)
class Node:
    """A node of the syntax tree, with the place where it starts."""

    place: Place = field(compare=False, repr=False)


# ---- expressions


@dataclass(frozen=True)
class Variable(Node):
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Wildcard(Node):
    def __str__(self) -> str:
        return "_"


@dataclass(frozen=True)
class Number(Node):
    """A numeric literal; `suffix`: "u" for unsigned, "f" for a number with a fraction, "x" for bits (0x…, 0b…), else
    ""."""

    value: int | float
    suffix: str = ""

    def __str__(self) -> str:
        if isinstance(self.value, float):
            return _float_text(self.value)
        if self.suffix == "x":
            return f"-{-self.value:#x}" if self.value < 0 else f"{self.value:#x}"
        return f"{self.value}{self.suffix}"


@dataclass(frozen=True)
class String(Node):
    value: str

    def __str__(self) -> str:
        return '"' + self.value.translate(_ESCAPED) + '"'


@dataclass(frozen=True)
class Nil(Node):
    def __str__(self) -> str:
        return "nil"


@dataclass(frozen=True)
class Call(Node):
    """`name(arguments)`: an atom, an aggregator in a head, or a built-in function; operators are calls too."""

    name: str
    arguments: tuple[Expression, ...]

    def __str__(self) -> str:
        if len(self.arguments) == 2 and self.name in OPERATORS:
            left, right = self.arguments
            shown = f"({left})" if isinstance(left, Number) and str(left).startswith("-") else str(left)
            return f"({shown} {self.name} {right})"
        if self.name in PREFIX_TEXT:
            return f"({PREFIX_TEXT[self.name]}{self.arguments[0]})"
        return self.as_atom()

    def as_atom(self) -> str:
        """The text of the call as an atom, whose name is never an operator."""
        return f"{self.name}({_commas(self.arguments)})"


@dataclass(frozen=True)
class UserCall(Node):
    """`@name(arguments)`: a user functor."""

    name: str
    arguments: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"@{self.name}({_commas(self.arguments)})"


@dataclass(frozen=True)
class Record(Node):
    fields: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"[{_commas(self.fields)}]"


@dataclass(frozen=True)
class Variant(Node):
    """`$branch(arguments)`: a value, or a pattern, of an algebraic data type."""

    branch: str
    arguments: tuple[Expression, ...] = ()

    def __str__(self) -> str:
        return f"${self.branch}({_commas(self.arguments)})"


@dataclass(frozen=True)
class Counter(Node):
    """`autoinc()`, also written `$`: a counter, whose value differs each time."""

    def __str__(self) -> str:
        return "autoinc()"


@dataclass(frozen=True)
class Cast(Node):
    """`as(value, type)`."""

    value: Expression
    type: str

    def __str__(self) -> str:
        return f"as({self.value}, {self.type})"


@dataclass(frozen=True)
class Aggregate(Node):
    """`function target : { body }` in a body."""

    function: str
    target: Expression | None
    body: Body

    def __str__(self) -> str:
        target = "" if self.target is None else str(self.target)
        if target and not isinstance(self.target, Variable | Number) and not target.startswith("("):
            target = f"({target})"  # sum @f(x) : … would be another aggregate's start
        return f"{self.function}{' ' if target else ''}{target} : {{ {self.body} }}"


@dataclass(frozen=True)
class Unsupported(Node):
    """Syntax that is parsed but not supported: `what` names it; `declares`: names that it declares and others may
    use."""

    what: str
    hint: str | None = None
    declares: bool = False

    def __str__(self) -> str:
        return f"<{self.what}>"


Expression = (
    Variable
    | Wildcard
    | Number
    | String
    | Nil
    | Call
    | UserCall
    | Record
    | Variant
    | Counter
    | Cast
    | Aggregate
    | Unsupported
)

WORD_OPERATORS = frozenset(("band", "bor", "bxor", "bshl", "bshr", "bshru", "land", "lor", "lxor"))
OPERATORS = WORD_OPERATORS | {"+", "-", "*", "/", "%", "^"}
PREFIX_TEXT = {"neg": "-", "bnot": "bnot ", "lnot": "lnot "}
_ESCAPED = str.maketrans(
    {
        "\\": "\\\\",
        '"': '\\"',
        "\n": "\\n",
        "\t": "\\t",
        "\r": "\\r",
        "\a": "\\a",
        "\b": "\\b",
        "\f": "\\f",
        "\v": "\\v",
    }
)


def _commas(parts: Iterable[object]) -> str:
    return ", ".join(map(str, parts))


def _float_text(value: float) -> str:
    """A literal of the value: digits, a dot, digits, perhaps an exponent; 1.0e999 is infinite."""
    text = repr(value).replace("inf", "1.0e999")
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}.0e{exponent}" if e and "." not in mantissa else text


def _plan_text(plans: tuple[Plan, ...]) -> str:
    return f"\n.plan {_commas(plans)}" if plans else ""


def _plan(plans: tuple[Plan, ...]) -> tuple[int, ...] | None:
    return next((plan.order for plan in plans if plan.version == 0), None)


# ---- bodies


@dataclass(frozen=True)
class AtomLiteral(Node):
    atom: Call

    def __str__(self) -> str:
        return self.atom.as_atom()


@dataclass(frozen=True)
class Comparison(Node):
    """`left operator right`; for `match` and `contains` the pattern is at the left.

    `negates`: the operator that stands in the program, where a negation was pushed down to this comparison.
    """

    operator: str
    left: Expression
    right: Expression
    negates: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self._with(self.operator)

    @property
    def in_program(self) -> str:
        """The comparison as it stands in the program."""
        if not self.negates:
            return str(self)
        negated = self._with(self.negates)
        return f"!{negated}" if self.negates.isidentifier() else f"!({negated})"

    def _with(self, operator: str) -> str:
        if operator.isidentifier():
            return f"{operator}({self.left}, {self.right})"
        return f"{self.left} {operator} {self.right}"


@dataclass(frozen=True)
class Negation(Node):
    body: Body

    def __str__(self) -> str:
        return f"!{self.body}" if isinstance(self.body, AtomLiteral) else f"!({self.body})"


@dataclass(frozen=True)
class Truth(Node):
    value: bool

    def __str__(self) -> str:
        return "true" if self.value else "false"


@dataclass(frozen=True)
class Conjunction(Node):
    parts: tuple[Body, ...]

    def __str__(self) -> str:
        return ", ".join(f"({p})" if isinstance(p, Conjunction | Disjunction) else str(p) for p in self.parts)


@dataclass(frozen=True)
class Disjunction(Node):
    parts: tuple[Body, ...]

    def __str__(self) -> str:
        return "; ".join(f"({p})" if isinstance(p, Disjunction) else str(p) for p in self.parts)


Body = AtomLiteral | Comparison | Negation | Truth | Conjunction | Disjunction | Unsupported

# ---- items


@dataclass(frozen=True)
class Attribute(Node):
    """A column or field; `lattice`: whether it is written `name: Type<>`."""

    name: str
    type: str
    lattice: bool = False

    def __str__(self) -> str:
        type_text = f"{self.type}<>" if self.lattice else self.type
        return f"{self.name}: {type_text}" if self.name else type_text


@dataclass(frozen=True)
class RelationDeclaration(Node):
    """`.decl name(attributes) qualifiers`. `choices`: the keys of its choice domains, each a tuple of names of columns;
    `delta_of`: r in `.decl d = debug_delta(r)`, which has the columns of r and the iteration in which each row first
    appeared."""

    name: str
    attributes: tuple[Attribute, ...]
    qualifiers: tuple[str, ...] = ()
    choices: tuple[tuple[str, ...], ...] = ()
    delta_of: str | None = None

    def __str__(self) -> str:
        columns = f"({_commas(self.attributes)})" if self.delta_of is None else f" = debug_delta({self.delta_of})"
        text = " ".join([f".decl {self.name}{columns}", *self.qualifiers])
        keys = _commas(f"({_commas(key)})" for key in self.choices)
        return f"{text} choice-domain {keys}" if keys else text


@dataclass(frozen=True)
class Branch(Node):
    """One alternative of an algebraic data type: `name { fields }`."""

    name: str
    fields: tuple[Attribute, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} {{{_commas(self.fields)}}}"


@dataclass(frozen=True)
class TypeDeclaration(Node):
    """A declaration of a type. `kind`: "subtype" of `members[0]`, "union" of `members` (an alias if there is one
    member), "record" with `fields`, or "variant", an algebraic data type with `branches`."""

    name: str
    kind: str
    members: tuple[tuple[str, Place], ...] = field(default=(), compare=False)
    fields: tuple[Attribute, ...] = ()
    branches: tuple[Branch, ...] = ()
    names: tuple[str, ...] = field(init=False, repr=False)  # of the members, without their places

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(name for name, _ in self.members))

    def __str__(self) -> str:
        match self.kind:
            case "subtype":
                return f".type {self.name} <: {self.names[0]}"
            case "union":
                return f".type {self.name} = {' | '.join(self.names)}"
            case "record":
                return f".type {self.name} = [{_commas(self.fields)}]"
            case _:
                return f".type {self.name} = {' | '.join(map(str, self.branches))}"


@dataclass(frozen=True)
class FunctorDeclaration(Node):
    """`.functor name(parameters):result`; `binding`: "module:function" if the text names one."""

    name: str
    parameters: tuple[Attribute, ...]
    result: str
    binding: str | None = None
    several: bool = False
    stateful: bool = False

    def __str__(self) -> str:
        text = f".functor {self.name}({_commas(self.parameters)}): {self.result}"
        if self.binding is not None:
            text += f" = {String(self.place, self.binding)}"
        return text + " stateful" * self.stateful + " several" * self.several


@dataclass(frozen=True)
class LatticeDeclaration(Node):
    """`.lattice name = "module:attribute"`, or `.lattice name<> { Bottom -> …, Lub -> @f(_, _), … }` with `entries`."""

    name: str
    binding: str | None = None
    entries: tuple[tuple[str, Expression], ...] = ()

    def __str__(self) -> str:
        if self.binding is not None:
            return f".lattice {self.name} = {String(self.place, self.binding)}"
        return f".lattice {self.name}<> {{{_commas(f'{name} -> {value}' for name, value in self.entries)}}}"


FINDING = "finding"  # the directive that says that rows of a relation are findings


@dataclass(frozen=True)
class DirectiveItem(Node):
    """`.kind relation(key=value, …)`; `places`: those of the values, in a text that was parsed."""

    kind: str
    relation: str
    parameters: tuple[tuple[str, str], ...] = ()
    places: tuple[Place, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        options = _commas(f"{key}={String(self.place, value)}" for key, value in self.parameters)
        return f".{self.kind} {self.relation}({options})" if options else f".{self.kind} {self.relation}"


@dataclass(frozen=True)
class Plan(Node):
    """`version: (order)`: the order of the body's atoms, counted from 1, for one of the versions of a recursive
    rule."""

    version: int
    order: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.version}:({_commas(self.order)})"


@dataclass(frozen=True)
class Clause(Node):
    """`heads :- body.`; `body` is None for facts; `plan`: positions of atoms, counted from 1, as in `.plan 0:(…)`."""

    heads: tuple[Call, ...]
    body: Body | None
    plans: tuple[Plan, ...] = ()

    @property
    def plan(self) -> tuple[int, ...] | None:
        return _plan(self.plans)

    def __str__(self) -> str:
        heads = _commas(head.as_atom() for head in self.heads)
        return (f"{heads}." if self.body is None else f"{heads} :- {self.body}.") + _plan_text(self.plans)


@dataclass(frozen=True)
class SubsumptionClause(Node):
    """`dominated <= dominating :- body.`"""

    dominated: Call
    dominating: Call
    body: Body
    plans: tuple[Plan, ...] = ()

    @property
    def plan(self) -> tuple[int, ...] | None:
        return _plan(self.plans)

    def __str__(self) -> str:
        heads = f"{self.dominated.as_atom()} <= {self.dominating.as_atom()}"
        return f"{heads} :- {self.body}." + _plan_text(self.plans)


@dataclass(frozen=True)
class ComponentType(Node):
    """`name<arguments>` in a component's declaration, its list of bases or an instantiation."""

    name: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}<{_commas(self.arguments)}>" if self.arguments else self.name


@dataclass(frozen=True)
class Component(Node):
    """`.comp type : bases { items }`; `overrides`: relations whose inherited clauses it replaces (`.override`); `uses`:
    instances in which it looks for names that it does not declare (`.use`)."""

    type: ComponentType
    bases: tuple[ComponentType, ...]
    items: tuple[Item, ...]
    overrides: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()

    def __str__(self) -> str:
        bases = f" : {_commas(self.bases)}" if self.bases else ""
        lines = [*map(str, self.uses), *(f".override {name}" for name in self.overrides), *map(str, self.items)]
        return "\n".join([f".comp {self.type}{bases} {{", *lines, "}"])


@dataclass(frozen=True)
class Use(Node):
    """`.use instance`, in a component."""

    instance: str

    def __str__(self) -> str:
        return f".use {self.instance}"


@dataclass(frozen=True)
class Instance(Node):
    """`.init name = type`."""

    name: str
    type: ComponentType

    def __str__(self) -> str:
        return f".init {self.name} = {self.type}"


@dataclass(frozen=True)
class Include(Node):
    """`.include "path"`, or `.include <path>` from the library of analyses."""

    path: str
    library: bool

    def __str__(self) -> str:
        return f".include <{self.path}>" if self.library else f".include {String(self.place, self.path)}"


@dataclass(frozen=True)
class Pragma(Node):
    key: str
    value: str | None = None

    def __str__(self) -> str:
        value = "" if self.value is None else f" {String(self.place, self.value)}"
        return f".pragma {String(self.place, self.key)}{value}"


Item = (
    RelationDeclaration
    | TypeDeclaration
    | FunctorDeclaration
    | LatticeDeclaration
    | DirectiveItem
    | Clause
    | SubsumptionClause
    | Component
    | Instance
    | Include
    | Pragma
    | Unsupported
)
