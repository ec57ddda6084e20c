"""A program with further columns of a type with one value, at random places, in every way in which atoms may have them.

It has the rows, and the core program, of the program without them.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from ladder.language.check.scopes import mapped
from ladder.language.errors import Errors
from ladder.language.syntax import nodes as s
from ladder.language.syntax.parser import parse_partly

TYPE = ".type Context = Somewhere { of: Anywhere }   .type Anywhere = Anywhere {}\n"
NAME, VALUE = "context", "$Somewhere($Anywhere())"


def with_unit_columns(text: str, source: random.Random) -> str:
    """The text of a program without components, in which relations have such columns."""
    errors = Errors()
    items = parse_partly(text, "<text>", errors)
    errors.raise_if_any({"<text>": text})
    positions = {
        item.name: source.randint(0, sum(not attribute.lattice for attribute in item.attributes) - 1)
        for item in items
        if isinstance(item, s.RelationDeclaration) and _may_have_one(item, items) and source.random() < 0.7
    }
    return TYPE + "\n".join(str(_Columns(positions, source).item(item)) for item in items) + "\n"


def _may_have_one(item: s.RelationDeclaration, items: Any) -> bool:
    """Whether the relation has a column before which another one may stand, and no other relation has its columns."""
    observed = {other.delta_of for other in items if isinstance(other, s.RelationDeclaration)}
    plain = [attribute for attribute in item.attributes if not attribute.lattice]
    return bool(plain) and "eqrel" not in item.qualifiers and item.delta_of is None and item.name not in observed


class _Columns:
    """Adds the columns to one item. `named`: whether its clause has the variable of them."""

    def __init__(self, positions: dict[str, int], source: random.Random) -> None:
        self.positions, self.random = positions, source
        self.named = False

    def item(self, item: s.Item) -> s.Item:
        match item:
            case s.RelationDeclaration() if item.name in self.positions:
                attributes = list(item.attributes)
                attributes.insert(self.positions[item.name], s.Attribute(item.place, NAME, "Context"))
                choices = tuple((*key, NAME) if self.random.random() < 0.5 else key for key in item.choices)
                return replace(item, attributes=tuple(attributes), choices=choices)
            case s.Clause(body=None):
                return replace(item, heads=tuple(self.atom(head, (VALUE,)) for head in item.heads))
            case s.Clause(body=body):
                assert body is not None
                heads = tuple(self.atom(head, (VALUE, NAME, NAME)) for head in item.heads)
                return replace(item, heads=heads, body=self.bound(self.body(body)))
            case s.SubsumptionClause():
                atoms = [self.atom(atom, (VALUE, NAME, "_")) for atom in (item.dominated, item.dominating)]
                return replace(item, dominated=atoms[0], dominating=atoms[1], body=self.bound(self.body(item.body)))
        return item

    def atom(self, atom: s.Call, ways: tuple[str, ...]) -> s.Call:
        if atom.name not in self.positions:
            return atom
        way, arguments = self.random.choice(ways), list(atom.arguments)
        self.named |= way == NAME
        arguments.insert(self.positions[atom.name], s.Variable(atom.place, way))  # which prints as what it is
        return replace(atom, arguments=tuple(arguments))

    def body(self, part: Any) -> Any:
        """A body or an expression, with the columns in all of its atoms, those of aggregates among them."""
        if isinstance(part, s.AtomLiteral):
            return replace(part, atom=self.atom(mapped(part.atom, self.body), (VALUE, NAME, "_")))
        return mapped(part, self.body)

    def bound(self, body: s.Body) -> s.Body:
        """The body with a literal that binds the variable, unless an atom does."""
        parts = body.parts if isinstance(body, s.Conjunction) else (body,)
        binds = any(
            isinstance(part, s.AtomLiteral) and s.Variable(part.place, NAME) in part.atom.arguments for part in parts
        )
        if not self.named or binds and self.random.random() < 0.7:
            return body
        sides = s.Variable(body.place, NAME), s.Variable(body.place, VALUE)
        literal = s.Comparison(body.place, "=", *self.random.sample(sides, 2))
        return s.Conjunction(body.place, (*parts, literal))
