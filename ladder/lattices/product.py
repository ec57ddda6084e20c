"""Several lattices side by side: tuples, joined component by component."""
from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import islice, product as combinations
from typing import Any

from ladder.lattices.base import Lattice

_MOST_EXAMPLES = 60


class Product(Lattice[tuple[Hashable, ...]]):
    """Values are tuples with one value of each lattice."""

    def __init__(self, *parts: Lattice[Any]) -> None:
        self.parts = parts
        for extreme in ("bottom", "top"):
            if all(hasattr(part, extreme) for part in parts):
                setattr(self, extreme, tuple(getattr(part, extreme) for part in parts))

    def join(self, a: tuple[Hashable, ...], b: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
        return tuple(part.join(x, y) for part, x, y in zip(self.parts, a, b, strict=True))

    def leq(self, a: tuple[Hashable, ...], b: tuple[Hashable, ...]) -> bool:
        return all(part.leq(x, y) for part, x, y in zip(self.parts, a, b, strict=True))

    def examples(self) -> Sequence[tuple[Hashable, ...]]:
        every = list(combinations(*(part.examples() for part in self.parts)))
        return list(islice(every, 0, None, max(1, len(every) // _MOST_EXAMPLES)))

    def show(self, value: tuple[Hashable, ...]) -> str:
        return "(" + ", ".join(part.show(x) for part, x in zip(self.parts, value, strict=True)) + ")"


def product(*parts: Lattice[Any]) -> Product:
    """The product of lattices."""
    return Product(*parts)


def components(*values: Hashable) -> tuple[Hashable, ...]:
    """A value of a product from one value of each of its lattices; to be used as a functor."""
    return values
