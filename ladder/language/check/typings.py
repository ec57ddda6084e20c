"""The types of one clause's expressions, while they are inferred and afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field

from ladder.language.check.constraints import Constraints, TypeSet
from ladder.language.check.environment import Environment
from ladder.language.check.types import CONSTANTS, PRIMITIVES
from ladder.language.core import Kind, Type
from ladder.language.syntax import nodes as s


@dataclass
class Typing:
    """The types of each expression of a clause."""

    environment: Environment
    constraints: Constraints
    nodes: dict[int, int] = field(default_factory=dict)  # id of an occurrence → node
    variables: dict[str, int] = field(default_factory=dict)  # name → node
    kept: list[s.Expression] = field(default_factory=list)  # so that ids stay theirs

    def types(self, expression: s.Expression) -> TypeSet | None:
        """All types that an expression may have, including those of constants; None if they are unknown."""
        node = self.nodes.get(id(expression))
        if node is None and isinstance(expression, s.Variable):
            node = self.variables.get(expression.name)
        return None if node is None else self.constraints.sets[node]

    def base(self, expression: s.Expression) -> str:
        """The name of the primitive, record or lattice type of an expression; "number" if it is unknown."""
        bases = {self.environment.types.bases[name] for name in self.types(expression) or ()}
        return next((name for name in PRIMITIVES if name in bases), min(bases, default="number"))

    def type(self, expression: s.Expression) -> Type:
        return self.environment.types.base_type(self.base(expression))

    def kind(self, expression: s.Expression) -> Kind:
        return self.type(expression).kind

    def declared_types(self, expression: s.Expression) -> tuple[str, ...]:
        """All declared types to which the values of an expression belong; none for constants and arithmetic."""
        return tuple(sorted((self.types(expression) or frozenset()) - frozenset(CONSTANTS.values())))

    def give(self, new: s.Expression, old: s.Expression) -> None:
        """Give an expression the types of the one that it replaces."""
        if id(old) in self.nodes:
            self.nodes[id(new)] = self.nodes[id(old)]
            self.kept.append(new)

    def give_type(self, expression: s.Expression, name: str) -> None:
        """Give a new expression a type."""
        node = self.constraints.node()
        self.constraints.assign(node, frozenset((name,)))
        self.nodes[id(expression)] = node
        self.kept.append(expression)

    def is_broken(self, expression: s.Expression) -> bool:
        """Whether an error about the expression was reported."""
        node = self.nodes.get(id(expression))
        return node is not None and node in self.constraints.broken
