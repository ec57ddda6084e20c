"""Sets of values under union: of any size, or with up to k elements and Top for larger ones."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

from ladder.lattices.base import TOP, Extreme, Lattice, text_of
from ladder.lattices.shapes import Sets, Shape

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Elements = frozenset[Hashable]
_LETTERS = "abcdefgh"


class Powerset(Lattice[Elements]):
    """Frozen sets, ordered by inclusion; chains are no longer than the number of elements that occur.

             {a, b}
            /      \\
         {a}       {b}
            \\      /
               {}
    """

    bottom: Elements = frozenset()

    def join(self, a: Elements, b: Elements) -> Elements:
        return a if b <= a else b if a <= b else a | b

    def meet(self, a: Elements, b: Elements) -> Elements:
        return a & b

    def leq(self, a: Elements, b: Elements) -> bool:
        return a <= b

    def inject(self, value: Hashable) -> Elements:
        """The set with a single element."""
        return frozenset((value,))

    def shape(self) -> Shape:
        """The shape of sets of any size under union."""
        return Sets()

    def values(self) -> SearchStrategy[Elements]:
        from hypothesis import strategies as st

        return st.frozensets(st.sampled_from(_LETTERS))

    def examples(self) -> Sequence[Elements]:
        return (frozenset(), *map(frozenset, ("a", "b", "ab", "bc", "abc", "abcd", ("a", 1), (1, 2))))

    def show(self, value: Elements) -> str:
        return "{" + ", ".join(map(text_of, members(value))) + "}"


class KSet(Lattice[Elements | Extreme]):
    """Frozen sets of at most k elements, and `TOP` for all larger ones. k = 1:

              Top
           /   |   \\
        {a}   {b}   {c} …
           \\   |   /
               {}

    Chains have at most k + 2 values.
    """

    bottom: Elements = frozenset()
    top = TOP

    def __init__(self, k: int) -> None:
        if k < 1:
            raise ValueError("a bounded set needs room for at least one element")
        self.k = k

    def join(self, a: Elements | Extreme, b: Elements | Extreme) -> Elements | Extreme:
        if isinstance(a, Extreme) or isinstance(b, Extreme):
            return TOP
        if b <= a:
            return a
        union = a | b
        return union if len(union) <= self.k else TOP

    def meet(self, a: Elements | Extreme, b: Elements | Extreme) -> Elements | Extreme:
        if isinstance(a, Extreme):
            return b
        return a if isinstance(b, Extreme) else a & b

    def leq(self, a: Elements | Extreme, b: Elements | Extreme) -> bool:
        return isinstance(b, Extreme) or not isinstance(a, Extreme) and a <= b

    def inject(self, value: Hashable) -> Elements:
        """The set with a single element."""
        return frozenset((value,))

    def shape(self) -> Shape:
        """The shape of sets of at most k elements under union."""
        return Sets(self.k)

    def values(self) -> SearchStrategy[Elements | Extreme]:
        from hypothesis import strategies as st

        letters = [chr(ord("a") + i) for i in range(min(self.k + 2, 26))]
        return st.frozensets(st.sampled_from(letters), max_size=min(self.k, len(letters))) | st.just(TOP)

    def examples(self) -> Sequence[Elements | Extreme]:
        letters = [chr(ord("a") + i) for i in range(self.k + 1)]
        runs = [frozenset(letters[start:end]) for start in range(self.k + 1) for end in range(start, self.k + 2)]
        return (TOP, *dict.fromkeys(run for run in runs if len(run) <= self.k))

    def show(self, value: Elements | Extreme) -> str:
        return value.value if isinstance(value, Extreme) else "{" + ", ".join(map(text_of, members(value))) + "}"


def k_set(k: int) -> KSet:
    """The lattice of sets with at most k elements."""
    return KSet(k)


def singleton(value: Hashable) -> Elements:
    """The set with a single element."""
    return frozenset((value,))


def members(value: Elements | Extreme) -> Iterator[Hashable]:
    """The elements of a set, sorted; no result for `TOP`. Declare the functor with `several`."""
    if isinstance(value, Extreme):
        return iter(())
    return iter(sorted(value, key=lambda element: (type(element).__name__, element)))


def size(value: Elements | Extreme) -> Iterator[int]:
    """The number of elements of a set; no result for `TOP`. Declare the functor with `several`."""
    if not isinstance(value, Extreme):
        yield len(value)


powerset = Powerset()
