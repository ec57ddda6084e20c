"""The lattices of the analysis of effects (`java/effects.dl`): chains of a few values."""

from __future__ import annotations

from ladder.lattices.finite import Finite


class Chain(Finite):
    """The lattice in which each value lies above those before it."""

    carrier = "symbol"
    order: tuple[str, ...] = ()

    def __init__(self) -> None:
        places = range(len(self.order))
        super().__init__(self.order, [[max(i, j) for j in places] for i in places], self.carrier)


class Purity(Chain):
    """What a method does to what there was before it, from nothing at all; `unknown`: it may call code of which nothing
    is known, and does no other harm."""

    order = ("pure", "reads", "fresh", "unknown", "impure")


class Escaping(Chain):
    """Where the objects of a parameter get to: to the caller; into other objects of the caller's; to anybody (Choi and
    others, Escape Analysis for Java, OOPSLA 1999)."""

    order = ("returned", "kept", "global")


def field_in_words(name: str) -> str:
    """`<p.A: int n>` → `A.n`; any other text as it is."""
    owner, _, field = name.removeprefix("<").removesuffix(">").partition(": ")
    return f"{owner.rpartition('.')[2].replace('$', '.')}.{field.rpartition(' ')[2]}" if field else name
