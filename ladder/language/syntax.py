"""The syntax tree of a program: what the text says, with places, before names and types mean anything.

Text → **syntax tree** → checked → core. Nodes are frozen; equality ignores places. `str` of a node is program text.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from ladder.language.core import Place


@dataclass(frozen=True)
class Node:
    """A node knows where it starts."""

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
    """A numeric literal; `suffix`: "u" for unsigned, "f" where it has a fraction, "x" for bits (0x…, 0b…), else ""."""

    value: int | float
    suffix: str = ""

    def __str__(self) -> str:
        return f"{self.value}u" if self.suffix == "u" else str(self.value)


@dataclass(frozen=True)
class String(Node):
    value: str

    def __str__(self) -> str:
        escaped = self.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return '"' + escaped.replace("\r", "\\r") + '"'


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
        shown = [str(a) for a in self.arguments]
        if len(shown) == 2 and not self.name.isidentifier() or self.name in WORD_OPERATORS and len(shown) == 2:
            return f"({shown[0]} {self.name} {shown[1]})"
        if self.name in PREFIX_TEXT:
            return f"({PREFIX_TEXT[self.name]}{shown[0]})"
        return f"{self.name}({', '.join(shown)})"


@dataclass(frozen=True)
class UserCall(Node):
    """`@name(arguments)`: a user functor."""

    name: str
    arguments: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"@{self.name}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Record(Node):
    fields: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.fields))}]"


@dataclass(frozen=True)
class Variant(Node):
    """`$branch(arguments)`: a value, or a pattern, of an algebraic data type."""

    branch: str
    arguments: tuple[Expression, ...] = ()

    def __str__(self) -> str:
        return f"${self.branch}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Counter(Node):
    """`autoinc()`, also written `$`: a number that differs each time."""

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
        target = "" if self.target is None else f" {self.target}"
        return f"{self.function}{target} : {{ {self.body} }}"


@dataclass(frozen=True)
class Unsupported(Node):
    """Syntax that is understood and refused by name: `what` names it; `declares`: names that others may use."""

    what: str
    mend: str | None = None
    declares: bool = False

    def __str__(self) -> str:
        return f"<{self.what}>"


Expression = (Variable | Wildcard | Number | String | Nil | Call | UserCall | Record | Variant | Counter | Cast | Aggregate
              | Unsupported)

WORD_OPERATORS = frozenset(("band", "bor", "bxor", "bshl", "bshr", "bshru", "land", "lor", "lxor"))
PREFIX_TEXT = {"neg": "-", "bnot": "bnot ", "lnot": "lnot "}

# ---- bodies


@dataclass(frozen=True)
class AtomLiteral(Node):
    atom: Call

    def __str__(self) -> str:
        return str(self.atom)


@dataclass(frozen=True)
class Comparison(Node):
    """`left operator right`; `match` and `contains` have the pattern at the left."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        if self.operator.isidentifier():
            return f"{self.operator}({self.left}, {self.right})"
        return f"{self.left} {self.operator} {self.right}"


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
    """A column or field; `lattice` where it is written `name: Type<>`."""

    name: str
    type: str
    lattice: bool = False


@dataclass(frozen=True)
class RelationDeclaration(Node):
    """`choices`: the keys of its choice domains, each a tuple of columns' names."""

    name: str
    attributes: tuple[Attribute, ...]
    qualifiers: tuple[str, ...] = ()
    choices: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Branch(Node):
    """One alternative of an algebraic data type: `name { fields }`."""

    name: str
    fields: tuple[Attribute, ...] = ()


@dataclass(frozen=True)
class TypeDeclaration(Node):
    """`kind`: "subtype" of `members[0]`, "union" of `members` (an alias where it is one), "record" of `fields`,
    or "variant", an algebraic data type of `branches`."""

    name: str
    kind: str
    members: tuple[tuple[str, Place], ...] = ()
    fields: tuple[Attribute, ...] = ()
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True)
class FunctorDeclaration(Node):
    """`.functor name(parameters):result`; `binding` is "module:function" where the text gives it."""

    name: str
    parameters: tuple[Attribute, ...]
    result: str
    binding: str | None = None
    several: bool = False
    stateful: bool = False


@dataclass(frozen=True)
class LatticeDeclaration(Node):
    """`.lattice name = "module:attribute"`, or `.lattice name<> { Bottom -> …, Lub -> @f(_, _), … }` with `entries`."""

    name: str
    binding: str | None = None
    entries: tuple[tuple[str, Expression], ...] = ()


@dataclass(frozen=True)
class DirectiveItem(Node):
    kind: str
    relation: str
    parameters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Clause(Node):
    """`heads :- body.`; `body` is None for facts; `plan`: positions of atoms, from 1, as `.plan 0:(…)` gives them."""

    heads: tuple[Call, ...]
    body: Body | None
    plan: tuple[int, ...] | None = None

    def __str__(self) -> str:
        heads = ", ".join(map(str, self.heads))
        return f"{heads}." if self.body is None else f"{heads} :- {self.body}."


@dataclass(frozen=True)
class SubsumptionClause(Node):
    """`dominated <= dominating :- body.`"""

    dominated: Call
    dominating: Call
    body: Body
    plan: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return f"{self.dominated} <= {self.dominating} :- {self.body}."


@dataclass(frozen=True)
class ComponentType(Node):
    """`name<arguments>` where a component is declared, inherited from or instantiated."""

    name: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}<{', '.join(self.arguments)}>" if self.arguments else self.name


@dataclass(frozen=True)
class Component(Node):
    """`.comp type : bases { items }`; `overrides`: relations whose inherited clauses it replaces (`.override`)."""

    type: ComponentType
    bases: tuple[ComponentType, ...]
    items: tuple[Item, ...]
    overrides: tuple[str, ...] = ()


@dataclass(frozen=True)
class Instance(Node):
    """`.init name = type`."""

    name: str
    type: ComponentType


@dataclass(frozen=True)
class Include(Node):
    """`.include "path"`, or `.include <path>` from the library of analyses."""

    path: str
    library: bool


@dataclass(frozen=True)
class Pragma(Node):
    key: str
    value: str | None = None


Item = (RelationDeclaration | TypeDeclaration | FunctorDeclaration | LatticeDeclaration | DirectiveItem | Clause
        | SubsumptionClause | Component | Instance | Include | Pragma | Unsupported)
