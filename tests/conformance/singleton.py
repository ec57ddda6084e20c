"""The lattice of singleton points-to analysis: no object, one object O(obj), or any object of a class C(cls)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ladder.lattices import Lattice

Points = tuple[str, str]  # ("O", object) or ("C", class)

CLASS_OF = {"S": "Session", "F1": "DefFactory", "F2": "CusFactory"}
SUPERCLASS = {
    "Session": "Object",
    "DefFactory": "Factory",
    "CusFactory": "Factory",
    "DelFactory": "Factory",
    "Factory": "Object",
}


class Singleton(Lattice[Points]):
    def join(self, a: Points, b: Points) -> Points:
        if a == b:
            return a
        above = ancestors(b)
        return "C", next(c for c in ancestors(a) if c in above)

    def examples(self) -> Sequence[Points]:
        return (*(("O", o) for o in CLASS_OF), *(("C", c) for c in (*SUPERCLASS, "Object")))

    def show(self, value: Points) -> str:
        return f"{value[0]}({value[1]})"


def ancestors(value: Points) -> list[str]:
    """The class of a value and its superclasses, nearest first."""
    chain = [CLASS_OF[value[1]] if value[0] == "O" else value[1]]
    while chain[-1] in SUPERCLASS:
        chain.append(SUPERCLASS[chain[-1]])
    return chain


def O(name: str) -> Points:
    return "O", name


def object_of(value: Points) -> Iterator[str]:
    if value[0] == "O":
        yield value[1]


def class_of(value: Points) -> Iterator[str]:
    if value[0] == "C":
        yield value[1]
